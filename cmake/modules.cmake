# toll_join_modules(OUT MODULE) - the text of a JavaScript module and of those of this project that it imports, each once,
# behind those that it imports itself. The text is one scope: lines that import one of them go, and so does the word
# `export` at the beginning of a line. Line ends are LF, as browsers hash them.
set(toll_own_import "\nimport [^;\"]*\"(\\.[a-z_0-9/.]+\\.mjs)\"")

# Append a module to the global property `toll_joined`, behind those that it imports, once.
function(toll_append_module path)
  get_property(is_there GLOBAL PROPERTY ${path})
  if(is_there)
    return()
  endif()
  set_property(GLOBAL PROPERTY ${path} TRUE)
  file(READ ${path} text)
  string(REPLACE "\r\n" "\n" text "\n${text}")
  string(REGEX MATCHALL "${toll_own_import}" imports "${text}")
  foreach(line IN LISTS imports)
    string(REGEX REPLACE ".*\"([^\"]*)\".*" "\\1" name "${line}")
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${folder}/${name} ABSOLUTE)
    toll_append_module(${name})
  endforeach()
  set_property(GLOBAL APPEND_STRING PROPERTY toll_joined "${text}")
endfunction()

function(toll_join_modules out module)
  get_filename_component(module ${module} ABSOLUTE)
  set_property(GLOBAL PROPERTY toll_joined "")
  toll_append_module(${module})
  get_property(all GLOBAL PROPERTY toll_joined)
  # A newline that ends one line and begins the next is matched once: so each module begins with one more.
  string(REGEX REPLACE "${toll_own_import};" "\n" all "${all}")
  string(REGEX REPLACE "\nexport {[^}]*};" "\n" all "${all}")
  string(REPLACE "\nexport " "\n" all "${all}")
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# Fails if a module imports or exports in another way than those above.
function(toll_check_joined module text)
  string(REGEX MATCH "\n(import|export) [^\n]*" other "${text}")
  if(other)
    message(FATAL_ERROR "${module}: only names of this project's modules are imported, a line each: ${other}")
  endif()
endfunction()

# toll_read_version(OUT) - Toll's version, such as 0.1.0.
function(toll_read_version out)
  file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include/toll/version.h numbers
    REGEX "^#define TOLL_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
  string(REGEX REPLACE "#define TOLL_VERSION_[A-Z]+ " "" numbers "${numbers}")
  string(REPLACE ";" "." numbers "${numbers}")
  set(${out} "${numbers}" PARENT_SCOPE)
endfunction()
