/* SPDX-License-Identifier: MIT */
/*
 * Is the data right; and which sets are large. A large set is cut into pieces of a few for each
 * group, so that all groups work on it.
 */

/* What a group owns of something. */
typedef struct dmm_share {
    dmm_index first, end;
} dmm_share;

DMM_INLINE int dmm_point_is_finite(dmm_point p)
{
    return dmm_is_finite(p.x) && dmm_is_finite(p.y);
}

/* The first point of a share that is not finite. */
DMM_INLINE dmm_index dmm_first_bad(dmm_cloud cloud, dmm_room room, dmm_share own)
{
    dmm_index bad = DMM_NO_INDEX;
    for (dmm_index i = own.first + room.t; i < own.end && bad == DMM_NO_INDEX; i += DMM_U)
        if (!dmm_point_is_finite(dmm_cloud_point(cloud, i)))
            bad = i;
    DMM_GROUP_FOLD(room.sums, room.t, bad, min);
    return bad;
}

/* Each group's first point that is not finite, and its first start that is out of order. */
DMM_KERNEL(DMM_U)
void dmm_hull_check(DMM_HULL_PARAMETERS, global const ulong *starts, ulong starts_at)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_index strip = (c.n / DMM_U / groups + 1) * DMM_U;
    dmm_share own;
    own.first = (dmm_index)min(n, (ulong)DMM_GROUP * strip);
    own.end = (dmm_index)min(n, (ulong)own.first + strip);
    const dmm_index bad = dmm_first_bad(c.cloud, room, own);
    dmm_index wrong = DMM_NO_INDEX;
    starts += starts_at;
    if (sets > 0)
        for (ulong s = get_global_id(0); s <= sets && wrong == DMM_NO_INDEX;
             s += (ulong)groups * DMM_U)
            if (starts[s] > n || (s > 0 && starts[s - 1] > starts[s]))
                wrong = (dmm_index)s;
    DMM_GROUP_FOLD(room.sums, room.t, wrong, min);
    if (room.t == 0) {
        c.bad[2 * DMM_GROUP] = bad;
        c.bad[2 * DMM_GROUP + 1] = wrong;
    }
}

/* What groups have found wrong: a code, and where. */
typedef struct dmm_verdict {
    uint code;
    ulong position;
} dmm_verdict;

/* The verdict of the first `groups` groups. */
DMM_INLINE dmm_verdict dmm_judge(dmm_call c, dmm_room room, uint groups)
{
    dmm_index found[2] = {DMM_NO_INDEX, DMM_NO_INDEX};
    for (uint k = 0; k < 2; k++) {
        for (uint g = room.t; g < groups; g += DMM_U)
            found[k] = min(found[k], c.bad[2 * g + k]);
        DMM_GROUP_FOLD(room.sums, room.t, found[k], min);
    }
    dmm_verdict v;
    v.code = found[1] != DMM_NO_INDEX   ? DMM_CODE_BAD_DATA
             : found[0] != DMM_NO_INDEX ? DMM_CODE_NOT_FINITE
                                        : 0;
    v.position = v.code == 0 ? 0 : found[v.code == DMM_CODE_BAD_DATA ? 1 : 0];
    return v;
}

DMM_INLINE void dmm_verdict_put(dmm_call c, dmm_verdict v)
{
    c.state->code = v.code;
    c.state->position = v.position;
}

/* A state without problems. */
DMM_INLINE void dmm_state_put(dmm_call c, dmm_verdict v)
{
    dmm_verdict_put(c, v);
    c.state->last = 0;
    c.state->frames = c.state->pieces = 0;
    c.state->problems[0] = c.state->problems[1] = 0;
    c.state->tiles[0] = c.state->tiles[1] = 0;
}

/* Points of a piece: whole steps, but for a set's last one. With n points there are at most
 * `groups` sets of more, and 2 * groups pieces of these. */
DMM_INLINE dmm_index dmm_piece_points(dmm_call c)
{
    return (max((dmm_index)DMM_TILE, c.n / c.groups + 1) - 1) / DMM_STEP * DMM_STEP + DMM_STEP;
}

DMM_INLINE dmm_share dmm_piece_share(dmm_call c, dmm_index piece)
{
    const dmm_index points = dmm_piece_points(c);
    global const dmm_frame *f = c.frames + c.owners[piece];
    dmm_share share;
    share.first = f->first + (piece - f->first_piece) * points;
    share.end = f->end - share.first > points ? share.first + points : f->end;
    return share;
}

DMM_INLINE dmm_share dmm_set_share(dmm_call c, global const ulong *starts, dmm_index set)
{
    dmm_share share;
    share.first = c.sets > 0 ? (dmm_index)starts[set] : 0;
    share.end = c.sets > 0 ? (dmm_index)starts[set + 1] : c.n;
    return share;
}

/* How many pieces a set is cut into; 0: it is small. */
DMM_INLINE dmm_index dmm_pieces_of(dmm_call c, dmm_share set)
{
    const dmm_index points = dmm_piece_points(c), count = set.end - set.first;
    return dmm_splits(c) && (count > points || c.sets == 0) ? (count - 1) / points + 1 : 0;
}

/* One group: finds large sets, and gives each its frame and its pieces. */
DMM_KERNEL(DMM_U)
void dmm_hull_cut(DMM_HULL_PARAMETERS, global const ulong *starts, ulong starts_at)
{
    DMM_HULL_CALL(c);
    DMM_ROOM(room);
    const dmm_verdict v = dmm_judge(c, room, sets > 0 ? groups : 0);
    const dmm_index count = v.code != 0 ? 0 : max(c.sets, (dmm_index)1);
    dmm_index frames = 0, pieces = 0;
    dmm_index base = 0;
    do {
        const dmm_index k = base + room.t;
        dmm_index own = 0, frame, piece;
        dmm_share set;
        if (k < count) {
            set = dmm_set_share(c, starts + starts_at, k);
            own = dmm_pieces_of(c, set);
        }
        const dmm_index more_frames = dmm_group_sum(room, own != 0, &frame);
        const dmm_index more_pieces = dmm_group_sum(room, own, &piece);
        if (own != 0) {
            global dmm_frame *f = c.frames + (frames + frame);
            f->set = k;
            f->first = set.first;
            f->end = set.end;
            f->first_piece = pieces + piece;
            f->end_piece = pieces + piece + own;
            for (dmm_index i = 0; i < own; i++)
                c.owners[pieces + piece + i] = frames + frame;
        }
        frames += more_frames;
        pieces += more_pieces;
        base += DMM_U;
    } while (base < count);
    if (room.t == 0) {
        dmm_state_put(c, v);
        c.state->frames = frames;
        c.state->pieces = pieces;
    }
}
