/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* As test_group_scan_lanes.c, of sub-groups of 4 lanes. */
#define LANES 4
#include "test_group_scan_lanes.c"
