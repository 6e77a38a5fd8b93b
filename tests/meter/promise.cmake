# SPDX-License-Identifier: MIT
# The promise: the shipped kernels under the meter read no conflict, and kernels with a planted error do.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  message(WARNING "python3 was not found: the tests promise_* are left out")
  return()
endif()

set(host ${PROJECT_SOURCE_DIR}/host)
set(promise ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/promise.py
  --dmm $<TARGET_FILE:dmm_cli> --calls $<TARGET_FILE:promise_calls>)

function(add_promise_test name)
  add_test(NAME ${name} COMMAND ${promise} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS meter TIMEOUT 600
    ENVIRONMENT DMM_METER_PLUGIN=$<TARGET_FILE:dmm_meter>)
endfunction()

add_executable(promise_calls promise_calls.c)
target_link_libraries(promise_calls PRIVATE dmm::dmm)
foreach(word sort merge scan)
  add_promise_test(promise_${word} ${word})
endforeach()
add_promise_test(promise_full --full sort merge scan)
set_tests_properties(promise_full PROPERTIES LABELS "meter;long" TIMEOUT 7200)

# The dmm command once more, from the same objects, but for the embedded sources: those with the error are
# linked first, so that the library's own are not taken.
file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cl/*.cl ${PROJECT_SOURCE_DIR}/cl/*.clh)
set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
set(plant ${CMAKE_CURRENT_SOURCE_DIR}/promise_plant.cmake)
foreach(error rho store)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/planted_${error})
  add_custom_command(OUTPUT ${folder}/embedded.c
    COMMAND ${CMAKE_COMMAND} -D ROOT=${PROJECT_SOURCE_DIR} -D OUTPUT=${folder} -D PLANT=${error} -P ${plant}
    COMMAND ${CMAKE_COMMAND} -D ROOT=${folder} -D OUTPUT=${folder}/embedded.c -P ${embed}
    DEPENDS ${kernels} ${embed} ${plant} VERBATIM)
  add_executable(dmm_planted_${error} ${host}/cli/main.c ${folder}/embedded.c)
  target_include_directories(dmm_planted_${error} PRIVATE ${host})
  target_link_libraries(dmm_planted_${error} PRIVATE dmm_cli_parts dmm::dmm_static)
  add_promise_test(promise_planted_${error} --expect-conflicts
    --subject $<TARGET_FILE:dmm_planted_${error}> sort)
endforeach()
