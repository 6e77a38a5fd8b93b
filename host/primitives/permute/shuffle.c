/* SPDX-License-Identifier: MIT */
/*
 * dmm_shuffle: gathers by the index function, or spreads by its inverse; first items, then values.
 */
#include "primitives/permute/shuffle.h"

#include <string.h>

#include "cl/permute/shuffle_call.clh"
#include "cl/shuffle.clh"
#include "core/check.h"
#include "core/embedded.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/words.h"

enum { CPU_LEAST_RANGE = 1024, DEFAULT_ITEM_BYTES = 4 };

/* These are the functions of the kernels: both compile cl/shuffle.clh. */
uint64_t dmm_shuffle_index(uint64_t seed, uint64_t n, uint64_t i)
{
    return dmm_shuffle_from(dmm_shuffle_begin(seed, n), i);
}

uint64_t dmm_shuffle_place(uint64_t seed, uint64_t n, uint64_t x)
{
    return dmm_shuffle_to(dmm_shuffle_begin(seed, n), x);
}

const char *dmm_shuffle_source(void)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (strcmp(source->name, "cl/shuffle.clh") != 0)
        source++;
    return source->text;
}

/* Sets the largest n for `indices`, where the items are numbers and not in memory. */
static dmm_status limit_indices(dmm_word_layout *words, uint64_t max_n)
{
    const uint64_t most = words->item_bytes == 4 ? (uint64_t)1 << 32 : UINT64_MAX;
    if (max_n > most)
        return dmm_refuse(DMM_BAD_VALUE, "max_n: is more than numbers of %u bytes can count",
            (unsigned)words->item_bytes);
    words->max_n = max_n != 0 ? max_n : most;
    words->index_bytes = words->max_n <= DMM_MAX_NARROW ? 4 : 8;
    return DMM_OK;
}

static dmm_status list_init(
    dmm_shuffle *shuffle, dmm_shuffle_list *list, uint32_t item_bytes, int indices, uint32_t tile)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = shuffle->object.ctx;
    const dmm_parameters *const p = &shuffle->p;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {
        .root = "cl/permute/shuffle.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    TRY(dmm_word_layout_init(&list->words, &ctx->device, item_bytes, shuffle->desc.max_n));
    if (indices)
        TRY(limit_indices(&list->words, shuffle->desc.max_n));
    dmm_options_parameters(&options, p, &ctx->device);
    dmm_word_define(&options, &list->words);
    dmm_options_define(&options, "DMM_INDICES", (uint64_t)indices);
    TRY(dmm_programs_get(&ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(shuffle, program, "dmm_shuffle_gather", p->u, &list->gather));
    if (!indices)
        TRY(dmm_spread_init(&list->spread, shuffle, &list->words, p, tile, 0, 0));
out:
    return status;
}

static dmm_status shuffle_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_shuffle *const shuffle = object;
    dmm_context *const ctx = shuffle->object.ctx;
    dmm_shuffle_desc *const desc = &shuffle->desc;
    if (desc->item_bytes == 0)
        desc->item_bytes = DEFAULT_ITEM_BYTES;
    const dmm_tuning tuning = dmm_tuning_over(&desc->tuning, &ctx->tuning);
    const dmm_footprint footprint = {.item_bytes = desc->item_bytes, .word = "shuffle"};
    FAIL_IF(desc->indices && desc->item_bytes != 4 && desc->item_bytes != 8,
        dmm_refuse(
            DMM_BAD_VALUE, "item_bytes: indices have 4 or 8, is %u", (unsigned)desc->item_bytes));
    TRY(dmm_context_choose(&shuffle->p, ctx, &desc->tuning, &footprint));
    TRY(list_init(shuffle, &shuffle->items, desc->item_bytes, desc->indices != 0, tuning.tile));
    shuffle->object.max_n = shuffle->items.words.max_n;
    if (desc->value_bytes == 0)
        goto out;
    TRY(list_init(shuffle, &shuffle->values, desc->value_bytes, 0, tuning.tile));
    if (shuffle->object.max_n > shuffle->values.words.max_n)
        shuffle->object.max_n = shuffle->values.words.max_n;
out:
    return status;
}

/* Returns the items that a call writes: the first m of the shuffled order; m = 0: all. */
static uint64_t count_of(const dmm_sizes *sizes)
{
    return sizes->m != 0 ? sizes->m : sizes->n;
}

