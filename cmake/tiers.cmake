# SPDX-License-Identifier: MIT
# How tests get into tiers: the default one has the label `default` and ends by saying what it leaves out.

# Sets `words` to those of the line `ctest: WORD...` of a test's source, if it has one.
function(words_of_test source words)
  file(STRINGS ${source} line LIMIT_INPUT 1000 REGEX "^(/\\*|#) ctest: ")
  string(REGEX REPLACE "^(/\\*|#) ctest: ([^*]*[^* ]).*$" "\\2" line "${line}")
  string(REPLACE " " ";" line "${line}")
  set(${words} ${line} PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

# Adds a test of a tier, default or thorough, that does not run, so that ctest's summary names what the tier lacks.
function(leave_out tier what)
  set(name "left out: ${what}")
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo ${name})
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^left out: ")
  if(tier STREQUAL default)
    set_tests_properties(${name} PROPERTIES LABELS default)
  endif()
endfunction()
