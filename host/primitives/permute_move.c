/* SPDX-License-Identifier: MIT */
/*
 * Moving items of one size: plainly, by spreading (CPU form), or by passes of the radix sort over
 * the positions' high bits and then within tiles (GPU form).
 */
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/order.h"
#include "primitives/permute.h"

/* A label has 16 bits for a place (cl/permute/permute_tile.cl). */
enum { MAX_TILE = 1 << 15 };

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
    dmm_parameters_define(options, p, device);
    dmm_word_define(options, &mover->words);
    dmm_options_define(options, "DMM_PLACE_BYTES", mover->index_bytes);
    dmm_options_define(options, "DMM_PLAIN_U", DMM_PERMUTE_PLAIN_U);
    dmm_options_define(options, "DMM_CHECKED", desc->check != 0);
    dmm_options_define(options, "DMM_RANDOMIZED", desc->method == DMM_PERMUTE_RANDOMIZED);
}

static dmm_status build_plain(dmm_permute_mover *mover, dmm_context *ctx, const dmm_parameters *p,
    const dmm_permute_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc program_desc = {
        .root = "cl/permute/permute.cl", .options = &options, .prelude = ""};
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    cl_program program = NULL;
    define(&options, mover, p, desc, &ctx->device);
    TRY(dmm_programs_get(&ctx->programs, &program_desc, &program));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_permute_plain", u, &mover->plain));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_permute_count", u, &mover->count));
out:
    return status;
}

/* Passes over the bits above a tile's. */
static dmm_status build_passes(
    dmm_permute_mover *mover, dmm_context *ctx, const dmm_permute_desc *desc)
{
    const uint32_t begin = bits_of(mover->tile), end = bits_of(mover->words.max_n);
    const uint32_t most = 8 * mover->index_bytes;
    dmm_sort_desc sort = DMM_SORT_DESC_INIT;
    if (end <= begin)
        return DMM_OK;
    sort.order.type = mover->index_bytes == 8 ? DMM_U64 : DMM_U32;
    sort.value_bytes = mover->words.item_bytes;
    sort.method = DMM_SORT_RADIX;
    sort.bits = (dmm_bits){begin, end < most ? end : most};
    sort.guarantee = desc->method == DMM_PERMUTE_RANDOMIZED;
    sort.max_n = mover->words.max_n;
    sort.tuning.form = desc->tuning.form;
    return dmm_sort_create(&mover->passes, ctx, &sort);
}

static dmm_status build_tiles(dmm_permute_mover *mover, dmm_context *ctx, const dmm_parameters *p,
    const dmm_permute_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc program_desc = {
        .root = "cl/permute/permute_tile.cl", .options = &options, .prelude = ""};
    const int randomized = desc->method == DMM_PERMUTE_RANDOMIZED;
    cl_program program = NULL;
    mover->tile = p->tile;
    define(&options, mover, p, desc, &ctx->device);
    TRY(dmm_programs_get(&ctx->programs, &program_desc, &program));
    TRY(dmm_programs_kernel(&ctx->programs, program,
        randomized ? "dmm_permute_rounds" : "dmm_permute_tile", p->u, &mover->tiles));
    TRY(build_passes(mover, ctx, desc));
out:
    return status;
}

dmm_status dmm_permute_mover_init(dmm_permute_mover *out, dmm_context *ctx,
    const dmm_permute_desc *desc, uint32_t item_bytes, dmm_permute_method method)
{
    dmm_status status = DMM_OK;
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
        .most_tile = method == DMM_PERMUTE_PLAIN ? 0 : MAX_TILE,
        .word = "permute"};
    TRY(dmm_context_choose(&p, ctx, &desc->tuning, &footprint));
    out->u = p.u;
    TRY(build_plain(out, ctx, &p, &own));
    if (method == DMM_PERMUTE_PLAIN)
        goto out;
    if (p.cpu)
        TRY(dmm_spread_init(
            &out->spread, ctx, &out->words, &p, tile, desc->index_bytes, desc->check));
    else
        TRY(build_tiles(out, ctx, &p, &own));
