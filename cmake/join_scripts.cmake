# Joins a JavaScript module and the modules that it imports into one script of CommonJS:
#   cmake -DIN=MODULE.mjs -DOUT=FILE.cjs [-DEXPORTS=NAME] -P cmake/join_scripts.cmake
# EXPORTS: a function of the module, which the script exports; without it the script may await.
# Node loads one file faster than fourteen, and a script faster than a module: a module that imports node:fs makes Node
# load whatever that could export. Each module follows those that it imports; the joined text is one scope, so lines
# that import one of them go, and so does the word `export`.
cmake_minimum_required(VERSION 3.18)
set(OWN "\nimport [^;\"]*\"(\\.[a-z_0-9/.]+\\.mjs)\"")
set_property(GLOBAL PROPERTY text "\n")

# Append a module to the property `text`, behind those that it imports, once.
function(append path)
  get_property(is_there GLOBAL PROPERTY ${path})
  if(is_there)
    return()
  endif()
  set_property(GLOBAL PROPERTY ${path} TRUE)
  file(READ ${path} text)
  string(REGEX MATCHALL "${OWN}" imports "\n${text}")
  foreach(line IN LISTS imports)
    string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" name "${line}")
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${folder}/${name} ABSOLUTE)
    append(${name})
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY text "${text}\n")
endfunction()

get_filename_component(in ${IN} ABSOLUTE)
append(${in})
get_property(all GLOBAL PROPERTY text)

# Modules of Node are loaded once, at the top.
string(REGEX MATCHALL "\nimport [^\n;\"]* from \"node:[a-z_/]+\"" imports "${all}")
list(REMOVE_DUPLICATES imports)
set(head "")
foreach(line IN LISTS imports)
  string(REGEX REPLACE "\nimport ([^\"]*) from (\"[^\"]*\")" "const \\1 = require(\\2);\n" line "${line}")
  string(APPEND head "${line}")
endforeach()

string(REGEX REPLACE "\nimport [^\n;\"]* from \"node:[a-z_/]+\";" "\n" all "${all}")
string(REGEX REPLACE "${OWN};" "\n" all "${all}")
string(REGEX REPLACE "\nexport {[^}]*};" "\n" all "${all}")
string(REPLACE "\nexport " "\n" all "${all}")
string(REGEX REPLACE "await import\\((\"node:[a-z_/]+\")\\)" "require(\\1)" all "${all}")
string(REPLACE "import.meta.url" "require(\"node:url\").pathToFileURL(__filename)" all "${all}")
string(REGEX MATCH "\n(import|export) [^\n]*" other "${all}")
if(other)
  message(FATAL_ERROR "${IN}: only names of modules of Node's and of this project are imported: ${other}")
endif()
if(EXPORTS)
  string(APPEND all "module.exports = { ${EXPORTS} };\n")
else()
  set(all "(async () => {${all}})();\n")
endif()
get_filename_component(out_name ${OUT} NAME)
get_filename_component(in_name ${IN} NAME)
file(WRITE "${OUT}" "\"use strict\";\n// ${out_name} - made of ${in_name} by cmake/join_scripts.cmake.\n${head}${all}")
