/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort where a tile is to be sorted without bank conflicts: by split, or by
 * rank as a matrix. A pass counts, scans and scatters.
 * Layout     tile: cl/tile.clh
 * Claim      conflict-free. Counting: cl/columns.clh.
 */
#include "cl/gather.clh"
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#if DMM_SPLIT
#include "cl/radix/radix_split.clh"
#else
#include "cl/radix/radix_rank.clh"
#endif
#include "cl/radix/radix_scatter.clh"
#include "cl/radix/radix_gpu.clh"
