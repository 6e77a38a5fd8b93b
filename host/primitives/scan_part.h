/* SPDX-License-Identifier: MIT */
/*
 * A dmm_scan of counts, in place and exclusive, as a part of another primitive.
 */
#ifndef DMM_PRIMITIVES_SCAN_PART_H
#define DMM_PRIMITIVES_SCAN_PART_H

#include <dmm/scan.h>

#include "core/object.h"

/* For init: makes a scan of counts of index_bytes bytes a part. */
dmm_status dmm_scan_part(
    void *object, dmm_scan **out, uint32_t index_bytes, uint64_t max_n, int cpu);
/* For steps: scans n counts. */
dmm_status dmm_scan_counts(
    const dmm_scan *scan, const dmm_call *call, dmm_span counts, uint64_t n, dmm_span temp);

#endif
