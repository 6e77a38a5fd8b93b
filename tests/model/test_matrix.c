/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * The model of sorting and partitioning a matrix: right for every marking with zeros and ones of
 * small matrices, which is right for all items since no step but those within rows depends on them;
 * right for random items of larger ones; and no step with a conflict. `test_matrix table` prints
 * the tables of docs/matrix.md instead.
 */
#include "support/require.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <model/banked.h>

#include "support/random.h"
#include "support/rig.h"

static const char *const names[] = {
    "auto", "Lemma 1", "Theorem 1", "super-rows", "Theorem 2", "Lemma 2", "shearsort"};

static int is_sorted(const uint64_t *items, uint64_t n)
{
    for (uint64_t x = 1; x < n; x++)
        if (items[x] < items[x - 1])
            return 0;
    return 1;
}

static int is_free(const dmm_model_tally *tally)
{
    return tally->conflicts == 0 && tally->worst <= 1 && tally->steps == tally->passes;
}

/* ---- Turning ------------------------------------------------------------------------------- */

static void check_turn(uint32_t w, uint32_t m)
{
    const uint32_t n = w * m;
    uint64_t *items = malloc(n * sizeof *items);
    dmm_model_tally there, back;
    test_note("turning, w = %u, m = %u", w, m);
    for (uint32_t x = 0; x < n; x++)
        items[x] = x;
    REQUIRE_OK(dmm_model_matrix_turn(&there, items, w, m, true));
    for (uint32_t x = 0; x < n; x++)
        REQUIRE(items[x % w * m + x / w] == x);
    REQUIRE(is_free(&there) && there.steps <= 7 * m);
    REQUIRE_OK(dmm_model_matrix_turn(&back, items, w, m, false));
    for (uint32_t x = 0; x < n; x++)
        REQUIRE(items[x] == x);
    REQUIRE(is_free(&back) && back.steps <= 7 * m);
    free(items);
}

static void any_matrix_turns_in_place_without_conflicts(void **state)
{
    static const uint32_t large[][2] = {
        {32, 128}, {32, 129}, {32, 100}, {64, 24}, {256, 6}, {255, 34}, {31, 1000}, {256, 256}};
    (void)state;
    for (uint32_t w = 1; w <= 20; w++)
        for (uint32_t m = 1; m <= 45; m++)
            check_turn(w, m);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        check_turn(large[i][0], large[i][1]);
}

/* ---- Every marking ------------------------------------------------------------------------- */

/* The next sequence of numbers 0..most, as a number of `digits` digits; 0 after the last one. */
static int next_sequence(uint32_t *numbers, uint32_t digits, uint32_t most)
{
    for (uint32_t i = 0; i < digits; i++) {
        if (numbers[i]++ < most)
            return 1;
        numbers[i] = 0;
    }
    return 0;
}

/* What is all that matters of a marking: how many ones each row has, where a plan first sorts the
 * rows; how many each column has, where it first sorts the columns; else each item. */
typedef enum marking { BY_ROWS, BY_COLUMNS, BY_ITEMS } marking;

static marking marking_of(const dmm_matrix_plan *plan)
{
    const dmm_matrix_phase *first = &plan->phases[0];
    if (first->turn == DMM_TURN_NONE && first->run == plan->m)
        return BY_ROWS;
    if (first->turn == DMM_TURN_NONE && first->run == 0 && first->height == plan->w)
        return BY_COLUMNS;
    return first->turn == DMM_TURN_TO_ROWS && first->turned == plan->w && first->run == plan->w
               ? BY_COLUMNS
               : BY_ITEMS;
}

static uint32_t digits_of(const dmm_matrix_plan *plan, marking by)
{
    return by == BY_ROWS ? plan->w : by == BY_COLUMNS ? plan->m : plan->w * plan->m;
}

static uint32_t most_of(const dmm_matrix_plan *plan, marking by)
{
    return by == BY_ROWS ? plan->m : by == BY_COLUMNS ? plan->w : 1;
}

/* True if there are so few markings that all can be tried. */
static int are_few(const dmm_matrix_plan *plan, marking by)
{
    const uint64_t few = by_size(3000, 7000, 400000);
    uint64_t markings = 1;
    for (uint32_t i = 0; i < digits_of(plan, by) && markings <= few; i++)
        markings *= most_of(plan, by) + 1;
    return markings <= few;
}

/* Makes the last numbers[k] of row (column, item) k ones. */
static void mark(uint64_t *items, const dmm_matrix_plan *plan, const uint32_t *numbers, marking by)
{
    const uint32_t w = plan->w, m = plan->m;
    for (uint32_t i = 0; i < w; i++)
        for (uint32_t j = 0; j < m; j++)
            items[i * m + j] = by == BY_ROWS      ? j + numbers[i] >= m
                               : by == BY_COLUMNS ? i + numbers[j] >= w
                                                  : numbers[i * m + j];
}

