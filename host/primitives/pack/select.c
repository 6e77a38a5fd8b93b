/* SPDX-License-Identifier: MIT */
/*
 * dmm_select: keeps the items with a flag, or those for which the caller's expression holds
 * (primitives/pack/pack.h).
 */
#include <dmm/select.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/refuse.h"
#include "primitives/pack/pack.h"
#include "primitives/prelude.h"

struct dmm_select {
    dmm_pack pack;
    dmm_select_desc desc;
};

static dmm_status check_desc(const dmm_select_desc *desc, const dmm_device *device)
{
    const int is_item = desc->type == DMM_ITEM;
    if (dmm_type_name(desc->type) == NULL)
        return dmm_refuse(DMM_BAD_VALUE, "type: %d is no dmm_type", (int)desc->type);
    if (!is_item && desc->item_bytes != 0)
        return dmm_refuse(DMM_BAD_VALUE, "item_bytes: is for DMM_ITEM");
    const int reads = desc->where != NULL || desc->map != NULL;
    if (desc->second != NULL && (desc->where == NULL || desc->rest_behind))
        return dmm_refuse(DMM_BAD_VALUE, "second: goes with `where`, and not with rest_behind");
    if (desc->rest_behind > 1 || desc->in_place > 1)
        return dmm_refuse(DMM_BAD_VALUE, "rest_behind, in_place: must be 0 or 1");
    if ((desc->item != NULL) != (is_item && reads))
        return dmm_refuse(
            DMM_BAD_VALUE, "item: goes with DMM_ITEM and `where` or a map, and only so");
    if (reads && desc->type == DMM_F64 && !device->fp64.value)
        return dmm_refuse(DMM_UNSUPPORTED, "type: this device does not compute with doubles");
    return DMM_OK;
}

/* Appends a condition over an item, if there is one. name: of the field. */
static char *append_condition(
    char *prelude, const dmm_select_desc *desc, const char *name, const char *text)
{
    char head[160], field[24];
    if (text == NULL)
        return prelude;
    snprintf(head, sizeof head, "int dmm_select_%s(const dmm_item x, %sconst ulong i)", name,
        dmm_mapping_parameters(desc->map));
    snprintf(field, sizeof field, "select.%s", name);
    return dmm_prelude_function(prelude, &(dmm_prelude_text){head, field, text, "(", ") ? 1 : 0"});
}

/* Returns the caller's texts, to be freed; "" without any; NULL: out of memory. */
static char *prelude_of(const dmm_select_desc *desc)
{
    char *prelude = dmm_prelude_new();
    if (desc->where == NULL && desc->map == NULL)
        return prelude;
    prelude = dmm_mapping_prelude(
        dmm_prelude_item(prelude, "select.item", desc->type, desc->item), desc->map, desc->type, 1);
    prelude = append_condition(prelude, desc, "where", desc->where);
    return append_condition(prelude, desc, "second", desc->second);
}

static dmm_status select_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_select *const select = object;
    const dmm_select_desc *const desc = &select->desc;
    char *prelude = NULL;
    TRY(check_desc(desc, &select->pack.object.ctx->device));
    select->pack.what =
        (dmm_pack_desc){.by = desc->where != NULL ? DMM_PACK_EXPRESSION : DMM_PACK_FLAGS,
            .item_bytes = desc->type == DMM_ITEM ? desc->item_bytes : dmm_type_bytes(desc->type),
            .value_bytes = desc->value_bytes,
            .max_n = desc->max_n,
            .tuning = desc->tuning,
            .map = desc->map,
            .second = desc->second != NULL,
            .behind = desc->rest_behind != 0,
            .in_place = desc->in_place != 0};
    TRY(dmm_mapping_init(
        &select->pack.mapping, desc->map, desc->type, &select->pack.object.ctx->device, 0));
    prelude = prelude_of(desc);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_pack_init(&select->pack, prelude));
out:
    free(prelude);
    return status;
}

/* The first fields of a port in the struct to which second_out points: three spans. */
#define SECOND(field, items, bytes)                                            \
    .name = "second_out->" field, .at = offsetof(dmm_select_args, second_out), \
    .access = DMM_WRITE, .n = (items), .item_bytes = (bytes)
_Static_assert(sizeof(dmm_select_second) == 3 * sizeof(dmm_span), "it is read as an array");

