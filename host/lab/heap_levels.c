/* SPDX-License-Identifier: MIT */
#include "lab/heap_levels.h"

#include <stdlib.h>

#include "cl/lab/heap_levels_call.clh"
#include "core/check.h"
#include "core/context.h"
#include "core/launch.h"
#include "core/opencl.h"
#include "core/options.h"
#include "lab/lab.h"

struct dmm_levels_heap {
    dmm_context *ctx; /* borrowed */
    dmm_levels_order order;
    uint64_t d, capacity, held; /* held: entries of all updates */
    uint32_t levels, u;
    cl_kernel resolve, take;
    cl_mem state, entries, taken;
    uint64_t times[DMM_LEVELS_MOST]; /* resolves of each level so far */
    dmm_levels_counts counts;
};

/* Returns the levels of which the last one holds so many items, so that it passes none on. */
static uint32_t levels_for(uint64_t d, uint64_t capacity)
{
    uint32_t levels = 1;
    while (levels <= DMM_LEVELS_MOST && DMM_LEVELS_CAPACITY(d, levels - 1) < capacity)
        levels++;
    return levels;
}

static dmm_status build(dmm_levels_heap *heap)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = heap->ctx;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    const dmm_device *const device = &ctx->device;
    const dmm_program_desc text = {.root = "cl/lab/heap_levels.cl",
        .options = &options,
        .prelude = "",
        .sources = dmm_lab_sources};
    const uint64_t banks = device->banks.value, lanes = device->lanes.value;
    heap->u = (uint32_t)(banks > lanes ? banks : lanes);
    const dmm_parameters p = {.u = heap->u, .E = 1, .tile = heap->u};
    dmm_options_parameters(&options, &p, device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", 8);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_programs_kernel(
        &ctx->programs, program, "dmm_levels_resolve", heap->u, &heap->resolve));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_levels_take", heap->u, &heap->take));
out:
    return status;
}

static dmm_status allocate(dmm_levels_heap *heap)
{
    dmm_levels_level state[DMM_LEVELS_MOST + 1] = {{0}};
    cl_int status = CL_SUCCESS;
    for (uint32_t i = 0; i <= heap->levels; i++)
        state[i].limit = DMM_LEVELS_NO_LIMIT;
    heap->state = clCreateBuffer(
        heap->ctx->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof state, state, &status);
    if (status == CL_SUCCESS)
        heap->entries = clCreateBuffer(heap->ctx->cl, CL_MEM_READ_WRITE,
            (size_t)DMM_LEVELS_AT(heap->d, heap->levels) * sizeof(uint64_t), NULL, &status);
    if (status == CL_SUCCESS)
        heap->taken = clCreateBuffer(heap->ctx->cl, CL_MEM_READ_WRITE,
            (size_t)(heap->d + 1) * sizeof(uint64_t), NULL, &status);
    return (dmm_status)status;
}

dmm_status dmm_levels_create(
    dmm_levels_heap **out, dmm_context *ctx, uint64_t d, uint64_t capacity, dmm_levels_order order)
{
    dmm_status status = DMM_OK;
    dmm_levels_heap *heap = NULL;
    *out = NULL;
    FAIL_IF(d == 0, DMM_BAD_VALUE);
    FAIL_IF(d > UINT64_C(1) << 20 || levels_for(d, capacity) > DMM_LEVELS_MOST, DMM_TOO_LARGE);
    heap = calloc(1, sizeof *heap);
    FAIL_IF(heap == NULL, DMM_OUT_OF_MEMORY);
    *heap = (dmm_levels_heap){.ctx = ctx,
        .order = order,
        .d = d,
        .capacity = capacity,
        .levels = levels_for(d, capacity)};
    TRY(build(heap));
    TRY(allocate(heap));
    *out = heap;
    heap = NULL;
out:
    dmm_levels_free(heap);
    return status;
}

void dmm_levels_free(dmm_levels_heap *heap)
{
    if (heap == NULL)
        return;
    const cl_mem buffers[] = {heap->state, heap->entries, heap->taken};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    if (heap->resolve != NULL)
        clReleaseKernel(heap->resolve);
    if (heap->take != NULL)
        clReleaseKernel(heap->take);
    free(heap);
}

/* True if level i must be resolved next, `is_called`: level 0, for a call. */
static int is_due(const dmm_levels_heap *heap, uint32_t i, int is_called)
{
    return i == 0 ? is_called : i < heap->levels && heap->times[i] < heap->times[i - 1] / 4;
}

/* Returns the levels of the next round: those that are due while the next deeper one is not. */
static uint64_t next_round(const dmm_levels_heap *heap, int is_called)
{
    uint64_t mask = 0;
    for (uint32_t i = heap->levels; i-- > 0;)
        if (is_due(heap, i, is_called) && !is_due(heap, i + 1, 0) &&
            (mask == 0 || heap->order == DMM_LEVELS_ABREAST))
            mask |= UINT64_C(1) << i;
    return mask;
}

