/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of heaps: a call is one launch of one work-item (cl/heap_cpu.cl).
 */
#include "primitives/heap/heap.h"

#include "core/check.h"

/* Regions of temp. */
enum { ENTRIES };

static dmm_status cpu_build(dmm_heap *heap)
{
    dmm_status status = DMM_OK;
    cl_program program = NULL;
    TRY(dmm_heap_program(&program, heap, "cl/heap_cpu.cl", sizeof(uint64_t)));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_alone", 1, &heap->alone));
out:
    return status;
}

static void cpu_lay_out(const void *object, dmm_call *call)
{
    const dmm_heap_shape *const s = &((const dmm_heap *)object)->shape;
    dmm_call_region(call, ENTRIES, s->room + 3 * s->bulk, s->entry_bytes);
}

static dmm_status cpu_steps(const void *object, dmm_call *call)
{
    const dmm_heap *const heap = object;
    const dmm_heap_args *const args = call->args;
    const dmm_heap_ask ask = dmm_heap_ask_of(heap, call);
    const dmm_heap_cpu_call c = {.ask = ask,
        .table_at = ask.heap_at + DMM_HEAP_TABLE_AT,
        .entries_at = ask.heap_at + heap->shape.entries,
        .temp_at = call->regions[ENTRIES].offset_bytes,
        .slots = DMM_HEAP_SLOTS(heap->shape.room)};
    return dmm_call_launch(call, heap->alone,
        DMM_BUFFERS(args->heap.buffer, call->regions[ENTRIES].buffer, args->keys_in.buffer,
            args->priorities_in.buffer, args->keys_out.buffer, args->priorities_out.buffer,
            args->count_out.buffer, args->report_out.buffer, args->count.buffer),
        &c, sizeof c, (dmm_grid){0, 1, 1});
}

const dmm_heap_form dmm_heap_cpu = {cpu_build, cpu_lay_out, cpu_steps};
