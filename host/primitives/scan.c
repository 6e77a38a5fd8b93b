/* SPDX-License-Identifier: MIT */
/*
 * A chained scan in two launches (GPU form, if grouping changes no bit), or reduce, then scan in
 * three, in the CPU form in two, or one if a single group suffices. The device, not n, limits the
 * number of groups that reduce, so that one group can always scan their totals.
 */
#include "primitives/scan.h"

#include <stdlib.h>

#include "cl/link_call.clh"
#include "cl/scan_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/prelude.h"

/* More items in registers were slower on the measured CPUs. */
enum { CPU_E = 8 };
/* Output that outgrows the caches: the CPU form then writes past them. Not in place, where the
 * lines that it writes are in the cache because it has read them. */
enum { CPU_CACHED_BYTES = 1 << 24 };
/* Items of several words that are chained: more of them take the registers of other groups. Not of
 * those that a map makes, perhaps for dmm_reduce: each is a load, and as many as possible should be
 * in flight. */
enum { WORD_BYTES = 4, WIDE_E = 8 };
/* Bytes of the widest access. */
enum { MOST_ALIGN = 16 };
enum { MAX_OWN_BYTES = 64, OP_OWN = DMM_SCAN_MIN + 1 }; /* OP_OWN: cl/scan.clh, DMM_OWN */

/* Sums of halves would overflow and round too soon; which type is wanted is the caller's to say. */
static dmm_status refuse_halves(const char *what)
{
    return dmm_refuse(DMM_BAD_VALUE,
        "type: %s take no f16: give f32, and a map of f16 items by dmm_from_half(item)", what);
}

static dmm_status check_operator(const dmm_scan_desc *desc, const dmm_device *device)
{
    const dmm_operator *const own = desc->own;
    const dmm_order order = dmm_scan_order(desc);
    if (desc->op != DMM_SCAN_SUM)
        return dmm_refuse(DMM_BAD_VALUE, "op: must be 0 beside `own`");
    if (own->combine == NULL || own->identity == NULL)
        return dmm_refuse(DMM_BAD_VALUE, "own: combine and identity must be given");
    if (desc->type == DMM_F16)
        return refuse_halves("own operators");
    if (own->item_bytes > MAX_OWN_BYTES)
        return dmm_refuse(DMM_BAD_VALUE, "own.item_bytes: is %u, must be 1 to %d",
            (unsigned)own->item_bytes, (int)MAX_OWN_BYTES);
    const dmm_status status = dmm_check_reserved(own, sizeof *own, 1);
    return status != DMM_OK ? status : dmm_order_check(&order, device);
}

dmm_status dmm_scan_check(const dmm_scan_desc *desc, const dmm_device *device)
{
    if (desc->own != NULL)
        return check_operator(desc, device);
    if (dmm_type_bytes(desc->type) == 0)
        return dmm_refuse(DMM_BAD_VALUE, "type: must be an integer or a float type");
    if ((unsigned)desc->op > DMM_SCAN_MIN)
        return dmm_refuse(DMM_BAD_VALUE, "op: %d is no dmm_scan_op", (int)desc->op);
    if (desc->type == DMM_F16 && desc->op == DMM_SCAN_SUM)
        return refuse_halves("sums");
    if (desc->type == DMM_F64 && !device->fp64.value)
        return dmm_refuse(DMM_UNSUPPORTED, "type: this device does not compute with f64");
    return DMM_OK;
}

dmm_order dmm_scan_order(const dmm_scan_desc *desc)
{
    dmm_order order = {.type = desc->type};
    if (desc->own != NULL) {
        order.item_bytes = desc->own->item_bytes;
        order.item = desc->own->item;
        order.less = "0"; /* items as they are; nothing compares them */
    } else if (desc->op == DMM_SCAN_SUM && desc->type != DMM_F32 && desc->type != DMM_F64) {
        const dmm_type of_bytes[] = {[1] = DMM_U8, [2] = DMM_U16, [4] = DMM_U32, [8] = DMM_U64};
        order.type = of_bytes[dmm_type_bytes(desc->type)];
    }
    return order;
}

