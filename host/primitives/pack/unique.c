/* SPDX-License-Identifier: MIT */
/*
 * dmm_unique: keeps the keys that begin a run (primitives/pack/pack.h).
 */
#include <dmm/unique.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/refuse.h"
#include "primitives/pack/pack.h"
#include "primitives/prelude.h"

enum { DEFAULT_KEY_BYTES = 4 };

struct dmm_unique {
    dmm_pack pack;
    dmm_unique_desc desc;
};

/* Returns the texts of a map, to be freed; "" without one; NULL: out of memory. The map declares a
 * key of DMM_ITEM. */
static char *prelude_of(const dmm_map *map)
{
    char *prelude = dmm_prelude_new();
    if (map != NULL && map->result.type != DMM_ITEM)
        prelude = dmm_prelude_typedef(prelude, map->result.type, "dmm_item");
    return dmm_mapping_prelude(prelude, map, DMM_ITEM, 1);
}

static dmm_status unique_init(void *object)
{
    dmm_status status = DMM_OK;
    char *prelude = NULL;
    dmm_unique *const unique = object;
    dmm_unique_desc *const desc = &unique->desc;
    desc->key_bytes = desc->key_bytes != 0 ? desc->key_bytes : DEFAULT_KEY_BYTES;
    unique->pack.what = (dmm_pack_desc){.by = DMM_PACK_RUNS,
        .item_bytes = desc->key_bytes,
        .value_bytes = desc->value_bytes,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .map = desc->map};
    TRY(dmm_mapping_init(
        &unique->pack.mapping, desc->map, DMM_ITEM, &unique->pack.object.ctx->device, 0));
    FAIL_IF(desc->map != NULL && desc->map->result.type != DMM_ITEM &&
                dmm_type_bytes(desc->map->result.type) != desc->key_bytes,
        dmm_refuse(DMM_BAD_VALUE, "map.result: is %s, which does not have key_bytes = %u bytes",
            dmm_type_name(desc->map->result.type), (unsigned)desc->key_bytes));
    prelude = prelude_of(desc->map);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_pack_init(&unique->pack, prelude));
out:
    free(prelude);
    return status;
}

static size_t unique_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_unique *const unique = object;
    const dmm_unique_desc *const desc = &unique->desc;
    const uint64_t n = sizes->n;
    const dmm_port list[] = {
        {DMM_READS(dmm_unique_args, keys_in, n, dmm_pack_in_bytes(&unique->pack))},
        {DMM_READS(dmm_unique_args, values_in, n, desc->value_bytes)},
        {DMM_WRITES(dmm_unique_args, keys_out, n, desc->key_bytes)},
        {DMM_WRITES(dmm_unique_args, values_out, n, desc->value_bytes)},
        {DMM_WRITES(dmm_unique_args, starts_out, n, DMM_POSITION_BYTES), .optional = 1},
        {DMM_WRITES(dmm_unique_args, runs_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_unique_args)},
    };
    (void)args;
    return dmm_mapping_ports(&unique->pack.mapping, offsetof(dmm_unique_args, further), n, ports,
        DMM_PORTS(ports, list));
}

static dmm_status unique_steps(const void *object, dmm_call *call)
{
    const dmm_unique_args *const args = call->args;
    const dmm_pack_spans spans = {.items = args->keys_in,
        .values = args->values_in,
        .out = args->keys_out,
        .values_out = args->values_out,
        .positions = args->starts_out,
        .kept = args->runs_out,
        .count = args->count,
        .further = args->further};
    return dmm_pack_steps(object, call, &spans);
}

const dmm_class dmm_unique_class = {
    DMM_CLASS(dmm_unique),
    .word = "unique",
    .desc_taken = 1,
    .args_taken = 1,
    .init = unique_init,
    .ports = unique_ports,
    .lay_out = dmm_pack_lay_out,
    .steps = unique_steps,
};

dmm_status dmm_unique_create(dmm_unique **out, dmm_context *ctx, const dmm_unique_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_unique_class, desc);
}

void dmm_unique_free(dmm_unique *unique)
{
    dmm_object_free(unique);
}

dmm_status dmm_unique_temp_bytes(uint64_t *out, const dmm_unique *unique, uint64_t n)
{
    return dmm_object_temp_bytes(out, unique, (dmm_sizes){.n = n});
}

dmm_status dmm_unique_enqueue(dmm_unique *unique, cl_command_queue queue,
    const dmm_unique_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(unique, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_unique_host(dmm_context *ctx, const dmm_unique_desc *desc, void *keys, void *values,
    size_t n, size_t *runs_out)
{
    uint64_t kept = 0;
    dmm_unique_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = keys}, {.from = values},
        {.to = keys, .kept = &kept}, {.to = values, .kept = &kept}, {.to = NULL}, {.to = &kept}};
    if (runs_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_status status =
        dmm_object_host(ctx, &dmm_unique_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *runs_out = (size_t)kept;
    return status;
}
