# Joins a JavaScript module and the modules that it imports into one script of CommonJS:
#   cmake -DIN=MODULE.mjs -DOUT=FILE.cjs [-DEXPORTS=NAME] -P cmake/join_scripts.cmake
# EXPORTS: a function of the module, which the script exports; without it the script may await.
# Node loads one file faster than fourteen, and a script faster than a module: a module that imports node:fs makes Node
# load whatever that could export.
cmake_minimum_required(VERSION 3.18)
include(${CMAKE_CURRENT_LIST_DIR}/modules.cmake)
toll_join_modules(all ${IN})

# Modules of Node are loaded once, at the top.
string(REGEX MATCHALL "\nimport [^\n;\"]* from \"node:[a-z_/]+\"" imports "${all}")
list(REMOVE_DUPLICATES imports)
set(head "")
foreach(line IN LISTS imports)
  string(REGEX REPLACE "\nimport ([^\"]*) from (\"[^\"]*\")" "const \\1 = require(\\2);\n" line "${line}")
  string(APPEND head "${line}")
endforeach()

string(REGEX REPLACE "\nimport [^\n;\"]* from \"node:[a-z_/]+\";" "\n" all "${all}")
string(REGEX REPLACE "await import\\((\"node:[a-z_/]+\")\\)" "require(\\1)" all "${all}")
string(REPLACE "import.meta.url" "require(\"node:url\").pathToFileURL(__filename)" all "${all}")
toll_check_joined(${IN} "${all}")
if(EXPORTS)
  string(APPEND all "module.exports = { ${EXPORTS} };\n")
else()
  set(all "(async () => {${all}})();\n")
endif()
get_filename_component(out_name ${OUT} NAME)
get_filename_component(in_name ${IN} NAME)
toll_read_version(version)
# The command reads the version (src/cli/run_wasm.c).
file(WRITE "${OUT}" "\"use strict\";\n// ${out_name} of Toll ${version}\n// Made of ${in_name} by cmake/join_scripts.cmake.\n${head}${all}")
