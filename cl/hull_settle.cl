/* SPDX-License-Identifier: MIT */
/*
 * The independent stage of a work-item: of every problem in the CPU form, of tiny ones in the GPU
 * form. It finds the vertices in order, from l to r: split at a pivot as in the splitting stage, go
 * on with the left part, then with the right one. The parts lie side by side in the problem's
 * places, and each pivot between its parts, marked: so there is no stack. Points that are inside
 * leave room at the front, which is never looked at again.
 *              | done | left part | m | right part | m' | ... |
 * The vertices go to the same places of the other list; its other places take the left points
 * meanwhile.
 * Source     T. Jurkiewicz, "Toward Better Computation Models for Modern Machines", 2013, section
 *            3.5.3
 * Differs    no stack
 */

/* What is being settled: places begin .. end - 1 of `list`, right of l -> r. */
typedef struct dmm_settling {
    dmm_list list, other;
    dmm_index begin, end;
    dmm_spot l, r;
    dmm_index out; /* the next vertex's place in the other list, at most begin */
} dmm_settling;

DMM_INLINE void dmm_emit(dmm_settling *s, dmm_index name)
{
    s->other.names[s->out++] = name;
}

/* Orders places first .. first + count - 1 by heap sort: `root` sinks. */
DMM_INLINE void dmm_sink(dmm_list list, dmm_index first, dmm_index root, dmm_index count)
{
    const dmm_spot p = dmm_list_spot(list, first + root);
    for (dmm_index child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && dmm_spot_before(dmm_list_spot(list, first + child),
                                     dmm_list_spot(list, first + child + 1)))
            child++;
        if (!dmm_spot_before(p, dmm_list_spot(list, first + child)))
            break;
        dmm_list_put(list, first + root, dmm_list_spot(list, first + child));
        root = child;
    }
    dmm_list_put(list, first + root, p);
}

DMM_INLINE void dmm_heap_sort(dmm_list list, dmm_index first, dmm_index count)
{
    for (dmm_index root = count / 2; root > 0; root--)
        dmm_sink(list, first, root - 1, count);
    for (dmm_index left = count; left > 1; left--) {
        const dmm_spot last = dmm_list_spot(list, first + left - 1);
        dmm_list_put(list, first + left - 1, dmm_list_spot(list, first));
        dmm_list_put(list, first, last);
        dmm_sink(list, first, 0, left - 1);
    }
}

#if DMM_COLLINEAR
/* All points are on the edge: they are vertices in their order along it, each place once. */
DMM_INLINE void dmm_settle_line(dmm_settling *s)
{
    const int forward = dmm_point_compare(s->l.at, s->r.at) < 0;
    const dmm_index count = s->end - s->begin;
    dmm_heap_sort(s->list, s->begin, count);
    for (dmm_index k = 0; k < count; k++) {
        const dmm_index i = forward ? s->begin + k : s->end - 1 - k;
        const dmm_spot p = dmm_list_spot(s->list, i);
        if (i == s->begin || dmm_point_compare(p.at, dmm_list_spot(s->list, i - 1).at) != 0)
            dmm_emit(s, p.name);
    }
    s->begin = s->end;
}
#endif

/* Puts the points of [begin, end) where they belong, and goes on with the left part. */
DMM_INLINE void dmm_settle_split(dmm_settling *s, dmm_spot m)
{
    dmm_index right = s->end, lefts = 0; /* the right part is right .. end - 1 so far */
    for (dmm_index end = s->end; end > s->begin;) {
        const dmm_index base = end - s->begin > DMM_BLOCK ? end - DMM_BLOCK : s->begin;
        const uint size =
            min((uint)DMM_BLOCK, ((uint)(end - base) + 7) / 8 * 8); /* whole vectors */
        dmm_block b;
        dmm_block_read(&b, size, s->list, base, end, 0, 1);
        dmm_block_sort_out(&b, size, s->l.at, m.at, s->r.at, base, end, 0, 1);
        dmm_block_put(&b, size, DMM_GOES_LEFT, s->other, s->begin + lefts);
        lefts += dmm_block_count(&b, size, DMM_GOES_LEFT);
        right -= dmm_block_count(&b, size, DMM_GOES_RIGHT);
        dmm_block_put(&b, size, DMM_GOES_RIGHT, s->list, right);
        end = base;
    }
    dmm_spot marked = m;
    marked.name |= DMM_MARK;
    dmm_list_put(s->list, right - 1, marked);
    for (dmm_index k = 0; k < lefts; k++)
        dmm_list_put(s->list, right - 1 - lefts + k, dmm_list_spot(s->other, s->begin + k));
    s->begin = right - 1 - lefts;
    s->end = right - 1;
    s->r = m;
}

/* The pivot of [begin, end), for a line as on a level; l or r where no point is farther. */
DMM_INLINE dmm_spot dmm_settle_pivot(const dmm_settling *s, int by_edge, ulong seed)
{
    dmm_share share;
    dmm_point a, b;
    share.first = s->begin;
    share.end = s->end;
    dmm_line_choose(s->list, share, s->l.at, s->r.at, by_edge, seed, &a, &b);
    const dmm_spot best = dmm_is_farther(a, b, s->r, s->l) ? s->r : s->l;
    return dmm_farthest(s->list, share, 0, 1, a, b, best);
}

/* Settles [begin, end): afterwards it is empty, and the vertices between l and r are written,
 * but for those between the pivots that lie behind `end` by now. */
DMM_INLINE void dmm_settle_part(dmm_settling *s)
{
    for (uint turn = 0; s->begin < s->end; turn++) {
        const dmm_index count = s->end - s->begin;
        const int by_edge = count <= DMM_BLOCK || turn % 2 == 0;
        if (count == 1) {
            dmm_emit(s, s->list.names[s->begin]);
            s->begin = s->end;
            break;
        }
        const dmm_spot m = dmm_settle_pivot(s, by_edge, turn);
        if (m.name != s->l.name && m.name != s->r.name)
            dmm_settle_split(s, m);
#if DMM_COLLINEAR
        else if (by_edge)
            dmm_settle_line(s);
#endif
    }
}

/* The place of the next pivot, from `place` on; or limit. */
DMM_INLINE dmm_index dmm_next_pivot(dmm_list list, dmm_index place, dmm_index limit)
{
    while (place < limit && !(list.names[place] & DMM_MARK))
        place++;
    return place;
}

/* Returns how many vertices lie between l and r: their names are in the other list, from p.begin
 * on. */
DMM_APART dmm_index dmm_settle(dmm_call c, dmm_problem p)
{
    const dmm_index limit = p.begin + p.count;
    dmm_settling s;
    s.list = c.lists[p.flags & DMM_IN_SECOND ? 1 : 0];
    s.other = c.lists[p.flags & DMM_IN_SECOND ? 0 : 1];
    s.l = dmm_cloud_spot(c.cloud, p.l);
    s.r = dmm_cloud_spot(c.cloud, p.r);
    s.begin = s.out = p.begin;
    s.end = limit;
    for (;;) {
        dmm_settle_part(&s);
        if (s.end == limit)
            break;
        s.l = s.r; /* the pivot at `end` */
        dmm_emit(&s, s.l.name);
        s.begin = s.end + 1;
        s.end = dmm_next_pivot(s.list, s.begin, limit);
        s.r = dmm_cloud_spot(c.cloud, s.end < limit ? s.list.names[s.end] & ~DMM_MARK : p.r);
    }
    return s.out - p.begin;
}
