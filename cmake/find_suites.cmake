# Writes to ENTRIES, for CTest, one test for each suite of the GoogleTest program PROGRAM: program.Suite, or program.Suite.1
# ... program.Suite.n where SHARDS (suite;n;...) gives it n processes. LABEL, TIMEOUT, COST and ENVIRONMENT are the tests' properties.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests
  OUTPUT_VARIABLE listed RESULT_VARIABLE result ERROR_VARIABLE errors TIMEOUT 60)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${result}\n${listed}${errors}")
endif()

set(code "")
function(add_entry name suite environment)
  get_filename_component(program ${PROGRAM} NAME_WE)
  string(PREPEND name ${program}.)
  string(APPEND code "add_test([==[${name}]==] \"${PROGRAM}\" \"--gtest_filter=${suite}.*\")\n"
    "set_tests_properties([==[${name}]==] PROPERTIES LABELS ${LABEL} TIMEOUT ${TIMEOUT} COST ${COST}"
    " SKIP_RETURN_CODE 77 ENVIRONMENT \"${environment}\")\n")
  set(code "${code}" PARENT_SCOPE)
endfunction()

string(REGEX MATCHALL "(^|\n)[^ \n]+\\." suites "${listed}")  # suites begin a line and end in a dot, tests are indented
foreach(suite ${suites})
  string(REGEX REPLACE "\n|\\.$" "" suite "${suite}")
  list(FIND SHARDS "${suite}" at)
  if(at EQUAL -1)
    add_entry(${suite} ${suite} "${ENVIRONMENT}")
  else()
    math(EXPR at "${at} + 1")
    list(GET SHARDS ${at} count)
    foreach(number RANGE 1 ${count})
      math(EXPR index "${number} - 1")
      add_entry(${suite}.${number} ${suite}
        "${ENVIRONMENT};GTEST_TOTAL_SHARDS=${count};GTEST_SHARD_INDEX=${index}")
    endforeach()
  endif()
endforeach()
file(WRITE ${ENTRIES} "${code}")
