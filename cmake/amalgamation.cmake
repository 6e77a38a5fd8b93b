# SPDX-License-Identifier: MIT
# The target amalgamation: libdmm as two files, amalgamation/dmm.c and dmm.h in the build folder, for programs that compile
# it as a part of theirs; and the test of the same name.
set(folder ${PROJECT_BINARY_DIR}/amalgamation)
set(amalgamate ${PROJECT_SOURCE_DIR}/cmake/amalgamate.py)
file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/dmm/*.h ${PROJECT_SOURCE_DIR}/host/core/*
  ${PROJECT_SOURCE_DIR}/host/primitives/* ${PROJECT_SOURCE_DIR}/cl/*.clh)
add_custom_command(OUTPUT ${folder}/dmm.c ${folder}/dmm.h
  COMMAND Python3::Interpreter ${amalgamate} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/host/embedded.c ${folder}
  DEPENDS ${amalgamate} ${parts} dmm_objects VERBATIM)
add_custom_target(amalgamation DEPENDS ${folder}/dmm.c ${folder}/dmm.h)
if(DMM_TESTS AND cmocka_FOUND)
  add_test(NAME amalgamation COMMAND ${PROJECT_SOURCE_DIR}/tests/amalgamation.sh
    ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/host/embedded.c ${folder}/test)
  set_tests_properties(amalgamation PROPERTIES LABELS package RESOURCE_LOCK wine)
endif()
