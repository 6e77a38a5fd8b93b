/* SPDX-License-Identifier: MIT */
#include "primitives/sort/along.h"

#include "core/check.h"
#include "primitives/order.h"

/* An array alone always moves along. Several do in sorts of narrow items, where a gather would miss
 * the caches: all of at least so many bytes on average for each array. Measured on a CPU. */
enum { WIDEST_BYTES = 8, NARROW_BYTES = 8, CACHED_BYTES = 1 << 23 };

static int may_move(const dmm_lexsort_desc *desc, const dmm_device *device)
{
    if (desc->num_keys != 1 || !dmm_tuning_is_cpu(&desc->tuning, device))
        return 0;
    for (uint32_t c = 0; c < desc->num_values; c++) {
        const uint32_t bytes = desc->value_bytes[c];
        if (bytes > WIDEST_BYTES || (bytes & (bytes - 1)) != 0 ||
            (desc->num_values > 1 && dmm_order_key_bytes(&desc->keys[0]) + bytes > NARROW_BYTES))
            return 0;
    }
    return 1;
}

dmm_status dmm_along_init(dmm_along *along, void *object, const dmm_lexsort_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_object *const o = object;
    dmm_sort_desc sort = {.order = desc->keys[0],
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    along->desc = desc;
    if (!may_move(desc, &o->ctx->device))
        return DMM_OK;
    for (uint32_t c = 0; c < desc->num_values; c++) {
        sort.value_bytes = desc->value_bytes[c];
        for (uint32_t other = 0; other < c; other++)
            if (desc->value_bytes[other] == sort.value_bytes)
                along->sorts[c] = along->sorts[other];
        if (along->sorts[c] == NULL)
            TRY(dmm_object_part(object, &along->sorts[c], &dmm_sort_class, &sort));
        const uint64_t most = ((const dmm_object *)along->sorts[c])->max_n;
        if (most < o->max_n)
            o->max_n = most;
    }
out:
    return status;
}

int dmm_along_is_faster(const dmm_along *along, uint64_t n)
{
    const uint64_t arrays = along->desc->num_values;
    uint64_t bytes = 0; /* of a row of the arrays */
    for (uint32_t c = 0; c < arrays; c++)
        bytes += along->desc->value_bytes[c];
    return along->sorts[0] != NULL && (arrays == 1 || n >= arrays * arrays * CACHED_BYTES / bytes);
}

uint64_t dmm_along_temp_bytes(const dmm_along *along, uint64_t n)
{
    uint64_t most = 0, bytes = 0;
    for (uint32_t c = 0; c < along->desc->num_values && along->sorts[c] != NULL; c++) {
        if (dmm_object_temp_bytes(&bytes, along->sorts[c], (dmm_sizes){.n = n}) != DMM_OK)
            return UINT64_MAX;
        most = bytes > most ? bytes : most;
    }
    return most;
}

dmm_status dmm_along_steps(
    const dmm_along *along, const dmm_call *call, dmm_span keys_out, dmm_span temp)
{
    dmm_status status = DMM_OK;
    const dmm_lexsort_args *const args = call->args;
    for (uint32_t c = 0; c < along->desc->num_values; c++) {
        const dmm_sort_args sort = {.keys_in = args->keys_in[0],
            .values_in = args->values_in[c],
            .keys_out = keys_out,
            .values_out = args->values_out[c],
            .temp = temp,
            .count = args->count};
        TRY(dmm_call_run(call, along->sorts[c], &sort, (dmm_sizes){.n = call->sizes.n}));
    }
out:
    return status;
}
