/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The index maps of matrices in cl/map_rows.clh, tested on the host for all w and u that kernels
 * take: each step of a warp has one access a bank (docs/proofs.md, "Transposing" and "Rows"). The
 * judge is fed maps with an error in them.
 */
#include "support/steps.h"

#include "cl/map.clh"
#include "cl/map_rows.clh"
#include "support/random.h"

typedef uint block_map(uint x, uint w, uint E, uint d);

static uint not_padded(uint x, uint w, uint E, uint d)
{
    (void)w, (void)E, (void)d;
    return x;
}

/* Returns the worst class of the steps on a matrix of 2w blocks of `line` items, across: word by
 * word of w neighbouring blocks, or along them: w consecutive positions. */
static fare matrix_of_blocks(block_map *map, unsigned w, unsigned line, int across)
{
    const unsigned lowest = line & (~line + 1), d = lowest < w ? lowest : w, lines = 2 * w;
    fare worst = EXCLUSIVE;
    for (unsigned first = 0; first < lines * line; first += w) {
        lockstep s;
        FILL_STEP(s, w, first, x, map(across ? x % lines * line + x / lines : x, w, line, d))
        const fare here = judge_step(&s, w);
        worst = here > worst ? here : worst;
    }
    return worst;
}

/* The transpose of the collectives: lines of any length, also longer than a work-item's items. */
static void a_matrix_of_blocks_is_free_along_and_across(void **state)
{
    (void)state;
    for (unsigned w = 2; w <= MOST_BANKS; w *= 2)
        for (unsigned line = 1; line <= 4 * w + 3; line++) {
            test_note("w=%u line=%u", w, line);
            REQUIRE(matrix_of_blocks(dmm_address, w, line, 0) == EXCLUSIVE);
            REQUIRE(matrix_of_blocks(dmm_address, w, line, 1) == EXCLUSIVE);
            REQUIRE((matrix_of_blocks(not_padded, w, line, 1) == CONFLICT) == (line % 2 == 0));
        }
}

typedef uint skew_map(uint r, uint c, uint s);

static uint not_skewed(uint r, uint c, uint s)
{
    return r * s + c;
}

/* Lane t of a step has item x = first + t of the tile, row after row, or with `down` column after
 * column. */
static int tile_is_free(skew_map *skew, unsigned w, unsigned side, int down)
{
    lockstep s;
    for (unsigned first = 0; first < side * side; first += w) {
        FILL_STEP(
            s, w, first, x, down ? skew(x % side, x / side, side) : skew(x / side, x % side, side))
        if (judge_step(&s, w) != EXCLUSIVE)
            return 0;
    }
    return 1;
}

static void a_skewed_tile_is_free_by_rows_and_by_columns(void **state)
{
    (void)state;
    for (unsigned w = 2; w <= MOST_BANKS; w *= 2)
        for (unsigned side = w; side <= 4 * w; side += w) {
            test_note("w=%u side=%u", w, side);
            REQUIRE(tile_is_free(dmm_skew_address, w, side, 0));
            REQUIRE(tile_is_free(dmm_skew_address, w, side, 1));
            REQUIRE(!tile_is_free(not_skewed, w, side, 1));
        }
}

static void a_skewed_tile_has_a_word_for_every_item(void **state)
{
    (void)state;
    static unsigned char seen[256 * 256];
    for (unsigned side = 4; side <= 256; side *= 2) {
        memset(seen, 0, sizeof seen);
        for (unsigned x = 0; x < side * side; x++) {
            const unsigned word = dmm_skew_address(x / side, x % side, side);
            REQUIRE(word < side * side && !seen[word]);
            seen[word] = 1;
        }
    }
}

/* Own row, any column: what counting labels, claims and places of columns do. */
static void the_own_row_is_free_whatever_the_column(void **state)
{
    (void)state;
    random_source random = {1};
    FOR_ALL_GROUPS({
        for (unsigned warp = 0; warp < u; warp += w)
            for (unsigned way = 0; way < 16; way++) {
                FILL_STEP(s, w, warp, t,
                    dmm_row_address(dmm_row_of(t, w), (unsigned)random_below(&random, 4096), w))
                REQUIRE(judge_step(&s, w) == EXCLUSIVE);
            }
    })
}

