/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The index maps of a bitonic network in cl/map_network.clh, tested on the host for all w and u
 * that kernels take: sets partition the positions, the steps on them are those of the network, and
 * each access of a warp has one word a bank (docs/proofs.md, "Sets of a bitonic network"). The
 * judge is fed sets without turns.
 */
#include "support/steps.h"

#include "cl/map_network.clh"

enum { MOST_BITS = 12, MOST_STEPS = 3 };

typedef uint turn_map(uint q, uint low, uint steps, uint log_w);

static uint no_turn(uint q, uint low, uint steps, uint log_w)
{
    (void)q, (void)low, (void)steps, (void)log_w;
    return 0;
}

/* Returns the position of the e-th access of set q. */
static uint position(turn_map *turn, uint q, uint e, uint low, uint steps, uint mirror, uint log_w)
{
    return dmm_set_first(q, low, steps) ^
           dmm_set_offset(e ^ turn(q, low, steps, log_w), low, steps, mirror);
}

/* True if no access of any warp to the sets of 2^bits positions has a conflict. */
static int sets_are_free(turn_map *turn, uint bits, uint low, uint steps, uint mirror, uint log_w)
{
    lockstep s;
    const uint sets = 1u << (bits - steps), w = 1u << log_w;
    for (uint first = 0; first < sets; first += w)
        for (uint e = 0; e < 1u << steps; e++) {
            FILL_STEP(s, w, first, q,
                q < sets ? position(turn, q, e, low, steps, mirror, log_w) : NO_WORD)
            if (judge_step(&s, w) != EXCLUSIVE)
                return 0;
        }
    return 1;
}

/* Runs `body` for all steps within 2^bits positions. */
#define FOR_ALL_STEPS(most, body)                                                             \
    for (uint bits = 1; bits <= (most); bits++)                                               \
        for (uint steps = 1; steps <= MOST_STEPS && steps <= bits; steps++)                   \
            for (uint low = 0; low + steps <= bits; low++)                                    \
                for (uint mirror = 0; mirror < 2; mirror++) {                                 \
                    test_note("bits=%u steps=%u low=%u mirror=%u", bits, steps, low, mirror); \
                    body                                                                      \
                }

static void sets_are_accessed_without_conflicts(void **state)
{
    (void)state;
    int conflicts = 0;
    FOR_ALL_STEPS(MOST_BITS, {
        for (uint log_w = 1; log_w <= 7; log_w++) {
            REQUIRE(sets_are_free(dmm_set_turn, bits, low, steps, mirror, log_w));
            conflicts += !sets_are_free(no_turn, bits, low, steps, mirror, log_w);
        }
    })
    REQUIRE(conflicts > 100);
}

static void sets_partition_the_positions(void **state)
{
    (void)state;
    static unsigned char seen[1 << MOST_BITS];
    FOR_ALL_STEPS(10, {
        memset(seen, 0, sizeof seen);
        for (uint q = 0; q < 1u << (bits - steps); q++)
            for (uint e = 0; e < 1u << steps; e++) {
                const uint x = position(dmm_set_turn, q, e, low, steps, mirror, 5);
                REQUIRE(x < 1u << bits && !seen[x]);
                seen[x] = 1;
            }
    })
}

/* The first step joins i and i ^ mask, mask all ones if it mirrors; the others, whose bits lie
 * below, i and i ^ bit; the item whose number has the bit of a step unset is the lower one. */
static void items_of_a_set_are_those_of_its_steps(void **state)
{
    (void)state;
    FOR_ALL_STEPS(8, {
        const uint all = (1u << steps) - 1;
        const uint top = 1u << (steps - 1);
        for (uint q = 0; q < 1u << (bits - steps); q++)
            for (uint f = 0; f < 1u << steps; f++) {
                const uint x = position(no_turn, q, f, low, steps, mirror, 0);
                const uint other = mirror ? f ^ all : f ^ top;
                REQUIRE((x ^ position(no_turn, q, other, low, steps, mirror, 0)) ==
                        (mirror ? (1u << (low + steps)) - 1 : 1u << (low + steps - 1)));
                for (uint i = 0; i + 1 < steps; i++)
                    REQUIRE((x ^ position(no_turn, q, f ^ 1u << i, low, steps, mirror, 0)) ==
                            1u << (low + i));
                for (uint i = 0; i < steps; i++)
                    REQUIRE((x >> (low + i) & 1) == (f >> i & 1));
            }
    })
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_accessed_without_conflicts),
        cmocka_unit_test(sets_partition_the_positions),
        cmocka_unit_test(items_of_a_set_are_those_of_its_steps),
    };
    return cmocka_run_group_tests_name("map_network", tests, NULL, NULL);
}
