/* SPDX-License-Identifier: MIT */
/*
 * Group g counts labels g*range .. (g + 1)*range - 1 into row g; dmm_histogram_total adds up the
 * rows.
 * Layout     rows[group][bin], in global memory; columns: cl/columns.clh; sums[t]: work-item t's
 * Claim      conflict-free: columns as cl/columns.clh, up to 256 bins; sums in w consecutive words
 */
#include "cl/histogram_call.clh"
#include "cl/common.clh"
#include "cl/input.clh"
#include "cl/order.clh"
#if defined(DMM_COLUMN_BINS)
#include "cl/label_words.clh"
#endif

/* DMM_HISTOGRAM_BINS: number of bins. */
#if !defined(DMM_HISTOGRAM_BINS) || DMM_HISTOGRAM_BINS < 1 || DMM_HISTOGRAM_BINS > 65536
#error "DMM_HISTOGRAM_BINS must be from 1 to 65536"
#endif

/* DMM_HISTOGRAM_BY: items are labels, the numbers of their bins, or bins are ranges of items. */
#if !defined(DMM_HISTOGRAM_BY) || DMM_HISTOGRAM_BY > DMM_BY_EVEN
#error "DMM_HISTOGRAM_BY must be 0 (labels), 1 (edges) or 2 (even)"
#endif
/* DMM_GUESSES: 1 if the bin is found by arithmetic, where that fits; 0: by search. */
#if !defined(DMM_GUESSES) || DMM_GUESSES > (DMM_HISTOGRAM_BY == DMM_BY_EVEN)
#error "DMM_GUESSES must be 0, or 1 for even edges"
#endif

/* Numbers in which bins are guessed. */
#if DMM_GUESSES && DMM_KEY_KIND == DMM_KIND_FLOAT && DMM_KEY_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double dmm_real;
#else
typedef float dmm_real;
#endif

/* The range of even edges: the first and the last one, and bins to half a unit. */
typedef struct dmm_even_range {
    dmm_key low, high;
    dmm_real bins;
} dmm_even_range;

/* Returns half the distance of two items, low <= item. */
DMM_INLINE dmm_real dmm_histogram_distance(dmm_key low, dmm_key item)
{
#if !DMM_GUESSES
    return 0;
#elif DMM_KEY_KIND != DMM_KIND_FLOAT
    return (dmm_real)(dmm_encode(item) - dmm_encode(low)) / 2;
#elif DMM_KEY_BYTES == 2
    return (dmm_from_half(item) - dmm_from_half(low)) / 2; /* host/primitives/prelude.h */
#elif DMM_KEY_BYTES == 4
    return as_float(item) / 2 - as_float(low) / 2;
#else
    return as_double(item) / 2 - as_double(low) / 2;
#endif
}

DMM_INLINE dmm_even_range dmm_histogram_range(global const dmm_key *edges)
{
    dmm_even_range range = {0, 0, 0};
#if DMM_HISTOGRAM_BY == DMM_BY_EVEN
    range.low = edges[0];
    range.high = edges[DMM_HISTOGRAM_BINS];
    range.bins = DMM_HISTOGRAM_BINS / dmm_histogram_distance(range.low, range.high);
#endif
    return range;
}

/* True if the item is in this bin, by its edges; the last bin's upper edge was looked at. */
DMM_INLINE int dmm_histogram_fits(dmm_code code, global const dmm_key *edges, uint bin)
{
    return !dmm_code_less(code, dmm_encode(edges[bin])) &&
           (bin == DMM_HISTOGRAM_BINS - 1 || dmm_code_less(code, dmm_encode(edges[bin + 1])));
}

/* Returns the bin of an item; DMM_HISTOGRAM_BINS or more: none. By edges at most that, whatever
 * they are. Even edges: rounding may make the guess wrong; then the edges are searched. */
DMM_INLINE uint dmm_histogram_bin(dmm_key item, global const dmm_key *edges, dmm_even_range range)
{
#if DMM_HISTOGRAM_BY != DMM_BY_LABELS
    const dmm_code code = dmm_encode(item);
    uint low = 0, high = DMM_HISTOGRAM_BINS + 1; /* edges before `low` are at most the item */
#if DMM_HISTOGRAM_BY == DMM_BY_EVEN
    if (dmm_code_less(code, dmm_encode(range.low)) || dmm_code_less(dmm_encode(range.high), code))
        return DMM_HISTOGRAM_BINS;
    const dmm_real part = dmm_histogram_distance(range.low, item) * range.bins;
    const uint guess = part >= 0 && part < DMM_HISTOGRAM_BINS ? (uint)part : DMM_HISTOGRAM_BINS - 1;
    if (dmm_histogram_fits(code, edges, guess))
        return guess;
    high = DMM_HISTOGRAM_BINS; /* the last edge is in the last bin */
#endif
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (dmm_code_less(code, dmm_encode(edges[middle])))
            high = middle;
        else
            low = middle + 1;
    }
    return low == 0 ? DMM_HISTOGRAM_BINS : low - 1;
