/* SPDX-License-Identifier: MIT */
/*
 * The index maps of a matrix that turns, in cl/lab/map_turn.clh, tested on the host for every
 * number of banks, columns and rows of a group that are powers of two: what is stored and loaded is
 * the turned matrix, and no step accesses a bank twice. The judge is fed a map with an error in it.
 */
#include "support/banks.h"

#include <string.h>

#include "cl/lab/map_turn.clh"

enum { MOST_ROWS = 128, MOST_COLUMNS = 256 };

typedef uint row_map(uint p, uint log_g, uint m);

typedef struct turning {
    uint w, m, log_g, to_columns;
    row_map *row;
} turning;

/* The address at which the item of row i and column j waits that is stored from there, or loaded to
 * there. */
static uint address_of(const turning *t, uint i, uint j, uint by_rows)
{
    const uint g = 1u << t->log_g, p = dmm_turn_number(i % g, j, t->log_g, t->m, by_rows);
    return dmm_turn_column(p, t->log_g, t->m) * t->w + i - i % g + t->row(p, t->log_g, t->m);
}

/* True if each step of the store (by_rows as to_columns), and of the load, accesses every bank
 * once. */
static int is_free(const turning *t, uint by_rows)
{
    for (uint j = 0; j < t->m; j++) {
        uint addresses[MAX_W];
        for (uint i = 0; i < t->w; i++)
            addresses[i] = address_of(t, i, j, by_rows);
        if (passes(addresses, t->w, t->w) != 1)
            return 0;
    }
    return 1;
}

/* True if the stored matrix, item x of a group at its place in row (column) order, is loaded at its
 * place in column (row) order, with no two items at one address. */
static int is_turned(const turning *t)
{
    static uint items[MOST_ROWS * MOST_COLUMNS];
    const uint g = 1u << t->log_g, none = ~0u;
    memset(items, 0xff, sizeof items);
    for (uint i = 0; i < t->w; i++)
        for (uint j = 0; j < t->m; j++) {
            const uint at = address_of(t, i, j, t->to_columns);
            const uint x = t->to_columns ? i % g * t->m + j : j * g + i % g;
            if (at >= t->w * t->m || items[at] != none)
                return 0;
            items[at] = i / g * g * t->m + x;
        }
    for (uint i = 0; i < t->w; i++)
        for (uint j = 0; j < t->m; j++) {
            const uint x = t->to_columns ? j * g + i % g : i % g * t->m + j;
            if (items[address_of(t, i, j, !t->to_columns)] != i / g * g * t->m + x)
                return 0;
        }
    return 1;
}

#define FOR_ALL_TURNS(t, map, body)                                                 \
    for (uint w_ = 2; w_ <= MOST_ROWS; w_ *= 2)                                     \
        for (uint m_ = 1; m_ <= MOST_COLUMNS; m_ *= 2)                              \
            for (uint g_ = 0; 1u << g_ <= w_; g_++)                                 \
                for (uint to_ = 0; to_ < 2; to_++) {                                \
                    const turning t = {w_, m_, g_, to_, map};                       \
                    test_note("w=%u m=%u log_g=%u to_columns=%u", w_, m_, g_, to_); \
                    body;                                                           \
                }

static void every_turn_delivers_every_item_without_conflict(void **state)
{
    (void)state;
    FOR_ALL_TURNS(t, dmm_turn_row, {
        REQUIRE(is_turned(&t));
        REQUIRE(is_free(&t, 0));
        REQUIRE(is_free(&t, 1));
    })
}

/* Waiting in its own row, an item is delivered all the same, but not without conflict. */
static uint not_skewed(uint p, uint log_g, uint m)
{
    const uint g = 1u << log_g;
    return g <= m ? p / m : p % g;
}

static void the_judge_finds_a_turn_that_is_not_skewed(void **state)
{
    (void)state;
    FOR_ALL_TURNS(t, not_skewed, {
        REQUIRE(is_turned(&t));
        REQUIRE((is_free(&t, 0) && is_free(&t, 1)) == (t.log_g == 0 || t.m == 1));
    })
}

static void odd_counts_bits(void **state)
{
    (void)state;
    for (uint of = 0; of < 256; of++)
        for (uint i = 0; i < 512; i++) {
            uint odd = 0;
            for (uint bit = 1; bit < 256; bit *= 2)
                odd ^= (i & of & bit) != 0;
            REQUIRE(dmm_is_odd(i, of) == odd);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_turn_delivers_every_item_without_conflict),
        cmocka_unit_test(the_judge_finds_a_turn_that_is_not_skewed),
        cmocka_unit_test(odd_counts_bits),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
