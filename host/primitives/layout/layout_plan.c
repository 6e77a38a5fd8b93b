/* SPDX-License-Identifier: MIT */
/*
 * Plans of layouts. All of them come down to one operation: of [l items][1 item] q times, the
 * single items come to the front and the others behind, both in order. For B-trees the single items
 * are the inner nodes' keys and l = B, level by level from the leaves; for van Emde Boas trees they
 * are the top tree's keys and l those of a bottom tree.
 */
#include "primitives/layout/layout_plan.h"

#include <stdlib.h>

/* Where the segments of a pass are. */
typedef struct place {
    uint64_t count[DMM_LAYOUT_DIMS], stride[DMM_LAYOUT_DIMS], begin;
} place;

typedef struct planner {
    dmm_layout_plan *plan;
    const dmm_layout_way *way;
} planner;

static place alone(uint64_t begin)
{
    return (place){.count = {1, 1, 1, 1, 1}, .begin = begin};
}

static place behind(const place *at, uint64_t items)
{
    place moved = *at;
    moved.begin += items;
    return moved;
}

/* Returns the places of `count` parts, `stride` items apart, of each segment. */
static place parts_of(const place *at, uint64_t count, uint64_t stride)
{
    place parts = {.count = {count}, .stride = {stride}, .begin = at->begin};
    for (size_t d = 1; d < DMM_LAYOUT_DIMS; d++) {
        parts.count[d] = at->count[d - 1];
        parts.stride[d] = at->stride[d - 1];
    }
    return parts;
}

static void add(const planner *p, const place *at, dmm_layout_pass pass)
{
    dmm_layout_plan *const plan = p->plan;
    if (plan->count == plan->most && !plan->failed) {
        const size_t most = 2 * plan->most + 16;
        dmm_layout_pass *const passes = realloc(plan->passes, most * sizeof *passes);
        plan->failed = passes == NULL;
        if (passes != NULL) {
            plan->passes = passes;
            plan->most = most;
        }
    }
    if (plan->failed)
        return;
    for (size_t d = 0; d < DMM_LAYOUT_DIMS; d++) {
        pass.count[d] = at->count[d];
        pass.stride[d] = at->stride[d];
    }
    pass.begin = at->begin;
    plan->passes[plan->count++] = pass;
}

/* Turns segments of len items right by a items, or inner segment i by a - i * step. */
static void turn(const planner *p, const place *at, uint64_t len, uint64_t a, uint64_t step)
{
    if (a == 0 || (step == 0 && a == len))
        return;
    add(p, at, (dmm_layout_pass){.move = DMM_PASS_PARTS, .len = len, .a = a, .step = step});
    add(p, at, (dmm_layout_pass){.move = DMM_PASS_WHOLE, .len = len});
}

/* The equidistant gather of [l units][1 unit] q times, q <= l. */
static void gather_units(const planner *p, const place *at, uint64_t q, uint64_t l, uint64_t unit)
{
    const place rest = behind(at, q * unit), trees = parts_of(&rest, q, l * unit);
    if (q == 0)
        return;
    add(p, at, (dmm_layout_pass){.move = DMM_PASS_COLUMNS, .len = q * unit, .l = l, .unit = unit});
    if (l > 1)
        turn(p, &trees, l * unit, q * unit, unit);
}

/* Joins `count` neighbours of C single items and C * l others each, and one with C' < C. */
static void join(
    const planner *p, const place *at, uint64_t count, uint64_t l, uint64_t C, uint64_t last)
{
    const place first = behind(at, C), others = behind(at, count * C);
    if (count > 1)
        gather_units(p, &first, count - 1, l, C);
    if (count != 0)
        turn(p, &others, count * C * l + last, last, 0);
}

/* The extended equidistant gather: tiles first, then l + 1 neighbours at a time. */
static void gather_extended(const planner *p, uint64_t q, uint64_t l)
{
    const uint64_t ways = l + 1, blocks = p->way->tile / ways;
    const uint64_t tiles = (q - 1) / blocks + 1;
    const place start = alone(0), all = parts_of(&start, tiles, blocks * ways);
    add(p, &all,
        (dmm_layout_pass){.move = DMM_PASS_SPLIT,
            .len = blocks * ways,
            .last = (q - (tiles - 1) * blocks) * ways,
            .ways = ways});
    for (uint64_t C = blocks; C<q; C = C> q / ways ? q : C * ways) {
        const uint64_t whole = q / C / ways;
        const place groups = parts_of(&start, whole, ways * C * ways);
        const place rest = behind(&start, whole * ways * C * ways);
        if (whole != 0)
            join(p, &groups, ways, l, C, 0);
        join(p, &rest, q / C % ways, l, C, q % C);
    }
}

/* Shuffles l lists of q items each into q blocks of l: two involutions. */
static void shuffle(const planner *p, const place *at, uint64_t q, uint64_t l)
{
    if (l == 1 || q == 1)
        return;
    add(p, at, (dmm_layout_pass){.move = DMM_PASS_MODULAR, .len = q * l, .ways = 1});
    add(p, at, (dmm_layout_pass){.move = DMM_PASS_MODULAR, .len = q * l, .ways = l});
}

/* The same gather by an un-shuffle into l + 1 lists, a shuffle of the first l, and a turn. */
static void gather_by_swaps(const planner *p, const place *at, uint64_t q, uint64_t l)
{
    const uint64_t len = q * (l + 1);
    if (q > 1) {
        add(p, at, (dmm_layout_pass){.move = DMM_PASS_MODULAR, .len = len, .ways = l + 1});
        add(p, at, (dmm_layout_pass){.move = DMM_PASS_MODULAR, .len = len, .ways = 1});
        shuffle(p, at, q, l);
    }
    turn(p, at, len, q, 0);
}

