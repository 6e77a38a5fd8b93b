/* SPDX-License-Identifier: MIT */
/*
 * Scans that reduce, then scan: the CPU form, sums of floats and own operators.
 */
#include "cl/scan.clh"
#include "cl/scan_kernels.clh"
