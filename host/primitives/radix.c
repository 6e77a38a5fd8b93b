/* SPDX-License-Identifier: MIT */
/*
 * Method radix: a pass a digit (cl/radix/radix.clh), all behind one another without a look at the data by
 * the host; or, for what one group holds at once, one launch.
 */
#include "primitives/sort.h"

#include "core/check.h"
#include "core/size.h"

/* Digits: of few items, short ones in the CPU form too, since every pass looks at all bins. */
enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11, CPU_SHORT_DIGIT_BITS = 8, CPU_FEW_ITEMS = 1 << 12 };
/* Two groups of the GPU form share a compute unit. */
enum { GPU_U = 128 };
/* Where a list of items outgrows the caches, the CPU form writes whole lines. */
enum { LINE_BYTES = 64, CPU_CACHED_BYTES = 1 << 24 };
/* A work-item of the CPU form sorts a tile of this many bytes alone. More items it divides into buckets
 * first, by the top bits: of at most a tile if evenly filled, enough of them for all compute units;
 * one of many tiles would leave the cache, and keep one unit busy for long. */
enum { CPU_TILE_BYTES = 1 << 16, CPU_BUCKETS_PER_UNIT = 4, CPU_MOST_TILES = 8 };
enum { MAX_PASSES = 1 + 8 };          /* a division, and 64 bits, 8 at a time */
enum { IN_OUTPUT = 1, IN_SPARE = 2 }; /* DMM_IN_ of cl/radix/radix.clh */

static dmm_footprint footprint_of(const dmm_sort *sort)
{
    dmm_footprint footprint = dmm_item_footprint(&sort->layout, &sort->ctx->device);
    footprint.cpu_tile_bytes = CPU_TILE_BYTES;
    footprint.gpu_u = GPU_U;
    footprint.cpu_digit = CPU_DIGIT_BITS;
    footprint.gpu_digit = GPU_DIGIT_BITS;
    footprint.lone_bytes = 1 << GPU_DIGIT_BITS; /* counting takes a byte a digit value */
    footprint.guarantee = sort->desc.guarantee;
    footprint.word = "sort.radix";
    dmm_radix_tile_footprint(&footprint, sort);
    return footprint;
}

static dmm_status choose_parameters(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    dmm_radix_sort *by = &sort->by.radix;
    const dmm_footprint footprint = footprint_of(sort);
    TRY(dmm_context_choose(&by->p, sort->ctx, &sort->desc.tuning, &footprint));
    by->digit_bits = by->p.digit;
out:
    return status;
}

static dmm_status choose(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *desc = &sort->desc;
    const dmm_device *device = &sort->ctx->device;
    dmm_radix_sort *by = &sort->by.radix;
    const int all = desc->bits.begin == 0 && desc->bits.end == 0;
    FAIL_IF(desc->order.less != NULL, DMM_UNSUPPORTED);
    TRY(dmm_item_layout_init(
        &sort->layout, device, &desc->order, desc->value_bytes, desc->argsort != 0, desc->max_n));
    sort->layout.ties =
        sort->layout.moved_bytes != 0; /* positions, to find values by; digits are stable */
    TRY(choose_parameters(sort));
    sort->max_n = dmm_item_limit(&sort->layout, desc->argsort != 0, desc->max_n);
    by->begin_bit = desc->bits.begin;
    by->end_bit = all ? 8 * sort->layout.key_bytes : desc->bits.end;
    by->least_buckets = (uint32_t)device->units.value * CPU_BUCKETS_PER_UNIT;
out:
    return status;
}

static dmm_status build(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &sort->ctx->programs;
    dmm_radix_sort *by = &sort->by.radix;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {
        .root = by->p.cpu ? "cl/radix/radix_cpu.cl" : "cl/radix/radix.cl",
        .options = &options,
        .prelude = ""};
    cl_program program = NULL;
    dmm_parameters_define(&options, &by->p, &sort->ctx->device);
    dmm_item_define(&options, &sort->layout, &sort->desc.order);
    dmm_values_define(&options, &sort->layout, sort->desc.argsort != 0, 1);
    dmm_options_define(&options, "DMM_DIGIT_BITS", by->digit_bits);
    TRY(dmm_radix_tile_define(&options, sort));
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_radix_count", by->p.u, &by->count));
    TRY(dmm_programs_kernel(programs, program, "dmm_radix_scatter", by->p.u, &by->scatter));
    TRY(dmm_programs_kernel(programs, program, "dmm_radix_settle", by->p.u, &by->settle));
    TRY(dmm_programs_kernel(programs, program, "dmm_radix_alone", by->p.u, &by->alone));
    if (by->p.cpu)
        TRY(dmm_programs_kernel(programs, program, "dmm_radix_buckets", by->p.u, &by->buckets));
    TRY(dmm_values_kernel(programs, program, &sort->layout, &by->gather));
    sort->gather = by->gather;
out:
    return status;
}

