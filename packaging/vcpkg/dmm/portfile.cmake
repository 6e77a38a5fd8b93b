# SPDX-License-Identifier: MIT
# The port of this tree: vcpkg install dmm --overlay-ports=packaging/vcpkg. A port of a release gets SOURCE_PATH from
# vcpkg_extract_source_archive.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DDMM_ONE_LIBRARY=ON
        -DDMM_BENCH=OFF
        -DDMM_CLI=OFF
        -DDMM_LAB=OFF
        -DDMM_METER=OFF
        -DDMM_MODEL=OFF
        -DDMM_MPI=OFF
        -DDMM_PYTHON=OFF
        -DDMM_TESTS=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/dmm)
vcpkg_fixup_pkgconfig()
vcpkg_copy_pdbs()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
