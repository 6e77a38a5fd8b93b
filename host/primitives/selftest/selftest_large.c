/* SPDX-License-Identifier: MIT */
/* The self-test's check of a buffer beyond 2^31 bytes. */
#include "primitives/selftest/selftest.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/scan.h>

#include "core/check.h"
#include "core/context.h"
#include "core/opencl.h"

/* Largest share of the device's memory for the buffer: a quarter, because it may be the host's and
 * in use. */
enum { MEMORY_SHARE = 4, PART_ITEMS = 1 << 20 };

static const uint64_t total_bytes = DMM_BEYOND_ITEMS * sizeof(cl_ulong);

static int has_memory(const dmm_context *ctx)
{
    const dmm_device *const device = &ctx->device;
    cl_ulong bytes = 0;
    return device->kind != DMM_KIND_SIMULATOR && device->max_buffer.value >= total_bytes &&
           clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof bytes, &bytes, NULL) ==
               CL_SUCCESS &&
           bytes / MEMORY_SHARE >= total_bytes;
}

/* Returns a buffer of ones, or NULL if the device fails to allocate or fill it. */
static cl_mem new_ones(const dmm_context *ctx)
{
    const cl_ulong one = 1;
    cl_int status = CL_SUCCESS;
    const cl_mem buffer =
        clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, (size_t)total_bytes, NULL, &status);
    if (status != CL_SUCCESS)
        return NULL;
    status = clEnqueueFillBuffer(
        ctx->queue, buffer, &one, sizeof one, 0, (size_t)total_bytes, 0, NULL, NULL);
    if (status == CL_SUCCESS && clFinish(ctx->queue) == CL_SUCCESS)
        return buffer;
    clReleaseMemObject(buffer);
    return NULL;
}

static dmm_status compare(const dmm_context *ctx, cl_mem buffer, uint64_t *position)
{
    dmm_status status = DMM_OK;
    cl_ulong *const part = malloc(PART_ITEMS * sizeof *part);
    FAIL_IF(part == NULL, DMM_OUT_OF_MEMORY);
    for (uint64_t from = 0; from < DMM_BEYOND_ITEMS; from += PART_ITEMS) {
        const uint64_t left = DMM_BEYOND_ITEMS - from;
        const uint64_t count = left < PART_ITEMS ? left : PART_ITEMS;
        TRY(clEnqueueReadBuffer(ctx->queue, buffer, CL_TRUE, (size_t)(from * sizeof *part),
            (size_t)(count * sizeof *part), part, 0, NULL, NULL));
        for (uint64_t i = 0; i < count; i++) {
            *position = from + i;
            FAIL_IF(part[i] != from + i + 1, DMM_WRONG_RESULT);
        }
    }
    *position = 0;
out:
    free(part);
    return status;
}

/* Adds up ones in place: item i must be i + 1. */
dmm_status dmm_selftest_beyond(dmm_context *ctx, uint64_t *position)
{
    dmm_status status = DMM_OK;
    const dmm_scan_desc desc = {.type = DMM_U64, .op = DMM_SCAN_SUM};
    dmm_scan *scan = NULL;
    cl_mem buffer = NULL;
    *position = 0;
    FAIL_IF(!has_memory(ctx), DMM_UNSUPPORTED);
    TRY(dmm_scan_create(&scan, ctx, &desc));
    FAIL_IF((buffer = new_ones(ctx)) == NULL, DMM_UNSUPPORTED);
    const dmm_span all = {buffer, 0};
    const dmm_scan_args args = {.in = all, .out = all};
    TRY(dmm_scan_enqueue(scan, ctx->queue, &args, DMM_BEYOND_ITEMS, 0, NULL, NULL));
    TRY(clFinish(ctx->queue));
    TRY(compare(ctx, buffer, position));
out:
    if (buffer != NULL)
        clReleaseMemObject(buffer);
    dmm_scan_free(scan);
    return status;
}
