/* SPDX-License-Identifier: MIT */
/*
 * The permutation as a function of the index: a bijection for every n, and as far from any pattern
 * as statistics can tell. Each statistic is also shown a network of too few rounds, which it must
 * refuse. All seeds are fixed, so that a verdict is the same on every machine.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/shuffle.h>

#include "support/random.h"
#include "support/rig.h"

/* The same text as the library's, with rounds of our choice where they are not 0. */
static uint32_t chosen_rounds;
#define DMM_SHUFFLE_ROUNDS(n) \
    (chosen_rounds != 0 ? chosen_rounds : (n) <= 1024 ? 24 : (n) <= 65536 ? 6 : 4)
#include "cl/shuffle.clh"

static uint64_t index_of(uint64_t seed, uint64_t n, uint64_t i)
{
    return dmm_shuffle_from(dmm_shuffle_begin(seed, n), i);
}

/* ---- Bijection ----------------------------------------------------------------------------- */

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
        REQUIRE(index_of(seed, n, i) == from);
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

/* All indices, each marked in a bitmap of 512 MiB: about half an hour. */
static void each_of_2_to_the_32_items_comes_once(void **state)
{
    enum { BITS = 64 };
    (void)state;
    if (sizes_wanted() != SIZES_FULL)
        skip();
    for (uint64_t n = UINT32_MAX; n <= ((uint64_t)1 << 32) + 1; n++) {
        const dmm_shuffling shuffling = dmm_shuffle_begin(n, n);
        uint64_t *const seen = calloc((size_t)(n / BITS + 1), sizeof *seen);
        REQUIRE(seen != NULL);
        test_note("n = %llu", (unsigned long long)n);
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t from = dmm_shuffle_from(shuffling, i), bit = (uint64_t)1 << from % BITS;
            REQUIRE(from < n && (seen[from / BITS] & bit) == 0);
            seen[from / BITS] |= bit;
        }
        free(seen);
    }
}

/* ---- Statistics: how many standard deviations a chi-square lies above its mean ---------------- */

enum { MOST_DEVIATIONS = 5 };

static double deviations(const double *counts, const double *expected, size_t cells)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    return (sum - (double)(cells - 1)) / sqrt(2.0 * (double)(cells - 1));
}

static double deviations_from_even(const double *counts, size_t cells, double total)
{
    double *expected = malloc(cells * sizeof *expected);
    REQUIRE(expected != NULL);
    for (size_t i = 0; i < cells; i++)
        expected[i] = total / (double)cells;
    const double z = deviations(counts, expected, cells);
    free(expected);
    return z;
}

/* Its number among the n! permutations. */
static size_t rank_of(uint64_t seed, uint32_t n)
{
    uint64_t order[8];
    size_t rank = 0;
    for (uint32_t i = 0; i < n; i++)
        order[i] = index_of(seed, n, i);
    for (uint32_t i = 0; i < n; i++) {
        size_t smaller = 0;
        for (uint32_t j = i + 1; j < n; j++)
            smaller += order[j] < order[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

static double all_permutations(uint32_t n, size_t per_cell)
{
    size_t cells = 1;
    for (uint32_t i = 2; i <= n; i++)
        cells *= i;
    double *counts = calloc(cells, sizeof *counts);
    REQUIRE(counts != NULL);
    for (size_t seed = 0; seed < cells * per_cell; seed++)
        counts[rank_of(seed, n)]++;
    const double z = deviations_from_even(counts, cells, (double)(cells * per_cell));
    free(counts);
    return z;
}

/* Items i and j over many seeds: where both go, in sixteenths of n. */
static double pair_over_seeds(uint64_t n, uint64_t i, uint64_t j, uint64_t seeds)
{
    enum { PARTS = 16 };
    double counts[PARTS * PARTS] = {0}, expected[PARTS * PARTS], size[PARTS];
    for (uint64_t p = 0; p < PARTS; p++)
        size[p] = (double)((n * (p + 1) + PARTS - 1) / PARTS - (n * p + PARTS - 1) / PARTS);
    for (int a = 0; a < PARTS; a++)
        for (int b = 0; b < PARTS; b++)
            expected[a * PARTS + b] =
                (double)seeds * size[a] * (size[b] - (a == b)) / ((double)n * (double)(n - 1));
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed + 1000 * i, n);
        const uint64_t a = dmm_shuffle_from(s, i), b = dmm_shuffle_from(s, j);
        counts[a * PARTS / n * PARTS + b * PARTS / n]++;
    }
    return deviations(counts, expected, PARTS * PARTS);
}

/* The distance of the two, mod n and then mod 64. */
static double distance_over_seeds(uint64_t n, uint64_t i, uint64_t j, uint64_t seeds)
{
    enum { CLASSES = 64 };
    double counts[CLASSES] = {0}, expected[CLASSES];
    for (uint64_t d = 0; d < CLASSES; d++)
        expected[d] = (double)seeds * (double)((n - 1 - d) / CLASSES + (d != 0)) / (double)(n - 1);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed + 77000 * j, n);
        const uint64_t a = dmm_shuffle_from(s, i), b = dmm_shuffle_from(s, j);
        counts[(a + n - b) % n % CLASSES]++;
    }
    return deviations(counts, expected, CLASSES);
}

