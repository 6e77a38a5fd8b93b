# SPDX-License-Identifier: MIT
# The promise: the shipped kernels under the meter read no conflict, and kernels with an error
# planted in them do. The target `conflicts` writes the tables of docs/conflicts.md.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(WARNING "python3 was not found: the tests promise_* are left out")
  return()
endif()

set(programs --dmm $<TARGET_FILE:dmm_cli> --calls $<TARGET_FILE:promise_calls>)
set(environment DMM_METER_PLUGIN=$<TARGET_FILE:dmm_meter>)

function(add_promise_test name)
  add_test(NAME ${name}
    COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/promise.py ${programs} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS meter TIMEOUT 900 ENVIRONMENT ${environment})
endfunction()

# What the command has no word for, and a sort that is not ours.
add_executable(promise_calls promise_calls.c promise_moves.c)
target_link_libraries(promise_calls PRIVATE dmm::dmm)
add_executable(promise_textbook promise_textbook.c)
target_link_libraries(promise_textbook PRIVATE OpenCL::OpenCL)

# The dmm command once more, from the same objects, but for the embedded sources: those with the
# error are linked first, so that the library's own are not taken.
set(host ${PROJECT_SOURCE_DIR}/host)
file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cl/*.cl ${PROJECT_SOURCE_DIR}/cl/*.clh)
set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
set(plant ${CMAKE_CURRENT_SOURCE_DIR}/promise_plant.cmake)
foreach(error rho store skew)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/planted_${error})
  add_custom_command(OUTPUT ${folder}/embedded.c
    COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUTPUT=${folder} -D PLANT=${error}
      -P ${plant}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${folder} -D OUTPUT=${folder}/embedded.c -P ${embed}
    DEPENDS ${kernels} ${embed} ${plant} VERBATIM)
  add_executable(dmm_planted_${error} ${host}/cli/main.c ${folder}/embedded.c)
  target_include_directories(dmm_planted_${error} PRIVATE ${host})
  target_link_libraries(dmm_planted_${error} PRIVATE dmm_cli_parts dmm::dmm_static)
  set(words sort)
  if(error STREQUAL "skew")
    set(words matrix partition-matrix)
  endif()
  add_promise_test(promise_planted_${error}
    --expect-conflicts --subject $<TARGET_FILE:dmm_planted_${error}> ${words})
endforeach()

# In pieces, which run side by side.
add_promise_test(promise_sort sort)
add_promise_test(promise_merge merge items)
add_promise_test(promise_matrix matrix shear)
add_promise_test(promise_scan scan radix plain)
add_promise_test(promise_partition split split-alone partition partition-split)
add_promise_test(promise_partition_matrix partition-matrix partition-alone)
add_promise_test(promise_topk topk segments histogram search unique)
add_promise_test(promise_moves "permute scatter" "permute randomized" plan transpose)
add_promise_test(promise_hull hull hull-few)
add_promise_test(promise_even even)
foreach(word sort merge items scan)
  add_promise_test(promise_${word}_full --full ${word})
  set_tests_properties(promise_${word}_full PROPERTIES LABELS "meter;long" TIMEOUT 3600)
endforeach()

find_path(BOOST_COMPUTE_INCLUDE_DIR boost/compute/core.hpp)
if(BOOST_COMPUTE_INCLUDE_DIR)
  add_executable(promise_peer EXCLUDE_FROM_ALL promise_peer.cpp)
  target_compile_features(promise_peer PRIVATE cxx_std_17)
  target_include_directories(promise_peer SYSTEM PRIVATE ${BOOST_COMPUTE_INCLUDE_DIR})
  target_link_libraries(promise_peer PRIVATE OpenCL::OpenCL)
  add_custom_target(conflicts
    COMMAND ${CMAKE_COMMAND} -E env ${environment}
      $<TARGET_FILE:Python3::Interpreter> ${CMAKE_CURRENT_SOURCE_DIR}/promise_tables.py ${programs}
      --textbook $<TARGET_FILE:promise_textbook> --peer $<TARGET_FILE:promise_peer>
      --planted-rho $<TARGET_FILE:dmm_planted_rho> --planted-store $<TARGET_FILE:dmm_planted_store>
      ${PROJECT_SOURCE_DIR}/docs/conflicts.md
    DEPENDS dmm_cli dmm_meter USES_TERMINAL VERBATIM)
endif()
