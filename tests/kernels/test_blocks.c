/* SPDX-License-Identifier: MIT */
/*
 * Merging by blocks, cl/sort/blocks.clh and cl/map.clh, on the host: each work-item takes the items
 * of its diagonal, and no step of a warp accesses a bank twice, over random lists and over all
 * lists of small merges. A probe of the plain search finds at most two words in a bank. The judge
 * of banks is fed layouts with an error in them.
 */
#include "support/block_tile.h"

#include <stdlib.h>
#include <string.h>

/* One merge of `view`, by its work-items 0 .. active - 1; merged: the active*E items of its
 * output. */
typedef struct merge_case {
    dmm_merge_view view;
    uint active;
    const uint *merged;
} merge_case;

/* Lays out merged[0 .. n): item i is of A if of_a[i]; limits and what no list holds are
 * `filling`. */
static void lay_out(host_tile *tile, const merge_case *c, const unsigned char *of_a, uint n)
{
    const setup *s = &tile->s;
    const uint blocks = c->view.g + c->view.gap;
    uint a = 0, b = 0;
    for (uint i = 0; i < n; i++) {
        const uint x = of_a[i] ? a++ : blocks * s->E - 1 - b++;
        const uint k = c->view.first + x / s->E;
        tile->words[address_of(tile, k) + x % s->E] = c->merged[i];
    }
}

static void fill_limits(host_tile *tile)
{
    const setup *s = &tile->s;
    const uint below = dmm_limit_address(0, 0, s->u, s->w, s->E, s->d);
    const uint above = dmm_limit_address(0, 1, s->u, s->w, s->E, s->d);
    const uint words = DMM_TILE_WORDS(s->u, s->w, s->E, s->d);
    REQUIRE(words <= MAX_WORDS);
    for (uint i = 0; i < words; i++)
        tile->words[i] = i >= below && i < above ? 0 : ~0u;
}

static int by_value(const void *a, const void *b)
{
    const uint x = *(const uint *)a, y = *(const uint *)b;
    return (x > y) - (x < y);
}

/* Where work-item t's three blocks lie. */
static void addresses_of(host_tile *tile, const merge_case *c, uint t, uint at[3])
{
    const setup *s = &tile->s;
    const dmm_three k = dmm_find_blocks(tile, c->view, t, s->w);
    const int last = t + 1 == c->view.g;
    at[0] = named(tile, k.a);
    at[1] = named(tile, k.b);
    at[2] = named(tile, k.next);
    if (t == 0)
        at[1] = dmm_limit_address(at[1], 0, s->u, s->w, s->E, s->d);
    if (last)
        at[2] = dmm_limit_address(at[2], 1, s->u, s->w, s->E, s->d);
}

/* True if the work-item takes the items of its diagonal, which are merged[0 .. E). */
static int delivers(const host_tile *tile, const uint at[3], const uint *merged)
{
    uint taken[MAX_E];
    for (uint j = 0; j < tile->s.E; j++) {
        const uint a = tile->words[at[0] + j], b = tile->words[at[1] + j];
        taken[j] = min(max(a, b), tile->words[at[2] + j]);
    }
    qsort(taken, tile->s.E, sizeof taken[0], by_value);
    return memcmp(taken, merged, tile->s.E * sizeof taken[0]) == 0;
}

/* True once a probe of the plain search has met a bank twice. */
static int doubled;

/* True if no probe of the warp, and no step of its reads, meets a bank twice; a probe of the plain
 * search, no bank three times. */
static int warp_is_free(const host_tile *tile, uint at[MAX_W][3], uint lanes)
{
    const uint w = tile->s.w, most = plain_search ? 2 : 1;
    uint a[MAX_W], b[MAX_W], free = 1;
    for (uint i = 0; i < MAX_PROBES; i++) {
        uint probing = 0;
        for (uint lane = 0; lane < lanes; lane++)
            if (i < tile->num_probes[lane]) {
                a[probing] = tile->a_probes[lane][i];
                b[probing++] = tile->b_probes[lane][i];
            }
        free &= passes(a, probing, w) <= most && passes(b, probing, w) <= most;
        doubled |= passes(a, probing, w) > 1;
    }
    for (uint block = 0; block < 3; block++)
        for (uint j = 0; j < tile->s.E; j++) {
            for (uint lane = 0; lane < lanes; lane++)
                a[lane] = at[lane][block] + j;
            free &= passes(a, lanes, w) == 1;
        }
    return free != 0;
}

