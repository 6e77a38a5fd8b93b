/* SPDX-License-Identifier: MIT */
/*
 * Scans as a loop in C, for every type.
 */
#ifndef DMM_BENCH_PLAIN_SCAN_H
#define DMM_BENCH_PLAIN_SCAN_H

#include <stddef.h>

#include <dmm/scan.h>

/* Sums or maxima of n items, of a type with a + b or a > b in C (not f16). */
void bench_plain_scan(const dmm_scan_desc *desc, const void *in, void *out, size_t n);

#endif
