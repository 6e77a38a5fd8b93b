/* SPDX-License-Identifier: MIT */
/*
 * How a large set begins: which of its points are extreme. What lies within their polygon is left
 * out (cl/hull_filter.cl); the rest becomes two problems, below and above the line of the two ends.
 * Cost       the points are read twice, what passes the filter is written twice
 * Filter     conservative: any points may be the polygon's corners. A point that is left of all
 *            edges of a closed polygon is inside the hull of its corners, since the polygon winds
 *            about it; left by more than the error bound, it is so for certain.
 * Vectors    DMM_LANES points side by side in the CPU form.
 */
#if DMM_U == 1 && DMM_REAL && DMM_COORD_BYTES == 4
#define DMM_LANES 8
typedef uint8 dmm_coords;
typedef float8 dmm_reals;
typedef int8 dmm_masks;
#define DMM_REALS_OF as_float8
#elif DMM_U == 1 && DMM_REAL
#define DMM_LANES    4
typedef ulong4 dmm_coords;
typedef double4 dmm_reals;
typedef long4 dmm_masks;
#define DMM_REALS_OF as_double4
#else
#define DMM_LANES 1
typedef dmm_coord dmm_coords;
#if DMM_REAL
typedef dmm_real dmm_reals;
#define DMM_REALS_OF DMM_REAL_OF
#endif
#if DMM_COORD_BYTES == 4
typedef int dmm_masks;
#else
typedef long dmm_masks;
#endif
#endif

#define DMM_AXES (DMM_DIRECTIONS / 2)
/* Points of a group's step through the cloud. */
#define DMM_STRIP (DMM_U * DMM_LANES)

/* DMM_LANES points from index i on. */
DMM_INLINE void dmm_cloud_load(dmm_cloud cloud, dmm_index i, dmm_coords *x, dmm_coords *y)
{
#if DMM_LANES == 1
    *x = cloud.xs[i * DMM_STRIDE];
    *y = cloud.ys[i * DMM_STRIDE];
#elif DMM_STRIDE == 1
#if DMM_LANES == 8
    *x = vload8(0, cloud.xs + i);
    *y = vload8(0, cloud.ys + i);
#else
    *x = vload4(0, cloud.xs + i);
    *y = vload4(0, cloud.ys + i);
#endif
#elif DMM_LANES == 8
    const uint8 low = vload8(0, cloud.xs + 2 * i), high = vload8(1, cloud.xs + 2 * i);
    *x = shuffle2(low, high, (uint8)(0, 2, 4, 6, 8, 10, 12, 14));
    *y = shuffle2(low, high, (uint8)(1, 3, 5, 7, 9, 11, 13, 15));
#else
    const ulong4 low = vload4(0, cloud.xs + 2 * i), high = vload4(1, cloud.xs + 2 * i);
    *x = shuffle2(low, high, (ulong4)(0, 2, 4, 6));
    *y = shuffle2(low, high, (ulong4)(1, 3, 5, 7));
#endif
}

#if DMM_REAL
/* How far a point lies along an axis; the direction of axis k is k / DMM_AXES of half a turn. */
DMM_INLINE dmm_reals dmm_along(dmm_reals x, dmm_reals y, uint axis)
{
    const uint eighth = axis * 8 / DMM_AXES; /* of half a turn */
    return eighth == 0   ? x
           : eighth == 1 ? x + y * (dmm_real)0.4375f
           : eighth == 2 ? x + y
           : eighth == 3 ? x * (dmm_real)0.4375f + y
           : eighth == 4 ? y
           : eighth == 5 ? y - x * (dmm_real)0.4375f
           : eighth == 6 ? y - x
                         : y * (dmm_real)0.4375f - x;
}

