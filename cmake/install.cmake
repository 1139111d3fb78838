# What `cmake --install` puts where: libraries, headers, the command, its man page and completion (both
# written by the command itself), pkg-config file and CMake package. The Lua modules install
# themselves (hosts/lua).
include(CMakePackageConfigHelpers)

install(TARGETS ${toll_libraries} EXPORT TollTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}) # a DLL
install(DIRECTORY include/toll DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES hosts/solana/guest/toll_guest.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}) # for guests

# Toll::toll is the shared library, Toll::toll_static the static one.
# Without a shared library both are the static one (TollConfig.cmake).
if(TOLL_SHARED)
  set_target_properties(toll_shared PROPERTIES EXPORT_NAME toll)
endif()
set(toll_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Toll)
install(EXPORT TollTargets NAMESPACE Toll:: DESTINATION ${toll_package_folder})
configure_package_config_file(cmake/TollConfig.cmake.in ${CMAKE_BINARY_DIR}/TollConfig.cmake
  INSTALL_DESTINATION ${toll_package_folder} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TollConfigVersion.cmake
  COMPATIBILITY SameMinorVersion) # before 1.0 a minor version may break things
configure_file(cmake/TollBudget.cmake ${CMAKE_BINARY_DIR}/TollBudget.cmake COPYONLY)
install(FILES ${CMAKE_BINARY_DIR}/TollConfig.cmake ${CMAKE_BINARY_DIR}/TollConfigVersion.cmake ${CMAKE_BINARY_DIR}/TollBudget.cmake
  DESTINATION ${toll_package_folder})

# An installed tree may be moved as a whole: the pkg-config file finds it from its own place.
set(TOLL_PC_LIBS_PRIVATE "")
if(ZLIB_FOUND)
  set(TOLL_PC_LIBS_PRIVATE "-lz")
endif()
string(APPEND TOLL_PC_LIBS_PRIVATE " ${CMAKE_THREAD_LIBS_INIT}")
if(TOLL_LIBIBERTY)
  string(STRIP "${TOLL_PC_LIBS_PRIVATE} -liberty" TOLL_PC_LIBS_PRIVATE)
endif()
file(RELATIVE_PATH TOLL_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(TOLL_PC_PREFIX_LINE "${CMAKE_INSTALL_PREFIX}")
else()
  string(REGEX REPLACE "/$" "" TOLL_PC_PREFIX "${TOLL_PC_PREFIX}")
  set(TOLL_PC_PREFIX_LINE "\${pcfiledir}/${TOLL_PC_PREFIX}")
endif()
configure_file(cmake/toll.pc.in ${CMAKE_BINARY_DIR}/toll.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/toll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET toll)
  install(TARGETS toll RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET toll AND NOT CMAKE_CROSSCOMPILING)
  set(pages ${CMAKE_BINARY_DIR}/share)
  set(script ${PROJECT_SOURCE_DIR}/cmake/pages.cmake)
  add_custom_command(OUTPUT ${pages}/written
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
    COMMAND ${CMAKE_COMMAND} -DTOLL=$<TARGET_FILE:toll> -DOUT=${pages} -P ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${pages}/written
    DEPENDS toll ${script} COMMENT "Writing man pages and completion" VERBATIM)
  install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(DIRECTORY ${pages}/bash-completion ${pages}/zsh ${pages}/fish DESTINATION ${CMAKE_INSTALL_DATADIR})
  add_custom_target(toll_pages ALL DEPENDS ${pages}/written)
endif()
