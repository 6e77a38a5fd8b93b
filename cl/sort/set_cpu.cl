/* SPDX-License-Identifier: MIT */
/*
 * dmm_set_tile, the CPU form of set.cl: one work-item walks through the parts of a tile, without
 * local memory and without a branch that depends on a key.
 * Path       partners are taken in one step, so tiles begin where as many pairs of a run as
 *            possible are behind: from the point where a tile of the merge begins, both lists'
 *            shares of the run are counted.
 * Walks      a step waits for the keys that it loads, so four parts of a tile are walked through at
 *            once. What a walk keeps is collected, and written after a batch of steps.
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

/* A walk: its next step, the point where it ends, and the places of what it keeps. */
typedef struct dmm_set_walk {
    dmm_set_point p, end;
    dmm_range places;
} dmm_set_walk;

/* Steps of a batch. */
enum { DMM_SET_BATCH = 64, DMM_SET_LEAST_BATCH = 8 };

/* What a walk keeps of a batch. */
typedef struct dmm_set_kept {
    dmm_key keys[DMM_SET_BATCH];
    dmm_value values[DMM_VALUE_BYTES ? DMM_SET_BATCH : 1];
} dmm_set_kept;

/* Returns the value of the next item of A or of B. A has none where items of B alone are kept. */
DMM_INLINE dmm_value dmm_set_value(dmm_items a, dmm_items b, dmm_set_point p, uint from_b)
{
    if (DMM_MERGE_POSITIONS)
        return (dmm_value)(from_b ? p.b : p.a);
    if ((DMM_SET_OP == DMM_SET_EITHER) | (DMM_SET_OP == DMM_SET_SINGLES)) /* || would warn */
        return *(from_b ? b.values + p.b : a.values + p.a);
    return b.values[p.b];
}

/* Takes one step; stores its item at kept[found], where the next one overwrites it unless it is
 * kept. Returns the number of kept items. */
DMM_INLINE uint dmm_set_step(
    dmm_items a, dmm_items b, dmm_set_walk *w, dmm_set_kept *kept, uint found, const int keeps)
{
    const dmm_key a_key = a.keys[w->p.a], b_key = b.keys[w->p.b];
    const dmm_code x = dmm_encode(a_key), y = dmm_encode(b_key);
    const uint a_moves = !dmm_code_less(y, x);
    /* A `less` that is no order must not stop the walk. */
    const uint must = DMM_KEY_KIND == DMM_KIND_LESS ? !a_moves : 0;
    const uint b_moves = !dmm_code_less(x, y) | must, pair = a_moves & b_moves;
    const uint from_b = !a_moves | (DMM_SET_OP == DMM_SET_PAIRS) | (DMM_SET_OP == DMM_SET_LEFT);
    if (keeps) {
        kept->keys[found] = from_b ? b_key : a_key;
        if (DMM_VALUE_BYTES)
            kept->values[found] = dmm_set_value(a, b, w->p, from_b);
    }
    w->p.a += a_moves;
    w->p.b += b_moves;
    return found + (DMM_SET_OP == DMM_SET_EITHER ? 1
            : DMM_SET_OP == DMM_SET_PAIRS         ? pair
            : DMM_SET_OP == DMM_SET_LEFT          ? b_moves - pair
                                                  : !pair);
}

/* Writes what a walk keeps of a batch, or counts it. */
DMM_INLINE void dmm_set_flush(
    dmm_items to, dmm_set_walk *w, const dmm_set_kept *kept, uint found, const int keeps)
{
    if (keeps) {
        found = (uint)min((dmm_index)found, DMM_MINUS(w->places.end, w->places.first));
        for (uint i = 0; i < found; i++)
            to.keys[w->places.first + i] = kept->keys[i];
        for (uint i = 0; DMM_VALUE_BYTES && i < found; i++)
            to.values[w->places.first + i] = kept->values[i];
    }
    w->places.first += found;
}

/* Returns how many steps stay before the ends of both lists' parts. */
DMM_INLINE uint dmm_set_safe(dmm_set_walk w)
{
    const dmm_index na = DMM_MINUS(w.end.a, w.p.a), nb = DMM_MINUS(w.end.b, w.p.b);
    return (uint)min(min(na, nb), (dmm_index)DMM_SET_BATCH);
}

/* Takes steps of all walks together while there are enough. */
DMM_INLINE void dmm_set_together(
    dmm_items a, dmm_items b, dmm_items to, dmm_set_walk w[DMM_SET_WALKS], const int keeps)
{
    for (;;) {
        dmm_set_kept kept[DMM_SET_WALKS];
        uint found[DMM_SET_WALKS], steps = DMM_SET_BATCH;
        DMM_UNROLL
        for (uint i = 0; i < DMM_SET_WALKS; i++) {
            steps = min(steps, dmm_set_safe(w[i]));
            found[i] = 0;
        }
        if (steps < DMM_SET_LEAST_BATCH)
            return;
        for (uint s = 0; s < steps; s++) {
            DMM_UNROLL
            for (uint i = 0; i < DMM_SET_WALKS; i++)
                found[i] = dmm_set_step(a, b, &w[i], &kept[i], found[i], keeps);
        }
        DMM_UNROLL
        for (uint i = 0; i < DMM_SET_WALKS; i++)
            dmm_set_flush(to, &w[i], &kept[i], found[i], keeps);
    }
}

