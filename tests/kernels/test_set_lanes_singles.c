/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* test_set_lanes.c for symmetric differences, whose runs are scanned from both sides. */
#define DMM_SET_OP 3
#include "test_set_lanes.c"