DMM_INLINE dmm_real dmm_point_along(dmm_point p, uint axis)
{
    const dmm_real x = DMM_REAL_OF(p.x), y = DMM_REAL_OF(p.y);
    const uint eighth = axis * 8 / DMM_AXES;
    return eighth == 1   ? x + y * (dmm_real)0.4375f
           : eighth == 2 ? x + y
           : eighth == 3 ? x * (dmm_real)0.4375f + y
           : eighth == 4 ? y
           : eighth == 5 ? y - x * (dmm_real)0.4375f
           : eighth == 6 ? y - x
                         : y * (dmm_real)0.4375f - x;
}
#endif

/*
 * Directions go round counter-clockwise from the left: d is the least, DMM_AXES + d the greatest
 * along axis d. Along axis 0 points are ordered exactly, ties and all: these are the two ends. Of
 * the others any point will do.
 */
DMM_APART dmm_index dmm_more_extreme(dmm_cloud cloud, uint d, dmm_index i, dmm_index j)
{
    if (i == DMM_NO_INDEX || j == DMM_NO_INDEX)
        return min(i, j);
    const dmm_spot p = dmm_cloud_spot(cloud, i), q = dmm_cloud_spot(cloud, j);
    if (d == 0)
        return dmm_spot_before(p, q) ? i : j;
    const int order = dmm_point_compare(p.at, q.at);
    if (d == DMM_AXES)
        return order != 0 ? (order > 0 ? i : j) : min(i, j);
#if DMM_REAL
    const dmm_real a = dmm_point_along(p.at, d % DMM_AXES), b = dmm_point_along(q.at, d % DMM_AXES);
    return (d < DMM_AXES ? a < b : a > b) ? i : j;
#else
    return i;
#endif
}

/* Of what each work-item of a group has found along d. */
DMM_INLINE dmm_index dmm_group_extreme(dmm_cloud cloud, dmm_room room, uint d, dmm_index own)
{
#define DMM_MORE_EXTREME(i, j) dmm_more_extreme(cloud, d, i, j)
    DMM_GROUP_FOLD(room.sums, room.t, own, DMM_MORE_EXTREME);
    return own;
}

/* Extreme points so far, DMM_LANES candidates a direction. */
typedef struct dmm_search {
    dmm_coords end_x[2], end_y[2]; /* codes */
#if DMM_REAL
    dmm_reals least[DMM_AXES], most[DMM_AXES];
#endif
    dmm_coords strip[DMM_DIRECTIONS]; /* where they were met */
    dmm_masks bad;                    /* not finite */
} dmm_search;

DMM_INLINE dmm_coords dmm_coords_code(dmm_coords c)
{
    const dmm_coords negative = 0 - (c >> (8 * DMM_COORD_BYTES - 1));
    return ((c ^ negative) - negative) | (~negative & DMM_COORD_SIGN);
}

/* One strip more. */
DMM_INLINE void dmm_search_step(
    dmm_search *s, dmm_coords x, dmm_coords y, dmm_coords strip, int first)
{
    const dmm_coords cx = dmm_coords_code(x), cy = dmm_coords_code(y);
    const dmm_masks bad = (dmm_masks)((x & DMM_COORD_EXPONENT) == DMM_COORD_EXPONENT) |
                          (dmm_masks)((y & DMM_COORD_EXPONENT) == DMM_COORD_EXPONENT);
    const dmm_masks left = (dmm_masks)(cx < s->end_x[0]) |
                           ((dmm_masks)(cx == s->end_x[0]) & (dmm_masks)(cy < s->end_y[0]));
    const dmm_masks right = (dmm_masks)(cx > s->end_x[1]) |
                            ((dmm_masks)(cx == s->end_x[1]) & (dmm_masks)(cy > s->end_y[1]));
    s->bad = first ? bad : s->bad | bad;
    s->end_x[0] = first ? cx : select(s->end_x[0], cx, left);
    s->end_y[0] = first ? cy : select(s->end_y[0], cy, left);
    s->end_x[1] = first ? cx : select(s->end_x[1], cx, right);
    s->end_y[1] = first ? cy : select(s->end_y[1], cy, right);
    s->strip[0] = first ? strip : select(s->strip[0], strip, left);
    s->strip[DMM_AXES] = first ? strip : select(s->strip[DMM_AXES], strip, right);
#if DMM_REAL
    DMM_UNROLL
    for (uint k = 1; k < DMM_AXES; k++) {
        const dmm_reals v = dmm_along(DMM_REALS_OF(x), DMM_REALS_OF(y), k);
        const dmm_masks less = (dmm_masks)(v < s->least[k]), more = (dmm_masks)(v > s->most[k]);
        s->least[k] = first ? v : select(s->least[k], v, less);
        s->most[k] = first ? v : select(s->most[k], v, more);
        s->strip[k] = first ? strip : select(s->strip[k], strip, less);
        s->strip[DMM_AXES + k] = first ? strip : select(s->strip[DMM_AXES + k], strip, more);
    }
#else
    DMM_UNROLL
    for (uint k = 1; k < DMM_AXES; k++)
        s->strip[k] = s->strip[DMM_AXES + k] = strip;
#endif
}

