/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort whose passes count, scan and scatter: where a tile is to be sorted
 * without bank conflicts, by split.
 * Layout     tile: cl/tile.clh
 * Claim      conflict-free. Counting: cl/columns.clh.
 */
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#include "cl/radix/radix_split.clh"
#include "cl/radix/radix_count.clh"
#include "cl/radix/radix_scatter.clh"
#include "cl/radix/radix_gpu.clh"