static int sorts_every_marking(const dmm_matrix_plan *plan, marking by, uint32_t label_bits)
{
    const uint32_t w = plan->w, m = plan->m;
    const uint32_t digits = digits_of(plan, by), most = most_of(plan, by);
    const dmm_model_matrix matrix = {w, m, DMM_MODEL_MATRIX_AUTO, label_bits};
    uint64_t *items = malloc((size_t)w * m * sizeof *items);
    uint32_t *numbers = calloc(digits, sizeof *numbers);
    int sorted = 1;
    REQUIRE(items != NULL && numbers != NULL);
    do {
        mark(items, plan, numbers, by);
        REQUIRE_OK(dmm_matrix_plan_run(NULL, items, plan, &matrix));
        sorted = is_sorted(items, (uint64_t)w * m);
    } while (sorted && next_sequence(numbers, digits, most));
    free(items);
    free(numbers);
    return sorted;
}

static dmm_matrix_plan *plan_of(uint32_t w, uint32_t m, dmm_matrix_by method)
{
    dmm_matrix_plan *plan = malloc(sizeof *plan);
    REQUIRE(plan != NULL);
    dmm_matrix_plan_make(plan, w, m, 1, &method, 1);
    return plan;
}

static void every_marking_of_small_matrices_is_sorted(void **state)
{
    static const uint32_t shapes[][2] = {{1, 1}, {1, 7}, {2, 2}, {2, 4}, {2, 6}, {2, 16}, {2, 50},
        {4, 1}, {4, 2}, {4, 4}, {4, 8}, {4, 12}, {4, 16}, {8, 1}, {8, 2}, {8, 4}, {16, 1}, {16, 2},
        {16, 4}, {32, 2}, {64, 2}, {256, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int method = DMM_MODEL_MATRIX_AUTO; method <= DMM_MODEL_MATRIX_SHEAR; method++) {
            dmm_matrix_plan *plan = plan_of(shapes[i][0], shapes[i][1], (dmm_matrix_by)method);
            const int small = method == DMM_MODEL_MATRIX_LEMMA_1 && plan->w == 4 && plan->m == 16;
            test_note("%s, w = %u, m = %u", names[method], shapes[i][0], shapes[i][1]);
            if (plan->fits && (small || are_few(plan, marking_of(plan))))
                REQUIRE(sorts_every_marking(plan, marking_of(plan), (uint32_t)method % 2));
            if (plan->fits && are_few(plan, BY_ITEMS)) /* what marking_of relies on */
                REQUIRE(sorts_every_marking(plan, BY_ITEMS, 1 - (uint32_t)method % 2));
            free(plan);
        }
}

/* A plan that lacks a phase, or does not alternate, leaves some marking unsorted: the judge and the
 * markings find it. Turns are not left out: they wait for the next phase. */
static void plans_that_lack_something_are_found(void **state)
{
    dmm_matrix_plan *plan = plan_of(4, 12, DMM_BY_LEMMA_1);
    dmm_matrix_plan *lacking = plan_of(4, 12, DMM_BY_LEMMA_1);
    (void)state;
    for (uint32_t p = 0; p < plan->count; p++) {
        *lacking = *plan;
        lacking->phases[p].run = 1;
        test_note("without sorting in phase %u", p);
        /* The markings have sorted rows to begin with. */
        REQUIRE(p == 0 || !sorts_every_marking(lacking, BY_ROWS, 0));
    }
    *lacking = *plan;
    for (uint32_t p = 0; p < plan->count; p++)
        lacking->phases[p].falling = 0;
    test_note("without falling rows");
    REQUIRE(!sorts_every_marking(lacking, BY_ROWS, 0));
    free(lacking);
    for (uint32_t m = 4; m <= 19; m = m == 7 ? 17 : m + 1) {
        lacking = plan_of(m < 16 ? 2 : 4, m, DMM_BY_LEMMA_1);
        test_note("not padded, w = %u, m = %u", lacking->w, m);
        REQUIRE(sorts_every_marking(lacking, BY_ROWS, 0) == (m % lacking->w == 0));
        free(lacking);
    }
    free(plan);
}

/* ---- Random items -------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Labels below w, m of each, with the items' positions above them; else whole items. */
static void fill(
    uint64_t *items, const dmm_model_matrix *matrix, uint32_t values, random_source *random)
{
    const uint32_t n = matrix->w * matrix->m;
    for (uint32_t x = 0; x < n; x++)
        items[x] = matrix->label_bits != 0 ? (uint64_t)x << 32 | x % matrix->w
                                           : random_below(random, values);
    for (uint32_t x = n - 1; x > 0; x--) {
        const uint32_t y = (uint32_t)random_below(random, x + 1);
        const uint64_t item = items[x];
        items[x] = items[y];
        items[y] = item;
    }
}

/* Sorts by a method, if it can: in order, every item there, no step with a conflict. */
static int check_random(const dmm_model_matrix *matrix, uint32_t values, uint64_t seed)
{
    const uint32_t n = matrix->w * matrix->m;
    uint64_t *items = malloc(2 * n * sizeof *items), *before = items + n;
    random_source random = {seed};
    dmm_model_matrix_cost cost = {.method = DMM_MODEL_MATRIX_AUTO};
    test_note("%s, w = %u, m = %u, %u values, label bits %u, seed %u", names[matrix->method],
        matrix->w, matrix->m, values, matrix->label_bits, (unsigned)seed);
    REQUIRE(items != NULL);
    fill(items, matrix, values, &random);
    memcpy(before, items, n * sizeof *items);
    const dmm_model_status status = dmm_model_matrix_sort(&cost, items, matrix);
    if (status == DMM_MODEL_OK) {
        REQUIRE(matrix->method == DMM_MODEL_MATRIX_AUTO || cost.method == matrix->method);
        REQUIRE(is_free(&cost.rows) && is_free(&cost.columns) && is_free(&cost.turns));
        for (uint32_t x = 0; x < n && matrix->label_bits != 0; x++)
            REQUIRE((items[x] & UINT32_MAX) == x / matrix->m);
        REQUIRE(matrix->label_bits != 0 || is_sorted(items, n));
        qsort(items, n, sizeof *items, compare);
        qsort(before, n, sizeof *before, compare);
        REQUIRE(memcmp(items, before, n * sizeof *items) == 0);
    } else {
        REQUIRE(status == DMM_MODEL_UNSUPPORTED && matrix->method != DMM_MODEL_MATRIX_AUTO);
        REQUIRE(memcmp(items, before, n * sizeof *items) == 0);
    }
    free(items);
    return status == DMM_MODEL_OK;
}

static uint32_t log_of(uint32_t w)
{
    uint32_t log = 1;
    while ((uint32_t)1 << log < w)
        log++;
    return log;
}

static void random_items_are_sorted_and_partitioned_without_conflicts(void **state)
{
    static const uint32_t columns[] = {1, 2, 3, 7, 8, 13, 16, 32, 37, 64, 100, 130};
    uint32_t sorted = 0;
    (void)state;
    for (uint32_t w = 1; w <= 64; w *= 2)
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; k++)
            for (int method = DMM_MODEL_MATRIX_AUTO; method <= DMM_MODEL_MATRIX_SHEAR; method++)
                for (int labels = 0; labels < 2; labels++) {
                    const dmm_model_matrix matrix = {
                        w, columns[k], (dmm_model_matrix_method)method, labels ? log_of(w) : 0};
                    sorted += (uint32_t)check_random(&matrix, 3 + 1000 * (w & 10), 17 * w + k);
                }
    REQUIRE(sorted > 600);
    REQUIRE(check_random(&(dmm_model_matrix){256, 16, DMM_MODEL_MATRIX_LEMMA_2, 8}, 0, 1));
    REQUIRE(check_random(&(dmm_model_matrix){256, 32, DMM_MODEL_MATRIX_LEMMA_2, 0}, 99, 2));
}

