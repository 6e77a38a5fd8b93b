/* SPDX-License-Identifier: MIT */
/*
 * Heaps: their layout, and the object. heap_call.c has the steps of a call.
 */
#include "primitives/heap/heap.h"

#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/index_width.h"
#include "primitives/order.h"

_Static_assert(DMM_HEAP_DOES_CLEAR == DMM_HEAP_CLEAR && DMM_HEAP_DOES_UPDATE == DMM_HEAP_UPDATE &&
                   DMM_HEAP_DOES_DELETE == DMM_HEAP_DELETE &&
                   DMM_HEAP_DOES_EXTRACT == DMM_HEAP_EXTRACT &&
                   DMM_HEAP_DOES_PEEK == DMM_HEAP_PEEK && DMM_HEAP_DOES_SIZE == DMM_HEAP_SIZE,
    "the kernels' numbers are those of dmm_heap_op");

enum { DEFAULT_KEY_BYTES = 4, DEFAULT_BULK = 1024, DEFAULT_CAPACITY = 1 << 20 };
enum { WORD_BYTES = 8, KIND_BYTES = 1, INDEX_BYTES = 4 };
enum { CPU_E = 4, CPU_TILE_BYTES = 1 << 12, GPU_E = 4 };

static int is_word(uint32_t bytes)
{
    return bytes == 4 || bytes == 8;
}

/* True if a heap with this number of levels never refuses an update that leaves at most `capacity`
 * items: between two calls that resolve all levels, it may receive each item again. */
static int suffices(uint64_t bulk, uint64_t capacity, uint32_t levels)
{
    const uint64_t calls = levels == 1 ? 1 : (uint64_t)1 << (2 * levels - 3);
    return DMM_HEAP_BUCKETS(bulk, levels) >= capacity + bulk * calls;
}

uint64_t dmm_heap_entries(const dmm_heap_shape *shape, uint32_t deepest)
{
    const uint32_t end = deepest + 1;
    return DMM_HEAP_BUCKETS(shape->bulk, end) + shape->bulk + DMM_HEAP_SIGNALS(shape->bulk, end);
}

uint32_t dmm_heap_deepest(const dmm_heap_shape *shape, dmm_heap_op op, uint64_t turn)
{
    uint32_t deepest = 0;
    if (op == DMM_HEAP_SIZE)
        return shape->levels - 1;
    while (deepest + 1 < shape->levels && (turn + 1) % ((uint64_t)2 << 2 * deepest) == 0)
        deepest++;
    return deepest;
}

/* Returns the offset of an array of `count` items, and moves *end behind it. */
static uint64_t place_array(uint64_t *end, uint64_t count, uint32_t item_bytes)
{
    const uint64_t at = *end;
    *end += dmm_size_div_up(count * item_bytes, WORD_BYTES) * WORD_BYTES;
    return at;
}

dmm_status dmm_heap_shape_init(dmm_heap_shape *out, const dmm_heap_desc *desc)
{
    dmm_heap_shape s = {.bulk = desc->bulk != 0 ? desc->bulk : DEFAULT_BULK,
        .key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES,
        .priority_bytes = dmm_type_bytes(desc->priority),
        .levels = 1};
    const uint64_t capacity = desc->capacity != 0 ? desc->capacity : DEFAULT_CAPACITY;
    if (!is_word(s.key_bytes) || !is_word(s.priority_bytes))
        return DMM_BAD_VALUE;
    if (s.bulk > DMM_MAX_NARROW || capacity > DMM_MAX_NARROW)
        return DMM_TOO_LARGE;
    while (!suffices(s.bulk, capacity, s.levels) && s.levels < DMM_HEAP_MOST_LEVELS)
        s.levels++;
    if (dmm_heap_entries(&s, s.levels - 1) > DMM_MAX_NARROW ||
        !suffices(s.bulk, capacity, s.levels))
        return DMM_TOO_LARGE;
    const uint64_t items = DMM_HEAP_BUCKETS(s.bulk, s.levels);
    const uint64_t signals = DMM_HEAP_SIGNALS(s.bulk, s.levels);
    s.bytes = sizeof(dmm_heap_levels);
    s.bucket_keys = place_array(&s.bytes, items, s.key_bytes);
    s.bucket_priorities = place_array(&s.bytes, items, s.priority_bytes);
    s.signal_keys = place_array(&s.bytes, signals, s.key_bytes);
    s.signal_priorities = place_array(&s.bytes, signals, s.priority_bytes);
    s.signal_kinds = place_array(&s.bytes, signals, KIND_BYTES);
    s.mark =
        ((((uint64_t)0x646d6d68 << 32 ^ s.bulk << 8) + s.levels) << 1 | (s.key_bytes == 8)) * 31 +
        (uint64_t)desc->priority;
    *out = s;
    return DMM_OK;
}

