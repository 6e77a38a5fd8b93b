/* SPDX-License-Identifier: MIT */
#include "core/opencl.h"

#include "table_device.h"

bool table_check(table_run *run, dmm_status status, cli_error *error)
{
    return cli_check(&run->session, status, NULL, error);
}

bool table_add_buffer(dmm_span *out, table_buffers *buffers, table_run *run, uint64_t bytes,
    const void *data, cli_error *error)
{
    cl_int status;
    if (bytes == 0)
        bytes = 1;
    const cl_mem buffer = clCreateBuffer(dmm_context_cl(run->session.context),
        CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), (size_t)bytes,
        (void *)(uintptr_t)data, &status);
    if (status != CL_SUCCESS)
        return table_check(run, status, error);
    buffers->buffers[buffers->count++] = buffer;
    buffers->bytes += bytes;
    *out = (dmm_span){buffer, 0};
    return true;
}

void table_free_buffers(table_buffers *buffers)
{
    while (buffers->count > 0)
        clReleaseMemObject(buffers->buffers[--buffers->count]);
}

bool table_time_call(double *seconds, table_run *run, table_enqueue *enqueue, void *user,
    int repeats, cli_error *error)
{
    const cl_command_queue queue = dmm_context_queue(run->session.context);
    *seconds = HUGE_VAL;
    for (int i = 0; i <= repeats; i++) {
        const double start = table_seconds();
        dmm_status status = enqueue(user, queue, NULL);
        if (status == DMM_OK)
            status = clFinish(queue);
        if (!table_check(run, status, error))
            return false;
        if (i > 0)
            *seconds = fmin(*seconds, table_seconds() - start);
    }
    return true;
}
