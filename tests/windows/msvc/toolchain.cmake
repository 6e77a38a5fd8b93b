# SPDX-License-Identifier: MIT
# Toolchain file: compiles static libraries as for Microsoft's compiler, by clang-cl with the headers of mingw-w64. Nothing
# is linked: Debian has no C library of Microsoft.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_C_COMPILER clang-cl-14)
set(CMAKE_C_COMPILER_TARGET x86_64-pc-windows-msvc)
set(CMAKE_AR llvm-lib-14)
set(CMAKE_RC_COMPILER llvm-rc-14)
set(CMAKE_MT llvm-mt-14)
set(CMAKE_LINKER lld-link-14)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT
  "-fms-compatibility-version=19.39 -imsvc/usr/share/mingw-w64/include /FI${CMAKE_CURRENT_LIST_DIR}/first.h")
