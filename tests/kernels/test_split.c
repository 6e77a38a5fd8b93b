/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The index maps of a split in cl/map.clh, tested on the host over many w, E and bits: stable, and
 * no bank has two words accessed at once, in writes or in reads (docs/proofs.md). The judge of
 * banks is fed a split with an error in it.
 */
#include "support/banks.h"

enum { ALL_ZEROS, ALL_ONES, ALTERNATE, HALF, RANDOM_BITS, WAYS };

static uint drawn_bit(uint way, uint x, uint T, random_source *random)
{
    switch (way) {
    case ALL_ZEROS:
        return 0;
    case ALL_ONES:
        return 1;
    case ALTERNATE:
        return x % 2;
    case HALF:
        return x < T / 2;
    default:
        return (uint)random_below(random, 2);
    }
}

typedef uint split_function(uint x, uint one, uint zeros_before, uint T);

/* True if item x is where the stable order has it when the split list is read from its beginning,
 * and both the writes and the reads of w consecutive positions, from a multiple of w on, are free
 * of conflicts. */
static int split_is_stable_and_free(
    const setup *s, uint way, split_function *address_of, random_source *random)
{
    static uint at[MAX_TILE], bits[MAX_TILE];
    uint addresses[MAX_W], zeros = 0, free = 1, ones = 0;
    const uint T = s->u * s->E;
    for (uint x = 0; x < T; x++) {
        bits[x] = drawn_bit(way, x, T, random);
        at[x] = addresses[x % s->w] = address_of(x, bits[x], zeros, T);
        zeros += 1 - bits[x];
        free &= x % s->w < s->w - 1 || passes(addresses, s->w, s->w) == 1;
    }
    for (uint x = 0, before = 0; x < T; x++) {
        const uint place = bits[x] ? zeros + ones : before;
        ones += bits[x];
        before += 1 - bits[x];
        free &= dmm_split_read(place, zeros, T) == at[x];
    }
    for (uint x = 0; x < T; x++) {
        addresses[x % s->w] = dmm_split_read(x, zeros, T);
        free &= x % s->w < s->w - 1 || passes(addresses, s->w, s->w) == 1;
    }
    return free != 0;
}

static void split_is_stable_and_meets_no_bank_twice(void **state)
{
    random_source random = {3};
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint way = 0; way < WAYS; way++) {
            test_note("w=%u E=%u u=%u bits %u", s.w, s.E, s.u, way);
            REQUIRE(split_is_stable_and_free(&s, way, dmm_split_address, &random));
        }
    })
}

/* Ones upward too, behind the end of the zeros: banks meet. */
static uint both_upward(uint x, uint one, uint zeros_before, uint T)
{
    return one ? T / 2 + 1 + x - zeros_before : zeros_before;
}

static void the_judge_finds_a_split_that_forgets_to_reverse(void **state)
{
    random_source random = {4};
    (void)state;
    FOR_ALL_SETUPS(s, {
        if (s.E > 1)
            REQUIRE(!split_is_stable_and_free(&s, ALTERNATE, both_upward, &random));
    })
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_is_stable_and_meets_no_bank_twice),
        cmocka_unit_test(the_judge_finds_a_split_that_forgets_to_reverse),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