static uint64_t most_counts(const dmm_radix_sort *by, uint64_t groups)
{
    return dmm_size_mul(groups, (uint64_t)1 << by->digit_bits);
}

static dmm_status radix_init(dmm_sort *sort)
{
    dmm_status status = DMM_OK;
    dmm_radix_sort *by = &sort->by.radix;
    TRY(choose(sort));
    TRY(build(sort));
    const dmm_scan_desc scan = {.type = sort->layout.index_bytes == 8 ? DMM_U64 : DMM_U32,
        .op = DMM_SCAN_SUM,
        .exclusive = 1,
        .max_n = most_counts(by, by->p.most_groups),
        .tuning = {.form = by->p.cpu ? DMM_FORM_CPU : DMM_FORM_GPU}};
    TRY(dmm_scan_create(&by->scan, sort->ctx, &scan));
out:
    return status;
}

static void radix_destroy(dmm_sort *sort)
{
    dmm_radix_sort *by = &sort->by.radix;
    const cl_kernel kernels[] = {
        by->count, by->scatter, by->settle, by->buckets, by->alone, by->gather};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_scan_free(by->scan);
}

/* At most this many groups; never fewer for more items. */
static uint64_t most_groups(const dmm_radix_sort *by, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, by->p.tile);
    return tiles < by->p.most_groups ? tiles : by->p.most_groups;
}

/* Passes over n items by so many bits. */
static uint32_t count_passes(const dmm_radix_sort *by, uint64_t n, uint32_t bits)
{
    const uint32_t few = by->p.cpu && n < CPU_FEW_ITEMS;
    return (uint32_t)dmm_size_div_up(bits, few ? CPU_SHORT_DIGIT_BITS : by->digit_bits);
}

/* The top bits that n items are divided by; 0: they are not. */
static uint32_t top_bits_of(const dmm_radix_sort *by, uint64_t n)
{
    uint32_t bits = 0;
    if (!by->p.cpu || by->end_bit - by->begin_bit <= by->digit_bits)
        return 0;
    while (bits < by->digit_bits && (n >> bits > by->p.tile || 1u << bits < by->least_buckets))
        bits++;
    return bits;
}

static uint64_t most_in_bucket(const dmm_radix_sort *by)
{
    return CPU_MOST_TILES * (uint64_t)by->p.tile;
}

/* Does one launch of one group do it all? */
static int is_alone(const dmm_radix_sort *by, uint64_t n)
{
    return n <= by->p.tile && by->end_bit > by->begin_bit;
}

/* Does the CPU form write whole lines? */
static int combines(const dmm_sort *sort, uint64_t n)
{
    const uint32_t item_bytes = sort->layout.key_bytes + sort->layout.moved_bytes;
    return sort->by.radix.p.cpu && n >= CPU_CACHED_BYTES / item_bytes;
}

static int radix_needs_spare(const dmm_sort *sort, uint64_t n)
{
    return n > 0 && (sort->by.radix.p.cpu || !is_alone(&sort->by.radix, n));
}

/* What kernels keep for each digit and group: a line (CPU form), the next place (GPU form). */
static uint32_t own_bytes(const dmm_sort *sort, uint64_t n)
{
    const uint32_t key = sort->layout.key_bytes, moved = sort->layout.moved_bytes;
    if (!sort->by.radix.p.cpu)
        return sort->layout.index_bytes;
    return combines(sort, n) ? LINE_BYTES / (key > moved ? key : moved) * (key + moved) : 0;
}

/* The method's temp. */
typedef struct radix_layout {
    dmm_temp temp;
    uint64_t counts, state, own, scan;
} radix_layout;

