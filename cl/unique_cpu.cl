/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of packing (cl/unique.clh): one work-item a range, without local memory and without
 * a branch that depends on an item. dmm_unique_count counts those of a range's items that begin a
 * run, dmm_scan turns counts[group], which their total follows, into where each range's runs go,
 * and dmm_unique_keep moves them there.
 * Cost       items are read twice; kept ones are written
 * Lost       no more runs begin before a range than there are items: no move leaves its span
 */
#include "cl/unique.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items that are examined together. */
#define DMM_UNIQUE_BATCH 64

/* Returns the first item of a range to examine: the list's first item always begins a run. */
DMM_INLINE ulong dmm_unique_first(dmm_unique_view s)
{
    return s.first == 0 && s.end > 0 ? 1 : s.first;
}

DMM_INLINE uint dmm_unique_number(dmm_unique_view s, ulong x, uint count)
{
    uint found = 0;
    for (uint j = 0; j < count; j++)
        found += dmm_unique_differs(s, x + j);
    return found;
}

DMM_KERNEL(DMM_U)
void dmm_unique_count(DMM_UNIQUE_PARAMETERS)
{
    const dmm_unique_view s = DMM_UNIQUE_ARGUMENTS(
        DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, DMM_UNIQUE_END));
    ulong x = dmm_unique_first(s);
    dmm_index total = (dmm_index)(x - s.first);
    for (; x + DMM_UNIQUE_BATCH <= s.end; x += DMM_UNIQUE_BATCH)
        total += dmm_unique_number(s, x, DMM_UNIQUE_BATCH);
    if (x < s.end)
        total += dmm_unique_number(s, x, (uint)(s.end - x));
    s.counts[DMM_GROUP] = total;
    if (DMM_GROUP == 0)
        s.counts[c.groups] = 0;
}

/* Finds which of `count` items begin a run; returns how many. */
DMM_INLINE uint dmm_unique_picks(dmm_unique_view s, ulong x, uint count,
    uchar picks[DMM_UNIQUE_BATCH])
{
    uint found = 0;
    for (uint j = 0; j < count; j++) {
        picks[found] = (uchar)j;
        found += dmm_unique_differs(s, x + j);
    }
    return found;
}

DMM_KERNEL(DMM_U)
void dmm_unique_keep(DMM_UNIQUE_PARAMETERS)
{
    const dmm_unique_view s = DMM_UNIQUE_ARGUMENTS(
        DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, DMM_UNIQUE_END));
    ulong place = min((ulong)s.counts[DMM_GROUP], s.first), x = dmm_unique_first(s);
    if (DMM_GROUP == 0)
        s.runs[0] = min((ulong)s.counts[c.groups], DMM_UNIQUE_END);
    if (x > s.first)
        dmm_unique_move(s, s.first, place++);
    while (x < s.end) {
        uchar picks[DMM_UNIQUE_BATCH];
        const uint count = (uint)min((ulong)DMM_UNIQUE_BATCH, s.end - x);
        const uint found = count == DMM_UNIQUE_BATCH
            ? dmm_unique_picks(s, x, DMM_UNIQUE_BATCH, picks)
            : dmm_unique_picks(s, x, count, picks);
        for (uint i = 0; i < found; i++)
            dmm_unique_move(s, x + picks[i], place++);
        x += count;
    }
}
