/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* test_pack_lanes.c for runs of equal neighbours. */
#define DMM_PACK_BY 0
#include "test_pack_lanes.c"
