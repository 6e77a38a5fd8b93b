/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of set operations (cl/sort/set_tile.clh) where lanes exchange data (cl/lanes.clh).
 */
#define DMM_CHAINED /* dmm_merge_partition clears the chain */
#include "cl/sort/set_lanes.clh"
#include "cl/sort/set_tile.clh"
