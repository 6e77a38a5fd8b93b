/* SPDX-License-Identifier: MIT */
/* A program outside the project: it calls OpenCL itself, and sorts a sub-buffer by the library. */
#include <stdio.h>

#include <dmm/dmm.h>

enum { N = 1024 };

/* Sorts the keys in a sub-buffer of a buffer that the program made. */
static dmm_status sort_part(dmm_context *ctx, uint32_t *keys)
{
    const cl_buffer_region whole = {0, N * sizeof *keys};
    const dmm_sort_desc desc = {0};
    cl_int failed = CL_SUCCESS;
    dmm_sort *sort = NULL;
    cl_event sorted = NULL;
    cl_mem buffer = clCreateBuffer(dmm_context_cl(ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
        2 * whole.size, keys, &failed);
    cl_mem part =
        failed ? NULL : clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &whole, &failed);
    const dmm_sort_args args = {.keys_in = {part, 0}, .keys_out = {part, 0}};
    dmm_status status = failed ? failed : dmm_sort_create(&sort, ctx, &desc);
    if (status == DMM_OK)
        status = dmm_sort_enqueue(sort, dmm_context_queue(ctx), &args, N, 0, NULL, &sorted);
    if (status == DMM_OK)
        status = clEnqueueReadBuffer(
            dmm_context_queue(ctx), part, CL_TRUE, 0, whole.size, keys, 1, &sorted, NULL);
    if (sorted)
        clReleaseEvent(sorted);
    if (part)
        clReleaseMemObject(part);
    if (buffer)
        clReleaseMemObject(buffer);
    dmm_sort_free(sort);
    return status;
}

int main(void)
{
    static uint32_t keys[2 * N];
    dmm_context *ctx = NULL;
    for (uint32_t i = 0; i < N; i++)
        keys[i] = i * 2654435761u;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = sort_part(ctx, keys);
    dmm_context_free(ctx);
    if (status != DMM_OK) {
        fprintf(stderr, "consumer: %s\n", dmm_status_string(status));
        return 1;
    }
    for (size_t i = 1; i < N; i++) {
        if (keys[i - 1] > keys[i])
            return 1;
    }
    printf("dmm %s: sorted\n", DMM_VERSION);
    return 0;
}
