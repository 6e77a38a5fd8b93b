/* SPDX-License-Identifier: MIT */
/*
 * The independent stage of a group, in the GPU form: all parts of a problem are split at once,
 * level by level, however many points there are.
 * Sequence   the points in hull order as far as it is known: vertices, marked, and between two of
 *            them the points of a part. A level finds every part's pivot, which becomes a vertex,
 *            and puts the other points left or right of it or leaves them out. At the end all are
 *            vertices.
 *              l | part 0 | v | part 1 | v | v | part 3 | r
 * Rows       u consecutive slots of the sequence, one for each work-item
 * Lines      the part's edge; on every fourth level that of two of its points, lest an order of the
 *            input makes parts shrink by one point at a time. Not where points on edges are kept:
 *            parts that lie on a line are put in order, as by quicksort.
 * Claim      conflict-free: local words are at t, t - s, or one
 * Cost       of a level: four sums of a group and one segmented maximum for each row
 * Source     T. Jurkiewicz, "Toward Better Computation Models for Modern Machines", 2013, section
 *            3.5.3
 * Differs    parts are split together, not one after the other from a stack
 */

typedef struct dmm_sequence {
    dmm_list list, other;             /* from the problem's first place on */
    global dmm_index *vertices;       /* a vertex: its slot */
    global dmm_index *lefts, *rights; /* points before it that go left and right */
    global dmm_index *pivots;         /* a part: its pivot's slot */
    global dmm_index *parts;          /* a slot: its part, until points move */
    global uchar *sides;
    dmm_spot l, r;
    dmm_index slots, count; /* `count` of them are vertices */
} dmm_sequence;

DMM_INLINE dmm_list dmm_list_from(dmm_list list, dmm_index place)
{
    list.xs += place;
    list.ys += place;
    list.names += place;
    return list;
}

/* The other list's names are not read before points move there. */
DMM_INLINE void dmm_sequence_turn(dmm_sequence *s)
{
    const dmm_list list = s->list;
    s->list = s->other;
    s->other = list;
    s->parts = list.names;
}

DMM_INLINE dmm_sequence dmm_sequence_of(dmm_call c, dmm_problem p)
{
    const uint second = p.flags & DMM_IN_SECOND ? 1 : 0;
    dmm_sequence s;
    s.other = dmm_list_from(c.lists[second], p.begin);
    s.list = dmm_list_from(c.lists[1 - second], p.begin);
    dmm_sequence_turn(&s);
    s.vertices = c.marks + p.begin;
    s.lefts = s.vertices + c.n;
    s.rights = s.lefts + c.n;
    s.pivots = s.rights + c.n;
    s.sides = c.sides + p.begin;
    s.l = dmm_cloud_spot(c.cloud, p.l);
    s.r = dmm_cloud_spot(c.cloud, p.r);
    s.slots = p.count;
    s.count = 0;
    return s;
}

DMM_INLINE int dmm_is_vertex(const dmm_sequence *s, dmm_index slot)
{
    return slot < s->slots && (s->list.names[slot] & DMM_MARK) != 0;
}

/* Numbers the parts: that of a slot is how many vertices are before it. */
DMM_INLINE void dmm_sequence_number(dmm_sequence *s, dmm_room room)
{
    s->count = 0;
    dmm_index row = 0;
    do {
        const dmm_index slot = row + room.t;
        const int vertex = dmm_is_vertex(s, slot);
        dmm_index before;
        const dmm_index all = dmm_group_sum(room, vertex ? 1 : 0, &before);
        if (slot < s->slots)
            s->parts[slot] = s->count + before;
        if (vertex)
            s->vertices[s->count + before] = slot;
        s->count += all;
        row += DMM_U;
    } while (row < s->slots);
    barrier(CLK_GLOBAL_MEM_FENCE); /* parts stored | read by others */
}

/* Slots first .. end - 1, right of l -> r; the line a, b for its pivot. */
typedef struct dmm_part {
    dmm_share slots;
    dmm_spot l, r;
    dmm_point a, b;
} dmm_part;

DMM_APART dmm_part dmm_part_of(const dmm_sequence *s, dmm_index number, int by_edge, ulong seed)
{
    dmm_part part;
    part.slots.first = number == 0 ? 0 : s->vertices[number - 1] + 1;
    part.slots.end = number == s->count ? s->slots : s->vertices[number];
    part.l = number == 0 ? s->l : dmm_list_spot(s->list, part.slots.first - 1);
    part.r = number == s->count ? s->r : dmm_list_spot(s->list, part.slots.end);
    dmm_line_choose(s->list, part.slots, part.l.at, part.r.at, by_edge, seed, &part.a, &part.b);
    return part;
}

