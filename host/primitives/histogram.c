/* SPDX-License-Identifier: MIT */
/*
 * Each group counts a range of the labels; then the groups' counts are added.
 */
#include <dmm/histogram.h>

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "cl/histogram_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/order.h"
#include "primitives/prelude.h"
#include "primitives/words.h"

_Static_assert(DMM_HISTOGRAM_LABELS == DMM_BY_LABELS && DMM_HISTOGRAM_EDGES == DMM_BY_EDGES &&
                   DMM_HISTOGRAM_EVEN == DMM_BY_EVEN,
    "kernels number them alike");

enum { MAX_CHANNELS = 256 };
enum { MAX_BINS = 1 << 16, MAX_COLUMN_BINS = 1 << 8, DEFAULT_BINS = 256 };
/* Largest columns of a group with which two groups share a compute unit, and the groups that do. */
enum { GPU_COLUMN_BYTES = 1 << 15, GPU_GROUPS = 2, GPU_U = 512, GPU_OWN_U = 256 };
/* Most labels of a range, so that 32-bit counters suffice. */
enum { MAX_RANGE = 1 << 30, COUNT_BYTES = 8, LOAD_BYTES = 4 };
enum { ROWS };

struct dmm_histogram {
    dmm_object object;
    dmm_histogram_desc desc;
    dmm_word_layout labels;
    dmm_mapping mapping;
    dmm_parameters p;
    uint32_t counter_bits; /* bits of a counter in local memory; 0: counters are in global memory */
    int shares_columns;    /* a column is one bank's; otherwise a work-item's */
    uint32_t labels_a_load; /* labels in the same word that are read at a time */
    cl_kernel count, total;
};

static dmm_status check_desc(const dmm_histogram_desc *desc)
{
    const dmm_type type = desc->type;
    if ((unsigned)desc->by > DMM_HISTOGRAM_EVEN)
        return dmm_refuse(DMM_BAD_VALUE, "by: %d is no dmm_histogram_by", (int)desc->by);
    if (desc->channels > MAX_CHANNELS || desc->counted > desc->channels)
        return dmm_refuse(DMM_BAD_VALUE, "channels: are %u, %llu of them counted, must be 1 to %d",
            (unsigned)desc->channels, (unsigned long long)desc->counted, MAX_CHANNELS);
    if (desc->by != DMM_HISTOGRAM_LABELS && dmm_type_bytes(type) == 0)
        return dmm_refuse(DMM_BAD_VALUE, "type: by edges, must be any type but DMM_ITEM");
    if (desc->by == DMM_HISTOGRAM_LABELS && type != DMM_U8 && type != DMM_U16 && type != DMM_U32)
        return dmm_refuse(DMM_BAD_VALUE, "type: labels are u8, u16 or u32");
    if (desc->bins < 1 || desc->bins > MAX_BINS)
        return dmm_refuse(DMM_BAD_VALUE, "bins: is %llu, must be 1 to %llu",
            (unsigned long long)desc->bins, (unsigned long long)MAX_BINS);
    return DMM_OK;
}

/* Returns the bytes of a column of counters: whole words of a bank. */
static uint64_t column_bytes(const dmm_histogram *histogram, uint32_t bits)
{
    const uint64_t word = histogram->object.ctx->device.bank_bytes.value;
    return dmm_size_div_up((uint64_t)histogram->desc.bins * bits / 8, word) * word;
}

/* Chooses counters: of 32 bits if a column for each bank fits, or of 16; of 8 bits, which are not
 * shared, since few labels would fill them; or in global memory. */
