/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * The permutation as a function of the index is as far from any pattern as statistics can tell, and
 * no more even than chance. Each statistic is also shown a network of too few rounds, which it must
 * refuse. All seeds are fixed, so that a verdict is the same on every machine.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/shuffle.h>

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

/* ---- Statistics: how many standard deviations a chi-square lies from its mean -----------------
 * */

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

/* The one further from 0: a chi-square far below its mean is too even to be chance. */
static double further(double z, double other)
{
    return fabs(other) > fabs(z) ? other : z;
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

/* Three items over many seeds: where they go, in eighths of n; n from 24 on. */
static double triple_over_seeds(uint64_t n, const uint64_t items[3], uint64_t seeds)
{
    enum { PARTS = 8, CELLS = PARTS * PARTS * PARTS };
    double counts[CELLS] = {0}, expected[CELLS], size[PARTS];
    for (uint64_t p = 0; p < PARTS; p++)
        size[p] = (double)((n * (p + 1) + PARTS - 1) / PARTS - (n * p + PARTS - 1) / PARTS);
    for (int x = 0; x < CELLS; x++) {
        const int a = x / PARTS / PARTS, b = x / PARTS % PARTS, c = x % PARTS;
        expected[x] = (double)seeds * size[a] * (size[b] - (a == b)) *
                      (size[c] - (c == a) - (c == b)) / (double)n / (double)(n - 1) /
                      (double)(n - 2);
    }
    for (uint64_t seed = 0; seed < seeds; seed++) {
        const dmm_shuffling s = dmm_shuffle_begin(seed + 3000000, n);
        size_t cell = 0;
        for (int k = 0; k < 3; k++)
            cell = cell * PARTS + (size_t)(dmm_shuffle_from(s, items[k]) * PARTS / n);
        counts[cell]++;
    }
    return deviations(counts, expected, CELLS);
}

/* Neighbours, a row, a column, and a rectangle's corners but one, of rows of 2^c. */
static double triples_over_seeds(uint64_t n, uint64_t seeds)
{
    const uint64_t columns = (uint64_t)1 << dmm_shuffle_begin(0, n).c;
    const uint64_t triples[][3] = {{0, 1, 2}, {0, 1, columns - 1},
        {0, columns, 2 * columns < n ? 2 * columns : n - 1}, {0, 1, columns}, {0, n / 2, n - 1}};
    double most = 0;
    for (size_t k = 0; k < sizeof triples / sizeof triples[0]; k++)
        most = further(most, triple_over_seeds(n, triples[k], seeds));
    return most;
}

static double pairs_over_seeds(uint64_t n, uint64_t seeds)
{
    const uint64_t columns = (uint64_t)1 << dmm_shuffle_begin(0, n).c;
    const uint64_t other[] = {1, columns, columns + 1, n / 2, n - 1};
    double most = 0;
    for (size_t k = 0; k < sizeof other / sizeof other[0]; k++) {
        most = further(most, pair_over_seeds(n, 0, other[k], seeds));
        most = further(most, distance_over_seeds(n, 0, other[k], seeds));
    }
    return most;
}

/* Within one permutation: neighbours at some distances, and where an item goes from where it was.
 * */
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
            most = further(most, z[i]);
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

#define REQUIRE_EVEN(expr)                                          \
    do {                                                            \
        const double z_ = (expr);                                   \
        test_note("%s is %.1f standard deviations off", #expr, z_); \
        REQUIRE(fabs(z_) < MOST_DEVIATIONS);                        \
    } while (0)

/* With so many rounds the statistic says no. */
#define REQUIRE_UNEVEN(rounds, expr)                               \
    do {                                                           \
        chosen_rounds = rounds;                                    \
        const double z_ = (expr);                                  \
        chosen_rounds = 0;                                         \
        test_note("%s is %.1f with %d rounds", #expr, z_, rounds); \
        REQUIRE(fabs(z_) > 2 * MOST_DEVIATIONS);                   \
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
    const uint64_t seeds = by_size(2000, 50000, 1000000);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        REQUIRE_EVEN(pairs_over_seeds(sizes[i], seeds));
    REQUIRE_UNEVEN(2, pairs_over_seeds(257, 50000));
    REQUIRE_UNEVEN(2, pairs_over_seeds(1025, 50000));
    REQUIRE_UNEVEN(1, pairs_over_seeds(1u << 20, 50000));
}

static void triples_of_items_are_independent_over_seeds(void **state)
{
    static const uint64_t sizes[] = {100, 257, 1025, 65537, 1u << 20, (uint64_t)1 << 50};
    const uint64_t seeds = by_size(5000, 100000, 2000000);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        REQUIRE_EVEN(triples_over_seeds(sizes[i], seeds));
    REQUIRE_UNEVEN(1, triples_over_seeds(257, 50000));
    REQUIRE_UNEVEN(1, triples_over_seeds(1025, 50000));
}

/* A chi-square of 0 is as bad as a large one. */
static void orders_that_are_too_even_are_refused(void **state)
{
    enum { CELLS = 64 };
    double counts[CELLS];
    (void)state;
    for (int i = 0; i < CELLS; i++)
        counts[i] = 1000;
    test_note("even counts");
    REQUIRE(fabs(deviations_from_even(counts, CELLS, 1000.0 * CELLS)) > MOST_DEVIATIONS);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_permutations_of_up_to_7_items_are_alike),
        cmocka_unit_test(pairs_of_items_are_independent_over_seeds),
        cmocka_unit_test(triples_of_items_are_independent_over_seeds),
        cmocka_unit_test(orders_that_are_too_even_are_refused),
        cmocka_unit_test(within_a_permutation_there_is_no_pattern),
        cmocka_unit_test(fixed_points_and_cycles_are_as_they_should_be),
    };
    return cmocka_run_group_tests_name("shuffle_quality", tests, NULL, NULL);
}
