/* SPDX-License-Identifier: MIT */
/*
 * The independent stage's kernel, and the output: dmm_hull_place counts, one group; dmm_hull_write
 * copies.
 */

/* Problems of so many points are a work-item's; in the CPU form all are. */
#if DMM_U > 1
#define DMM_ITEM_POINTS (DMM_U / 8)
#else
#define DMM_ITEM_POINTS DMM_NO_INDEX
#endif

/* Problems of both tables are numbered through: of small sets, then of large ones. */
DMM_INLINE dmm_index dmm_all_problems(dmm_call c)
{
    return c.state->code != 0 ? 0 : 2 * dmm_small_sets(c) + c.state->problems[c.state->last];
}

DMM_INLINE global dmm_problem *dmm_problem_at(dmm_call c, dmm_index k)
{
    const dmm_index small = 2 * dmm_small_sets(c);
    return k < small ? c.small + k : c.tables[c.state->last] + (k - small);
}

/* `count` of a problem stays: other groups read it to see that the problem is not theirs. */
DMM_KERNEL(DMM_U)
void dmm_hull_settle(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    const dmm_index problems = dmm_all_problems(c);
    for (dmm_index k = (dmm_index)get_global_id(0); k < problems; k += groups * DMM_U) {
        global dmm_problem *p = dmm_problem_at(c, k);
#if DMM_U == 1
        if (k >= 2 * dmm_small_sets(c)) {
            dmm_strip_settle(c, p);
            continue;
        }
#endif
        if (p->count <= DMM_ITEM_POINTS)
            p->m = p->count > 0 ? dmm_settle(c, *p) : 0;
    }
#if DMM_U > 1
    DMM_ROOM(room);
    for (dmm_index k = DMM_GROUP; k < problems; k += groups)
        if (dmm_problem_at(c, k)->count > DMM_ITEM_POINTS)
            dmm_sequence_settle(c, room, dmm_problem_at(c, k));
#endif
}

/* How many vertices a problem brings to the output. */
DMM_INLINE dmm_index dmm_problem_vertices(global const dmm_problem *p)
{
    return p->m + (p->flags & DMM_EMITS ? 1 : 0);
}

/* Numbers the vertices of all large sets; the entry that a set keeps in the other table gets its
 * first number as `begin`, and the number behind its last one as `count`. Returns how many. */
DMM_INLINE dmm_index dmm_place_large(dmm_call c, dmm_room room)
{
    global dmm_problem *table = c.tables[c.state->last];
    const dmm_index problems = c.state->code != 0 ? 0 : c.state->problems[c.state->last];
    dmm_index placed = 0;
    dmm_index base = 0;
    do {
        const dmm_index k = base + room.t;
        dmm_index before;
        const dmm_index own = k < problems ? dmm_problem_vertices(table + k) : 0;
        const dmm_index all = dmm_group_sum(room, own, &before);
        if (k < problems) {
            table[k].tile = placed + before;
            if (c.sets > 0 && table[k].flags & DMM_FIRST)
                c.small[2 * table[k].set].begin = placed + before;
            if (c.sets > 0 && (k + 1 == problems || table[k + 1].flags & DMM_FIRST))
                c.small[2 * table[k].set].count = placed + before + own;
        }
        placed += all;
        base += DMM_U;
    } while (base < problems);
    barrier(CLK_GLOBAL_MEM_FENCE); /* numbers stored | read by others */
    return placed;
}

/* Where the vertices of every set of the other table go: of a small one by its two problems, of a
 * large one `tile` is what its numbers are shifted by. Returns how many vertices there are. */
DMM_INLINE dmm_index dmm_place_sets(dmm_call c, dmm_room room, global ulong *count)
{
    const dmm_index sets = c.state->code != 0 ? 0 : dmm_small_sets(c);
    dmm_index placed = 0;
    dmm_index base = 0;
    do {
        const dmm_index k = base + room.t;
        global dmm_problem *p = c.small + 2 * k;
        dmm_index own = 0, before;
        int large = 0;
        if (k < sets) {
            large = (p[0].flags & DMM_IS_LARGE) != 0;
            own = large ? p[0].count - p[0].begin
                        : dmm_problem_vertices(p) + dmm_problem_vertices(p + 1);
        }
        const dmm_index all = dmm_group_sum(room, own, &before);
        if (k < sets) {
            p[0].tile = placed + before - (large ? p[0].begin : 0);
            p[1].tile = placed + before + (large ? 0 : dmm_problem_vertices(p));
            if (c.sets > 0)
                count[k] = placed + before;
        }
        placed += all;
        base += DMM_U;
    } while (base < sets);
    return placed;
}

/* One group: where each problem's vertices go; the count, or where each set begins; the report. */
DMM_KERNEL(DMM_U)
void dmm_hull_place(
    DMM_HULL_PARAMETERS, global ulong *count, ulong count_at, global uint *report, ulong report_at)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index large = dmm_place_large(c, room);
    const dmm_index all = dmm_place_sets(c, room, count + count_at);
    if (room.t == 0) {
        if (c.state->code == 0)
            count[count_at + sets] = dmm_small_sets(c) > 0 ? all : large;
        report[report_at] = c.state->code;
        report[report_at + 1] = 0;
        report[report_at + 2] = (uint)c.state->position;
        report[report_at + 3] = (uint)(c.state->position >> 32);
    }
}

DMM_KERNEL(DMM_U)
void dmm_hull_write(DMM_HULL_PARAMETERS, global dmm_out_index *hull, ulong hull_at)
{
    DMM_HULL_CALL(c);
    const dmm_index problems = dmm_all_problems(c), small = 2 * dmm_small_sets(c);
    for (dmm_index k = DMM_GROUP; k < problems; k += groups) {
        const dmm_problem p = *dmm_problem_at(c, k);
        const dmm_index emits = p.flags & DMM_EMITS ? 1 : 0;
        const dmm_index vertices = p.flags & DMM_IS_LARGE ? 0 : p.m;
        const dmm_index shift = k >= small && sets > 0 ? c.small[2 * p.set].tile : 0;
        global const dmm_index *names = c.lists[p.flags & DMM_IN_SECOND ? 0 : 1].names + p.begin;
        global dmm_out_index *to = hull + hull_at + (dmm_index)(p.tile + shift);
        if (emits && get_local_id(0) == 0)
            to[0] = p.l;
        for (dmm_index i = (dmm_index)get_local_id(0); i < vertices; i += DMM_U)
            to[emits + i] = names[i];
    }
}
