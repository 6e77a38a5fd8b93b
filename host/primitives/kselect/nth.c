/* SPDX-License-Identifier: MIT */
/*
 * dmm_nth: selects one item (primitives/kselect/kselect.h): the last of the first rank + 1.
 */
#include <dmm/nth.h>

#include "core/refuse.h"
#include "core/size.h"
#include "primitives/kselect/kselect.h"

struct dmm_nth {
    dmm_kselect select;
    dmm_nth_desc desc;
};

static dmm_status nth_init(void *object)
{
    dmm_nth *const nth = object;
    const dmm_nth_desc *const desc = &nth->desc;
    nth->select.what = (dmm_kselect_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort != 0,
        .only_last = 1,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    return dmm_kselect_init(&nth->select);
}

static dmm_status nth_check(const void *object, const dmm_sizes *sizes)
{
    const dmm_status status = dmm_kselect_check(object, sizes);
    if (status == DMM_OK && sizes->m > sizes->n)
        return dmm_refuse(
            DMM_BAD_VALUE, "rank: is not below n = %llu", (unsigned long long)sizes->n);
    return status;
}

static size_t nth_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_kselect *const s = object;
    const uint64_t n = sizes->n;
    const dmm_port list[] = {
        {DMM_READS(dmm_nth_args, keys_in, n, s->layout.key_bytes)},
        {DMM_READS(dmm_nth_args, values_in, n, dmm_kselect_value_bytes(s))},
        {DMM_WRITES(dmm_nth_args, key_out, 1, s->layout.key_bytes)},
        {DMM_WRITES(dmm_nth_args, value_out, 1, s->layout.value_bytes)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

static dmm_status nth_steps(const void *object, dmm_call *call)
{
    const dmm_nth_args *const args = call->args;
    return dmm_kselect_steps(object, call, (dmm_item_spans){args->keys_in, args->values_in},
        (dmm_item_spans){args->key_out, args->value_out});
}

const dmm_class dmm_nth_class = {
    DMM_CLASS(dmm_nth),
    .word = "topk",
    .init = nth_init,
    .check = nth_check,
    .ports = nth_ports,
    .lay_out = dmm_kselect_lay_out,
    .steps = nth_steps,
};

static dmm_sizes sizes_of(uint64_t n, uint64_t rank)
{
    return (dmm_sizes){.n = n, .m = dmm_size_add(rank, 1)};
}

dmm_status dmm_nth_create(dmm_nth **out, dmm_context *ctx, const dmm_nth_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_nth_class, desc);
}

void dmm_nth_free(dmm_nth *nth)
{
    dmm_object_free(nth);
}

dmm_status dmm_nth_temp_bytes(uint64_t *out, const dmm_nth *nth, uint64_t n)
{
    return dmm_object_temp_bytes(out, nth, (dmm_sizes){.n = n, .m = n != 0});
}

dmm_status dmm_nth_enqueue(dmm_nth *nth, cl_command_queue queue, const dmm_nth_args *args,
    uint64_t n, uint64_t rank, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_object_enqueue(nth, queue, args, sizes_of(n, rank), num_wait, wait, event);
}

dmm_status dmm_nth_host(dmm_context *ctx, const dmm_nth_desc *desc, const void *keys,
    const void *values, size_t n, size_t rank, void *key_out, void *value_out)
{
    dmm_nth_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = values}, {.to = key_out}, {.to = value_out}};
    return dmm_object_host(ctx, &dmm_nth_class, desc, &args, sizes_of(n, rank), arrays);
}
