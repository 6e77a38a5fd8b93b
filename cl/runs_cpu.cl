/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of dmm_reduce_by_key and dmm_run_length: one work-item a range, in two passes over
 * the keys and without a branch that depends on a key of one word. dmm_runs_count counts those of a
 * range's items that begin a run, and totals the items before the first of them, which belong to a
 * run of an earlier range; the last range is not counted. dmm_runs_write writes the runs that begin
 * in the range, behind those of the ranges before it. Of one range, it is the only launch.
 * Cost       reads keys twice, those of the last range once, and items once; writes the runs
 * Lost       no more runs begin before a range than there are items: no write leaves its span
 * Claim      no local memory
 */
#include "cl/runs_call.clh"
#include "cl/earlier.clh"
#include "cl/input.clh"
#include "cl/words.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* DMM_RUN_LENGTHS: 1 if a run's total is its number of items, 0 if the items are combined. */
#if !defined(DMM_RUN_LENGTHS) || DMM_RUN_LENGTHS > 1
#error "DMM_RUN_LENGTHS must be 0 or 1"
#endif
#if DMM_RUN_LENGTHS
typedef ulong dmm_total;
typedef ulong dmm_stored; /* a total in global memory */
#define DMM_TOTAL_OF(in, x)  ((ulong)1)
#define DMM_TOTAL_JOIN(a, b) ((a) + (b))
#define DMM_TOTAL_STORED(x)  (x)
#define DMM_TOTAL_LOADED(x)  (x)
#define DMM_TOTAL_OF_NONE    ((ulong)0)
#define DMM_TOTAL_IN_LANES   1
#else
#include "cl/scan.clh"
typedef dmm_term dmm_total;
typedef dmm_key dmm_stored;
#define DMM_TOTAL_OF(in, x)  DMM_TERM_OF(DMM_INPUT_ITEM(in, x))
#define DMM_TOTAL_JOIN(a, b) dmm_combine(a, b)
#define DMM_TOTAL_STORED(x)  DMM_KEY_OF(x)
#define DMM_TOTAL_LOADED(x)  DMM_TERM_OF(x)
#define DMM_TOTAL_OF_NONE    DMM_IDENTITY
#define DMM_TOTAL_IN_LANES   (DMM_SCAN_OP != DMM_OWN && DMM_KEY_BYTES == 4)
#endif

typedef struct dmm_runs_lists {
    global const dmm_value_word *keys;
    DMM_INPUT(dmm_stored) in;
    global dmm_value_word *keys_out;
    global dmm_stored *out;
} dmm_runs_lists;

/* A walk through a range: the next item, the place of the run it belongs to, and the total of that
 * run's items before it. */
typedef struct dmm_runs_walk {
    ulong x, place;
    dmm_total total;
} dmm_runs_walk;

#include "cl/runs_lanes.clh"

/* Keys that are compared, or moved, together. */
#define DMM_RUNS_BATCH 64

/* True if the key at x > 0 differs from the one before it. */
DMM_INLINE uint dmm_runs_differs(global const dmm_value_word *keys, ulong x)
{
    uint differs = 0;
    for (uint k = 0; k < DMM_WORDS; k++)
        differs |= keys[x * DMM_WORDS + k] != keys[(x - 1) * DMM_WORDS + k];
    return differs;
}

DMM_INLINE uint dmm_runs_number(global const dmm_value_word *keys, ulong x, uint count)
{
    uint found = 0;
    for (uint j = 0; j < count; j++)
        found += dmm_runs_differs(keys, x + j);
    return found;
}

/* Returns the first position of x .. end - 1 that begins a run, or `end`. */
DMM_INLINE ulong dmm_runs_first(global const dmm_value_word *keys, ulong x, ulong end)
{
    if (x > 0)
        while (x < end && !dmm_runs_differs(keys, x))
            x++;
    return x;
}

