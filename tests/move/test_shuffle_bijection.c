/* SPDX-License-Identifier: MIT */
/* ctest: full */
/* The permutation as a function of the index: a bijection for every n, with its inverse. */
#include "support/require.h"

#include <stdlib.h>

#include <dmm/shuffle.h>

#include "support/random.h"
#include "support/rig.h"

#include "cl/shuffle.clh"

static void require_bijection(uint64_t seed, uint64_t n)
{
    unsigned char *seen = calloc((size_t)n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t from = dmm_shuffle_index(seed, n, i);
        test_note("seed %llu, n = %llu, i = %llu", (unsigned long long)seed, (unsigned long long)n,
            (unsigned long long)i);
        REQUIRE(from < n && !seen[from]);
        REQUIRE(dmm_shuffle_place(seed, n, from) == i);
        seen[from] = 1;
    }
    free(seen);
}

static void every_n_to_1100_is_a_bijection(void **state)
{
    (void)state;
    for (uint64_t n = 0; n <= 1100; n++)
        require_bijection(n, n);
}

static void around_powers_of_two_it_is_a_bijection(void **state)
{
    (void)state;
    for (uint32_t k = 11; k <= 17; k++)
        for (uint64_t n = ((uint64_t)1 << k) - 1; n <= ((uint64_t)1 << k) + 1; n++)
            require_bijection(77 + k, n);
    require_bijection(5, 1000003);
}

static void around_2_to_the_32_and_64_it_is_one_to_one(void **state)
{
    static const uint64_t sizes[] = {((uint64_t)1 << 31) + 1, ((uint64_t)1 << 32) - 1,
        (uint64_t)1 << 32, ((uint64_t)1 << 32) + 1, ((uint64_t)1 << 33) - 1,
        ((uint64_t)1 << 48) + 12345, ((uint64_t)1 << 63) - 1, (uint64_t)1 << 63,
        ((uint64_t)1 << 63) + 1, UINT64_MAX - 1, UINT64_MAX};
    random_source random = {9};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (uint32_t k = 0; k < 4000; k++) {
            const uint64_t n = sizes[s], seed = random_next(&random);
            const uint64_t i = k < 1000   ? k
                               : k < 2000 ? n - 1 - (k - 1000)
                                          : random_below(&random, n);
            test_note("n = %llu, seed %llu, i = %llu", (unsigned long long)n,
                (unsigned long long)seed, (unsigned long long)i);
            REQUIRE(dmm_shuffle_index(seed, n, i) < n && dmm_shuffle_place(seed, n, i) < n);
            REQUIRE(dmm_shuffle_place(seed, n, dmm_shuffle_index(seed, n, i)) == i);
            REQUIRE(dmm_shuffle_index(seed, n, dmm_shuffle_place(seed, n, i)) == i);
        }
}

/*
 * All indices, 3 * 2^32: about a quarter of an hour. A function with an inverse maps no two indices
 * to one, so that no bitmap of all places is needed.
 */
static void each_of_2_to_the_32_items_comes_once(void **state)
{
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (uint64_t n = UINT32_MAX; n <= ((uint64_t)1 << 32) + 1; n++) {
        if (!part_wanted(n - UINT32_MAX))
            continue;
        const dmm_shuffling shuffling = dmm_shuffle_begin(n, n);
        test_note("n = %llu", (unsigned long long)n);
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t from = dmm_shuffle_from(shuffling, i);
            REQUIRE(from < n && dmm_shuffle_to(shuffling, from) == i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_n_to_1100_is_a_bijection),
        cmocka_unit_test(around_powers_of_two_it_is_a_bijection),
        cmocka_unit_test(around_2_to_the_32_and_64_it_is_one_to_one),
        cmocka_unit_test(each_of_2_to_the_32_items_comes_once), /* 3 parts */
    };
    return cmocka_run_group_tests_name("shuffle_bijection", tests, NULL, NULL);
}
