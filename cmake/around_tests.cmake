# SPDX-License-Identifier: MIT
# Sets the environment of all tests. Adds the test source_tree, which runs last and fails if the source folder changed.
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
add_test(NAME source_tree COMMAND ${source_tree} ${before})
set_tests_properties(source_tree PROPERTIES LABELS style DEPENDS "${all_tests}")