out:
    return status;
}

void dmm_permute_mover_destroy(dmm_permute_mover *mover)
{
    const cl_kernel kernels[] = {mover->plain, mover->count, mover->tiles};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
    dmm_sort_free(mover->passes);
    dmm_spread_destroy(&mover->spread);
}

/* Which way a call of n items goes. */
typedef enum way { WAY_PLAIN, WAY_SPREAD, WAY_TILE, WAY_PASSES } way;

static way way_of(const dmm_permute_mover *mover, uint64_t n)
{
    if (dmm_spread_takes(&mover->spread, n))
        return WAY_SPREAD;
    if (mover->tiles == NULL)
        return WAY_PLAIN;
    return n <= mover->tile ? WAY_TILE : WAY_PASSES;
}

/* The scratch: a copy of the items, or their order by tiles. */
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
    /* One more, since the caller's temp may begin between two multiples of item_bytes. */
    const uint64_t items = chosen == WAY_PASSES || copies ? dmm_size_add(n, 1) : 0;
    l.items = dmm_temp_region(&l.temp, items, mover->words.item_bytes);
    if (chosen != WAY_PASSES)
        return l;
    l.index = dmm_temp_region(&l.temp, n, mover->index_bytes);
    dmm_sort_temp_bytes(&l.sort_bytes, mover->passes, n);
    l.sort = dmm_temp_region(&l.temp, l.sort_bytes, 1);
    return l;
}

static move_layout layout_of(const dmm_permute_mover *mover, const dmm_permute_move *call)
{
    return lay_out(mover, call->n, way_of(mover, call->n), dmm_spans_equal(call->in, call->out));
}

uint64_t dmm_permute_move_bytes(const dmm_permute_mover *mover, const dmm_permute_move *call)
{
    return layout_of(mover, call).temp.bytes;
}

/* Calls of fewer items may go another way, and need more. */
uint64_t dmm_permute_most_bytes(const dmm_permute_mover *mover, uint64_t n)
{
    const dmm_spread *spread = &mover->spread;
    const uint64_t spread_n = spread->settle != NULL && n > spread->most_n ? spread->most_n : n;
    const uint64_t own = lay_out(mover, n, way_of(mover, n), 1).temp.bytes;
    const uint64_t spread_bytes = dmm_spread_scratch_bytes(spread, spread_n);
    const uint64_t copy_bytes = lay_out(mover, n, WAY_PLAIN, 1).temp.bytes;
    const uint64_t most = own > spread_bytes ? own : spread_bytes;
    return most > copy_bytes ? most : copy_bytes;
}

static dmm_status launch_plain(
    const dmm_permute_mover *mover, dmm_chain *chain, const dmm_permute_move *call, dmm_span in)
{
    const dmm_word_layout *words = &mover->words;
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const cl_ulong index_at = dmm_span_items(call->index, mover->index_bytes);
    const cl_ulong in_at = dmm_span_items(in, words->word_bytes);
    const cl_ulong out_at = dmm_span_items(call->out, words->word_bytes);
    const cl_ulong bad_at = dmm_span_items(call->bad, sizeof(cl_uint)), n = call->n;
    const cl_uint gather = call->gather != 0;
    const dmm_arg args[] = {DMM_ARG_SPAN(call->index, index_at), DMM_ARG_SPAN(in, in_at),
        DMM_ARG_SPAN(call->out, out_at), DMM_ARG(n), DMM_ARG(gather),
        DMM_ARG_SPAN(call->bad, bad_at)};
    return dmm_chain_launch(chain, mover->plain, args, sizeof args / sizeof *args,
        (dmm_grid){0, dmm_size_div_up(dmm_size_mul(n, words->words), u), u});
}