DMM_INLINE int dmm_any_mask(dmm_masks m)
{
#if DMM_LANES == 1
    return m != 0;
#else
    return any(m);
#endif
}

/* The point where direction d was met last, of all lanes. */
DMM_INLINE dmm_index dmm_search_result(
    dmm_cloud cloud, const dmm_search *s, uint d, dmm_index first)
{
    dmm_coord strips[DMM_LANES];
    dmm_index best = DMM_NO_INDEX;
#if DMM_LANES == 8
    vstore8(s->strip[d], 0, strips);
#elif DMM_LANES == 4
    vstore4(s->strip[d], 0, strips);
#else
    strips[0] = s->strip[d];
#endif
    for (uint lane = 0; lane < DMM_LANES; lane++)
        best = dmm_more_extreme(cloud, d, best, first + (dmm_index)strips[lane] * DMM_STRIP + lane);
    return best;
}

/* A work-item's part of a share: `best` in each direction. Returns whether a point is not
 * finite. */
DMM_OUTLINE int dmm_search_share(
    dmm_cloud cloud, dmm_share own, uint t, dmm_index best[DMM_DIRECTIONS])
{
    const dmm_index strips = (own.end - own.first) / DMM_STRIP;
    dmm_search s;
    dmm_coords x, y;
    int bad = 0;
    if (strips > 0) {
        dmm_cloud_load(cloud, own.first + t * DMM_LANES, &x, &y);
        dmm_search_step(&s, x, y, (dmm_coords)0, 1);
        for (dmm_index k = 1; k < strips; k++) {
            dmm_cloud_load(cloud, own.first + k * DMM_STRIP + t * DMM_LANES, &x, &y);
            dmm_search_step(&s, x, y, (dmm_coords)(dmm_coord)k, 0);
        }
        bad = dmm_any_mask(s.bad);
    }
    for (uint d = 0; d < DMM_DIRECTIONS; d++)
        best[d] =
            strips > 0 ? dmm_search_result(cloud, &s, d, own.first + t * DMM_LANES) : DMM_NO_INDEX;
    for (dmm_index i = own.first + strips * DMM_STRIP + t; i < own.end; i += DMM_U) {
        bad |= !dmm_point_is_finite(dmm_cloud_point(cloud, i));
        for (uint d = 0; d < DMM_DIRECTIONS; d++)
            best[d] = dmm_more_extreme(cloud, d, best[d], i);
    }
    return bad;
}

/* Each piece's extreme points, and of one set each group's first point that is not finite. */
DMM_KERNEL(DMM_U)
void dmm_hull_extremes(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    dmm_index first_bad = DMM_NO_INDEX;
    for (dmm_index piece = DMM_GROUP; piece < c.state->pieces; piece += groups) {
        const dmm_share own = dmm_piece_share(c, piece);
        dmm_index best[DMM_DIRECTIONS], any_before;
        const int bad = dmm_search_share(c.cloud, own, room.t, best);
        const dmm_index any_bad = dmm_group_sum(room, (dmm_index)bad, &any_before);
        dmm_share doubtful = own;
        doubtful.end = any_bad != 0 ? own.end : own.first;
        first_bad = min(first_bad, dmm_first_bad(c.cloud, room, doubtful));
        for (uint d = 0; d < DMM_DIRECTIONS; d++) {
            const dmm_index found = dmm_group_extreme(c.cloud, room, d, best[d]);
            if (room.t == 0)
                c.extremes[piece * DMM_DIRECTIONS + d] = found;
        }
    }
    if (sets == 0 && room.t == 0) {
        c.bad[2 * DMM_GROUP] = first_bad;
        c.bad[2 * DMM_GROUP + 1] = DMM_NO_INDEX;
    }
}

