/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort (radix_gpu.clh) where lanes exchange data (cl/lanes.clh).
 */
#include "cl/gather.clh"
#include "cl/radix/radix.clh"
#include "cl/radix/radix_ballot.clh"
#include "cl/radix/radix_gpu.clh"
