# toll_scripts(TARGET FOLDER FILE...) - files of the folder at hand, copied into the build's lib/FOLDER and installed
# in share/toll/FOLDER: scripts find one another, and toll.wasm, in both alike. FOLDER may be ".".
function(toll_scripts target folder)
  set(copies "")
  foreach(name ${ARGN})
    set(copy ${CMAKE_BINARY_DIR}/lib/${folder}/${name})
    add_custom_command(OUTPUT ${copy} DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/lib/${folder}
      COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/${name} ${copy})
    list(APPEND copies ${copy})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${copies})
  install(FILES ${copies} DESTINATION ${CMAKE_INSTALL_DATADIR}/toll/${folder})
endfunction()

# toll_join_scripts(OUT MODULE [EXPORTS]) - a script of the module and of what it imports (join_scripts.cmake).
function(toll_join_scripts out module)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/hosts/wasm/*.mjs ${PROJECT_SOURCE_DIR}/hosts/litesvm/*.mjs)
  set(script ${PROJECT_SOURCE_DIR}/cmake/join_scripts.cmake)
  add_custom_command(OUTPUT ${out} DEPENDS ${script} ${PROJECT_SOURCE_DIR}/cmake/modules.cmake ${parts} ${PROJECT_SOURCE_DIR}/include/toll/version.h
    COMMAND ${CMAKE_COMMAND} -DIN=${module} -DOUT=${out} -DEXPORTS=${ARGN} -P ${script}
    VERBATIM)
endfunction()

# toll_page_text(OUT) - the page of `toll view`, as a C file (page.cmake).
function(toll_page_text out)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/page/web/* ${PROJECT_SOURCE_DIR}/src/page/web/timeline/*
    ${PROJECT_SOURCE_DIR}/hosts/wasm/printable.mjs)
  set(script ${PROJECT_SOURCE_DIR}/cmake/page.cmake)
  add_custom_command(OUTPUT ${out}
    DEPENDS ${parts} ${script} ${PROJECT_SOURCE_DIR}/cmake/modules.cmake ${PROJECT_SOURCE_DIR}/include/toll/version.h
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -P ${script}
    VERBATIM)
endfunction()
