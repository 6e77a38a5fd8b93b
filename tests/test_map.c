/* SPDX-License-Identifier: MIT */
/*
 * The index maps of merging in cl/map.clh, tested on the host over many w, E and splits. The judge
 * of banks is fed maps with an error in them, and must find them guilty.
 */
#include "support/banks.h"

#include <stdlib.h>
#include <string.h>

static void rho_is_a_bijection_of_a_tile(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        static unsigned char seen[MAX_TILE];
        memset(seen, 0, sizeof seen);
        for (uint x = 0; x < s.u * s.E; x++) {
            const uint address = dmm_rho(x, s.w, s.E, s.d);
            REQUIRE(address < s.u * s.E && !seen[address]);
            seen[address] = 1;
        }
    })
}

/* Partition l of w*E/d words is rotated by l mod d: the definition, word for word. */
static void rho_is_the_rotation_of_section_5_2_2(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        const uint part = s.w * s.E / s.d;
        for (uint x = 0; x < s.u * s.E; x++) {
            const uint l = x / part;
            REQUIRE(dmm_rho(x, s.w, s.E, s.d) == l * part + (x - l * part + l % s.d) % part);
        }
    })
}

/* Staging and draining: in step i lane t touches position t + i*u. */
static void w_positions_from_a_multiple_of_w_lie_in_w_banks(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        uint addresses[MAX_W];
        for (uint first = 0; first < s.u * s.E; first += s.w) {
            for (uint t = 0; t < s.w; t++)
                addresses[t] = s.rho(first + t, s.w, s.E, s.d);
            REQUIRE(passes(addresses, s.w, s.w) == 1);
        }
    })
}

/* Search, coarse and fine: lanes probe positions slot*E + delta, their slots within w neighbours.
 */
static void w_neighbouring_multiples_of_E_plus_delta_lie_in_w_banks(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint first = 0; first + s.w <= s.u; first++)
            for (uint delta = 0; delta < s.E; delta++) {
                uint addresses[MAX_W];
                for (uint t = 0; t < s.w; t++)
                    addresses[t] = s.rho((first + t) * s.E + delta, s.w, s.E, s.d);
                REQUIRE(passes(addresses, s.w, s.w) == 1);
            }
    })
}

/* A merge of g work-items: splits[t] of its first t*E items come from A, t from 0 to g. */
typedef struct merge {
    uint g;
    uint splits[MAX_G + 1];
} merge;

/* Does the gather's step j of the warp from `warp` on meet no conflict? The group is full of merges
 * like m. */
static int gather_step_is_free(const setup *s, const merge *m, uint warp, uint j)
{
    uint addresses[MAX_W];
    for (uint lane = 0; lane < s->w; lane++) {
        const uint t = (warp + lane) % m->g, base = (warp + lane - t) * s->E, a = m->splits[t];
        const uint at = dmm_gather_position(j, t, m->g, a, m->splits[t + 1] - a, s->E);
        addresses[lane] = s->rho(base + at, s->w, s->E, s->d);
    }
    return passes(addresses, s->w, s->w) == 1;
}

static int gather_is_free(const setup *s, const merge *m)
{
    for (uint warp = 0; warp < s->u; warp += s->w)
        for (uint j = 0; j < s->E; j++)
            if (!gather_step_is_free(s, m, warp, j))
                return 0;
    return 1;
}

/* Each work-item sees a rotation of: its A items upward, then its B items downward; together, every
 * item once. */
static int gather_delivers(const setup *s, const merge *m)
{
    const uint span = m->g * s->E;
    for (uint t = 0; t < m->g; t++) {
        const uint a = m->splits[t], count = m->splits[t + 1] - a, b = t * s->E - a;
        for (uint j = 0; j < s->E; j++) {
            const uint at =
                (j + s->E - a % s->E) % s->E;      /* place in the sequence before rotation */
            const uint from_b = b + s->E - 1 - at; /* from_b-th item of B, if it is one */
            const uint expected = at < count ? a + at : span - 1 - from_b;
            if (dmm_gather_position(j, t, m->g, a, count, s->E) != expected || expected >= span)
                return 0;
        }
    }
    return 1;
}