static dmm_status launch_tiles(const dmm_permute_mover *mover, dmm_chain *chain,
    const dmm_permute_move *call, dmm_span index, dmm_span in)
{
    const dmm_word_layout *words = &mover->words;
    const cl_ulong index_at = dmm_span_items(index, mover->index_bytes);
    const cl_ulong in_at = dmm_span_items(in, words->word_bytes);
    const cl_ulong out_at = dmm_span_items(call->out, words->word_bytes);
    const cl_ulong bad_at = dmm_span_items(call->bad, sizeof(cl_uint));
    const cl_ulong report_at = dmm_span_items(call->report, sizeof(cl_uint));
    const cl_ulong n = call->n, seed = call->seed;
    const dmm_arg args[] = {DMM_ARG_SPAN(index, index_at), DMM_ARG_SPAN(in, in_at),
        DMM_ARG_SPAN(call->out, out_at), DMM_ARG(n), DMM_ARG(seed), DMM_ARG_SPAN(call->bad, bad_at),
        DMM_ARG_SPAN(call->report, report_at)};
    return dmm_chain_launch(chain, mover->tiles, args, sizeof args / sizeof *args,
        (dmm_grid){0, dmm_size_div_up(n, mover->tile), mover->u});
}

static dmm_status sort_by_tiles(const dmm_permute_mover *mover, dmm_chain *chain,
    const dmm_permute_move *call, const dmm_sort_args *args)
{
    cl_event done = NULL;
    const int first = chain->last == NULL;
    const dmm_status status = dmm_sort_enqueue(mover->passes, chain->queue, args, call->n,
        first ? chain->num_wait : 1, first ? chain->wait : &chain->last, &done);
    if (status == DMM_OK)
        dmm_chain_advance(chain, done);
    return status;
}

static dmm_span part(dmm_span scratch, uint64_t offset)
{
    return (dmm_span){scratch.buffer, scratch.offset_bytes + offset};
}

dmm_status dmm_permute_move_items(
    const dmm_permute_mover *mover, dmm_chain *chain, const dmm_permute_move *call)
{
    dmm_status status = DMM_OK;
    const way chosen = way_of(mover, call->n);
    const move_layout l = layout_of(mover, call);
    const dmm_temp scratch = {.span = call->scratch};
    const dmm_span items = dmm_temp_items(&scratch, l.items, mover->words.item_bytes);
    dmm_span in = call->in, index = call->index;
    if (chosen == WAY_SPREAD) {
        const dmm_spreading spreading = {.places = call->index,
            .in = call->in,
            .out = call->out,
            .scratch = call->scratch,
            .n = call->n,
            .bad = call->bad};
        TRY(dmm_spread_move(&mover->spread, chain, &spreading));
        goto out;
    }
    if (chosen == WAY_PASSES) {
        const dmm_sort_args args = {.keys_in = index,
            .values_in = in,
            .keys_out = part(call->scratch, l.index),
            .values_out = items,
            .temp = part(call->scratch, l.sort)};
        TRY(sort_by_tiles(mover, chain, call, &args));
        index = args.keys_out;
        in = items;
    } else if (dmm_spans_equal(call->in, call->out)) {
        TRY(dmm_chain_copy(chain, in, items, call->n * mover->words.item_bytes));
        in = items;
    }
    TRY(chosen == WAY_PLAIN ? launch_plain(mover, chain, call, in)
                            : launch_tiles(mover, chain, call, index, in));
out:
    return status;
}

dmm_status dmm_permute_number(
    const dmm_permute_mover *mover, dmm_chain *chain, dmm_span to, uint64_t n)
{
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const cl_ulong to_at = dmm_span_items(to, mover->index_bytes), count = n;
    const dmm_arg args[] = {DMM_ARG_SPAN(to, to_at), DMM_ARG(count)};
    return dmm_chain_launch(chain, mover->count, args, sizeof args / sizeof *args,
        (dmm_grid){0, dmm_size_div_up(n, u), u});
}
