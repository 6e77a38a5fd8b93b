/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of packing where lanes exchange data (cl/lanes.clh).
 */
#include "cl/pack/pack_ballot.clh"
#include "cl/pack/pack_keep.clh"