static dmm_status shuffle_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_shuffle *const shuffle = object;
    if (sizes->n <= shuffle->object.max_n && sizes->m > sizes->n)
        return dmm_refuse(DMM_BAD_VALUE, "count: is %llu of %llu items",
            (unsigned long long)sizes->m, (unsigned long long)sizes->n);
    return dmm_object_check_n(shuffle, sizes->n);
}

static size_t shuffle_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_shuffle *const shuffle = object;
    const uint32_t bytes = shuffle->desc.item_bytes, value_bytes = shuffle->desc.value_bytes;
    const uint32_t read_bytes = shuffle->desc.indices ? 0 : bytes;
    const uint64_t n = sizes->n, count = count_of(sizes);
    const dmm_port list[] = {
        {DMM_READS(dmm_shuffle_args, in, n, read_bytes), .pair = 1},
        {DMM_READS(dmm_shuffle_args, values_in, n, value_bytes), .pair = 2},
        {DMM_WRITES(dmm_shuffle_args, out, count, bytes), .pair = 1},
        {DMM_WRITES(dmm_shuffle_args, values_out, count, value_bytes), .pair = 2},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

/* One list of a call: items or values. */
typedef struct list_call {
    const dmm_shuffle_list *list;
    dmm_span in, out;
    uint64_t seed, n, count;
} list_call;

static list_call items_of(const dmm_shuffle *shuffle, const dmm_call *call)
{
    const dmm_shuffle_args *const args = call->args;
    return (list_call){.list = &shuffle->items,
        .in = shuffle->desc.indices ? DMM_NONE : args->in,
        .out = args->out,
        .seed = args->seed,
        .n = call->sizes.n,
        .count = count_of(&call->sizes)};
}

static list_call values_of(const dmm_shuffle *shuffle, const dmm_call *call)
{
    const dmm_shuffle_args *const args = call->args;
    return (list_call){.list = &shuffle->values,
        .in = args->values_in,
        .out = args->values_out,
        .seed = args->seed,
        .n = call->sizes.n,
        .count = count_of(&call->sizes)};
}

static int is_spread(const list_call *c)
{
    return c->count == c->n && dmm_spread_takes(&c->list->spread, c->n);
}

/* True if a call gathers in place; it then reads from a copy. */
static int is_copied(const list_call *c)
{
    return !is_spread(c) && c->list->gather != NULL && c->in.buffer != NULL &&
           dmm_spans_equal(c->in, c->out);
}

/* A copy has one item more, for dmm_call_items. */
static uint64_t copy_bytes(const dmm_shuffle_list *list, uint64_t n)
{
    return dmm_size_mul(dmm_size_add(n, 1), list->words.item_bytes);
}

static uint64_t list_bytes(const list_call *c)
{
    if (is_spread(c))
        return dmm_spread_scratch_bytes(&c->list->spread, c->n);
    return is_copied(c) ? copy_bytes(c->list, c->n) : 0;
}

/* Returns an upper bound for calls of at most n items: copying many may take less than spreading
 * few. */
static uint64_t most_bytes(const dmm_shuffle_list *list, uint64_t n)
{
    const dmm_spread *const spread = &list->spread;
    const uint64_t spread_n = spread->tiles != NULL && n > spread->most_n ? spread->most_n : n;
    const uint64_t spread_bytes = dmm_spread_scratch_bytes(spread, spread_n);
    const uint64_t copy = copy_bytes(list, n);
    return list->gather == NULL || n == 0 ? 0 : spread_bytes > copy ? spread_bytes : copy;
}

enum { SCRATCH };

/* Lays out one scratch, which both lists use in turn. */
static void shuffle_lay_out(const void *object, dmm_call *call)
{
    const dmm_shuffle *const shuffle = object;
    const uint64_t n = call->sizes.n;
    uint64_t items = 0, values = 0;
    if (call->args == NULL) {
        items = shuffle->desc.indices ? 0 : most_bytes(&shuffle->items, n);
        values = most_bytes(&shuffle->values, n);
    } else {
        const list_call i = items_of(shuffle, call), v = values_of(shuffle, call);
        items = list_bytes(&i);
        values = list_bytes(&v);
    }
    dmm_call_region(call, SCRATCH, items > values ? items : values, 1);
}

static dmm_status launch_gather(
    const dmm_shuffle *shuffle, const dmm_call *call, const list_call *l, dmm_span in)
{
    const dmm_word_layout *const words = &l->list->words;
    const uint64_t share = dmm_size_div_up(l->count, shuffle->p.most_groups);
    const dmm_shuffle_call c = {.in_at = dmm_span_items(in, words->word_bytes),
        .out_at = dmm_span_items(l->out, words->word_bytes),
        .seed = l->seed,
        .n = l->n,
        .count = l->count,
        .range = share > CPU_LEAST_RANGE ? share : CPU_LEAST_RANGE};
    const uint64_t groups =
        shuffle->p.cpu ? dmm_size_div_up(l->count, c.range)
                       : dmm_size_div_up(dmm_size_mul(l->count, words->words), shuffle->p.u);
    return dmm_call_launch(call, l->list->gather, DMM_BUFFERS(in.buffer, l->out.buffer), &c,
        sizeof c, (dmm_grid){0, groups, shuffle->p.u});
}

static dmm_status move_list(const dmm_shuffle *shuffle, const dmm_call *call, const list_call *l)
{
    dmm_status status = DMM_OK;
    const uint32_t item_bytes = l->list->words.item_bytes;
    dmm_span in = l->in;
    if (l->list->gather == NULL || l->count == 0)
        goto out;
    if (is_spread(l)) {
        const dmm_spreading spreading = {.in = l->in,
            .out = l->out,
            .scratch = call->regions[SCRATCH],
            .seed = l->seed,
            .n = l->n};
        TRY(dmm_spread_move(&l->list->spread, call, &spreading));
        goto out;
    }
    if (is_copied(l)) {
        in = dmm_call_items(call, SCRATCH, item_bytes);
        TRY(dmm_chain_copy(call->chain, l->in, in, l->n * item_bytes));
    }
    TRY(launch_gather(shuffle, call, l, in));
out:
    return status;
}

static dmm_status shuffle_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_shuffle *const shuffle = object;
    const list_call items = items_of(shuffle, call), values = values_of(shuffle, call);
    TRY(move_list(shuffle, call, &items));
    TRY(move_list(shuffle, call, &values));
out:
    return status;
}

