/* SPDX-License-Identifier: MIT */
/*
 * Scans that reduce, then scan: the CPU form, and if grouping changes bits, as of floats' sums.
 */
#include "cl/scan.clh"
#include "cl/scan_kernels.clh"
