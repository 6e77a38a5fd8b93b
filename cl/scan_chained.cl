/* SPDX-License-Identifier: MIT */
/*
 * Chained scans: the GPU form, if grouping changes no bit.
 */
#include "cl/scan.clh"
#include "cl/scan_kernels.clh"
#include "cl/scan_source.clh"
#include "cl/link_walk.clh"
#include "cl/scan_chain.clh"
