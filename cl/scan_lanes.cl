/* SPDX-License-Identifier: MIT */
/*
 * Chained scans where lanes exchange data (cl/lanes.clh).
 */
#include "cl/scan_lanes.clh"
#include "cl/scan_kernels.clh"
#include "cl/scan_source.clh"
#include "cl/link_lanes.clh"
#include "cl/scan_chain.clh"
