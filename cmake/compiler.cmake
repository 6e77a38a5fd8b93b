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
if(MSVC) # of tests/windows/msvc and docs/embedding.md
  if(CMAKE_C_COMPILER_ID STREQUAL "MSVC")
    if(CMAKE_C_COMPILER_VERSION VERSION_LESS 19.39)
      message(FATAL_ERROR "dmm needs C11's atomics and __typeof__: Visual Studio 2022 17.9 or later")
    endif()
    add_compile_options($<$<COMPILE_LANGUAGE:C>:/experimental:c11atomics>)
  endif()
  add_compile_definitions(_CRT_SECURE_NO_WARNINGS _CRT_NONSTDC_NO_WARNINGS)
  add_compile_options(/W3)
else()
  add_compile_options(-Wall -Wextra -pedantic -Wshadow
    $<$<COMPILE_LANGUAGE:C>:-Wconversion> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
endif()
if(APPLE) # _POSIX_C_SOURCE alone hides what is not of POSIX
  add_compile_definitions(_DARWIN_C_SOURCE)
endif()
if(MINGW) # printf of C99; gcc then still checks formats as Microsoft's, so other systems' builds check them
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
  add_compile_options(-Wno-format)
endif()
if(DMM_WERROR)
  add_compile_options($<IF:$<BOOL:${MSVC}>,/WX,-Werror>)
endif()