static void wrong_arguments_are_refused(void **state)
{
    uint64_t items[] = {3, 2, 1, (uint64_t)1 << 63}, kept[4];
    const struct {
        dmm_model_matrix matrix;
        dmm_model_status status;
    } cases[] = {{{0, 2, 0, 0}, DMM_MODEL_BAD_VALUE}, {{3, 1, 0, 0}, DMM_MODEL_BAD_VALUE},
        {{1 << 17, 1, 0, 0}, DMM_MODEL_BAD_VALUE}, {{2, 0, 0, 0}, DMM_MODEL_BAD_VALUE},
        {{2, 2, (dmm_model_matrix_method)7, 0}, DMM_MODEL_BAD_VALUE},
        {{2, 2, 0, 33}, DMM_MODEL_BAD_VALUE},
        {{1, DMM_MODEL_MATRIX_COLUMNS_MAX + 1, 0, 0}, DMM_MODEL_TOO_LARGE},
        {{1 << 16, 1 << 14, 0, 0}, DMM_MODEL_TOO_LARGE}, {{2, 2, 0, 1}, DMM_MODEL_BAD_DATA},
        {{4, 1, DMM_MODEL_MATRIX_LEMMA_1, 0}, DMM_MODEL_UNSUPPORTED}};
    dmm_model_matrix_cost cost = {.phases = 77};
    dmm_model_tally tally = {.steps = 77};
    const dmm_model_matrix matrix = {2, 2, DMM_MODEL_MATRIX_AUTO, 0};
    (void)state;
    memcpy(kept, items, sizeof kept);
    test_note("wrong arguments");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        REQUIRE_STATUS(cases[i].status, dmm_model_matrix_sort(&cost, items, &cases[i].matrix));
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_matrix_sort(&cost, NULL, &matrix));
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_matrix_sort(&cost, items, NULL));
    REQUIRE_STATUS(DMM_MODEL_NULL_ARGUMENT, dmm_model_matrix_turn(&tally, NULL, 2, 2, true));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_matrix_turn(&tally, items, 0, 2, true));
    REQUIRE_STATUS(
        DMM_MODEL_BAD_VALUE, dmm_model_matrix_turn(&tally, items, (1 << 16) + 1, 2, true));
    REQUIRE_STATUS(DMM_MODEL_BAD_VALUE, dmm_model_matrix_turn(&tally, items, 2, 0, true));
    REQUIRE_STATUS(DMM_MODEL_TOO_LARGE,
        dmm_model_matrix_turn(&tally, items, 1, DMM_MODEL_MATRIX_COLUMNS_MAX + 1, true));
    REQUIRE(cost.phases == 77 && tally.steps == 77 && memcmp(items, kept, sizeof kept) == 0);
    REQUIRE_OK(dmm_model_matrix_sort(NULL, items, &matrix));
    REQUIRE(is_sorted(items, 4));
}

