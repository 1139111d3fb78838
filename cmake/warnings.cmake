# Warnings and sanitizers for every target of the project.
add_library(toll_flags INTERFACE)
target_compile_options(toll_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla -Wmissing-prototypes -Wstrict-prototypes
  -Wpointer-arith -Wwrite-strings
  $<$<BOOL:${TOLL_WERROR}>:-Werror>)
# Two fields stored as one vector make the load of one of them wait: seen in the recorder's hot path.
target_compile_options(toll_flags INTERFACE -fno-tree-slp-vectorize)
# Where a long has 32 bits, files of more than 2 GB and inodes of more than 32 bits are read, too.
target_compile_definitions(toll_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64)
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin") # there POSIX alone hides mkdtemp, MAP_ANONYMOUS, O_NOFOLLOW and more
  target_compile_definitions(toll_flags INTERFACE _DARWIN_C_SOURCE)
endif()
if(TOLL_ASAN)
  target_compile_options(toll_flags INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(toll_flags INTERFACE -fsanitize=address,undefined)
endif()
