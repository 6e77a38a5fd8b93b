/* SPDX-License-Identifier: MIT */
/*
 * The splitting stage, a level at a time. Every active problem gets a pivot m: the point that is
 * farthest in the direction normal to a line, a vertex for certain. What is right of l -> m goes
 * left, what is right of m -> r goes right, the rest is inside.
 * Lines      on even levels the problem's own edge: m is neither l nor r, and a half of the points
 *            of a smooth cloud go. On odd levels the line through two points taken at random, so
 *            that no order of the input makes the problems shrink by one point at a time; and of
 *            two neighbours in the list, one may show that the other is inside (pruning).
 * Launches   dmm_hull_farthest (a tile's farthest point), _pivot (a problem's), _classify (sides,
 *            and how many of them in a tile), _plan (the next table; where tiles go), _move.
 *            Without active problems they do nothing.
 * Cost       of a level: coordinates of active points are read three times and written once
 * Source     T. Jurkiewicz, "Toward Better Computation Models for Modern Machines", 2013, sections
 *            3.1.1 and 3.5.2
 * Differs    own edges on even levels; tiles in place of warps that are assigned to problems
 */

#define DMM_GOES_IN    0
#define DMM_GOES_LEFT  1
#define DMM_GOES_RIGHT 2
#define DMM_GOES_WHERE 3 /* in doubt */

/* Marks the name of a point that has become a vertex, in the independent stage. */
#define DMM_MARK ((dmm_index)1 << (8 * DMM_INDEX_BYTES - 1))

/* What a level knows of one problem. */
typedef struct dmm_job {
    dmm_problem p;
    dmm_list list; /* where its points are */
    dmm_spot l, r, m;
    dmm_point a, b; /* the line whose normal is the direction; it runs along l -> r */
} dmm_job;

DMM_INLINE uint dmm_table_of(ulong level)
{
    return (uint)(level & 1);
}

DMM_INLINE int dmm_by_edge(ulong level)
{
    return (level & 1) == 0;
}

/* Of the problem with that number, 0 <= number < problems. */
DMM_INLINE dmm_index dmm_end_tile(dmm_call c, uint table, dmm_index number)
{
    return number + 1 < c.state->problems[table] ? c.tables[table][number + 1].tile
                                                 : c.state->tiles[table];
}

