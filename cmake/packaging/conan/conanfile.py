# SPDX-License-Identifier: BSL-1.0
#
# conan create cmake/packaging/conan
import os
import re

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class PerhapsConan(ConanFile):
    name = "perhaps"
    description = "Approximate-membership filters: Bloom, counting Bloom, cuckoo"
    license = "BSL-1.0"
    topics = ("bloom-filter", "cuckoo-filter", "approximate-membership", "header-only")
    package_type = "header-library"
    # Of the consumer only: the package is the same for all, see package_id.
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    @property
    def _checkout(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._checkout, "include", "perhaps", "version.hpp"))
        numbers = re.findall(r"^#define PERHAPS_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.MULTILINE)
        if len(numbers) != 3:
            raise ConanException("version.hpp does not define the three numbers of the version")
        self.version = ".".join(numbers)

    def export_sources(self):
        copy(self, "LICENSE", self._checkout, self.export_sources_folder)
        copy(self, "include/*.hpp", self._checkout, self.export_sources_folder)
        copy(self, "cmake/debug/perhaps*", self._checkout, self.export_sources_folder)

    def layout(self):
        basic_layout(self)

    def requirements(self):
        self.requires("xxhash/[>=0.8.0 <0.9]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))
        # For debuggers: GDB's users load theirs with `source`.
        copy(self, "perhaps*", os.path.join(self.source_folder, "cmake", "debug"), os.path.join(self.package_folder, "res"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        # The names of the package that `cmake --install` makes.
        self.cpp_info.set_property("cmake_file_name", "perhaps")
        self.cpp_info.set_property("cmake_target_name", "perhaps::perhaps")
        self.cpp_info.set_property("cmake_config_version_compat", "SameMinorVersion")
        self.cpp_info.set_property("pkg_config_name", "perhaps")
        self.cpp_info.requires = ["xxhash::libxxhash"]
