# SPDX-License-Identifier: BSL-1.0
#
# For the test, which reaches no ConanCenter: the header of this machine's xxHash, under the names of ConanCenter's
# recipe. The environment says where the header is and its version.
import os

from conan import ConanFile
from conan.tools.files import copy


class XxHashConan(ConanFile):
    name = "xxhash"
    license = "BSD-2-Clause"
    package_type = "header-library"

    def export_sources(self):
        copy(self, "xxhash.h", os.environ["PERHAPS_TEST_XXHASH"], self.export_sources_folder)

    def package(self):
        copy(self, "xxhash.h", self.source_folder, os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "xxHash")
        self.cpp_info.set_property("pkg_config_name", "libxxhash")
        component = self.cpp_info.components["libxxhash"]
        component.set_property("cmake_target_name", "xxHash::xxhash")
        component.set_property("pkg_config_name", "libxxhash")
        component.bindirs = []
        component.libdirs = []
