# SPDX-License-Identifier: MIT
# What `cmake --install` lays down, in three components: `library`, `dev` (headers, static library, dmmConfig.cmake,
# dmm.pc) and `tools` (the command, its manual and completion, the bank meter).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dmm)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY include/dmm TYPE INCLUDE COMPONENT dev FILES_MATCHING PATTERN "*.h")
install(TARGETS dmm_shared dmm_static EXPORT dmm
  LIBRARY COMPONENT library NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
install(TARGETS dmm_cli RUNTIME COMPONENT tools)

install(EXPORT dmm NAMESPACE dmm:: DESTINATION ${package_dir} FILE dmmTargets.cmake
  COMPONENT dev)
configure_file(cmake/dmmConfig.cmake.in dmmConfig.cmake @ONLY)
write_basic_package_version_file(dmmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/dmmConfig.cmake ${PROJECT_BINARY_DIR}/dmmConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# The paths in dmm.pc are relative to it, so that the installed tree may be moved.
file(RELATIVE_PATH includedir ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/dmm.pc.in dmm.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dmm.pc DESTINATION ${pkgconfig_dir} COMPONENT dev)
