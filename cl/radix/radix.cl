/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort (radix_gpu.clh) where lanes cannot exchange data, and where a tile is
 * to be sorted without bank conflicts: by rank in columns, by split, or by rank as a matrix.
 * Layout     tile: cl/tile.clh
 * Claim      conflict-free but for dmm_radix_exchange (radix_rank.clh), which is `measured` unless
 *            tiles are matrices. Counting: cl/columns.clh.
 */
#include "cl/gather.clh"
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#include "cl/radix/radix_runs.clh"
#if DMM_SPLIT
#include "cl/radix/radix_split.clh"
#else
#include "cl/radix/radix_rank.clh"
#endif
#include "cl/radix/radix_gpu.clh"
