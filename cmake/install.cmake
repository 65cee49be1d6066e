# Headers, CMake package, pkg-config file and the finder for xxHash. Header-only, so everything goes to
# architecture-independent places; nothing installed names a place of this machine, so the prefix can move.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/perhaps")

install(TARGETS perhaps EXPORT perhapsTargets FILE_SET HEADERS FILE_SET adaptors)
install(EXPORT perhapsTargets NAMESPACE perhaps:: DESTINATION ${package_dir})

configure_package_config_file(cmake/perhapsConfig.cmake.in perhapsConfig.cmake INSTALL_DESTINATION ${package_dir})
# While the major version is 0, every minor version may break.
write_basic_package_version_file(perhapsConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/perhapsConfig.cmake" "${PROJECT_BINARY_DIR}/perhapsConfigVersion.cmake"
              cmake/FindxxHash.cmake DESTINATION ${package_dir})
install(DIRECTORY cmake/module DESTINATION ${package_dir})
# For debuggers: GDB's users load it themselves, perhapsConfig.cmake attaches the one for Visual Studio.
install(FILES cmake/debug/perhaps_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/perhaps)
install(FILES cmake/debug/perhaps.natvis DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/perhaps)

# pkg-config: the header comes with xxHash's own .pc file. Private, so that nothing is linked.
set(pkgconfig_dir "${CMAKE_INSTALL_DATADIR}/pkgconfig")
set(PERHAPS_PC_REQUIRES "Requires.private: libxxhash >= 0.8")
set(PERHAPS_PC_XXHASH "")
if(PERHAPS_FETCHED_XXHASH)
  install(FILES "${PERHAPS_FETCHED_XXHASH}" DESTINATION ${package_dir}/xxhash)
  set(PERHAPS_PC_REQUIRES "")
  set(PERHAPS_PC_XXHASH " -I\${prefix}/${package_dir}/xxhash")
endif()
file(RELATIVE_PATH PERHAPS_PC_PREFIX "/prefix/${pkgconfig_dir}" "/prefix")
cmake_path(APPEND PERHAPS_PC_INCLUDEDIR "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/perhaps.pc.in perhaps.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/perhaps.pc" DESTINATION ${pkgconfig_dir})