static radix_layout lay_out(const dmm_sort *sort, uint64_t n)
{
    const dmm_radix_sort *by = &sort->by.radix;
    const dmm_item_layout *item = &sort->layout;
    const uint64_t counts = is_alone(by, n) ? 0 : most_counts(by, most_groups(by, n));
    uint64_t scan_bytes = 0;
    radix_layout l = {.counts = 0};
    dmm_scan_temp_bytes(&scan_bytes, by->scan, counts);
    l.counts = dmm_temp_region(&l.temp, counts, item->index_bytes);
    l.state = dmm_temp_region(&l.temp, counts != 0 ? MAX_PASSES : 0, sizeof(cl_uint));
    l.own = dmm_temp_region(&l.temp, counts, own_bytes(sort, n));
    l.scan = dmm_temp_region(&l.temp, scan_bytes, 1);
    return l;
}

static uint64_t radix_scratch_bytes(const dmm_sort *sort, uint64_t n)
{
    return lay_out(sort, n).temp.bytes;
}

/* What all launches of a call have in common, and after that, in what they differ. */
typedef struct radix_call {
    const dmm_sort_call *call;
    const radix_layout *layout;
    cl_ulong range;
    cl_uint groups, from_input;
    cl_uint pass, passes, begin_bit, end_bit;
    cl_ulong most; /* items of a bucket */
} radix_call;

/* Has the caller counted, and wants the values alone? */
static int is_counted(const dmm_sort_call *call)
{
    return call->counts.buffer != NULL;
}

static dmm_span part(const radix_call *c, uint64_t offset)
{
    return (dmm_span){c->call->scratch.buffer, c->call->scratch.offset_bytes + offset};
}

static dmm_status launch(
    const dmm_sort *sort, dmm_chain *chain, cl_kernel kernel, const radix_call *c, uint64_t groups)
{
    const dmm_radix_sort *by = &sort->by.radix;
    const dmm_item_layout *item = &sort->layout;
    const dmm_item_spans lists[3] = {c->call->in, c->call->out, c->call->spare};
    const dmm_span counts = is_counted(c->call) ? c->call->counts : part(c, c->layout->counts);
    const dmm_span state = part(c, c->layout->state), own = part(c, c->layout->own);
    const cl_ulong counts_at = dmm_span_items(counts, item->index_bytes);
    const cl_ulong state_at = dmm_span_items(state, sizeof(cl_uint));
    const cl_ulong own_at = dmm_span_items(own, sizeof(cl_ulong));
    const cl_ulong wide[] = {c->call->first, c->call->first + c->call->n, c->range, c->most};
    const cl_ulong count_at = dmm_span_items(c->call->count, DMM_COUNT_BYTES);
    const cl_uint combine = (cl_uint)combines(sort, c->call->n);
    const cl_uint drops = (cl_uint)is_counted(c->call);
    cl_ulong keys_at[3], values_at[3];
    cl_uint narrow[4];
    for (int i = 0; i < 3; i++) {
        keys_at[i] = dmm_span_items(lists[i].keys, item->key_bytes) - c->call->first;
        values_at[i] = dmm_span_items(lists[i].values, item->moved_bytes) - c->call->first;
    }
    const dmm_arg args[] = {DMM_ARG_SPAN(lists[0].keys, keys_at[0]),
        DMM_ARG_SPAN(lists[0].values, values_at[0]), DMM_ARG_SPAN(lists[1].keys, keys_at[1]),
        DMM_ARG_SPAN(lists[1].values, values_at[1]), DMM_ARG_SPAN(lists[2].keys, keys_at[2]),
        DMM_ARG_SPAN(lists[2].values, values_at[2]), DMM_ARG_SPAN(counts, counts_at),
        DMM_ARG_SPAN(state, state_at), DMM_ARG_SPAN(own, own_at),
        dmm_index_arg(item, &wide[0], &narrow[0]), dmm_index_arg(item, &wide[1], &narrow[1]),
        dmm_index_arg(item, &wide[2], &narrow[2]), DMM_ARG(c->groups), DMM_ARG(c->begin_bit),
        DMM_ARG(c->end_bit), DMM_ARG(c->pass), DMM_ARG(c->passes), DMM_ARG(c->from_input),
        DMM_ARG(combine), DMM_ARG(drops), dmm_index_arg(item, &wide[3], &narrow[3]),
        DMM_ARG_SPAN(c->call->count, count_at)};
    return dmm_chain_launch(
        chain, kernel, args, sizeof args / sizeof *args, (dmm_grid){0, groups, by->p.u});
}

