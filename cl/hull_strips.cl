/* SPDX-License-Identifier: MIT */
/*
 * In the CPU form, what passes the filter is cut into strips: by x, at values of a sample, so that
 * strips are about equal whatever the points are like. A strip is then sorted and becomes a chain
 * (cl/hull_chain.cl). No level costs a pass, and no input takes more of them than another.
 * Turned     points above the line of the two ends, by half a turn: so both sides of a set go from
 *            left to right, below the line of their ends.
 * Chords     the chain of the sample has an edge or two across each strip. A point above what is
 *            between them, and below the line of the ends, is inside.
 * Launches   dmm_hull_sample (where strips begin; their chords), _assign (each point's strip; how
 *            many of a piece are in each), _strips (the table of problems; where a piece's points
 *            go), _spread (they go there)
 * Cost       what passes is read twice and written once
 */

/* Strips of a side, at most; and what a point's byte says: its strip, and the side; or that it is
 * left out. */
#define DMM_MOST_STRIPS 127
#define DMM_STRIP_SLOTS 128
#define DMM_STRIP_ABOVE 128u
#define DMM_STRIP_NONE  255u
/* Points of a sample for each strip. */
#define DMM_STRIP_SAMPLE 8

/* Strips of each side of a large set. The host knows, too: see dmm_hull_lay_out. */
DMM_INLINE dmm_index dmm_strips(dmm_call c)
{
    return min((dmm_index)DMM_MOST_STRIPS, c.n / (2 * DMM_TILE) + 1);
}

DMM_INLINE dmm_point dmm_turned(dmm_point p, uint above)
{
    dmm_point turned;
    turned.x = above ? dmm_coord_negated(p.x) : p.x;
    turned.y = above ? dmm_coord_negated(p.y) : p.y;
    return turned;
}

DMM_INLINE dmm_spot dmm_spot_turned(dmm_spot s, uint above)
{
    s.at = dmm_turned(s.at, above);
    return s;
}

/* What a piece keeps of one side: places of the second list. */
DMM_INLINE dmm_share dmm_piece_side(dmm_call c, dmm_index piece, uint above)
{
    dmm_share share = dmm_piece_share(c, piece);
    if (above)
        share.first = share.end - c.counts[3 * piece + 2];
    else
        share.end = share.first + c.counts[3 * piece] + c.counts[3 * piece + 1];
    return share;
}

/* Copies a point of every `stride` ones of a share; returns the place behind the copies. */
DMM_INLINE dmm_index dmm_sample_share(
    dmm_call c, dmm_share share, dmm_index stride, uint above, dmm_index to)
{
    while (share.first < share.end) {
        dmm_share cell = share;
        cell.end = share.end - share.first < stride ? share.end : share.first + stride;
        const dmm_spot p = dmm_list_spot(c.lists[1], dmm_any_place(cell, 0));
        dmm_list_put(c.lists[0], to++, dmm_spot_turned(p, above));
        share.first = cell.end;
    }
    return to;
}

/* Coordinates that are kept of a strip: a bound, and two ends of a chord. */
#define DMM_STRIP_COORDS 5

/* The chord across each strip, between points of an ordered chain or l and r: from the last one
 * that is no more than the strip's first bound to the first one that is not less than its last. */
DMM_INLINE void dmm_chords_put(
    dmm_list chain, dmm_share share, dmm_point l, dmm_point r, global dmm_coord *bounds)
{
    dmm_index b = share.first;
    for (uint strip = 0; strip < DMM_STRIP_SLOTS; strip++) {
        while (share.first < share.end && strip > 0 &&
               dmm_coord_code(chain.xs[share.first]) <= bounds[strip - 1])
            l = dmm_list_point(chain, share.first++);
        while (b < share.end && dmm_coord_code(chain.xs[b]) < bounds[strip])
            b++;
        const dmm_point end = b < share.end ? dmm_list_point(chain, b) : r;
        bounds[strip + DMM_STRIP_SLOTS] = l.x;
        bounds[strip + 2 * DMM_STRIP_SLOTS] = l.y;
        bounds[strip + 3 * DMM_STRIP_SLOTS] = end.x;
        bounds[strip + 4 * DMM_STRIP_SLOTS] = end.y;
    }
}

/* The first strip's points are less than bounds[0], those of strip k at least bounds[k - 1]. The
 * sample lies where this side's points will be. */
