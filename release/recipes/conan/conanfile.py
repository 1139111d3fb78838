import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, CMakeDeps, cmake_layout
from conan.tools.files import copy, get


class TollRecipe(ConanFile):
    name = "toll"
    version = "@VERSION@"
    license = "MIT"
    url = "@HOME@"
    description = "Library of a profiler that counts what every call costs in a virtual machine's programs"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "with_zlib": [True, False]}
    default_options = {"shared": False, "with_zlib": True}

    def configure(self):
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        if self.options.with_zlib:
            self.requires("zlib/[>=1.2.11 <2]")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("COMMAND", "HOSTS", "TESTS", "BENCH"):
            toolchain.cache_variables[f"TOLL_{part}"] = False
        toolchain.cache_variables["TOLL_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_ZLIB"] = not self.options.with_zlib
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "Toll")
        self.cpp_info.set_property("cmake_target_name", "Toll::toll")
        self.cpp_info.set_property("pkg_config_name", "toll")
        self.cpp_info.libs = ["toll"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
