/* SPDX-License-Identifier: MIT */
/*
 * The chain of all strips' chains (cl/hull_strips.cl): as that of points, with chains in their
 * place. As soon as one vertex of a chain stays, all after it do: what is looked at is what goes.
 */

/* Chains that have been joined, of strips that are in order. Of each, `tile` is the one before that
 * has vertices left, or DMM_NO_INDEX. */
typedef struct dmm_seam {
    global dmm_problem *strips;
    dmm_point l;   /* before all of them */
    dmm_index top; /* the last one */
} dmm_seam;

DMM_INLINE dmm_point dmm_seam_vertex(dmm_call c, const dmm_seam *s, dmm_index strip, dmm_index i)
{
    global const dmm_problem *p = s->strips + strip;
    return dmm_list_point(c.lists[p->flags & DMM_IN_SECOND ? 0 : 1], p->begin + i);
}

DMM_INLINE dmm_point dmm_seam_last(dmm_call c, const dmm_seam *s, dmm_index strip)
{
    return strip == DMM_NO_INDEX ? s->l : dmm_seam_vertex(c, s, strip, s->strips[strip].m - 1);
}

/* Takes away what does not stay with p behind it. */
DMM_APART void dmm_seam_cut(dmm_call c, dmm_seam *s, dmm_point p)
{
    while (s->top != DMM_NO_INDEX) {
        global dmm_problem *last = s->strips + s->top;
        const dmm_point before = last->m > 1 ? dmm_seam_vertex(c, s, s->top, last->m - 2)
                                             : dmm_seam_last(c, s, last->tile);
        if (dmm_stays(before, dmm_seam_last(c, s, s->top), p))
            break;
        if (--last->m == 0)
            s->top = last->tile;
    }
}

/* Appends a strip's chain, without its first vertices where these do not stay. */
DMM_INLINE void dmm_seam_append(dmm_call c, dmm_seam *s, dmm_index strip)
{
    global dmm_problem *own = s->strips + strip;
    dmm_index gone = 0;
    dmm_point p = dmm_seam_vertex(c, s, strip, 0);
    dmm_seam_cut(c, s, p);
    while (gone + 1 < own->m) {
        const dmm_point next = dmm_seam_vertex(c, s, strip, gone + 1);
        if (dmm_stays(dmm_seam_last(c, s, s->top), p, next))
            break;
        gone++;
        p = next;
        dmm_seam_cut(c, s, p);
    }
    own->begin += gone;
    own->m -= gone;
    own->tile = s->top;
    s->top = strip;
}

/* The strips of each side of each large set. */
DMM_KERNEL(DMM_U)
void dmm_hull_join(DMM_HULL_PARAMETERS)
{
    DMM_HULL_CALL(c);
    const dmm_index sides = c.state->code != 0 ? 0 : 2 * c.state->frames;
    for (dmm_index k = DMM_GROUP; k < sides; k += groups) {
        dmm_seam s;
        s.strips = c.tables[0] + k * dmm_strips(c);
        s.top = DMM_NO_INDEX;
        const dmm_point l = dmm_cloud_point(c.cloud, s.strips->l);
        const dmm_point r = dmm_cloud_point(c.cloud, s.strips->r);
        const uint above = dmm_point_compare(l, r) > 0;
        s.l = dmm_turned(l, above);
        for (dmm_index strip = 0; strip < dmm_strips(c); strip++)
            if (s.strips[strip].m > 0)
                dmm_seam_append(c, &s, strip);
        dmm_seam_cut(c, &s, dmm_turned(r, above));
    }
}
