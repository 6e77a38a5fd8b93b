/* SPDX-License-Identifier: MIT */
/* Blocking copies between host arrays and device buffers. */
#include "core/transfer.h"

dmm_status dmm_upload(const dmm_context *ctx, const void *from, uint64_t bytes, cl_mem *out)
{
    dmm_status status = DMM_OK;
    *out = NULL;
    if (bytes == 0)
        return DMM_OK;
    if (bytes >= SIZE_MAX)
        return DMM_TOO_LARGE;
    cl_mem buffer = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &status);
    if (status == DMM_OK && from != NULL)
        status = clEnqueueWriteBuffer(
            ctx->queue, buffer, CL_TRUE, 0, (size_t)bytes, from, 0, NULL, NULL);
    if (status != DMM_OK && buffer != NULL)
        clReleaseMemObject(buffer);
    else
        *out = buffer;
    return status;
}

dmm_status dmm_download(
    const dmm_context *ctx, cl_mem from, void *to, uint64_t bytes, const cl_event *event)
{
    if (bytes == 0)
        return DMM_OK;
    return clEnqueueReadBuffer(
        ctx->queue, from, CL_TRUE, 0, (size_t)bytes, to, event != NULL, event, NULL);
}

void dmm_wait_and_release(cl_event event)
{
    if (event == NULL)
        return;
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
}