DMM_KERNEL(DMM_U)
void dmm_hull_sample(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index sides = c.state->code != 0 ? 0 : 2 * c.state->frames, strips = dmm_strips(c);
    for (dmm_index k = DMM_GROUP; k < sides; k += groups) {
        global const dmm_frame *f = c.frames + k / 2;
        const uint above = (uint)(k % 2);
        const dmm_census census = dmm_census_of(c, room, f, f->first_piece);
        const dmm_index below = census.all[0] + census.all[1];
        const dmm_index stride = (above ? census.all[2] : below) / (strips * DMM_STRIP_SAMPLE) + 1;
        const dmm_index first = f->first + (above ? below : 0);
        dmm_index end = first;
        for (dmm_index piece = f->first_piece; piece < f->end_piece; piece++)
            end = dmm_sample_share(c, dmm_piece_side(c, piece, above), stride, above, end);
        global dmm_coord *bounds = c.bounds + k * DMM_STRIP_COORDS * DMM_STRIP_SLOTS;
        dmm_heap_sort(c.lists[0], first, end - first);
        for (uint strip = 1; strip <= DMM_STRIP_SLOTS; strip++) {
            const dmm_index at = first + (dmm_index)((ulong)(end - first) * strip / strips);
            bounds[strip - 1] = at < end ? dmm_coord_code(c.lists[0].xs[at]) : ~(dmm_coord)0;
        }
        dmm_share chain;
        chain.first = first;
        chain.end = end;
        chain.end = first + dmm_strip_chain(c.lists[0], c.lists[0], chain);
        dmm_chords_put(c.lists[0], chain,
            dmm_turned(dmm_cloud_point(c.cloud, f->ends[above]), above),
            dmm_turned(dmm_cloud_point(c.cloud, f->ends[1 - above]), above), bounds);
    }
}

/* What tells the bytes of a side. */
typedef struct dmm_cutter {
    uint above;
    dmm_coord bounds[DMM_STRIP_SLOTS];
#if DMM_REAL
    dmm_reach chords[DMM_STRIP_SLOTS];
#endif
} dmm_cutter;

DMM_APART void dmm_cutter_load(dmm_call c, dmm_index owner, uint above, dmm_cutter *cutter)
{
    global const dmm_coord *from =
        c.bounds + (2 * owner + above) * DMM_STRIP_COORDS * DMM_STRIP_SLOTS;
    cutter->above = above;
    for (uint k = 0; k < DMM_STRIP_SLOTS; k++) {
        cutter->bounds[k] = from[k];
#if DMM_REAL
        dmm_point a, b;
        a.x = from[k + DMM_STRIP_SLOTS];
        a.y = from[k + 2 * DMM_STRIP_SLOTS];
        b.x = from[k + 3 * DMM_STRIP_SLOTS];
        b.y = from[k + 4 * DMM_STRIP_SLOTS];
        cutter->chords[k] = dmm_reach_of(a, b);
#endif
    }
}

/* The strip of a point, by the code of its x: how many bounds are at most it. */
DMM_INLINE uint dmm_strip_of(const dmm_coord *bounds, dmm_coord code)
{
    uint strip = 0;
    DMM_UNROLL
    for (uint step = DMM_STRIP_SLOTS / 2; step > 0; step /= 2)
        strip += bounds[strip + step - 1] <= code ? step : 0;
    return strip;
}

/* Bytes of `size` points of one side, step by step: loops without a branch become vector
 * instructions. */
DMM_APART void dmm_assign_block(global const dmm_coord *xs, global const dmm_coord *ys, uint size,
    const dmm_cutter *restrict cutter, global uchar *restrict sides)
{
    const dmm_coord turn = cutter->above ? DMM_COORD_SIGN : 0;
    const uint side = cutter->above ? DMM_STRIP_ABOVE : 0;
    dmm_coord x[DMM_BLOCK], y[DMM_BLOCK], codes[DMM_BLOCK];
    uint strips[DMM_BLOCK];
    for (uint k = 0; k < size; k++) {
        x[k] = xs[k] ^ turn;
        y[k] = ys[k] ^ turn;
        codes[k] = dmm_coord_code(x[k]);
    }
    for (uint k = 0; k < size; k++)
        strips[k] = dmm_strip_of(cutter->bounds, codes[k]);
#if DMM_REAL
    dmm_real from_x[DMM_BLOCK], from_y[DMM_BLOCK], dx[DMM_BLOCK], dy[DMM_BLOCK];
    for (uint k = 0; k < size; k++) {
        from_x[k] = cutter->chords[strips[k]].x;
        from_y[k] = cutter->chords[strips[k]].y;
        dx[k] = cutter->chords[strips[k]].dx;
        dy[k] = cutter->chords[strips[k]].dy;
    }
    for (uint k = 0; k < size; k++) {
        dmm_reach chord;
        chord.x = from_x[k];
        chord.y = from_y[k];
        chord.dx = dx[k];
        chord.dy = dy[k];
        if (dmm_bounds_of(chord, DMM_REAL_OF(x[k]), DMM_REAL_OF(y[k])).low > 0)
            strips[k] = DMM_STRIP_NONE;
    }
#endif
    for (uint k = 0; k < size; k++)
        sides[k] = (uchar)(strips[k] | side);
}

DMM_INLINE void dmm_assign_share(dmm_call c, dmm_share share, const dmm_cutter *cutter)
{
    for (dmm_index base = share.first; base < share.end; base += DMM_BLOCK)
        dmm_assign_block(c.lists[1].xs + base, c.lists[1].ys + base,
            (uint)min((dmm_index)DMM_BLOCK, share.end - base), cutter, c.sides + base);
}

