/* SPDX-License-Identifier: MIT */
/*
 * Moves items to known places in the CPU form: accesses to memory are whole lines or in the cache.
 * Lines      dmm_spread_lines: a group collects the items of its range by tile of T places, and
 *            writes full lines to the tile's part of the spare list, past the cache, with each
 *            item's place within its tile, in 16 bits. A tile has as many items as places: instead
 *            of counting, groups take slots by atomic additions, DMM_SPREAD_CHUNK at a time, and
 *            mark those that they leave free.
 * Settle     dmm_spread_tiles: moves a tile's items, in order of arrival, to their places; T of
 *            them fit the cache.
 * Cost       reads and writes each item twice, and two bytes for each item once
 * Layout     lines[group][tile]: DMM_SPREAD_LINE items, and their places. next[group][tile]: the
 *            slot of the next item, whose low bits count the items of the line.
 *            taken[tile]: slots.
 * Profile    a shuffle of 2^24 u32 (Xeon with AVX-512, PoCL 3.1, 2026-11-27) takes 13 ns of a core
 *            an item: 4 for its rounds, 7 for collecting and writing lines, 2 for settling. Keeping
 *            a full line until the next item of its tile, as the radix sort does, took a third
 *            longer: by then it has left the cache.
 * Claim      no local memory
 * Source     D. Knuth, The Art of Computer Programming 3, section 5.2.5 (distribution); N. Satish
 *            et al., "Fast Sort on CPUs and GPUs", SIGMOD 2010, DOI 10.1145/1807167.1807207,
 *            section 3.1 (buffered scatter)
 * Places that are no permutation move the items that fit: nothing is written outside the output
 * and the spare list.
 */
#include "cl/lines.clh"
#include "cl/permute/spread_call.clh"
#include "cl/permute/shuffle_batch.clh"
#include "cl/words.clh"

#if DMM_U != 1
#error "spreading needs the CPU form: one work-item a group"
#endif

/* DMM_PLACE_BYTES: width of a place in the caller's array; 0: a shuffle computes places. */
#if DMM_PLACE_BYTES == 8
typedef ulong dmm_spread_place;
#elif DMM_PLACE_BYTES == 4 || DMM_PLACE_BYTES == 0
typedef uint dmm_spread_place;
#else
#error "DMM_PLACE_BYTES must be 0, 4 or 8"
#endif
/* DMM_SPREAD_BITS: log2(T). */
#if !defined(DMM_SPREAD_BITS) || DMM_SPREAD_BITS < DMM_SPREAD_MIN_BITS || \
    DMM_SPREAD_BITS > DMM_SPREAD_MAX_BITS
#error "DMM_SPREAD_BITS must be from 6 to 15"
#endif
/* DMM_SPREAD_CHUNK: slots that a group takes at a time, whole lines; DMM_SPREAD_SLOTS: a tile's. */
#if !defined(DMM_SPREAD_CHUNK) || DMM_SPREAD_CHUNK < DMM_SPREAD_MIN_CHUNK || \
    (DMM_SPREAD_CHUNK & (DMM_SPREAD_CHUNK - 1))
#error "DMM_SPREAD_CHUNK must be a power of two, at least 64"
#endif
#if !defined(DMM_SPREAD_SLOTS) || DMM_SPREAD_SLOTS < (1 << DMM_SPREAD_BITS) + DMM_SPREAD_CHUNK
#error "DMM_SPREAD_SLOTS must be T and a chunk for each group"
#endif

/* DMM_CHECKED: 1 if a nonzero flag forbids moving. */
#if !defined(DMM_CHECKED) || DMM_CHECKED > 1
#error "DMM_CHECKED must be 0 or 1"
#endif

#define DMM_SPREAD_LINE DMM_SPREAD_LINE_OF(DMM_WORD_BYTES)
#define DMM_FREE 0xffffu /* no place within a tile */

typedef struct dmm_line {
    ulong words[8];
    ulong lows[DMM_SPREAD_LINE / 4];
} dmm_line;

/* Lists that a group uses. */
typedef struct dmm_spread {
    global dmm_value_word *words; /* spare list: tile after tile */
    global ushort *lows;
    global uint *taken;
    global dmm_line *lines;
    global uint *next;
} dmm_spread;

/* Writes a line to slots next - DMM_SPREAD_LINE .. next - 1, of a chunk taken before its first
 * item. */
DMM_INLINE void dmm_spread_write(dmm_spread s, uint tile, uint next)
{
    const ulong at = (ulong)tile * DMM_SPREAD_SLOTS + (next - DMM_SPREAD_LINE);
    if (next < DMM_SPREAD_LINE || next > DMM_SPREAD_SLOTS) /* `taken` was not cleared */
        return;
    dmm_line_stream(s.lines[tile].words, s.words + at, 8);
    dmm_line_stream(s.lines[tile].lows, s.lows + at, DMM_SPREAD_LINE / 4);
}