/* Brings all single items to the front, given [l items][1 item] q times, `more` other items and
 * `single` single ones. */
static void gather(
    const planner *p, const place *at, uint64_t q, uint64_t l, uint64_t more, uint64_t single)
{
    const place others = behind(at, q);
    if (p->way->method == DMM_LAYOUT_INVOLUTIONS)
        gather_by_swaps(p, at, q, l);
    else if (q <= l)
        gather_units(p, at, q, l, 1);
    else
        gather_extended(p, q, l);
    turn(p, &others, q * l + more + single, single, 0);
}

/* Peels the leaves off a B-tree whose levels are all full, by reversals of digits. */
static void peel_by_digits(const planner *p, uint64_t full, uint64_t above, uint64_t ways)
{
    const place start = alone(0), leaves = alone(above);
    uint32_t digits = 0;
    for (uint64_t rest = full; rest != 0; rest /= ways)
        digits++;
    const dmm_layout_pass pass = {
        .move = DMM_PASS_REVERSE, .len = full, .ways = ways, .digits = digits};
    dmm_layout_pass second = pass;
    second.digits--;
    add(p, &start, pass);
    add(p, &start, second);
    shuffle(p, &leaves, above + 1, ways - 1);
}

static void plan_btree(const planner *p, uint64_t n)
{
    const dmm_layout_method method = p->way->method;
    const uint64_t B = p->way->kind == DMM_LAYOUT_BTREE ? p->way->B : 1, ways = B + 1;
    const place start = alone(0);
    uint64_t full = dmm_tree_full(ways, n);
    while (n > B && (n > p->way->tile || (B == 1 && method != DMM_LAYOUT_CYCLES && n == full))) {
        const uint64_t above = n == full ? dmm_tree_above(ways, full) : full, leaves = n - above;
        const uint64_t q = leaves / B < above ? leaves / B : above;
        if (n == full && B == 1 && method != DMM_LAYOUT_CYCLES) {
            add(p, &start,
                (dmm_layout_pass){
                    .move = DMM_PASS_REVERSE, .len = n, .ways = 2, .digits = dmm_tree_levels(n)});
            add(p, &start, (dmm_layout_pass){.move = DMM_PASS_TAIL, .len = n});
            return;
        }
        if (n == full && method == DMM_LAYOUT_INVOLUTIONS)
            peel_by_digits(p, full, above, ways);
        else
            gather(p, &start, q, B, leaves - q * B, above - q);
        n = full = above;
    }
    if (n > B)
        add(p, &start,
            (dmm_layout_pass){
                .move = DMM_PASS_TREE, .len = n, .ways = ways, .kind = (uint32_t)p->way->kind});
}

/* Van Emde Boas trees of d levels, all full, one in each segment. */
static void plan_full_veb(const planner *p, const place *at, uint32_t d)
{
    const uint64_t n = ((uint64_t)2 << (d - 1)) - 1;
    if (n == 1)
        return;
    if (n <= p->way->tile) {
        add(p, at,
            (dmm_layout_pass){
                .move = DMM_PASS_TREE, .len = n, .ways = 2, .kind = (uint32_t)p->way->kind});
        return;
    }
    const dmm_tree_cut cut = dmm_tree_cut_of((uint32_t)p->way->kind, n);
    const place rest = behind(at, cut.r), trees = parts_of(&rest, cut.y, cut.l);
    gather(p, at, cut.r, cut.l, cut.l, 0);
    plan_full_veb(p, at, cut.top);
    plan_full_veb(p, &trees, cut.bottom);
}

static void plan_veb(const planner *p, uint64_t n)
{
    place at = alone(0);
    while (n > p->way->tile && (n & (n + 1)) != 0) {
        const dmm_tree_cut cut = dmm_tree_cut_of((uint32_t)p->way->kind, n);
        const uint64_t q = cut.y < cut.r ? cut.y : cut.r;
        const place rest = behind(&at, cut.r), trees = parts_of(&rest, cut.y, cut.l);
        gather(p, &at, q, cut.l, cut.rest + (cut.y - q) * cut.l, cut.r - q);
        plan_full_veb(p, &at, cut.top);
        plan_full_veb(p, &trees, cut.bottom);
        at.begin += cut.r + cut.y * cut.l;
        n = cut.rest;
    }
    if (n > p->way->tile)
        plan_full_veb(p, &at, dmm_tree_levels(n));
    else if (n > 1)
        add(p, &at,
            (dmm_layout_pass){
                .move = DMM_PASS_TREE, .len = n, .ways = 2, .kind = (uint32_t)p->way->kind});
}

dmm_status dmm_layout_plan_make(dmm_layout_plan *plan, const dmm_layout_way *way, uint64_t n)
{
    const planner p = {plan, way};
    *plan = (dmm_layout_plan){.passes = NULL};
    if (way->kind == DMM_LAYOUT_BST || way->kind == DMM_LAYOUT_BTREE)
        plan_btree(&p, n);
    else if (way->kind != DMM_LAYOUT_SORTED)
        plan_veb(&p, n);
    return plan->failed ? DMM_OUT_OF_MEMORY : DMM_OK;
}

void dmm_layout_plan_free(dmm_layout_plan *plan)
{
    free(plan->passes);
    plan->passes = NULL;
}
