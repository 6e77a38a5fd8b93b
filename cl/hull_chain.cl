/* SPDX-License-Identifier: MIT */
/*
 * A strip's points in order, and the chain of those that no two others cover (cl/hull_strips.cl). A
 * work-item's work: the CPU form.
 * Order      by x, then y, then name. By two digits of x at most, counted and moved from list to
 *            list; they are the highest bits in which points of the strip differ. Points that are
 *            equal in them are few but in odd inputs, and heap sort orders them for good.
 * Chain      A. M. Andrew's: a point takes away those before it that turn right with it
 * Source     A. M. Andrew, "Another Efficient Algorithm for Convex Hulls in Two Dimensions",
 *            Information Processing Letters 9(5), 1979, DOI 10.1016/0020-0190(79)90072-3
 */

#define DMM_DIGIT_BITS 10
#define DMM_DIGITS     (1u << DMM_DIGIT_BITS)
/* Of fewer points the digits are not counted. */
#define DMM_FEW_POINTS 64

/* What a strip's points are ordered by: (code - least) >> shift, of so many bits. */
typedef struct dmm_key {
    dmm_coord least;
    uint shift, bits;
} dmm_key;

DMM_INLINE dmm_coord dmm_key_of(dmm_key key, dmm_coord x)
{
    return (dmm_coord_code(x) - key.least) >> key.shift;
}

DMM_INLINE dmm_key dmm_strip_key(global const dmm_coord *xs, dmm_share share)
{
    dmm_coord most = 0;
    dmm_key key;
    key.least = ~(dmm_coord)0;
    for (dmm_index i = share.first; i < share.end; i++) {
        key.least = min(key.least, dmm_coord_code(xs[i]));
        most = max(most, dmm_coord_code(xs[i]));
    }
    uint bits = 0;
    while (bits < 8 * DMM_COORD_BYTES && (most - key.least) >> bits != 0)
        bits++;
    key.shift = bits > 2 * DMM_DIGIT_BITS ? bits - 2 * DMM_DIGIT_BITS : 0;
    key.bits = bits - key.shift;
    return key;
}

/* From list to list, in order of the key's digit that begins at bit `low`. */
DMM_APART void dmm_strip_pass(dmm_list from, dmm_list to, dmm_share share, dmm_key key, uint low)
{
    dmm_index places[DMM_DIGITS], at = share.first;
    for (uint d = 0; d < DMM_DIGITS; d++)
        places[d] = 0;
    for (dmm_index i = share.first; i < share.end; i++)
        places[dmm_key_of(key, from.xs[i]) >> low & (DMM_DIGITS - 1)]++;
    for (uint d = 0; d < DMM_DIGITS; d++) {
        const dmm_index count = places[d];
        places[d] = at;
        at += count;
    }
    for (dmm_index i = share.first; i < share.end; i++) {
        const dmm_spot p = dmm_list_spot(from, i);
        dmm_list_put(to, places[dmm_key_of(key, p.at.x) >> low & (DMM_DIGITS - 1)]++, p);
    }
}

/* Orders points whose keys are equal. Of those at one x, where no others are asked for, the first
 * alone counts. */
DMM_APART void dmm_run_sort(dmm_list list, dmm_share run)
{
    dmm_spot first = dmm_list_spot(list, run.first);
    dmm_index at = run.first, others = 0;
    for (dmm_index i = run.first + 1; i < run.end; i++) {
        const dmm_spot p = dmm_list_spot(list, i);
        others += dmm_coord_code(p.at.x) != dmm_coord_code(first.at.x);
        if (dmm_spot_before(p, first)) {
            first = p;
            at = i;
        }
    }
    if (DMM_COLLINEAR || others != 0)
        dmm_heap_sort(list, run.first, run.end - run.first);
    else {
        dmm_list_put(list, at, dmm_list_spot(list, run.first));
        dmm_list_put(list, run.first, first);
    }
}

/* Orders a strip that lies in the first list; returns where it is then. */
DMM_INLINE uint dmm_strip_sort(dmm_call c, dmm_share share)
{
    const dmm_key key = dmm_strip_key(c.lists[0].xs, share);
    uint at = 0;
    if (share.end - share.first < DMM_FEW_POINTS) {
        dmm_run_sort(c.lists[0], share);
        return 0;
    }
    for (uint low = 0; low < key.bits; low += DMM_DIGIT_BITS) {
        dmm_strip_pass(c.lists[at], c.lists[1 - at], share, key, low);
        at = 1 - at;
    }
    dmm_share run;
    for (run.first = share.first; run.first < share.end; run.first = run.end) {
        const dmm_coord own = dmm_key_of(key, c.lists[at].xs[run.first]);
        for (run.end = run.first + 1; run.end < share.end; run.end++)
            if (dmm_key_of(key, c.lists[at].xs[run.end]) != own)
                break;
        if (run.end - run.first > 1)
            dmm_run_sort(c.lists[at], run);
    }
    return at;
}

/* Is b a vertex, between a and p? The three are in order. */
DMM_INLINE int dmm_stays(dmm_point a, dmm_point b, dmm_point p)
{
    const int turn = dmm_orient(a, b, p);
    return DMM_COLLINEAR ? turn >= 0 : turn > 0;
}

/* Of ordered points, does the one at a place count for nothing beside the one before? */
DMM_INLINE int dmm_is_again(dmm_list list, dmm_index place)
{
    const dmm_point p = dmm_list_point(list, place), before = dmm_list_point(list, place - 1);
    return DMM_COLLINEAR ? dmm_point_compare(p, before) == 0
                         : dmm_coord_code(p.x) == dmm_coord_code(before.x);
}

/* The chain of ordered points, into `out` from the same place on; returns its length. */
DMM_APART dmm_index dmm_strip_chain(dmm_list list, dmm_list out, dmm_share share)
{
    dmm_index end = share.first;
    dmm_point a, b; /* the last two, if there are so many */
    for (dmm_index i = share.first; i < share.end; i++) {
        const dmm_spot p = dmm_list_spot(list, i);
        if (i > share.first && dmm_is_again(list, i))
            continue;
        for (; end > share.first + 1 && !dmm_stays(a, b, p.at); end--) {
            b = a;
            if (end > share.first + 2)
                a = dmm_list_point(out, end - 3);
        }
        dmm_list_put(out, end++, p);
        a = b;
        b = p.at;
    }
    return end - share.first;
}

/* Settles a strip: its vertices are in the list that its points are not in. */
DMM_INLINE void dmm_strip_settle(dmm_call c, global dmm_problem *p)
{
    dmm_share share;
    share.first = p->begin;
    share.end = p->begin + p->count;
    const uint at = p->count > 1 ? dmm_strip_sort(c, share) : 0;
    p->m = dmm_strip_chain(c.lists[at], c.lists[1 - at], share);
    p->flags |= at != 0 ? DMM_IN_SECOND : 0;
}
