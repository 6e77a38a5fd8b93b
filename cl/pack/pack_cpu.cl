/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of packing (cl/pack/pack.clh): one work-item a range, without local memory and
 * without a branch that depends on an item. dmm_pack_count counts the kept items of a range,
 * dmm_scan turns counts[group], which their total follows, into where each range's kept items go,
 * and dmm_pack_keep moves them there, and the others behind those of earlier ranges.
 * Cost       items are read twice; those that move are written
 * Lost       no more items are kept before a range than there are items: no move leaves its span
 */
#include "cl/pack/pack.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items that are examined together. */
#define DMM_PACK_BATCH 64

/* Returns the first item of a range to examine: a list's first item always begins a run. */
DMM_INLINE ulong dmm_pack_first(dmm_pack_view s)
{
    return DMM_PACK_BY == DMM_PACK_RUNS && s.first == 0 && s.end > 0 ? 1 : s.first;
}

DMM_INLINE uint dmm_pack_number(dmm_pack_view s, ulong x, uint count)
{
    uint found = 0;
    for (uint j = 0; j < count; j++)
        found += dmm_pack_keeps(s, x + j);
    return found;
}

DMM_KERNEL(DMM_U)
void dmm_pack_count(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    const dmm_pack_view s =
        DMM_PACK_ARGUMENTS(DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, DMM_PACK_END));
    ulong x = dmm_pack_first(s);
    dmm_index total = (dmm_index)(x - s.first);
    for (; x + DMM_PACK_BATCH <= s.end; x += DMM_PACK_BATCH)
        total += dmm_pack_number(s, x, DMM_PACK_BATCH);
    if (x < s.end)
        total += dmm_pack_number(s, x, (uint)(s.end - x));
    s.counts[DMM_GROUP] = total;
    if (DMM_GROUP == 0)
        s.counts[c.groups] = 0;
}

/* Places behind those of a range's kept items, and of its others. */
typedef struct dmm_pack_ends {
    ulong kept, rest;
} dmm_pack_ends;

/* True if a batch at x may write each item to both lists, where the next one overwrites what is not
 * of the list: items are narrow, and the range's own items follow. */
DMM_INLINE int dmm_pack_may_overwrite(dmm_pack_view s, dmm_pack_ends ends, ulong x, ulong place)
{
    const int kept_follow = place + DMM_PACK_BATCH <= ends.kept;
    const int rest_follows = DMM_PACK_SPLITS ? x - place + DMM_PACK_BATCH <= ends.rest : 1;
    return (DMM_WORDS + DMM_CARRIED <= 2) & (x + DMM_PACK_BATCH <= s.end) & kept_follow &
        rest_follows;
}

/* Moves a batch from x on so; returns how many are kept. */
DMM_INLINE uint dmm_pack_overwrite(dmm_pack_view s, ulong x, ulong place)
{
    uchar keeps[DMM_PACK_BATCH];
    uint found = 0;
    for (uint j = 0; j < DMM_PACK_BATCH; j++) /* becomes vector instructions */
        keeps[j] = (uchar)dmm_pack_keeps(s, x + j);
    for (uint j = 0; j < DMM_PACK_BATCH; j++) {
        dmm_pack_put(s, x + j, place + found);
        if (DMM_PACK_SPLITS)
            dmm_pack_move(s, x + j, s.rest, x - place + j - found);
        found += keeps[j];
    }
    return found;
}

/* Offsets in a batch: of kept items, and of the others. */
typedef struct dmm_pack_picks {
    uchar kept[DMM_PACK_BATCH];
    uchar rest[DMM_PACK_SPLITS ? DMM_PACK_BATCH : 1];
} dmm_pack_picks;

/* Finds which of `count` items are kept, and moves all; returns how many are kept. */
DMM_INLINE uint dmm_pack_pick(dmm_pack_view s, ulong x, ulong place, uint count)
{
    dmm_pack_picks picks;
    uint found = 0;
    for (uint j = 0; j < count; j++) {
        picks.kept[found] = (uchar)j;
        if (DMM_PACK_SPLITS)
            picks.rest[j - found] = (uchar)j;
        found += dmm_pack_keeps(s, x + j);
    }
    for (uint i = 0; i < found; i++)
        dmm_pack_put(s, x + picks.kept[i], place + i);
    for (uint i = DMM_PACK_SPLITS ? 0 : count - found; i < count - found; i++)
        dmm_pack_move(s, x + picks.rest[i], s.rest, x - place + i);
    return found;
}

/* Returns a view that has kept items as its only output, which compilers see. */
DMM_INLINE dmm_pack_view dmm_pack_bare(dmm_pack_view s)
{
    s.out.values = s.rest.values = 0;
    s.rest.items = 0;
    s.positions = 0;
    return s;
}

/* True if kept items are the only output. */
DMM_INLINE int dmm_pack_is_bare(dmm_pack_view s)
{
    const int is_alone = s.positions == 0 && s.rest.items == 0;
    return DMM_CARRIED ? 0 : is_alone & (s.out.items != 0);
}

DMM_KERNEL(DMM_U)
void dmm_pack_keep(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    const dmm_pack_view s =
        DMM_PACK_ARGUMENTS(DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, DMM_PACK_END));
    ulong place = min((ulong)s.counts[DMM_GROUP], s.first), x = dmm_pack_first(s);
    const ulong next = min((ulong)s.counts[DMM_GROUP + 1], s.end);
    const dmm_pack_ends ends = {next, s.end - next};
    const int bare = dmm_pack_is_bare(s);
    if (DMM_GROUP == 0)
        s.kept[0] = min((ulong)s.counts[c.groups], DMM_PACK_END);
    if (x > s.first)
        dmm_pack_put(s, s.first, place++);
    while (x < s.end) {
        const uint count = (uint)min((ulong)DMM_PACK_BATCH, s.end - x);
        place += dmm_pack_may_overwrite(s, ends, x, place)
            ? bare ? dmm_pack_overwrite(dmm_pack_bare(s), x, place)
                   : dmm_pack_overwrite(s, x, place)
            : count == DMM_PACK_BATCH ? dmm_pack_pick(s, x, place, DMM_PACK_BATCH)
                                      : dmm_pack_pick(s, x, place, count);
        x += count;
    }
}
