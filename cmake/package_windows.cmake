# SPDX-License-Identifier: MIT
# Configures the archive of `cmake --preset mingw && cmake --build --preset mingw`: bin has the DLLs, lib the import and
# static libraries and the files of CMake and pkg-config, include the headers.
install(FILES LICENSE TYPE DOC COMPONENT library)
set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME dmm-${PROJECT_VERSION}-win64)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  set(CPACK_PACKAGE_FILE_NAME dmm-${PROJECT_VERSION}-win32)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
