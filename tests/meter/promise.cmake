# SPDX-License-Identifier: MIT
# Tests the promise: the meter reads no conflict in the shipped kernels, and reads conflicts in kernels with planted
# errors. The target `conflicts` writes the tables of docs/promise.md and docs/records/conflicts.md.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(WARNING "python3 not found: the tests promise_* are not built")
  return()
endif()

if(NOT TARGET dmm_lab_cli)
  leave_out(default "the promise, whose tests also run dmm-lab (DMM_LAB)")
  return()
endif()

set(programs --dmm $<TARGET_FILE:dmm_cli> --calls $<TARGET_FILE:promise_calls>
  --hulls $<TARGET_FILE:promise_hull> --checks $<TARGET_FILE:promise_checks>)
set(environment DMM_METER_PLUGIN=$<TARGET_FILE:dmm_meter>)

function(add_promise_test name)
  add_test(NAME ${name}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/promise.py ${programs} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS meter TIMEOUT 900 COST 20
    ENVIRONMENT ${environment})
endfunction()

# Calls of the library that the command lacks, and a textbook sort.
add_executable(promise_calls promise_calls.c promise_lists.c promise_moves.c)
target_link_libraries(promise_calls PRIVATE dmm::dmm)
foreach(program promise_hull promise_checks)
  add_executable(${program} ${program}.c)
  target_link_libraries(${program} PRIVATE dmm_test_support)
endforeach()
add_executable(promise_textbook promise_textbook.c)
target_link_libraries(promise_textbook PRIVATE OpenCL::OpenCL)

# Plants errors in the texts of the metered programs.
add_library(promise_plant MODULE promise_plant.c)
target_link_libraries(promise_plant PRIVATE OpenCL::OpenCL ${CMAKE_DL_LIBS})
target_compile_definitions(promise_plant PRIVATE _GNU_SOURCE)
set_target_properties(promise_plant PROPERTIES C_VISIBILITY_PRESET default)

# The readings of the calls that promise_plant.py names for an error must have conflicts.
set(plant ${CMAKE_CURRENT_SOURCE_DIR}/promise_plant.py)
file(STRINGS ${plant} errors REGEX "^    \"[a-z]+\": Plant\\($")
list(TRANSFORM errors REPLACE "^    \"([a-z]+)\".*" "\\1")
foreach(error ${errors})
  set(planted --planter $<TARGET_FILE:promise_plant> --planted ${error})
  add_promise_test(promise_planted_${error} ${planted})
  add_promise_test(promise_planted_${error}_every ${planted} --every)
  set_tests_properties(promise_planted_${error}_every PROPERTIES LABELS "meter;long" TIMEOUT 3600)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${plant})
# The driver's engine finds an error, too.
add_promise_test(promise_planted_driver --planter $<TARGET_FILE:promise_plant> --planted store)
set_tests_properties(promise_planted_driver PROPERTIES LABELS "meter;long"
  ENVIRONMENT "DMM_METER_ENGINE=driver;DMM_METER_LAYER=$<TARGET_FILE:dmm_meter_layer>")

# Several tests, which ctest can run in parallel. promise_pages compares their readings with the pages. The tests
# promise_*_every make all runs; the pages are written from their readings.
set(readings ${CMAKE_CURRENT_BINARY_DIR}/readings)
set(readings_every ${CMAKE_CURRENT_BINARY_DIR}/readings_every)
function(add_read_test name)
  add_promise_test(${name} --readings ${readings} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_SETUP promise_readings)
  add_promise_test(${name}_every --readings ${readings_every} --every ${ARGN})
  set_tests_properties(${name}_every PROPERTIES LABELS "meter;long" TIMEOUT 3600)
endfunction()
add_read_test(promise_sort sort)
add_read_test(promise_merge merge items)
add_read_test(promise_matrix matrix shear sort-network sort-quick sort-gather heap)
add_read_test(promise_scan scan scan-float scan-own scan-difference radix)
add_read_test(promise_partition split split-alone partition partition-two partition-blocks partition-split)
add_read_test(promise_partition_matrix partition-matrix partition-alone)
add_read_test(promise_topk topk topk-alone segments lists histogram histogram-large search search-teams search-merge unique network)
add_read_test(promise_moves "permute scatter" "permute randomized" plan transpose)
add_read_test(promise_hull hull hull-few hull-filtered)
add_read_test(promise_checks checks set by-key by-segment)
set_tests_properties(promise_sort promise_planted_fold PROPERTIES LABELS "meter;default")
add_promise_test(promise_even even plain)
# The kernels whose claim is EREW, in that model; the page's column `claim` stands on it.
add_promise_test(promise_erew --erew histogram topk topk-alone split sort-network network plan transpose matrix)
add_promise_test(promise_erew_every --erew --every histogram topk radix sort-network network plan transpose matrix shear
  partition-matrix partition-alone)
