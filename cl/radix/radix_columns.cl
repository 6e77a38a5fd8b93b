/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort where lanes cannot exchange data, in chained passes: tiles are sorted
 * by rank in columns.
 * Layout     tile: cl/tile.clh
 * Claim      `measured`: dmm_radix_exchange (radix_rank.clh), and words that are accessed by digit
 */
#include "cl/radix/radix.clh"
#include "cl/columns.clh"
#include "cl/radix/radix_local.clh"
#include "cl/radix/radix_bounds.clh"
#include "cl/radix/radix_gpu.clh"
#include "cl/radix/radix_pass.clh"
