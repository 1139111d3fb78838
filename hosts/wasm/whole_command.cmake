# lib/toll-whole.wasm: the command with all that the native one has, for the package of npm (release/kinds/npm): gzip, names
# of C++, the page, and toll run, whose process the caller starts (src/cli/run_asked.c). Of the sources that ask for one of
# these there are further objects. Included by CMakeLists.txt.
set(page ${CMAKE_CURRENT_BINARY_DIR}/page_text.c)
toll_page_text(${page})

get_target_property(flags toll_bundled_headers INTERFACE_COMPILE_DEFINITIONS)
list(TRANSFORM flags PREPEND -D)
list(APPEND flags -D_WASI_EMULATED_GETPID -DTOLL_HAVE_ZLIB=1 -DTOLL_HAVE_LIBIBERTY=1 -DTOLL_HAVE_PAGE=1 -DTOLL_RUN_IS_ASKED=1
  -I${TOLL_BUNDLED}/zlib -I${toll_bundled_headers})
file(GLOB whole CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*/*.c)
toll_leave_out_guests(whole)
list(FILTER whole EXCLUDE REGEX "/(cmd_attach|attach_collect|attach_inside|attach_names|attach_sample|cmd_control|cmd_compare|run_child|run_lua|run_repeat)\\.c$")
set(asking ${page})
set(linked "")
foreach(source ${whole})
  file(STRINGS ${source} asks REGEX "TOLL_(HAVE_ZLIB|HAVE_LIBIBERTY|HAVE_PAGE|RUN_IS_ASKED)" LIMIT_COUNT 1)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "_" name ${name})
  if(asks OR source MATCHES "${toll_only_on_linux}")
    list(APPEND asking ${source})
  else()
    list(APPEND linked ${CMAKE_CURRENT_BINARY_DIR}/${name}.o)
  endif()
endforeach()
set(toll_wasm_prefix whole_)
toll_wasm_objects(asking_objects "${asking}" ${flags})
toll_wasm_objects(bundled_objects "${toll_bundled_sources}" ${flags} ${toll_bundled_flags})
list(APPEND linked ${asking_objects} ${bundled_objects})

# libiberty puts up to 128 KiB of records on the stack, and recurses; what is beyond the stack traps.
set(whole_wasm ${CMAKE_BINARY_DIR}/lib/toll-whole.wasm)
add_custom_command(OUTPUT ${whole_wasm} DEPENDS ${linked}
  COMMAND ${TOLL_WASM_CLANG} --target=wasm32-wasi --sysroot=${sysroot} ${linked} -lwasi-emulated-getpid
    -Wl,-z,stack-size=1048576 ${toll_wasm_link} -o ${whole_wasm}
  VERBATIM)
add_custom_target(toll_whole_wasm DEPENDS ${whole_wasm})
