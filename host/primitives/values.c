/* SPDX-License-Identifier: MIT */
/*
 * Fetching values by position.
 */
#include "primitives/values.h"

#include "core/size.h"
#include "primitives/words.h"

enum { GATHER_U = 64 };

void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts)
{
    const int makes = layout->by_position || positions;
    const uint32_t word = layout->by_position ? dmm_word_bytes(layout->value_bytes) : 1;
    dmm_options_define(options, "DMM_SORT_POSITIONS", makes && sorts);
    dmm_options_define(options, "DMM_MERGE_POSITIONS", makes && !sorts);
    dmm_options_define(options, "DMM_GATHER_U", GATHER_U);
    dmm_options_define(options, "DMM_WORD_BYTES", word);
    dmm_options_define(options, "DMM_WORDS", layout->by_position ? layout->value_bytes / word : 1);
}

dmm_status dmm_values_kernel(
    dmm_programs *programs, cl_program program, const dmm_item_layout *layout, cl_kernel *out)
{
    if (!layout->by_position)
        return DMM_OK;
    return dmm_programs_kernel(programs, program, "dmm_gather_values", GATHER_U, out);
}

dmm_status dmm_values_object_kernel(
    void *object, cl_program program, const dmm_item_layout *layout, cl_kernel *out)
{
    if (!layout->by_position)
        return DMM_OK;
    return dmm_object_kernel(object, program, "dmm_gather_values", GATHER_U, out);
}

dmm_status dmm_values_gather(
    cl_kernel kernel, const dmm_item_layout *layout, dmm_chain *chain, const dmm_gathering *g)
{
    const uint32_t word = dmm_word_bytes(layout->value_bytes);
    const uint64_t words = layout->value_bytes / word;
    const cl_ulong pos = dmm_span_items(g->positions, layout->moved_bytes);
    const cl_ulong a = dmm_span_items(g->a, word) - g->first * words;
    const cl_ulong b = dmm_span_items(g->b, word) - (g->first + g->na) * words;
    const cl_ulong out = dmm_span_items(g->out, word), a_end = g->first + g->na, n = g->n;
    const cl_ulong count_at = dmm_span_items(g->count, DMM_COUNT_BYTES);
    const dmm_arg args[] = {DMM_ARG_SPAN(g->positions, pos), DMM_ARG_SPAN(g->a, a),
        DMM_ARG_SPAN(g->b, b), DMM_ARG_SPAN(g->out, out), DMM_ARG(a_end), DMM_ARG(n),
        DMM_ARG_SPAN(g->count, count_at)};
    return dmm_chain_launch(chain, kernel, args, sizeof args / sizeof *args,
        (dmm_grid){0, dmm_size_div_up(dmm_size_mul(n, words), GATHER_U), GATHER_U});
}