#if DMM_REAL
/* The wall from a to b, where no point is further away than (width, height). */
DMM_INLINE dmm_wall dmm_wall_between(dmm_point a, dmm_point b, dmm_real width, dmm_real height)
{
    dmm_wall w;
    w.x = DMM_REAL_OF(a.x);
    w.y = DMM_REAL_OF(a.y);
    w.dx = DMM_REAL_OF(b.x) - w.x;
    w.dy = DMM_REAL_OF(b.y) - w.y;
    w.bound = DMM_ERROR * (fabs(w.dx) * height + fabs(w.dy) * width) +
              DMM_TINY * (fabs(w.dx) + fabs(w.dy) + width + height + DMM_ONE);
    return w;
}
#endif

/* The walls of a frame whose corners are known. */
DMM_INLINE void dmm_frame_put_walls(
    dmm_call c, global dmm_frame *f, const dmm_index corners[DMM_DIRECTIONS])
{
    f->ends[0] = corners[0];
    f->ends[1] = corners[DMM_AXES];
#if DMM_REAL
    const dmm_point left = dmm_cloud_point(c.cloud, corners[0]);
    const dmm_point right = dmm_cloud_point(c.cloud, corners[DMM_AXES]);
    const dmm_point bottom = dmm_cloud_point(c.cloud, corners[DMM_AXES / 2]);
    const dmm_point top = dmm_cloud_point(c.cloud, corners[DMM_AXES + DMM_AXES / 2]);
    const dmm_real width = DMM_REAL_OF(right.x) - DMM_REAL_OF(left.x);
    const dmm_real height = DMM_REAL_OF(top.y) - DMM_REAL_OF(bottom.y);
    f->walls[DMM_DIRECTIONS] = dmm_wall_between(left, right, width, height);
    for (uint d = 0; d < DMM_DIRECTIONS; d++) {
        const dmm_point a = dmm_cloud_point(c.cloud, corners[d]);
        const dmm_point b = dmm_cloud_point(c.cloud, corners[(d + 1) % DMM_DIRECTIONS]);
        dmm_wall w = dmm_wall_between(a, b, width, height);
        if (dmm_point_compare(a, b) == 0) /* one corner, met twice */
            w.bound = -DMM_ONE;
        f->walls[d] = w;
    }
#endif
}

/* Each large set's polygon, of its pieces' extreme points; of one set the verdict, too. */
DMM_KERNEL(DMM_U)
void dmm_hull_frame(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    for (dmm_index k = DMM_GROUP; k < c.state->frames; k += groups) {
        global dmm_frame *f = c.frames + k;
        dmm_index corners[DMM_DIRECTIONS];
        for (uint d = 0; d < DMM_DIRECTIONS; d++) {
            dmm_index best = DMM_NO_INDEX;
            for (dmm_index piece = f->first_piece + room.t; piece < f->end_piece; piece += DMM_U) {
                const dmm_index other = c.extremes[piece * DMM_DIRECTIONS + d];
                best = dmm_more_extreme(c.cloud, d, best, other);
            }
            corners[d] = dmm_group_extreme(c.cloud, room, d, best);
        }
        if (room.t == 0)
            dmm_frame_put_walls(c, f, corners);
    }
    if (sets == 0 && DMM_GROUP == 0) {
        const dmm_verdict v = dmm_judge(c, room, groups);
        if (room.t == 0)
            dmm_verdict_put(c, v);
    }
}
