/* SPDX-License-Identifier: MIT */
/*
 * The full worst permutation, sorted by the modelled merge sort: every warp of every round meets
 * what it was built for. What early rounds are built for is compared with all that could be chosen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dmm-model/dmm-model.h>
#include <model/shape.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"

/* ---- Early rounds -------------------------------------------------------------------------- */

/* The aligned accesses of one merge of `threads` threads whose lists begin at `base`. */
static uint32_t aligned_of(
    const dmm_model_share *shares, uint32_t threads, uint32_t w, uint32_t E, uint32_t base)
{
    uint32_t a = base, b = base + threads / 2 * E, aligned = 0;
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t j = 0; j < E; j++) {
            const bool from_b = shares[t].b_first ? j < shares[t].b : j >= shares[t].a;
            const uint32_t word = from_b ? b++ : a++;
            aligned += word % w == (w - E + j) % w;
        }
    return a == base + threads / 2 * E ? aligned : 0; /* the lists must come out even */
}

/* The most that any shares reach: tries all, thread by thread. */
static uint32_t best_of_all(
    dmm_model_share *shares, uint32_t t, uint32_t threads, uint32_t w, uint32_t E, uint32_t base)
{
    if (t == threads)
        return aligned_of(shares, threads, w, E, base);
    uint32_t best = 0;
    for (uint32_t i = 0; i < 2 * (E + 1); i++) {
        shares[t] = (dmm_model_share){i / 2, E - i / 2, i % 2};
        const uint32_t value = best_of_all(shares, t + 1, threads, w, E, base);
        best = value > best ? value : best;
    }
    return best;
}

