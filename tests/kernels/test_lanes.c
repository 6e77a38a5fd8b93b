/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The rank by ballots of radix sort (cl/lanes.clh, cl/radix/radix_ballot.clh) as C11, on an
 * emulated work-group.
 */
enum { U = 128, E = 3, TILE = U * E };
#include "support/lane_group.h"

#define DMM_U               128
#define DMM_E               3
#define DMM_W               32
#define DMM_TILE            (DMM_U * DMM_E)
#define DMM_BANK_BYTES      4
#define DMM_INDEX_BYTES     4
#define DMM_KEY_KIND        0
#define DMM_KEY_BYTES       4
#define DMM_DESCENDING      0
#define DMM_ZERO_EQUAL      0
#define DMM_TIES            1
#define DMM_VALUE_BYTES     4
#define DMM_SORT_POSITIONS  0
#define DMM_MERGE_POSITIONS 0
#define DMM_DIGIT_BITS      8
#define DMM_CHAINED         1
#define DMM_PASSES          4
#define DMM_LANES_BY        1
#define DMM_LANES           LANES

#include "support/kernel_begin.h"
#include "cl/radix/radix_ballot.clh"
#pragma GCC diagnostic pop

static struct {
    uint numbers[U], bits; /* the numbers of a match or a sum, and the bits that it compares */
    dmm_lanes same[U];
    uint before[U];
    uint keys[TILE], count, begin; /* a tile's; sorted by `bits` bits from `begin` on */
    uint codes[TILE], positions[TILE], counters[DMM_COUNTERS], firsts[DMM_BINS];
    dmm_index bases[DMM_BINS];
    uint sums[DMM_LANE_GROUPS];
} test;

static void match_and_add(void)
{
    test.same[current] = dmm_matching_lanes(test.numbers[current], test.bits);
    test.before[current] = dmm_lanes_before(test.numbers[current]);
}

static void lanes_find_equal_numbers_and_sums(void **state)
{
    (void)state;
    draw = (random_source){3};
    for (uint run = 0; run < 200; run++) {
        test.bits = 1 + run % 8;
        for (uint t = 0; t < U; t++)
            test.numbers[t] = (uint)random_next(&draw) % (run % 3 == 0 ? 300 : 1 + run);
        run_group(match_and_add);
        for (uint t = 0; t < U; t++) {
            const uint first = t - t % LANES;
            dmm_lanes same = 0;
            uint before = 0;
            for (uint lane = 0; lane < LANES; lane++) {
                const uint other = test.numbers[first + lane] ^ test.numbers[t];
                same |= (dmm_lanes)((other & ((1u << test.bits) - 1)) == 0) << lane;
                before += first + lane < t ? test.numbers[first + lane] : 0;
            }
            REQUIRE(test.same[t] == same);
            REQUIRE(test.before[t] == before);
        }
    }
}

static void sort_tile(void)
{
    const dmm_radix_local mem = {test.codes, test.positions, test.counters, test.firsts, test.bases,
        test.sums, current, dmm_lane(), dmm_lane_group()};
    dmm_items from;
    dmm_reg r[DMM_E];
    memset(&from, 0, sizeof from);
    from.keys = test.keys;
    dmm_radix_sort_tile(mem, r, from, 0, test.count, test.begin, test.bits);
}

/* Checks that the items are in the order of the sorted bits, those that tie in the order of before,
 * and that the first rank of each value of the last digit is right. */
static void check_tile(void)
{
    const uint last = (test.bits - 1) / DMM_DIGIT_BITS * DMM_DIGIT_BITS;
    const dmm_digit whole = {test.begin, test.bits == 32 ? ~0u : (1u << test.bits) - 1};
    const dmm_digit digit = {test.begin + last, (1u << (test.bits - last)) - 1};
    uint counts[DMM_BINS] = {0}, seen[TILE] = {0};
    for (uint x = 0; x < test.count; x++) {
        const uint from = test.positions[x];
        REQUIRE(from < test.count && test.codes[x] == test.keys[from] && !seen[from]++);
        counts[dmm_code_digit(test.codes[x], digit)]++;
        if (x > 0) {
            const uint a = dmm_code_digit(test.codes[x - 1], whole);
            const uint b = dmm_code_digit(test.codes[x], whole);
            REQUIRE(a < b || (a == b && test.positions[x - 1] < from));
        }
    }
    const dmm_radix_local mem = {.firsts = test.firsts};
    for (uint d = 0; d <= digit.mask; d++)
        REQUIRE(dmm_radix_digit_count(mem, d, digit, test.count) == counts[d]);
}

static void tiles_and_parts_of_tiles_are_sorted_stably(void **state)
{
    static const uint bits[] = {8, 1, 16, 11, 32, 5};
    (void)state;
    draw = (random_source){5};
    for (uint run = 0; run < 60; run++) {
        const uint kind = (uint)random_next(&draw) % 4;
        test.count = run % 3 == 0 ? TILE : 1 + (uint)random_next(&draw) % TILE;
        test.bits = bits[run % 6];
        test.begin = (uint)random_next(&draw) % (33 - test.bits);
        for (uint x = 0; x < TILE; x++) {
            const uint any = (uint)random_next(&draw);
            test.keys[x] = kind == 0   ? any
                           : kind == 1 ? ~0u
                           : kind == 2 ? any % 3
                                       : any | 0xfefefefe;
        }
        test_note("run %u: %u items by %u bits from %u", run, test.count, test.bits, test.begin);
        run_group(sort_tile);
        check_tile();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_find_equal_numbers_and_sums),
        cmocka_unit_test(tiles_and_parts_of_tiles_are_sorted_stably),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
