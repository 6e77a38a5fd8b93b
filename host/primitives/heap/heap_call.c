/* SPDX-License-Identifier: MIT */
/*
 * The steps of a call on a heap: its kernels, two sorts and two scans (cl/heap.cl).
 */
#include "core/check.h"
#include "core/size.h"
#include "primitives/heap/heap.h"

enum { INDEX_BYTES = 4, KIND_BYTES = 1 };

/* Regions of temp. PARTS: of one part at a time. */
enum { WORK, KEYS, PRIORITIES, KINDS, ORDER, MERGED, MERGED_KINDS, PLACES, FLAGS, RANKS, PARTS };

/* Returns the most entries that the call resolves. */
static uint64_t entries_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_op op = (dmm_heap_op)call->sizes.m;
    const int resolves = op != DMM_HEAP_CLEAR && op != DMM_HEAP_PEEK;
    const uint32_t deepest = dmm_heap_deepest(&heap->shape, op, call->sizes.l);
    return resolves ? dmm_heap_entries(&heap->shape, deepest) : 0;
}

/* Returns the bytes of temp that any one of the parts needs for n items; UINT64_MAX: too many. */
static uint64_t bytes_of_parts(const dmm_heap *heap, uint64_t n)
{
    const void *const parts[] = {heap->by_key, heap->by_priority, heap->scan};
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint64_t bytes = 0;
        if (dmm_object_temp_bytes(&bytes, parts[i], (dmm_sizes){.n = n}) != DMM_OK)
            return UINT64_MAX;
        most = bytes > most ? bytes : most;
    }
    return most;
}

void dmm_heap_lay_out(const void *object, dmm_call *call)
{
    const dmm_heap *const heap = object;
    const uint64_t n = entries_of(heap, call);
    dmm_call_region(call, WORK, 1, sizeof(dmm_heap_work));
    dmm_call_region(call, KEYS, n, heap->shape.key_bytes);
    dmm_call_region(call, PRIORITIES, n, heap->shape.priority_bytes);
    dmm_call_region(call, KINDS, n, KIND_BYTES);
    dmm_call_region(call, ORDER, n, INDEX_BYTES);
    dmm_call_region(call, MERGED, n, heap->shape.priority_bytes);
    dmm_call_region(call, MERGED_KINDS, n, KIND_BYTES);
    dmm_call_region(call, PLACES, n, INDEX_BYTES);
    dmm_call_region(call, FLAGS, n, INDEX_BYTES);
    dmm_call_region(call, RANKS, n, INDEX_BYTES);
    dmm_call_region(call, PARTS, bytes_of_parts(heap, n), 1);
}

/* Returns the groups for n entries. */
static uint64_t groups_for(const dmm_heap *heap, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, heap->p.tile);
    return tiles == 0 ? 1 : tiles < heap->p.most_groups ? tiles : heap->p.most_groups;
}

static dmm_heap_call numbers_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_args *const args = call->args;
    const dmm_heap_shape *const s = &heap->shape;
    const dmm_span *const regions = call->regions;
    const uint64_t heap_at = args->heap.offset_bytes;
    const uint64_t entries = entries_of(heap, call);
    return (dmm_heap_call){
        .keys_in_at = dmm_span_items(args->keys_in, s->key_bytes),
        .priorities_in_at = dmm_span_items(args->priorities_in, s->priority_bytes),
        .keys_out_at = dmm_span_items(args->keys_out, s->key_bytes),
        .priorities_out_at = dmm_span_items(args->priorities_out, s->priority_bytes),
        .count_at = dmm_span_items(args->count_out, DMM_COUNT_BYTES),
        .report_at = dmm_span_items(args->report, sizeof(uint64_t)),
        .given_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .heap_at = heap_at,
        .bucket_keys_at = heap_at + s->bucket_keys,
        .bucket_priorities_at = heap_at + s->bucket_priorities,
        .signal_keys_at = heap_at + s->signal_keys,
        .signal_priorities_at = heap_at + s->signal_priorities,
        .signal_kinds_at = heap_at + s->signal_kinds,
        .work_at = regions[WORK].offset_bytes,
        .keys_at = regions[KEYS].offset_bytes,
        .priorities_at = regions[PRIORITIES].offset_bytes,
        .kinds_at = regions[KINDS].offset_bytes,
        .order_at = regions[ORDER].offset_bytes,
        .merged_at = regions[MERGED].offset_bytes,
        .merged_kinds_at = regions[MERGED_KINDS].offset_bytes,
        .places_at = regions[PLACES].offset_bytes,
        .flags_at = regions[FLAGS].offset_bytes,
        .ranks_at = regions[RANKS].offset_bytes,
        .op = call->sizes.m,
        .n = call->sizes.n,
        .turn = call->sizes.l,
        .mark = s->mark,
        .bulk = s->bulk,
        .levels = s->levels,
        .deepest = dmm_heap_deepest(s, (dmm_heap_op)call->sizes.m, call->sizes.l),
        .entries = entries,
        .groups = groups_for(heap, entries > call->sizes.n ? entries : call->sizes.n),
        .too_large = DMM_TOO_LARGE,
        .bad_value = DMM_BAD_VALUE,
        .bad_data = DMM_BAD_DATA,
    };
}