enum {
    SPLIT_ALL_A,
    SPLIT_ALL_B,
    SPLIT_IN_TURN,
    SPLIT_HALVES,
    SPLIT_RANDOM,
    SPLIT_EXTREMES,
    SPLIT_KINDS
};

/* How many of work-item t's items come from A. */
static uint taken(uint way, uint t, uint g, uint E, random_source *random)
{
    switch (way) {
    case SPLIT_ALL_A:
        return E;
    case SPLIT_ALL_B:
        return 0;
    case SPLIT_IN_TURN:
        return t % 2 * E;
    case SPLIT_HALVES:
        return t < g / 2 ? E : 0;
    case SPLIT_RANDOM:
        return (uint)random_below(random, E + 1);
    default:
        return random_below(random, 2) ? E - (uint)random_below(random, 2)
                                       : (uint)random_below(random, 2);
    }
}

static void split(merge *m, uint way, uint E, random_source *random)
{
    for (uint t = 0; t < m->g; t++)
        m->splits[t + 1] = m->splits[t] + taken(way, t, m->g, E, random);
}

/* Merges of a whole number of warps, and merges that share a warp. */
static int is_merge_size(uint g, uint w)
{
    return g % w == 0 || w % g == 0;
}

static void gather_delivers_every_item_without_conflict(void **state)
{
    (void)state;
    random_source random = {1};
    FOR_ALL_SETUPS(s, {
        static merge m;
        for (m.g = 2; m.g <= s.u; m.g++)
            for (uint way = 0; is_merge_size(m.g, s.w) && s.u % m.g == 0 && way < SPLIT_KINDS;
                 way++) {
                split(&m, way, s.E, &random);
                test_note("w=%u E=%u u=%u g=%u split %u", s.w, s.E, s.u, m.g, way);
                REQUIRE(gather_delivers(&s, &m));
                REQUIRE(gather_is_free(&s, &m));
            }
    })
}

/* The next sequence of counts 0..E, as a number of g digits; 0 after the last one. */
static int next_counts(uint *counts, uint g, uint E)
{
    for (uint t = 0; t < g; t++) {
        if (counts[t]++ < E)
            return 1;
        counts[t] = 0;
    }
    return 0;
}

static void every_single_split_of_small_merges_is_gathered_without_conflict(void **state)
{
    static const uint cases[][3] = {{4, 1, 8}, {4, 2, 8}, {4, 3, 4}, {4, 4, 4}, {4, 6, 4},
        {4, 8, 4}, {8, 1, 8}, {8, 2, 8}, {8, 4, 4}, {4, 4, 2}, {12, 1, 12}, {16, 12, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static merge m;
        uint counts[MAX_G] = {0};
        const uint w = cases[i][0], g = cases[i][2];
        const setup s = setup_of(w, cases[i][1], g > w ? g : w);
        m.g = g;
        test_note("w=%u E=%u u=%u g=%u", s.w, s.E, s.u, g);
        do {
            for (uint t = 0; t < g; t++)
                m.splits[t + 1] = m.splits[t] + counts[t];
            REQUIRE(gather_delivers(&s, &m));
            REQUIRE(gather_is_free(&s, &m));
        } while (next_counts(counts, g, s.E));
    }
}

/* Step j of the store: work-item t writes position slot*E + j, or slot*E + E-1-j if it were
 * careless. */
static int store_step_is_free(const setup *s, uint lists, uint warp, uint j, int careless)
{
    uint addresses[MAX_W];
    for (uint lane = 0; lane < s->w; lane++) {
        const uint t = warp + lane, slot = dmm_store_slot(t, lists);
        const uint within = careless && dmm_store_reversed(t, lists) ? s->E - 1 - j : j;
        addresses[lane] = s->rho(slot * s->E + within, s->w, s->E, s->d);
    }
    return passes(addresses, s->w, s->w) == 1;
}

static int store_is_free(const setup *s, uint lists, int careless)
{
    for (uint warp = 0; warp < s->u; warp += s->w)
        for (uint j = 0; j < s->E; j++)
            if (!store_step_is_free(s, lists, warp, j, careless))
                return 0;
    return 1;
}

/* The first list of a pair lies upward from the pair's base, the second one downward from its end.
 */
static int store_lays_out_pairs(const setup *s, uint lists)
{
    for (uint t = 0; t < s->u; t++) {
        const uint pair = t / (2 * lists) * 2 * lists, within = t - pair,
                   slot = dmm_store_slot(t, lists);
        for (uint item = 0; item < s->E; item++) {
            const int second = within >= lists;
            const uint j = dmm_store_reversed(t, lists) ? s->E - 1 - item : item;
            const uint upward = pair * s->E + within * s->E + item;
            const uint downward = (pair + 2 * lists) * s->E - 1 - ((within - lists) * s->E + item);
            if (slot * s->E + j != (second ? downward : upward))
                return 0;
        }
    }
    return 1;
}

static int is_power_of_two(uint x)
{
    return (x & (x - 1)) == 0;
}

static void store_lays_out_every_round_without_conflict(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint lists = 1; 2 * lists <= s.u && is_power_of_two(s.u); lists *= 2) {
            test_note("w=%u E=%u u=%u lists=%u", s.w, s.E, s.u, lists);
            REQUIRE(store_lays_out_pairs(&s, lists));
            REQUIRE(store_is_free(&s, lists, 0));
        }
    })
}

