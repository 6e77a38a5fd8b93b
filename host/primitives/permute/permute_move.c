/* SPDX-License-Identifier: MIT */
/*
 * Moves items of one size: plainly, by spreading (CPU form), or by passes of the radix sort over
 * the positions' high bits and then within tiles (GPU form).
 */
#include "cl/permute/permute_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/permute/permute.h"

static uint32_t bits_of(uint64_t n)
{
    uint32_t bits = 0;
    while (bits < 64 && n > (uint64_t)1 << bits)
        bits++;
    return bits;
}

static void define(dmm_options *options, const dmm_permute_mover *mover, const dmm_parameters *p,
    const dmm_permute_desc *desc, const dmm_device *device)
{
    dmm_options_parameters(options, p, device);
    dmm_word_define(options, &mover->words);
    dmm_options_define(options, "DMM_PLACE_BYTES", mover->index_bytes);
    dmm_options_define(options, "DMM_CHECKED", desc->check != 0);
    dmm_options_define(options, "DMM_RANDOMIZED", desc->method == DMM_PERMUTE_RANDOMIZED);
}

static dmm_status build_plain(
    dmm_permute_mover *mover, void *object, const dmm_parameters *p, const dmm_permute_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc program_desc = {
        .root = "cl/permute/permute.cl", .options = &options, .prelude = ""};
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    cl_program program = NULL;
    define(&options, mover, p, desc, &ctx->device);
    TRY(dmm_programs_get(&ctx->programs, &program_desc, &program));
    TRY(dmm_object_kernel(object, program, "dmm_permute_plain", u, &mover->plain));
    TRY(dmm_object_kernel(object, program, "dmm_permute_count", u, &mover->count));
out:
    return status;
}

/* Creates the radix passes over the bits above a tile's. */
static dmm_status build_passes(dmm_permute_mover *mover, void *object, const dmm_permute_desc *desc)
{
    const uint32_t begin = bits_of(mover->tile), end = bits_of(mover->words.max_n);
    const uint32_t most = 8 * mover->index_bytes;
    const int guarantee = desc->method == DMM_PERMUTE_RANDOMIZED;
    const dmm_radix_desc radix = {.order.type = mover->index_bytes == 8 ? DMM_U64 : DMM_U32,
        .value_bytes = mover->words.item_bytes,
        .bits = {begin, end < most ? end : most},
        .guarantee = guarantee,
        .max_n = mover->words.max_n,
        .tuning.form = desc->tuning.form};
    if (end <= begin)
        return DMM_OK;
    return dmm_object_part(object, &mover->passes, &dmm_radix_class, &radix);
}

static dmm_status build_tiles(
    dmm_permute_mover *mover, void *object, const dmm_parameters *p, const dmm_permute_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc program_desc = {
        .root = "cl/permute/permute_tile.cl", .options = &options, .prelude = ""};
    const int randomized = desc->method == DMM_PERMUTE_RANDOMIZED;
    cl_program program = NULL;
    mover->tile = p->tile;
    define(&options, mover, p, desc, &ctx->device);
    TRY(dmm_programs_get(&ctx->programs, &program_desc, &program));
    TRY(dmm_object_kernel(object, program, randomized ? "dmm_permute_rounds" : "dmm_permute_tile",
        p->u, &mover->tiles));
    TRY(build_passes(mover, object, desc));
out:
    return status;
}