/* Returns the description of the parts' sorts. */
static dmm_sort_desc sort_desc(const dmm_heap *heap, dmm_type type)
{
    return (dmm_sort_desc){.order = {.type = type},
        .value_bytes = INDEX_BYTES,
        .argsort = 1,
        .guarantee = heap->desc.guarantee,
        .max_n = dmm_heap_entries(&heap->shape, heap->shape.levels - 1),
        .tuning = heap->desc.tuning};
}

static dmm_status build_parts(dmm_heap *heap)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc by_key = sort_desc(heap, heap->shape.key_bytes == 8 ? DMM_U64 : DMM_U32);
    const dmm_sort_desc by_priority = sort_desc(heap, heap->desc.priority);
    TRY(dmm_object_part(heap, &heap->by_key, &dmm_sort_class, &by_key));
    TRY(dmm_object_part(heap, &heap->by_priority, &dmm_sort_class, &by_priority));
    TRY(dmm_scan_part(heap, &heap->scan, INDEX_BYTES, by_key.max_n, heap->p.cpu));
out:
    return status;
}

static dmm_status build(dmm_heap *heap)
{
    dmm_status status = DMM_OK;
    const uint32_t u = heap->p.u;
    const dmm_order order = {.type = heap->desc.priority};
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = "cl/heap.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    dmm_options_parameters(&options, &heap->p, &heap->object.ctx->device);
    dmm_order_define(&options, &order);
    dmm_options_define(&options, "DMM_INDEX_BYTES", INDEX_BYTES);
    dmm_options_define(&options, "DMM_ID_BYTES", heap->shape.key_bytes);
    TRY(dmm_programs_get(&heap->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_begin", 1, &heap->begin));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_gather", u, &heap->gather));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_combine", u, &heap->combine));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_compact", u, &heap->compact));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_place", u, &heap->place));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_emit", u, &heap->emit));
out:
    return status;
}

static dmm_status heap_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_heap *const heap = object;
    TRY(dmm_heap_shape_init(&heap->shape, &heap->desc));
    heap->object.max_n = heap->shape.bulk;
    const dmm_footprint footprint = {
        .item_bytes = heap->shape.key_bytes + heap->shape.priority_bytes,
        .cpu_E = CPU_E,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_E = GPU_E,
        .word = "heap"};
    TRY(dmm_context_choose(&heap->p, heap->object.ctx, &heap->desc.tuning, &footprint));
    TRY(build(heap));
    TRY(build_parts(heap));
out:
    return status;
}

/* m: the operation; l: the turn. */
static dmm_status heap_check(const void *object, const dmm_sizes *sizes)
{
    if (sizes->m > DMM_HEAP_SIZE)
        return DMM_BAD_VALUE;
    return sizes->n > ((const dmm_heap *)object)->object.max_n ? DMM_TOO_LARGE : DMM_OK;
}