/* The problem of a tile: the last one that begins at it or before, those without tiles left out. */
DMM_INLINE dmm_index dmm_problem_of(dmm_call c, uint table, dmm_index tile)
{
    dmm_index low = 0,
              high = c.state->problems[table]; /* tables[low].tile <= tile < that of high */
    while (high - low > 1) {
        const dmm_index middle = low + (high - low) / 2;
        if (c.tables[table][middle].tile <= tile)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A place of a share that looks random. */
DMM_INLINE dmm_index dmm_any_place(dmm_share share, ulong seed)
{
    ulong x = (seed + 1) * 0x9e3779b97f4a7c15ul + share.first * 0xd1342543de82ef95ul;
    x = (x ^ (x >> 32)) * 0xbf58476d1ce4e5b9ul;
    return share.first + (dmm_index)((x ^ (x >> 29)) % (share.end - share.first));
}

/* The line for a problem's pivot: its edge, or that of two of its points. */
DMM_INLINE void dmm_line_choose(dmm_list list, dmm_share share, dmm_point l, dmm_point r,
    int by_edge, ulong seed, dmm_point *a, dmm_point *b)
{
    *a = l;
    *b = r;
    if (by_edge)
        return;
    const dmm_point p0 = dmm_list_spot(list, dmm_any_place(share, 2 * seed)).at;
    const dmm_point p1 = dmm_list_spot(list, dmm_any_place(share, 2 * seed + 1)).at;
    const int along = dmm_dot(p0, p1, l, r) >= 0;
    *a = along ? p0 : p1;
    *b = along ? p1 : p0;
}

DMM_INLINE dmm_job dmm_job_of(dmm_call c, ulong level, dmm_index number)
{
    dmm_job job;
    job.p = c.tables[dmm_table_of(level)][number];
    job.list = c.lists[job.p.flags & DMM_IN_SECOND ? 1 : 0];
    job.l = dmm_cloud_spot(c.cloud, job.p.l);
    job.r = dmm_cloud_spot(c.cloud, job.p.r);
    job.m = dmm_cloud_spot(c.cloud, job.p.m);
    dmm_share all;
    all.first = job.p.begin;
    all.end = job.p.begin + job.p.count;
    dmm_line_choose(job.list, all, job.l.at, job.r.at, dmm_by_edge(level), level, &job.a, &job.b);
    return job;
}

/* The places of a tile. */
DMM_INLINE dmm_share dmm_tile_share(dmm_problem p, dmm_index tile)
{
    dmm_share share;
    share.first = p.begin + (tile - p.tile) * DMM_TILE;
    share.end = min(p.begin + p.count, share.first + DMM_TILE);
    return share;
}

/* Is p further right of the direction a -> b than q? Of two at the same distance, the one at the
 * end of their line, which is a vertex if any is. */
DMM_APART int dmm_is_farther(dmm_point a, dmm_point b, dmm_spot p, dmm_spot q)
{
    const int sign = dmm_cross(a, b, p.at, q.at);
    return sign != 0 ? sign > 0 : dmm_spot_before(p, q);
}

#if DMM_REAL
/* A line, to see where points are by floating point. */
typedef struct dmm_reach {
    dmm_real x, y, dx, dy;
} dmm_reach;

DMM_INLINE dmm_reach dmm_reach_of(dmm_point a, dmm_point b)
{
    dmm_reach reach;
    reach.x = DMM_REAL_OF(a.x);
    reach.y = DMM_REAL_OF(a.y);
    reach.dx = DMM_REAL_OF(b.x) - reach.x;
    reach.dy = DMM_REAL_OF(b.y) - reach.y;
    return reach;
}

/* How far left of the line a point is, within the error of floating point. */
typedef struct dmm_bounds {
    dmm_real low, high;
} dmm_bounds;

DMM_INLINE dmm_bounds dmm_bounds_of(dmm_reach reach, dmm_real x, dmm_real y)
{
    const dmm_real vx = x - reach.x, vy = y - reach.y, up = reach.dx * vy, down = reach.dy * vx;
    const dmm_real error =
        DMM_ERROR * (fabs(up) + fabs(down)) +
        DMM_TINY * (fabs(reach.dx) + fabs(reach.dy) + fabs(vx) + fabs(vy) + DMM_ONE);
    dmm_bounds bounds;
    bounds.low = up - down - error;
    bounds.high = up - down + error;
    return bounds;
}

DMM_INLINE dmm_bounds dmm_point_bounds(dmm_reach reach, dmm_point p)
{
    return dmm_bounds_of(reach, DMM_REAL_OF(p.x), DMM_REAL_OF(p.y));
}
#endif

/* The farthest of the places first + t, first + t + step, ... below end, or `best` if none is
 * farther. Blocks are passed over that floating point says are all less far. */
DMM_OUTLINE dmm_spot dmm_farthest(
    dmm_list list, dmm_share share, uint t, uint step, dmm_point a, dmm_point b, dmm_spot best)
{
#if DMM_REAL
    const dmm_reach reach = dmm_reach_of(a, b);
    dmm_real high = dmm_point_bounds(reach, best.at).high;
#endif
    for (dmm_index base = share.first; base < share.end; base += step * DMM_BLOCK) {
        const dmm_index end =
            share.end - base < step * DMM_BLOCK ? share.end : base + step * DMM_BLOCK;
#if DMM_REAL && DMM_U == 1
        int candidates = 0;
        for (uint k = 0; end - base >= DMM_BLOCK && k < DMM_BLOCK; k++) {
            const dmm_real x = DMM_REAL_OF(list.xs[base + k]), y = DMM_REAL_OF(list.ys[base + k]);
            candidates += !(dmm_bounds_of(reach, x, y).low > high);
        }
        if (end - base >= DMM_BLOCK && candidates == 0)
            continue;
#endif
        for (dmm_index i = base + t; i < end; i += step) {
            const dmm_spot p = dmm_list_spot(list, i);
#if DMM_REAL
            if (dmm_point_bounds(reach, p.at).low > high)
                continue;
#endif
            if (dmm_is_farther(a, b, p, best)) {
                best = p;
#if DMM_REAL
                high = dmm_point_bounds(reach, p.at).high;
#endif
            }
        }
    }
    return best;
}

#if DMM_U > 1 /* levels are of the GPU form */

DMM_INLINE dmm_index dmm_farther(dmm_call c, const dmm_job *job, dmm_index i, dmm_index j)
{
    const dmm_spot p = dmm_cloud_spot(c.cloud, i), q = dmm_cloud_spot(c.cloud, j);
    return dmm_is_farther(job->a, job->b, p, q) ? i : j;
}

/* Of what the work-items of a group have found; names of the cloud. */
#define DMM_FARTHER(i, j) dmm_farther(c, job, i, j)
DMM_INLINE dmm_index dmm_group_farthest(
    dmm_call c, dmm_room room, const dmm_job *job, dmm_index own)
{
    DMM_GROUP_FOLD(room.sums, room.t, own, DMM_FARTHER);
    return own;
}

/* Tiles that a group takes. */
#define DMM_FOR_TILES(c, level, tile)                                              \
    for (dmm_index tile = DMM_GROUP; tile < (c).state->tiles[dmm_table_of(level)]; \
         tile += (c).groups)

DMM_KERNEL(DMM_U)
void dmm_hull_farthest(DMM_HULL_PARAMETERS, ulong level)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    DMM_FOR_TILES(c, level, tile)
    {
        const dmm_job job = dmm_job_of(c, level, dmm_problem_of(c, dmm_table_of(level), tile));
        const dmm_share share = dmm_tile_share(job.p, tile);
        const dmm_spot first = dmm_list_spot(job.list, share.first);
        const dmm_index own =
            dmm_farthest(job.list, share, room.t, DMM_U, job.a, job.b, first).name;
        const dmm_index best = dmm_group_farthest(c, room, &job, own);
        if (room.t == 0)
            c.bests[tile] = best;
    }
}

DMM_KERNEL(DMM_U)
void dmm_hull_pivot(DMM_HULL_PARAMETERS, ulong level)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const uint table = dmm_table_of(level);
    if (c.state->tiles[table] == 0)
        return;
    for (dmm_index k = DMM_GROUP; k < c.state->problems[table]; k += groups) {
        if (!(c.tables[table][k].flags & DMM_ACTIVE))
            continue;
        const dmm_job job = dmm_job_of(c, level, k);
        dmm_spot best = room.t % 2 ? job.r : job.l;
        for (dmm_index tile = job.p.tile + room.t; tile < dmm_end_tile(c, table, k);
             tile += DMM_U) {
            const dmm_spot p = dmm_cloud_spot(c.cloud, c.bests[tile]);
            if (dmm_is_farther(job.a, job.b, p, best))
                best = p;
        }
        const dmm_index m = dmm_group_farthest(c, room, &job, best.name);
        barrier(CLK_GLOBAL_MEM_FENCE); /* the problem read by all | its pivot stored */
        if (room.t == 0)
            c.tables[table][k].m = m;
    }
}

#endif
