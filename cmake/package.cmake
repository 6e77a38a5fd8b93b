# SPDX-License-Identifier: MIT
# Configures the Debian packages of `cmake --preset deb && cmake --build --preset deb`: libdmm0 (named after the
# soversion), libdmm-dev, the same two for libdmm-model, and dmm, the command with its manual. With LLVM also dmm-meter,
# the bank meter's engines; with MPI libdmm-mpi0, libdmm-mpi-dev and dmm-mpi; with the lab libdmm-lab-dev and dmm-lab.
set(DMM_DEB_MAINTAINER "the dmm authors <dmm@dmm.invalid>" CACHE STRING
  "Maintainer named in the Debian packages")
# Less than 1: a package of the distribution with the same version counts as newer.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0dmm1)
set(library libdmm${PROJECT_VERSION_MAJOR})
set(model libdmm-model${PROJECT_VERSION_MAJOR})
set(mpi libdmm-mpi${PROJECT_VERSION_MAJOR})
set(this_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dmm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT ${DMM_DEB_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_COMPONENTS_ALL library dev model model_dev tools)
if(TARGET dmm_meter_layer)
  list(APPEND CPACK_COMPONENTS_ALL meter)
endif()
if(TARGET dmm_mpi_shared)
  list(APPEND CPACK_COMPONENTS_ALL mpi mpi_dev mpi_tools)
endif()
if(TARGET dmm_lab_static)
  list(APPEND CPACK_COMPONENTS_ALL lab_dev lab_tools)
endif()
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
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/host
  ${PROJECT_BINARY_DIR}/host/model ${PROJECT_BINARY_DIR}/host/mpi)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(what "A library of OpenCL kernels without memory bank conflicts:
sorting, merging, selecting, partitioning, permuting, transposing,
shuffling and convex hulls, on any vendor's GPU, and on CPUs through PoCL.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# The driver is only suggested: it is the machine's choice, and PoCL brings LLVM and a compiler, 1.1 GB in an empty system.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "OpenCL primitives without bank conflicts - shared library
${what}")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libdmm-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${library} ${this_version}, ocl-icd-opencl-dev | opencl-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION "OpenCL primitives without bank conflicts - development files
${what}

This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(what_models "Counts what memory accesses cost in the Distributed Memory Machine and
the Unified Memory Machine, makes the worst input of a pairwise merge
sort, and runs sorts and permutations of a matrix step by step. Plain C.")

set(CPACK_DEBIAN_MODEL_PACKAGE_NAME ${model})
set(CPACK_DEBIAN_MODEL_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MODEL_DESCRIPTION "machine models of banked memory - shared library
${what_models}")

set(CPACK_DEBIAN_MODEL_DEV_PACKAGE_NAME libdmm-model-dev)
set(CPACK_DEBIAN_MODEL_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_MODEL_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MODEL_DEV_PACKAGE_DEPENDS "${model} ${this_version}")
set(CPACK_DEBIAN_MODEL_DEV_DESCRIPTION "machine models of banked memory - development files
${what_models}

This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME dmm)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${library} ${this_version}, ${model} ${this_version}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS dmm-meter)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "OpenCL primitives without bank conflicts - command
${what}

This package has the command dmm, which sorts, merges, partitions and
shuffles files on any OpenCL device. With dmm-meter it counts the bank
conflicts of any OpenCL program.")

set(CPACK_DEBIAN_METER_PACKAGE_NAME dmm-meter)
set(CPACK_DEBIAN_METER_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_METER_PACKAGE_DEPENDS "dmm ${this_version}")
set(CPACK_DEBIAN_METER_PACKAGE_RECOMMENDS "clang-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_METER_PACKAGE_SUGGESTS "llvm-spirv-${LLVM_VERSION_MAJOR}")
if(TARGET dmm_meter)
  string(APPEND CPACK_DEBIAN_METER_PACKAGE_RECOMMENDS ", oclgrind")
endif()
set(CPACK_DEBIAN_METER_DESCRIPTION "bank meter for OpenCL programs
Counts the bank conflicts, transactions and translations of the kernels of
any OpenCL program, by source line, in the simulator Oclgrind or on the
system's driver.

This package has the engines of the subcommand dmm meter. They need LLVM.")

set(what_mpi "Sorts, partitions and shuffles items that are spread over the ranks of
MPI, each with an OpenCL device of its own; also scans, the least items and
convex hulls. A rank that fails ends the call on all.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME ${mpi})
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${library} ${this_version}")
set(CPACK_DEBIAN_MPI_DESCRIPTION "OpenCL primitives over the ranks of MPI - shared library
${what_mpi}")

set(CPACK_DEBIAN_MPI_DEV_PACKAGE_NAME libdmm-mpi-dev)
set(CPACK_DEBIAN_MPI_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_MPI_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_MPI_DEV_PACKAGE_DEPENDS "${mpi} ${this_version}, libdmm-dev ${this_version}, libopenmpi-dev")
set(CPACK_DEBIAN_MPI_DEV_DESCRIPTION "OpenCL primitives over the ranks of MPI - development files
${what_mpi}

This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(CPACK_DEBIAN_MPI_TOOLS_PACKAGE_NAME dmm-mpi)
set(CPACK_DEBIAN_MPI_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_MPI_TOOLS_PACKAGE_DEPENDS
  "${library} ${this_version}, ${model} ${this_version}, ${mpi} ${this_version}, openmpi-bin")
set(CPACK_DEBIAN_MPI_TOOLS_DESCRIPTION "OpenCL primitives over the ranks of MPI - command
${what_mpi}

This package has the command dmm-mpi, which sorts a file in a folder that
all machines share.")

set(what_lab "Sorts and partitions by the algorithms of papers on banked memory, as
written: by matrices, by many pivots, in whole blocks.")

set(CPACK_DEBIAN_LAB_DEV_PACKAGE_NAME libdmm-lab-dev)
set(CPACK_DEBIAN_LAB_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LAB_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_LAB_DEV_PACKAGE_DEPENDS "libdmm-dev ${this_version}")
set(CPACK_DEBIAN_LAB_DEV_DESCRIPTION "OpenCL algorithms for study - development files
${what_lab}

This package has the headers, the static library, and the files by which
CMake and pkg-config find them.")

set(CPACK_DEBIAN_LAB_TOOLS_PACKAGE_NAME dmm-lab)
set(CPACK_DEBIAN_LAB_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_LAB_TOOLS_PACKAGE_DEPENDS "${model} ${this_version}")
set(CPACK_DEBIAN_LAB_TOOLS_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1, dmm")
set(CPACK_DEBIAN_LAB_TOOLS_PACKAGE_SUGGESTS "pocl-opencl-icd | opencl-icd")
set(CPACK_DEBIAN_LAB_TOOLS_DESCRIPTION "OpenCL algorithms for study - command
${what_lab}

This package has the command dmm-lab, which runs them on files, makes,
proves and draws sorting networks, and measures what translating
addresses costs.")

# Writes the control files of the package of the library NAME, whose symbols are listed in FILE.
# symbols  every symbol exists since version 0.1.0 and carries the soversion (host/libdmm.map.in and the model's)
# shlibs   the same in short form, for tools that do not read `symbols`
# triggers updates the linker's cache once, at the end of an installation. postinst and postrm do not exist; naming them
#          keeps CPack from writing scripts that update the cache a second time
function(dmm_control component name tag file)
  set(package ${name}${PROJECT_VERSION_MAJOR})
  set(tag ${tag}_${PROJECT_VERSION_MAJOR})
  set(control ${PROJECT_BINARY_DIR}/debian/${name})
  file(STRINGS ${file} symbols)
  list(TRANSFORM symbols REPLACE "(.+)" " \\1@${tag} 0.1.0\n")
  list(JOIN symbols "" symbols)
  file(CONFIGURE OUTPUT ${control}/symbols
    CONTENT "${name}.so.${PROJECT_VERSION_MAJOR} ${package} #MINVER#
* Build-Depends-Package: ${name}-dev
 ${tag}@${tag} 0.1.0
${symbols}")
  file(CONFIGURE OUTPUT ${control}/shlibs
    CONTENT "${name} ${PROJECT_VERSION_MAJOR} ${package} (>= ${PROJECT_VERSION})\n")
  file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA
    ${control}/symbols ${control}/shlibs ${control}/triggers ${control}/postinst ${control}/postrm PARENT_SCOPE)
endfunction()
dmm_control(LIBRARY libdmm DMM tests/symbols.txt)
dmm_control(MODEL libdmm-model DMM_MODEL tests/model_symbols.txt)
if(TARGET dmm_mpi_shared)
  dmm_control(MPI libdmm-mpi DMM_MPI tests/mpi_symbols.txt)
endif()
include(CPack)
