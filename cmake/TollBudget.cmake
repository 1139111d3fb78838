# toll_add_budget_test - tests of CTest that hold a program to a budget. find_package(Toll COMPONENTS budget) brings it.
#
#   toll_add_budget_test(NAME words BUDGET words.budget
#     COMMAND toll run -q --heap --clock none -o {} words.wasm)
#
# makes two tests: `words` runs COMMAND, which writes a profile to the file that {} stands for, and TOLL_OUT; words.budget
# holds that profile to the rules, and gives their values to the dashboard. If `words` fails, words.budget is not run.
#
#   NAME      of the first test
#   BUDGET    the file of rules, relative to the source folder
#   COMMAND   what writes the profile; the word `toll` at its beginning is the program that was found
#   PROFILE   the profile's name in the build folder (default: NAME.pb.gz)
#   BEFORE    a profile to compare with: a failure shows which stacks grew
#   OPTIONS   more options of `toll check`, such as --tight 5%
#   JUNIT     a file for `toll check --junit`
#   LABELS    labels of both tests (default: budget)
find_program(TOLL_EXECUTABLE toll HINTS "${TOLL_TOOLS_DIR}")

function(toll_add_budget_test)
  cmake_parse_arguments(PARSE_ARGV 0 t "" "NAME;BUDGET;PROFILE;BEFORE;JUNIT" "COMMAND;OPTIONS;LABELS")
  foreach(wanted NAME BUDGET COMMAND)
    if(NOT t_${wanted})
      message(FATAL_ERROR "toll_add_budget_test: ${wanted} is missing")
    endif()
  endforeach()
  if(t_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "toll_add_budget_test: there is no argument ${t_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TOLL_EXECUTABLE)
    message(FATAL_ERROR "toll_add_budget_test: there is no program toll on the PATH; name it by -DTOLL_EXECUTABLE=...")
  endif()
  if(NOT t_PROFILE)
    set(t_PROFILE ${t_NAME}.pb.gz)
  endif()
  if(NOT t_LABELS)
    set(t_LABELS budget)
  endif()
  get_filename_component(profile "${t_PROFILE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_filename_component(budget "${t_BUDGET}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(options ${t_OPTIONS})
  if(t_BEFORE)
    get_filename_component(before "${t_BEFORE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND options --before "${before}")
  endif()
  if(t_JUNIT)
    list(APPEND options --junit "${t_JUNIT}")
  endif()
  set(command "${t_COMMAND}")
  list(TRANSFORM command REPLACE "{}" "${profile}")
  list(TRANSFORM command REPLACE "^toll$" "${TOLL_EXECUTABLE}" AT 0)
  add_test(NAME ${t_NAME} COMMAND ${command})
  set_tests_properties(${t_NAME} PROPERTIES FIXTURES_SETUP ${t_NAME}_profile LABELS "${t_LABELS}"
    ENVIRONMENT "TOLL_OUT=${profile}")
  add_test(NAME ${t_NAME}.budget COMMAND ${TOLL_EXECUTABLE} check --ctest --budget ${budget} ${options} ${profile})
  set_tests_properties(${t_NAME}.budget PROPERTIES FIXTURES_REQUIRED ${t_NAME}_profile LABELS "${t_LABELS}"
    REQUIRED_FILES "${budget}")
endfunction()
