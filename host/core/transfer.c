/* SPDX-License-Identifier: MIT */
/* Blocking copies between host arrays and device buffers. */
#include "core/transfer.h"

#include "core/opencl.h"

/* A blocking write may return while the copy is still to be made (OpenCL 1.2, section 5.2.2: the
 * host's memory may be reused); other queues must wait for its event. */
dmm_status dmm_write(cl_command_queue queue, cl_mem to, const void *from, uint64_t bytes)
{
    cl_event written = NULL;
    if (bytes == 0)
        return DMM_OK;
    dmm_status status =
        clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, (size_t)bytes, from, 0, NULL, &written);
    if (status != DMM_OK)
        return status;
    status = clWaitForEvents(1, &written);
    clReleaseEvent(written);
    return status;
}

static dmm_status create(
    const dmm_context *ctx, cl_mem_flags flags, uint64_t bytes, void *array, cl_mem *out)
{
    dmm_status status = DMM_OK;
    *out = NULL;
    if (bytes == 0)
        return DMM_OK;
    if (dmm_context_is_offline(ctx))
        return dmm_context_check_runs(ctx);
    if (bytes >= SIZE_MAX)
        return DMM_TOO_LARGE;
    cl_mem buffer = clCreateBuffer(ctx->cl, flags, (size_t)bytes, array, &status);
    if (status == DMM_OK && buffer == NULL)
        status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (status == DMM_OK)
        *out = buffer;
    else if (buffer != NULL)
        clReleaseMemObject(buffer);
    return status;
}

dmm_status dmm_wrap(const dmm_context *ctx, void *array, uint64_t bytes, cl_mem *out)
{
    return create(ctx, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, array, out);
}

dmm_status dmm_upload(const dmm_context *ctx, const void *from, uint64_t bytes, cl_mem *out)
{
    dmm_status status = create(ctx, CL_MEM_READ_WRITE, bytes, NULL, out);
    if (status != DMM_OK || bytes == 0 || from == NULL)
        return status;
    status = dmm_write(ctx->queue, *out, from, bytes);
    if (status != DMM_OK) {
        clReleaseMemObject(*out);
        *out = NULL;
    }
    return status;
}

dmm_status dmm_read(cl_command_queue queue, cl_mem from, void *to, uint64_t bytes)
{
    return bytes == 0
               ? DMM_OK
               : clEnqueueReadBuffer(queue, from, CL_TRUE, 0, (size_t)bytes, to, 0, NULL, NULL);
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
