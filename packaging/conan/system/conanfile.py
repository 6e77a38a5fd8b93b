# SPDX-License-Identifier: MIT
"""For packaging/check.sh: this system's headers or loader of OpenCL as packages of Conan."""
import os
import shutil

from conan import ConanFile
from conan.tools.files import copy


class System(ConanFile):
    settings = "os", "arch"

    def package(self):
        if self.name == "opencl-headers":
            copy(self, "CL/*", self.conf.get("user.dmm:headers"), os.path.join(self.package_folder, "include"))
        else:
            loader = self.conf.get("user.dmm:loader")
            folder = os.path.join(self.package_folder, "lib")
            os.makedirs(folder)
            shutil.copy(loader, os.path.join(folder, "libOpenCL.so"))

    def package_info(self):
        self.cpp_info.libs = ["OpenCL"] if self.name == "opencl-icd-loader" else []
