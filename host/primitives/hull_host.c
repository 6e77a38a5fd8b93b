/* SPDX-License-Identifier: MIT */
/*
 * dmm_hull_host: build, copy in, find the hull, copy out.
 */
#include <stddef.h>

#include "core/check.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/hull.h"

/* What comes back beside the indices. */
typedef struct answer {
    uint64_t count, pad;
    dmm_report report;
} answer;

/* Reads the answer and, if there is no fault, the indices. */
static dmm_status take(const dmm_context *ctx, const dmm_hull *hull, const dmm_hull_args *args,
    const cl_event *done, void *indices, uint64_t *count)
{
    dmm_status status = DMM_OK;
    answer got = {0};
    TRY(dmm_download(ctx, args->count.buffer, &got, sizeof got, done));
    if (got.report.code != DMM_OK) {
        *count = got.report.position;
        FAIL_IF(1, (dmm_status)got.report.code);
    }
    TRY(dmm_download(
        ctx, args->hull.buffer, indices, dmm_size_mul(got.count, hull->desc.index_bytes), NULL));
    *count = got.count;
out:
    return status;
}

dmm_status dmm_hull_host(dmm_context *ctx, const dmm_hull_desc *desc, const void *points,
    const void *ys, size_t n, void *indices, uint64_t *count)
{
    dmm_status status = DMM_OK;
    dmm_hull *hull = NULL;
    dmm_hull_args args = {.temp = DMM_NONE};
    cl_event done = NULL;

    TRY(dmm_hull_create(&hull, ctx, desc));
    FAIL_IF(count == NULL ||
                (n != 0 && (points == NULL || indices == NULL || (desc->two_arrays && ys == NULL))),
        DMM_NULL_ARGUMENT);
    const uint64_t bytes = dmm_size_mul(n, hull->coord_bytes);
    TRY(dmm_upload(
        ctx, points, desc->two_arrays ? bytes : dmm_size_mul(2, bytes), &args.points.buffer));
    if (desc->two_arrays)
        TRY(dmm_upload(ctx, ys, bytes, &args.ys.buffer));
    TRY(dmm_upload(ctx, NULL, dmm_size_mul(n, hull->desc.index_bytes), &args.hull.buffer));
    TRY(dmm_upload(ctx, NULL, sizeof(answer), &args.count.buffer));
    args.report = (dmm_span){args.count.buffer, offsetof(answer, report)};
    TRY(dmm_hull_enqueue(hull, ctx->queue, &args, n, 0, NULL, &done));
    TRY(take(ctx, hull, &args, &done, indices, count));
out:
    dmm_settle(done);
    cl_mem buffers[] = {args.points.buffer, args.ys.buffer, args.hull.buffer, args.count.buffer};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    dmm_hull_free(hull);
    return status;
}