set_tests_properties(promise_erew_every PROPERTIES LABELS "meter;long" TIMEOUT 3600)
# On banks of 8 bytes; `lists` moves values of 4 bytes.
add_promise_test(promise_wide --wide lists)
add_promise_test(promise_wide_every --wide)
# Both engines of the meter, on one run of each of these words. The target engines_page compares all runs.
set(engines $<TARGET_FILE:Python3::Interpreter> ${CMAKE_CURRENT_SOURCE_DIR}/promise_engines.py)
set(engines_page ${PROJECT_SOURCE_DIR}/docs/records/engines.md)
set(engines_environment ${environment} DMM_METER_LAYER=$<TARGET_FILE:dmm_meter_layer>)
add_test(NAME promise_engines
  COMMAND ${engines} ${programs} items sort merge scan split partition
    partition-matrix topk segments lists histogram search unique network transpose matrix plan by-key
    set radix hull-few split-alone "permute scatter")
set_tests_properties(promise_engines PROPERTIES LABELS "meter;long" TIMEOUT 3600 ENVIRONMENT "${engines_environment}")
add_test(NAME promise_engines_page COMMAND ${engines} --check ${engines_page})
set_tests_properties(promise_engines_page PROPERTIES LABELS meter)
add_custom_target(engines_page
  COMMAND ${CMAKE_COMMAND} -E env ${engines_environment}
    ${engines} ${programs} --runs 0 --jobs 2 --kept ${CMAKE_CURRENT_BINARY_DIR}/engines --page ${engines_page}
  DEPENDS dmm_cli dmm_lab_cli dmm_meter dmm_meter_layer promise_calls promise_hull promise_checks USES_TERMINAL VERBATIM)
add_promise_test(promise_queues queues)
set_tests_properties(promise_queues promise_wide_every PROPERTIES LABELS "meter;long" TIMEOUT 3600)
foreach(word sort merge items scan)
  add_promise_test(promise_${word}_full --full ${word})
  set_tests_properties(promise_${word}_full PROPERTIES LABELS "meter;long" TIMEOUT 3600)
endforeach()
add_test(NAME promise_pages
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/promise_pages.py --check ${readings}
    ${PROJECT_SOURCE_DIR}/docs)
set_tests_properties(promise_pages PROPERTIES LABELS meter FIXTURES_REQUIRED promise_readings)

# Writes the tables of docs/matrix.md that the meter reads.
add_custom_target(matrix_page
  COMMAND ${CMAKE_COMMAND} -E env ${environment}
    $<TARGET_FILE:Python3::Interpreter> ${CMAKE_CURRENT_SOURCE_DIR}/promise_tables.py ${programs}
    ${PROJECT_SOURCE_DIR}/docs tiles partitions permutations
  DEPENDS dmm_cli dmm_lab_cli dmm_meter promise_calls promise_hull promise_checks USES_TERMINAL VERBATIM)

find_path(BOOST_COMPUTE_INCLUDE_DIR boost/compute/core.hpp)
if(BOOST_COMPUTE_INCLUDE_DIR)
  add_executable(promise_peer EXCLUDE_FROM_ALL promise_peer.cpp)
  target_compile_features(promise_peer PRIVATE cxx_std_17)
  target_include_directories(promise_peer SYSTEM PRIVATE ${BOOST_COMPUTE_INCLUDE_DIR})
  target_link_libraries(promise_peer PRIVATE OpenCL::OpenCL)
  # Makes all readings, then writes docs/promise.md and docs/records/conflicts.md.
  set(words sort merge matrix scan partition partition_matrix topk moves hull checks)
  list(JOIN words "|" words)
  add_custom_target(conflicts
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${readings_every}
    COMMAND ${CMAKE_CTEST_COMMAND} -j 2 -R "^promise_(${words})_every$" --output-on-failure
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/promise_pages.py --write ${readings_every}
      ${PROJECT_SOURCE_DIR}/docs
    COMMAND ${CMAKE_COMMAND} -E env ${environment}
      $<TARGET_FILE:Python3::Interpreter> ${CMAKE_CURRENT_SOURCE_DIR}/promise_tables.py ${programs}
      --textbook $<TARGET_FILE:promise_textbook> --peer $<TARGET_FILE:promise_peer>
      ${PROJECT_SOURCE_DIR}/docs
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
    DEPENDS dmm_cli dmm_lab_cli dmm_meter promise_calls promise_hull promise_checks USES_TERMINAL VERBATIM)
endif()
