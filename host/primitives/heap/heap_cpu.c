/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of heaps: a call is one launch of one work-item (cl/heap_cpu.cl).
 */
#include "primitives/heap/heap.h"

#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"

/* Regions of temp. */
enum { ENTRIES };

static dmm_status cpu_build(dmm_heap *heap)
{
    dmm_status status = DMM_OK;
    const dmm_order order = {.type = heap->desc.priority};
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = "cl/heap_cpu.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    dmm_options_parameters(&options, &heap->p, &heap->object.ctx->device);
    dmm_order_define(&options, &order);
    dmm_options_define(&options, "DMM_INDEX_BYTES", sizeof(uint64_t));
    dmm_options_define(&options, "DMM_ID_BYTES", heap->shape.key_bytes);
    TRY(dmm_programs_get(&heap->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_alone", 1, &heap->alone));
out:
    return status;
}

static void cpu_lay_out(const void *object, dmm_call *call)
{
    const dmm_heap_shape *const s = &((const dmm_heap *)object)->shape;
    dmm_call_region(call, ENTRIES, s->room + 3 * s->bulk, s->entry_bytes);
}

static dmm_heap_cpu_call numbers_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_args *const args = call->args;
    const dmm_heap_shape *const s = &heap->shape;
    const uint64_t heap_at = args->heap.offset_bytes;
    return (dmm_heap_cpu_call){
        .keys_in_at = dmm_span_items(args->keys_in, s->key_bytes),
        .priorities_in_at = dmm_span_items(args->priorities_in, s->priority_bytes),
        .keys_out_at = dmm_span_items(args->keys_out, s->key_bytes),
        .priorities_out_at = dmm_span_items(args->priorities_out, s->priority_bytes),
        .count_at = dmm_span_items(args->count_out, DMM_COUNT_BYTES),
        .report_at = dmm_span_items(args->report_out, sizeof(uint64_t)),
        .given_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .heap_at = heap_at,
        .table_at = heap_at + DMM_HEAP_TABLE_AT,
        .entries_at = heap_at + s->entries,
        .temp_at = call->regions[ENTRIES].offset_bytes,
        .op = call->sizes.m,
        .n = call->sizes.n,
        .turn = call->sizes.l,
        .mark = ~s->mark, /* the forms' heaps differ */
        .bulk = s->bulk,
        .room = s->room,
        .slots = DMM_HEAP_SLOTS(s->room),
        .entries = DMM_HEAP_SLOTS(s->room),
        .too_large = DMM_TOO_LARGE,
        .bad_value = DMM_BAD_VALUE,
        .bad_data = DMM_BAD_DATA,
    };
}

static dmm_status cpu_steps(const void *object, dmm_call *call)
{
    const dmm_heap *const heap = object;
    const dmm_heap_args *const args = call->args;
    const dmm_heap_cpu_call c = numbers_of(heap, call);
    return dmm_call_launch(call, heap->alone,
        DMM_BUFFERS(args->heap.buffer, call->regions[ENTRIES].buffer, args->keys_in.buffer,
            args->priorities_in.buffer, args->keys_out.buffer, args->priorities_out.buffer,
            args->count_out.buffer, args->report_out.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, 1, 1});
}

const dmm_heap_form dmm_heap_cpu = {cpu_build, cpu_lay_out, cpu_steps};
