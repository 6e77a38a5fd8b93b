/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The index maps of counters and sums in cl/map_counters.clh, tested on the host for all w, u and
 * rows that kernels take: each step of a warp has one access a bank (docs/proofs.md, "Counters" and
 * "Sums"). The judge is fed maps with an error in them.
 */
#include "support/steps.h"

#include "cl/map_counters.clh"

typedef uint column_map(uint t, uint columns);

/* Two lanes a column. */
static uint crowded(uint t, uint columns)
{
    return t / 2 % columns;
}

/* Counting: each lane has a row of its own choice. */
static int counting_is_free(column_map *column, unsigned w, unsigned u, unsigned columns)
{
    lockstep s;
    for (unsigned warp = 0; warp < u; warp += w)
        for (unsigned way = 0; way < 64; way++) {
            FILL_STEP(
                s, w, warp, t, dmm_counter_address(way * (t + 1) % 65, column(t, columns), columns))
            if (judge_step(&s, w) != EXCLUSIVE)
                return 0;
        }
    return 1;
}

/* Columns of work-items, and of banks. */
static void counting_stays_in_the_own_column(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        (void)s;
        REQUIRE(counting_is_free(dmm_counter_column, w, u, u));
        REQUIRE(counting_is_free(dmm_counter_column, w, u, w));
        REQUIRE(!counting_is_free(crowded, w, u, w));
    })
}

/* Clearing: work-item t clears words t, t + u, ... of rows of u or w counters. */
static void clearing_is_free(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        for (unsigned first = 0; first < 4 * u; first += u)
            for (unsigned warp = 0; warp < u; warp += w) {
                FILL_STEP(s, w, warp, t, first + t)
                REQUIRE(judge_step(&s, w) == EXCLUSIVE);
            }
    })
}

typedef uint turn_map(uint row, uint c, uint t, uint columns);

static uint straight(uint row, uint c, uint t, uint columns)
{
    (void)t;
    return row * columns + c;
}

/* Adding up: work-item t has rows t, t + u, ... below `rows`. */
static int adding_up_is_free(
    turn_map *turn, unsigned w, unsigned u, unsigned columns, unsigned rows)
{
    lockstep s;
    for (unsigned first = 0; first < rows; first += u)
        for (unsigned warp = 0; warp < u; warp += w)
            for (unsigned c = 0; c < columns; c++) {
                FILL_STEP(
                    s, w, warp, t, first + t < rows ? turn(first + t, c, t, columns) : NO_WORD)
                if (judge_step(&s, w) != EXCLUSIVE)
                    return 0;
            }
    return 1;
}

/* 65 rows are the most of bytes: 257 counters, four in a word; 257 those of 32 bits. */
static void adding_up_rows_is_free(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        (void)s;
        for (unsigned rows = 1; rows <= 65; rows += 8)
            REQUIRE(adding_up_is_free(dmm_counter_turn, w, u, u, rows));
        for (unsigned rows = 1; rows <= 257; rows += 8)
            REQUIRE(adding_up_is_free(dmm_counter_turn, w, u, w, rows));
        REQUIRE(
            !adding_up_is_free(straight, w, u, u, 2) && !adding_up_is_free(straight, w, u, w, 2));
    })
}

static void adding_up_reads_every_counter_of_a_row_once(void **state)
{
    (void)state;
    for (unsigned u = 4; u <= MOST_ITEMS; u *= 2)
        for (unsigned t = 0; t < u; t++) {
            static unsigned char seen[MOST_ITEMS];
            memset(seen, 0, sizeof seen);
            for (unsigned c = 0; c < u; c++) {
                const unsigned word = dmm_counter_turn(3, c, t, u) - 3 * u;
                REQUIRE(word < u && !seen[word]);
                seen[word] = 1;
            }
        }
}

/* Work-item t's run ends where the rows do. */
static int raking_is_free(unsigned w, unsigned u, unsigned rows, unsigned rake)
{
    lockstep s;
    for (unsigned warp = 0; warp < u; warp += w)
        for (unsigned c = 0; c < rake; c++) {
            FILL_STEP(s, w, warp, t, t * rake + c < rows * u ? t * rake + c : NO_WORD)
            if (judge_step(&s, w) != EXCLUSIVE)
                return 0;
        }
    return 1;
}

static void raking_is_free_and_reaches_every_counter(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        (void)s;
        for (unsigned rows = 2; rows <= 128; rows *= 2) {
            REQUIRE(dmm_rake_first(1, rows) == dmm_rake(rows));
            REQUIRE(dmm_rake_first(u, rows) >= rows * u);
            REQUIRE(raking_is_free(w, u, rows, dmm_rake(rows)));
            REQUIRE(!raking_is_free(w, u, rows, rows));
        }
    })
}

/* Storing a sum, and reading those of the work-items `back` before. */
static void sums_are_free(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        for (unsigned row = 0; row <= u; row += u)
            for (unsigned back = 0; back < u; back++)
                for (unsigned warp = 0; warp < u; warp += w) {
                    FILL_STEP(s, w, warp, t, back <= t ? dmm_sum_address(row, t, back) : NO_WORD)
                    REQUIRE(judge_step(&s, w) == EXCLUSIVE);
                }
    })
}

/* Joining halves, as DMM_GROUP_FOLD of cl/group.clh does: words t and t + s of the lanes below s.
 * */
static void folding_is_free(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        for (unsigned half = u / 2; half > 0; half /= 2)
            for (unsigned warp = 0; warp < u; warp += w)
                for (unsigned from = 0; from <= half; from += half) {
                    FILL_STEP(s, w, warp, t, t < half ? t + from : NO_WORD)
                    REQUIRE(judge_step(&s, w) == EXCLUSIVE);
                }
    })
}

static void the_judge_tells_three_fares(void **state)
{
    (void)state;
    lockstep s;
    FILL_STEP(s, 8, 0, t, t)
    REQUIRE(judge_step(&s, 8) == EXCLUSIVE);
    FILL_STEP(s, 8, 0, t, t / 2)
    REQUIRE(judge_step(&s, 8) == BROADCAST);
    FILL_STEP(s, 8, 0, t, 2 * t)
    REQUIRE(judge_step(&s, 8) == CONFLICT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counting_stays_in_the_own_column),
        cmocka_unit_test(clearing_is_free),
        cmocka_unit_test(adding_up_rows_is_free),
        cmocka_unit_test(adding_up_reads_every_counter_of_a_row_once),
        cmocka_unit_test(raking_is_free_and_reaches_every_counter),
        cmocka_unit_test(sums_are_free),
        cmocka_unit_test(folding_is_free),
        cmocka_unit_test(the_judge_tells_three_fares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