/* Which of two slots is farther. */
DMM_APART dmm_index dmm_slot_farther(
    const dmm_sequence *s, const dmm_part *part, dmm_index i, dmm_index j)
{
    const dmm_spot p = dmm_list_spot(s->list, i), q = dmm_list_spot(s->list, j);
    return dmm_is_farther(part->a, part->b, p, q) ? i : j;
}

/* What the farthest point is good for: the pivot's slot; none, where an end is as far. If all
 * points are on the edge, the middle one, marked: they are put in order. */
DMM_APART dmm_index dmm_part_pivot(
    const dmm_sequence *s, const dmm_part *part, dmm_index best, int by_edge)
{
    const dmm_spot m = dmm_list_spot(s->list, best);
    if (DMM_COLLINEAR && dmm_orient(part->l.at, part->r.at, m.at) == 0)
        return (part->slots.first + (part->slots.end - part->slots.first) / 2) | DMM_MARK;
    if (by_edge)
        return best;
    const int right = dmm_is_farther(part->a, part->b, part->r, part->l);
    return dmm_is_farther(part->a, part->b, m, right ? part->r : part->l) ? best : DMM_NO_INDEX;
}

/* Finds the pivots. `carry` is the best slot so far of the part that goes on into the next row. */
DMM_INLINE void dmm_sequence_pivots(const dmm_sequence *s, dmm_room room, int by_edge, ulong seed)
{
    dmm_index carry = 0;
    dmm_index base = 0;
    do {
        const dmm_index slot = base + room.t;
        const int open = slot < s->slots && !dmm_is_vertex(s, slot);
        dmm_index best = slot;
        dmm_part part;
        uint row = 0;
        if (open)
            part = dmm_part_of(s, s->parts[slot], by_edge, seed);
        room.sums[room.t] = best;
        barrier(CLK_LOCAL_MEM_FENCE); /* slots stored | read by others */
        for (uint back = 1; back < DMM_U; back *= 2) {
            if (open && back <= room.t && slot - back >= part.slots.first)
                best = dmm_slot_farther(s, &part, room.sums[row + room.t - back], best);
            row = DMM_U - row;
            room.sums[row + room.t] = best;
            barrier(CLK_LOCAL_MEM_FENCE); /* this row stored, other read | read, overwritten */
        }
        if (open && part.slots.first < base)
            best = dmm_slot_farther(s, &part, carry, best);
        if (open && slot + 1 == part.slots.end)
            s->pivots[s->parts[slot]] = dmm_part_pivot(s, &part, best, by_edge);
        row = DMM_U - row;
        room.sums[row + room.t] = best;
        barrier(CLK_LOCAL_MEM_FENCE); /* the best ones stored | the last one read */
        carry = room.sums[row + DMM_U - 1];
        barrier(CLK_LOCAL_MEM_FENCE); /* the last one read | the room used again */
        base += DMM_U;
    } while (base < s->slots);
    barrier(CLK_GLOBAL_MEM_FENCE); /* pivots stored | read by others */
}

/* Where a point goes, the pivot itself left. Where points are put in order, equal ones follow by
 * name. */
DMM_APART uchar dmm_slot_side(
    const dmm_sequence *s, const dmm_part *part, dmm_index slot, dmm_index pivot)
{
    if (pivot == DMM_NO_INDEX || slot == (pivot & ~DMM_MARK))
        return DMM_GOES_LEFT;
    const dmm_spot p = dmm_list_spot(s->list, slot), m = dmm_list_spot(s->list, pivot & ~DMM_MARK);
    if (pivot & DMM_MARK) {
        const int order = dmm_point_compare(p.at, m.at);
        const int forward = dmm_point_compare(part->l.at, part->r.at) < 0;
        const int before = order != 0 ? (order < 0) == forward : p.name < m.name;
        return before ? DMM_GOES_LEFT : DMM_GOES_RIGHT;
    }
    return dmm_goes(p.at, part->l.at, m.at, part->r.at);
}

/* A packed count of those that go left and, times 2^16, right. */
DMM_INLINE uint dmm_side_count(uchar side)
{
    return side == DMM_GOES_LEFT ? 1 : side == DMM_GOES_RIGHT ? 1u << 16 : 0;
}

/* How many go left and right. */
typedef struct dmm_split {
    dmm_index left, right;
} dmm_split;

DMM_INLINE dmm_split dmm_sequence_sides(const dmm_sequence *s, dmm_room room)
{
    dmm_split total = {0, 0};
    dmm_index base = 0;
    do {
        const dmm_index slot = base + room.t;
        const int vertex = dmm_is_vertex(s, slot), open = slot < s->slots && !vertex;
        uchar side = DMM_GOES_IN;
        dmm_index before;
        if (open) {
            const dmm_part part = dmm_part_of(s, s->parts[slot], 1, 0);
            side = dmm_slot_side(s, &part, slot, s->pivots[s->parts[slot]]);
            s->sides[slot] = side;
        }
        const dmm_index all = dmm_group_sum(room, dmm_side_count(side), &before);
        if (vertex) {
            s->lefts[s->parts[slot]] = total.left + (before & 0xffff);
            s->rights[s->parts[slot]] = total.right + (before >> 16);
        }
        total.left += all & 0xffff;
        total.right += all >> 16;
        base += DMM_U;
    } while (base < s->slots);
    barrier(CLK_GLOBAL_MEM_FENCE); /* counts stored, parts read | read, overwritten */
    return total;
}