/* Returns the place of a number of the work, as the count of a part. */
static dmm_span work_span(const dmm_call *call, size_t at)
{
    return (dmm_span){call->regions[WORK].buffer, call->regions[WORK].offset_bytes + at};
}

/* Sorts keys in place, and stores where each came from. */
static dmm_status sort(const dmm_call *call, const dmm_sort *by, dmm_span keys, dmm_span from,
    size_t count_at, uint64_t n)
{
    const dmm_sort_args args = {.keys_in = keys,
        .keys_out = keys,
        .values_out = from,
        .temp = call->regions[PARTS],
        .count = work_span(call, count_at)};
    return dmm_call_run(call, by, &args, (dmm_sizes){.n = n});
}

static dmm_status scan_flags(const dmm_heap *heap, const dmm_call *call, uint64_t n)
{
    const dmm_scan_args args = {.in = call->regions[FLAGS],
        .out = call->regions[RANKS],
        .temp = call->regions[PARTS],
        .count = work_span(call, offsetof(dmm_heap_work, items))};
    return dmm_call_run(call, heap->scan, &args, (dmm_sizes){.n = n});
}

static dmm_status launch(
    const dmm_heap *heap, const dmm_call *call, cl_kernel kernel, const dmm_heap_call *c)
{
    const dmm_heap_args *const args = call->args;
    return dmm_call_launch(call, kernel, DMM_BUFFERS(args->heap.buffer, call->regions[WORK].buffer),
        c, sizeof *c, (dmm_grid){0, c->groups, heap->p.u});
}

/* Checks the call, and lists the entries that it resolves. */
static dmm_status begin(const dmm_heap *heap, const dmm_call *call, const dmm_heap_call *c)
{
    dmm_status status = DMM_OK;
    const dmm_heap_args *const args = call->args;
    const cl_mem temp = call->regions[WORK].buffer;
    TRY(dmm_chain_fill(call->chain, call->regions[WORK], 0, sizeof(dmm_heap_work)));
    TRY(dmm_call_launch(call, heap->begin,
        DMM_BUFFERS(args->heap.buffer, temp, args->count_out.buffer, args->report.buffer,
            args->count.buffer),
        c, sizeof *c, (dmm_grid){0, 1, 1}));
    if (c->op == DMM_HEAP_CLEAR)
        goto out;
    TRY(dmm_call_launch(call, heap->gather,
        DMM_BUFFERS(args->heap.buffer, temp, args->keys_in.buffer, args->priorities_in.buffer,
            args->keys_out.buffer, args->priorities_out.buffer),
        c, sizeof *c, (dmm_grid){0, c->groups, heap->p.u}));
out:
    return status;
}

dmm_status dmm_heap_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_heap *const heap = object;
    const dmm_heap_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const dmm_heap_call c = numbers_of(heap, call);
    const uint64_t n = entries_of(heap, call);
    TRY(begin(heap, call, &c));
    if (n == 0)
        goto out;
    TRY(sort(call, heap->by_key, regions[KEYS], regions[ORDER], offsetof(dmm_heap_work, items), n));
    TRY(launch(heap, call, heap->combine, &c));
    TRY(scan_flags(heap, call, n));
    TRY(launch(heap, call, heap->compact, &c));
    TRY(sort(call, heap->by_priority, regions[PRIORITIES], regions[PLACES],
        offsetof(dmm_heap_work, candidates), n));
    TRY(launch(heap, call, heap->place, &c));
    if (c.deepest + 1 < c.levels)
        TRY(scan_flags(heap, call, n));
    TRY(dmm_call_launch(call, heap->emit,
        DMM_BUFFERS(args->heap.buffer, regions[WORK].buffer, args->count_out.buffer), &c, sizeof c,
        (dmm_grid){0, c.groups, heap->p.u}));
out:
    return status;
}
