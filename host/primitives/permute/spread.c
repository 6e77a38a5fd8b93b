/* SPDX-License-Identifier: MIT */
/*
 * Moves items by spreading: three launches.
 */
#include "primitives/permute/spread.h"

#include "cl/permute/spread_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"

/* Each group keeps a line for each tile; the lines of more tiles would not fit the cache. */
enum { MAX_TILES = 1 << 14 };
/* Fewer bytes fit the caches, so a plain move is as fast. */
enum { LEAST_BYTES = 1 << 22 };
/* Most slots that a group reserves at a time: large, because atomics wait for non-temporal stores.
 * All groups' chunks together fill at most a quarter of a tile, if the smallest chunk allows. */
enum { MAX_CHUNK = 256 };

static uint32_t tile_bits_of(uint32_t tile)
{
    uint32_t bits = DMM_SPREAD_MIN_BITS;
    while (bits < DMM_SPREAD_MAX_BITS && (uint32_t)1 << bits < tile)
        bits++;
    return bits;
}

static uint32_t chunk_of(const dmm_spread *spread)
{
    const uint64_t most = ((uint64_t)1 << spread->tile_bits) / 4;
    uint32_t chunk = MAX_CHUNK;
    while (chunk > DMM_SPREAD_MIN_CHUNK && chunk * spread->groups > most)
        chunk /= 2;
    return chunk;
}

dmm_status dmm_spread_init(dmm_spread *out, void *object, const dmm_word_layout *words,
    const dmm_parameters *p, uint32_t tile, uint32_t place_bytes, int checked)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
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
    dmm_options_parameters(&options, p, &ctx->device);
    dmm_word_define(&options, words);
    dmm_options_define(&options, "DMM_PLACE_BYTES", place_bytes);
    dmm_options_define(&options, "DMM_CHECKED", checked != 0);
    dmm_options_define(&options, "DMM_SPREAD_BITS", out->tile_bits);
    dmm_options_define(&options, "DMM_SPREAD_CHUNK", chunk);
    dmm_options_define(&options, "DMM_SPREAD_SLOTS", out->slots);
    TRY(dmm_programs_get(&ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(object, program, "dmm_spread_start", 1, &out->start));
    TRY(dmm_object_kernel(object, program, "dmm_spread_lines", 1, &out->lines));
    TRY(dmm_object_kernel(object, program, "dmm_spread_tiles", 1, &out->tiles));
out:
    return status;
}

int dmm_spread_takes(const dmm_spread *spread, uint64_t n)
{
    return spread->tiles != NULL && n >= spread->least_n && n <= spread->most_n;
}

/* Offsets in the scratch. */
typedef struct spread_layout {
    dmm_temp temp;
    uint64_t tiles, spare, lows, taken, lines, next;
} spread_layout;

static spread_layout lay_out(const dmm_spread *spread, uint64_t n)
{
    const uint64_t line_bytes =
        DMM_LINE_BYTES + DMM_SPREAD_LINE_OF(spread->words.item_bytes) * DMM_SPREAD_LOW_BYTES;
    spread_layout l = {.tiles = dmm_size_div_up(n, (uint64_t)1 << spread->tile_bits)};
    const uint64_t own = l.tiles * spread->groups, slots = l.tiles * spread->slots;
    l.spare = dmm_temp_region(&l.temp, slots, spread->words.item_bytes);
    l.lows = dmm_temp_region(&l.temp, slots, DMM_SPREAD_LOW_BYTES);
    l.taken = dmm_temp_region(&l.temp, l.tiles, sizeof(cl_uint));
    l.lines = dmm_temp_region(&l.temp, own, line_bytes);
    l.next = dmm_temp_region(&l.temp, own, sizeof(cl_uint));
    return l;
}

uint64_t dmm_spread_scratch_bytes(const dmm_spread *spread, uint64_t n)
{
    return dmm_spread_takes(spread, n) ? lay_out(spread, n).temp.bytes : 0;
}

static dmm_status launch(const dmm_spread *spread, const dmm_call *call, cl_kernel kernel,
    const dmm_spreading *s, uint64_t range, uint64_t groups)
{
    const spread_layout l = lay_out(spread, s->n);
    const uint32_t item_bytes = spread->words.item_bytes;
    const uint64_t scratch = s->scratch.offset_bytes;
    const cl_mem buffer = s->scratch.buffer;
    const dmm_spread_call c = {.places_at = dmm_span_items(s->places, spread->place_bytes),
        .in_at = dmm_span_items(s->in, item_bytes),
        .out_at = dmm_span_items(s->out, item_bytes),
        .bad_at = dmm_span_items(s->bad, sizeof(cl_uint)),
        .spare_at = (scratch + l.spare) / item_bytes,
        .lows_at = (scratch + l.lows) / DMM_SPREAD_LOW_BYTES,
        .taken_at = (scratch + l.taken) / sizeof(cl_uint),
        .lines_at = (scratch + l.lines) / sizeof(cl_ulong),
        .next_at = (scratch + l.next) / sizeof(cl_ulong),
        .n = s->n,
        .range = range,
        .seed = s->seed};
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(s->places.buffer, s->in.buffer, s->out.buffer, buffer, buffer, buffer, buffer,
            s->bad.buffer),
        &c, sizeof c, (dmm_grid){0, groups, 1});
}

dmm_status dmm_spread_move(
    const dmm_spread *spread, const dmm_call *call, const dmm_spreading *spreading)
{
    dmm_status status = DMM_OK;
    const uint64_t n = spreading->n, tiles = lay_out(spread, n).tiles;
    const uint64_t items = dmm_size_div_up(n, spread->groups);
    const uint64_t tiles_each = dmm_size_div_up(tiles, spread->groups);
    const uint64_t line_groups = dmm_size_div_up(n, items);
    const uint64_t tile_groups = dmm_size_div_up(tiles, tiles_each);
    TRY(launch(spread, call, spread->start, spreading, 0, 1));
    TRY(launch(spread, call, spread->lines, spreading, items, line_groups));
    TRY(launch(spread, call, spread->tiles, spreading, tiles_each, tile_groups));
out:
    return status;
}
