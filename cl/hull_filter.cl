/* SPDX-License-Identifier: MIT */
/*
 * The filter, and the compaction of what it lets pass into two problems: points below the line of
 * the two ends, and points above. A piece's places of the second list take what is below from the
 * front and what is above from the back; then, with all counts known, both move to their places in
 * the first list.
 */

#define DMM_INSIDE 0
#define DMM_BELOW  1
#define DMM_ABOVE  2
#define DMM_DOUBT  3

/* Are points below (above) the line of the two ends asked for? */
#define DMM_WANTS_BELOW (DMM_PART != DMM_UPPER)
#define DMM_WANTS_ABOVE (DMM_PART != DMM_LOWER)

/* Two ends, what a point on the line between them counts as, and walls about them. */
typedef struct dmm_sieve {
    dmm_spot left, right;
    uchar line;
#if DMM_REAL
    dmm_wall walls[DMM_DIRECTIONS + 1];
#endif
} dmm_sieve;

/* Points base + t, base + t + u, ... Behind the end there are copies of the last point. */
DMM_INLINE void dmm_block_load(dmm_cloud cloud, dmm_index base, dmm_index end, uint t, dmm_block *b)
{
    const dmm_index last = end - 1;
    if (end - base >= DMM_STEP)
        for (uint k = 0; k < DMM_BLOCK; k++) {
            const dmm_index i = base + t + k * DMM_U;
            b->x[k] = cloud.xs[i * DMM_STRIDE];
            b->y[k] = cloud.ys[i * DMM_STRIDE];
        }
    else
        for (uint k = 0; k < DMM_BLOCK; k++) {
            const dmm_index i = min(last, base + t + k * DMM_U);
            b->x[k] = cloud.xs[i * DMM_STRIDE];
            b->y[k] = cloud.ys[i * DMM_STRIDE];
        }
    for (uint k = 0; k < DMM_BLOCK; k++)
        b->name[k] = base + t + k * DMM_U;
}

/* On which side of the line of both ends a point is, by exact arithmetic where needed. */
DMM_APART uchar dmm_side_of(dmm_point p, dmm_spot left, dmm_spot right, uchar line)
{
    const int turn = dmm_orient(left.at, right.at, p);
    if (turn != 0)
        return turn < 0 ? DMM_BELOW : DMM_ABOVE;
    return DMM_COLLINEAR && dmm_point_compare(p, left.at) != 0 &&
                   dmm_point_compare(p, right.at) != 0
               ? line
               : DMM_INSIDE;
}

/* Sides without a branch: vector instructions in the CPU form. */
DMM_OUTLINE void dmm_block_judge(dmm_block *restrict b, const dmm_sieve *restrict s)
{
#if DMM_REAL
    for (uint k = 0; k < DMM_BLOCK; k++) {
        const dmm_real x = DMM_REAL_OF(b->x[k]), y = DMM_REAL_OF(b->y[k]);
        int inside = 1;
        DMM_UNROLL
        for (uint d = 0; d < DMM_DIRECTIONS; d++) {
            const dmm_wall w = s->walls[d];
            inside &= w.dx * (y - w.y) - w.dy * (x - w.x) > w.bound;
        }
        const dmm_wall line = s->walls[DMM_DIRECTIONS];
        const dmm_real height = line.dx * (y - line.y) - line.dy * (x - line.x);
        const int side = height < -line.bound  ? DMM_BELOW
                         : height > line.bound ? DMM_ABOVE
                                               : DMM_DOUBT;
        b->side[k] = (uchar)(inside ? DMM_INSIDE : side);
    }
#else
    for (uint k = 0; k < DMM_BLOCK; k++)
        b->side[k] = DMM_DOUBT;
#endif
}

/* May a point of that side be of a chain that is asked for? What is below may be on the line,
 * for now. */
DMM_INLINE int dmm_is_wanted(uchar side)
{
#if DMM_PART == DMM_LOWER
    return side == DMM_BELOW;
#elif DMM_PART == DMM_UPPER && !DMM_COLLINEAR
    return side == DMM_ABOVE;
#else
    return 1;
#endif
}

/* Settles doubts, and takes out what is not asked for or not there. */
DMM_INLINE void dmm_block_settle(dmm_block *b, const dmm_sieve *s, dmm_index end)
{
    for (uint k = 0; k < DMM_BLOCK; k++) {
        uchar side = b->side[k];
        if (side == DMM_INSIDE)
            continue;
        if (side == DMM_DOUBT) {
            dmm_point p;
            p.x = b->x[k];
            p.y = b->y[k];
            side = dmm_side_of(p, s->left, s->right, s->line);
        }
        if (b->name[k] >= end || !dmm_is_wanted(side))
            side = DMM_INSIDE;
        b->side[k] = side;
    }
}

