# SPDX-License-Identifier: MIT
# Debian packages, by `cmake --preset deb && cmake --build --preset deb`: libdmm0 (named after the soversion),
# libdmm-dev, and dmm, the command with its manual and the bank meter.
set(DMM_DEB_MAINTAINER "the dmm authors <dmm@dmm.invalid>" CACHE STRING
  "Whom the Debian packages name as their maintainer")
# Before 1: a package of the distribution's own would count as newer.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0dmm1)
set(library libdmm${PROJECT_VERSION_MAJOR})
set(same "${library} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dmm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT ${DMM_DEB_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_COMPONENTS_ALL library dev tools)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/stage_deb.cmake)
set(CPACK_DMM_SOURCE_DIR ${PROJECT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/host)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(what "A library of OpenCL kernels that never fight over a memory bank:
sorting, merging, selecting, partitioning, permuting, transposing,
shuffling and convex hulls, on any vendor's GPU, and on CPUs through PoCL.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "OpenCL primitives without bank conflicts - shared library
${what}")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdmm-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${same}, ocl-icd-opencl-dev | opencl-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION "OpenCL primitives without bank conflicts - development files
${what}

This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME dmm)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS ${same})
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS oclgrind)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "OpenCL primitives without bank conflicts - command
${what}

This package has the command dmm, which sorts, merges, partitions and
shuffles files on any OpenCL device, and counts the bank conflicts of any
OpenCL program.")

# symbols  all of them are there since version 0.1.0, and carry the soversion (host/libdmm.map.in)
# shlibs   the same in short, for tools that do not read symbols
# triggers the linker's cache is brought up to date once, at the end of an installation. postinst and postrm, which
#          do not exist, keep CPack from writing scripts that do it a second time
set(control ${PROJECT_BINARY_DIR}/debian)
file(STRINGS tests/symbols.txt symbols)
list(TRANSFORM symbols REPLACE "(.+)" " \\1@DMM_${PROJECT_VERSION_MAJOR} 0.1.0\n")
list(JOIN symbols "" symbols)
file(CONFIGURE OUTPUT ${control}/symbols CONTENT "libdmm.so.${PROJECT_VERSION_MAJOR} ${library} #MINVER#
* Build-Depends-Package: libdmm-dev
 DMM_${PROJECT_VERSION_MAJOR}@DMM_${PROJECT_VERSION_MAJOR} 0.1.0
${symbols}")
file(CONFIGURE OUTPUT ${control}/shlibs
  CONTENT "libdmm ${PROJECT_VERSION_MAJOR} ${library} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  ${control}/symbols ${control}/shlibs ${control}/triggers ${control}/postinst ${control}/postrm)
include(CPack)
