/* SPDX-License-Identifier: MIT */
/*
 * Permuting a tall matrix: every item arrives, no step has a conflict, the steps of each part are
 * those of its formula, and rounds leave as many items as chance leaves.
 */
#include "support/require.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <dmm-model/dmm-model.h>
#include <model/tall.h>
#include <dmm/shuffle.h>

/* random; transposed: row i goes to column i; turned: each row goes to the next one; kept */
enum { RANDOM, TRANSPOSED, TURNED, KEPT, ORDERS };

static uint32_t *goals_of(uint32_t w, uint32_t m, int order)
{
    const uint32_t n = w * m;
    uint32_t *goals = malloc(n * sizeof *goals);
    REQUIRE(goals != NULL);
    for (uint32_t x = 0; x < n; x++)
        goals[x] = order == RANDOM       ? (uint32_t)dmm_shuffle_index(1, n, x)
                   : order == TRANSPOSED ? x % m * w + x / m
                   : order == TURNED     ? (x + m) % n
                                         : x;
    return goals;
}

/* ---- Formulas ------------------------------------------------------------------------------ */

static uint32_t log_of(uint32_t power)
{
    uint32_t log = 0;
    while ((uint32_t)1 << log < power)
        log++;
    return log;
}

static uint32_t ceil_of(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

/* log_m w, rounded up, cubed: Lemma 2's factor. */
static uint32_t cube_of(uint32_t w, uint32_t m)
{
    const uint32_t ratio = ceil_of(log_of(w), log_of(m));
    return ratio * ratio * ratio;
}

/* m over that factor, as a power of two. */
static uint32_t planned_columns(uint32_t w, uint32_t m)
{
    uint32_t columns = 1;
    while (columns * cube_of(w, m) < m)
        columns *= 2;
    return columns;
}

/* A broadcast of so many words. */
static uint64_t share_steps(uint32_t w, uint32_t m, uint32_t words)
{
    const uint32_t g = w < 2 * m ? w : 2 * m, each = ceil_of(words, g);
    return 3 * each * g + 2 * each * log_of(w / g) + 2 * each * (g - 1);
}

static uint32_t characters_of(uint32_t w, uint32_t m)
{
    return 6 + ceil_of(log_of(w), log_of(2 * m));
}

static uint64_t packing_steps(uint32_t w, uint32_t m)
{
    const uint32_t shifts = log_of(w) * log_of(w), columns = planned_columns(w, m);
    const uint32_t even = ceil_of(2 * m, shifts), most = even < columns ? even : columns;
    return share_steps(w, m, shifts) + 2 + (uint64_t)shifts * (5 + 3 * most);
}

static void require_steps(const dmm_model_tall_cost *cost, uint32_t w, uint32_t m)
{
    const uint64_t r = cost->rounds, ends = cost->left[r - 1] != 0;
    REQUIRE(cost->preprocessing.steps == 4 * m);
    REQUIRE(cost->hashing.steps == r * share_steps(w, m, characters_of(w, m) * 2 * m));
    REQUIRE(cost->colouring.steps == r * m * (5 + characters_of(w, m)));
    REQUIRE(cost->sending.steps == r * 12 * m);
    REQUIRE(cost->counting.steps == (r + ends * (1 + cost->packings)) * (1 + 4 * log_of(w)));
    REQUIRE(cost->packing.steps == ends * 3 * m + cost->packings * packing_steps(w, m));
    REQUIRE(cost->delivering.steps == ends * (1 + 2 * cost->packed_m + 2 * m));
    REQUIRE((cost->sorting.steps != 0) == (ends != 0));
}

static void require_no_conflict(const dmm_model_tall_cost *cost)
{
    const dmm_model_tally *parts[] = {&cost->preprocessing, &cost->hashing, &cost->colouring,
        &cost->sending, &cost->counting, &cost->packing, &cost->sorting, &cost->delivering};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        REQUIRE(parts[i]->conflicts == 0 && parts[i]->worst <= 1);
    REQUIRE(cost->sending.worst == 1);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static dmm_model_tall_cost permute(uint32_t w, uint32_t m, int order, uint64_t seed)
{
    const uint32_t n = w * m;
    dmm_model_tall_cost cost;
    uint32_t *goals = goals_of(w, m, order);
    uint64_t *items = malloc(n * sizeof *items);
    REQUIRE(items != NULL);
    for (uint32_t x = 0; x < n; x++)
        items[x] = (uint64_t)x * 0x9e3779b97f4a7c15u;
    test_note("w = %u, m = %u, order %d, seed %u", w, m, order, (unsigned)seed);
    REQUIRE_OK(dmm_model_tall_permute(&cost, items, goals, w, m, seed));
    for (uint32_t x = 0; x < n; x++)
        REQUIRE(items[goals[x]] == (uint64_t)x * 0x9e3779b97f4a7c15u);
    free(items);
    free(goals);
    return cost;
}

static void every_item_arrives_without_conflicts_in_the_steps_of_the_formulas(void **state)
{
    (void)state;
    for (uint32_t m = 2; m <= 64; m *= 2)
        for (uint32_t w = m; w <= 1024; w *= 2)
            for (int order = 0; order < ORDERS; order++) {
                const dmm_model_tall_cost cost = permute(w, m, order, w + m);
                const dmm_model_tall_cost again = permute(w, m, order, w + m);
                require_no_conflict(&cost);
                require_steps(&cost, w, m);
                REQUIRE(memcmp(&cost, &again, sizeof cost) == 0);
                REQUIRE(cost.packed_m <= planned_columns(w, m));
                REQUIRE(cost.rounds <= (m < 8 ? 3 : 2));
            }
}

/* Returns the mean of balls beyond two a bin, m in m bins: what two sendings leave of a row. */
static double left_of_row(uint32_t m)
{
    double p = pow(1 - 1.0 / m, m), sent = 0;
    for (uint32_t k = 0; k <= m; k++) {
        sent += p * (k < 2 ? k : 2);
        p *= (double)(m - k) / (k + 1) / (m - 1);
    }
    return m * (1 - sent);
}

/*
 * Two-sided, by the mean over seeds: a hash function that is too even would leave too little.
 * Where a row goes to one row, the m rows of a block have the same number of labels of each colour
 * but for the order of colours: fewer samples. Labels of one goal row never share a colour, so that
 * a row with several of them, as after TRANSPOSED, keeps a little less than if all goal rows
 * differ.
 */
static void a_round_leaves_what_a_random_function_leaves(void **state)
{
    enum { W = 256, M = 16, SEEDS = 60 };
    (void)state;
    for (int order = 0; order < ORDERS; order++) {
        double sum = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            sum += (double)permute(W, M, order, seed).left[0];
        const double found = sum / SEEDS / W, expected = left_of_row(M);
        test_note("order %d: %f labels left of a row, expected %f", order, found, expected);
        if (order == TRANSPOSED)
            REQUIRE(found < expected && found > 0.8 * expected);
        else
            REQUIRE(fabs(found - expected) < (order == RANDOM ? 0.02 : 0.08) * expected);
    }
}

/*
 * The end alone, which a permutation leaves little to: `full` rows are full of labels, the goals of
 * which are in whole rows from goal row 1 on, or spread over all rows; all other rows are empty.
 */
static dmm_model_tall_cost finish(uint32_t w, uint32_t m, uint32_t full, bool spread)
{
    dmm_model_tall_cost cost = {0};
    dmm_tall t = {.random = w + full, .cost = &cost};
    const uint32_t n = w * m, left = full * m;
    test_note("w = %u, m = %u, %u full rows, spread %d", w, m, full, spread);
    REQUIRE_OK(dmm_tall_init(&t, w, m));
    for (uint32_t x = 0; x < n; x++) {
        const uint32_t goal = spread ? (uint32_t)dmm_shuffle_index(3, n, x) : (x + m) % n;
        t.b.words[dmm_banked_word(&t.b, x / m, x % m)] =
            x < left ? (uint64_t)(x + 1) << 32 | goal : t.empty;
    }
    REQUIRE_OK(dmm_tall_finish(&t, left, planned_columns(w, m)));
    uint32_t arrived = 0;
    for (uint32_t x = 0; x < n; x++) {
        const uint64_t word = t.b.words[dmm_banked_word(&t.b, x / m, t.arrived + x % m)];
        REQUIRE(word == 0 || (uint32_t)word == x);
        arrived += word != 0;
    }
    REQUIRE(arrived == left);
    dmm_tall_free(&t);
    REQUIRE(cost.packing.conflicts + cost.sorting.conflicts + cost.delivering.conflicts == 0);
    REQUIRE(cost.packing.steps == 3 * m + cost.packings * packing_steps(w, m));
    REQUIRE(cost.delivering.steps == 1 + 2 * cost.packed_m + 2 * m);
    return cost;
}

static void full_rows_are_packed_and_delivered(void **state)
{
    (void)state;
    for (int spread = 0; spread < 2; spread++)
        for (uint32_t m = 4; m <= 64; m *= 4)
            for (uint32_t w = 4 * m; w <= 1024; w *= 4) {
                const uint32_t columns = planned_columns(w, m), most = w * columns / (8 * m);
                for (uint32_t full = 1; full <= most; full *= 2) {
                    const dmm_model_tall_cost cost = finish(w, m, full, spread);
                    REQUIRE(cost.packed_m == columns);
                    REQUIRE(cost.packings >= 1 && cost.packings <= 2);
                }
                finish(w, m, w / 2, spread); /* more than the packed matrix holds */
                finish(w, m, w, spread);
            }
}

static void wrong_arguments_are_refused(void **state)
{
    dmm_model_tall_cost cost = {.rounds = 9};
    uint32_t goals[] = {0, 1, 2, 3, 4, 5, 6, 6};
    uint64_t items[] = {0, 1, 2, 3, 4, 5, 6, 7}, kept[8];
    (void)state;
    memcpy(kept, items, sizeof kept);
    test_note("wrong arguments");
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_tall_permute(&cost, NULL, goals, 4, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_tall_permute(&cost, items, NULL, 4, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, items, goals, 2, 4, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, items, goals, 6, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, items, goals, 4, 3, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_tall_permute(&cost, items, goals, 8, 1, 0));
    REQUIRE_STATUS(DMM_MODEL_TOO_LARGE, dmm_model_tall_permute(&cost, items, goals, 1 << 17, 2, 0));
    REQUIRE_STATUS(DMM_MODEL_TOO_LARGE, dmm_model_tall_permute(&cost, items, goals, 512, 512, 0));
    REQUIRE_STATUS(DMM_MODEL_BAD_DATA, dmm_model_tall_permute(&cost, items, goals, 4, 2, 0));
    goals[7] = 8;
    REQUIRE_STATUS(DMM_MODEL_BAD_DATA, dmm_model_tall_permute(&cost, items, goals, 4, 2, 0));
    REQUIRE(cost.rounds == 9 && memcmp(items, kept, sizeof kept) == 0);
    goals[7] = 7;
    REQUIRE_OK(dmm_model_tall_permute(NULL, items, goals, 4, 2, 0));
}

/* ---- The table of docs/matrix.md ----------------------------------------------------------- */

static int print_table(void)
{
    static const uint32_t shapes[][2] = {{64, 64}, {256, 64}, {1024, 64}, {4096, 64}, {16384, 64},
        {4096, 16}, {4096, 32}, {4096, 128}, {4096, 256}};
    printf("| w | m | rounds | left | packings | columns | in rounds | packing | sorting | "
           "delivering | all | partition |\n");
    printf("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const uint32_t w = shapes[i][0], m = shapes[i][1], n = w * m;
        const dmm_model_tall_cost c = permute(w, m, RANDOM, 1);
        const double rounds = (double)(c.preprocessing.steps + c.hashing.steps + c.colouring.steps +
                                       c.sending.steps + c.counting.steps) /
                              m;
        const double packing = (double)c.packing.steps / m, sorting = (double)c.sorting.steps / m;
        const double delivering = (double)c.delivering.steps / m;
        const dmm_model_matrix matrix = {w, m, DMM_MODEL_MATRIX_AUTO, log_of(w)};
        dmm_model_matrix_cost other;
        uint64_t *items = malloc(n * sizeof *items);
        uint32_t *goals = goals_of(w, m, RANDOM);
        REQUIRE(items != NULL);
        for (uint32_t x = 0; x < n; x++)
            items[x] = goals[x] / m;
        REQUIRE_OK(dmm_model_matrix_sort(&other, items, &matrix));
        const uint64_t steps = other.rows.steps + other.columns.steps + other.turns.steps;
        printf("| %u | %u | %u | %llu | %u | %u | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", w,
            m, c.rounds, (unsigned long long)c.left[c.rounds - 1], c.packings, c.packed_m, rounds,
            packing, sorting, delivering, rounds + packing + sorting + delivering,
            (double)steps / m);
        free(goals);
        free(items);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_arrives_without_conflicts_in_the_steps_of_the_formulas),
        cmocka_unit_test(a_round_leaves_what_a_random_function_leaves),
        cmocka_unit_test(full_rows_are_packed_and_delivered),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    if (argc == 2 && strcmp(argv[1], "table") == 0)
        return print_table();
    return cmocka_run_group_tests_name("tall", tests, NULL, NULL);
}
