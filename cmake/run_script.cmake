# run.cjs, which `toll run` starts: run.mjs and the modules that it imports, joined into one script. A script:
#   cmake -DOUT=FILE.cjs -P cmake/run_script.cmake
# Node loads one file faster than fourteen, and a script faster than a module: a module that imports node:fs makes Node
# load whatever that could export. Modules are joined so that each follows those that it imports; the joined text is one
# scope, so lines that import one of them go, and so does the word `export`.
cmake_minimum_required(VERSION 3.18)
set(PARTS ${CMAKE_CURRENT_LIST_DIR}/../hosts/wasm)
set(NAMES printable embedder library look_thread looks look_costs recording sampled hook toll outcome
  wasi_numbers wasi_memory wasi_entry wasi_file wasi_folder wasi_table wasi_clock wasi_poll wasi_file_calls wasi_path_calls wasi guest timeline_file run)

set(all "\n")
foreach(name IN LISTS NAMES)
  file(READ "${PARTS}/${name}.mjs" text)
  string(APPEND all "${text}\n")
endforeach()

# Modules of Node are loaded once, at the top.
string(REGEX MATCHALL "\nimport [^\n;\"]* from \"node:[a-z_/]+\"" imports "${all}")
list(REMOVE_DUPLICATES imports)
set(head "")
foreach(line IN LISTS imports)
  string(REGEX REPLACE "\nimport ([^\"]*) from (\"[^\"]*\")" "const \\1 = require(\\2);\n" line "${line}")
  string(APPEND head "${line}")
endforeach()

string(REGEX REPLACE "\nimport [^\n;\"]* from \"node:[a-z_/]+\";" "\n" all "${all}")
string(REGEX REPLACE "\nimport [^;\"]*\"\\./[a-z_0-9]+\\.mjs\";" "\n" all "${all}")
string(REGEX REPLACE "\nexport {[^}]*};" "\n" all "${all}")
string(REPLACE "\nexport " "\n" all "${all}")
string(REGEX REPLACE "await import\\((\"node:[a-z_/]+\")\\)" "require(\\1)" all "${all}")
string(REPLACE "import.meta.url" "require(\"node:url\").pathToFileURL(__filename)" all "${all}")
string(REGEX MATCH "\n(import|export) [^\n]*" other "${all}")
if(other)
  message(FATAL_ERROR "hosts/wasm: only names of Node's modules, and of modules listed in cmake/run_script.cmake, are imported: ${other}")
endif()
file(WRITE "${OUT}" "\"use strict\";\n// run.cjs - made of hosts/wasm by cmake/run_script.cmake.\n${head}(async () => {${all}})();\n")
