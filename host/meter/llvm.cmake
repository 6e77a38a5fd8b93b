# SPDX-License-Identifier: MIT
# Finds LLVM for the bank meter: 14, which Oclgrind 21.10 has, or else the newest that the meter knows.
foreach(version 14.0 21.1 20.1 19.1 18.1 17.0 16.0 15.0)
  if(NOT LLVM_FOUND)
    find_package(LLVM ${version} CONFIG QUIET)
  endif()
endforeach()
