/* SPDX-License-Identifier: MIT */
/* Sums, prefix sums, a median and a histogram of a few numbers on the host. */
#include <stdio.h>

#include <dmm/dmm.h>

static dmm_status counts(dmm_context *ctx)
{
    unsigned numbers[] = {3, 1, 4, 1, 5};
    unsigned sum = 0, median = 0;
    uint64_t bins[8] = {0};
    const dmm_reduce_desc reduce = {.type = DMM_U32, .op = DMM_SCAN_SUM};
    const dmm_nth_desc nth = {.order.type = DMM_U32};
    const dmm_histogram_desc histogram = {.type = DMM_U32, .bins = 8};
    const dmm_scan_desc scan = {.type = DMM_U32, .op = DMM_SCAN_SUM};

    dmm_status status = dmm_reduce_host(ctx, &reduce, numbers, 5, &sum);
    if (status == DMM_OK)
        status = dmm_nth_host(ctx, &nth, numbers, NULL, 5, 2, &median, NULL);
    if (status == DMM_OK)
        status = dmm_histogram_host(ctx, &histogram, numbers, 5, bins);
    if (status == DMM_OK)
        status = dmm_scan_host(ctx, &scan, numbers, 5); /* in place */
    if (status == DMM_OK)
        printf("sum %u, median %u, %u ones, prefix sums %u %u %u %u %u\n", sum, median,
            (unsigned)bins[1], numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
    return status;
}

int main(void)
{
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = counts(ctx);
    if (status != DMM_OK)
        printf("dmm: %s\n", dmm_status_string(status));
    dmm_context_free(ctx);
    return status != DMM_OK;
}