static size_t select_ports(
    const void *object, const void *all_args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_select *const select = object;
    const dmm_select_args *const args = all_args;
    const uint32_t item = select->pack.what.item_bytes, value = select->desc.value_bytes;
    const uint64_t n = sizes->n;
    const int by_flags = select->desc.where == NULL;
    const int moves = args->items_out.buffer != NULL || args->rest_out.buffer != NULL;
    const uint32_t in = dmm_pack_in_bytes(&select->pack), rest = !select->desc.rest_behind;
    const uint32_t second = select->desc.second != NULL;
    const uint8_t items = select->desc.in_place && in == item ? 1 : 0;
    const uint8_t values = select->desc.in_place ? 2 : 0;
    const dmm_port list[] = {
        {DMM_READS(dmm_select_args, items_in, n, in), .optional = by_flags && !moves,
            .pair = items},
        {DMM_READS(dmm_select_args, values_in, n, value), .pair = values},
        {DMM_READS(dmm_select_args, flags, n, by_flags ? 1 : 0)},
        {DMM_WRITES(dmm_select_args, items_out, n, item), .optional = 1, .pair = items},
        {DMM_WRITES(dmm_select_args, values_out, n, value), .optional = 1, .pair = values},
        {DMM_WRITES(dmm_select_args, positions_out, n, DMM_POSITION_BYTES), .optional = 1},
        {DMM_WRITES(dmm_select_args, rest_out, n, rest * item), .optional = 1},
        {DMM_WRITES(dmm_select_args, rest_values_out, n, rest * value), .optional = 1},
        {DMM_WRITES(dmm_select_args, selected_out, 1, DMM_COUNT_BYTES)},
        {DMM_READS_COUNT(dmm_select_args)},
        {SECOND("items_out", n, second * item), .further = 1, .optional = 1},
        {SECOND("values_out", n, second * value), .further = 2, .optional = 1},
        {SECOND("selected_out", 1, second * DMM_COUNT_BYTES), .further = 3},
    };
    return dmm_mapping_ports(&select->pack.mapping, offsetof(dmm_select_args, further), n, ports,
        DMM_PORTS(ports, list));
}

static dmm_status select_steps(const void *object, dmm_call *call)
{
    const dmm_select_args *const args = call->args;
    const int has_second = ((const dmm_select *)object)->desc.second != NULL;
    const dmm_select_second none = {.items_out = DMM_NONE};
    const dmm_select_second *const second = has_second ? args->second_out : &none;
    const dmm_pack_spans spans = {.items = args->items_in,
        .values = args->values_in,
        .flags = args->flags,
        .out = args->items_out,
        .values_out = args->values_out,
        .rest = args->rest_out,
        .rest_values = args->rest_values_out,
        .positions = args->positions_out,
        .kept = args->selected_out,
        .second = second->items_out,
        .second_values = second->values_out,
        .seconds = second->selected_out,
        .count = args->count,
        .further = args->further};
    return dmm_pack_steps(object, call, &spans);
}

const dmm_class dmm_select_class = {
    DMM_CLASS(dmm_select),
    .word = "unique", /* whose parameters it has */
    .desc_taken = 3,
    .args_taken = 2,
    .init = select_init,
    .ports = select_ports,
    .lay_out = dmm_pack_lay_out,
    .steps = select_steps,
};

dmm_status dmm_select_create(dmm_select **out, dmm_context *ctx, const dmm_select_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_select_class, desc);
}

void dmm_select_free(dmm_select *select)
{
    dmm_object_free(select);
}

dmm_status dmm_select_temp_bytes(uint64_t *out, const dmm_select *select, uint64_t n)
{
    return dmm_object_temp_bytes(out, select, (dmm_sizes){.n = n});
}

dmm_status dmm_select_enqueue(dmm_select *select, cl_command_queue queue,
    const dmm_select_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(select, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_select_host(dmm_context *ctx, const dmm_select_desc *desc,
    const dmm_select_host_args *args, size_t n, size_t *selected_out)
{
    uint64_t kept = 0;
    dmm_select_args spans = {.temp = DMM_NONE};
    if (args == NULL || selected_out == NULL)
        return DMM_NULL_ARGUMENT;
    const dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = args->items}, {.from = args->values},
        {.from = args->flags}, {.to = args->items_out, .kept = &kept},
        {.to = args->values_out, .kept = &kept}, {.to = args->positions_out, .kept = &kept},
        {.to = args->rest_out}, {.to = args->rest_values_out}, {.to = &kept}};
    const dmm_status status =
        dmm_object_host(ctx, &dmm_select_class, desc, &spans, (dmm_sizes){.n = n}, arrays);
    if (status == DMM_OK)
        *selected_out = (size_t)kept;
    return status;
}