static void choose_counters(dmm_histogram *histogram, dmm_footprint *footprint)
{
    const dmm_device *device = &histogram->object.ctx->device;
    const uint64_t banks = device->banks.value, local = device->local_bytes.value;
    const uint64_t space = local < GPU_COLUMN_BYTES ? local : GPU_COLUMN_BYTES;
    if (histogram->desc.bins > MAX_COLUMN_BINS)
        return;
    for (uint32_t bits = 32; bits > 8 && histogram->counter_bits == 0; bits /= 2)
        if (banks * column_bytes(histogram, bits) <= space) {
            histogram->counter_bits = bits;
            histogram->shares_columns = 1;
            footprint->gpu_u = GPU_U;
            footprint->fixed_bytes = (uint32_t)(banks * column_bytes(histogram, bits));
        }
    if (histogram->counter_bits != 0 || banks * column_bytes(histogram, 8) > local)
        return;
    uint64_t u = GPU_OWN_U;
    while (u > banks && (u * column_bytes(histogram, 8) > space || u > device->max_group.value))
        u /= 2;
    histogram->counter_bits = 8;
    footprint->gpu_u = (uint32_t)u;
    footprint->group_bytes = (uint32_t)column_bytes(histogram, 8);
}

static dmm_status choose(dmm_histogram *histogram)
{
    dmm_status status = DMM_OK;
    const dmm_tuning *const tuning = &histogram->desc.tuning;
    const uint32_t units = (uint32_t)histogram->object.ctx->device.units.value;
    const int bare = histogram->desc.by == DMM_HISTOGRAM_LABELS && histogram->desc.channels == 1 &&
                     histogram->desc.map == NULL;
    dmm_footprint footprint = {
        .item_bytes = histogram->labels.item_bytes, .lone_bytes = COUNT_BYTES, .word = "histogram"};
    dmm_parameters *const p = &histogram->p;
    if (!dmm_context_is_cpu(histogram->object.ctx, tuning))
        choose_counters(histogram, &footprint);
    TRY(dmm_context_choose(p, histogram->object.ctx, tuning, &footprint));
    if (histogram->shares_columns && p->most_groups > GPU_GROUPS * units)
        p->most_groups = GPU_GROUPS * units;
    histogram->labels_a_load = 1;
    while (bare && histogram->labels_a_load * histogram->labels.item_bytes < LOAD_BYTES &&
           p->E % (2 * histogram->labels_a_load) == 0)
        histogram->labels_a_load *= 2;
out:
    return status;
}

/* True if the device computes with numbers of the items' type. */
static int can_compute(const dmm_histogram *histogram)
{
    return histogram->desc.type != DMM_F64 || histogram->object.ctx->device.fp64.value;
}

static dmm_status build(dmm_histogram *histogram)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &histogram->object.ctx->programs;
    const dmm_device *device = &histogram->object.ctx->device;
    dmm_options options = {.bytes = 0};
    const uint32_t u = histogram->p.u, banks = (uint32_t)device->banks.value;
    const dmm_type type = histogram->desc.type;
    char *const prelude = dmm_mapping_prelude(
        dmm_prelude_halves(dmm_prelude_new(), type), histogram->desc.map, type, 0);
    const dmm_program_desc desc = {
        .root = "cl/histogram.cl", .options = &options, .prelude = prelude};
    cl_program program = NULL;
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &histogram->p, device);
    const dmm_order order = {
        .type = histogram->desc.type, .zero_equal = histogram->desc.type >= DMM_F16};
    dmm_options_define(&options, "DMM_INDEX_BYTES", histogram->labels.index_bytes);
    dmm_order_define(&options, &order);
    dmm_mapping_define(&options, &histogram->mapping);
    dmm_options_define(&options, "DMM_HISTOGRAM_BY", histogram->desc.by);
    dmm_options_define(&options, "DMM_GUESSES",
        histogram->desc.by == DMM_HISTOGRAM_EVEN && can_compute(histogram));
    dmm_options_define(&options, "DMM_HISTOGRAM_BINS", histogram->desc.bins);
    if (histogram->counter_bits != 0) {
        dmm_options_define(&options, "DMM_COLUMN_BINS", histogram->desc.bins);
        dmm_options_define(&options, "DMM_COUNTER_BITS", histogram->counter_bits);
        dmm_options_define(&options, "DMM_COLUMNS", histogram->shares_columns ? banks : u);
        dmm_options_define(&options, "DMM_LABELS_A_LOAD", histogram->labels_a_load);
    }
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_object_kernel(histogram, program, "dmm_histogram_count", u, &histogram->count));
    TRY(dmm_object_kernel(histogram, program, "dmm_histogram_total", u, &histogram->total));
