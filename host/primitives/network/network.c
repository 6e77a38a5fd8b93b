/* SPDX-License-Identifier: MIT */
/*
 * dmm_network: plans a network on the host, keeps the plan on the device, and launches
 * its runs of steps one after the other.
 */
#include "primitives/network/network.h"

#include <stdlib.h>

#include "cl/network_call.clh"
#include "core/check.h"
#include "core/opencl.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/order.h"
#include "primitives/prelude.h"

enum { CPU_TILE_BYTES = 1 << 15 };

struct dmm_network {
    dmm_object object;
    dmm_network_desc desc; /* its arrays are valid in init only */
    dmm_item_layout layout;
    dmm_word_layout values; /* 1 byte where there are none */
    dmm_parameters p;
    dmm_network_plan plan; /* its words are on the device after init */
    cl_mem on_device;
    cl_kernel tile;
};

/* ---- Creation -------------------------------------------------------------------------------- */

enum { MOST_PAIRS = 1 << 30 };

/* Finds the first comparator with a wrong wire. last: for each wire the last step that has it,
 * counted from 1; zeros at first. */
static int find_fault(const dmm_network_desc *desc, uint64_t *last, uint64_t *position)
{
    uint64_t i = 0;
    for (uint64_t step = 0; step < desc->steps; step++)
        for (; i < desc->ends[step]; i++) {
            const uint32_t low = desc->pairs[i].low, high = desc->pairs[i].high;
            if (low >= desc->wires || high >= desc->wires || low == high || last[low] == step + 1 ||
                last[high] == step + 1) {
                *position = i;
                return 1;
            }
            last[low] = last[high] = step + 1;
        }
    return 0;
}

dmm_status dmm_network_check(const dmm_network_desc *desc, uint64_t *position)
{
    uint64_t fault = 0;
    if (desc == NULL || (desc->steps != 0 && desc->ends == NULL))
        return DMM_NULL_ARGUMENT;
    if (desc->wires > DMM_NETWORK_MAX_WIRES)
        return DMM_BAD_VALUE;
    for (uint64_t step = 1; step < desc->steps; step++)
        if (desc->ends[step] < desc->ends[step - 1])
            return DMM_BAD_VALUE;
    const uint64_t pairs = desc->steps != 0 ? desc->ends[desc->steps - 1] : 0;
    if (pairs != 0 && desc->pairs == NULL)
        return DMM_NULL_ARGUMENT;
    if (pairs > MOST_PAIRS)
        return DMM_TOO_LARGE;
    uint64_t *const last = calloc(desc->wires + (size_t)1, sizeof *last);
    if (last == NULL)
        return DMM_OUT_OF_MEMORY;
    const int found = find_fault(desc, last, &fault);
    free(last);
    if (found && position != NULL)
        *position = fault;
    return found ? DMM_BAD_DATA : DMM_OK;
}

static dmm_status check(const dmm_network *network)
{
    uint64_t position = 0;
    const dmm_network_desc *const desc = &network->desc;
    const dmm_status status = dmm_network_check(desc, &position);
    if (status == DMM_BAD_DATA)
        dmm_log_line(&network->object.ctx->log,
            "network: comparator %llu, of wires %u and %u: expected different wires below %u, each "
            "once in a step",
            (unsigned long long)position, desc->pairs[position].low, desc->pairs[position].high,
            desc->wires);
    return status;
}

static dmm_status choose(dmm_network *network)
{
    dmm_status status = DMM_OK;
    const dmm_network_desc *const desc = &network->desc;
    const dmm_device *const device = &network->object.ctx->device;
    dmm_item_layout *const layout = &network->layout;
    const uint32_t value = desc->value_bytes != 0 ? desc->value_bytes : 1;
    TRY(dmm_item_layout_init(layout, device, &desc->order, 0, 0, desc->max_n));
    TRY(dmm_word_layout_init(&network->values, device, value, desc->max_n));
    const uint32_t planes = layout->planes + (desc->value_bytes != 0);
    const dmm_footprint footprint = {.item_bytes = layout->key_bytes + desc->value_bytes,
        .local_bytes = planes * layout->plane_bytes,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .most_tile = DMM_NETWORK_MAX_TILE,
        .word = "network"};
    TRY(dmm_context_choose(&network->p, network->object.ctx, &desc->tuning, &footprint));
    network->object.max_n = dmm_item_limit(layout, 0, desc->max_n);
    if (desc->value_bytes != 0 && network->values.max_n < network->object.max_n)
        network->object.max_n = network->values.max_n;
    /* In the GPU form values move through words of the tile. */
    if (!network->p.cpu && network->values.word_bytes > layout->plane_bytes) {
        network->values.words *= network->values.word_bytes / layout->plane_bytes;
        network->values.word_bytes = layout->plane_bytes;
    }
out:
    return status;
}

