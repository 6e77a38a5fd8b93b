/* SPDX-License-Identifier: MIT */
/*
 * A split in the GPU form where lanes exchange data (cl/lanes.clh).
 */
#include "cl/pack/pack_split_lanes.clh"
#include "cl/pack/pack_split.clh"
