# Headers, CMake package and the finder for xxHash. Header-only, so everything goes to architecture-independent places.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/perhaps")

install(TARGETS perhaps EXPORT perhapsTargets FILE_SET HEADERS)
install(EXPORT perhapsTargets NAMESPACE perhaps:: DESTINATION ${package_dir})

configure_package_config_file(cmake/perhapsConfig.cmake.in perhapsConfig.cmake INSTALL_DESTINATION ${package_dir})
# While the major version is 0, every minor version may break.
write_basic_package_version_file(perhapsConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/perhapsConfig.cmake" "${PROJECT_BINARY_DIR}/perhapsConfigVersion.cmake"
              cmake/FindxxHash.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/perhaps)