DMM_KERNEL(DMM_U)
void dmm_runs_count(global const dmm_value_word *keys, DMM_INPUT_PARAMETER(dmm_stored, in),
    global dmm_stored *heads, global dmm_index *counts, global const ulong *count,
    const dmm_runs_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    const ulong end = min((DMM_GROUP + 1) * c.range, all), begin = min(DMM_GROUP * c.range, end);
    keys += c.keys_at;
    DMM_INPUT_TO(in, c.in_at, 0);
    counts += c.counts_at;
    const ulong first = dmm_runs_first(keys, begin, end);
    dmm_total head = DMM_TOTAL_OF_NONE;
    for (ulong x = begin; x < first; x++)
        head = DMM_TOTAL_JOIN(head, DMM_TOTAL_OF(in, x));
    dmm_index found = 0;
    if (end < all) { /* no group needs the number of the last range's runs */
        ulong x = first + 1;
        found = first < end;
        for (; x + DMM_RUNS_BATCH <= end; x += DMM_RUNS_BATCH)
            found += dmm_runs_number(keys, x, DMM_RUNS_BATCH);
        if (x < end)
            found += dmm_runs_number(keys, x, (uint)(end - x));
    }
    heads[c.heads_at + DMM_GROUP] = DMM_TOTAL_STORED(head);
    counts[DMM_GROUP] = found;
}

DMM_INLINE void dmm_runs_put_key(dmm_runs_lists of, ulong place, ulong x)
{
    for (uint k = 0; k < DMM_WORDS; k++)
        of.keys_out[place * DMM_WORDS + k] = of.keys[x * DMM_WORDS + k];
}

/* Adds the item at w.x to the total of its run, and stores it: that of the run's last item stays.
 * ends: 1 if the run ends with it. */
DMM_INLINE dmm_runs_walk dmm_runs_add(dmm_runs_lists of, dmm_runs_walk w, uint ends)
{
    w.total = DMM_TOTAL_JOIN(w.total, DMM_TOTAL_OF(of.in, w.x));
    of.out[w.place] = DMM_TOTAL_STORED(w.total);
    w.place += ends;
    w.total = ends ? DMM_TOTAL_OF_NONE : w.total;
    w.x++;
    return w;
}

/* Moves items w.x, w.x + 1, ... to their runs: the keys of all, then the totals. Stores that
 * alternate between two arrays wait for each other at some distances of the arrays: processors
 * choose the way of a cache by a hash of the address. */
DMM_INLINE dmm_runs_walk dmm_runs_move(dmm_runs_lists of, dmm_runs_walk w, uint count)
{
    uchar ends[DMM_RUNS_BATCH];
    ulong place = w.place;
    for (uint j = 0; j < count; j++)
        ends[j] = (uchar)dmm_runs_differs(of.keys, w.x + j + 1);
    for (uint j = 0; j < count; j++) {
        dmm_runs_put_key(of, place, w.x + j);
        place += ends[j];
    }
    for (uint j = 0; j < count; j++)
        w = dmm_runs_add(of, w, ends[j]);
    return w;
}

DMM_KERNEL(DMM_U)
void dmm_runs_write(global const dmm_value_word *keys, DMM_INPUT_PARAMETER(dmm_stored, in),
    global dmm_value_word *restrict keys_out, global dmm_stored *restrict out,
    global const dmm_stored *heads, global const dmm_index *counts, global ulong *runs,
    global const ulong *count, const dmm_runs_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(in, c.in_at)
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    const ulong end = min((DMM_GROUP + 1) * c.range, all), begin = min(DMM_GROUP * c.range, end);
    const dmm_runs_lists of = {
        keys + c.keys_at, DMM_INPUT_FROM(in, c.in_at, 0), keys_out + c.keys_out_at, out + c.out_at};
    heads += c.heads_at;
    counts += c.counts_at;
    const ulong first = dmm_runs_first(of.keys, begin, end);
    const dmm_total none = DMM_TOTAL_OF_NONE;
    const int is_last = end == all && (begin < end || DMM_GROUP == 0);
    const ulong before = dmm_earlier(counts, DMM_GROUP);
    dmm_runs_walk w = {first, min(before, begin), none};
    if (is_last && first == end)
        runs[c.runs_at] = w.place;
    if (first == end)
        return;
#if DMM_RUNS_IN_LANES
    w = dmm_runs_lanes(of, w, end, is_last ? end : min(before + counts[DMM_GROUP], end));
#endif
    while (w.x + 1 < end)
        w = dmm_runs_move(of, w, (uint)min((ulong)DMM_RUNS_BATCH, end - 1 - w.x));
    dmm_runs_put_key(of, w.place, w.x);
    w = dmm_runs_add(of, w, 0);
    if (is_last)
        runs[c.runs_at] = w.place + 1;
    for (ulong g = DMM_GROUP + 1; g < c.groups; g++) { /* the rest of the last run */
        w.total = DMM_TOTAL_JOIN(w.total, DMM_TOTAL_LOADED(heads[g]));
        of.out[w.place] = DMM_TOTAL_STORED(w.total);
        if (counts[g] != 0)
            break;
    }
}
