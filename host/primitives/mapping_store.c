/* SPDX-License-Identifier: MIT */
/*
 * Stores of mapped items.
 */
#include "primitives/mapping_store.h"

#include <stdlib.h>

#include "cl/input_store_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/prelude.h"
#include "primitives/words.h"

enum { LEAST_GROUP = 64, MOST_GROUPS = 1024 };

char *dmm_mapping_store_prelude(const dmm_map *map, const dmm_order *order)
{
    const int is_item = order->type == DMM_ITEM;
    char *prelude = dmm_prelude_new();
    if (is_item)
        prelude = dmm_prelude_size(dmm_prelude_item(prelude, "item", DMM_ITEM, order->item),
            "dmm_item", order->item_bytes);
    return dmm_mapping_prelude(prelude, map, order->type, is_item);
}

dmm_status dmm_mapping_store_init(void *object, dmm_mapping_store *store, const dmm_map *map,
    const dmm_order *order, uint64_t max_n)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const uint32_t banks = (uint32_t)ctx->device.banks.value;
    dmm_options options = {.bytes = 0};
    dmm_program_desc text = {.root = "cl/input_store.cl", .options = &options};
    char *prelude = NULL;
    cl_program program = NULL;
    TRY(dmm_mapping_init(&store->mapping, map, order->type, &ctx->device, 0));
    if (map == NULL)
        goto out;
    FAIL_IF(order->type == DMM_ITEM && order->item == NULL,
        dmm_refuse(DMM_BAD_VALUE, "order.item: is NULL, a map to DMM_ITEM needs it"));
    store->bytes = dmm_order_key_bytes(order);
    store->u = banks > LEAST_GROUP ? banks : LEAST_GROUP;
    text.prelude = prelude = dmm_mapping_store_prelude(map, order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_options_parameters(
        &options, &(dmm_parameters){.u = store->u, .E = 1, .tile = store->u}, &ctx->device);
    dmm_options_define(
        &options, "DMM_INDEX_BYTES", dmm_index_width(&ctx->device, max_n, store->bytes));
    dmm_mapping_define(&options, &store->mapping);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(object, program, "dmm_input_store", store->u, &store->kernel));
out:
    free(prelude);
    return status;
}

dmm_status dmm_mapping_store_run(
    const dmm_mapping_store *store, const dmm_call *call, const dmm_mapping_store_spans *spans)
{
    const uint64_t n = call->sizes.n;
    if (store->mapping.inputs == 0)
        return DMM_OK;
    const uint64_t wanted = dmm_size_div_up(n, store->u);
    const dmm_grid grid = {0, wanted < MOST_GROUPS ? wanted : MOST_GROUPS, store->u};
    const dmm_input_store_call c = {.in_at = dmm_span_items(spans->in, store->mapping.bytes[0]),
        .out_at = dmm_span_items(spans->out, store->bytes),
        .count_at = dmm_span_items(spans->count, DMM_COUNT_BYTES),
        .n = n,
        .items = grid.groups * store->u};
    return dmm_mapping_launch(&store->mapping, call, (dmm_further){spans->further, 0},
        store->kernel, DMM_BUFFERS(spans->in.buffer, spans->out.buffer, spans->count.buffer), &c,
        sizeof c, grid);
}
