/* SPDX-License-Identifier: MIT */
/*
 * Heaps: their layout, the object, and the GPU form's steps of a call: its kernels, two sorts and
 * two scans (cl/heap.cl).
 */
#include "primitives/heap/heap.h"

#include <string.h>

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/words.h"
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

/* Returns the most entries that resolving levels 0 .. deepest sorts. */
static uint64_t most_entries(const dmm_heap_shape *shape, uint32_t deepest)
{
    const uint32_t end = deepest + 1;
    return DMM_HEAP_BUCKETS(shape->bulk, end) + shape->bulk + DMM_HEAP_SIGNALS(shape->bulk, end);
}

/* Returns the deepest level that the call after `turn` others resolves. */
static uint32_t deepest_level(const dmm_heap_shape *shape, dmm_heap_op op, uint64_t turn)
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
    if (!is_word(s.key_bytes))
        return dmm_refuse(DMM_BAD_VALUE, "key_bytes: must be 4 or 8, is %u", (unsigned)s.key_bytes);
    if (!is_word(s.priority_bytes))
        return dmm_refuse(DMM_BAD_VALUE, "priority: must be a type of 4 or 8 bytes");
    if (s.bulk > DMM_MAX_NARROW || capacity > DMM_MAX_NARROW)
        return dmm_refuse(DMM_TOO_LARGE, "bulk or capacity: at most %llu items",
            (unsigned long long)DMM_MAX_NARROW);
    while (!suffices(s.bulk, capacity, s.levels) && s.levels < DMM_HEAP_MOST_LEVELS)
        s.levels++;
    if (most_entries(&s, s.levels - 1) > DMM_MAX_NARROW || !suffices(s.bulk, capacity, s.levels))
        return DMM_TOO_LARGE;
    const uint64_t items = DMM_HEAP_BUCKETS(s.bulk, s.levels);
    const uint64_t signals = DMM_HEAP_SIGNALS(s.bulk, s.levels);
    s.bytes = sizeof(dmm_heap_levels);
    s.bucket_keys = place_array(&s.bytes, items, s.key_bytes);
    s.bucket_priorities = place_array(&s.bytes, items, s.priority_bytes);
    s.signal_keys = place_array(&s.bytes, signals, s.key_bytes);
    s.signal_priorities = place_array(&s.bytes, signals, s.priority_bytes);
    s.signal_kinds = place_array(&s.bytes, signals, KIND_BYTES);
    s.room = capacity + s.bulk;
    s.entry_bytes = s.key_bytes == 4 && s.priority_bytes == 4 ? 8 : 16;
    s.entries = DMM_HEAP_TABLE_AT + (DMM_HEAP_SLOTS(s.room) + 1) * s.entry_bytes;
    const uint64_t cpu_bytes = s.entries + DMM_HEAP_SLOTS(s.room) * s.entry_bytes;
    s.bytes = cpu_bytes > s.bytes ? cpu_bytes : s.bytes;
    s.mark =
        ((((uint64_t)0x646d6d68 << 32 ^ s.bulk << 8) + s.levels) << 1 | (s.key_bytes == 8)) * 31 +
        (uint64_t)desc->priority;
    s.mark = s.mark * 0x9e3779b97f4a7c15 + s.room; /* the CPU form's layout follows from `room` */
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
        .max_n = most_entries(&heap->shape, heap->shape.levels - 1),
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

dmm_status dmm_heap_program(cl_program *out, dmm_heap *heap, const char *root, uint32_t index_bytes)
{
    const dmm_order order = {.type = heap->desc.priority};
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = root, .options = &options, .prelude = ""};
    dmm_options_parameters(&options, &heap->p, &heap->object.ctx->device);
    dmm_order_define(&options, &order);
    dmm_options_define(&options, "DMM_INDEX_BYTES", index_bytes);
    dmm_options_define(&options, "DMM_ID_BYTES", heap->shape.key_bytes);
    return dmm_programs_get(&heap->object.ctx->programs, &desc, out);
}

static dmm_status levels_build(dmm_heap *heap)
{
    dmm_status status = DMM_OK;
    const uint32_t u = heap->p.u;
    cl_program program = NULL;
    TRY(dmm_heap_program(&program, heap, "cl/heap.cl", INDEX_BYTES));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_begin", 1, &heap->begin));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_gather", u, &heap->gather));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_combine", u, &heap->combine));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_compact", u, &heap->compact));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_place", u, &heap->place));
    TRY(dmm_object_kernel(heap, program, "dmm_heap_emit", u, &heap->emit));
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