DMM_INLINE void dmm_spread_put(dmm_spread s, uint tile, dmm_value_word word, ushort low)
{
    global dmm_line *line = &s.lines[tile];
    uint next = s.next[tile];
    if (next % DMM_SPREAD_CHUNK == 0)
        next = atomic_add(&s.taken[tile], (uint)DMM_SPREAD_CHUNK);
    ((global dmm_value_word *)line->words)[next % DMM_SPREAD_LINE] = word;
    ((global ushort *)line->lows)[next % DMM_SPREAD_LINE] = low;
    s.next[tile] = ++next;
    if (next % DMM_SPREAD_LINE == 0)
        dmm_spread_write(s, tile, next);
}

/* Marks the rest of the last chunk as free. */
DMM_INLINE void dmm_spread_finish(dmm_spread s, uint tile)
{
    while (s.next[tile] % DMM_SPREAD_CHUNK != 0)
        dmm_spread_put(s, tile, 0, DMM_FREE);
}

/* Computes the places of items first .. first + count - 1. */
DMM_INLINE void dmm_spread_places(global const dmm_spread_place *places, dmm_shuffling shuffling,
    dmm_index first, uint count, dmm_index to[DMM_BATCH])
{
#if DMM_PLACE_BYTES
    for (uint j = 0; j < count; j++)
        to[j] = (dmm_index)min(places[first + j], (dmm_spread_place)(dmm_index)-1);
#else
    dmm_shuffle_batch(shuffling, first, count, 0, to);
#endif
}

#define DMM_SPREAD_PARAMETERS                                                                 \
    global const dmm_spread_place *places, global const dmm_value_word *in,                   \
        global dmm_value_word *out, global dmm_value_word *spare, global ushort *lows,        \
        global uint *taken, global ulong *scratch, global const uint *bad,                    \
        const dmm_spread_call c

#define DMM_SPREAD_TILES ((uint)((c.n - 1) >> DMM_SPREAD_BITS) + 1)

/* Clears `taken`; one group. */
DMM_KERNEL(1)
void dmm_spread_start(DMM_SPREAD_PARAMETERS)
{
    for (uint i = 0; i < DMM_SPREAD_TILES; i++)
        taken[c.taken_at + i] = 0;
}

DMM_KERNEL(1)
void dmm_spread_lines(DMM_SPREAD_PARAMETERS)
{
    const dmm_shuffling shuffling = dmm_shuffle_begin(c.seed, c.n);
    const size_t own = (size_t)DMM_GROUP * DMM_SPREAD_TILES;
    const dmm_spread s = {spare + c.spare_at, lows + c.lows_at, taken + c.taken_at,
        (global dmm_line *)(scratch + c.lines_at) + own,
        (global uint *)(scratch + c.next_at) + own};
    const dmm_index first = DMM_GROUP * (dmm_index)c.range;
    const dmm_index end = first + (dmm_index)min(c.range, c.n - first);
    dmm_index to[DMM_BATCH];

    if (DMM_CHECKED && bad[c.bad_at])
        return;
    for (uint tile = 0; tile < DMM_SPREAD_TILES; tile++)
        s.next[tile] = 0;
    for (dmm_index x = first; x < end; x += DMM_BATCH) {
        const uint count = (uint)min((dmm_index)DMM_BATCH, end - x);
        dmm_spread_places(places + c.places_at, shuffling, x, count, to);
        for (uint j = 0; j < count; j++)
            if (to[j] < c.n)
                dmm_spread_put(s, (uint)(to[j] >> DMM_SPREAD_BITS), in[c.in_at + x + j],
                    (ushort)(to[j] & ((1u << DMM_SPREAD_BITS) - 1)));
    }
    for (uint tile = 0; tile < DMM_SPREAD_TILES; tile++)
        dmm_spread_finish(s, tile);
}

/* Group g settles tiles range*g .. range*(g + 1) - 1. */
DMM_KERNEL(1)
void dmm_spread_tiles(DMM_SPREAD_PARAMETERS)
{
    const uint end = min((uint)((DMM_GROUP + 1) * c.range), DMM_SPREAD_TILES);
    if (DMM_CHECKED && bad[c.bad_at])
        return;
    for (uint tile = (uint)(DMM_GROUP * c.range); tile < end; tile++) {
        const ulong at = (ulong)tile << DMM_SPREAD_BITS, slots = (ulong)tile * DMM_SPREAD_SLOTS;
        const uint mem = (uint)min(c.n - at, (ulong)1 << DMM_SPREAD_BITS);
        const uint count = min(taken[c.taken_at + tile], (uint)DMM_SPREAD_SLOTS);
        global const dmm_value_word *from = spare + (c.spare_at + slots);
        global const ushort *low = lows + (c.lows_at + slots);
        global dmm_value_word *to = out + (c.out_at + at);
        for (uint k = 0; k < count; k++)
            if (low[k] < mem)
                to[low[k]] = from[k];
    }
}