#else
    return (uint)item;
#endif
}

/* The bin of label x of a call. */
#define DMM_LABEL(x) dmm_histogram_bin(DMM_INPUT_ITEM(labels, (x)*c.stride), edges, range)

/* Labels that a group counts: first .. end - 1. */
typedef struct dmm_labels {
    ulong first, end;
} dmm_labels;

DMM_INLINE dmm_labels dmm_histogram_labels(global const ulong *count, const dmm_histogram_call c)
{
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    const ulong first = min(DMM_GROUP * c.range, all);
    const dmm_labels own = {first, first + min(c.range, all - first)};
    return own;
}

/* CPU form: counters of a bin, for items side by side: two increments of one counter in a row wait
 * for each other. */
#define DMM_HISTOGRAM_SETS (4 * DMM_HISTOGRAM_BINS <= DMM_STACK_BINS ? 4 : 2)

/* counts_out: with c.alone.
 * Conflict-free: Counters. */
DMM_KERNEL(DMM_U)
void dmm_histogram_count(DMM_INPUT_PARAMETER(dmm_key, labels), global const dmm_key *edges,
    global uint *rows, global const ulong *count, global ulong *counts_out,
    const dmm_histogram_call c DMM_INPUT_FURTHER)
{
    DMM_INPUT_BEGIN(labels, c.labels_at)
    const dmm_labels own = dmm_histogram_labels(count, c);
    const uint t = (uint)get_local_id(0);
    global uint *row = rows + (c.rows_at + DMM_GROUP * DMM_HISTOGRAM_BINS);
    DMM_INPUT_TO(labels, c.labels_at + c.channel, c.channel);
    edges += c.edges_at;
    const dmm_even_range range = dmm_histogram_range(edges);
#if defined(DMM_COLUMN_BINS)
    local dmm_word columns[DMM_COUNTER_WORDS];
    dmm_index totals[DMM_OWN_BINS];
    const ulong step = (ulong)DMM_COLUMN_TILES * DMM_TILE;
    dmm_columns_clear(columns, t, totals);
    for (ulong part = own.first; part < own.end; part += step) {
        const uint size = (uint)min(step, own.end - part);
        barrier(CLK_LOCAL_MEM_FENCE); /* columns cleared | counted */
#if DMM_LABELS_A_LOAD > 1
        if ((size_t)(labels + part) % 4 == 0)
            dmm_labels_count(columns, t, labels + part, size);
        else
#endif
            for (uint x = t; x < size; x += DMM_TILE) {
                uint batch[DMM_E]; /* E loads in flight */
                DMM_UNROLL
                for (uint i = 0; i < DMM_E; i++)
                    batch[i] = DMM_LABEL(part + min(x + i * DMM_U, size - 1));
                DMM_UNROLL
                for (uint i = 0; i < DMM_E; i++)
                    if (batch[i] < DMM_HISTOGRAM_BINS && x + i * DMM_U < size)
                        dmm_columns_add(columns, t, batch[i]);
            }
        barrier(CLK_LOCAL_MEM_FENCE); /* columns counted | added up and cleared by rows */
        dmm_columns_sum(columns, t, totals, part + step < own.end);
    }
    for (uint i = 0; i < DMM_OWN_BINS; i++)
        if (dmm_columns_bin(t, i) < DMM_HISTOGRAM_BINS)
            row[dmm_columns_bin(t, i)] = (uint)totals[i];
#elif DMM_U == 1 && DMM_HISTOGRAM_BINS <= DMM_STACK_BINS
    uint counters[DMM_HISTOGRAM_SETS][DMM_HISTOGRAM_BINS + 1]; /* the last one: no bin */
    ulong x = own.first;
    for (uint set = 0; set < DMM_HISTOGRAM_SETS; set++)
        for (uint bin = 0; bin < DMM_HISTOGRAM_BINS; bin++)
            counters[set][bin] = 0;
    for (; own.end - x >= DMM_HISTOGRAM_SETS; x += DMM_HISTOGRAM_SETS) {
        DMM_UNROLL
        for (uint set = 0; set < DMM_HISTOGRAM_SETS; set++)
            counters[set][min(DMM_LABEL(x + set), (uint)DMM_HISTOGRAM_BINS)]++;
    }
    for (; x < own.end; x++)
        counters[0][min(DMM_LABEL(x), (uint)DMM_HISTOGRAM_BINS)]++;
    for (uint bin = 0; bin < DMM_HISTOGRAM_BINS; bin++) {
        uint total = 0;
        DMM_UNROLL
        for (uint set = 0; set < DMM_HISTOGRAM_SETS; set++)
            total += counters[set][bin];
        if (c.alone)
            counts_out[c.counts_at + bin] = total;
        else
            row[bin] = total;
    }
#else
    for (uint bin = t; bin < DMM_HISTOGRAM_BINS; bin += DMM_U)
        row[bin] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE); /* row cleared | counted */
