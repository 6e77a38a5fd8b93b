/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* As test_group_lanes.c, of structs by `less`, on sub-groups of 64 lanes. */
#define LANES     64
#define DMM_E     8
#define DMM_ITEMS 1
#include "test_group_lanes.c"
