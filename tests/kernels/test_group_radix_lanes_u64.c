/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* As test_group_radix_lanes.c, of numbers of 64 bits, on sub-groups of 64 lanes and 16 banks. */
#define LANES         64
#define DMM_E         5
#define DMM_W         16
#define DMM_KEY_BYTES 8
#include "test_group_radix_lanes.c"
