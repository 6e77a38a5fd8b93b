/* SPDX-License-Identifier: MIT */
/*
 * The second half of a level (cl/hull_split.cl): sides, the next table, the move.
 */

/* Sides of a block's first `size` points with respect to the edges l -> m and m -> r. */
DMM_INLINE void dmm_block_classify(dmm_block *b, uint size, dmm_point l, dmm_point m, dmm_point r)
{
#if DMM_REAL
    const dmm_reach left = dmm_reach_of(l, m), right = dmm_reach_of(m, r);
    for (uint k = 0; k < size; k++) {
        const dmm_real x = DMM_REAL_OF(b->x[k]), y = DMM_REAL_OF(b->y[k]);
        const dmm_bounds p = dmm_bounds_of(left, x, y), q = dmm_bounds_of(right, x, y);
        b->side[k] = (uchar)(p.high < 0               ? DMM_GOES_LEFT
                             : q.high < 0             ? DMM_GOES_RIGHT
                             : p.low > 0 && q.low > 0 ? DMM_GOES_IN
                                                      : DMM_GOES_WHERE);
    }
#else
    for (uint k = 0; k < size; k++)
        b->side[k] = DMM_GOES_WHERE;
#endif
}

/* The same for one point, exactly. A point on an edge may be kept; it is no vertex if it is an
 * end itself. */
DMM_APART uchar dmm_goes(dmm_point p, dmm_point l, dmm_point m, dmm_point r)
{
    const int left = dmm_orient(l, m, p), right = dmm_orient(m, r, p);
    if (left < 0 || right < 0)
        return left < 0 ? DMM_GOES_LEFT : DMM_GOES_RIGHT;
    if (!DMM_COLLINEAR || dmm_point_compare(p, m) == 0)
        return DMM_GOES_IN;
    if (left == 0 && dmm_point_compare(p, l) != 0)
        return DMM_GOES_LEFT;
    return right == 0 && dmm_point_compare(p, r) != 0 ? DMM_GOES_RIGHT : DMM_GOES_IN;
}

/* A list's places base + t, base + t + step, ... Behind the end there are copies, which go
 * nowhere. */
DMM_INLINE void dmm_block_read(
    dmm_block *b, uint size, dmm_list list, dmm_index base, dmm_index end, uint t, uint step)
{
    const dmm_index last = end - 1;
    if (end - base >= step * size)
        for (uint k = 0; k < size; k++) {
            const dmm_index i = base + t + k * step;
            b->x[k] = list.xs[i];
            b->y[k] = list.ys[i];
            b->name[k] = list.names[i];
        }
    else
        for (uint k = 0; k < size; k++) {
            const dmm_index i = min(last, base + t + k * step);
            b->x[k] = list.xs[i];
            b->y[k] = list.ys[i];
            b->name[k] = list.names[i];
        }
}

/* Sides of such a block, for certain. */
DMM_OUTLINE void dmm_block_sort_out(dmm_block *b, uint size, dmm_point l, dmm_point m, dmm_point r,
    dmm_index base, dmm_index end, uint t, uint step)
{
    dmm_block_classify(b, size, l, m, r);
    uint doubts = end - base < step * size;
    for (uint k = 0; k < size; k++)
        doubts += b->side[k] == DMM_GOES_WHERE;
    for (uint k = 0; doubts != 0 && k < size; k++) {
        dmm_point p;
        p.x = b->x[k];
        p.y = b->y[k];
        if (base + t + k * step >= end)
            b->side[k] = DMM_GOES_IN;
        else if (b->side[k] == DMM_GOES_WHERE)
            b->side[k] = dmm_goes(p, l, m, r);
    }
}

#if DMM_U > 1 /* levels are of the GPU form */

/* Is p, which goes the same way as q, inside because of q? `from` and `to` are the edge that
 * both are right of. */
DMM_APART int dmm_is_covered(dmm_spot p, dmm_spot q, dmm_point from, dmm_point to)
{
    if (dmm_point_compare(p.at, q.at) == 0)
        return p.name > q.name;
    const int first = dmm_orient(from, q.at, p.at), second = dmm_orient(q.at, to, p.at);
    return DMM_COLLINEAR ? first > 0 && second > 0 : first >= 0 && second >= 0;
}

/* Neighbours that go the same way, in pairs: the sides of places share.first, share.first + 1,
 * ... */
DMM_INLINE void dmm_prune(dmm_call c, dmm_room room, const dmm_job *job, dmm_share share)
{
    for (dmm_index i = share.first + 2 * room.t; i + 1 < share.end; i += 2 * DMM_U) {
        const uchar side = c.sides[i];
        if (side == DMM_GOES_IN || c.sides[i + 1] != side)
            continue;
        const dmm_spot p = dmm_list_spot(job->list, i), q = dmm_list_spot(job->list, i + 1);
        const dmm_point from = side == DMM_GOES_LEFT ? job->l.at : job->m.at;
        const dmm_point to = side == DMM_GOES_LEFT ? job->m.at : job->r.at;
        const int turn = dmm_cross_quick(from, q.at, from, p.at); /* not 0: one may be inside */
        if (turn >= 0 && dmm_cross_quick(q.at, to, q.at, p.at) >= 0 &&
            dmm_is_covered(p, q, from, to))
            c.sides[i] = DMM_GOES_IN;
        else if (turn <= 0 && dmm_cross_quick(p.at, to, p.at, q.at) >= 0 &&
                 dmm_is_covered(q, p, from, to))
            c.sides[i + 1] = DMM_GOES_IN;
    }
}