/* True if the warp's merges, one or several, deliver without conflict. Work-item `own` of the group
 * is t of cases[own / g]. */
static int warp_merges(host_tile *tile, const merge_case *cases, uint warp)
{
    uint at[MAX_W][3];
    for (uint lane = 0; lane < tile->s.w; lane++) {
        const uint own = warp + lane, active = cases[0].active, t = own % active;
        const merge_case *c = &cases[own / active];
        tile->lane = lane;
        tile->num_probes[lane] = 0;
        addresses_of(tile, c, t, at[lane]);
        if (!delivers(tile, at[lane], c->merged + t * tile->s.E))
            return 0;
    }
    return warp_is_free(tile, at, tile->s.w);
}

static int group_merges(host_tile *tile, const merge_case *cases)
{
    for (uint warp = 0; warp < tile->s.u; warp += tile->s.w)
        if (!warp_merges(tile, cases, warp))
            return 0;
    return 1;
}

enum { LISTS_RANDOM, LISTS_RUNS, LISTS_A_FIRST, LISTS_B_FIRST, LISTS_IN_TURN, LISTS_KINDS };

/* Draws which of n items are A's, na of them. */
static void draw_lists(unsigned char *of_a, uint n, uint na, uint kind, random_source *random)
{
    uint left = na, run = 0, a = 0;
    for (uint i = 0; i < n; i++) {
        const uint rest = n - i;
        if (kind == LISTS_RUNS && run-- == 0) {
            run = (uint)random_below(random, 70);
            a = !a;
        }
        uint take = kind == LISTS_RANDOM    ? random_below(random, rest) < left
                    : kind == LISTS_RUNS    ? a
                    : kind == LISTS_A_FIRST ? 1
                    : kind == LISTS_IN_TURN ? i % 2
                                            : 0;
        take = left == 0 ? 0 : left == rest ? 1 : take;
        of_a[i] = (unsigned char)take;
        left -= take;
    }
}

/* Rising values: each of its own, in runs of equals, or all equal. */
static void draw_values(uint *merged, uint n, random_source *random)
{
    const uint run = (uint)random_below(random, 4);
    for (uint i = 0; i < n; i++)
        merged[i] = run == 0 ? i : run == 3 ? 7 : i / (run * 5);
}

/* One round of a tile's sort, all its merges with lists of their own. */
static int round_merges(host_tile *tile, uint lists, uint kind, random_source *random)
{
    static uint merged[MAX_TILE];
    static unsigned char of_a[MAX_TILE];
    static merge_case cases[MAX_G];
    const setup *s = &tile->s;
    const uint n = 2 * lists * s->E;
    fill_limits(tile);
    for (uint i = 0; i < s->u / (2 * lists); i++) {
        cases[i] = (merge_case){
            dmm_round_view(i * 2 * lists, log_of(lists), s->w), 2 * lists, merged + i * n};
        draw_values(merged + i * n, n, random);
        draw_lists(of_a, n, n / 2, kind, random);
        lay_out(tile, &cases[i], of_a, n);
    }
    return group_merges(tile, cases);
}

static void every_round_of_a_sort_delivers_without_conflict(void **state)
{
    static host_tile tile;
    random_source random = {1};
    (void)state;
    FOR_ALL_SETUPS(s, {
        tile.s = s;
        for (uint lists = 1; is_power_of_two(s.w) && 2 * lists <= s.u; lists *= 2)
            for (uint kind = 0; kind < LISTS_KINDS; kind++) {
                test_note("w=%u E=%u u=%u lists=%u kind %u", s.w, s.E, s.u, lists, kind);
                REQUIRE(round_merges(&tile, lists, kind, &random));
            }
    })
}

/* A tile of the output of a merge: na items of A, nb of B, padding between. */
static int tile_merges(host_tile *tile, uint *merged, const unsigned char *of_a, uint na, uint nb)
{
    const setup *s = &tile->s;
    const merge_case c = {dmm_tile_view(na, s->u, s->E), s->u, merged};
    fill_limits(tile);
    lay_out(tile, &c, of_a, na + nb);
    for (uint i = na + nb; i < s->u * s->E; i++)
        merged[i] = ~0u;
    return group_merges(tile, &c);
}