#if DMM_U == 1
    for (ulong x = own.first; x < own.end; x++) {
        const uint bin = DMM_LABEL(x);
        if (bin < DMM_HISTOGRAM_BINS)
            row[bin]++;
    }
#else
    for (ulong x = own.first + t; x < own.end; x += DMM_TILE) {
        uint batch[DMM_E];
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            batch[i] = DMM_LABEL(min(x + i * DMM_U, own.end - 1));
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            if (batch[i] < DMM_HISTOGRAM_BINS && x + i * DMM_U < own.end)
                atomic_inc(&row[batch[i]]);
    }
#endif
#endif
}

/* Rows that a work-item reads at a time. */
#define DMM_TOTAL_BATCH 16

/* Adds up a bin's counters in rows first, first + step, ... */
DMM_INLINE ulong dmm_histogram_sum(global const uint *row, ulong first, uint step, ulong groups)
{
    ulong total = 0, g = first;
    for (; g + (DMM_TOTAL_BATCH - 1) * step < groups; g += DMM_TOTAL_BATCH * step) {
        uint batch[DMM_TOTAL_BATCH]; /* loads in flight */
        DMM_UNROLL
        for (uint i = 0; i < DMM_TOTAL_BATCH; i++)
            batch[i] = row[(g + i * step) * DMM_HISTOGRAM_BINS];
        DMM_UNROLL
        for (uint i = 0; i < DMM_TOTAL_BATCH; i++)
            total += batch[i];
    }
    for (; g < groups; g += step)
        total += row[g * DMM_HISTOGRAM_BINS];
    return total;
}

/* Group g adds up DMM_TOTAL_BINS bins. In the GPU form, the work-items t, t + DMM_TOTAL_BINS, ...
 * share the rows of a bin. Conflict-free: Sums. */
DMM_KERNEL(DMM_U)
void dmm_histogram_total(global const uint *rows, global ulong *counts, const dmm_histogram_call c)
{
    const ulong first = DMM_GROUP * (ulong)DMM_TOTAL_BINS(DMM_U);
    rows += c.rows_at;
    counts += c.counts_at;
#if DMM_U == 1
    const ulong end = min(first + DMM_TOTAL_BINS(DMM_U), (ulong)DMM_HISTOGRAM_BINS);
    for (ulong bin = first; bin < end; bin++)
        counts[bin] = dmm_histogram_sum(rows + bin, 0, 1, c.groups);
#else
    local ulong sums[DMM_U];
    const uint t = (uint)get_local_id(0);
    const ulong bin = first + t % DMM_TOTAL_BINS(DMM_U);
    sums[t] = bin < DMM_HISTOGRAM_BINS ? dmm_histogram_sum(rows + bin, t / DMM_TOTAL_BINS(DMM_U),
                                             DMM_U / DMM_TOTAL_BINS(DMM_U), c.groups)
                                       : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* shares stored | read by others */
    for (uint s = DMM_U / 2; s >= DMM_TOTAL_BINS(DMM_U); s /= 2) {
        if (t < s)
            sums[t] += sums[t + s];
        barrier(CLK_LOCAL_MEM_FENCE); /* half of the shares added | read again */
    }
    if (t < DMM_TOTAL_BINS(DMM_U) && bin < DMM_HISTOGRAM_BINS)
        counts[bin] = sums[t];
#endif
}
