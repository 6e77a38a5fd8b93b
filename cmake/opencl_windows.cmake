# SPDX-License-Identifier: MIT
# When cross-building for Windows without an OpenCL for it: makes one for find_package of this system's headers, and an
# import library of the functions that they declare.
if(NOT (MINGW AND CMAKE_CROSSCOMPILING) OR OpenCL_LIBRARY)
  return()
endif()
find_path(DMM_CL_HEADERS CL/cl.h NO_CMAKE_FIND_ROOT_PATH)
if(NOT DMM_CL_HEADERS)
  return()
endif()
set(made ${PROJECT_BINARY_DIR}/opencl)
file(COPY ${DMM_CL_HEADERS}/CL DESTINATION ${made}/include FOLLOW_SYMLINK_CHAIN)
file(READ ${DMM_CL_HEADERS}/CL/cl.h text)
string(REGEX MATCHALL "CL_API_CALL[ \n]+cl[A-Z][A-Za-z0-9]*" names "${text}")
list(TRANSFORM names REPLACE "^CL_API_CALL[ \n]+" "")
list(JOIN names "\n" names)
file(CONFIGURE OUTPUT ${made}/OpenCL.def CONTENT "LIBRARY OpenCL.dll\nEXPORTS\n${names}\n")
execute_process(COMMAND ${CMAKE_DLLTOOL} --input-def ${made}/OpenCL.def --output-lib ${made}/libOpenCL.dll.a
  COMMAND_ERROR_IS_FATAL ANY)
set(OpenCL_INCLUDE_DIR ${made}/include CACHE PATH "")
set(OpenCL_LIBRARY ${made}/libOpenCL.dll.a CACHE FILEPATH "")