static void early_shares_are_the_best_of_all(void **state)
{
    (void)state;
    static const struct {
        uint32_t w, E, threads;
    } cases[] = {{4, 3, 2}, {4, 3, 4}, {4, 4, 4}, {8, 5, 2}, {8, 7, 2}, {8, 5, 4}, {16, 15, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t w = cases[i].w, E = cases[i].E, threads = cases[i].threads;
        dmm_model_share shares[16], tried[16];
        assert_int_equal(dmm_worst_early(shares, threads, w, E), DMM_MODEL_OK);
        for (uint32_t first = 0; first < w; first += threads)
            assert_int_equal(aligned_of(shares + first, threads, w, E, first * E),
                best_of_all(tried, 0, threads, w, E, first * E));
    }
}

/* ---- The full permutation ------------------------------------------------------------------ */

static bool is_permutation(const uint64_t *ranks, uint64_t n)
{
    uint8_t *seen = calloc(n + 1, 1);
    bool good = true;
    for (uint64_t i = 0; i < n; i++) {
        good = good && ranks[i] < n && !seen[ranks[i]];
        if (good)
            seen[ranks[i]] = 1;
    }
    free(seen);
    return good;
}

static bool is_identity(const uint64_t *ranks, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (ranks[i] != i)
            return false;
    return true;
}

/* The aligned accesses that a warp of this round is built to have. */
static uint64_t intended(uint64_t threads, uint32_t w, uint32_t E)
{
    if (threads > w)
        return dmm_model_worst_aligned(w, E);
    dmm_model_share shares[DMM_MODEL_LANES_MAX];
    uint64_t aligned = 0;
    assert_int_equal(dmm_worst_early(shares, (uint32_t)threads, w, E), DMM_MODEL_OK);
    for (uint32_t first = 0; first < w; first += (uint32_t)threads)
        aligned += aligned_of(shares + first, (uint32_t)threads, w, E, first * E);
    return aligned;
}

static void every_warp_of_every_round_is_as_constructed(void **state)
{
    (void)state;
    static const dmm_model_merge_shape shapes[] = {{2, 2, 2}, {4, 4, 3}, {4, 16, 4}, {8, 8, 5},
        {8, 32, 8}, {16, 16, 15}, {16, 64, 11}, {32, 32, 17}, {32, 64, 31}, {32, 128, 15},
        {32, 128, 16}, {32, 256, 32}, {64, 64, 15}, {64, 128, 48}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (uint64_t tiles = 1; tiles <= 8; tiles *= 2) {
            const dmm_model_merge_shape *shape = &shapes[i];
            const uint64_t n = tiles * shape->u * shape->E;
            uint64_t *ranks = malloc(n * sizeof *ranks);
            assert_int_equal(dmm_model_worst_merge(ranks, n, shape), DMM_MODEL_OK);
            assert_true(is_permutation(ranks, n));

            dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
            uint32_t used;
            assert_int_equal(dmm_model_plain_sort(rounds, &used, ranks, n, shape), DMM_MODEL_OK);
            assert_true(is_identity(ranks, n));
            for (uint32_t r = 0; r < used; r++) {
                const uint64_t each = intended(rounds[r].threads, shape->w, shape->E);
                if (rounds[r].aligned_least != each || rounds[r].aligned != each * rounds[r].warps)
                    fail_msg("w %u, u %u, E %u, %llu tiles, merges of %llu threads", shape->w,
                        shape->u, shape->E, (unsigned long long)tiles,
                        (unsigned long long)rounds[r].threads);
            }
            free(ranks);
        }
}

static void the_judges_of_permutations_reject_wrong_ones(void **state)
{
    (void)state;
    const dmm_model_merge_shape shape = {8, 16, 5};
    uint64_t ranks[160];
    assert_int_equal(dmm_model_worst_merge(ranks, 160, &shape), DMM_MODEL_OK);
    assert_false(is_identity(ranks, 160));
    const uint64_t kept = ranks[7];
    ranks[7] = ranks[8];
    assert_false(is_permutation(ranks, 160));
    ranks[7] = 160;
    assert_false(is_permutation(ranks, 160));

    ranks[7] = ranks[90]; /* a permutation again, but two items stand in each other's place */
    ranks[90] = kept;
    assert_true(is_permutation(ranks, 160));
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used;
    assert_int_equal(dmm_model_plain_sort(rounds, &used, ranks, 160, &shape), DMM_MODEL_OK);
    bool missed = false;
    for (uint32_t r = 0; r < used; r++)
        missed = missed || rounds[r].aligned_least != intended(rounds[r].threads, 8, 5);
    assert_true(missed);
}

static void any_n_gives_a_permutation_with_the_last_tile_in_order(void **state)
{
    (void)state;
    const dmm_model_merge_shape shape = {8, 16, 5}; /* tiles of 80 */
    for (uint64_t n = 0; n <= 1300; n++) {
        uint64_t *ranks = malloc((n + 1) * sizeof *ranks);
        ranks[n] = 4711;
        assert_int_equal(dmm_model_worst_merge(ranks, n, &shape), DMM_MODEL_OK);
        assert_true(is_permutation(ranks, n));
        for (uint64_t i = n - n % 80; i < n; i++)
            assert_int_equal(ranks[i], i);
        assert_int_equal(ranks[n], 4711);
        free(ranks);
    }
}

/* Knuth's MMIX generator. */
static void fill_random(uint64_t *keys, uint64_t n)
{
    for (uint64_t i = 0, x = 1; i < n; i++)
        keys[i] = (x = x * 6364136223846793005u + 1442695040888963407u) >> 20;
}

static void it_costs_more_than_random_keys_in_every_round(void **state)
{
    (void)state;
    const dmm_model_merge_shape shape = {32, 128, 15};
    enum { N = 5 * 128 * 15 };
    static uint64_t worst[N], random[N];
    assert_int_equal(dmm_model_worst_merge(worst, N, &shape), DMM_MODEL_OK);
    fill_random(random, N);
    dmm_model_plain_round w[DMM_MODEL_PLAIN_ROUNDS_MAX], r[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used;
    assert_int_equal(dmm_model_plain_sort(w, &used, worst, N, &shape), DMM_MODEL_OK);
    assert_int_equal(dmm_model_plain_sort(r, &used, random, N, &shape), DMM_MODEL_OK);
    assert_int_equal(used, 7 + 3);
    for (uint32_t i = 0; i + 1 < used; i++)
        assert_true(w[i].gather.passes > 2 * r[i].gather.passes);
    assert_true(w[used - 1].gather.passes > r[used - 1].gather.passes); /* lists of 4 and 1 tiles */
}

/* FNV-1a (Fowler, Noll, Vo) of the ranks as little-endian bytes. */
static uint64_t fingerprint(const uint64_t *ranks, uint64_t n)
{
    uint64_t hash = DMM_FNV1A;
    for (uint64_t i = 0; i < 8 * n; i++)
        hash = dmm_fnv1a(hash, ranks[i / 8] >> (8 * (i % 8)) & 0xff);
    return hash;
}

static void the_permutation_never_changes(void **state)
{
    (void)state;
    const dmm_model_merge_shape odd = {32, 64, 15}, even = {32, 64, 24};
    static uint64_t ranks[10000];
    assert_int_equal(dmm_model_worst_merge(ranks, 10000, &odd), DMM_MODEL_OK);
    assert_int_equal(fingerprint(ranks, 10000), 0x78c62d1c41a63509);
    assert_int_equal(dmm_model_worst_merge(ranks, 10000, &even), DMM_MODEL_OK);
    assert_int_equal(fingerprint(ranks, 10000), 0xb9baf6cd0677de45);
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    static const struct {
        dmm_model_merge_shape shape;
        dmm_model_status status;
    } cases[] = {
        {{0, 64, 15}, DMM_MODEL_BAD_VALUE},
        {{1, 64, 1}, DMM_MODEL_BAD_VALUE},
        {{12, 64, 5}, DMM_MODEL_BAD_VALUE},
        {{512, 512, 15}, DMM_MODEL_BAD_VALUE},
        {{32, 0, 15}, DMM_MODEL_BAD_VALUE},
        {{32, 16, 15}, DMM_MODEL_BAD_VALUE},
        {{32, 96, 15}, DMM_MODEL_BAD_VALUE},
        {{32, 131072, 15}, DMM_MODEL_BAD_VALUE},
        {{32, 64, 0}, DMM_MODEL_BAD_VALUE},
        {{32, 64, 1}, DMM_MODEL_BAD_VALUE},
        {{32, 64, 33}, DMM_MODEL_BAD_VALUE},
        {{32, 64, UINT32_MAX}, DMM_MODEL_BAD_VALUE},
        {{256, 256, 65}, DMM_MODEL_TOO_LARGE},
    };
    uint64_t rank = 7;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(dmm_model_worst_merge(&rank, 1, &cases[i].shape), cases[i].status);
        assert_int_equal(rank, 7);
    }
    const dmm_model_merge_shape good = {32, 64, 15};
    assert_int_equal(dmm_model_worst_merge(NULL, 1, &good), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_worst_merge(&rank, 1, NULL), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_worst_merge(&rank, UINT64_MAX, &good), DMM_MODEL_TOO_LARGE);
}

/* ---- The family ---------------------------------------------------------------------------- */

/* Returns the passes of all merges of a draw, and checks that it is sorted; round by round in
 * `rounds`. */
static double passes_of_draw(dmm_model_plain_round *rounds, uint32_t *used, uint64_t n,
    const dmm_model_merge_shape *shape, uint64_t seed, uint32_t share)
{
    uint64_t *ranks = malloc(n * sizeof *ranks);
    double passes = 0;
    assert_int_equal(dmm_model_worst_draw(ranks, n, shape, seed, share), DMM_MODEL_OK);
    assert_true(is_permutation(ranks, n));
    assert_int_equal(dmm_model_plain_sort(rounds, used, ranks, n, shape), DMM_MODEL_OK);
    assert_true(is_identity(ranks, n));
    for (uint32_t r = 0; r < *used; r++)
        passes += (double)rounds[r].gather.passes;
    free(ranks);
    return passes;
}

static void members_of_the_family_have_the_same_passes(void **state)
{
    static const dmm_model_merge_shape shapes[] = {
        {4, 4, 3}, {8, 32, 8}, {16, 64, 11}, {32, 32, 17}, {32, 128, 15}, {32, 128, 16}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (uint64_t tiles = 1; tiles <= 5; tiles += 2) {
            const dmm_model_merge_shape *shape = &shapes[i];
            const uint64_t n = tiles * shape->u * shape->E + 5;
            uint64_t *ranks = malloc(n * sizeof *ranks), *other = malloc(n * sizeof *other);
            dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX],
                drawn[DMM_MODEL_PLAIN_ROUNDS_MAX];
            uint32_t used, used_drawn;
            assert_int_equal(dmm_model_worst_merge(ranks, n, shape), DMM_MODEL_OK);
            assert_int_equal(dmm_model_worst_draw(other, n, shape, 1, 100), DMM_MODEL_OK);
            assert_memory_not_equal(ranks, other, n * sizeof *ranks);
            assert_int_equal(dmm_model_worst_draw(ranks, n, shape, 2, 100), DMM_MODEL_OK);
            assert_memory_not_equal(ranks, other, n * sizeof *ranks);
            assert_int_equal(dmm_model_worst_merge(ranks, n, shape), DMM_MODEL_OK);
            assert_int_equal(dmm_model_plain_sort(rounds, &used, ranks, n, shape), DMM_MODEL_OK);
            for (uint64_t seed = 0; seed < 4; seed++) {
                passes_of_draw(drawn, &used_drawn, n, shape, seed, 100);
                assert_int_equal(used, used_drawn);
                for (uint32_t r = 0; r < used; r++) {
                    assert_int_equal(drawn[r].aligned, rounds[r].aligned);
                    assert_int_equal(drawn[r].gather.passes, rounds[r].gather.passes);
                }
            }
            free(other);
            free(ranks);
        }
}

static void passes_grow_with_the_share_of_worst_warps(void **state)
{
    const dmm_model_merge_shape shape = {32, 128, 15};
    const uint64_t n = 32 * shape.u * shape.E;
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint64_t *keys = malloc(n * sizeof *keys), random = 3, rank = 7;
    uint32_t used;
    double before = 0, none = 0, passes = 0;
    (void)state;
    for (uint32_t share = 0; share <= 100; share += 20) {
        const double now = passes_of_draw(rounds, &used, n, &shape, 9, share);
        assert_true(now > before);
        none = share == 0 ? now : none;
        before = now;
    }
    for (uint64_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        const uint64_t j = (random >> 33) % (i + 1);
        keys[i] = keys[j];
        keys[j] = i;
    }
    assert_int_equal(dmm_model_plain_sort(rounds, &used, keys, n, &shape), DMM_MODEL_OK);
    for (uint32_t r = 0; r < used; r++)
        passes += (double)rounds[r].gather.passes;
    /* pairs that begin at bank 0 are a little better off than random keys */
    assert_true(none > 0.85 * passes && none < passes);
    assert_int_equal(dmm_model_worst_draw(&rank, 1, &shape, 0, 101), DMM_MODEL_BAD_VALUE);
    assert_int_equal(rank, 7);
    free(keys);
}

/* ---- The table ----------------------------------------------------------------------------- */

/* Sorts the keys and prints the passes of search, gather and store, a warp a round. */
static double print_costs(uint64_t *keys, uint64_t n, const dmm_model_merge_shape *shape)
{
    dmm_model_plain_round rounds[DMM_MODEL_PLAIN_ROUNDS_MAX];
    uint32_t used = 0;
    if (dmm_model_plain_sort(rounds, &used, keys, n, shape))
        return 0;
    double search = 0, gather = 0, store = 0, warps = 0;
    for (uint32_t r = 0; r < used; r++) {
        search += (double)rounds[r].search.passes;
        gather += (double)rounds[r].gather.passes;
        store += (double)rounds[r].store.passes;
        warps += (double)rounds[r].warps;
    }
    printf(" %.1f | %.1f | %.1f |", search / warps, gather / warps, store / warps);
    return (search + gather + store) / warps;
}

static int print_table(void)
{
    static const dmm_model_merge_shape shapes[] = {
        {32, 512, 15}, {32, 256, 17}, {32, 256, 16}, {32, 128, 32}, {16, 256, 15}, {64, 256, 15}};
    enum { TILES = 16, N_MAX = TILES * 512 * 32 };
    static uint64_t keys[N_MAX];
    puts(
        "| w | u | E | random: search | gather | store | worst: search | gather | store | ratio |");
    puts("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const uint64_t n = (uint64_t)TILES * shapes[i].u * shapes[i].E;
        printf("| %u | %u | %u |", shapes[i].w, shapes[i].u, shapes[i].E);
        fill_random(keys, n);
        const double random = print_costs(keys, n, &shapes[i]);
        if (dmm_model_worst_merge(keys, n, &shapes[i]))
            return 1;
        const double worst = print_costs(keys, n, &shapes[i]);
        printf(" %.2f |\n", worst / random);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "table") == 0)
        return print_table();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_of_the_family_have_the_same_passes),
        cmocka_unit_test(passes_grow_with_the_share_of_worst_warps),
        cmocka_unit_test(early_shares_are_the_best_of_all),
        cmocka_unit_test(every_warp_of_every_round_is_as_constructed),
        cmocka_unit_test(the_judges_of_permutations_reject_wrong_ones),
        cmocka_unit_test(any_n_gives_a_permutation_with_the_last_tile_in_order),
        cmocka_unit_test(it_costs_more_than_random_keys_in_every_round),
        cmocka_unit_test(the_permutation_never_changes),
        cmocka_unit_test(bad_shapes_are_refused),
    };
    return cmocka_run_group_tests_name("worst_sort", tests, NULL, NULL);
}
