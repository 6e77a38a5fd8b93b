/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* As test_group_radix_lanes.c, on sub-groups of 64 lanes and 64 banks. */
#define LANES         64
#define DMM_E         17
#define DMM_W         64
#define DMM_KEY_BYTES 4
#include "test_group_radix_lanes.c"
