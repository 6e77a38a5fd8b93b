/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of dmm_reduce_by_key and dmm_run_length: one work-item a range, in two passes over
 * the keys and without a branch that depends on a key of one word. dmm_runs_count counts those of a
 * range's items that begin a run, and totals the items before the first of them, which belong to a
 * run of an earlier range. dmm_scan turns counts[group], which their total follows, into where each
 * range's runs go. dmm_runs_write writes the runs that begin in the range.
 * Cost       reads keys twice and items once; writes the runs
 * Lost       no more runs begin before a range than there are items: no write leaves its span
 * Claim      no local memory
 */
#include "cl/runs_call.clh"
#include "cl/common.clh"
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
#else
#include "cl/scan.clh"
typedef dmm_term dmm_total;
typedef dmm_key dmm_stored;
#define DMM_TOTAL_OF(in, x)  DMM_TERM_OF((in)[x])
#define DMM_TOTAL_JOIN(a, b) dmm_combine(a, b)
#define DMM_TOTAL_STORED(x)  DMM_KEY_OF(x)
#define DMM_TOTAL_LOADED(x)  DMM_TERM_OF(x)
#define DMM_TOTAL_OF_NONE    DMM_IDENTITY
#endif

/* Keys that are compared together. */
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
void dmm_runs_count(global const dmm_value_word *keys, global const dmm_stored *in,
    global dmm_stored *heads, global dmm_index *counts, global const ulong *count,
    const dmm_runs_call c)
{
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    const ulong end = min((DMM_GROUP + 1) * c.range, all), begin = min(DMM_GROUP * c.range, end);
    keys += c.keys_at;
    in += c.in_at;
    counts += c.counts_at;
    const ulong first = dmm_runs_first(keys, begin, end);
    dmm_total head = DMM_TOTAL_OF_NONE;
    for (ulong x = begin; x < first; x++)
        head = DMM_TOTAL_JOIN(head, DMM_TOTAL_OF(in, x));
    dmm_index found = first < end;
    ulong x = first + 1;
    for (; x + DMM_RUNS_BATCH <= end; x += DMM_RUNS_BATCH)
        found += dmm_runs_number(keys, x, DMM_RUNS_BATCH);
    if (x < end)
        found += dmm_runs_number(keys, x, (uint)(end - x));
    heads[c.heads_at + DMM_GROUP] = DMM_TOTAL_STORED(head);
    counts[DMM_GROUP] = found;
    if (DMM_GROUP == 0)
        counts[c.groups] = 0;
}

/* A run's key and its total so far are stored for each item: the last item's stay. */
DMM_KERNEL(DMM_U)
void dmm_runs_write(global const dmm_value_word *keys, global const dmm_stored *in,
    global dmm_value_word *restrict keys_out, global dmm_stored *restrict out,
    global const dmm_stored *heads, global const dmm_index *counts, global ulong *runs,
    global const ulong *count, const dmm_runs_call c)
{
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    const ulong end = min((DMM_GROUP + 1) * c.range, all), begin = min(DMM_GROUP * c.range, end);
    keys += c.keys_at;
    in += c.in_at;
    keys_out += c.keys_out_at;
    out += c.out_at;
    heads += c.heads_at;
    counts += c.counts_at;
    const ulong first = dmm_runs_first(keys, begin, end);
    ulong place = min((ulong)counts[DMM_GROUP], begin);
    dmm_total total = DMM_TOTAL_OF_NONE;
    if (DMM_GROUP == 0)
        runs[c.runs_at] = min((ulong)counts[c.groups], all);
    for (ulong x = first; x < end; x++) {
        const uint begins = x > first ? dmm_runs_differs(keys, x) : 0;
        place += begins;
        total = DMM_TOTAL_JOIN(begins ? DMM_TOTAL_OF_NONE : total, DMM_TOTAL_OF(in, x));
        if (DMM_WORDS == 1 || begins || x == first)
            for (uint k = 0; k < DMM_WORDS; k++)
                keys_out[place * DMM_WORDS + k] = keys[x * DMM_WORDS + k];
        out[place] = DMM_TOTAL_STORED(total);
    }
    for (ulong g = DMM_GROUP + 1; first < end && g < c.groups; g++) { /* the rest of the last run */
        total = DMM_TOTAL_JOIN(total, DMM_TOTAL_LOADED(heads[g]));
        out[place] = DMM_TOTAL_STORED(total);
        if (counts[g] != counts[g + 1])
            break;
    }
}