/* Both ends of a share that fill up. */
typedef struct dmm_heap {
    dmm_index front, back; /* places front .. back - 1 are free */
} dmm_heap;

/* Appends a block: what is below to the front, what is above to the back. */
DMM_INLINE void dmm_block_append(const dmm_block *b, dmm_list to, dmm_heap *heap, dmm_room room)
{
    const uint below = dmm_block_count(b, DMM_BLOCK, DMM_BELOW);
    const uint above = dmm_block_count(b, DMM_BLOCK, DMM_ABOVE);
    dmm_index before;
    const dmm_index all = dmm_group_sum(room, below | above << 16, &before);
    dmm_block_put(b, DMM_BLOCK, DMM_BELOW, to, heap->front + (before & 0xffff));
    dmm_block_put(b, DMM_BLOCK, DMM_ABOVE, to, heap->back - (before >> 16) - above);
    heap->front += all & 0xffff;
    heap->back -= all >> 16;
}

DMM_INLINE dmm_sieve dmm_sieve_of(dmm_call c, global const dmm_frame *f)
{
    dmm_sieve s;
    s.left = dmm_cloud_spot(c.cloud, f->ends[0]);
    s.right = dmm_cloud_spot(c.cloud, f->ends[1]);
    s.line = DMM_BELOW; /* for now: dmm_hull_gather tells them apart */
#if DMM_REAL
    for (uint d = 0; d <= DMM_DIRECTIONS; d++)
        s.walls[d] = f->walls[d];
#endif
    return s;
}

/* How many points of a group's front are on the line itself: with DMM_COLLINEAR they are among
 * those below. */
DMM_INLINE dmm_index dmm_count_on_line(
    dmm_list list, dmm_index first, dmm_index end, const dmm_sieve *s, dmm_room room)
{
    dmm_index on = 0, before;
    if (DMM_COLLINEAR)
        for (dmm_index i = first + room.t; i < end; i += DMM_U)
            on += dmm_orient(s->left.at, s->right.at, dmm_list_spot(list, i).at) == 0;
    return DMM_COLLINEAR ? dmm_group_sum(room, on, &before) : 0;
}