static dmm_status choose(dmm_scan *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &scan->object.ctx->device;
    TRY(dmm_item_layout_init(&scan->layout, device, order, 0, 0, scan->desc.max_n));
    const uint32_t word_bytes = scan->layout.plane_bytes;
    const dmm_map *const map = scan->desc.map;
    const int is_wide = scan->desc.own != NULL && dmm_scan_can_chain(&scan->desc) &&
                        scan->layout.key_bytes > WORD_BYTES && (map == NULL || map->out != NULL);
    const dmm_footprint footprint = {.item_bytes = scan->layout.key_bytes,
        .planes = scan->layout.planes,
        .plane_bytes = word_bytes,
        .group_bytes = 2 * scan->layout.planes * word_bytes,
        .cpu_E = CPU_E,
        .gpu_E = is_wide ? WIDE_E : 0,
        .word = scan->desc.own == NULL ? "scan" : NULL};
    TRY(dmm_context_choose(&scan->p, scan->object.ctx, &scan->desc.tuning, &footprint));
    scan->object.max_n = dmm_item_limit(&scan->layout, 0, scan->desc.max_n);
out:
    return status;
}

int dmm_scan_can_chain(const dmm_scan_desc *desc)
{
    const int is_float = desc->type == DMM_F32 || desc->type == DMM_F64;
    if (desc->own != NULL)
        return desc->own->exact &&
               (desc->type != DMM_ITEM || desc->own->item_bytes <= DMM_LINK_MOST_BYTES);
    return !(desc->op == DMM_SCAN_SUM && is_float);
}

static int is_chained(const dmm_scan *scan)
{
    return !scan->p.cpu && dmm_scan_can_chain(&scan->desc);
}

char *dmm_scan_prelude(char *prelude, const dmm_operator *own, const dmm_order *order)
{
    if (own == NULL)
        return prelude;
    prelude = dmm_prelude_item(prelude, "operator.item", order->type, order->item);
    prelude = dmm_prelude_function(
        prelude, &(dmm_prelude_text){"int dmm_item_less(const dmm_item a, const dmm_item b)",
                     "less", order->less, "(", ")"});
    prelude =
        dmm_prelude_function(prelude, &(dmm_prelude_text){"dmm_item dmm_operator_identity(void)",
                                          "operator.identity", own->identity, "(", ")"});
    return dmm_prelude_function(prelude,
        &(dmm_prelude_text){"dmm_item dmm_operator_combine(const dmm_item a, const dmm_item b)",
            "operator.combine", own->combine, "(", ")"});
}

/* True if totals are of items in their order. */
static int in_order(const dmm_scan_desc *desc)
{
    return desc->own != NULL && !desc->own->commutes;
}

void dmm_scan_define_align(
    dmm_options *options, const dmm_item_layout *layout, const dmm_device *device)
{
    const uint32_t bytes = layout->key_bytes, lowest = bytes & (~bytes + 1);
    if (device->kind != DMM_KIND_CPU)
        dmm_options_define(options, "DMM_KEY_ALIGN", lowest < MOST_ALIGN ? lowest : MOST_ALIGN);
}

void dmm_scan_define(dmm_options *options, const dmm_scan_desc *desc)
{
    dmm_options_define(options, "DMM_SCAN_OP", desc->own != NULL ? OP_OWN : (uint64_t)desc->op);
    dmm_options_define(options, "DMM_EXCLUSIVE", desc->exclusive != 0);
    if (desc->own != NULL && !in_order(desc))
        dmm_options_define(options, "DMM_COMMUTES", 1);
}

/* Builds the program, with the map or without it. */
static dmm_status build_program(
    const dmm_scan *scan, const dmm_order *order, const dmm_map *map, cl_program *out)
{
    dmm_status status = DMM_OK;
    const dmm_operator *const own = scan->desc.own;
    dmm_options options = {.bytes = 0};
    char *const prelude = dmm_mapping_prelude(
        dmm_scan_prelude(dmm_prelude_new(), own, order), map, scan->desc.type, own != NULL);
    const dmm_program_desc desc = {.root = !is_chained(scan) ? "cl/scan.cl"
                                           : scan->lanes_by == DMM_LANES_BY_NONE
                                               ? "cl/scan_chained.cl"
                                               : "cl/scan_lanes.cl",
        .options = &options,
        .prelude = prelude};
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, &scan->p, &scan->object.ctx->device);
    dmm_item_define(&options, &scan->layout, order);
    if (own != NULL)
        dmm_scan_define_align(&options, &scan->layout, &scan->object.ctx->device);
    dmm_scan_define(&options, &scan->desc);
    if (scan->p.cpu && own != NULL)
        dmm_operator_define(&options, own, map);
    dmm_lanes_define(&options, scan->lanes_by, &scan->object.ctx->device);
    if (map != NULL)
        dmm_mapping_define(&options, &scan->mapping);
    TRY(dmm_programs_get(&scan->object.ctx->programs, &desc, out));
