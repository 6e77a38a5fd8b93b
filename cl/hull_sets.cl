/* SPDX-License-Identifier: MIT */
/*
 * Sets begin here, a group a set at a time: without a filter and without compaction, a set's problems are the front and
 * the back of its places in the second list. Few points are one set.
 */

/* A set's two ends. */
DMM_INLINE void dmm_set_ends(dmm_cloud cloud, dmm_room room, dmm_share set, dmm_sieve *s)
{
    dmm_index ends[2] = {DMM_NO_INDEX, DMM_NO_INDEX};
    for (dmm_index i = set.first + room.t; i < set.end; i += DMM_U)
        for (uint e = 0; e < 2; e++)
            ends[e] = dmm_more_extreme(cloud, e * DMM_AXES, ends[e], i);
    s->left = dmm_cloud_spot(cloud, dmm_group_extreme(cloud, room, 0, ends[0]));
    s->right = dmm_cloud_spot(cloud, dmm_group_extreme(cloud, room, DMM_AXES, ends[1]));
}

/* What points on the line of both ends count as. */
DMM_INLINE uchar dmm_set_line(dmm_cloud cloud, dmm_room room, dmm_share set, const dmm_sieve *s)
{
    dmm_index sides[2] = {0, 0}, before;
    if (!DMM_COLLINEAR)
        return DMM_INSIDE;
    for (dmm_index i = set.first + room.t; i < set.end; i += DMM_U) {
        const int turn = dmm_orient(s->left.at, s->right.at, dmm_cloud_point(cloud, i));
        sides[0] += turn < 0;
        sides[1] += turn > 0;
    }
    const dmm_index below = dmm_group_sum(room, sides[0], &before);
    const dmm_index above = dmm_group_sum(room, sides[1], &before);
    return (uchar)dmm_chain_of_line(below, above);
}

DMM_INLINE void dmm_set_begin(dmm_call c, dmm_room room, dmm_share set, dmm_index number)
{
    global dmm_problem *table = c.tables[0] + 2 * number;
    dmm_heap heap;
    heap.front = set.first;
    heap.back = set.end;
    if (set.first == set.end) {
        if (room.t < 2)
            dmm_problem_put(table + room.t, 0, 0, set.first, 0, number, DMM_IN_SECOND | (room.t == 0 ? DMM_FIRST : 0));
#if DMM_U == 1
        dmm_problem_put(table + 1, 0, 0, set.first, 0, number, DMM_IN_SECOND);
#endif
        return;
    }
    dmm_sieve s;
    dmm_set_ends(c.cloud, room, set, &s);
    s.line = dmm_set_line(c.cloud, room, set, &s);
    for (dmm_index base = set.first; base < set.end; base += DMM_STEP) {
        dmm_block b;
        dmm_block_load(c.cloud, base, set.end, room.t, &b);
        for (uint k = 0; k < DMM_BLOCK; k++)
            b.side[k] = DMM_DOUBT;
        dmm_block_settle(&b, &s, set.end);
        dmm_block_append(&b, c.lists[1], &heap, room);
    }
    if (room.t == 0)
        dmm_edges_put(table, s.left, s.right, set.first, heap.front - set.first, heap.back, set.end - heap.back,
            number, DMM_IN_SECOND);
}

/* sets = 0: all n points are one. */
DMM_KERNEL(DMM_U)
void dmm_hull_sets(DMM_HULL_PARAMETERS, global const ulong *starts, ulong starts_at, ulong sets)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_verdict v = dmm_judge(c);
    const ulong count = v.code != 0 ? 0 : max(sets, 1ul);
    starts += starts_at;
    for (ulong k = DMM_GROUP; k < count; k += groups) {
        dmm_share set;
        set.first = sets > 0 ? (dmm_index)starts[k] : 0;
        set.end = sets > 0 ? (dmm_index)starts[k + 1] : c.n;
        dmm_set_begin(c, room, set, (dmm_index)k);
    }
    if (DMM_GROUP == 0 && room.t == 0) {
        dmm_state_put(c, v);
        c.state->problems[0] = 2 * count;
    }
}
