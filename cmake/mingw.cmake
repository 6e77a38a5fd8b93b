# SPDX-License-Identifier: MIT
# Toolchain file: builds for 64-bit Windows with Debian's mingw-w64 (gcc-mingw-w64-x86-64), and runs programs with wine64
# if it is installed. Its opencl.dll passes calls on to the OpenCL drivers of this system.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
find_program(DMM_WINE NAMES wine64 wine64-stable wine PATHS /usr/lib/wine)
if(DMM_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${DMM_WINE})
endif()
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
