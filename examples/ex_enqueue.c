/* SPDX-License-Identifier: MIT */
/*
 * A program that has an OpenCL context, a queue and buffers of its own: dmm joins its chain of
 * events, with temporary memory that the program owns.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dmm/dmm.h>

enum { N = 100000 };

/* Represents other work of the program: a transfer whose event the sort waits for. */
static dmm_status sort_records(dmm_context *ctx, dmm_sort *sort, cl_uint *keys, cl_uint *records)
{
    const size_t bytes = N * sizeof *keys;
    cl_context cl = dmm_context_cl(ctx);
    cl_command_queue queue = dmm_context_queue(ctx);
    cl_event filled[2], sorted;
    uint64_t temp_bytes;
    dmm_sort_temp_bytes(&temp_bytes, sort, N);
    cl_mem k = clCreateBuffer(cl, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem v = clCreateBuffer(cl, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    cl_mem temp = clCreateBuffer(cl, CL_MEM_READ_WRITE, temp_bytes, NULL, NULL);
    clEnqueueWriteBuffer(queue, k, CL_FALSE, 0, bytes, keys, 0, NULL, &filled[0]);
    clEnqueueWriteBuffer(queue, v, CL_FALSE, 0, bytes, records, 0, NULL, &filled[1]);

    const dmm_sort_args args = {.keys_in = {k, 0},
        .values_in = {v, 0},
        .keys_out = {k, 0},
        .values_out = {v, 0},
        .temp = {temp, 0}};
    const dmm_status status = dmm_sort_enqueue(sort, queue, &args, N, 2, filled, &sorted);
    if (status == DMM_OK) {
        clEnqueueReadBuffer(queue, k, CL_FALSE, 0, bytes, keys, 1, &sorted, NULL);
        clEnqueueReadBuffer(queue, v, CL_FALSE, 0, bytes, records, 1, &sorted, NULL);
        clReleaseEvent(sorted);
    }
    clFinish(queue);
    clReleaseEvent(filled[0]);
    clReleaseEvent(filled[1]);
    clReleaseMemObject(k);
    clReleaseMemObject(v);
    clReleaseMemObject(temp);
    return status;
}

int main(void)
{
    dmm_context *ctx = NULL;
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = {0};
    cl_uint *keys = malloc(N * sizeof *keys), *records = malloc(N * sizeof *records);
    int ordered = keys != NULL && records != NULL;
    desc.value_bytes = sizeof *records;
    for (cl_uint i = 0; i < N && ordered; i++) {
        keys[i] = i * 2654435761u % 1000;
        records[i] = i;
    }
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_sort_create(&sort, ctx, &desc);
    if (status == DMM_OK && ordered)
        status = sort_records(ctx, sort, keys, records);
    for (cl_uint i = 1; i < N && ordered; i++)
        ordered = keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && records[i - 1] < records[i]);
    printf("%s; %s\n", dmm_status_string(status),
        ordered ? "sorted, equal keys in their order" : "WRONG");
    dmm_sort_free(sort);
    dmm_context_free(ctx);
    free(keys);
    free(records);
    return status != DMM_OK || !ordered;
}