static double pairs_over_seeds(uint64_t n, uint64_t seeds)
{
    const uint64_t columns = (uint64_t)1 << dmm_shuffle_begin(0, n).c;
    const uint64_t other[] = {1, columns, columns + 1, n / 2, n - 1};
    double most = 0;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
        const double p = pair_over_seeds(n, 0, other[k], seeds);
        const double d = distance_over_seeds(n, 0, other[k], seeds);
        most = p > most ? p : most;
        most = d > most ? d : most;
    }
    return most;
}

/* Within one permutation: neighbours at some distances, and where an item goes from where it was. */
static double within(uint64_t seed, uint64_t n)
{
    enum { PARTS = 32, CELLS = PARTS * PARTS };
    const dmm_shuffling s = dmm_shuffle_begin(seed, n);
    const uint64_t columns = (uint64_t)1 << s.c, apart[] = {1, 2, columns, columns + 1};
    double most = 0;
    for (size_t k = 0; k < sizeof apart / sizeof apart[0]; k++) {
        double pairs[CELLS] = {0}, moves[CELLS] = {0}, low[CELLS] = {0};
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t a = dmm_shuffle_from(s, i), b = dmm_shuffle_from(s, (i + apart[k]) % n);
            pairs[a * PARTS / n * PARTS + b * PARTS / n]++;
            moves[i * PARTS / n * PARTS + a * PARTS / n]++;
            low[i % PARTS * PARTS + a % PARTS]++;
        }
        const double z[] = {deviations_from_even(pairs, CELLS, (double)n),
            deviations_from_even(moves, CELLS, (double)n),
            deviations_from_even(low, CELLS, (double)n)};
        for (size_t i = 0; i < 3; i++)
            most = z[i] > most ? z[i] : most;
    }
    return most;
}

/* Fixed points are Poisson's with mean 1, nearly: of 0, 1, .. 4, and 5 or more. */
static double fixed_points(uint64_t n, uint64_t seeds)
{
    double counts[6] = {0}, expected[6], left = (double)seeds, of = (double)seeds * exp(-1.0);
    for (int k = 0; k < 5; k++) {
        expected[k] = of;
        left -= of;
        of /= k + 1;
    }
    expected[5] = left;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed, n);
        size_t fixed = 0;
        for (uint64_t i = 0; i < n; i++)
            fixed += dmm_shuffle_from(s, i) == i;
        counts[fixed < 5 ? fixed : 5]++;
    }
    return deviations(counts, expected, 6);
}

/* The cycle of an item is as likely of any length as of any other. */
static double cycle_lengths(uint64_t n, uint64_t seeds)
{
    double counts[16] = {0};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed, n);
        uint64_t length = 1;
        for (uint64_t i = dmm_shuffle_from(s, 3); i != 3; i = dmm_shuffle_from(s, i))
            length++;
        counts[(length - 1) * 16 / n]++;
    }
    return deviations_from_even(counts, 16, (double)seeds);
}

/* Half of the permutations are odd: n less the number of cycles is odd. */
static double parity(uint64_t n, uint64_t seeds)
{
    double counts[2] = {0};
    unsigned char *seen = malloc((size_t)n);
    REQUIRE(seen != NULL);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed, n);
        uint64_t cycles = 0;
        memset(seen, 0, (size_t)n);
        for (uint64_t i = 0; i < n; i++) {
            cycles += !seen[i];
            for (uint64_t j = i; !seen[j]; j = dmm_shuffle_from(s, j))
                seen[j] = 1;
        }
        counts[(n - cycles) % 2]++;
    }
    free(seen);
    return deviations_from_even(counts, 2, (double)seeds);
}

