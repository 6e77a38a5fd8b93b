/* SPDX-License-Identifier: MIT */
/* ctest: default */
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

/* Padding: the banks of rho, addresses that rise, and each block a run of them. */
static void addresses_are_padded_and_in_the_banks_of_rho(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        const uint end = DMM_BLOCKS_END(s.u, s.w, s.E, s.d);
        for (uint x = 0, last = 0; x < s.u * s.E; x++) {
            const uint address = dmm_address(x, s.w, s.E, s.d), k = x / s.E;
            REQUIRE(address % s.w == dmm_rho(x, s.w, s.E, s.d) % s.w);
            REQUIRE(address == dmm_block_address(k, s.w, s.E, s.d) + x % s.E);
            REQUIRE((x == 0 || address > last) && address < end);
            last = address;
        }
        REQUIRE(end == dmm_block_address(s.u, s.w, s.E, s.d));
        REQUIRE(DMM_LIMITS_AT(s.u, s.w, s.E, s.d) % s.w == 0);
    })
}

static void even_stripes_have_one_base(void **state)
{
    uint even = 0;
    (void)state;
    FOR_ALL_SETUPS(s, {
        if (DMM_EVEN_STRIPES(s.u, s.w, s.E, s.d)) {
            even++;
            for (uint x = 0; x < s.u * s.E; x++) {
                const uint t = x % s.u, base = dmm_address(t, s.w, s.E, s.d);
                REQUIRE(dmm_address(x, s.w, s.E, s.d) == base + dmm_address(x - t, s.w, s.E, s.d));
            }
        }
    })
    REQUIRE(even > 100);
}

/* Stripes of a sub-group's p lanes, which begin at its own p*E positions. */
static void even_parts_have_one_base(void **state)
{
    uint even = 0;
    (void)state;
    FOR_ALL_SETUPS(s, {
        for (uint p = 4; p <= s.u; p *= 2)
            if (s.u % p == 0 && DMM_EVEN_STRIPES(p, s.w, s.E, s.d)) {
                even += s.d > 1 && p < s.u;
                for (uint x = 0; x < s.u * s.E; x++) {
                    const uint first = x / (p * s.E) * (p * s.E) + x % p, to = x - first;
                    REQUIRE(dmm_address(x, s.w, s.E, s.d) ==
                            dmm_address(first, s.w, s.E, s.d) + dmm_address(to, s.w, s.E, s.d));
                }
            }
    })
    REQUIRE(even > 10);
}

/* Staging and draining: in step i lane t touches position t + i*u. */
static void w_positions_from_a_multiple_of_w_lie_in_w_banks(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        uint turned[MAX_W];
        uint padded[MAX_W];
        for (uint first = 0; first < s.u * s.E; first += s.w) {
            for (uint t = 0; t < s.w; t++) {
                turned[t] = dmm_rho(first + t, s.w, s.E, s.d);
                padded[t] = dmm_address(first + t, s.w, s.E, s.d);
            }
            REQUIRE(passes(turned, s.w, s.w) == 1 && passes(padded, s.w, s.w) == 1);
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

/* True if words j of some w neighbouring blocks meet with this map. */
static int some_blocks_meet(const setup *s, map_function *map)
{
    for (uint first = 0; first + s->w <= s->u; first++)
        for (uint j = 0; j < s->E; j++) {
            uint addresses[MAX_W];
            for (uint t = 0; t < s->w; t++)
                addresses[t] = map((first + t) * s->E + j, s->w, s->E, s->d);
            if (passes(addresses, s->w, s->w) > 1)
                return 1;
        }
    return 0;
}

/* Blocked reads and stores, and merges: lanes read word j of blocks within w neighbours. */
static void w_neighbouring_blocks_meet_no_bank_twice(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        REQUIRE(!some_blocks_meet(&s, dmm_rho));
        REQUIRE(!some_blocks_meet(&s, dmm_address));
    })
}

static void the_judge_finds_an_error_planted_in_rho(void **state)
{
    (void)state;
    FOR_ALL_SETUPS(s, {
        if (s.u > s.w && s.E > 1) {
            REQUIRE(some_blocks_meet(&s, rho_off_by_one));
            REQUIRE(some_blocks_meet(&s, no_rho) == (s.d > 1));
        }
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
        cmocka_unit_test(addresses_are_padded_and_in_the_banks_of_rho),
        cmocka_unit_test(even_stripes_have_one_base),
        cmocka_unit_test(even_parts_have_one_base),
        cmocka_unit_test(w_positions_from_a_multiple_of_w_lie_in_w_banks),
        cmocka_unit_test(w_neighbouring_blocks_meet_no_bank_twice),
        cmocka_unit_test(the_judge_finds_an_error_planted_in_rho),
        cmocka_unit_test(the_judge_counts_passes),
    };
    return cmocka_run_group_tests_name("map", tests, NULL, NULL);
}
