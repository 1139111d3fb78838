# What is installed: the command with its man page and completions, the libraries, the headers, and the
# pkg-config file and CMake package that find them.
include(CMakePackageConfigHelpers)

install(TARGETS toll toll_static toll_shared EXPORT TollTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/toll DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT TollTargets NAMESPACE Toll:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toll)
configure_package_config_file(cmake/TollConfig.cmake.in ${CMAKE_BINARY_DIR}/TollConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toll)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TollConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TollConfig.cmake ${CMAKE_BINARY_DIR}/TollConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Toll)
configure_file(cmake/toll.pc.in ${CMAKE_BINARY_DIR}/toll.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/toll.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The man page and completions are printed by the command, from its own tables.
set(generated ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${generated}/toll.1 ${generated}/toll ${generated}/_toll
  COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
  COMMAND toll help --man > ${generated}/toll.1
  COMMAND toll help --completion bash > ${generated}/toll
  COMMAND toll help --completion zsh > ${generated}/_toll
  DEPENDS toll VERBATIM)
add_custom_target(toll_generated ALL DEPENDS ${generated}/toll.1)
install(FILES ${generated}/toll.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/toll DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_toll DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
