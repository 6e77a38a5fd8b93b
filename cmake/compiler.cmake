# SPDX-License-Identifier: MIT
# Sets the compiler options of every target.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Only the header tests, the peers of the benchmarks and the bank meter need C++.
# Repeats a search that found no compiler, because one may have been installed since.
if(NOT CMAKE_CXX_COMPILER)
  unset(CMAKE_CXX_COMPILER CACHE)
endif()
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_compile_definitions(CL_TARGET_OPENCL_VERSION=120 _POSIX_C_SOURCE=200809L)
add_compile_options(-Wall -Wextra -pedantic -Wshadow
  $<$<COMPILE_LANGUAGE:C>:-Wconversion> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
if(APPLE) # _POSIX_C_SOURCE alone hides what is not of POSIX
  add_compile_definitions(_DARWIN_C_SOURCE)
endif()
if(MINGW) # printf of C99; gcc then still checks formats as Microsoft's, so other systems' builds check them
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
  add_compile_options(-Wno-format)
endif()
if(DMM_WERROR)
  add_compile_options(-Werror)
endif()
