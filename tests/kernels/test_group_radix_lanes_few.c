/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* As test_group_radix_lanes.c, on sub-groups of 8 lanes and 4 banks. */
#define LANES         8
#define DMM_E         3
#define DMM_W         4
#define DMM_KEY_BYTES 4
#include "test_group_radix_lanes.c"