dmm_status dmm_permute_mover_init(dmm_permute_mover *out, void *object,
    const dmm_permute_desc *desc, uint32_t item_bytes, dmm_permute_method method)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const uint32_t tile = desc->tuning.tile != 0 ? desc->tuning.tile : ctx->tuning.tile;
    const uint32_t word = (uint32_t)ctx->device.bank_bytes.value;
    dmm_permute_desc own = *desc;
    dmm_parameters p = {0};
    own.method = method;
    out->index_bytes = desc->index_bytes;
    TRY(dmm_word_layout_init(&out->words, &ctx->device, item_bytes, desc->max_n));
    if (desc->index_bytes == 4 && out->words.max_n > (uint64_t)1 << 32)
        out->words.max_n = (uint64_t)1 << 32;
    const dmm_footprint footprint = {.item_bytes = item_bytes,
        .local_bytes = method == DMM_PERMUTE_RANDOMIZED ? 3 * word : word,
        .group_bytes = word,
        .most_tile = method == DMM_PERMUTE_PLAIN ? 0 : DMM_PERMUTE_MAX_TILE,
        .word = "permute"};
    TRY(dmm_context_choose(&p, ctx, &desc->tuning, &footprint));
    out->u = p.u;
    TRY(build_plain(out, object, &p, &own));
    if (method == DMM_PERMUTE_PLAIN)
        goto out;
    if (p.cpu)
        TRY(dmm_spread_init(
            &out->spread, object, &out->words, &p, tile, desc->index_bytes, desc->check));
    else
        TRY(build_tiles(out, object, &p, &own));
out:
    return status;
}

/* The way in which a call of n items is done. */
typedef enum way { WAY_PLAIN, WAY_SPREAD, WAY_TILE, WAY_PASSES } way;

static way way_of(const dmm_permute_mover *mover, uint64_t n)
{
    if (dmm_spread_takes(&mover->spread, n))
        return WAY_SPREAD;
    if (mover->tiles == NULL)
        return WAY_PLAIN;
    return n <= mover->tile ? WAY_TILE : WAY_PASSES;
}

/* Offsets in the scratch: a copy of the items, or the items ordered by tile. */
typedef struct move_layout {
    dmm_temp temp;
    uint64_t items, index, sort, sort_bytes;
} move_layout;

static move_layout lay_out(const dmm_permute_mover *mover, uint64_t n, way chosen, int copies)
{
    move_layout l = {.items = 0};
    if (chosen == WAY_SPREAD) {
        dmm_temp_region(&l.temp, dmm_spread_scratch_bytes(&mover->spread, n), 1);
        return l;
    }
    /* One item more: the caller's temp may begin between two multiples of item_bytes. */
    const uint64_t items = chosen == WAY_PASSES || copies ? dmm_size_add(n, 1) : 0;
    l.items = dmm_temp_region(&l.temp, items, mover->words.item_bytes);
    if (chosen != WAY_PASSES)
        return l;
    l.index = dmm_temp_region(&l.temp, n, mover->index_bytes);
    dmm_object_temp_bytes(&l.sort_bytes, mover->passes, (dmm_sizes){.n = n});
    l.sort = dmm_temp_region(&l.temp, l.sort_bytes, 1);
    return l;
}

static move_layout layout_of(const dmm_permute_mover *mover, const dmm_permute_move *move)
{
    return lay_out(mover, move->n, way_of(mover, move->n), dmm_spans_equal(move->in, move->out));
}

uint64_t dmm_permute_move_bytes(const dmm_permute_mover *mover, const dmm_permute_move *move)
{
    return layout_of(mover, move).temp.bytes;
}

/* A call of fewer items may be done in another way, and need more. */
uint64_t dmm_permute_most_bytes(const dmm_permute_mover *mover, uint64_t n)
{
    const dmm_spread *spread = &mover->spread;
    const uint64_t spread_n = spread->tiles != NULL && n > spread->most_n ? spread->most_n : n;
    const uint64_t own = lay_out(mover, n, way_of(mover, n), 1).temp.bytes;
    const uint64_t spread_bytes = dmm_spread_scratch_bytes(spread, spread_n);
    const uint64_t copy_bytes = lay_out(mover, n, WAY_PLAIN, 1).temp.bytes;
    const uint64_t most = own > spread_bytes ? own : spread_bytes;
    return most > copy_bytes ? most : copy_bytes;
}