#define REQUIRE_EVEN(expr)                                               \
    do {                                                                 \
        const double z_ = (expr);                                        \
        test_note("%s is %.1f standard deviations too high", #expr, z_); \
        REQUIRE(z_ < MOST_DEVIATIONS);                                   \
    } while (0)

/* With so many rounds the statistic says no. */
#define REQUIRE_UNEVEN(rounds, expr)                               \
    do {                                                           \
        chosen_rounds = rounds;                                    \
        const double z_ = (expr);                                  \
        chosen_rounds = 0;                                         \
        test_note("%s is %.1f with %d rounds", #expr, z_, rounds); \
        REQUIRE(z_ > 2 * MOST_DEVIATIONS);                         \
    } while (0)

static void all_permutations_of_up_to_7_items_are_alike(void **state)
{
    (void)state;
    for (uint32_t n = 2; n <= 7; n++)
        REQUIRE_EVEN(all_permutations(n, (size_t)(n < 7 ? 400 : by_size(4, 40, 1000))));
    REQUIRE_UNEVEN(1, all_permutations(4, 100));
    REQUIRE_UNEVEN(4, all_permutations(6, 100));
}

static void pairs_of_items_are_independent_over_seeds(void **state)
{
    static const uint64_t sizes[] = {17, 100, 257, 1000, 1025, 4096, 65536, 65537, 1u << 20,
        1000003, (uint64_t)1 << 32, ((uint64_t)1 << 32) + 1, (uint64_t)1 << 50};
    const uint64_t seeds = by_size(2000, 50000, 4000000);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        REQUIRE_EVEN(pairs_over_seeds(sizes[i], seeds));
    REQUIRE_UNEVEN(2, pairs_over_seeds(257, 50000));
    REQUIRE_UNEVEN(2, pairs_over_seeds(1025, 50000));
    REQUIRE_UNEVEN(1, pairs_over_seeds(1u << 20, 50000));
}

static void within_a_permutation_there_is_no_pattern(void **state)
{
    (void)state;
    REQUIRE_EVEN(within(1, 65536));
    REQUIRE_EVEN(within(2, 65537));
    REQUIRE_EVEN(within(3, by_size(70000, 1000003, 1u << 24)));
    REQUIRE_UNEVEN(1, within(1, 65537));
}

static void fixed_points_and_cycles_are_as_they_should_be(void **state)
{
    (void)state;
    REQUIRE_EVEN(fixed_points(100, 5000));
    REQUIRE_EVEN(fixed_points(1500, by_size(200, 2000, 20000)));
    REQUIRE_EVEN(cycle_lengths(64, 10000));
    REQUIRE_EVEN(cycle_lengths(3000, by_size(200, 2000, 20000)));
    REQUIRE_EVEN(parity(16, 4000));
    REQUIRE_EVEN(parity(1100, by_size(200, 1000, 20000)));
    REQUIRE_UNEVEN(1, fixed_points(16, 20000));
}

static void the_text_for_kernels_is_the_function_s(void **state)
{
    (void)state;
    test_note("the source");
    REQUIRE(strstr(dmm_shuffle_source(), "dmm_shuffle_index(ulong seed") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_n_to_1100_is_a_bijection),
        cmocka_unit_test(around_powers_of_two_it_is_a_bijection),
        cmocka_unit_test(around_2_to_the_32_and_64_it_is_one_to_one),
        cmocka_unit_test(each_of_2_to_the_32_items_comes_once),
        cmocka_unit_test(all_permutations_of_up_to_7_items_are_alike),
        cmocka_unit_test(pairs_of_items_are_independent_over_seeds),
        cmocka_unit_test(within_a_permutation_there_is_no_pattern),
        cmocka_unit_test(fixed_points_and_cycles_are_as_they_should_be),
        cmocka_unit_test(the_text_for_kernels_is_the_function_s),
    };
    return cmocka_run_group_tests_name("shuffle_quality", tests, NULL, NULL);
}