/* If m is an end, all points of the problem lie right of the other edge. */
DMM_INLINE int dmm_pivot_is_end(dmm_problem p)
{
    return p.m == p.l || p.m == p.r;
}

DMM_KERNEL(DMM_U)
void dmm_hull_classify(DMM_HULL_PARAMETERS, ulong level)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    DMM_FOR_TILES(c, level, tile)
    {
        const dmm_job job = dmm_job_of(c, level, dmm_problem_of(c, dmm_table_of(level), tile));
        const dmm_share share = dmm_tile_share(job.p, tile);
        const uchar all = job.p.m == job.p.l ? DMM_GOES_RIGHT : DMM_GOES_LEFT;
        dmm_index counts[2] = {0, 0}, before;
        for (dmm_index base = share.first; base < share.end; base += DMM_STEP) {
            dmm_block b;
            dmm_block_read(&b, DMM_BLOCK, job.list, base, share.end, room.t, DMM_U);
            dmm_block_sort_out(
                &b, DMM_BLOCK, job.l.at, job.m.at, job.r.at, base, share.end, room.t, DMM_U);
            for (uint k = 0; k < DMM_BLOCK; k++)
                if (base + room.t + k * DMM_U < share.end)
                    c.sides[base + room.t + k * DMM_U] = dmm_pivot_is_end(job.p) ? all : b.side[k];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* sides stored | read and changed by others */
        if (!dmm_by_edge(level))
            dmm_prune(c, room, &job, share);
        barrier(CLK_GLOBAL_MEM_FENCE); /* sides changed | read by others */
        for (dmm_index i = share.first + room.t; i < share.end; i += DMM_U) {
            counts[0] += c.sides[i] == DMM_GOES_LEFT;
            counts[1] += c.sides[i] == DMM_GOES_RIGHT;
        }
        for (uint k = 0; k < 2; k++)
            counts[k] = dmm_group_sum(room, counts[k], &before);
        if (room.t == 0) {
            c.lefts[tile] = counts[0];
            c.rights[tile] = counts[1];
        }
    }
}

/* Counts of tiles become the counts of all tiles before; behind the last tile, of all. */
DMM_INLINE void dmm_scan_tiles(dmm_room room, global dmm_index *counts, dmm_index tiles)
{
    dmm_index carry = 0;
    dmm_index base = 0;
    do {
        const dmm_index tile = base + room.t;
        dmm_index before;
        const dmm_index own = tile < tiles ? counts[tile] : 0;
        const dmm_index all = dmm_group_sum(room, own, &before);
        if (tile < tiles)
            counts[tile] = carry + before;
        carry += all;
        base += DMM_U;
    } while (base < tiles);
    if (room.t == 0)
        counts[tiles] = carry;
}

/* What becomes of a problem: one or two of the next table. */
typedef struct dmm_offspring {
    dmm_problem child[2];
    dmm_index count; /* of children */
    dmm_index tiles[2];
} dmm_offspring;

DMM_INLINE dmm_offspring dmm_offspring_of(dmm_call c, uint table, dmm_index number, int by_edge)
{
    dmm_offspring o;
    const dmm_problem p = c.tables[table][number];
    const int active = (p.flags & DMM_ACTIVE) != 0, both = active && !dmm_pivot_is_end(p);
    const int flat = by_edge && !both; /* every point is on the edge: no level will split it */
    o.child[0] = o.child[1] = p;
    o.count = 1 + both;
    if (active) {
        const dmm_index end = dmm_end_tile(c, table, number);
        const dmm_index left = c.lefts[end] - c.lefts[p.tile];
        const dmm_index right = c.rights[end] - c.rights[p.tile];
        o.child[0].flags = o.child[1].flags = (p.flags & ~DMM_ACTIVE) ^ DMM_IN_SECOND;
        o.child[0].count = both ? left : left + right;
        if (both) {
            o.child[0].r = o.child[1].l = p.m;
            o.child[1].begin = p.begin + left;
            o.child[1].count = right;
            o.child[1].flags = (o.child[1].flags & ~DMM_FIRST) | DMM_EMITS;
        }
    }
    for (uint k = 0; k < 2; k++) {
        const int goes_on = k < o.count && active && !flat && o.child[k].count > c.state->threshold;
        o.child[k].flags |= goes_on ? DMM_ACTIVE : 0;
        o.tiles[k] = goes_on ? (o.child[k].count - 1) / DMM_TILE + 1 : 0;
    }
    return o;
}

