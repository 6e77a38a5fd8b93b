/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort whose passes count, scan and scatter: where a tile is to be sorted
 * without bank conflicts, by split, or by rank as a matrix; and where whole blocks are written.
 * Layout     tile: cl/tile.clh
 * Claim      conflict-free but for whole blocks. Counting: cl/columns.clh.
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
#include "cl/radix/radix_count.clh"
#if DMM_BLOCK
#include "cl/radix/radix_blocks.clh"
#else
#include "cl/radix/radix_scatter.clh"
#endif
#include "cl/radix/radix_gpu.clh"
