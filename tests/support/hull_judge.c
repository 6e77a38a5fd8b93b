/* SPDX-License-Identifier: MIT */
/* Judging hulls. */
#include "support/hull_judge.h"

#include <math.h>
#include <stdlib.h>

#include "support/require.h"

/* The sign of the turn a, b, c: by doubles where they leave no doubt, else by the oracle. */
static int turn(plane_point a, plane_point b, plane_point c)
{
    const double up = (b.x - a.x) * (c.y - a.y), down = (b.y - a.y) * (c.x - a.x);
    const double size = fabs(up) + fabs(down);
    if (size > 1e-200 && size < 1e200 && fabs(up - down) > 1e-10 * size)
        return up > down ? 1 : -1;
    return oracle_orient(a, b, c);
}

typedef struct named {
    plane_point at;
    uint64_t name;
} named;

static int compare(const void *x, const void *y)
{
    const named *a = x, *b = y;
    if (a->at.x != b->at.x)
        return a->at.x < b->at.x ? -1 : 1;
    if (a->at.y != b->at.y)
        return a->at.y < b->at.y ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

static int same(plane_point a, plane_point b)
{
    return a.x == b.x && a.y == b.y;
}

/* All different points in order, each by its lowest name. Returns how many. */
static uint64_t sorted(const plane_point *points, uint64_t n, named *out)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        out[i] = (named){points[i], i};
    qsort(out, (size_t)n, sizeof *out, compare);
    for (uint64_t i = 0; i < n; i++)
        if (count == 0 || !same(out[count - 1].at, out[i].at))
            out[count++] = out[i];
    return count;
}

/* Writes the chain over order[0], order[step], ...: turns left. Returns its length. */
static uint64_t chain(
    const hull_kind *k, const named *order, uint64_t count, int backwards, const named **out)
{
    uint64_t length = 0;
    for (uint64_t i = 0; i < count; i++) {
        const named *next = backwards ? &order[count - 1 - i] : &order[i];
        while (length >= 2) {
            const int t = turn(out[length - 2]->at, out[length - 1]->at, next->at);
            if (k->collinear ? t >= 0 : t > 0)
                break;
            length--;
        }
        out[length++] = next;
    }
    return length;
}

static int all_on_a_line(const named *order, uint64_t count)
{
    for (uint64_t i = 1; i + 1 < count; i++)
        if (turn(order[0].at, order[count - 1].at, order[i].at) != 0)
            return 0;
    return 1;
}

uint64_t oracle_hull(const hull_kind *k, const plane_point *points, uint64_t n, uint64_t *out)
{
    named *const order = malloc((size_t)(n + 1) * sizeof *order);
    const named **const found = malloc((size_t)(n + 1) * sizeof *found);
    uint64_t written = 0;
    REQUIRE(order != NULL && found != NULL);
    const uint64_t count = sorted(points, n, order);
    if (k->part != DMM_HULL_UPPER) {
        const uint64_t length = chain(k, order, count, 0, found);
        for (uint64_t i = 0; i < length; i++)
            out[written++] = found[i]->name;
    }
    const int line = all_on_a_line(order, count);
    if (k->part != DMM_HULL_LOWER && !(line && k->part == DMM_HULL_WHOLE)) {
        const uint64_t length = chain(k, order, count, 1, found), skip = k->part == DMM_HULL_WHOLE;
        for (uint64_t i = skip; i + skip < length; i++)
            out[written++] = found[i]->name;
    }
    free(order);
    free(found);
    return written;
}

const char *hull_judge_by_oracle(
    const hull_kind *k, const plane_point *points, uint64_t n, const uint64_t *hull, uint64_t count)
{
    static char text[128];
    const char *fault = NULL;
    uint64_t *const expected = malloc((size_t)(2 * n + 2) * sizeof *expected);
    REQUIRE(expected != NULL);
    const uint64_t wanted = oracle_hull(k, points, n, expected);
    uint64_t i = 0;
    while (i < count && i < wanted && hull[i] == expected[i])
        i++;
    if (i < count || i < wanted) {
        snprintf(text, sizeof text, "vertex %llu of %llu is %lld, not %lld of %llu",
            (unsigned long long)i, (unsigned long long)count, i < count ? (long long)hull[i] : -1,
            i < wanted ? (long long)expected[i] : -1, (unsigned long long)wanted);
        fault = text;
    }
    free(expected);
    return fault;
}

/* Checks that the point is where it may be, given all edges. */
static const char *judge_point(
    const hull_kind *k, const plane_point *points, uint64_t i, const uint64_t *hull, uint64_t count)
{
    int on_edge = 0;
    for (uint64_t v = 0; v < count; v++) {
        const plane_point a = points[hull[v]], b = points[hull[(v + 1) % count]];
        if (same(points[i], a))
            return i < hull[v] ? "an equal point comes before a vertex" : NULL;
        const int t = turn(a, b, points[i]);
        if (t < 0)
            return "a point is outside";
        on_edge |= t == 0;
    }
    return on_edge && k->collinear ? "a point of the boundary is missing" : NULL;
}

/* Checks convexity: turns left everywhere, and ascends and descends in x once. */
static const char *judge_turns(
    const hull_kind *k, const plane_point *points, const uint64_t *hull, uint64_t count)
{
    uint64_t falls = 0;
    for (uint64_t v = 0; v < count; v++) {
        const plane_point a = points[hull[v]], b = points[hull[(v + 1) % count]],
                          c = points[hull[(v + 2) % count]];
        const int t = count >= 3 ? turn(a, b, c) : 0;
        const named p = {a, 0}, q = {b, 0};
        falls += compare(&p, &q) > 0 && compare(&q, &(named){c, 0}) < 0;
        if (v > 0 && compare(&(named){points[hull[0]], 0}, &p) >= 0)
            return "it does not begin with the least point";
        if (count >= 3 && (t < 0 || (t == 0 && !k->collinear)))
            return "it does not turn left";
    }
    return count >= 2 && falls != 1 ? "it goes round more than once" : NULL;
}

const char *hull_judge_by_property(
    const hull_kind *k, const plane_point *points, uint64_t n, const uint64_t *hull, uint64_t count)
{
    const char *fault = (n == 0) != (count == 0) ? "no vertices" : NULL;
    for (uint64_t v = 0; v < count; v++)
        if (hull[v] >= n)
            return "there is no such point";
    if (fault == NULL)
        fault = judge_turns(k, points, hull, count);
    for (uint64_t i = 0; i < n && fault == NULL; i++)
        fault = judge_point(k, points, i, hull, count);
    return fault;
}

const char *hull_judge(
    const hull_kind *k, const plane_point *points, uint64_t n, const uint64_t *hull, uint64_t count)
{
    const char *fault = hull_judge_by_oracle(k, points, n, hull, count);
    if (fault == NULL && k->part == DMM_HULL_WHOLE && (n + 1) * (count + 1) <= 1 << 15)
        fault = hull_judge_by_property(k, points, n, hull, count);
    return fault;
}
