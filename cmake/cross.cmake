# Toolchain for another processor of Debian's, with clang, whose libraries are in a folder of their own:
#   cmake -S . -B BUILD -DCMAKE_TOOLCHAIN_FILE=cmake/cross.cmake -DTOLL_CROSS=s390x -DTOLL_CROSS_ROOT=FOLDER
# TOLL_CROSS is s390x (big-endian), i386 (32 bits) or arm64. Tests run under qemu. scripts/cross fetches the
# libraries, builds and tests.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TOLL_CROSS TOLL_CROSS_ROOT)
set(CMAKE_SYSTEM_NAME Linux)
set(toll_triple_s390x s390x-linux-gnu)
set(toll_triple_i386 i386-linux-gnu)
set(toll_triple_arm64 aarch64-linux-gnu)
set(toll_triple ${toll_triple_${TOLL_CROSS}})
if(NOT toll_triple)
  message(FATAL_ERROR "TOLL_CROSS is '${TOLL_CROSS}'; there are s390x, i386 and arm64")
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${toll_triple})
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET ${toll_triple})
set(CMAKE_SYSROOT ${TOLL_CROSS_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE ${toll_triple})
if(NOT TOLL_CROSS STREQUAL "s390x") # which LLVM's linker does not know; its binutils are Debian's
  set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
  set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld)
endif()
set(CMAKE_FIND_ROOT_PATH ${TOLL_CROSS_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ENV{PKG_CONFIG_LIBDIR} ${TOLL_CROSS_ROOT}/usr/lib/${toll_triple}/pkgconfig) # no libraries of this machine
# This machine's own ld.so.cache may know another libc for the processor (i386): the path goes before that.
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CMAKE_SYSTEM_PROCESSOR}-static;-L;${TOLL_CROSS_ROOT};-E;LD_LIBRARY_PATH=${TOLL_CROSS_ROOT}/lib/${toll_triple}:${TOLL_CROSS_ROOT}/usr/lib/${toll_triple}")
