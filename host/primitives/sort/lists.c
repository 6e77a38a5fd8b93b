/* SPDX-License-Identifier: MIT */
/*
 * Lists of a call that sorts.
 */
#include "primitives/sort/lists.h"

#include "core/check.h"

void dmm_lists_lay_out(dmm_call *call, const dmm_item_layout *item, int spare, int in_place)
{
    const uint64_t n = call->sizes.n, positions = item->by_position ? n : 0;
    /* One key more: see dmm_call_items. */
    dmm_call_region(call, DMM_SPARE_KEYS, spare ? n + 1 : 0, item->key_bytes);
    dmm_call_region(call, DMM_SPARE_VALUES, spare ? n : 0, item->moved_bytes);
    dmm_call_region(call, DMM_POSITIONS, positions, item->moved_bytes);
    dmm_call_region(call, DMM_INPUT_VALUES, in_place ? positions : 0, item->value_bytes);
}

dmm_lists dmm_lists_of(
    const dmm_call *call, const dmm_item_layout *item, dmm_item_spans in, dmm_item_spans out)
{
    const dmm_item_spans spare = {
        dmm_call_items(call, DMM_SPARE_KEYS, item->key_bytes), call->regions[DMM_SPARE_VALUES]};
    if (item->by_position)
        out.values = call->regions[DMM_POSITIONS];
    return (dmm_lists){in, out, spare};
}

/* In place, gathers from a copy. */
dmm_status dmm_lists_fetch(const dmm_call *call, cl_kernel gather, const dmm_item_layout *item,
    dmm_span values_in, dmm_span values_out, dmm_span count)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n;
    dmm_span from = values_in;
    if (n == 0 || !item->by_position)
        goto out;
    if (dmm_spans_equal(values_in, values_out)) {
        from = call->regions[DMM_INPUT_VALUES];
        TRY(dmm_chain_copy(call->chain, values_in, from, n * item->value_bytes));
    }
    const dmm_gathering gathering = {.positions = call->regions[DMM_POSITIONS],
        .a = from,
        .b = from,
        .out = values_out,
        .first = call->sizes.first,
        .na = n,
        .n = n,
        .count = count};
    TRY(dmm_values_gather(call, gather, item, &gathering));
out:
    return status;
}
