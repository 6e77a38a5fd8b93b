/* SPDX-License-Identifier: MIT */
/*
 * Values fetched by position.
 */
#include "primitives/values.h"

#include "cl/items_call.clh"
#include "core/size.h"
#include "primitives/words.h"

void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts)
{
    const int makes = layout->by_position || positions;
    const uint32_t word = layout->by_position ? dmm_word_bytes(layout->value_bytes) : 1;
    dmm_options_define(options, "DMM_SORT_POSITIONS", makes && sorts);
    dmm_options_define(options, "DMM_MERGE_POSITIONS", makes && !sorts);
    dmm_options_define(options, "DMM_WORD_BYTES", word);
    dmm_options_define(options, "DMM_WORDS", layout->by_position ? layout->value_bytes / word : 1);
}

dmm_status dmm_values_kernel(
    void *object, cl_program program, const dmm_item_layout *layout, cl_kernel *out)
{
    if (!layout->by_position)
        return DMM_OK;
    return dmm_object_kernel(object, program, "dmm_gather_values", DMM_GATHER_U, out);
}

dmm_status dmm_values_gather(
    const dmm_call *call, cl_kernel kernel, const dmm_item_layout *layout, const dmm_gathering *g)
{
    const uint32_t word = dmm_word_bytes(layout->value_bytes);
    const uint64_t words = layout->value_bytes / word, b_first = g->first + g->na;
    const dmm_gather_call c = {
        .positions_at = dmm_span_items(g->positions, layout->moved_bytes),
        .a_at = dmm_span_items(g->a, word) - g->first * words,
        .b_at = dmm_span_items(g->b, word) - b_first * words,
        .out_at = dmm_span_items(g->out, word),
        .count_at = dmm_span_items(g->count, DMM_COUNT_BYTES),
        .a_end = b_first,
        .n = g->n,
    };
    const uint64_t groups = dmm_size_div_up(dmm_size_mul(g->n, words), DMM_GATHER_U);
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(g->positions.buffer, g->a.buffer, g->b.buffer, g->out.buffer, g->count.buffer),
        &c, sizeof c, (dmm_grid){0, groups, DMM_GATHER_U});
}
