/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort whose passes count, scan and scatter, and whose tiles are sorted by
 * rank, the items moved as a matrix.
 * Layout     tile: cl/tile.clh
 * Claim      conflict-free. Counting: cl/columns.clh.
 */
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#include "cl/lab/radix_route.clh"
#include "cl/radix/radix_count.clh"
#include "cl/radix/radix_scatter.clh"
#include "cl/radix/radix_gpu.clh"