static dmm_status scan_counts(const dmm_sort *sort, dmm_chain *chain, const radix_call *c)
{
    const dmm_span counts = part(c, c->layout->counts);
    const dmm_scan_args args = {.in = counts, .out = counts, .temp = part(c, c->layout->scan)};
    const uint64_t num_counts = (uint64_t)c->groups << (c->end_bit - c->begin_bit);
    cl_event done = NULL;
    const dmm_status status = dmm_scan_enqueue(
        sort->by.radix.scan, chain->queue, &args, num_counts, 1, &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

/* Counts, scans and moves by the bits of a pass. */
static dmm_status one_pass(const dmm_sort *sort, dmm_chain *chain, const radix_call *c)
{
    dmm_status status = DMM_OK;
    if (!is_counted(c->call)) {
        TRY(launch(sort, chain, sort->by.radix.count, c, c->groups));
        TRY(scan_counts(sort, chain, c));
    }
    TRY(launch(sort, chain, sort->by.radix.scatter, c, c->groups));
out:
    return status;
}

/* The input is read until a pass has moved the items; that one must not write to it. Otherwise, if
 * all passes move, the last one ends in the output. */
static cl_uint leave_input_for(const dmm_sort_call *call, uint32_t passes)
{
    const dmm_item_spans *in = &call->in, *out = &call->out;
    const int in_place = dmm_spans_equal(in->keys, out->keys) ||
                         (in->values.buffer != NULL && dmm_spans_equal(in->values, out->values));
    return in_place || passes % 2 == 0 ? IN_SPARE : IN_OUTPUT;
}

/* Divides by the top bits and sorts the buckets, if on the device none turns out too large. */
static dmm_status divide(const dmm_sort *sort, dmm_chain *chain, radix_call c, uint32_t bits)
{
    dmm_status status = DMM_OK;
    const dmm_radix_sort *by = &sort->by.radix;
    const uint32_t middle_bit = by->end_bit - bits;
    c.passes = count_passes(by, c.call->n, middle_bit - by->begin_bit);
    c.from_input = leave_input_for(c.call, 1 + c.passes);
    c.begin_bit = middle_bit;
    c.most = most_in_bucket(by);
    TRY(one_pass(sort, chain, &c));
    c.pass = 1;
    c.begin_bit = by->begin_bit;
    c.end_bit = middle_bit;
    TRY(launch(sort, chain, by->buckets, &c, (uint64_t)1 << bits));
out:
    return status;
}

static dmm_radix_shares share(const dmm_radix_sort *by, uint64_t n)
{
    uint64_t range = dmm_size_div_up(n, most_groups(by, n));
    if (!by->p.cpu)
        range = dmm_size_div_up(range, by->p.tile) * by->p.tile;
    return (dmm_radix_shares){dmm_size_div_up(n, range), range};
}

dmm_radix_shares dmm_radix_share(const dmm_radix_sort *by, uint64_t n)
{
    const int one_pass = by->p.cpu && by->end_bit - by->begin_bit <= by->digit_bits &&
                         count_passes(by, n, by->end_bit - by->begin_bit) == 1;
    return one_pass && n > by->p.tile ? share(by, n) : (dmm_radix_shares){0, 0};
}

static dmm_status radix_sort(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_radix_sort *by = &sort->by.radix;
    const radix_layout layout = lay_out(sort, call->n);
    const uint32_t bits = by->end_bit - by->begin_bit, top_bits = top_bits_of(by, call->n);
    const uint32_t passes = count_passes(by, call->n, bits);
    radix_call c = {.call = call,
        .layout = &layout,
        .range = call->n,
        .groups = 1,
        .from_input = leave_input_for(call, passes),
        .passes = passes,
        .begin_bit = by->begin_bit,
        .end_bit = by->end_bit};
    if (is_alone(by, call->n)) {
        TRY(launch(sort, chain, by->alone, &c, 1));
        goto out;
    }
    const dmm_radix_shares shares = share(by, call->n);
    c.range = shares.range;
    c.groups = (cl_uint)shares.groups;
    if (top_bits != 0) {
        TRY(divide(sort, chain, c, top_bits));
        if (call->n <= most_in_bucket(by)) /* none can be too large */
            goto out;
        c.pass = 1;
    }
    for (uint32_t p = 0; p < passes; p++, c.pass++) {
        c.begin_bit = by->begin_bit + bits * p / passes;
        c.end_bit = by->begin_bit + bits * (p + 1) / passes;
        TRY(one_pass(sort, chain, &c));
    }
    TRY(launch(sort, chain, by->settle, &c, c.groups));
out:
    return status;
}

const dmm_sort_steps dmm_sort_by_radix = {
    radix_init, radix_needs_spare, radix_scratch_bytes, radix_sort, radix_destroy};
