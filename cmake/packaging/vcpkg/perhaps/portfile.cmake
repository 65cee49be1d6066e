# An overlay port: it installs the checkout that it is in. A registry's copy gets its sources by vcpkg_from_github
# instead. vcpkg's cache knows this folder only: after other files have changed, install with --no-binarycaching.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)

set(VCPKG_BUILD_TYPE release) # header-only
vcpkg_cmake_configure(
  SOURCE_PATH
  "${SOURCE_PATH}"
  OPTIONS
  -DPERHAPS_BUILD_TESTS=OFF
  -DPERHAPS_BUILD_EXAMPLES=OFF
  -DPERHAPS_FETCH_DEPENDENCIES=OFF
  -DPERHAPS_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME perhaps CONFIG_PATH share/cmake/perhaps)
vcpkg_fixup_pkgconfig()

# vcpkg's own place for it is share/perhaps/copyright.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/licenses")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
