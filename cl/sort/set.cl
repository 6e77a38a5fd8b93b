/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of set operations (cl/sort/set_tile.clh).
 */
#define DMM_CHAINED /* dmm_merge_partition clears the chain */
#include "cl/sort/set_sums.clh"
#include "cl/sort/set_tile.clh"