DMM_KERNEL(DMM_U)
void dmm_hull_filter(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index pieces = c.state->code != 0 ? 0 : c.state->pieces;
    for (dmm_index piece = DMM_GROUP; piece < pieces; piece += groups) {
        const dmm_share own = dmm_piece_share(c, piece);
        const dmm_sieve s = dmm_sieve_of(c, c.frames + c.owners[piece]);
        dmm_block b;
        dmm_heap heap;
        heap.front = own.first;
        heap.back = own.end;
        for (dmm_index base = own.first; base < own.end; base += DMM_STEP) {
            dmm_block_load(c.cloud, base, own.end, room.t, &b);
            dmm_block_judge(&b, &s);
            dmm_block_settle(&b, &s, own.end);
            dmm_block_append(&b, c.lists[1], &heap, room);
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* the front stored | read by others */
        const dmm_index on = dmm_count_on_line(c.lists[1], own.first, heap.front, &s, room);
        if (room.t == 0) {
            c.counts[3 * piece] = heap.front - own.first - on;
            c.counts[3 * piece + 1] = on;
            c.counts[3 * piece + 2] = own.end - heap.back;
        }
    }
}

/* Points below, on and above the line: of all pieces of a set, and of those before this one. */
typedef struct dmm_census {
    dmm_index all[3], before[3];
} dmm_census;

DMM_INLINE dmm_census dmm_census_of(
    dmm_call c, dmm_room room, global const dmm_frame *f, dmm_index piece)
{
    dmm_index sums[6], unused;
    for (uint k = 0; k < 6; k++) {
        const dmm_index end = k < 3 ? f->end_piece : piece;
        dmm_index own = 0;
        for (dmm_index i = f->first_piece + room.t; i < end; i += DMM_U)
            own += c.counts[3 * i + k % 3];
        sums[k] = dmm_group_sum(room, own, &unused);
    }
    dmm_census census;
    for (uint k = 0; k < 3; k++) {
        census.all[k] = sums[k];
        census.before[k] = sums[3 + k];
    }
    return census;
}

/* Which chain the points on the line may belong to: the lower one if nothing is below, else the
 * upper one if nothing is above; if all points are on the line, only one chain has them. */
DMM_INLINE uint dmm_chain_of_line(dmm_index below, dmm_index above)
{
    if (DMM_PART != DMM_WHOLE)
        return DMM_PART == DMM_LOWER ? DMM_BELOW : DMM_ABOVE;
    return below == 0 ? DMM_BELOW : above == 0 ? DMM_ABOVE : DMM_INSIDE;
}

DMM_INLINE void dmm_problem_put(global dmm_problem *to, dmm_index l, dmm_index r, dmm_index begin,
    dmm_index count, dmm_index set, uint flags)
{
    dmm_problem p;
    p.l = l;
    p.r = r;
    p.m = l;
    p.begin = begin;
    p.count = count;
    p.tile = 0;
    p.set = set;
    p.flags = flags;
    *to = p;
}

/* The two edges of a set, into problems table[0] and [apart]: of one chain, its edge and its far
 * end. Points of the upper chain begin at `upper`. */
DMM_INLINE void dmm_edges_put(global dmm_problem *table, dmm_index apart, dmm_spot left,
    dmm_spot right, dmm_index begin, dmm_index below, dmm_index upper, dmm_index above,
    dmm_index set, uint flags)
{
    const uint far = flags | (dmm_point_compare(left.at, right.at) != 0 ? DMM_EMITS : 0);
    const uint near = flags | DMM_FIRST | DMM_EMITS;
#if DMM_PART == DMM_UPPER
    dmm_problem_put(table, right.name, left.name, upper, above, set, near);
    dmm_problem_put(table + apart, left.name, left.name, begin, 0, set, far);
#else
    dmm_problem_put(table, left.name, right.name, begin, below, set, near);
    dmm_problem_put(table + apart, right.name, left.name, upper, above, set, far);
#endif
}

#if DMM_U > 1 /* the CPU form has strips: cl/hull_strips.cl */

/* Where the points of a piece go. */
typedef struct dmm_exits {
    dmm_index below, above;
} dmm_exits;

/* Moves a piece's front, points below or on the line: the latter go where `line` says. Returns
 * what is left of the way above. */
DMM_INLINE dmm_exits dmm_gather_front(
    dmm_call c, dmm_room room, global const dmm_frame *f, dmm_share front, uint line, dmm_exits to)
{
    const dmm_spot left = dmm_cloud_spot(c.cloud, f->ends[0]);
    const dmm_spot right = dmm_cloud_spot(c.cloud, f->ends[1]);
    for (dmm_index base = front.first; base < front.end; base += DMM_U) {
        dmm_spot p;
        uint side = DMM_INSIDE;
        dmm_index before;
        if (base + room.t < front.end) {
            p = dmm_list_spot(c.lists[1], base + room.t);
            side = DMM_WANTS_BELOW ? DMM_BELOW : DMM_INSIDE;
            if (DMM_COLLINEAR && dmm_orient(left.at, right.at, p.at) == 0)
                side = line;
        }
        const uint own = side == DMM_BELOW ? 1 : side == DMM_ABOVE ? 1u << 16 : 0;
        const dmm_index all = dmm_group_sum(room, own, &before);
        if (side == DMM_BELOW)
            dmm_list_put(c.lists[0], to.below + (before & 0xffff), p);
        if (side == DMM_ABOVE)
            dmm_list_put(c.lists[0], to.above + (before >> 16), p);
        to.below += all & 0xffff;
        to.above += all >> 16;
    }
    return to;
}

/* The compaction. */
DMM_KERNEL(DMM_U)
void dmm_hull_gather(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index pieces = c.state->code != 0 ? 0 : c.state->pieces;
    for (dmm_index piece = DMM_GROUP; piece < pieces; piece += groups) {
        global const dmm_frame *f = c.frames + c.owners[piece];
        const dmm_share own = dmm_piece_share(c, piece);
        const dmm_census census = dmm_census_of(c, room, f, piece);
        const uint line = dmm_chain_of_line(census.all[0], census.all[2]);
        const dmm_index on_below = line == DMM_BELOW, on_above = line == DMM_ABOVE;
        const dmm_index below = DMM_WANTS_BELOW ? census.all[0] + on_below * census.all[1] : 0;
        const dmm_index above = census.all[2] + on_above * census.all[1];
        const dmm_index high = c.counts[3 * piece + 2];
        dmm_share front;
        dmm_exits to;
        front.first = own.first;
        front.end = own.first + c.counts[3 * piece] + c.counts[3 * piece + 1];
        to.below = f->first + census.before[0] + on_below * census.before[1];
        to.above = f->first + below + census.before[2] + on_above * census.before[1];
        to = dmm_gather_front(c, room, f, front, line, to);
        for (dmm_index i = room.t; i < high; i += DMM_U)
            dmm_list_put(c.lists[0], to.above + i, dmm_list_spot(c.lists[1], own.end - high + i));
        if (piece == f->first_piece && room.t == 0)
            dmm_edges_put(c.tables[0] + 2 * c.owners[piece], 1, dmm_cloud_spot(c.cloud, f->ends[0]),
                dmm_cloud_spot(c.cloud, f->ends[1]), f->first, below, f->first + below, above,
                f->set, 0);
    }
}

#endif
