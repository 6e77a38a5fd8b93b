# SPDX-License-Identifier: MIT
# Defines what `cmake --install` installs, in five components: `library`; `dev` (headers, static library,
# dmmConfig.cmake, dmm.pc); `model` and `model_dev`, the same for libdmm-model; and `tools` (the command, its manual and
# completion). With LLVM also `meter`, the bank meter's engines. With MPI also `mpi`, `mpi_dev` and `mpi_tools`, the same for libdmm-mpi and dmm-mpi;
# with the lab `lab_dev`, as libdmm-lab is a static library, and `lab_tools`.
include(CMakePackageConfigHelpers)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY tuning.d DESTINATION ${CMAKE_INSTALL_DATADIR}/dmm COMPONENT library)
# Collectives, for kernels that include them.
install(DIRECTORY ${PROJECT_BINARY_DIR}/group DESTINATION ${CMAKE_INSTALL_DATADIR}/dmm COMPONENT dev)
if(DMM_CLI)
  install(TARGETS dmm_cli RUNTIME COMPONENT tools)
endif()

# Paths in a .pc file are relative to it: the installed tree can be moved.
file(RELATIVE_PATH includedir ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})

# Installs the library NAME: TARGET_static, TARGET_shared if there is one, and the headers of include/NAME.
function(dmm_install_library name target library dev)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${name})
  install(DIRECTORY include/${name} TYPE INCLUDE COMPONENT ${dev} FILES_MATCHING PATTERN "*.h"
    PATTERN "*.hpp")
  set(targets ${target}_static)
  if(TARGET ${target}_shared AND NOT DMM_ONE_LIBRARY)
    list(APPEND targets ${target}_shared)
  elseif(TARGET ${target}_shared AND BUILD_SHARED_LIBS)
    set(targets ${target}_shared)
  endif()
  install(TARGETS ${targets} EXPORT ${name}
    RUNTIME COMPONENT ${library} LIBRARY COMPONENT ${library} NAMELINK_COMPONENT ${dev} ARCHIVE COMPONENT ${dev})
  install(EXPORT ${name} NAMESPACE dmm:: DESTINATION ${package_dir} FILE ${name}Targets.cmake
    COMPONENT ${dev})
  configure_file(cmake/${name}Config.cmake.in ${name}Config.cmake @ONLY)
  write_basic_package_version_file(${name}ConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/${name}Config.cmake ${PROJECT_BINARY_DIR}/${name}ConfigVersion.cmake
    DESTINATION ${package_dir} COMPONENT ${dev})
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir} COMPONENT ${dev})
endfunction()
install(TARGETS dmm_opencl EXPORT dmm)
dmm_install_library(dmm dmm library dev)
if(DMM_MODEL)
  dmm_install_library(dmm-model dmm_model model model_dev)
endif()
if(TARGET dmm_lab_static)
  dmm_install_library(dmm-lab dmm_lab lab_dev lab_dev)
endif()
if(TARGET dmm_lab_cli)
  install(TARGETS dmm_lab_cli RUNTIME COMPONENT lab_tools)
endif()
if(TARGET dmm_mpi_shared)
  dmm_install_library(dmm-mpi dmm_mpi mpi mpi_dev)
endif()
if(TARGET dmm_mpi_cli)
  install(TARGETS dmm_mpi_cli RUNTIME COMPONENT mpi_tools)
endif()