out:
    free(prelude);
    return status;
}

/* With a map, totals have a program without it. */
static dmm_status build(dmm_scan *scan, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const char *const reduce = in_order(&scan->desc) ? "dmm_scan_ordered" : "dmm_scan_reduce";
    cl_program program = NULL, of_totals = NULL;
    TRY(build_program(scan, order, scan->desc.map, &program));
    TRY(dmm_object_kernel(scan, program, reduce, scan->p.u, &scan->reduce));
    TRY(dmm_object_kernel(scan, program, "dmm_scan_alone", scan->p.u, &scan->alone));
    scan->reduce_totals = scan->reduce;
    scan->alone_totals = scan->alone;
    if (scan->desc.map != NULL) {
        TRY(build_program(scan, order, NULL, &of_totals));
        TRY(dmm_object_kernel(scan, of_totals, reduce, scan->p.u, &scan->reduce_totals));
        TRY(dmm_object_kernel(scan, of_totals, "dmm_scan_alone", scan->p.u, &scan->alone_totals));
    }
    if (is_chained(scan)) {
        TRY(dmm_object_kernel(scan, program, "dmm_scan_clear", scan->p.u, &scan->clear));
        TRY(dmm_lanes_kernel(
            scan, scan->lanes_by, program, "dmm_scan_chained", scan->p.u, &scan->chained));
    } else {
        TRY(dmm_object_kernel(scan, program, "dmm_scan_apply", scan->p.u, &scan->apply));
    }
out:
    return status;
}

static dmm_status scan_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_scan *const scan = object;
    const dmm_order order = dmm_scan_order(&scan->desc);
    TRY(dmm_scan_check(&scan->desc, &scan->object.ctx->device));
    TRY(dmm_mapping_init(
        &scan->mapping, scan->desc.map, scan->desc.type, &scan->object.ctx->device, 1));
    TRY(choose(scan, &order));
    if (is_chained(scan) && scan->p.u % scan->object.ctx->device.sync_width.value == 0)
        scan->lanes_by = dmm_lanes_of(scan->object.ctx, &scan->desc.tuning);
    if (scan->desc.own != NULL && scan->lanes_by == DMM_LANES_BY_KHR)
        scan->lanes_by = DMM_LANES_BY_NONE; /* of a required width, kernels would spill */
    status = build(scan, &order);
    if (dmm_programs_are_unfit(status) && scan->lanes_by != DMM_LANES_BY_NONE) {
        scan->lanes_by = DMM_LANES_BY_NONE;
        status = build(scan, &order);
    }
out:
    return status;
}

dmm_scan_shares dmm_scan_share(const dmm_scan *scan, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    const uint64_t range = dmm_size_div_up(tiles, scan->p.most_groups) * scan->p.tile;
    return (dmm_scan_shares){n != 0 ? dmm_size_div_up(n, range) : 0, range};
}

uint64_t dmm_scan_most_groups(const dmm_scan *scan, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, scan->p.tile);
    return tiles < scan->p.most_groups ? tiles : scan->p.most_groups;
}

static uint32_t in_bytes(const dmm_scan *scan)
{
    return dmm_mapping_in(&scan->mapping, scan->layout.key_bytes);
}

static uint32_t out_bytes(const dmm_scan *scan)
{
    return dmm_mapping_out(&scan->mapping, scan->layout.key_bytes);
}

static size_t scan_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_scan *const scan = object;
    const uint32_t in = in_bytes(scan), out = out_bytes(scan);
    const uint8_t pair = in == out;
    const dmm_port list[] = {
        {DMM_READS(dmm_scan_args, in, sizes->n, in), .pair = pair},
        {DMM_WRITES(dmm_scan_args, out, sizes->n, out), .pair = pair},
        {DMM_READS_COUNT(dmm_scan_args)},
    };
    (void)args;
    return dmm_mapping_ports(
        &scan->mapping, offsetof(dmm_scan_args, further), sizes->n, ports, DMM_PORTS(ports, list));
}

enum { TOTALS, STATE };

