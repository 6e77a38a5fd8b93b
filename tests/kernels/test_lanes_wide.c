/* SPDX-License-Identifier: MIT */
/* test_lanes.c with the widest sub-group, whose sets of lanes take 64 bits. */
#define LANES 64
#include "test_lanes.c"
