/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of packing (cl/pack/pack.clh): one work-item a range, without local memory and
 * without a branch that depends on an item. dmm_pack_count counts the kept items of a range:
 * counts[group]. dmm_pack_keep moves them behind those of the ranges before it, and the others
 * behind theirs. Of one range, it counts and moves, and is the only launch.
 * Cost       items are read twice; those that move are written
 * Lost       no more items are kept before a range than there are items: no move leaves its span
 */
#include "cl/earlier.clh"
#include "cl/pack/pack.clh"
#include "cl/pack/pack_lanes.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

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

/* Items of a batch, or places, of both lists. */
typedef struct dmm_pack_places {
    ulong kept, second;
} dmm_pack_places;

/* Counts the kept items of a range. */
DMM_INLINE dmm_index dmm_pack_total(dmm_pack_view s)
{
    ulong x = dmm_pack_first(s);
    dmm_index total = (dmm_index)(x - s.first);
    for (; x + DMM_PACK_BATCH <= s.end; x += DMM_PACK_BATCH)
        total += dmm_pack_number(s, x, DMM_PACK_BATCH);
    if (x < s.end)
        total += dmm_pack_number(s, x, (uint)(s.end - x));
    return total;
}

/* Counts the items of the second list: counts[groups + group]. */
DMM_INLINE dmm_index dmm_pack_seconds(dmm_pack_view s)
{
    dmm_index found = 0;
    for (ulong x = s.first; x < s.end; x++)
        found += dmm_pack_kind(s, x) == 2;
    return found;
}

DMM_KERNEL(DMM_U)
void dmm_pack_count(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    const ulong all = DMM_PACK_END;
    const dmm_pack_view s =
        DMM_PACK_ARGUMENTS(DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, all), all);
    s.counts[DMM_GROUP] = dmm_pack_total(s);
    if (DMM_PACK_SECOND)
        s.counts[c.groups + DMM_GROUP] = dmm_pack_seconds(s);
}

/* True if a batch at x may write each item to both lists, where the next one overwrites what is not
 * of the list: items are narrow, and the range's own items follow. ends: places behind those of the
 * range's kept items. */
DMM_INLINE int dmm_pack_may_overwrite(dmm_pack_view s, ulong ends, ulong x, ulong place)
{
    const int kept_follow = place + DMM_PACK_BATCH <= ends;
    const int rest_follows =
        DMM_PACK_HAS_REST ? x - place + DMM_PACK_BATCH <= s.end - ends : 1;
    return !DMM_PACK_SECOND & (DMM_WORDS + DMM_CARRIED <= 2) & (x + DMM_PACK_BATCH <= s.end) &
        kept_follow & rest_follows;
}

#if !DMM_PACK_IN_LANES

/* Moves a batch from x on so; returns how many are kept. */
DMM_INLINE uint dmm_pack_overwrite(dmm_pack_view s, ulong x, ulong place)
{
    uchar keeps[DMM_PACK_BATCH];
    uint found = 0;
    for (uint j = 0; j < DMM_PACK_BATCH; j++) /* becomes vector instructions */
        keeps[j] = (uchar)dmm_pack_keeps(s, x + j);
    for (uint j = 0; j < DMM_PACK_BATCH; j++) {
        dmm_pack_put(s, x + j, place + found);
        if (DMM_PACK_HAS_REST)
            dmm_pack_put_rest(s, x + j, x - place + j - found);
        found += keeps[j];
    }
    return found;
}

#endif

/* Offsets in a batch: of kept items, of those of the second list, and of the others. */
typedef struct dmm_pack_picks {
    uchar kept[DMM_PACK_BATCH];
    uchar second[DMM_PACK_SECOND ? DMM_PACK_BATCH : 1];
    uchar rest[DMM_PACK_HAS_REST ? DMM_PACK_BATCH : 1];
} dmm_pack_picks;

/* Finds the lists of `count` items, and moves all; returns how many are of each. */
DMM_INLINE dmm_pack_places dmm_pack_pick(
    dmm_pack_view s, ulong x, dmm_pack_places place, uint count)
{
    dmm_pack_picks picks;
    uint found = 0, seconds = 0;
    for (uint j = 0; j < count; j++) {
        const uint kind = dmm_pack_kind(s, x + j);
        picks.kept[found] = (uchar)j;
        if (DMM_PACK_SECOND)
            picks.second[seconds] = (uchar)j;
        if (DMM_PACK_HAS_REST)
            picks.rest[j - found - seconds] = (uchar)j;
        found += kind & 1;
        if (DMM_PACK_SECOND)
            seconds += kind >> 1;
    }
    for (uint i = 0; i < found; i++)
        dmm_pack_put(s, x + picks.kept[i], place.kept + i);
    for (uint i = 0; i < seconds; i++)
        dmm_pack_move(s, x + picks.second[i], s.second, place.second + i);
    const uint rest = DMM_PACK_HAS_REST ? count - found - seconds : 0;
    for (uint i = 0; i < rest; i++)
        dmm_pack_put_rest(s, x + picks.rest[i], x - place.kept - place.second + i);
    const dmm_pack_places moved = {found, seconds};
    return moved;
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

/* Moves a batch; returns the places behind its items. */
DMM_INLINE dmm_pack_places dmm_pack_batch(
    dmm_pack_view s, ulong x, dmm_pack_places place, ulong ends)
{
    const uint count = (uint)min((ulong)DMM_PACK_BATCH, s.end - x);
    dmm_pack_places moved = {0, 0};
    if (dmm_pack_may_overwrite(s, ends, x, place.kept))
        moved.kept = dmm_pack_is_bare(s) ? dmm_pack_overwrite(dmm_pack_bare(s), x, place.kept)
                                         : dmm_pack_overwrite(s, x, place.kept);
    else if (count == DMM_PACK_BATCH)
        moved = dmm_pack_pick(s, x, place, DMM_PACK_BATCH);
    else
        moved = dmm_pack_pick(s, x, place, count);
    place.kept += moved.kept;
    place.second += moved.second;
    return place;
}

DMM_KERNEL(DMM_U)
void dmm_pack_keep(DMM_PACK_PARAMETERS)
{
    DMM_INPUT_BEGIN(items, c.items_at)
    const ulong all = DMM_PACK_END;
    const dmm_pack_view s =
        DMM_PACK_ARGUMENTS(DMM_GROUP * c.range, min((DMM_GROUP + 1) * c.range, all), all);
    ulong x = dmm_pack_first(s);
    if (c.groups == 1) {
        s.counts[0] = dmm_pack_total(s);
        if (DMM_PACK_SECOND)
            s.counts[1] = dmm_pack_seconds(s);
    }
    const ulong before = dmm_earlier(s.counts, DMM_GROUP);
    const ulong next = min(before + s.counts[DMM_GROUP], s.end);
    dmm_pack_places place = {min(before, s.first), 0};
    if (DMM_PACK_SECOND) {
        global const dmm_index *const seconds = s.counts + c.groups;
        place.second = min(dmm_earlier(seconds, DMM_GROUP), s.first - place.kept);
        if (DMM_GROUP == 0)
            s.seconds[0] = min(dmm_earlier(seconds, c.groups), s.all);
    }
    if (DMM_GROUP == 0)
        s.kept[0] = min(dmm_earlier(s.counts, c.groups), s.all);
    if (x > s.first)
        dmm_pack_put(s, s.first, place.kept++);
    for (; x < s.end; x += min((ulong)DMM_PACK_BATCH, s.end - x))
        place = dmm_pack_batch(s, x, place, next);
}