static dmm_status enqueue_round(dmm_levels_heap *heap, dmm_chain *chain, uint64_t mask)
{
    const dmm_levels_call c = {.d = heap->d, .levels = heap->levels, .mask = mask};
    const dmm_arg args[] = {DMM_ARG(heap->state), DMM_ARG(heap->entries), DMM_ARG(c)};
    uint64_t width = 0;
    for (uint32_t i = 0; i < heap->levels; i++) {
        const uint64_t bit = mask >> i & 1;
        heap->times[i] += bit;
        width += bit;
    }
    heap->counts.rounds++;
    heap->counts.resolves += width;
    if (width > heap->counts.widest)
        heap->counts.widest = width;
    return dmm_chain_launch(chain, heap->resolve, args, sizeof args / sizeof *args,
        (dmm_grid){.groups = width, .u = heap->u});
}

/* Resolves what the call needs: level 0, once what it waits for is done. A level at a time also
 * those that are due behind it, as Algorithm 1 does. */
static dmm_status resolve(dmm_levels_heap *heap, dmm_chain *chain)
{
    dmm_status status = DMM_OK;
    int is_called = 1;
    heap->counts.calls++;
    while (is_called || heap->order == DMM_LEVELS_SERIAL) {
        const uint64_t mask = next_round(heap, is_called);
        if (mask == 0)
            break;
        TRY(enqueue_round(heap, chain, mask));
        is_called &= (mask & 1) == 0;
    }
out:
    return status;
}

/* Ends a chain and waits for it. */
static dmm_status finish(dmm_chain *chain, dmm_status status)
{
    cl_event last = NULL;
    status = dmm_chain_end(chain, status, &last);
    if (last == NULL)
        return status;
    const cl_int waited = clWaitForEvents(1, &last);
    clReleaseEvent(last);
    return status != DMM_OK ? status : (dmm_status)waited;
}

dmm_status dmm_levels_update(dmm_levels_heap *heap, const uint64_t *entries, uint64_t n)
{
    dmm_status status = DMM_OK;
    const cl_command_queue queue = heap->ctx->queue;
    dmm_chain chain = {.queue = queue};
    if (n > heap->d || n > heap->capacity - heap->held)
        return DMM_TOO_LARGE;
    if (n > 0)
        TRY((dmm_status)clEnqueueWriteBuffer(queue, heap->entries, CL_TRUE,
            (size_t)(2 * DMM_LEVELS_BUCKET(heap->d, 0)) * sizeof *entries,
            (size_t)n * sizeof *entries, entries, 0, NULL, NULL));
    TRY((dmm_status)clEnqueueWriteBuffer(queue, heap->state, CL_TRUE,
        offsetof(dmm_levels_level, signals), sizeof n, &n, 0, NULL, NULL));
    heap->held += n;
    status = resolve(heap, &chain);
    return finish(&chain, status);
out:
    return status;
}

dmm_status dmm_levels_take(dmm_levels_heap *heap, uint64_t *out, uint64_t *n)
{
    dmm_status status = DMM_OK;
    const cl_command_queue queue = heap->ctx->queue;
    dmm_chain chain = {.queue = queue};
    const dmm_levels_call c = {.d = heap->d, .levels = heap->levels, .n = *n};
    const dmm_arg args[] = {
        DMM_ARG(heap->state), DMM_ARG(heap->entries), DMM_ARG(heap->taken), DMM_ARG(c)};
    if (*n > heap->d)
        return DMM_TOO_LARGE;
    TRY(dmm_chain_launch(&chain, heap->take, args, sizeof args / sizeof *args,
        (dmm_grid){.groups = 1, .u = heap->u}));
    TRY(resolve(heap, &chain));
out:
    status = finish(&chain, status);
    if (status == DMM_OK)
        status = (dmm_status)clEnqueueReadBuffer(
            queue, heap->taken, CL_TRUE, 0, sizeof *n, n, 0, NULL, NULL);
    if (status == DMM_OK && *n > heap->d)
        return DMM_WRONG_RESULT;
    if (status == DMM_OK && *n > 0)
        status = (dmm_status)clEnqueueReadBuffer(
            queue, heap->taken, CL_TRUE, sizeof *n, (size_t)*n * sizeof *out, out, 0, NULL, NULL);
    return status;
}

dmm_status dmm_levels_count(dmm_levels_counts *out, dmm_levels_heap *heap)
{
    dmm_levels_level state[DMM_LEVELS_MOST + 1];
    const cl_int status = clEnqueueReadBuffer(
        heap->ctx->queue, heap->state, CL_TRUE, 0, sizeof state, state, 0, NULL, NULL);
    *out = heap->counts;
    for (uint32_t i = 0; status == CL_SUCCESS && i < heap->levels; i++) {
        const double full = (double)state[i].fullest / (double)(heap->d << 2 * i);
        out->fullest = full > out->fullest ? full : out->fullest;
    }
    return (dmm_status)status;
}