out:
    free(prelude);
    return status;
}

static dmm_status histogram_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_histogram *const histogram = object;
    dmm_histogram_desc *const desc = &histogram->desc;
    desc->bins = desc->bins != 0 ? desc->bins : DEFAULT_BINS;
    desc->channels = desc->channels != 0 ? desc->channels : 1;
    desc->counted = desc->counted != 0 ? desc->counted : desc->channels;
    TRY(check_desc(desc));
    TRY(dmm_mapping_init(
        &histogram->mapping, desc->map, desc->type, &histogram->object.ctx->device, 0));
    TRY(dmm_word_layout_init(&histogram->labels, &histogram->object.ctx->device,
        dmm_type_bytes(desc->type), desc->max_n));
    histogram->object.max_n = histogram->labels.max_n / (desc->max_n != 0 ? 1 : desc->channels);
    TRY(choose(histogram));
    TRY(build(histogram));
out:
    return status;
}

static size_t histogram_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_histogram *const histogram = object;
    const dmm_histogram_desc *const desc = &histogram->desc;
    const dmm_mapping *const mapping = &histogram->mapping;
    const uint32_t bytes = histogram->labels.item_bytes;
    const uint64_t items = dmm_size_mul(sizes->n, desc->channels);
    const dmm_port list[] = {
        {DMM_READS(dmm_histogram_args, labels, items, dmm_mapping_in(mapping, bytes))},
        {DMM_WRITES(dmm_histogram_args, counts_out, desc->counted * desc->bins, COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_histogram_args)},
        {DMM_READS(dmm_histogram_args, edges, (uint64_t)desc->bins + 1,
            desc->by != DMM_HISTOGRAM_LABELS ? bytes : 0)},
    };
    (void)args;
    return dmm_mapping_ports(
        mapping, offsetof(dmm_histogram_args, further), sizes->n, ports, DMM_PORTS(ports, list));
}

/* Returns an upper bound, monotone in n, of the groups that count n labels. */
static uint64_t most_groups(const dmm_histogram *histogram, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, histogram->p.tile);
    const uint64_t least = dmm_size_div_up(n, MAX_RANGE);
    const uint64_t groups = tiles < histogram->p.most_groups ? tiles : histogram->p.most_groups;
    return groups > least ? groups : least;
}

/* Returns the labels a group: whole words. */
static uint64_t range_of(const dmm_histogram *histogram, uint64_t n)
{
    const uint64_t word = histogram->labels_a_load;
    const uint64_t labels = n != 0 ? dmm_size_div_up(n, most_groups(histogram, n)) : 1;
    return dmm_size_div_up(labels, word) * word;
}

static void histogram_lay_out(const void *object, dmm_call *call)
{
    const dmm_histogram *const histogram = object;
    const uint64_t groups = most_groups(histogram, call->sizes.n);
    dmm_call_region(call, ROWS, dmm_size_mul(groups, histogram->desc.bins), sizeof(dmm_u32));
}