/* A slot's new one. `at`: points before it that go left and right, total: of all. */
DMM_APART dmm_index dmm_slot_moved(const dmm_sequence *s, dmm_index slot, dmm_index number,
    uchar side, dmm_split at, dmm_split total)
{
    const dmm_index pivot = s->pivots[number] & ~DMM_MARK;
    const dmm_index left = number == 0 ? 0 : s->lefts[number - 1];
    const dmm_index right = number == 0 ? 0 : s->rights[number - 1];
    const dmm_index lefts = (number == s->count ? total.left : s->lefts[number]) - left;
    const dmm_index first = left + right + number;
    if (side == DMM_GOES_RIGHT)
        return first + lefts + (at.right - right);
    return first + (slot == pivot ? lefts - 1 : at.left - left - (pivot < slot ? 1 : 0));
}

/* Moves what stays to the other list. */
DMM_INLINE void dmm_sequence_move(const dmm_sequence *s, dmm_room room, dmm_split total)
{
    dmm_split done = {0, 0};
    dmm_index vertices = 0;
    dmm_index base = 0;
    do {
        const dmm_index slot = base + room.t;
        const int vertex = dmm_is_vertex(s, slot);
        const uchar side = slot < s->slots && !vertex ? s->sides[slot] : DMM_GOES_IN;
        dmm_index before, number;
        const dmm_index more = dmm_group_sum(room, vertex ? 1 : 0, &number);
        const dmm_index all = dmm_group_sum(room, dmm_side_count(side), &before);
        dmm_split at;
        at.left = done.left + (before & 0xffff);
        at.right = done.right + (before >> 16);
        number += vertices;
        if (vertex)
            dmm_list_put(s->other, at.left + at.right + number, dmm_list_spot(s->list, slot));
        if (side != DMM_GOES_IN) {
            dmm_spot p = dmm_list_spot(s->list, slot);
            p.name |= slot == (s->pivots[number] & ~DMM_MARK) ? DMM_MARK : 0;
            dmm_list_put(s->other, dmm_slot_moved(s, slot, number, side, at, total), p);
        }
        done.left += all & 0xffff;
        done.right += all >> 16;
        vertices += more;
        base += DMM_U;
    } while (base < s->slots);
    barrier(CLK_GLOBAL_MEM_FENCE); /* points moved, tables read | read, overwritten */
}

/* Writes the vertices' names, of equal ones the first. Returns how many. */
DMM_INLINE dmm_index dmm_sequence_write(const dmm_sequence *s, dmm_room room, global dmm_index *out)
{
    dmm_index written = 0;
    dmm_index base = 0;
    do {
        const dmm_index slot = base + room.t;
        dmm_index own = 0, before, name = 0;
        if (slot < s->slots) {
            const dmm_spot p = dmm_list_spot(s->list, slot);
            name = p.name & ~DMM_MARK;
            own = slot == 0 || dmm_point_compare(dmm_list_point(s->list, slot - 1), p.at) != 0;
        }
        const dmm_index all = dmm_group_sum(room, own, &before);
        barrier(CLK_GLOBAL_MEM_FENCE); /* names read | overwritten, at these slots or before */
        if (own)
            out[written + before] = name;
        written += all;
        base += DMM_U;
    } while (base < s->slots);
    return written;
}

DMM_INLINE void dmm_sequence_settle(dmm_call c, dmm_room room, global dmm_problem *problem)
{
    const dmm_problem p = *problem;
    dmm_sequence s = dmm_sequence_of(c, p);
    for (ulong level = 0;; level++) {
        const int by_edge = DMM_COLLINEAR || level % 4 != 3;
        dmm_sequence_number(&s, room);
        if (s.count == s.slots)
            break;
        dmm_sequence_pivots(&s, room, by_edge, level);
        const dmm_split total = dmm_sequence_sides(&s, room);
        dmm_sequence_move(&s, room, total);
        s.slots = s.count + total.left + total.right;
        dmm_sequence_turn(&s);
    }
    const uint second = p.flags & DMM_IN_SECOND ? 1 : 0;
    const dmm_index count = dmm_sequence_write(&s, room, c.lists[1 - second].names + p.begin);
    barrier(CLK_GLOBAL_MEM_FENCE); /* the problem read by all | its vertices stored */
    if (room.t == 0)
        problem->m = count;
}
