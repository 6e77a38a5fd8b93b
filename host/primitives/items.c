/* SPDX-License-Identifier: MIT */
/*
 * Item layouts, and values fetched by position.
 */
#include "primitives/items.h"

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/words.h"

/* Chooses the narrowest words that fill a bank, or twice as wide words if that halves their number.
 * Not for items that the caller's expressions read: compilers narrow the load of a word of which an
 * expression needs half, and halves of such words conflict. */
static void choose_planes(dmm_item_layout *layout, const dmm_order *order, const dmm_device *device)
{
    const uint32_t bytes = layout->key_bytes, bank = (uint32_t)device->bank_bytes.value;
    layout->plane_bytes = bytes % 8 == 0 && order->less == NULL ? 8 : bank;
    layout->planes = (bytes + layout->plane_bytes - 1) / layout->plane_bytes;
}

static int moves_itself(uint32_t value_bytes)
{
    return value_bytes <= DMM_MAX_MOVED_BYTES && (value_bytes & (value_bytes - 1)) == 0;
}

dmm_status dmm_item_layout_init(dmm_item_layout *out, const dmm_device *device,
    const dmm_order *order, uint32_t value_bytes, int positions, uint64_t max_n)
{
    dmm_status status = DMM_OK;
    TRY(dmm_order_check(order, device));
    FAIL_IF(value_bytes > DMM_MAX_ITEM_BYTES,
        dmm_refuse(DMM_BAD_VALUE, "value_bytes: is %u, at most %d are possible",
            (unsigned)value_bytes, DMM_MAX_ITEM_BYTES));
    FAIL_IF(positions && value_bytes != 4 && value_bytes != 8,
        dmm_refuse(
            DMM_BAD_VALUE, "value_bytes: argsort needs 4 or 8, is %u", (unsigned)value_bytes));
    *out = (dmm_item_layout){
        .key_bytes = dmm_order_key_bytes(order),
        .value_bytes = value_bytes,
        .ties = value_bytes != 0 || order->less != NULL || order->zero_equal,
    };
    out->index_bytes = dmm_index_width(device, max_n, out->key_bytes);
    out->by_position = !moves_itself(value_bytes);
    out->moved_bytes = out->by_position ? out->index_bytes : value_bytes;
    choose_planes(out, order, device);
out:
    return status;
}

void dmm_item_pack(dmm_item_layout *layout, const dmm_order *order)
{
    layout->packed =
        layout->ties && layout->key_bytes <= 4 && order->less == NULL && !order->zero_equal;
    if (layout->packed) {
        layout->plane_bytes = 8;
        layout->planes = 1;
    }
}

/* With positions, sorting networks pay off for the shortest runs only. */
enum { CPU_E_ALONE = 16, CPU_E_TIES = 4 };

dmm_footprint dmm_item_footprint(const dmm_item_layout *layout, const dmm_device *device)
{
    const uint32_t word_bytes = (uint32_t)device->bank_bytes.value;
    return (dmm_footprint){
        .item_bytes = layout->key_bytes + layout->moved_bytes,
        .planes = layout->planes + (layout->ties && !layout->packed),
        .plane_bytes = layout->plane_bytes,
        .group_bytes = word_bytes,
        .cpu_E = layout->ties ? CPU_E_TIES : CPU_E_ALONE,
    };
}

uint64_t dmm_item_limit(const dmm_item_layout *layout, int positions, uint64_t max_n)
{
    const uint64_t most = dmm_index_limit(layout->index_bytes, max_n);
    const uint64_t values = (uint64_t)1 << 32; /* that 4 bytes count */
    return positions && layout->value_bytes == 4 && most > values ? values : most;
}

dmm_list_at dmm_list_from(const dmm_item_layout *layout, dmm_item_spans spans, uint64_t first)
{
    return (dmm_list_at){dmm_span_items(spans.keys, layout->key_bytes) - first,
        dmm_span_items(spans.values, layout->moved_bytes) - first};
}

void dmm_item_define(dmm_options *options, const dmm_item_layout *layout, const dmm_order *order)
{
    dmm_order_define(options, order);
    dmm_options_define(options, "DMM_TIES", (uint64_t)layout->ties);
    dmm_options_define(options, "DMM_PACKED", (uint64_t)layout->packed);
    dmm_options_define(options, "DMM_PLANE_BYTES", layout->plane_bytes);
    dmm_options_define(options, "DMM_PLANES", layout->planes);
    dmm_options_define(options, "DMM_VALUE_BYTES", layout->moved_bytes);
    dmm_options_define(options, "DMM_INDEX_BYTES", layout->index_bytes);
}

void dmm_values_define(
    dmm_options *options, const dmm_item_layout *layout, int positions, int sorts)
{
    const int makes = layout->by_position || positions;
    dmm_options_define(options, "DMM_SORT_POSITIONS", makes && sorts);
    dmm_options_define(options, "DMM_MERGE_POSITIONS", makes && !sorts);
}

dmm_status dmm_values_kernel(void *object, const dmm_item_layout *layout, cl_kernel *out)
{
    dmm_status status = DMM_OK;
    static const dmm_parameters no_tiles = {.u = 1, .E = 1, .tile = 1};
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {.root = "cl/gather.cl", .options = &options, .prelude = ""};
    dmm_word_layout words;
    cl_program program = NULL;
    if (!layout->by_position)
        return DMM_OK;
    TRY(dmm_word_layout_init(&words, &ctx->device, layout->value_bytes, 0));
    words.index_bytes = layout->moved_bytes;
    dmm_options_parameters(&options, &no_tiles, &ctx->device);
    dmm_word_define(&options, &words);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(object, program, "dmm_gather_values", DMM_GATHER_U, out));
out:
    return status;
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
        .first = g->first,
        .last = b_first + g->nb - 1,
        .n = g->n,
    };
    const uint64_t groups = dmm_size_div_up(dmm_size_mul(g->n, words), DMM_GATHER_U);
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(g->positions.buffer, g->a.buffer, g->b.buffer, g->out.buffer, g->count.buffer),
        &c, sizeof c, (dmm_grid){0, groups, DMM_GATHER_U});
}
