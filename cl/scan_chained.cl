/* SPDX-License-Identifier: MIT */
/*
 * Chained scans: the GPU form, except for sums of floats and own operators.
 */
#include "cl/scan.clh"
#include "cl/scan_kernels.clh"
#include "cl/scan_source.clh"
#include "cl/link_walk.clh"
#include "cl/scan_chain.clh"
