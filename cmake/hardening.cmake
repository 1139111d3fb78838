# Hardening of what is installed, in optimised builds: a write past an array or a smashed return address ends
# the program instead of running on, and no page is both writable and executable or holds a writable table of
# function addresses. Each flag only where compiler and linker know it (not for Windows, not for macOS).
# Not with sanitizers, which see more and replace the same functions. Packagers who bring flags of their
# own turn this off. tests/install/hardened.sh holds the installed files to it.
option(TOLL_HARDEN "Hardened code in optimised builds" ON)
set(TOLL_HARDENED "") # what is in force, for the test
if(NOT TOLL_HARDEN OR TOLL_ASAN OR TOLL_FUZZ OR NOT CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$")
  return()
endif()
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

check_pie_supported(OUTPUT_VARIABLE toll_pie_output LANGUAGES C)
if(CMAKE_C_LINK_PIE_SUPPORTED)
  list(APPEND TOLL_HARDENED pie) # by CMAKE_POSITION_INDEPENDENT_CODE
endif()

check_c_compiler_flag(-fstack-protector-strong TOLL_HAVE_STACK_PROTECTOR)
if(TOLL_HAVE_STACK_PROTECTOR AND NOT WIN32)
  target_compile_options(toll_flags INTERFACE -fstack-protector-strong)
  list(APPEND TOLL_HARDENED stack_protector)
endif()

# Level 3 also knows the size of memory that was allocated with a computed size: GCC 12 and clang 9 with glibc 2.34.
check_c_source_compiles("
#include <stdlib.h>
#if !defined __GLIBC__ || (__GLIBC__ == 2 && __GLIBC_MINOR__ < 34)
#error
#endif
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 12
#error
#endif
int main(int argc, char **argv) { return (int)__builtin_dynamic_object_size(argv[argc - 1], 0); }
" TOLL_HAVE_FORTIFY_3)
check_c_source_compiles("
#include <stdlib.h>
#ifndef __GLIBC__
#error
#endif
int main(void) { return 0; }
" TOLL_HAVE_FORTIFY_2)
if(TOLL_HAVE_FORTIFY_3)
  set(toll_fortify 3)
elseif(TOLL_HAVE_FORTIFY_2)
  set(toll_fortify 2)
else()
  set(toll_fortify "")
endif()
if(toll_fortify AND NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
  target_compile_options(toll_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${toll_fortify})
  list(APPEND TOLL_HARDENED fortify)
endif()

foreach(flag relro now noexecstack)
  check_linker_flag(C LINKER:-z,${flag} TOLL_HAVE_LINKER_${flag})
  if(TOLL_HAVE_LINKER_${flag})
    target_link_options(toll_flags INTERFACE LINKER:-z,${flag})
    list(APPEND TOLL_HARDENED ${flag})
  endif()
endforeach()
