/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of packing.
 */
#include "cl/pack/pack.clh"
#include "cl/pack/pack_sums.clh"
#include "cl/pack/pack_keep.clh"
