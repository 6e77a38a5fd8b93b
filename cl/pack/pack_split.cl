/* SPDX-License-Identifier: MIT */
/*
 * A split in the GPU form.
 */
#include "cl/pack/pack_split_sums.clh"
#include "cl/pack/pack_split.clh"