/* rho with an error: the second partition is rotated by one too many. A bijection all the same. */
static uint rho_off_by_one(uint x, uint w, uint E, uint d)
{
    const uint part = w / d * E, l = x / part;
    return l * part + (x % part + l % d + (l == 1)) % part;
}

static uint no_rho(uint x, uint w, uint E, uint d)
{
    (void)w, (void)E, (void)d;
    return x;
}

/* Does some split of a merge over the whole group show a conflict with this map? */
static int some_gather_conflicts(setup s, map_function *rho)
{
    static merge m;
    random_source random = {2};
    s.rho = rho;
    m.g = s.u;
    for (uint tries = 0; tries < 64; tries++) {
        split(&m, SPLIT_RANDOM, s.E, &random);
        if (!gather_is_free(&s, &m))
            return 1;
    }
    return 0;
}

static void the_judge_finds_an_error_planted_in_rho(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        if (s.u > s.w && s.E > 1) {
            REQUIRE(some_gather_conflicts(s, rho_off_by_one));
            REQUIRE(some_gather_conflicts(s, no_rho) == (s.d > 1));
        }
    })
}

static void the_judge_finds_a_store_that_forgets_to_reverse(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        if (is_power_of_two(s.w) && s.E > 1)
            REQUIRE(!store_is_free(&s, 2, 1));
    })
}

static void the_judge_counts_passes(void **state)
{
    const uint broadcast[] = {7, 7, 7, 7}, free_of[] = {4, 1, 6, 3}, two[] = {0, 4, 1, 2};
    const uint four[] = {0, 4, 8, 12};
    (void)state;
    REQUIRE(passes(broadcast, 4, 4) == 1);
    REQUIRE(passes(free_of, 4, 4) == 1);
    REQUIRE(passes(two, 4, 4) == 2);
    REQUIRE(passes(four, 4, 4) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rho_is_a_bijection_of_a_tile),
        cmocka_unit_test(rho_is_the_rotation_of_section_5_2_2),
        cmocka_unit_test(w_positions_from_a_multiple_of_w_lie_in_w_banks),
        cmocka_unit_test(w_neighbouring_multiples_of_E_plus_delta_lie_in_w_banks),
        cmocka_unit_test(gather_delivers_every_item_without_conflict),
        cmocka_unit_test(every_single_split_of_small_merges_is_gathered_without_conflict),
        cmocka_unit_test(store_lays_out_every_round_without_conflict),
        cmocka_unit_test(the_judge_finds_an_error_planted_in_rho),
        cmocka_unit_test(the_judge_finds_a_store_that_forgets_to_reverse),
        cmocka_unit_test(the_judge_counts_passes),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
