# The engines that adaptors of this library serve: LevelDB and MPI. Nothing here is needed to use or build the library;
# tests and examples of an adaptor are built where its engine is found.
#
#     PERHAPS_LEVELDB      target to link with, or empty
#     PERHAPS_MPI          target to link with, or empty
#     PERHAPS_MPI_RUN      the command before a program of MPI, but for the number of its ranks

# Not LevelDB's own package, which also asks for the development files of what its library is linked with.
find_path(PERHAPS_LEVELDB_INCLUDE leveldb/filter_policy.h)
find_library(PERHAPS_LEVELDB_LIBRARY leveldb)
mark_as_advanced(PERHAPS_LEVELDB_INCLUDE PERHAPS_LEVELDB_LIBRARY)
set(PERHAPS_LEVELDB "")
if(PERHAPS_LEVELDB_INCLUDE AND PERHAPS_LEVELDB_LIBRARY)
  add_library(perhaps_leveldb_engine INTERFACE)
  target_include_directories(perhaps_leveldb_engine SYSTEM INTERFACE "${PERHAPS_LEVELDB_INCLUDE}")
  target_link_libraries(perhaps_leveldb_engine INTERFACE "${PERHAPS_LEVELDB_LIBRARY}")
  set(PERHAPS_LEVELDB perhaps_leveldb_engine)
endif()

find_package(MPI QUIET COMPONENTS CXX)
set(PERHAPS_MPI "")
if(MPI_CXX_FOUND AND MPIEXEC_EXECUTABLE)
  set(PERHAPS_MPI MPI::MPI_CXX)
  # Open MPI starts no more ranks than there are processors, and none for root, unless it is told to; and it never gives
  # back all of its memory. Other implementations do not read these variables.
  set(PERHAPS_MPI_RUN
      ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
      OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0
      ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG})
endif()
