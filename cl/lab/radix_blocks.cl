/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort whose passes count, scan, and write whole blocks; tiles are sorted by
 * rank.
 * Layout     tile: cl/tile.clh
 * Claim      `measured`, as cl/lab/radix_blocks.clh. Counting: cl/columns.clh.
 */
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#include "cl/radix/radix_steps.clh"
#include "cl/radix/radix_count.clh"
#include "cl/lab/radix_blocks.clh"
#include "cl/radix/radix_gpu.clh"