/* Of a share below the line or on it, those that go elsewhere or nowhere. */
DMM_INLINE void dmm_assign_line(
    dmm_call c, global const dmm_frame *f, dmm_share share, uint line, const dmm_cutter *above)
{
    const dmm_point left = dmm_cloud_point(c.cloud, f->ends[0]);
    const dmm_point right = dmm_cloud_point(c.cloud, f->ends[1]);
    for (dmm_index i = share.first; i < share.end; i++) {
        const dmm_point p = dmm_list_point(c.lists[1], i);
        const int on = dmm_orient(left, right, p) == 0;
        const uint side = on ? line : DMM_WANTS_BELOW ? DMM_BELOW : DMM_INSIDE;
        if (side == DMM_ABOVE)
            c.sides[i] = (uchar)(DMM_STRIP_ABOVE |
                                 dmm_strip_of(above->bounds, dmm_coord_code(dmm_turned(p, 1).x)));
        else if (side == DMM_INSIDE)
            c.sides[i] = DMM_STRIP_NONE;
    }
}

DMM_KERNEL(DMM_U)
void dmm_hull_assign(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index pieces = c.state->code != 0 ? 0 : c.state->pieces;
    for (dmm_index piece = DMM_GROUP; piece < pieces; piece += groups) {
        const dmm_index owner = c.owners[piece];
        global const dmm_frame *f = c.frames + owner;
        dmm_cutter cutters[2];
        dmm_index counts[2 * DMM_STRIP_SLOTS];
        for (uint k = 0; k < 2 * DMM_STRIP_SLOTS; k++)
            counts[k] = 0;
        for (uint above = 0; above < 2; above++)
            dmm_cutter_load(c, owner, above, cutters + above);
        for (uint above = 0; above < 2; above++) {
            const dmm_share own = dmm_piece_side(c, piece, above);
            dmm_assign_share(c, own, cutters + above);
#if DMM_COLLINEAR
            if (!above) {
                const dmm_census census = dmm_census_of(c, room, f, piece);
                const uint line = dmm_chain_of_line(census.all[0], census.all[2]);
                dmm_assign_line(c, f, own, line, cutters + 1);
            }
#endif
            for (dmm_index i = own.first; i < own.end; i++)
                counts[c.sides[i]]++;
        }
        for (uint k = 0; k < 2 * DMM_STRIP_SLOTS; k++)
            c.shares[piece * 2 * DMM_STRIP_SLOTS + k] = counts[k];
    }
}

/* Numbers the points of a side's strips from `at` on, piece by piece; returns the number behind
 * them. The first strip's problem knows the chain's edge; the others have none. */
DMM_INLINE dmm_index dmm_strips_put(
    dmm_call c, global const dmm_frame *f, global dmm_problem *table, uint above, dmm_index at)
{
    const dmm_problem edge = table[0];
    for (uint strip = 0; strip < dmm_strips(c); strip++) {
        const dmm_index begin = at;
        for (dmm_index piece = f->first_piece; piece < f->end_piece; piece++) {
            global dmm_index *share = c.shares + (2 * piece + above) * DMM_STRIP_SLOTS + strip;
            const dmm_index count = *share;
            *share = at;
            at += count;
        }
        dmm_problem_put(
            table + strip, edge.l, edge.r, begin, at - begin, f->set, strip == 0 ? edge.flags : 0);
    }
    return at;
}

/* One group: where strips are. */
DMM_KERNEL(DMM_U)
void dmm_hull_strips(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    const dmm_index frames = c.state->code != 0 ? 0 : c.state->frames;
    for (dmm_index k = 0; k < frames; k++) {
        global const dmm_frame *f = c.frames + k;
        global dmm_problem *table = c.tables[0] + 2 * k * dmm_strips(c);
        dmm_edges_put(table, dmm_strips(c), dmm_cloud_spot(c.cloud, f->ends[0]),
            dmm_cloud_spot(c.cloud, f->ends[1]), f->first, 0, f->first, 0, f->set, 0);
        dmm_index at = f->first;
        for (uint side = 0; side < 2; side++)
            at = dmm_strips_put(
                c, f, table + side * dmm_strips(c), DMM_WANTS_BELOW ? side : 1 - side, at);
    }
    c.state->problems[0] = 2 * frames * dmm_strips(c);
}

DMM_KERNEL(DMM_U)
void dmm_hull_spread(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    const dmm_index pieces = c.state->code != 0 ? 0 : c.state->pieces;
    for (dmm_index piece = DMM_GROUP; piece < pieces; piece += groups) {
        dmm_index places[2 * DMM_STRIP_SLOTS];
        for (uint k = 0; k < 2 * DMM_STRIP_SLOTS; k++)
            places[k] = c.shares[piece * 2 * DMM_STRIP_SLOTS + k];
        for (uint above = 0; above < 2; above++) {
            const dmm_share own = dmm_piece_side(c, piece, above);
            for (dmm_index i = own.first; i < own.end; i++) {
                const uint strip = c.sides[i];
                if (strip != DMM_STRIP_NONE)
                    dmm_list_put(c.lists[0], places[strip]++,
                        dmm_spot_turned(dmm_list_spot(c.lists[1], i), strip / DMM_STRIP_ABOVE));
            }
        }
    }
}