const dmm_class dmm_shuffle_class = {
    DMM_CLASS(dmm_shuffle),
    .word = "shuffle",
    .init = shuffle_init,
    .check = shuffle_check,
    .ports = shuffle_ports,
    .lay_out = shuffle_lay_out,
    .steps = shuffle_steps,
};

dmm_status dmm_shuffle_create(dmm_shuffle **out, dmm_context *ctx, const dmm_shuffle_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_shuffle_class, desc);
}

void dmm_shuffle_free(dmm_shuffle *shuffle)
{
    dmm_object_free(shuffle);
}

dmm_status dmm_shuffle_temp_bytes(uint64_t *out, const dmm_shuffle *shuffle, uint64_t n)
{
    return dmm_object_temp_bytes(out, shuffle, (dmm_sizes){.n = n});
}

dmm_status dmm_shuffle_enqueue(dmm_shuffle *shuffle, cl_command_queue queue,
    const dmm_shuffle_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .m = args != NULL ? args->count : 0};
    return dmm_object_enqueue(shuffle, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_shuffle_host(dmm_context *ctx, const dmm_shuffle_desc *desc, uint64_t seed,
    void *items, void *values, size_t n)
{
    dmm_shuffle_args args = {.seed = seed};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = items}, {.from = values}, {.to = items}, {.to = values}};
    return dmm_object_host(ctx, &dmm_shuffle_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}

dmm_status dmm_shuffle_sample_host(
    dmm_context *ctx, uint64_t seed, uint64_t n, size_t count, uint32_t index_bytes, void *out)
{
    const dmm_shuffle_desc desc = {.item_bytes = index_bytes, .indices = 1};
    const dmm_sizes sizes = {.n = count != 0 ? n : 0, .m = count};
    dmm_shuffle_args args = {.seed = seed, .count = count};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {[2] = {.to = out}};
    if (index_bytes == 0)
        return DMM_BAD_VALUE;
    return dmm_object_host(ctx, &dmm_shuffle_class, &desc, &args, sizes, arrays);
}
