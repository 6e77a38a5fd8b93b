/* SPDX-License-Identifier: MIT */
/*
 * What lies between the merges of a tile, cl/map.clh, on the host: the store of a round, the names
 * of blocks, and the first round, which needs no search. The judge of banks is fed a store with an
 * error in it.
 */
#include "support/block_tile.h"

/* Step j of the store: work-item t writes word j of its slot, or E-1-j if it were careless. */
static int store_step_is_free(const setup *s, uint lists, uint warp, uint j, int careless)
{
    uint addresses[MAX_W];
    for (uint lane = 0; lane < s->w; lane++) {
        const dmm_merge_view m = dmm_round_view(warp + lane, log_of(lists), s->w);
        const uint t = (warp + lane) % (2 * lists);
        const uint slot = m.first + dmm_store_slot(t, lists, m.gap);
        const uint word = careless && dmm_store_reversed(t, lists) ? s->E - 1 - j : j;
        addresses[lane] = dmm_block_address(slot, s->w, s->E, s->d) + word;
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

/* The first list of a pair lies upward from its beginning, the second one downward from its end. */
static int store_lays_out_pairs(const setup *s, uint lists)
{
    for (uint own = 0; own < s->u; own++) {
        const dmm_merge_view m = dmm_round_view(own, log_of(lists), s->w);
        const uint t = own % (2 * lists), slot = dmm_store_slot(t, lists, m.gap);
        for (uint item = 0; item < s->E; item++) {
            const uint j = dmm_store_reversed(t, lists) ? s->E - 1 - item : item;
            const uint upward = t * s->E + item;
            const uint downward = (m.g + m.gap) * s->E - 1 - ((t - lists) * s->E + item);
            if (slot * s->E + j != (t < lists ? upward : downward))
                return 0;
        }
    }
    return 1;
}

static void every_round_is_stored_without_conflict(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint lists = 1; is_power_of_two(s.w) && 2 * lists <= s.u; lists *= 2) {
            test_note("w=%u E=%u u=%u lists=%u", s.w, s.E, s.u, lists);
            REQUIRE(store_lays_out_pairs(&s, lists));
            REQUIRE(store_is_free(&s, lists, 0));
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

/* Names of blocks lead to their addresses, and are as far apart as their numbers say. */
static void a_name_is_a_number_times_the_unit(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        const uint unit = dmm_block_unit(s.w, s.E, s.d);
        for (uint k = 0; is_power_of_two(s.w) && k < s.u; k++)
            REQUIRE(
                dmm_named_address(k * unit, s.w, s.E, s.d) == dmm_block_address(k, s.w, s.E, s.d));
    })
}

/* True if step j of the first round reads from each bank once, and both of a pair judge the same
 * two items. */
static int pair_step_is_free(const setup *s, uint warp, uint j)
{
    uint addresses[MAX_W];
    const uint word = dmm_pair_word(j, s->E);
    for (uint lane = 0; lane < s->w; lane++)
        addresses[lane] = dmm_block_address((warp + lane) ^ 1, s->w, s->E, s->d) + word;
    return passes(addresses, s->w, s->w) == 1 && word < s->E && dmm_pair_word(word, s->E) == j;
}

static void the_first_round_reads_without_conflict(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint warp = 0; is_power_of_two(s.w) && warp < s.u; warp += s.w)
            for (uint j = 0; j < s.E; j++)
                REQUIRE(pair_step_is_free(&s, warp, j));
    })
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_is_stored_without_conflict),
        cmocka_unit_test(a_name_is_a_number_times_the_unit),
        cmocka_unit_test(the_first_round_reads_without_conflict),
        cmocka_unit_test(the_judge_finds_a_store_that_forgets_to_reverse),
    };
    return cmocka_run_group_tests_name("block_store", tests, NULL, NULL);
}