/* One group: scans the tiles' counts, and writes the next table. */
DMM_KERNEL(DMM_U)
void dmm_hull_plan(DMM_HULL_PARAMETERS, ulong level)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const uint table = dmm_table_of(level);
    const dmm_index tiles = c.state->tiles[table], count = c.state->problems[table];
    dmm_index problems = 0, next_tiles = 0;
    if (tiles != 0) {
        for (uint k = 0; k < 2; k++)
            dmm_scan_tiles(room, k == 0 ? c.lefts : c.rights, tiles);
        barrier(CLK_GLOBAL_MEM_FENCE); /* scanned counts stored | read by others */
        dmm_index base = 0;
        do {
            const int mine = base + room.t < count;
            dmm_offspring o;
            dmm_index place, tile;
            if (mine)
                o = dmm_offspring_of(c, table, base + room.t, dmm_by_edge(level));
            const dmm_index born = dmm_group_sum(room, mine ? o.count : 0, &place);
            const dmm_index more = dmm_group_sum(room, mine ? o.tiles[0] + o.tiles[1] : 0, &tile);
            if (mine) {
                o.child[0].tile = next_tiles + tile;
                o.child[1].tile = next_tiles + tile + o.tiles[0];
                for (uint k = 0; k < o.count; k++)
                    c.tables[1 - table][problems + place + k] = o.child[k];
            }
            problems += born;
            next_tiles += more;
            base += DMM_U;
        } while (base < count);
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* this level's numbers read by all | the next one's stored */
    if (room.t == 0) {
        c.state->tiles[1 - table] = next_tiles;
        if (tiles != 0) {
            c.state->problems[1 - table] = problems;
            c.state->last = 1 - table;
        }
    }
}

/* One group, before the first level: what is active. */
DMM_KERNEL(DMM_U)
void dmm_hull_start(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index count = c.state->code != 0 ? 0 : 2 * c.state->frames;
    dmm_index points = 0, tiles = 0, before;
    for (dmm_index k = room.t; k < count; k += DMM_U)
        points += c.tables[0][k].count;
    points = dmm_group_sum(room, points, &before);
    const dmm_index threshold = max((dmm_index)DMM_TILE, points / (DMM_PARTS * groups));
    dmm_index base = 0;
    do {
        const dmm_index k = base + room.t;
        dmm_index own = 0;
        if (k < count && c.tables[0][k].count > threshold) {
            c.tables[0][k].flags |= DMM_ACTIVE;
            own = (c.tables[0][k].count - 1) / DMM_TILE + 1;
        }
        const dmm_index all = dmm_group_sum(room, own, &before);
        if (k < count)
            c.tables[0][k].tile = tiles + before;
        tiles += all;
        base += DMM_U;
    } while (base < count);
    if (room.t == 0) {
        c.state->threshold = threshold;
        c.state->problems[0] = count;
        c.state->tiles[0] = tiles;
    }
}

/* Every point of an active problem to its child's places, in the other list. */
DMM_KERNEL(DMM_U)
void dmm_hull_move(DMM_HULL_PARAMETERS, ulong level)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    DMM_FOR_TILES(c, level, tile)
    {
        const uint table = dmm_table_of(level);
        const dmm_index number = dmm_problem_of(c, table, tile);
        const dmm_problem p = c.tables[table][number];
        const dmm_list from = c.lists[p.flags & DMM_IN_SECOND ? 1 : 0];
        const dmm_list to = c.lists[p.flags & DMM_IN_SECOND ? 0 : 1];
        const dmm_share share = dmm_tile_share(p, tile);
        dmm_index left = p.begin + c.lefts[tile] - c.lefts[p.tile];
        dmm_index right = p.begin + c.lefts[dmm_end_tile(c, table, number)] - c.lefts[p.tile] +
                          c.rights[tile] - c.rights[p.tile];
        for (dmm_index base = share.first; base < share.end; base += DMM_STEP) {
            dmm_block b;
            dmm_index before;
            dmm_block_read(&b, DMM_BLOCK, from, base, share.end, room.t, DMM_U);
            for (uint k = 0; k < DMM_BLOCK; k++) {
                const dmm_index i = base + room.t + k * DMM_U;
                b.side[k] = i < share.end ? c.sides[i] : DMM_GOES_IN;
            }
            const uint lefts = dmm_block_count(&b, DMM_BLOCK, DMM_GOES_LEFT);
            const uint rights = dmm_block_count(&b, DMM_BLOCK, DMM_GOES_RIGHT);
            const dmm_index all = dmm_group_sum(room, lefts | rights << 16, &before);
            dmm_block_put(&b, DMM_BLOCK, DMM_GOES_LEFT, to, left + (before & 0xffff));
            dmm_block_put(&b, DMM_BLOCK, DMM_GOES_RIGHT, to, right + (before >> 16));
            left += all & 0xffff;
            right += all >> 16;
        }
    }
}

#endif
