/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_tile, the CPU form of set.cl: one work-item walks through the parts of a tile, without
 * local memory and without a branch that depends on a key.
 * Path       partners are taken in one step, so tiles begin where as many pairs of a run as
 *            possible are behind: from the point where a tile of the merge begins, both lists'
 *            shares of the run are counted.
 */
#include "cl/sort/set.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items of A and of B before a point of the path. */
typedef struct dmm_set_point {
    dmm_index a, b;
} dmm_set_point;

/* Two lists, as numbers from 0. */
typedef struct dmm_set_lists {
    global const dmm_key *a, *b;
    dmm_index na, nb;
} dmm_set_lists;

/* Returns the next item of the merge at a point before the lists' ends. An empty list has no
 * memory. */
DMM_INLINE dmm_code dmm_set_next(dmm_set_lists of, dmm_set_point p)
{
    if (p.b == of.nb)
        return dmm_encode(of.a[p.a]);
    const dmm_code b = dmm_encode(of.b[p.b]);
    return p.a == of.na || dmm_code_less(b, dmm_encode(of.a[p.a])) ? b : dmm_encode(of.a[p.a]);
}

/* Moves a point of the merge path to the path of pairs; no item before it is greater than one
 * behind it. Of the items of a run before the point, as many as possible are in pairs. */
DMM_INLINE dmm_set_point dmm_set_paired(dmm_set_lists of, dmm_set_point p)
{
    if (p.a == of.na && p.b == of.nb)
        return p;
    const dmm_code x = dmm_set_next(of, p);
    const dmm_index a = dmm_set_ties(of.a + p.a, p.a, 1, x);
    const dmm_index b = dmm_set_ties(of.b + p.b, p.b, 1, x), taken = a + b;
    if (taken == 0)
        return p;
    const dmm_index all_a = a + dmm_set_ties(of.a + p.a, of.na - p.a, 0, x);
    const dmm_index all_b = b + dmm_set_ties(of.b + p.b, of.nb - p.b, 0, x);
    const dmm_index pairs = min(min(all_a, all_b), taken - taken / 2);
    const dmm_index single = DMM_MINUS(taken, 2 * pairs);
    p.a += pairs + (all_a > all_b ? single : 0) - a;
    p.b += pairs + (all_a > all_b ? 0 : single) - b;
    return p;
}

/* Writes item `at` of B or of A. */
DMM_INLINE void dmm_set_put(
    dmm_items a, dmm_items b, dmm_items to, dmm_index place, dmm_set_point p, int from_b)
{
    to.keys[place] = from_b ? b.keys[p.b] : a.keys[p.a];
#if DMM_VALUE_BYTES && DMM_MERGE_POSITIONS
    to.values[place] = (dmm_value)(from_b ? p.b : p.a);
#elif DMM_VALUE_BYTES && (DMM_SET_OP == DMM_SET_EITHER || DMM_SET_OP == DMM_SET_SINGLES)
    to.values[place] = *(from_b ? b.values + p.b : a.values + p.a);
#elif DMM_VALUE_BYTES
    to.values[place] = b.values[p.b];
#endif
}

/* Takes the items from p to `end`; with `keeps`, writes those it keeps to the places. Returns their
 * number. */
DMM_INLINE dmm_index dmm_set_walk(dmm_items a, dmm_items b, dmm_items to, dmm_set_point p,
    dmm_set_point end, dmm_range places, const int keeps)
{
    dmm_index place = places.first;
    while (p.a < end.a && p.b < end.b && (!keeps || place < places.end)) {
        const dmm_code x = dmm_encode(a.keys[p.a]), y = dmm_encode(b.keys[p.b]);
        const int only_a = dmm_code_less(x, y), only_b = dmm_code_less(y, x);
        const int pair = !(only_a | only_b);
        if (keeps)
            dmm_set_put(a, b, to, place, p,
                only_b | (DMM_SET_OP == DMM_SET_PAIRS) | (DMM_SET_OP == DMM_SET_LEFT));
        place += (pair | only_a) & DMM_SET_KEEPS_A(DMM_SET_OP, pair);
        place += (pair | only_b) & DMM_SET_KEEPS_B(DMM_SET_OP, pair);
        p.a += !only_b;
        p.b += !only_a;
    }
    for (; DMM_SET_KEEPS_A(DMM_SET_OP, 0) && p.a < end.a && (!keeps || place < places.end);
         p.a++, place++)
        if (keeps)
            dmm_set_put(a, b, to, place, p, 0);
    for (; DMM_SET_KEEPS_B(DMM_SET_OP, 0) && p.b < end.b && (!keeps || place < places.end);
         p.b++, place++)
        if (keeps)
            dmm_set_put(a, b, to, place, p, 1);
    return place - places.first;
}

DMM_KERNEL(DMM_U)
void dmm_set_tile(DMM_SET_PARAMETERS)
{
    const dmm_items a = dmm_list_of(a_keys, a_values, c.merge.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.merge.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.merge.out);
    const dmm_parts parts = dmm_parts_of(splits, 0, c.merge);
    const dmm_index na = (dmm_index)c.merge.run, nb = (dmm_index)c.merge.end - na;
    const dmm_set_lists lists = {a.keys, b.keys + na, na, nb};
    const dmm_set_point split = {parts.a, parts.b - na};
    const dmm_set_point next = {parts.a + parts.na, parts.b - na + parts.nb};
    dmm_set_point first = dmm_set_paired(lists, split), end = dmm_set_paired(lists, next);
    const dmm_range none = {0, 0};
    first.b += na;
    end.b += na;
    if (c.keeps) {
        dmm_set_walk(a, b, out, first, end, dmm_set_places(counts, c), 1);
        dmm_set_tell(counts, total, c, 0);
    } else {
        dmm_set_tell(counts, total, c, dmm_set_walk(a, b, out, first, end, none, 0));
    }
}
