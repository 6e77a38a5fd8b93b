# SPDX-License-Identifier: MIT
"""The recipe of this tree for Conan 2: conan create packaging/conan."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

OFF = ("DMM_BENCH", "DMM_CLI", "DMM_LAB", "DMM_METER", "DMM_MODEL", "DMM_MPI", "DMM_PYTHON",
       "DMM_TESTS")


class Dmm(ConanFile):
    name = "dmm"
    description = "Sorting and other primitives in OpenCL without bank conflicts"
    license = "MIT"
    topics = ("opencl", "gpu", "sort", "scan", "parallel")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "../../include/dmm/version.h"))
        self.version = re.search(r'DMM_VERSION +"([0-9.]+)"', text)[1]

    def export(self):
        copy(self, "version.h", os.path.join(self.recipe_folder, "../../include/dmm"),
             os.path.join(self.export_folder, "../../include/dmm"))

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cl/*", "cmake/*", "host/*", "include/*",
                        "tests/*symbols.txt", "tuning.d/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("opencl-headers/[>=2022.09.30]", transitive_headers=True)
        self.requires("opencl-icd-loader/[>=2022.09.30]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["DMM_ONE_LIBRARY"] = True
        for name in OFF:
            toolchain.variables[name] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["dmm"]
        self.cpp_info.set_property("cmake_file_name", "dmm")
        self.cpp_info.set_property("cmake_target_name", "dmm::dmm")
        self.cpp_info.set_property("pkg_config_name", "dmm")
        if self.settings.os in ("Linux", "FreeBSD") and not self.options.shared:
            self.cpp_info.system_libs = ["dl", "pthread"]
        elif self.settings.os == "Windows" and not self.options.shared:
            self.cpp_info.system_libs = ["advapi32"]