/* ---- The tables ---------------------------------------------------------------------------- */

/* A line of docs/matrix.md: the steps of each method over m * log2(m * w), or with labels over m.
 * */
static void print_line(uint32_t w, uint32_t m, int labels)
{
    const double log = log_of(w * m), unit = labels ? m : m * log;
    printf("| %u | %u |", w, m);
    for (int method = DMM_MODEL_MATRIX_AUTO; method <= DMM_MODEL_MATRIX_SHEAR; method++) {
        const dmm_model_matrix matrix = {
            w, m, (dmm_model_matrix_method)method, labels ? log_of(w) : 0};
        uint64_t *items = malloc((size_t)w * m * sizeof *items);
        random_source random = {w + m};
        dmm_model_matrix_cost cost;
        fill(items, &matrix, UINT32_MAX, &random);
        const dmm_model_status status = dmm_model_matrix_sort(&cost, items, &matrix);
        const uint64_t steps = cost.rows.steps + cost.columns.steps + cost.turns.steps;
        if (status != DMM_MODEL_OK)
            printf(" |");
        else if (method == DMM_MODEL_MATRIX_AUTO)
            printf(" %s |", names[cost.method]);
        else
            printf(" %.1f |", (double)steps / unit);
        free(items);
    }
    printf("\n");
}

/* w^2 = m; 4 w = m; w = m; w = m^2; and what has to be padded. */
static const uint32_t table_shapes[][2] = {{4, 16}, {8, 64}, {16, 256}, {32, 1024}, {64, 4096},
    {4, 16}, {16, 64}, {32, 128}, {64, 256}, {256, 1024}, {4, 4}, {8, 8}, {16, 16}, {32, 32},
    {64, 64}, {128, 128}, {256, 256}, {4, 2}, {16, 4}, {64, 8}, {256, 16}, {8, 37}, {32, 100},
    {32, 1000}};

static int print_table(int labels)
{
    printf("| w | m | auto |");
    for (int method = DMM_MODEL_MATRIX_LEMMA_1; method <= DMM_MODEL_MATRIX_SHEAR; method++)
        printf(" %s |", names[method]);
    printf("\n|--:|--:|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < sizeof table_shapes / sizeof table_shapes[0]; i++)
        print_line(table_shapes[i][0], table_shapes[i][1], labels);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_matrix_turns_in_place_without_conflicts),
        cmocka_unit_test(every_marking_of_small_matrices_is_sorted),
        cmocka_unit_test(plans_that_lack_something_are_found),
        cmocka_unit_test(random_items_are_sorted_and_partitioned_without_conflicts),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    if (argc == 2 && strcmp(argv[1], "table") == 0)
        return print_table(0) + print_table(1);
    return cmocka_run_group_tests_name("matrix", tests, NULL, NULL);
}
