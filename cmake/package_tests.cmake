# SPDX-License-Identifier: MIT
# Tests the public headers, the exported symbols, the installed package and the format of the sources.
set(tests ${PROJECT_SOURCE_DIR}/tests)

# Compiles each public header alone, included twice, as C11 and as C++17.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/include/dmm/*.h ${PROJECT_SOURCE_DIR}/include/dmm-lab/*.h
  ${PROJECT_SOURCE_DIR}/include/dmm-model/*.h)
if(TARGET dmm_mpi_shared)
  file(GLOB mpi_headers RELATIVE ${PROJECT_SOURCE_DIR}/include CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/include/dmm-mpi/*.h)
  list(APPEND headers ${mpi_headers})
endif()
set(extensions c)
if(CMAKE_CXX_COMPILER)
  list(APPEND extensions cpp)
endif()
set(header_sources "")
foreach(header IN LISTS headers)
  foreach(extension IN LISTS extensions)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.${extension})
    file(CONFIGURE OUTPUT ${source} CONTENT
      "#include <${header}>\n#include <${header}>\ntypedef int not_empty;\n")
    list(APPEND header_sources ${source})
  endforeach()
endforeach()
add_library(dmm_headers OBJECT ${header_sources})
target_link_libraries(dmm_headers PRIVATE dmm::dmm_shared $<TARGET_NAME_IF_EXISTS:MPI::MPI_C>)

add_test(NAME symbols_exported
  COMMAND ${tests}/symbols.sh exported $<TARGET_FILE:dmm_shared> ${tests}/symbols.txt)
add_test(NAME symbols_model
  COMMAND ${tests}/symbols.sh exported $<TARGET_FILE:dmm_model_shared> ${tests}/model_symbols.txt)
add_test(NAME model_stands_alone COMMAND ${tests}/symbols.sh alone $<TARGET_FILE:dmm_model_shared>)
add_test(NAME symbols_wrapped
  COMMAND ${tests}/symbols.sh called $<TARGET_FILE:dmm_static> ${tests}/wrapped_symbols.txt)
add_test(NAME consumer COMMAND ${tests}/consumer/moved.sh ${CMAKE_COMMAND} ${PROJECT_BINARY_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/consumer ${CMAKE_C_COMPILER})
set_tests_properties(consumer PROPERTIES ENVIRONMENT CMAKE_GENERATOR=${CMAKE_GENERATOR})
find_program(NINJA ninja)
if(NINJA)
  add_test(NAME consumer_within COMMAND ${tests}/consumer/within.sh ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/consumer_within ${CMAKE_C_COMPILER})
  set_tests_properties(consumer_within PROPERTIES LABELS package TIMEOUT 900)
endif()
add_test(NAME changes COMMAND ${tests}/changes.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:dmm_cli>)
set_tests_properties(symbols_exported symbols_model model_stands_alone symbols_wrapped changes PROPERTIES LABELS package)
set_tests_properties(consumer PROPERTIES LABELS "package;default")
if(TARGET dmm_mpi_shared)
  add_test(NAME symbols_mpi
    COMMAND ${tests}/symbols.sh exported $<TARGET_FILE:dmm_mpi_shared> ${tests}/mpi_symbols.txt)
  set_tests_properties(symbols_mpi PROPERTIES LABELS package)
endif()
add_test(NAME spdx COMMAND ${tests}/spdx.sh ${PROJECT_SOURCE_DIR})
add_test(NAME primitives COMMAND ${tests}/primitives.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(spdx primitives PROPERTIES LABELS style)

# Requires one version, because versions format differently.
find_program(CLANG_FORMAT clang-format-14)
if(CLANG_FORMAT)
  add_test(NAME style COMMAND ${tests}/style.sh ${CLANG_FORMAT} ${PROJECT_SOURCE_DIR})
  set_tests_properties(style PROPERTIES LABELS style)
else()
  leave_out(thorough "style, which needs clang-format-14")
endif()

# The recorded files are from machines with 8-byte pointers.
find_package(Python3 COMPONENTS Interpreter QUIET)
find_program(CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18)
if(CLANG AND Python3_FOUND AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  add_test(NAME abi COMMAND Python3::Interpreter ${tests}/abi.py ${CMAKE_C_COMPILER} ${CLANG}
    ${PROJECT_SOURCE_DIR}/include dmm ${tests}/abi.txt)
  add_test(NAME abi_model COMMAND Python3::Interpreter ${tests}/abi.py ${CMAKE_C_COMPILER} ${CLANG}
    ${PROJECT_SOURCE_DIR}/include dmm-model ${tests}/model_abi.txt)
  set_tests_properties(abi abi_model PROPERTIES LABELS package)
  if(TARGET dmm_mpi_shared)
    add_test(NAME abi_mpi COMMAND Python3::Interpreter ${tests}/abi.py ${CMAKE_C_COMPILER} ${CLANG}
      ${PROJECT_SOURCE_DIR}/include dmm-mpi ${tests}/mpi_abi.txt)
    list(JOIN MPI_C_INCLUDE_DIRS ":" mpi_folders)
    set_tests_properties(abi_mpi PROPERTIES LABELS package ENVIRONMENT "CPATH=${mpi_folders}")
  endif()
else()
  leave_out(thorough "abi, which needs clang, python3 and 8-byte pointers")
endif()

# Compares the manual and the completion with --help. Needs mandoc or man to format the pages.
find_program(BASH bash)
find_program(FORMATTER NAMES mandoc man)
if(TARGET dmm_manual AND Python3_FOUND AND FORMATTER)
  add_test(NAME manual COMMAND Python3::Interpreter ${tests}/manual.py $<TARGET_FILE:dmm_cli>
    ${PROJECT_BINARY_DIR}/man 20)
  set_tests_properties(manual PROPERTIES LABELS package)
else()
  leave_out(thorough "manual, which needs python3 and mandoc or man")
endif()
if(TARGET dmm_mpi_manual AND Python3_FOUND AND FORMATTER)
  add_test(NAME manual_mpi COMMAND Python3::Interpreter ${tests}/manual.py $<TARGET_FILE:dmm_mpi_cli>
    ${PROJECT_BINARY_DIR}/mpi/man 1)
  set_tests_properties(manual_mpi PROPERTIES LABELS package)
endif()
if(TARGET dmm_lab_manual AND Python3_FOUND AND FORMATTER)
  add_test(NAME manual_lab COMMAND Python3::Interpreter ${tests}/manual.py $<TARGET_FILE:dmm_lab_cli>
    ${PROJECT_BINARY_DIR}/lab/man 5)
  set_tests_properties(manual_lab PROPERTIES LABELS package)
endif()
if(TARGET dmm_manual AND BASH)
  set(completions ${PROJECT_BINARY_DIR}/completions/dmm $<TARGET_FILE:dmm_cli>)
  if(TARGET dmm_lab_manual)
    list(APPEND completions ${PROJECT_BINARY_DIR}/lab/completions/dmm-lab $<TARGET_FILE:dmm_lab_cli>)
  endif()
  if(TARGET dmm_mpi_manual)
    list(APPEND completions ${PROJECT_BINARY_DIR}/mpi/completions/dmm-mpi $<TARGET_FILE:dmm_mpi_cli>)
  endif()
  add_test(NAME completion COMMAND ${BASH} ${tests}/completion.bash ${completions})
  set_tests_properties(completion PROPERTIES LABELS package)
  add_test(NAME completion_shells COMMAND sh ${tests}/completion_shells.sh ${PROJECT_BINARY_DIR}/completions
    $<TARGET_FILE:dmm_cli>)
  set_tests_properties(completion_shells PROPERTIES LABELS package)
endif()

# Runs the README's commands that install the build of the preset `default` and make packages. They build the library
# again, with other options, so the test has the label `long`; .ci/run runs it on every push.
find_program(DPKG_DEB dpkg-deb)
if(DPKG_DEB AND Python3_FOUND AND PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/default")
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/installing)
  file(MAKE_DIRECTORY ${scratch})
  add_test(NAME installing COMMAND Python3::Interpreter ${tests}/installing.py
    ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR} ${CMAKE_COMMAND} ${CMAKE_C_COMPILER}
    WORKING_DIRECTORY ${scratch})
  set_tests_properties(installing PROPERTIES LABELS "package;long" TIMEOUT 900)
endif()

# The recipes of packaging, with packages of PyPI.
if(NINJA)
  add_test(NAME packaging COMMAND ${PROJECT_SOURCE_DIR}/packaging/check.sh ${PROJECT_SOURCE_DIR}
    ${CMAKE_CURRENT_BINARY_DIR}/packaging)
  set_tests_properties(packaging PROPERTIES LABELS "package;long" SKIP_RETURN_CODE 77 TIMEOUT 1800)
endif()
