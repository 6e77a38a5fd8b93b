/* SPDX-License-Identifier: MIT */
#include "heap_library.h"

#include <stdlib.h>

#include "core/opencl.h"
#include "lab/heap_levels.h"

static dmm_status add(cl_mem *out, const heap_library *heap, uint64_t bytes)
{
    cl_int status;
    *out = clCreateBuffer(
        dmm_context_cl(heap->ctx), CL_MEM_READ_WRITE, (size_t)bytes + 8, NULL, &status);
    return (dmm_status)status;
}

/* Enqueues the operation of `args` on n items, and waits for it. */
static dmm_status run(heap_library *heap, dmm_heap_op op, uint64_t n)
{
    const cl_command_queue queue = dmm_context_queue(heap->ctx);
    heap->args.op = op;
    const dmm_status status = dmm_heap_enqueue(heap->heap, queue, &heap->args, n, 0, NULL, NULL);
    heap->args.turn = op == DMM_HEAP_CLEAR ? 0 : heap->args.turn + 1;
    return status != DMM_OK ? status : (dmm_status)clFinish(queue);
}

dmm_status heap_library_create(
    heap_library *heap, dmm_context *ctx, uint64_t bulk, uint64_t capacity)
{
    const dmm_heap_desc desc = {.priority = DMM_U32, .bulk = bulk, .capacity = capacity + 1};
    uint64_t bytes = 0, temp = 0;
    *heap = (heap_library){.ctx = ctx,
        .keys = malloc((size_t)bulk * sizeof(uint32_t)),
        .priorities = malloc((size_t)bulk * sizeof(uint32_t))};
    dmm_status status = heap->keys && heap->priorities ? DMM_OK : DMM_OUT_OF_MEMORY;
    if (status == DMM_OK)
        status = dmm_heap_create(&heap->heap, ctx, &desc);
    if (status == DMM_OK)
        status = dmm_heap_bytes(&bytes, &desc);
    if (status == DMM_OK)
        status = dmm_heap_temp_bytes(&temp, heap->heap, bulk);
    cl_mem *const buffers[] = {&heap->memory, &heap->temp, &heap->n, &heap->in[0], &heap->in[1],
        &heap->out[0], &heap->out[1]};
    const uint64_t sizes[] = {bytes, temp, 8, 4 * bulk, 4 * bulk, 4 * bulk, 4 * bulk};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && status == DMM_OK; i++)
        status = add(buffers[i], heap, sizes[i]);
    heap->args = (dmm_heap_args){.heap = {heap->memory, 0},
        .keys_in = {heap->in[0], 0},
        .priorities_in = {heap->in[1], 0},
        .keys_out = {heap->out[0], 0},
        .priorities_out = {heap->out[1], 0},
        .count_out = {heap->n, 0},
        .temp = {heap->temp, 0}};
    return status != DMM_OK ? status : run(heap, DMM_HEAP_CLEAR, 0);
}

void heap_library_free(heap_library *heap)
{
    const cl_mem buffers[] = {
        heap->memory, heap->temp, heap->n, heap->in[0], heap->in[1], heap->out[0], heap->out[1]};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    dmm_heap_free(heap->heap);
    free(heap->keys);
    free(heap->priorities);
}

/* Copies n words to a buffer, or from it. */
static dmm_status copy(heap_library *heap, cl_mem to, cl_mem from, void *words, uint64_t n)
{
    const cl_command_queue queue = dmm_context_queue(heap->ctx);
    const size_t bytes = (size_t)n * sizeof(uint32_t);
    if (n == 0)
        return DMM_OK;
    return (
        dmm_status)(to ? clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes, words, 0, NULL, NULL)
                       : clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, words, 0, NULL, NULL));
}

dmm_status heap_library_update(heap_library *heap, const uint64_t *entries, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        heap->keys[i] = (uint32_t)(entries[i] >> 32);
        heap->priorities[i] = (uint32_t)entries[i];
    }
    dmm_status status = copy(heap, heap->in[0], NULL, heap->keys, n);
    if (status == DMM_OK)
        status = copy(heap, heap->in[1], NULL, heap->priorities, n);
    return status != DMM_OK ? status : run(heap, DMM_HEAP_UPDATE, n);
}

dmm_status heap_library_take(heap_library *heap, uint64_t *out, uint64_t *n)
{
    const uint64_t most = *n;
    dmm_status status = run(heap, DMM_HEAP_EXTRACT, most);
    if (status == DMM_OK)
        status = copy(heap, NULL, heap->n, n, sizeof *n / sizeof(uint32_t));
    if (status == DMM_OK && *n > most)
        return DMM_WRONG_RESULT;
    if (status == DMM_OK)
        status = copy(heap, NULL, heap->out[0], heap->keys, *n);
    if (status == DMM_OK)
        status = copy(heap, NULL, heap->out[1], heap->priorities, *n);
    for (uint64_t i = 0; i < *n && status == DMM_OK; i++)
        out[i] = DMM_LEVELS_ENTRY(heap->keys[i], heap->priorities[i]);
    return status;
}
