/* SPDX-License-Identifier: MIT */
/*
 * Sorts of what a map gives: the first step writes it to the output, and the method sorts that.
 */
#include "core/check.h"
#include "primitives/mapping_store.h"
#include "primitives/order.h"
#include "primitives/sort/sort.h"

typedef struct dmm_mapped_sort_desc {
    dmm_sort_desc sort;
    const dmm_class *method;
    uint64_t reserved[4];
} dmm_mapped_sort_desc;

typedef struct dmm_mapped_sort {
    dmm_object object;
    dmm_mapped_sort_desc desc;
    dmm_mapping_store store;
    const dmm_object *by; /* the method; a part */
} dmm_mapped_sort;

static dmm_status mapped_sort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_mapped_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc.sort;
    dmm_sort_desc of_keys = *desc;
    of_keys.map = NULL;
    TRY(dmm_object_part(sort, &sort->by, sort->desc.method, &of_keys)); /* checks the order */
    TRY(dmm_mapping_store_init(sort, &sort->store, desc->map, &desc->order, desc->max_n));
    sort->object.max_n = sort->by->max_n;
out:
    return status;
}

static size_t mapped_sort_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_mapped_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc.sort;
    const dmm_mapping *const mapping = &sort->store.mapping;
    const uint64_t n = sizes->n;
    const uint32_t in = mapping->bytes[0], key = dmm_order_key_bytes(&desc->order);
    const uint32_t value = desc->value_bytes;
    const uint8_t pair = in == key;
    const dmm_port list[] = {
        {DMM_READS(dmm_sort_args, keys_in, n, in), .pair = pair},
        {DMM_READS(dmm_sort_args, values_in, n, desc->argsort ? 0 : value), .pair = 2},
        {DMM_WRITES(dmm_sort_args, keys_out, n, key), .pair = pair},
        {DMM_WRITES(dmm_sort_args, values_out, n, value), .pair = 2},
        {DMM_READS_COUNT(dmm_sort_args)},
    };
    (void)args;
    return dmm_mapping_ports(
        mapping, offsetof(dmm_sort_args, further), n, ports, DMM_PORTS(ports, list));
}

static void mapped_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_object *const by = ((const dmm_mapped_sort *)object)->by;
    by->class->lay_out(by, call);
}

static dmm_status mapped_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_mapped_sort *const sort = object;
    const dmm_sort_args *const args = call->args;
    const dmm_mapping_store_spans spans = {
        args->keys_in, args->keys_out, args->count, args->further};
    dmm_sort_args in_place = *args;
    dmm_call of_keys = *call;
    in_place.keys_in = args->keys_out;
    of_keys.args = &in_place;
    TRY(dmm_mapping_store_run(&sort->store, call, &spans));
    TRY(sort->by->class->steps(sort->by, &of_keys));
out:
    return status;
}

static const dmm_class mapped_sort_class = {
    .word = "sort",
    .bytes = sizeof(dmm_mapped_sort),
    .desc_at = offsetof(dmm_mapped_sort, desc),
    .desc_bytes = sizeof(dmm_mapped_sort_desc),
    .args_bytes = sizeof(dmm_sort_args),
    .temp_at = offsetof(dmm_sort_args, temp),
    .init = mapped_sort_init,
    .ports = mapped_sort_ports,
    .lay_out = mapped_sort_lay_out,
    .steps = mapped_sort_steps,
};

dmm_status dmm_sort_mapped_by(dmm_sort *sort, const dmm_class *method)
{
    dmm_status status = DMM_OK;
    const dmm_mapped_sort_desc desc = {.sort = sort->desc, .method = method};
    TRY(dmm_object_part(sort, &sort->by, &mapped_sort_class, &desc));
    sort->object.max_n = sort->by->max_n;
out:
    return status;
}