static dmm_status build(dmm_network *network)
{
    dmm_status status = DMM_OK;
    const dmm_order *const order = &network->desc.order;
    const dmm_parameters *const p = &network->p;
    dmm_options options = {.bytes = 0};
    cl_program program = NULL;
    char *const prelude = dmm_order_prelude(order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(&options, p, &network->object.ctx->device);
    dmm_order_define(&options, order);
    dmm_options_define(&options, "DMM_PLANE_BYTES", network->layout.plane_bytes);
    dmm_options_define(&options, "DMM_PLANES", network->layout.planes);
    dmm_options_define(&options, "DMM_INDEX_BYTES", network->layout.index_bytes);
    dmm_options_define(&options, "DMM_VALUES", network->desc.value_bytes != 0);
    dmm_options_define(&options, "DMM_WORD_BYTES", network->values.word_bytes);
    dmm_options_define(&options, "DMM_WORDS", network->values.words);
    const dmm_program_desc desc = {.root = p->cpu ? "cl/network_cpu.cl" : "cl/network.cl",
        .options = &options,
        .prelude = prelude};
    TRY(dmm_programs_get(&network->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(network, program, "dmm_network_tile", p->u, &network->tile));
out:
    free(prelude);
    return status;
}

static dmm_status plan(dmm_network *network)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &network->object.ctx->device;
    const uint32_t word = network->layout.plane_bytes;
    const uint32_t bank = (uint32_t)device->bank_bytes.value, w = (uint32_t)device->banks.value;
    dmm_network_plan *const made = &network->plan;
    made->tile = network->p.tile;
    made->banks = network->p.cpu ? 0 : word > bank ? w * bank / word : w;
    TRY(dmm_network_plan_fill(made, &network->desc));
    if (!dmm_context_is_offline(network->object.ctx))
        TRY(dmm_upload(network->object.ctx, made->store.words,
            made->store.count * sizeof *made->store.words, &network->on_device));
out:
    free(made->store.words);
    made->store = (dmm_network_store){.words = NULL};
    return status;
}

static dmm_status network_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_network *const network = object;
    TRY(check(network));
    network->desc.wires = network->desc.wires != 0 ? network->desc.wires : 1;
    TRY(choose(network));
    TRY(build(network));
    TRY(plan(network));
out:
    return status;
}

static void network_destroy(void *object)
{
    dmm_network *const network = object;
    dmm_network_plan_free(&network->plan);
    if (network->on_device != NULL && !dmm_context_is_inherited(network->object.ctx))
        clReleaseMemObject(network->on_device);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static dmm_status network_check_sizes(const void *object, const dmm_sizes *sizes)
{
    const dmm_network *const network = object;
    if (sizes->n % network->desc.wires != 0)
        return DMM_BAD_VALUE;
    return sizes->n > network->object.max_n ? DMM_TOO_LARGE : DMM_OK;
}

static size_t network_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_network *const network = object;
    const uint32_t key = network->layout.key_bytes, value = network->desc.value_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_network_args, keys_in, sizes->n, key), .pair = 1},
        {DMM_READS(dmm_network_args, values_in, sizes->n, value), .pair = 2},
        {DMM_WRITES(dmm_network_args, keys_out, sizes->n, key), .pair = 1},
        {DMM_WRITES(dmm_network_args, values_out, sizes->n, value), .pair = 2},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static void network_lay_out(const void *object, dmm_call *call)
{
    (void)object;
    (void)call; /* no temp */
}

/* Copies what is not in place: all launches work in the output. */
static dmm_status copy(const dmm_call *call, dmm_span from, dmm_span to, uint64_t bytes)
{
    return bytes == 0 || dmm_spans_equal(from, to) ? DMM_OK
                                                   : dmm_chain_copy(call->chain, from, to, bytes);
}

static dmm_status launch_run(
    const dmm_network *network, const dmm_call *call, const dmm_network_launch *launch)
{
    const dmm_network_args *const args = call->args;
    const uint64_t n = call->sizes.n, wires = network->desc.wires;
    const dmm_network_call c = {
        .keys_at = dmm_span_items(args->keys_out, network->layout.key_bytes),
        .values_at = dmm_span_items(args->values_out, network->values.word_bytes),
        .wires_at = launch->wires_at,
        .ends_at = launch->ends_at,
        .pairs_at = launch->pairs_at,
        .n = n,
        .wires = wires,
        .rows = network->plan.rows,
        .tiles = launch->tiles,
        .steps = launch->steps};
    const uint64_t groups = dmm_size_div_up(n / wires, c.rows) * c.tiles;
    return dmm_call_launch(call, network->tile,
        DMM_BUFFERS(args->keys_out.buffer, args->values_out.buffer, network->on_device), &c,
        sizeof c, (dmm_grid){0, groups, network->p.u});
}

static dmm_status network_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_network *const network = object;
    const dmm_network_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    TRY(copy(call, args->keys_in, args->keys_out, n * network->layout.key_bytes));
    TRY(copy(call, args->values_in, args->values_out, n * network->desc.value_bytes));
    for (uint64_t i = 0; i < network->plan.num_launches && n != 0; i++)
        TRY(launch_run(network, call, &network->plan.launches[i]));
out:
    return status;
}

const dmm_class dmm_network_class = {
    DMM_CLASS(dmm_network),
    .word = "network",
    .init = network_init,
    .destroy = network_destroy,
    .check = network_check_sizes,
    .ports = network_ports,
    .lay_out = network_lay_out,
    .steps = network_steps,
};

dmm_status dmm_network_create(dmm_network **out, dmm_context *ctx, const dmm_network_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_network_class, desc);
}

void dmm_network_free(dmm_network *network)
{
    dmm_object_free(network);
}

uint64_t dmm_network_launches(const dmm_network *network)
{
    return network != NULL ? network->plan.num_launches : 0;
}

dmm_status dmm_network_temp_bytes(uint64_t *out, const dmm_network *network, uint64_t n)
{
    return dmm_object_temp_bytes(out, network, (dmm_sizes){.n = n});
}

dmm_status dmm_network_enqueue(dmm_network *network, cl_command_queue queue,
    const dmm_network_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(network, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_network_host(
    dmm_context *ctx, const dmm_network_desc *desc, void *keys, void *values, size_t n)
{
    dmm_network_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = values}, {.to = keys}, {.to = values}};
    return dmm_object_host(ctx, &dmm_network_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
