/* SPDX-License-Identifier: MIT */
/*
 * Spreading: three launches.
 */
#include "primitives/spread.h"

#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/order.h"

/* T is less than what 16 bits count, and fits the second-level cache; every group keeps a line for
 * each tile, so that of very many tiles the lines would not fit any. */
enum { MAX_TILE_BITS = 15, MIN_TILE_BITS = 6, MAX_TILES = 1 << 14 };
/* Fewer items are in the cache anyway. */
enum { LEAST_BYTES = 1 << 22 };
enum { LINE_BYTES = 64, LOW_BYTES = 2 };
/* Slots that a group takes at a time: many, since stores past the cache make atomics wait; all
 * groups' together at most a quarter of a tile where that is possible. */
enum { MIN_CHUNK = 64, MAX_CHUNK = 256 };

static uint32_t tile_bits_of(uint32_t tile)
{
    uint32_t bits = MIN_TILE_BITS;
    while (bits < MAX_TILE_BITS && (uint32_t)1 << bits < tile)
        bits++;
    return bits;
}

static uint32_t chunk_of(const dmm_spread *spread)
{
    const uint64_t most = ((uint64_t)1 << spread->tile_bits) / 4;
    uint32_t chunk = MAX_CHUNK;
    while (chunk > MIN_CHUNK && chunk * spread->groups > most)
        chunk /= 2;
    return chunk;
}

dmm_status dmm_spread_init(dmm_spread *out, dmm_context *ctx, const dmm_word_layout *words,
    const dmm_parameters *p, uint32_t tile, uint32_t place_bytes, int checked)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {
        .root = "cl/permute/spread.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    *out = (dmm_spread){.words = *words, .place_bytes = place_bytes};
    if (!p->cpu || words->words != 1)
        return DMM_OK;
    out->tile_bits = tile_bits_of(p->tile);
    out->groups = p->most_groups;
    const uint32_t chunk = chunk_of(out);
    out->slots = ((uint64_t)1 << out->tile_bits) + out->groups * chunk;
    out->least_n = tile != 0      ? (uint64_t)2 << out->tile_bits
                   : p->from != 0 ? p->from
                                  : LEAST_BYTES / words->item_bytes;
    out->most_n = (uint64_t)MAX_TILES << out->tile_bits;
    dmm_parameters_define(&options, p, &ctx->device);
    dmm_word_define(&options, words);
    dmm_options_define(&options, "DMM_PLACE_BYTES", place_bytes);
    dmm_options_define(&options, "DMM_CHECKED", checked != 0);
    dmm_options_define(&options, "DMM_SPREAD_BITS", out->tile_bits);
    dmm_options_define(&options, "DMM_SPREAD_CHUNK", chunk);
    dmm_options_define(&options, "DMM_SPREAD_SLOTS", out->slots);
    TRY(dmm_programs_get(&ctx->programs, &desc, &program));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_spread_start", 1, &out->start));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_spread_lines", 1, &out->lines));
    TRY(dmm_programs_kernel(&ctx->programs, program, "dmm_spread_settle", 1, &out->settle));
out:
    return status;
}

void dmm_spread_destroy(dmm_spread *spread)
{
    const cl_kernel kernels[] = {spread->start, spread->lines, spread->settle};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
}

int dmm_spread_takes(const dmm_spread *spread, uint64_t n)
{
    return spread->settle != NULL && n >= spread->least_n && n <= spread->most_n;
}

/* Where everything lies in the scratch. */
typedef struct spread_layout {
    dmm_temp temp;
    uint64_t tiles, spare, lows, taken, lines, next;
} spread_layout;

static spread_layout lay_out(const dmm_spread *spread, uint64_t n)
{
    const uint64_t line_items = LINE_BYTES / spread->words.item_bytes;
    spread_layout l = {.tiles = dmm_size_div_up(n, (uint64_t)1 << spread->tile_bits)};
    const uint64_t own = l.tiles * spread->groups, slots = l.tiles * spread->slots;
    l.spare = dmm_temp_region(&l.temp, slots, spread->words.item_bytes);
    l.lows = dmm_temp_region(&l.temp, slots, LOW_BYTES);
    l.taken = dmm_temp_region(&l.temp, l.tiles, sizeof(cl_uint));
    l.lines = dmm_temp_region(&l.temp, own, LINE_BYTES + line_items * LOW_BYTES);
    l.next = dmm_temp_region(&l.temp, own, sizeof(cl_uint));
    return l;
}

uint64_t dmm_spread_scratch_bytes(const dmm_spread *spread, uint64_t n)
{
    return dmm_spread_takes(spread, n) ? lay_out(spread, n).temp.bytes : 0;
}

static dmm_status launch(const dmm_spread *spread, dmm_chain *chain, cl_kernel kernel,
    const dmm_spreading *call, cl_ulong range, uint64_t groups)
{
    const spread_layout l = lay_out(spread, call->n);
    const uint32_t item_bytes = spread->words.item_bytes;
    const uint64_t scratch = call->scratch.offset_bytes;
    const cl_ulong places_at = dmm_span_items(call->places, spread->place_bytes);
    const cl_ulong in_at = dmm_span_items(call->in, item_bytes);
    const cl_ulong out_at = dmm_span_items(call->out, item_bytes);
    const cl_ulong spare_at = (scratch + l.spare) / item_bytes;
    const cl_ulong lows_at = (scratch + l.lows) / LOW_BYTES;
    const cl_ulong taken_at = (scratch + l.taken) / sizeof(cl_uint);
    const cl_ulong lines_at = (scratch + l.lines) / sizeof(cl_ulong);
    const cl_ulong next_at = (scratch + l.next) / sizeof(cl_ulong);
    const cl_ulong seed = call->seed, n = call->n;
    const cl_ulong bad_at = dmm_span_items(call->bad, sizeof(cl_uint));
    const dmm_arg args[] = {DMM_ARG_SPAN(call->places, places_at), DMM_ARG(seed),
        DMM_ARG_SPAN(call->in, in_at), DMM_ARG_SPAN(call->out, out_at),
        DMM_ARG_SPAN(call->scratch, spare_at), DMM_ARG_SPAN(call->scratch, lows_at),
        DMM_ARG_SPAN(call->scratch, taken_at), DMM_ARG_SPAN(call->scratch, lines_at),
        DMM_ARG(next_at), DMM_ARG(n), DMM_ARG(range), DMM_ARG_SPAN(call->bad, bad_at)};
    return dmm_chain_launch(
        chain, kernel, args, sizeof args / sizeof *args, (dmm_grid){0, groups, 1});
}

dmm_status dmm_spread_move(const dmm_spread *spread, dmm_chain *chain, const dmm_spreading *call)
{
    dmm_status status = DMM_OK;
    const uint64_t tiles = lay_out(spread, call->n).tiles;
    const uint64_t items = dmm_size_div_up(call->n, spread->groups);
    const uint64_t settled = dmm_size_div_up(tiles, spread->groups);
    TRY(launch(spread, chain, spread->start, call, 0, 1));
    TRY(launch(spread, chain, spread->lines, call, items, dmm_size_div_up(call->n, items)));
    TRY(launch(spread, chain, spread->settle, call, settled, dmm_size_div_up(tiles, settled)));
out:
    return status;
}