/* Returns the words of the chain: the counter of tiles, then their links. */
static uint64_t state_words(const dmm_scan *scan, uint64_t tiles)
{
    return DMM_LINK_FIRST + tiles * DMM_LINK_WORDS_OF(8 * (uint64_t)scan->layout.key_bytes, 0);
}

void dmm_scan_region(dmm_call *call, size_t name, uint64_t items, uint32_t item_bytes)
{
    const int rounds = (item_bytes & (item_bytes - 1)) != 0; /* its offset, up */
    dmm_call_region(call, name, items + (items != 0 && rounds), item_bytes);
}

/* One total for each group except the last, or the chain. */
static void scan_lay_out(const void *object, dmm_call *call)
{
    const dmm_scan *const scan = object;
    const uint64_t tiles = dmm_size_div_up(call->sizes.n, scan->p.tile);
    const uint64_t groups = dmm_scan_most_groups(scan, call->sizes.n);
    const int chained = scan->chained != NULL;
    dmm_scan_region(call, TOTALS, groups > 1 && !chained ? groups - 1 : 0, scan->layout.key_bytes);
    dmm_call_region(
        call, STATE, tiles > 1 && chained ? state_words(scan, tiles) : 0, sizeof(dmm_u32));
}

/* Returns the numbers of a launch on the items from position `first` on. */
static dmm_scan_call call_of(
    const dmm_scan *scan, const dmm_scan_args *args, uint64_t first, uint64_t n)
{
    return (dmm_scan_call){.in_at = dmm_span_items(args->in, in_bytes(scan)) - first,
        .out_at = dmm_span_items(args->out, out_bytes(scan)) - first,
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .first = first,
        .end = first + n};
}

/* Launches a kernel that reads the input. */
static dmm_status launch(const dmm_scan *scan, const dmm_call *call, const dmm_scan_args *args,
    cl_kernel kernel, const cl_mem *buffers, size_t num_buffers, const dmm_scan_call *c,
    dmm_grid grid)
{
    return dmm_mapping_launch(&scan->mapping, call, (dmm_further){args->further, c->first}, kernel,
        buffers, num_buffers, c, sizeof *c, grid);
}

/* Enqueues the scan of one group, without totals. */
static dmm_status launch_alone(
    const dmm_scan *scan, const dmm_call *call, const dmm_scan_args *args, uint64_t n)
{
    dmm_scan_call c = call_of(scan, args, 0, n);
    c.exclusive = scan->desc.exclusive != 0;
    return launch(scan, call, args, scan->alone,
        DMM_BUFFERS(args->in.buffer, args->out.buffer, args->count.buffer), &c,
        (dmm_grid){0, 1, scan->p.u});
}

/* Enqueues the scan of n totals in place. */
static dmm_status launch_alone_totals(
    const dmm_scan *scan, const dmm_call *call, dmm_span totals, uint64_t n)
{
    const cl_mem none = NULL;
    const uint64_t at = dmm_span_items(totals, scan->layout.key_bytes);
    const dmm_scan_call c = {.in_at = at, .out_at = at, .end = n};
    return dmm_call_launch(call, scan->alone_totals,
        DMM_BUFFERS(totals.buffer, totals.buffer, none), &c, sizeof c, (dmm_grid){0, 1, scan->p.u});
}

dmm_status dmm_scan_launch_reduce(const dmm_scan *scan, const dmm_call *call,
    const dmm_scan_args *args, dmm_span totals, uint64_t n, dmm_scan_shares shares,
    uint64_t first_group)
{
    dmm_scan_call c = call_of(scan, args, first_group * shares.range, n);
    c.totals_at = dmm_span_items(totals, scan->layout.key_bytes) - first_group;
    c.range = shares.range;
    return launch(scan, call, args, scan->reduce,
        DMM_BUFFERS(args->in.buffer, totals.buffer, args->count.buffer), &c,
        (dmm_grid){first_group, shares.groups, scan->p.u});
}

dmm_status dmm_scan_launch_reduce_totals(
    const dmm_scan *scan, const dmm_call *call, dmm_span totals, dmm_span out, uint64_t n)
{
    const cl_mem none = NULL;
    const uint32_t bytes = scan->layout.key_bytes;
    const dmm_scan_call c = {.in_at = dmm_span_items(totals, bytes),
        .totals_at = dmm_span_items(out, bytes),
        .end = n,
        .range = n};
    return dmm_call_launch(call, scan->reduce_totals, DMM_BUFFERS(totals.buffer, out.buffer, none),
        &c, sizeof c, (dmm_grid){0, 1, scan->p.u});
}