/* Regions of temp. PARTS: of one part at a time. */
enum { WORK, KEYS, PRIORITIES, KINDS, ORDER, MERGED, MERGED_KINDS, PLACES, FLAGS, RANKS, PARTS };

/* Returns the most entries that the call resolves. */
static uint64_t entries_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_op op = (dmm_heap_op)call->sizes.m;
    const int resolves = op != DMM_HEAP_CLEAR && op != DMM_HEAP_PEEK;
    const uint32_t deepest = deepest_level(&heap->shape, op, call->sizes.l);
    return resolves ? most_entries(&heap->shape, deepest) : 0;
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

static void levels_lay_out(const void *object, dmm_call *call)
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

dmm_heap_ask dmm_heap_ask_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_args *const args = call->args;
    const dmm_heap_shape *const s = &heap->shape;
    return (dmm_heap_ask){
        .keys_in_at = dmm_span_items(args->keys_in, s->key_bytes),
        .priorities_in_at = dmm_span_items(args->priorities_in, s->priority_bytes),
        .keys_out_at = dmm_span_items(args->keys_out, s->key_bytes),
        .priorities_out_at = dmm_span_items(args->priorities_out, s->priority_bytes),
        .count_at = dmm_span_items(args->count_out, DMM_COUNT_BYTES),
        .report_at = dmm_span_items(args->report_out, sizeof(uint64_t)),
        .given_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .heap_at = args->heap.offset_bytes,
        .op = call->sizes.m,
        .n = call->sizes.n,
        .turn = call->sizes.l,
        .mark = heap->p.cpu ? ~s->mark : s->mark, /* the forms' heaps differ */
        .bulk = s->bulk,
        .room = heap->p.cpu ? s->room : DMM_HEAP_BUCKETS(s->bulk, s->levels),
        .too_large = DMM_TOO_LARGE,
        .bad_value = DMM_BAD_VALUE,
        .bad_data = DMM_BAD_DATA,
    };
}

static dmm_heap_call numbers_of(const dmm_heap *heap, const dmm_call *call)
{
    const dmm_heap_shape *const s = &heap->shape;
    const dmm_span *const regions = call->regions;
    const dmm_heap_ask ask = dmm_heap_ask_of(heap, call);
    const uint64_t heap_at = ask.heap_at, entries = entries_of(heap, call);
    return (dmm_heap_call){
        .ask = ask,
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
        .levels = s->levels,
        .deepest = deepest_level(s, (dmm_heap_op)call->sizes.m, call->sizes.l),
        .entries = entries,
        .groups = groups_for(heap, entries > call->sizes.n ? entries : call->sizes.n),
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
        DMM_BUFFERS(args->heap.buffer, temp, args->count_out.buffer, args->report_out.buffer,
            args->count.buffer),
        c, sizeof *c, (dmm_grid){0, 1, 1}));
    if (c->ask.op == DMM_HEAP_CLEAR)
        goto out;
    TRY(dmm_call_launch(call, heap->gather,
        DMM_BUFFERS(args->heap.buffer, temp, args->keys_in.buffer, args->priorities_in.buffer,
            args->keys_out.buffer, args->priorities_out.buffer),
        c, sizeof *c, (dmm_grid){0, c->groups, heap->p.u}));
out:
    return status;
}

static dmm_status levels_steps(const void *object, dmm_call *call)
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

static const dmm_heap_form gpu_form = {levels_build, levels_lay_out, levels_steps};

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
    heap->form = heap->p.cpu ? &dmm_heap_cpu : &gpu_form;
    TRY(heap->form->build(heap));
out:
    return status;
}

static void heap_lay_out(const void *object, dmm_call *call)
{
    ((const dmm_heap *)object)->form->lay_out(object, call);
}

static dmm_status heap_steps(const void *object, dmm_call *call)
{
    return ((const dmm_heap *)object)->form->steps(object, call);
}

const dmm_class dmm_heap_class = {
    DMM_CLASS(dmm_heap),
    .word = "heap",
    .init = heap_init,
    .check = heap_check,
    .ports = heap_ports,
    .lay_out = heap_lay_out,
    .steps = heap_steps,
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
    dmm_heap_head head;
    memcpy(&head, host->heap, sizeof head);
    if (host->op == DMM_HEAP_CLEAR)
        return head.mark != 0 && head.turn == 0;
    return host->op == DMM_HEAP_PEEK || host->op == DMM_HEAP_SIZE || head.turn == host->turn + 1;
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
