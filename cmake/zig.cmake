# Toolchain for other systems on Linux, by the C compiler in Zig (PyPI's package ziglang), which has their libcs:
#   cmake -S . -B BUILD -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DTOLL_ZIG=FILE -DTOLL_TARGET=x86_64-linux-musl
# TOLL_ZIG is the program zig. TOLL_TARGET is PROCESSOR-SYSTEM: x86_64 or aarch64, and linux-musl, linux-gnu (.VERSION
# of glibc), macos or windows-gnu. It names a processor, so Zig uses what all processors of that kind have.
# release/shared.sh builds with it.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TOLL_ZIG TOLL_TARGET)
set(toll_system_linux Linux)
set(toll_system_macos Darwin)
set(toll_system_windows Windows)
if(NOT TOLL_TARGET MATCHES "^(x86_64|aarch64)-(linux|macos|windows)(-musl|-gnu(\\.[0-9]+)*)?$")
  message(FATAL_ERROR "TOLL_TARGET is '${TOLL_TARGET}'; cmake/zig.cmake says which there are")
endif()
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_MATCH_1})
set(CMAKE_SYSTEM_NAME ${toll_system_${CMAKE_MATCH_2}})

# macOS 13 is the oldest one that this Zig links for.
string(REPLACE "-macos" "-macos.13.0-none" triple ${TOLL_TARGET})
set(CMAKE_C_COMPILER ${TOLL_ZIG} cc -target ${triple})
set(CMAKE_RC_COMPILER ${TOLL_ZIG}) # CMake wants one, and there are no resources
# CMake wants programs of one word: these are written beside zig.
get_filename_component(toll_beside_zig ${TOLL_ZIG} DIRECTORY)
foreach(tool ar ranlib)
  if(NOT EXISTS ${toll_beside_zig}/toll-${tool})
    file(WRITE ${toll_beside_zig}/toll/toll-${tool} "#!/bin/sh\nexec '${TOLL_ZIG}' ${tool} \"$@\"\n")
    file(COPY ${toll_beside_zig}/toll/toll-${tool} DESTINATION ${toll_beside_zig}
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
endforeach()
set(CMAKE_AR ${toll_beside_zig}/toll-ar)
set(CMAKE_RANLIB ${toll_beside_zig}/toll-ranlib)
set(CMAKE_EXE_LINKER_FLAGS_INIT -s) # no symbols: names of files of the build are among them
set(CMAKE_C_FLAGS_INIT -g0) # Zig would add debug information
if(CMAKE_SYSTEM_NAME STREQUAL "Linux") # as what is built is, so that Zig compiles musl in this way alone
  set(CMAKE_C_FLAGS_INIT "-g0 -fPIC")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-s -pie")
endif()

if(CMAKE_SYSTEM_NAME STREQUAL "Windows") # with -g0 alone, each object names the temporary file that it was
  set(CMAKE_C_FLAGS_INIT "-g0 -s")
endif()

# Nothing of this machine's belongs to that system.
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/nothing)