/* Work-item t reads column j of the row of t ^ d; with d a multiple of w, of another work-item of
 * its own row. */
static void exchanging_with_t_xor_d_is_free(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        for (unsigned d = 0; d < u; d++)
            for (unsigned warp = 0; warp < u; warp += w) {
                FILL_STEP(
                    s, w, warp, t, dmm_row_address(dmm_row_of(t ^ d, w), (t ^ d) / w * 32 + 7, w))
                REQUIRE(judge_step(&s, w) == EXCLUSIVE);
            }
    })
}

/* Every column of every row is somebody's, and the lanes of a warp look at one column at a time. */
static void columns_are_shared_out(void **state)
{
    (void)state;
    FOR_ALL_GROUPS({
        (void)s;
        for (unsigned E = 1; E <= 32; E *= 2) {
            static unsigned char seen[MOST_ITEMS * 32];
            memset(seen, 0, u * E);
            for (unsigned e = 0; e < E; e++)
                for (unsigned t = 0; t < u; t++) {
                    const unsigned c = dmm_row_column(t, e, u, w);
                    const unsigned word = dmm_row_address(dmm_row_of(t, w), c, w);
                    REQUIRE(word < u * E && !seen[word]);
                    REQUIRE(c == dmm_row_column(t / w * w, e, u, w));
                    seen[word] = 1;
                }
        }
    })
}

/* Blocks of w columns, of m: read and written without conflicts, and every word written once. */
static void check_blocks(unsigned w, unsigned m)
{
    static unsigned char seen[MOST_BANKS * MOST_BANKS * 4];
    lockstep s;
    memset(seen, 0, w * m);
    for (unsigned c = 0; c < m && dmm_block_is_whole(c, w, m); c++) {
        FILL_STEP(s, w, 0, i, dmm_row_address(i, dmm_block_from(i, c, w), w))
        REQUIRE(judge_step(&s, w) == EXCLUSIVE);
        FILL_STEP(s, w, 0, i, dmm_block_to(i, c, w))
        REQUIRE(judge_step(&s, w) == EXCLUSIVE);
        for (unsigned i = 0; i < w; i++) {
            /* row i, column j of the block goes to row j, column i */
            const unsigned j = dmm_block_from(i, c, w) - c / w * w;
            REQUIRE(s.words[i] == dmm_row_address(j, c / w * w + i, w));
            REQUIRE(s.words[i] < w * m && !seen[s.words[i]]);
            seen[s.words[i]] = 1;
        }
    }
}

static void blocks_are_transposed_without_conflicts(void **state)
{
    (void)state;
    for (unsigned w = 2; w <= MOST_BANKS; w *= 2)
        for (unsigned m = w; m <= 4 * w; m += w / 2)
            check_blocks(w, m);
}

/* In a round with any h(i), the places of a colour are one of each row: what is sent at once meets
 * no bank twice. */
static void a_colour_has_one_place_of_each_row(void **state)
{
    (void)state;
    random_source random = {2};
    for (unsigned w = 4; w <= MOST_BANKS; w *= 2)
        for (unsigned m = 1; m <= 256; m *= 2) {
            static unsigned sent[256];
            unsigned h[MOST_BANKS];
            for (unsigned i = 0; i < w; i++)
                h[i] = (unsigned)random_next(&random);
            for (unsigned i = 0; i < w; i++) {
                memset(sent, 0, sizeof sent);
                for (unsigned j = 0; j < m; j++) {
                    const unsigned k = dmm_colour(dmm_row_address(i, j, w), h[i], w, m);
                    REQUIRE(k < m && sent[k] == 0);
                    sent[k] = 1;
                }
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_of_blocks_is_free_along_and_across),
        cmocka_unit_test(a_skewed_tile_is_free_by_rows_and_by_columns),
        cmocka_unit_test(a_skewed_tile_has_a_word_for_every_item),
        cmocka_unit_test(the_own_row_is_free_whatever_the_column),
        cmocka_unit_test(exchanging_with_t_xor_d_is_free),
        cmocka_unit_test(columns_are_shared_out),
        cmocka_unit_test(blocks_are_transposed_without_conflicts),
        cmocka_unit_test(a_colour_has_one_place_of_each_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
