# SPDX-License-Identifier: MIT
# Sets the environment of all tests. Adds the test source_tree, which runs last and fails if the source folder changed,
# and what the default tier says last.
set(source_tree ${PROJECT_SOURCE_DIR}/tests/source_tree.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set(before ${PROJECT_BINARY_DIR}/source_tree.before)
set(cache ${PROJECT_BINARY_DIR}/cache)
if(PROJECT_BINARY_DIR MATCHES "^${PROJECT_SOURCE_DIR}/build/")
  set(cache ${PROJECT_SOURCE_DIR}/build/cache)
endif()
file(MAKE_DIRECTORY ${cache})
configure_file(tests/environment.cmake.in tests/environment.cmake @ONLY)
set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
  ${PROJECT_BINARY_DIR}/tests/environment.cmake)

# Lists the tests of a folder and of its subfolders.
function(list_tests folder names)
  get_property(found DIRECTORY ${folder} PROPERTY TESTS)
  get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS below)
    list_tests(${subfolder} more)
    list(APPEND found ${more})
  endforeach()
  set(${names} ${found} PARENT_SCOPE)
endfunction()

list_tests(${PROJECT_SOURCE_DIR} all_tests)
foreach(test source_tree source_tree_default)
  add_test(NAME ${test} COMMAND ${source_tree} ${before})
  set_tests_properties(${test} PROPERTIES LABELS style DEPENDS "${all_tests}")
endforeach()
set_tests_properties(source_tree_default PROPERTIES LABELS default)
leave_out(default "the tier thorough: .ci/setup thorough, build again, ctest --preset thorough")