static void every_tile_of_a_merge_delivers_without_conflict(void **state)
{
    static host_tile tile;
    static uint merged[MAX_TILE];
    static unsigned char of_a[MAX_TILE];
    random_source random = {2};
    (void)state;
    FOR_ALL_SETUPS(s, {
        tile.s = s;
        for (uint turn = 0; is_power_of_two(s.w) && turn < 4 * LISTS_KINDS; turn++) {
            const uint T = s.u * s.E, n = turn % 3 ? T : (uint)random_below(&random, T + 1);
            const uint na = turn % 4 ? (uint)random_below(&random, n + 1) : turn % 8 ? n : 0;
            test_note("w=%u E=%u u=%u na=%u n=%u", s.w, s.E, s.u, na, n);
            draw_values(merged, n, &random);
            draw_lists(of_a, n, na, turn % LISTS_KINDS, &random);
            REQUIRE(tile_merges(&tile, merged, of_a, na, n - na));
        }
    })
}

/* Every way to merge: item i is A's if bit i is set. */
static void every_way_to_merge_few_items_delivers_without_conflict(void **state)
{
    static const uint cases[][3] = {{4, 1, 4}, {4, 1, 8}, {4, 1, 16}, {4, 2, 4}, {4, 2, 8},
        {4, 3, 4}, {4, 4, 4}, {8, 1, 8}, {8, 1, 16}, {8, 2, 8}, {16, 1, 16}};
    static host_tile tile;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint merged[16];
        unsigned char of_a[16];
        tile.s = setup_of(cases[i][0], cases[i][1], cases[i][2]);
        const uint T = tile.s.u * tile.s.E;
        for (uint ways = 0; ways < 1u << T; ways++) {
            uint na = 0;
            for (uint x = 0; x < T; x++) {
                of_a[x] = ways >> x & 1;
                na += of_a[x];
                merged[x] = x;
            }
            test_note("w=%u E=%u u=%u ways=%u", tile.s.w, tile.s.E, tile.s.u, ways);
            REQUIRE(tile_merges(&tile, merged, of_a, na, T - na));
            if (2 * na != T)
                continue;
            const merge_case c = {
                dmm_round_view(0, log_of(tile.s.u / 2), tile.s.w), tile.s.u, merged};
            fill_limits(&tile);
            lay_out(&tile, &c, of_a, T);
            REQUIRE(group_merges(&tile, &c));
        }
    }
}

static void the_plain_search_meets_a_bank_twice_at_most(void **state)
{
    plain_search = 1;
    every_round_of_a_sort_delivers_without_conflict(state);
    every_tile_of_a_merge_delivers_without_conflict(state);
    every_way_to_merge_few_items_delivers_without_conflict(state);
    plain_search = 0;
    assert_true(doubled); /* the bound is met, so the lists are hard enough */
}

/* Without the empty block between A and B, two work-items of a warp meet at its end. */
static void the_judge_finds_lists_without_a_gap(void **state)
{
    static host_tile tile;
    static uint merged[MAX_TILE];
    static unsigned char of_a[MAX_TILE];
    random_source random = {3};
    (void)state;
    FOR_ALL_SETUPS(s, {
        const uint T = s.u * s.E;
        merge_case c = {dmm_round_view(0, log_of(s.u / 2), s.w), s.u, merged};
        if (is_power_of_two(s.w) && s.u > s.w) {
            tile.s = s;
            c.view.gap = 0;
            for (uint x = 0; x < T; x++)
                merged[x] = x;
            draw_lists(of_a, T, T / 2, LISTS_RANDOM, &random);
            fill_limits(&tile);
            lay_out(&tile, &c, of_a, T);
            REQUIRE(!group_merges(&tile, &c));
        }
    })
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_of_a_sort_delivers_without_conflict),
        cmocka_unit_test(every_tile_of_a_merge_delivers_without_conflict),
        cmocka_unit_test(every_way_to_merge_few_items_delivers_without_conflict),
        cmocka_unit_test(the_plain_search_meets_a_bank_twice_at_most),
        cmocka_unit_test(the_judge_finds_lists_without_a_gap),
    };
    return cmocka_run_group_tests_name("blocks", tests, NULL, NULL);
}
