/* SPDX-License-Identifier: MIT */
/*
 * Scans of counts.
 */
#include "primitives/scan_part.h"

#include "primitives/classes.h"

dmm_status dmm_scan_part(
    void *object, dmm_scan **out, uint32_t index_bytes, uint64_t max_n, int cpu)
{
    const dmm_scan_desc desc = {.type = index_bytes == 8 ? DMM_U64 : DMM_U32,
        .op = DMM_SCAN_SUM,
        .exclusive = 1,
        .max_n = max_n,
        .tuning = {.form = cpu ? DMM_FORM_CPU : DMM_FORM_GPU}};
    return dmm_object_part(object, out, &dmm_scan_class, &desc);
}

dmm_status dmm_scan_counts(
    const dmm_scan *scan, const dmm_call *call, dmm_span counts, uint64_t n, dmm_span temp)
{
    const dmm_scan_args args = {.in = counts, .out = counts, .temp = temp};
    return dmm_call_run(call, scan, &args, (dmm_sizes){.n = n});
}