/* Takes a walk's items of A, or of B, after those of the other list. */
DMM_INLINE void dmm_set_rest(
    dmm_items a, dmm_items b, dmm_items to, dmm_set_walk *w, int from_b, const int keeps)
{
    dmm_index left = from_b ? DMM_MINUS(w->end.b, w->p.b) : DMM_MINUS(w->end.a, w->p.a);
    if (keeps)
        left = min(left, DMM_MINUS(w->places.end, w->places.first));
    for (dmm_index i = 0; keeps && i < left; i++) {
        to.keys[w->places.first + i] = from_b ? b.keys[w->p.b + i] : a.keys[w->p.a + i];
        const dmm_set_point p = {w->p.a + i, w->p.b + i};
        if (DMM_VALUE_BYTES)
            to.values[w->places.first + i] = dmm_set_value(a, b, p, (uint)from_b);
    }
    w->places.first += left;
}

/* Takes the other steps of a walk. */
DMM_INLINE void dmm_set_alone(
    dmm_items a, dmm_items b, dmm_items to, dmm_set_walk *w, const int keeps)
{
    while (w->p.a < w->end.a && w->p.b < w->end.b) {
        dmm_set_kept kept;
        const uint steps = dmm_set_safe(*w);
        uint found = 0;
        for (uint s = 0; s < steps; s++)
            found = dmm_set_step(a, b, w, &kept, found, keeps);
        dmm_set_flush(to, w, &kept, found, keeps);
    }
    if (DMM_SET_KEEPS_A(DMM_SET_OP, 0))
        dmm_set_rest(a, b, to, w, 0, keeps);
    if (DMM_SET_KEEPS_B(DMM_SET_OP, 0))
        dmm_set_rest(a, b, to, w, 1, keeps);
}

/* Returns where walk i of a tile begins: not before `least`, not behind `most`. */
DMM_INLINE dmm_set_point dmm_set_begin(
    dmm_set_lists of, dmm_parts parts, uint i, dmm_set_point least, dmm_set_point most)
{
    const dmm_index before = (parts.na + parts.nb) / DMM_SET_WALKS * i;
    const dmm_index split =
        dmm_merge_search(of.a + parts.a, parts.na, of.b + parts.b, parts.nb, before);
    const dmm_set_point at = {parts.a + split, parts.b + before - split};
    dmm_set_point p = dmm_set_paired(of, at);
    p.a = min(max(p.a, least.a), max(most.a, least.a));
    p.b = min(max(p.b, least.b), max(most.b, least.b));
    return p;
}

/* Divides a tile into walks. parts: positions in both lists. */
DMM_INLINE void dmm_set_divide(
    dmm_set_lists of, dmm_parts parts, dmm_index b_at, dmm_set_walk w[DMM_SET_WALKS])
{
    const dmm_set_point first = {parts.a, parts.b};
    const dmm_set_point next = {parts.a + parts.na, parts.b + parts.nb};
    const dmm_set_point end = dmm_set_paired(of, next);
    dmm_set_point p = dmm_set_paired(of, first);
    for (uint i = 0; i < DMM_SET_WALKS; i++) {
        const dmm_set_point to =
            i + 1 < DMM_SET_WALKS ? dmm_set_begin(of, parts, i + 1, p, end) : end;
        w[i].p = p;
        w[i].end = to;
        w[i].p.b += b_at;
        w[i].end.b += b_at;
        p = to;
    }
}

/* Takes all steps of a tile. */
DMM_INLINE void dmm_set_take(
    dmm_items a, dmm_items b, dmm_items to, dmm_set_walk w[DMM_SET_WALKS], const int keeps)
{
    dmm_set_together(a, b, to, w, keeps);
    for (uint i = 0; i < DMM_SET_WALKS; i++)
        dmm_set_alone(a, b, to, &w[i], keeps);
}

DMM_KERNEL(DMM_U)
void dmm_set_tile(DMM_SET_PARAMETERS)
{
    const dmm_items a = dmm_list_of(a_keys, a_values, c.merge.a);
    const dmm_items b = dmm_list_of(b_keys, b_values, c.merge.b);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.merge.out);
    const dmm_index na = (dmm_index)c.merge.run, nb = (dmm_index)c.merge.end - na;
    const dmm_set_lists lists = {a.keys, b.keys + na, na, nb};
    const dmm_index q = DMM_GROUP - (dmm_index)c.merge.first_tile, at = q * DMM_SET_WALKS;
    const dmm_index all = (dmm_index)c.merge.tiles * DMM_SET_WALKS;
    dmm_parts parts = dmm_parts_of(splits, 0, c.merge);
    dmm_set_walk w[DMM_SET_WALKS];
    counts += c.counts_at;
    parts.b -= na;
    dmm_set_divide(lists, parts, na, w);
    for (uint i = 0; i < DMM_SET_WALKS; i++) {
        w[i].places.first = c.keeps ? counts[at + i] : 0;
        w[i].places.end = c.keeps ? min(counts[at + i + 1], (dmm_index)c.most) : 0;
    }
    if (c.keeps) {
        if (q == 0)
            total[c.total_at] = min((ulong)counts[all], (ulong)c.most);
        dmm_set_take(a, b, out, w, 1);
        return;
    }
    dmm_set_take(a, b, out, w, 0);
    for (uint i = 0; i < DMM_SET_WALKS; i++)
        counts[at + i] = w[i].places.first;
    if (q == 0) /* the scan turns it into the total */
        counts[all] = 0;
}