static size_t heap_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_heap_shape *const shape = &((const dmm_heap *)object)->shape;
    const uint32_t key = shape->key_bytes, priority = shape->priority_bytes;
    const uint64_t n = sizes->n;
    const int op = (int)sizes->m;
    const int updates = op == DMM_HEAP_UPDATE, deletes = op == DMM_HEAP_DELETE;
    const int takes = op == DMM_HEAP_EXTRACT || op == DMM_HEAP_PEEK;
    const uint32_t count = takes || op == DMM_HEAP_SIZE ? DMM_COUNT_BYTES : 0;
    const dmm_port list[] = {
        {DMM_WRITES(dmm_heap_args, heap, shape->bytes / WORD_BYTES, WORD_BYTES)},
        {DMM_READS(dmm_heap_args, keys_in, n, updates || deletes ? key : 0)},
        {DMM_READS(dmm_heap_args, priorities_in, n, updates ? priority : 0)},
        {DMM_WRITES(dmm_heap_args, keys_out, n, takes ? key : 0)},
        {DMM_WRITES(dmm_heap_args, priorities_out, n, takes ? priority : 0)},
        {DMM_WRITES(dmm_heap_args, count_out, 1, count)},
        {DMM_WRITES_REPORT(dmm_heap_args)},
        {DMM_READS_COUNT(dmm_heap_args)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

const dmm_class dmm_heap_class = {
    DMM_CLASS(dmm_heap),
    .word = "heap",
    .init = heap_init,
    .check = heap_check,
    .ports = heap_ports,
    .lay_out = dmm_heap_lay_out,
    .steps = dmm_heap_steps,
};

dmm_status dmm_heap_create(dmm_heap **out, dmm_context *ctx, const dmm_heap_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_heap_class, desc);
}

void dmm_heap_free(dmm_heap *heap)
{
    dmm_object_free(heap);
}

dmm_status dmm_heap_bytes(uint64_t *out, const dmm_heap_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_heap_shape shape;
    if (out == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    TRY(dmm_heap_shape_init(&shape, desc));
    *out = shape.bytes;
out:
    return status;
}

dmm_status dmm_heap_temp_bytes(uint64_t *out, const dmm_heap *heap, uint64_t n)
{
    return dmm_object_temp_bytes(out, heap, (dmm_sizes){.n = n, .m = DMM_HEAP_SIZE});
}

dmm_status dmm_heap_enqueue(dmm_heap *heap, cl_command_queue queue, const dmm_heap_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    dmm_sizes sizes = {.n = n};
    if (args != NULL) {
        sizes.m = (uint64_t)args->op;
        sizes.l = args->turn;
    }
    return dmm_object_enqueue(heap, queue, args, sizes, num_wait, wait, event);
}

/* True if a call that counts as a turn has changed the heap. */
static int has_run(const dmm_heap_host_args *host)
{
    dmm_heap_levels levels;
    memcpy(&levels, host->heap, sizeof levels);
    if (host->op == DMM_HEAP_CLEAR)
        return levels.mark != 0 && levels.turn == 0;
    return host->op == DMM_HEAP_PEEK || host->op == DMM_HEAP_SIZE || levels.turn == host->turn + 1;
}

dmm_status dmm_heap_host(
    dmm_context *ctx, const dmm_heap_desc *desc, const dmm_heap_host_args *host, size_t n)
{
    dmm_report report = {.code = 0};
    if (host == NULL)
        return DMM_NULL_ARGUMENT;
    dmm_heap_args args = {.op = host->op, .turn = host->turn, .temp = DMM_NONE};
    uint64_t count = 0;
    const int sizes = host->op == DMM_HEAP_SIZE;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = host->heap, .to = host->heap},
        {.from = host->keys_in},
        {.from = host->priorities_in},
        {.to = host->keys_out, .kept = &count},
        {.to = host->priorities_out, .kept = &count},
        {.to = sizes ? host->count_out : &count},
        {.to = &report},
    };
    const dmm_status status = dmm_object_host(ctx, &dmm_heap_class, desc, &args,
        (dmm_sizes){.n = n, .m = (uint64_t)host->op, .l = host->turn}, arrays);
    if (status == DMM_OK && !has_run(host))
        return DMM_WRONG_RESULT;
    if (status == DMM_OK && host->count_out != NULL && !sizes)
        *host->count_out = count;
    return status;
}
