/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* test_scan_lanes.c for keys of 64 bits, whose links have six words. */
#define DMM_KEY_BYTES 8
#include "test_scan_lanes.c"