static dmm_status histogram_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_histogram *const histogram = object;
    const dmm_histogram_args *const args = call->args;
    const uint32_t u = histogram->p.u, bins = histogram->desc.bins;
    const uint64_t n = call->sizes.n;
    const uint64_t range = range_of(histogram, n);
    const dmm_span rows = call->regions[ROWS];
    dmm_histogram_call c = {.labels_at = dmm_span_items(args->labels,
                                dmm_mapping_in(&histogram->mapping, histogram->labels.item_bytes)),
        .rows_at = dmm_span_items(rows, sizeof(dmm_u32)),
        .counts_at = dmm_span_items(args->counts_out, COUNT_BYTES),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .edges_at = dmm_span_items(args->edges, histogram->labels.item_bytes),
        .stride = histogram->desc.channels,
        .n = n,
        .range = range,
        .groups = dmm_size_div_up(n, range)};
    c.alone = histogram->p.cpu && c.groups == 1 && bins <= DMM_STACK_BINS;
    for (; c.channel < histogram->desc.counted; c.channel++) {
        TRY(dmm_mapping_launch(&histogram->mapping, call, (dmm_further){args->further, 0},
            histogram->count,
            DMM_BUFFERS(args->labels.buffer, args->edges.buffer, rows.buffer, args->count.buffer,
                args->counts_out.buffer),
            &c, sizeof c, (dmm_grid){0, c.groups, u}));
        if (!c.alone)
            TRY(dmm_call_launch(call, histogram->total,
                DMM_BUFFERS(rows.buffer, args->counts_out.buffer), &c, sizeof c,
                (dmm_grid){0, dmm_size_div_up(bins, DMM_TOTAL_BINS(u)), u}));
        c.counts_at += bins;
    }
out:
    return status;
}

const dmm_class dmm_histogram_class = {
    DMM_CLASS(dmm_histogram),
    .word = "histogram",
    .desc_taken = 3,
    .args_taken = 3,
    .init = histogram_init,
    .ports = histogram_ports,
    .lay_out = histogram_lay_out,
    .steps = histogram_steps,
};

dmm_status dmm_histogram_create(
    dmm_histogram **out, dmm_context *ctx, const dmm_histogram_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_histogram_class, desc);
}

void dmm_histogram_free(dmm_histogram *histogram)
{
    dmm_object_free(histogram);
}

dmm_status dmm_histogram_temp_bytes(uint64_t *out, const dmm_histogram *histogram, uint64_t n)
{
    return dmm_object_temp_bytes(out, histogram, (dmm_sizes){.n = n});
}

dmm_status dmm_histogram_enqueue(dmm_histogram *histogram, cl_command_queue queue,
    const dmm_histogram_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(histogram, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_histogram_host(dmm_context *ctx, const dmm_histogram_desc *desc, const void *labels,
    size_t n, uint64_t *counts_out)
{
    dmm_histogram_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = labels}, {.to = counts_out}};
    return dmm_object_host(ctx, &dmm_histogram_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}

dmm_status dmm_histogram_edges_host(dmm_context *ctx, const dmm_histogram_desc *desc,
    const void *items, size_t n, const void *edges, uint64_t *counts_out)
{
    dmm_histogram_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = items}, {.to = counts_out}, {.from = NULL}, {.from = edges}};
    return dmm_object_host(ctx, &dmm_histogram_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}

/* ---- Even edges ---------------------------------------------------------------------------- */

/* Writes the bits of the least integer that is at least x, or, down, of the greatest that is at
 * most x; returns 0 if the type has none. */
static int round_to_integer(uint64_t *bits, dmm_type type, double x, int down)
{
    const uint32_t width = 8 * dmm_type_bytes(type) - (dmm_is_signed(type) ? 1u : 0u);
    const uint64_t greatest = UINT64_MAX >> (64 - width);
    const double end = 2 * (double)((uint64_t)1 << (width - 1));
    const double least = dmm_is_signed(type) ? -end : 0;
    *bits = down ? greatest : (uint64_t)(dmm_is_signed(type) ? ~greatest : 0);
    if (x < least || x >= end)
        return (x < least) != down;
    if (x < 0) {
        const int64_t whole = (int64_t)x; /* towards 0: up */
        *bits = (uint64_t)(whole - (down && (double)whole > x));
        return 1;
    }
    *bits = (uint64_t)x;
    *bits += !down && (double)*bits < x;
    return *bits <= greatest;
}

