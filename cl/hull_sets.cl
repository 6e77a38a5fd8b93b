/* SPDX-License-Identifier: MIT */
/*
 * Small sets begin here, a group a set at a time: without a filter and without compaction, a set's
 * problems are the front and the back of its places in the second list. Few points are one set.
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

/* Two problems without points or edge. */
DMM_INLINE void dmm_set_put_empty(
    global dmm_problem *table, dmm_share set, dmm_index number, uint flags)
{
    for (uint k = 0; k < 2; k++)
        dmm_problem_put(table + k, 0, 0, set.first, 0, number, k == 0 ? flags : 0);
}

DMM_INLINE void dmm_set_begin(dmm_call c, dmm_room room, dmm_share set, dmm_index number)
{
    dmm_heap heap;
    dmm_sieve s;
    heap.front = set.first;
    heap.back = set.end;
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
        dmm_edges_put(c.small + 2 * number, 1, s.left, s.right, set.first, heap.front - set.first,
            heap.back, set.end - heap.back, number, DMM_IN_SECOND);
}

DMM_KERNEL(DMM_U)
void dmm_hull_sets(DMM_HULL_PARAMETERS, global const ulong *starts, ulong starts_at)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_verdict v = dmm_judge(c, room, groups);
    const dmm_index count = v.code != 0 ? 0 : dmm_small_sets(c);
    for (dmm_index k = DMM_GROUP; k < count; k += groups) {
        const dmm_share set = dmm_set_share(c, starts + starts_at, k);
        const int large = dmm_pieces_of(c, set) != 0;
        if (!large && set.first != set.end)
            dmm_set_begin(c, room, set, k);
        else if (room.t == 0)
            dmm_set_put_empty(c.small + 2 * k, set, k, large ? DMM_IS_LARGE : 0);
    }
    if (!dmm_splits(c) && DMM_GROUP == 0 && room.t == 0)
        dmm_state_put(c, v);
}
