/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort where lanes exchange data (cl/lanes.clh), in chained passes.
 */
#include "cl/radix/radix_ballot.clh"
#include "cl/radix/radix_gpu.clh"
#include "cl/radix/radix_pass.clh"
