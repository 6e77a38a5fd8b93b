/* SPDX-License-Identifier: MIT */
/*
 * dmm_topk: selects the first k items (primitives/kselect/kselect.h).
 */
#include <dmm/topk.h>

#include "primitives/kselect/kselect.h"

struct dmm_topk {
    dmm_kselect select;
    dmm_topk_desc desc;
};

static dmm_status topk_init(void *object)
{
    dmm_topk *const topk = object;
    const dmm_topk_desc *const desc = &topk->desc;
    topk->select.what = (dmm_kselect_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort != 0,
        .unsorted = desc->unsorted,
        .guarantee = desc->guarantee,
        .max_k = desc->max_k,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    return dmm_kselect_init(&topk->select);
}

static size_t topk_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_kselect *const s = object;
    const uint64_t n = sizes->n, k = sizes->m;
    const dmm_port list[] = {
        {DMM_READS(dmm_topk_args, keys_in, n, s->layout.key_bytes)},
        {DMM_READS(dmm_topk_args, values_in, n, dmm_kselect_value_bytes(s))},
        {DMM_WRITES(dmm_topk_args, keys_out, k, s->layout.key_bytes)},
        {DMM_WRITES(dmm_topk_args, values_out, k, s->layout.value_bytes)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static dmm_status topk_steps(const void *object, dmm_call *call)
{
    const dmm_topk_args *const args = call->args;
    return dmm_kselect_steps(object, call, (dmm_item_spans){args->keys_in, args->values_in},
        (dmm_item_spans){args->keys_out, args->values_out});
}

const dmm_class dmm_topk_class = {
    DMM_CLASS(dmm_topk),
    .word = "topk",
    .init = topk_init,
    .check = dmm_kselect_check,
    .ports = topk_ports,
    .lay_out = dmm_kselect_lay_out,
    .steps = topk_steps,
};

/* Returns the sizes of a call: n items, of which min(k, n) are selected. */
static dmm_sizes sizes_of(uint64_t n, uint64_t k)
{
    return (dmm_sizes){.n = n, .m = k < n ? k : n};
}

dmm_status dmm_topk_create(dmm_topk **out, dmm_context *ctx, const dmm_topk_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_topk_class, desc);
}

void dmm_topk_free(dmm_topk *topk)
{
    dmm_object_free(topk);
}

dmm_status dmm_topk_temp_bytes(uint64_t *out, const dmm_topk *topk, uint64_t n, uint64_t k)
{
    return dmm_object_temp_bytes(out, topk, sizes_of(n, k));
}

dmm_status dmm_topk_enqueue(dmm_topk *topk, cl_command_queue queue, const dmm_topk_args *args,
    uint64_t n, uint64_t k, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_object_enqueue(topk, queue, args, sizes_of(n, k), num_wait, wait, event);
}

dmm_status dmm_topk_host(dmm_context *ctx, const dmm_topk_desc *desc, const void *keys,
    const void *values, size_t n, size_t k, void *keys_out, void *values_out)
{
    dmm_topk_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = values}, {.to = keys_out}, {.to = values_out}};
    return dmm_object_host(ctx, &dmm_topk_class, desc, &args, sizes_of(n, k), arrays);
}