static dmm_status launch_apply(
    const dmm_scan *scan, const dmm_call *call, dmm_span totals, dmm_scan_shares shares)
{
    const dmm_scan_args *const args = call->args;
    const uint64_t first_group = call->sizes.first;
    dmm_scan_call c = call_of(scan, args, first_group * shares.range, call->sizes.n);
    c.totals_at = dmm_span_items(totals, scan->layout.key_bytes) - first_group;
    c.range = shares.range;
    c.streams = dmm_size_mul(call->sizes.n, out_bytes(scan)) >= CPU_CACHED_BYTES &&
                !dmm_spans_equal(args->in, args->out);
    return launch(scan, call, args, scan->apply,
        DMM_BUFFERS(args->in.buffer, args->out.buffer, totals.buffer, args->count.buffer), &c,
        (dmm_grid){first_group, shares.groups, scan->p.u});
}

/* Enqueues the chained scan. Groups take their tiles by a counter, so parts of a step need no
 * numbers of their own. */
static dmm_status launch_chained(const dmm_scan *scan, const dmm_call *call, uint64_t first)
{
    dmm_status status = DMM_OK;
    const dmm_scan_args *const args = call->args;
    const uint32_t u = scan->p.u;
    const uint64_t tiles = dmm_size_div_up(call->sizes.n, scan->p.tile);
    const dmm_span state = call->regions[STATE];
    dmm_scan_call c = call_of(scan, args, first, call->sizes.n);
    c.state_at = dmm_span_items(state, sizeof(dmm_u32));
    c.state_words = state_words(scan, tiles);
    TRY(dmm_call_launch(call, scan->clear, DMM_BUFFERS(state.buffer), &c, sizeof c,
        (dmm_grid){0, dmm_size_div_up(c.state_words, scan->p.tile), u}));
    TRY(launch(scan, call, args, scan->chained,
        DMM_BUFFERS(args->in.buffer, args->out.buffer, state.buffer, args->count.buffer), &c,
        (dmm_grid){0, tiles, u}));
out:
    return status;
}

/* No group needs the last group's total, so it is not computed. sizes.first is a group number, not
 * a position: the items are in the ranges from that group on. */
static dmm_status scan_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_scan *const scan = object;
    const dmm_scan_args *const args = call->args;
    const uint64_t n = call->sizes.n, first_group = call->sizes.first;
    const dmm_scan_shares shares = dmm_scan_share(scan, n);
    const dmm_scan_shares all_but_last = {shares.groups - 1, shares.range};
    const dmm_span totals = dmm_call_items(call, TOTALS, scan->layout.key_bytes);
    if (n == 0)
        return DMM_OK;
    if (call->temp.bytes == 0)
        return launch_alone(scan, call, args, n);
    if (scan->chained != NULL)
        return launch_chained(scan, call, first_group * shares.range);
    TRY(dmm_scan_launch_reduce(scan, call, args, totals, n, all_but_last, first_group));
    if (!scan->p.cpu)
        TRY(launch_alone_totals(scan, call, totals, shares.groups - 1));
    TRY(launch_apply(scan, call, totals, shares));
out:
    return status;
}

const dmm_class dmm_scan_class = {
    DMM_CLASS(dmm_scan),
    .word = "scan",
    .desc_taken = 2,
    .args_taken = 1,
    .init = scan_init,
    .ports = scan_ports,
    .lay_out = scan_lay_out,
    .steps = scan_steps,
};

dmm_status dmm_scan_create(dmm_scan **out, dmm_context *ctx, const dmm_scan_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_scan_class, desc);
}

void dmm_scan_free(dmm_scan *scan)
{
    dmm_object_free(scan);
}

dmm_status dmm_scan_temp_bytes(uint64_t *out, const dmm_scan *scan, uint64_t n)
{
    return dmm_object_temp_bytes(out, scan, (dmm_sizes){.n = n});
}

dmm_status dmm_scan_enqueue_from(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t first_group, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n, .first = first_group};
    return dmm_object_enqueue(scan, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_scan_enqueue(dmm_scan *scan, cl_command_queue queue, const dmm_scan_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(scan, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_scan_host(dmm_context *ctx, const dmm_scan_desc *desc, void *items, size_t n)
{
    dmm_scan_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = items}, {.to = items}};
    return dmm_object_host(ctx, &dmm_scan_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