static dmm_permute_call numbers_of(
    const dmm_permute_mover *mover, const dmm_permute_move *move, dmm_span index, dmm_span in)
{
    const uint32_t word_bytes = mover->words.word_bytes;
    return (dmm_permute_call){.index_at = dmm_span_items(index, mover->index_bytes),
        .in_at = dmm_span_items(in, word_bytes),
        .out_at = dmm_span_items(move->out, word_bytes),
        .bad_at = dmm_span_items(move->bad, sizeof(cl_uint)),
        .report_at = dmm_span_items(move->report, sizeof(cl_uint)),
        .n = move->n,
        .seed = move->seed,
        .gather = move->gather != 0};
}

static dmm_status launch_plain(
    const dmm_permute_mover *mover, const dmm_call *call, const dmm_permute_move *move, dmm_span in)
{
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const dmm_permute_call c = numbers_of(mover, move, move->index, in);
    return dmm_call_launch(call, mover->plain,
        DMM_BUFFERS(move->index.buffer, in.buffer, move->out.buffer, move->bad.buffer), &c,
        sizeof c, (dmm_grid){0, dmm_size_div_up(dmm_size_mul(c.n, mover->words.words), u), u});
}

static dmm_status launch_tiles(const dmm_permute_mover *mover, const dmm_call *call,
    const dmm_permute_move *move, dmm_span index, dmm_span in)
{
    const dmm_permute_call c = numbers_of(mover, move, index, in);
    return dmm_call_launch(call, mover->tiles,
        DMM_BUFFERS(
            index.buffer, in.buffer, move->out.buffer, move->bad.buffer, move->report.buffer),
        &c, sizeof c, (dmm_grid){0, dmm_size_div_up(c.n, mover->tile), mover->u});
}

static dmm_status move_by_spreading(
    const dmm_permute_mover *mover, const dmm_call *call, const dmm_permute_move *move)
{
    const dmm_spreading spreading = {.places = move->index,
        .in = move->in,
        .out = move->out,
        .scratch = move->scratch,
        .n = move->n,
        .bad = move->bad};
    return dmm_spread_move(&mover->spread, call, &spreading);
}

dmm_status dmm_permute_move_items(
    const dmm_permute_mover *mover, const dmm_call *call, const dmm_permute_move *move)
{
    dmm_status status = DMM_OK;
    const way chosen = way_of(mover, move->n);
    const move_layout l = layout_of(mover, move);
    const dmm_span items = dmm_span_at(move->scratch, l.items, mover->words.item_bytes);
    dmm_span in = move->in, index = move->index;
    if (chosen == WAY_SPREAD)
        return move_by_spreading(mover, call, move);
    if (chosen == WAY_PASSES) {
        const dmm_radix_args args = {.items = {.keys_in = index,
                                         .values_in = in,
                                         .keys_out = dmm_span_at(move->scratch, l.index, 1),
                                         .values_out = items,
                                         .temp = dmm_span_at(move->scratch, l.sort, 1)}};
        TRY(dmm_call_run(call, mover->passes, &args, (dmm_sizes){.n = move->n}));
        index = args.items.keys_out;
        in = items;
    } else if (dmm_spans_equal(move->in, move->out)) {
        TRY(dmm_chain_copy(call->chain, in, items, move->n * mover->words.item_bytes));
        in = items;
    }
    TRY(chosen == WAY_PLAIN ? launch_plain(mover, call, move, in)
                            : launch_tiles(mover, call, move, index, in));
out:
    return status;
}

dmm_status dmm_permute_number(
    const dmm_permute_mover *mover, const dmm_call *call, dmm_span to, uint64_t n)
{
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const dmm_permute_call c = {.out_at = dmm_span_items(to, mover->index_bytes), .n = n};
    return dmm_call_launch(call, mover->count, DMM_BUFFERS(to.buffer), &c, sizeof c,
        (dmm_grid){0, dmm_size_div_up(n, u), u});
}
