/* SPDX-License-Identifier: MIT */
/*
 * The parallel bucket heap with its levels side by side, for priorities of which no two are equal.
 * dmm_levels_resolve  RESOLVE (Algorithm 1) of several levels, a group each: it reads and writes
 *                     its own level and the next one, so levels that are no neighbours are
 *                     independent, and no group waits for another
 * dmm_levels_take     takes the n least entries of level 0, or fewer if it has fewer
 * Layout     words: two rows of u sums, which alternate; counts of 256 digits
 * Cost       a resolve scans its two levels 9 to 27 times, four times in each selection
 * Source     K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 3.3 and 3.4
 * Differs    SELECT counts digits in place of random pivots; of equal keys the lower priority is
 *            the first in the order of entries
 */
#include "cl/common.clh"
#include "cl/lab/heap_levels_call.clh"

#define DMM_LEVELS_WORDS (2 * DMM_U + 256)

/* A list of entries: the place that it is in. */
typedef struct dmm_levels_list {
    global ulong *at;
    ulong n;
} dmm_levels_list;

#define DMM_LEVELS_PRIORITY(entry) ((entry)&0xffffffff)

/* Returns the sum of all, and in `before` that of earlier work-items. */
DMM_INLINE uint dmm_levels_sum(local uint *words, uint own, uint *before)
{
    const uint t = DMM_LOCAL;
    uint row = 0, sum = own;
    words[t] = sum;
    barrier(
        CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* all stored, entries read | read, written */
    for (uint s = 1; s < DMM_U; s *= 2) {
        sum += t >= s ? words[row + t - s] : 0;
        row = DMM_U - row;
        words[row + t] = sum;
        barrier(CLK_LOCAL_MEM_FENCE); /* this row stored, the other one read | read, overwritten */
    }
    const uint all = words[row + DMM_U - 1];
    barrier(CLK_LOCAL_MEM_FENCE); /* the total read | overwritten */
    *before = sum - own;
    return all;
}

/* Returns where entry x of the merged lists comes from: the entries of a among those before it, of
 * which `from` are known. */
DMM_INLINE ulong dmm_levels_cut(dmm_levels_list a, dmm_levels_list b, ulong from, ulong x)
{
    ulong low = max(from, max(x, b.n) - b.n), high = min(a.n, from + DMM_LOCAL);
    while (low < high) {
        const ulong middle = (low + high) / 2;
        if (a.at[middle] <= b.at[x - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* MERGE and DELETEDUPLICATES; returns the number of entries, of a key the one that comes first.
 * Each list has a key once, so the entry before has the same key, or none has. */
DMM_INLINE ulong dmm_levels_merge(
    local uint *words, dmm_levels_list a, dmm_levels_list b, global ulong *out)
{
    const ulong all = a.n + b.n;
    ulong kept = 0, from = 0;
    for (ulong done = 0; done < all; done += DMM_U) {
        const ulong x = done + DMM_LOCAL;
        ulong i = 0, entry = 0;
        uint is_kept = 0, is_of_a = 0, before, of_a;
        if (x < all) {
            i = dmm_levels_cut(a, b, from, x);
            const ulong j = x - i;
            is_of_a = j == b.n || (i < a.n && a.at[i] <= b.at[j]);
            entry = is_of_a ? a.at[i] : b.at[j];
            is_kept = (i == 0 || a.at[i - 1] >> 32 != entry >> 32) &&
                      (j == 0 || b.at[j - 1] >> 32 != entry >> 32);
        }
        const uint sums = dmm_levels_sum(words, is_kept | is_of_a << 16, &before);
        of_a = sums >> 16;
        if (is_kept)
            out[kept + (before & 0xffff)] = entry;
        kept += sums & 0xffff;
        from += of_a;
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* the list stored | read */
    return kept;
}

/* Returns the number of entries of priority <= limit. */
DMM_INLINE ulong dmm_levels_count(local uint *words, dmm_levels_list list, ulong limit)
{
    uint own = 0, before;
    for (ulong x = DMM_LOCAL; x < list.n; x += DMM_U)
        own += DMM_LEVELS_PRIORITY(list.at[x]) <= limit;
    return dmm_levels_sum(words, own, &before);
}

/* Takes entries of priority > limit (above), or the others, out of a list; returns their number. */
DMM_INLINE ulong dmm_levels_split(
    local uint *words, dmm_levels_list *list, ulong limit, int above, global ulong *out)
{
    ulong kept = 0, taken = 0;
    for (ulong done = 0; done < list->n; done += DMM_U) {
        const ulong x = done + DMM_LOCAL;
        const ulong entry = x < list->n ? list->at[x] : 0;
        const uint goes = x < list->n && (DMM_LEVELS_PRIORITY(entry) > limit) == above;
        const uint stays = x < list->n && !goes;
        uint before;
        const uint sums = dmm_levels_sum(words, goes | stays << 16, &before);
        if (goes)
            out[taken + (before & 0xffff)] = entry;
        if (stays)
            list->at[kept + (before >> 16)] = entry;
        taken += sums & 0xffff;
        kept += sums >> 16;
    }
    list->n = kept;
    barrier(CLK_GLOBAL_MEM_FENCE); /* both lists stored | read */
    return taken;
}

/* SELECT: returns the priority of rank k, from 1 to the list's entries, digit by digit. */
DMM_INLINE ulong dmm_levels_select(local uint *words, dmm_levels_list list, ulong k)
{
    local uint *const counts = words + 2 * DMM_U;
    ulong known = 0;
    for (uint shift = 32; shift > 0; shift -= 8) {
        for (uint i = DMM_LOCAL; i < 256; i += DMM_U)
            counts[i] = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* zeros stored | counted */
        for (ulong x = DMM_LOCAL; x < list.n; x += DMM_U) {
            const ulong priority = DMM_LEVELS_PRIORITY(list.at[x]);
            if (priority >> shift == known)
                atomic_inc(&counts[priority >> (shift - 8) & 255]);
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* counted | read */
        uint digit = 0;
        while (digit < 255 && k > counts[digit])
            k -= counts[digit++];
        known = known << 8 | digit;
        barrier(CLK_LOCAL_MEM_FENCE); /* read | zeros stored */
    }
    return known;
}

/* A level while its group works on it. */
typedef struct dmm_levels_view {
    dmm_levels_list bucket, signals;
    global ulong *spare_bucket, *spare_signals, *taken;
    ulong capacity, limit;
} dmm_levels_view;

DMM_INLINE dmm_levels_view dmm_levels_open(
    global const dmm_levels_level *levels, global ulong *entries, ulong d, ulong i)
{
    const dmm_levels_level level = levels[i];
    const ulong bucket = DMM_LEVELS_BUCKET(d, i), signals = DMM_LEVELS_SIGNALS(d, i);
    global ulong *const at = entries + DMM_LEVELS_AT(d, i);
    dmm_levels_view v;
    v.bucket.at = at + level.bucket_now * bucket;
    v.bucket.n = level.bucket;
    v.spare_bucket = at + (1 - level.bucket_now) * bucket;
    v.signals.at = at + 2 * bucket + level.signals_now * signals;
    v.signals.n = level.signals;
    v.spare_signals = at + 2 * bucket + (1 - level.signals_now) * signals;
    v.taken = at + 2 * bucket + 2 * signals;
    v.capacity = DMM_LEVELS_CAPACITY(d, i);
    v.limit = level.limit;
    return v;
}

/* The steps of a resolve. Each merges entries into a list; the first and the third then take some
 * out of it, which the next one merges. */
enum {
    DMM_LEVELS_SIGNALS_IN, /* signals into the bucket: what is too much or too great goes (lines 4
                              to 9) */
    DMM_LEVELS_SPILLED_IN, /* that into the signals below */
    DMM_LEVELS_BELOW_IN,   /* signals below into the bucket below: its least entries go (lines 10 to
                              17) */
    DMM_LEVELS_PULLED_IN   /* these into the bucket */
};

DMM_INLINE void dmm_levels_close(global dmm_levels_level *level, const dmm_levels_view *v,
    global const ulong *bucket, global const ulong *signals)
{
    level->bucket_now ^= v->bucket.at != bucket;
    level->signals_now ^= v->signals.at != signals;
    level->bucket = v->bucket.n;
    level->signals = v->signals.n;
    level->limit = v->limit;
}

/* Returns the number of the k-th bit of the mask, from 0. */
DMM_INLINE ulong dmm_levels_of(ulong mask, ulong k)
{
    ulong level = 0;
    for (; (mask >> level & 1) == 0 || k > 0; level++)
        k -= mask >> level & 1;
    return level;
}

/* Measured. */
DMM_KERNEL(DMM_U)
void dmm_levels_resolve(
    global dmm_levels_level *levels, global ulong *entries, const dmm_levels_call c)
{
    local uint words[DMM_LEVELS_WORDS];
    const ulong i = dmm_levels_of(c.mask, DMM_GROUP);
    dmm_levels_view v = dmm_levels_open(levels, entries, c.d, i);
    dmm_levels_view below = dmm_levels_open(levels, entries, c.d, i + 1);
    global const ulong *const bucket = v.bucket.at, *const signals = v.signals.at;
    global const ulong *const bucket_below = below.bucket.at, *const signals_below =
                                                                  below.signals.at;
    const ulong before = v.signals.n;
    dmm_levels_list taken;
    taken.at = v.taken;
    taken.n = 0;
    for (uint step = DMM_LEVELS_SIGNALS_IN; step <= DMM_LEVELS_PULLED_IN; step++) {
        const int is_above = step == DMM_LEVELS_SIGNALS_IN;
        const int is_below = step == DMM_LEVELS_BELOW_IN;
        dmm_levels_list list = v.bucket, more = taken;
        global ulong *spare = v.spare_bucket;
        if (is_above) {
            more = v.signals;
        } else if (is_below) {
            list = below.bucket;
            more = below.signals;
            spare = below.spare_bucket;
        } else if (step == DMM_LEVELS_SPILLED_IN) {
            list = below.signals;
            spare = below.spare_signals;
        }
        if (more.n > 0) {
            global ulong *const was = list.at;
            list.n = dmm_levels_merge(words, list, more, spare);
            list.at = spare;
            spare = was;
        }
        taken.n = 0;
        if (is_above || is_below) {
            ulong limit = is_above ? v.limit : below.limit;
            const ulong there = dmm_levels_count(words, list, limit);
            const ulong rank = is_above ? v.capacity : min(there, v.capacity - v.bucket.n);
            if (is_above ? there > rank : rank > 0)
                limit = dmm_levels_select(words, list, rank);
            if (is_above || rank > 0) {
                v.limit = limit;
                taken.n = dmm_levels_split(words, &list, limit, is_above, taken.at);
            }
        }
        if (step == DMM_LEVELS_SPILLED_IN) {
            below.signals = list;
            below.spare_signals = spare;
            if (v.bucket.n == v.capacity ||
                (below.bucket.n + below.signals.n == 0 && below.limit == DMM_LEVELS_NO_LIMIT))
                break;
        } else if (is_below) {
            below.bucket = list;
            below.spare_bucket = spare;
            below.signals.n = 0;
        } else {
            v.bucket = list;
            v.spare_bucket = spare;
            v.signals.n = 0;
        }
        if (is_below && list.n == 0 && below.limit == DMM_LEVELS_NO_LIMIT)
            v.limit = DMM_LEVELS_NO_LIMIT;
    }
    if (DMM_LOCAL == 0) {
        dmm_levels_close(&levels[i], &v, bucket, signals);
        dmm_levels_close(&levels[i + 1], &below, bucket_below, signals_below);
        levels[i].fullest = max(levels[i].fullest, before);
    }
}

/* Stores the entries at out[1 ...], their number in out[0]. Measured. */
DMM_KERNEL(DMM_U)
void dmm_levels_take(global dmm_levels_level *levels, global ulong *entries, global ulong *out,
    const dmm_levels_call c)
{
    local uint words[DMM_LEVELS_WORDS];
    dmm_levels_view v = dmm_levels_open(levels, entries, c.d, 0);
    const ulong n = min(c.n, v.bucket.n);
    ulong taken = 0;
    if (n > 0)
        taken =
            dmm_levels_split(words, &v.bucket, dmm_levels_select(words, v.bucket, n), 0, out + 1);
    if (DMM_LOCAL == 0) {
        out[0] = taken;
        levels[0].bucket = v.bucket.n;
    }
}
