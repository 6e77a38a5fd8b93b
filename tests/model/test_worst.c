/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * One warp of the worst input of a pairwise merge sort: the lists that its shares describe are
 * made, merged, and the reads counted, against Theorem 30 of Berney 2023 for every w and E.
 * `test_worst table` prints the table of docs/model.md instead.
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

static const uint32_t widths[] = {8, 12, 16, 32, 64};

/* ---- One warp that merges ------------------------------------------------------------------ */

typedef struct warp_cost {
    uint64_t aligned, passes, conflicts;
} warp_cost;

/* Merges a and b, and notes for each item of the result the word it came from: a first, then b. */
static void merge(uint32_t *words, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
{
    uint32_t i = 0, j = 0;
    while (i + j < na + nb) {
        const bool from_a = j == nb || (i < na && a[i] < b[j]);
        words[i + j] = from_a ? i : na + j;
        from_a ? i++ : j++;
    }
}

/* The cost of the reads of w threads, E items each, from these words. */
static warp_cost cost_of_reads(const uint32_t *words, uint32_t w, uint32_t E)
{
    const dmm_model_local machine = {.banks = w, .lanes = w};
    warp_cost cost = {0};
    for (uint32_t j = 0; j < E; j++) {
        dmm_model_access accesses[DMM_MODEL_LANES_MAX];
        for (uint32_t t = 0; t < w; t++) {
            const uint32_t word = words[t * E + j];
            accesses[t] = (dmm_model_access){4ULL * word, 4, t};
            cost.aligned += word % w == (w - E + j) % w;
        }
        dmm_model_reading r;
        assert_int_equal(
            dmm_model_local_step(&r, &machine, DMM_MODEL_READ, accesses, w), DMM_MODEL_OK);
        cost.passes += r.passes;
        cost.conflicts += r.conflicts;
    }
    return cost;
}

/* Makes the two sorted lists that these shares describe, merges them, and counts the reads. */
static warp_cost cost_of_shares(const dmm_model_share *shares, uint32_t w, uint32_t E)
{
    uint32_t *items = malloc(3 * w * E * sizeof *items);
    uint32_t *a = items, *b = items + w * E, *words = items + 2 * w * E;
    uint32_t na = 0, nb = 0;
    for (uint32_t t = 0; t < w; t++) {
        const uint32_t value = t * E;
        for (uint32_t k = 0; k < shares[t].a; k++)
            a[na++] = value + k + (shares[t].b_first ? shares[t].b : 0);
        for (uint32_t k = 0; k < shares[t].b; k++)
            b[nb++] = value + k + (shares[t].b_first ? 0 : shares[t].a);
    }
    assert_int_equal(na + nb, w * E);
    merge(words, a, na, b, nb);
    const warp_cost cost = cost_of_reads(words, w, E);
    free(items);
    return cost;
}

static warp_cost cost_of_warp(uint32_t w, uint32_t E, bool mirrored)
{
    dmm_model_share shares[DMM_MODEL_LANES_MAX];
    assert_int_equal(dmm_model_worst_warp(shares, w, E, mirrored), DMM_MODEL_OK);
    return cost_of_shares(shares, w, E);
}

/* ---- The sequence T ------------------------------------------------------------------------ */

static void aligned_accesses_meet_theorem_30_for_every_w_and_E(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        for (uint32_t w = widths[i], E = 2; E <= w; E++)
            for (int mirrored = 0; mirrored <= 1; mirrored++) {
                const warp_cost cost = cost_of_warp(w, E, mirrored);
                if (cost.aligned != dmm_model_worst_aligned(w, E))
                    fail_msg("w %u, E %u, mirrored %d: %llu aligned", w, E, mirrored,
                        (unsigned long long)cost.aligned);
                assert_true(cost.passes >= cost.aligned);
                assert_int_equal(cost.conflicts, cost.passes - E);
            }
}

static void lists_share_a_warp_by_whole_columns(void **state)
{
    (void)state;
    for (uint32_t w = 2; w <= DMM_MODEL_LANES_MAX; w++)
        for (uint32_t E = 2; E <= w; E++)
            for (int mirrored = 0; mirrored <= 1; mirrored++) {
                dmm_model_share shares[DMM_MODEL_LANES_MAX];
                assert_int_equal(dmm_model_worst_warp(shares, w, E, mirrored), DMM_MODEL_OK);
                uint32_t a = 0;
                for (uint32_t t = 0; t < w; t++) {
                    assert_int_equal(shares[t].a + shares[t].b, E);
                    a += shares[t].a;
                }
                assert_int_equal(a, (mirrored ? E / 2 : (E + 1) / 2) * w);
            }
}

static void the_sequences_are_those_of_figure_4_1(void **state)
{
    (void)state;
    static const uint32_t five[] = {2, 5, 5, 1, 0, 1, 5, 5, 2, 0, 5, 5}; /* items of A, w = 12 */
    static const uint32_t nine[] = {3, 9, 3, 9, 6, 0, 6, 0, 3, 9, 3, 9};
    dmm_model_share shares[12];
    assert_int_equal(dmm_model_worst_warp(shares, 12, 5, false), DMM_MODEL_OK);
    for (int t = 0; t < 12; t++)
        assert_int_equal(shares[t].a, five[t]);
    assert_int_equal(dmm_model_worst_warp(shares, 12, 9, false), DMM_MODEL_OK);
    for (int t = 0; t < 12; t++)
        assert_int_equal(shares[t].a, nine[t]);
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Returns the passes of a warp of w lanes that read E items each: a conjecture (docs/model.md). */
static uint64_t conjectured_passes(uint32_t w, uint32_t E)
{
    const uint32_t d = gcd(w, E), W = w / d, e = E / d;
    return 2 * E < w ? (uint64_t)E * E : (uint64_t)d * d * (W * e - W * W / 4);
}

static void passes_have_a_closed_form(void **state)
{
    (void)state;
    for (uint32_t w = 3; w <= 128; w++)
        for (uint32_t E = 2; E <= w; E++)
            if (cost_of_warp(w, E, false).passes != conjectured_passes(w, E))
                fail_msg("w %u, E %u", w, E);
}

static void known_counts_of_two_warps(void **state)
{
    (void)state;
    const warp_cost e15 = cost_of_warp(32, 15, false), e31 = cost_of_warp(32, 31, false);
    assert_int_equal(e15.aligned, 225);
    assert_int_equal(e15.passes, 225);
    assert_int_equal(e15.conflicts, 210);
    assert_int_equal(e31.aligned, 526);
    assert_int_equal(e31.passes, 736);
    assert_int_equal(e31.conflicts, 705);

    /* The first thread may also begin with A: as many are aligned, fewer of the others collide. */
    dmm_model_share shares[32];
    assert_int_equal(dmm_model_worst_warp(shares, 32, 31, false), DMM_MODEL_OK);
    assert_true(shares[0].b_first);
    shares[0].b_first = false;
    const warp_cost other = cost_of_shares(shares, 32, 31);
    assert_int_equal(other.aligned, 526);
    assert_int_equal(other.passes, 723);
    assert_int_equal(other.conflicts, 692);
}

/* The most aligned accesses that the search finds in the thesis' own lists (both from bank 0), and
 * in halves of w*E/2 items, of which the second may begin at another bank. */
static uint64_t searched(uint32_t w, uint32_t E, bool halves)
{
    dmm_model_share shares[DMM_MODEL_LANES_MAX];
    assert_int_equal(
        halves ? dmm_worst_early(shares, w, w, E) : dmm_worst_best(shares, w, E), DMM_MODEL_OK);
    return cost_of_shares(shares, w, E).aligned;
}

static void the_sequence_is_the_best_up_to_half_and_at_some_E_above(void **state)
{
    static const struct {
        uint32_t w, E, aligned, own, halves;
    } known[] = {{8, 5, 24, 24, 24}, {8, 6, 32, 32, 32}, {8, 7, 34, 36, 40}, {12, 7, 48, 48, 48},
        {12, 11, 76, 88, 96}, {16, 9, 80, 80, 80}, {16, 12, 128, 128, 128}, {16, 15, 134, 164, 176},
        {32, 17, 288, 288, 288}, {32, 24, 512, 512, 512}, {32, 31, 526, 708, 736}};
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint32_t w = known[i].w, E = known[i].E;
        assert_int_equal(dmm_model_worst_aligned(w, E), known[i].aligned);
        assert_int_equal(searched(w, E, false), known[i].own);
        assert_int_equal(searched(w, E, true), known[i].halves);
    }
    for (size_t i = 0; i < 4; i++) /* without w = 64 */
        for (uint32_t w = widths[i], E = 2; E <= w; E++) {
            const uint64_t aligned = dmm_model_worst_aligned(w, E), own = searched(w, E, false);
            assert_true(own >= aligned);
            if (E <= w / 2 || E == w)
                assert_int_equal(own, aligned);
        }
}

static void a_damaged_sequence_misses_the_theorem(void **state)
{
    (void)state;
    dmm_model_share shares[32];
    assert_int_equal(dmm_model_worst_warp(shares, 32, 15, false), DMM_MODEL_OK);
    const dmm_model_share scan = shares[2]; /* the one that ends the first column */
    shares[2] = shares[3];
    shares[3] = scan;
    assert_true(cost_of_shares(shares, 32, 15).aligned < dmm_model_worst_aligned(32, 15));
    for (uint32_t t = 0; t < 32; t++)
        shares[t] = (dmm_model_share){t < 16 ? 15 : 0, t < 16 ? 0 : 15, false};
    assert_int_equal(cost_of_shares(shares, 32, 15).conflicts, 0);
}

static void bad_warps_are_refused(void **state)
{
    (void)state;
    dmm_model_share shares[1];
    assert_int_equal(dmm_model_worst_warp(NULL, 32, 15, false), DMM_MODEL_NULL_ARGUMENT);
    assert_int_equal(dmm_model_worst_warp(shares, 257, 15, false), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_worst_warp(shares, 32, 1, false), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_worst_warp(shares, 32, 33, false), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_worst_warp(shares, 0, 0, false), DMM_MODEL_BAD_VALUE);
    assert_int_equal(dmm_model_worst_aligned(32, 1), 0);
    assert_int_equal(dmm_model_worst_aligned(32, 33), 0);
    assert_int_equal(dmm_model_worst_aligned(0, 0), 0);
}

/* ---- The table ----------------------------------------------------------------------------- */

static int print_table(void)
{
    puts("| w | E | gcd | Theorem 30 | aligned | passes | excess | search | search, halves |");
    puts("|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        for (uint32_t w = widths[i], E = 2; E <= w; E++) {
            uint32_t d = E;
            while (w % d || E % d)
                d--;
            const warp_cost cost = cost_of_warp(w, E, false);
            printf("| %u | %u | %u | %llu | %llu | %llu | %llu | ", w, E, d,
                (unsigned long long)dmm_model_worst_aligned(w, E), (unsigned long long)cost.aligned,
                (unsigned long long)cost.passes, (unsigned long long)cost.conflicts);
            printf("%llu | %llu |\n", (unsigned long long)searched(w, E, false),
                (unsigned long long)searched(w, E, true));
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "table") == 0)
        return print_table();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligned_accesses_meet_theorem_30_for_every_w_and_E),
        cmocka_unit_test(lists_share_a_warp_by_whole_columns),
        cmocka_unit_test(the_sequences_are_those_of_figure_4_1),
        cmocka_unit_test(passes_have_a_closed_form),
        cmocka_unit_test(known_counts_of_two_warps),
        cmocka_unit_test(the_sequence_is_the_best_up_to_half_and_at_some_E_above),
        cmocka_unit_test(a_damaged_sequence_misses_the_theorem),
        cmocka_unit_test(bad_warps_are_refused),
    };
    return cmocka_run_group_tests_name("worst", tests, NULL, NULL);
}
