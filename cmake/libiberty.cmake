# libiberty demangles the names of C++. Its code becomes part of libtoll, so that users of libtoll.so need
# no further library: only a static one of position-independent code will do, with the functions that
# src/demangle/cplus_symbol.c calls. TOLL_LIBIBERTY: the file, or "".
option(TOLL_CPLUS_NAMES "Demangle the names of C++ (needs libiberty)" ON)
set(TOLL_LIBIBERTY "")
if(TOLL_CPLUS_NAMES)
  include(CheckCSourceCompiles)
  find_path(TOLL_LIBIBERTY_INCLUDE libiberty/demangle.h)
  find_library(TOLL_LIBIBERTY_FILE libiberty.a)
  if(TOLL_LIBIBERTY_INCLUDE AND TOLL_LIBIBERTY_FILE)
    set(CMAKE_REQUIRED_INCLUDES ${TOLL_LIBIBERTY_INCLUDE})
    set(CMAKE_REQUIRED_LIBRARIES ${TOLL_LIBIBERTY_FILE})
    set(CMAKE_REQUIRED_FLAGS -fPIC)
    set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,-z,defs)
    if(APPLE OR WIN32)
      set(CMAKE_REQUIRED_LINK_OPTIONS -shared)
    endif()
    check_c_source_compiles("
      #include <stddef.h>
      #include <libiberty/demangle.h>
      int toll(const char *symbol, demangle_callbackref take, void **memory);
      int toll(const char *symbol, demangle_callbackref take, void **memory)
      {
          struct demangle_component *tree = cplus_demangle_v3_components(symbol, DMGL_PARAMS, memory);
          return tree->type < DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE &&
                 cplus_demangle_print_callback(DMGL_PARAMS, tree, take, NULL);
      }" TOLL_LIBIBERTY_WORKS)
    foreach(name INCLUDES LIBRARIES FLAGS LINK_OPTIONS)
      unset(CMAKE_REQUIRED_${name})
    endforeach()
    if(TOLL_LIBIBERTY_WORKS)
      set(TOLL_LIBIBERTY ${TOLL_LIBIBERTY_FILE})
    endif()
  endif()
  if(NOT TOLL_LIBIBERTY)
    message(STATUS "libiberty not found: names of C++ stay mangled; Debian's package libiberty-dev brings it")
  endif()
endif()
