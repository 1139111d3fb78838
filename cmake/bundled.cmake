# -DTOLL_BUNDLED=FOLDER: zlib and libiberty's demangler are compiled from their sources in FOLDER/zlib and
# FOLDER/libiberty, and are part of libtoll, so that its users need no further library. Their symbols get other
# names: a program may have another zlib or libiberty beside these. release/shared.sh fetches the sources.
#
# Of libiberty only files are compiled whose licence allows to distribute what is linked with them (see NOTICE):
# cp-demangle.c, cp-demint.c, cp-demangle.h and demangle.h. That exception is missing in the two headers that they include,
# ansidecl.h and libiberty.h. Here they are replaced by what the demangler needs of them.
set(TOLL_BUNDLED "" CACHE PATH "Folder with the sources of zlib and libiberty, to be compiled into libtoll")
set(toll_bundled_objects "")
if(NOT TOLL_BUNDLED)
  return()
endif()

set(toll_bundled_headers ${CMAKE_CURRENT_BINARY_DIR}/bundled)
file(WRITE ${toll_bundled_headers}/ansidecl.h "/* Made by cmake/bundled.cmake. */
#define ATTRIBUTE_UNUSED
#define ATTRIBUTE_UNUSED_LABEL
#define ATTRIBUTE_MALLOC
#define ATTRIBUTE_NORETURN
#define ENUM_BITFIELD(type) unsigned int
")
file(WRITE ${toll_bundled_headers}/libiberty.h "/* Made by cmake/bundled.cmake. */
#include \"ansidecl.h\"
#include <stddef.h>
")
configure_file(${TOLL_BUNDLED}/libiberty/include/demangle.h ${toll_bundled_headers}/libiberty/demangle.h COPYONLY)

# The functions of the demangler that other files can see.
add_library(toll_bundled_headers INTERFACE)
target_include_directories(toll_bundled_headers SYSTEM INTERFACE ${TOLL_BUNDLED}/zlib ${toll_bundled_headers})
target_compile_definitions(toll_bundled_headers INTERFACE Z_PREFIX)
foreach(name cplus_demangle_v3_components cplus_demangle_print cplus_demangle_print_callback cplus_demangle_init_info
    cplus_demangle_mangled_name cplus_demangle_type cplus_demangle_fill_name cplus_demangle_fill_component
    cplus_demangle_fill_extended_operator cplus_demangle_fill_ctor cplus_demangle_fill_dtor
    cplus_demangle_fill_builtin_type cplus_demangle_fill_operator cplus_demangle_v3 cplus_demangle_v3_callback
    cplus_demangle_operators cplus_demangle_builtin_types is_gnu_v3_mangled_ctor is_gnu_v3_mangled_dtor
    java_demangle_v3 java_demangle_v3_callback)
  target_compile_definitions(toll_bundled_headers INTERFACE ${name}=toll_libiberty_${name})
endforeach()

foreach(name adler32 crc32 deflate inffast inflate inftrees trees zutil)
  list(APPEND toll_bundled_sources ${TOLL_BUNDLED}/zlib/${name}.c)
endforeach()
foreach(name cp-demangle cp-demint)
  list(APPEND toll_bundled_sources ${TOLL_BUNDLED}/libiberty/libiberty/${name}.c)
endforeach()
add_library(toll_bundled OBJECT ${toll_bundled_sources})
target_link_libraries(toll_bundled PRIVATE toll_bundled_headers)
# Its warnings are not ours.
set(toll_bundled_flags -w -DHAVE_STDLIB_H -DHAVE_STRING_H -DHAVE_LIMITS_H -DHAVE_UNISTD_H
  -I${TOLL_BUNDLED}/libiberty/libiberty -I${toll_bundled_headers}/libiberty)
target_compile_options(toll_bundled PRIVATE ${toll_bundled_flags})
set(toll_bundled_objects $<TARGET_OBJECTS:toll_bundled>)