/* The same of an f32. */
static int round_to_float(uint64_t *bits, double x, int down)
{
    const double y = down ? -x : x; /* to be rounded up */
    float rounded = y < -FLT_MAX ? -FLT_MAX : (float)(y > FLT_MAX ? 0 : y);
    uint32_t word;
    memcpy(&word, &rounded, sizeof word);
    if ((double)rounded < y)
        word = rounded < 0 ? word - 1 : (word & 0x7fffffff) + 1;
    *bits = down ? word ^ 0x80000000 : word;
    return y <= FLT_MAX;
}

/* The same of an f16. */
static int round_to_half(uint64_t *bits, double x, int down)
{
    const double y = down ? -x : x; /* to be rounded up */
    const double size = y < 0 ? -y : y;
    double unit = 0x1p-24;
    while (unit * 2048 <= size && unit < 32)
        unit *= 2;
    const double whole = size < 65504 ? size / unit : 65504 / unit;
    uint32_t units =
        (uint32_t)whole; /* of an exponent's numbers, and 1024 more but for the least */
    units += (double)units < whole && y > 0;
    for (; unit > 0x1p-24; unit /= 2)
        units += 1024;
    *bits = units | ((y < 0) != down && units != 0 ? 0x8000 : 0);
    return y <= 65504;
}

static int write_edge(void *out, dmm_type type, double x, int down)
{
    uint64_t bits = 0;
    int ok = 1;
    if (type == DMM_F64)
        memcpy(&bits, &x, sizeof bits);
    else
        ok = type == DMM_F32   ? round_to_float(&bits, x, down)
             : type == DMM_F16 ? round_to_half(&bits, x, down)
                               : round_to_integer(&bits, type, x, down);
    const uint32_t word = (uint32_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint8_t byte = (uint8_t)bits;
    const uint32_t bytes = dmm_type_bytes(type);
    memcpy(out,
        bytes == 1   ? (const void *)&byte
        : bytes == 2 ? (const void *)&half
        : bytes == 4 ? (const void *)&word
                     : &bits,
        bytes);
    return ok;
}

static dmm_status even_edges(
    unsigned char *edges, dmm_type type, uint32_t bins, double low, double high)
{
    const uint32_t bytes = dmm_type_bytes(type);
    if (edges == NULL)
        return dmm_refuse(DMM_NULL_ARGUMENT, "edges_out: is NULL");
    if (bytes == 0)
        return dmm_refuse(DMM_BAD_VALUE, "type: must be an integer or a float type");
    if (bins < 1 || bins > MAX_BINS)
        return dmm_refuse(
            DMM_BAD_VALUE, "bins: is %u, must be 1 to %d", (unsigned)bins, (int)MAX_BINS);
    if (!(low < high && high - low <= DBL_MAX))
        return dmm_refuse(DMM_BAD_VALUE, "low: must be less than high, both of them finite");
    for (uint32_t b = 0; b < bins; b++)
        if (!write_edge(edges + (size_t)b * bytes, type, low + b * ((high - low) / bins), 0))
            return dmm_refuse(DMM_BAD_VALUE, "high: bin %u begins beyond the greatest number of %s",
                (unsigned)b, dmm_type_name(type));
    if (!write_edge(edges + (size_t)bins * bytes, type, high, 1))
        return dmm_refuse(
            DMM_BAD_VALUE, "high: is less than the least number of %s", dmm_type_name(type));
    return DMM_OK;
}

dmm_status dmm_histogram_even(
    void *edges_out, dmm_type type, uint32_t bins, double low, double high)
{
    static const dmm_log no_log = {NULL, NULL};
    dmm_refuse_begin();
    return dmm_refuse_end(
        even_edges(edges_out, type, bins, low, high), &no_log, "dmm_histogram_even");
}
