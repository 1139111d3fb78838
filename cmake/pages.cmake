# The man pages and the completion scripts of a command, in the folders of an installation's `share`. A script:
#   cmake -DTOLL=COMMAND -DOUT=FOLDER -P cmake/pages.cmake
# The command knows its subcommands: each has a page.
cmake_minimum_required(VERSION 3.18)

function(write file)
  execute_process(COMMAND ${TOLL} help ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR text STREQUAL "")
    message(FATAL_ERROR "${TOLL} help ${ARGN}: prints nothing, or fails (${status})")
  endif()
  file(WRITE ${OUT}/${file} "${text}")
endfunction()

execute_process(COMMAND ${TOLL} --help OUTPUT_VARIABLE help)
string(REGEX MATCHALL "\n  toll [a-z]+" lines "${help}")
list(TRANSFORM lines REPLACE "\n  toll " "" OUTPUT_VARIABLE commands)
if(NOT commands)
  message(FATAL_ERROR "${TOLL} --help: names no subcommand")
endif()
write(man/man1/toll.1 --man)
foreach(command IN LISTS commands)
  write(man/man1/toll-${command}.1 --man ${command})
endforeach()
write(bash-completion/completions/toll --completion bash)
write(zsh/site-functions/_toll --completion zsh)
write(fish/vendor_completions.d/toll.fish --completion fish)
