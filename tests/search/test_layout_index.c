/* SPDX-License-Identifier: MIT */
/* ctest: default full */
/*
 * Layouts as functions of the rank, beside trees that are walked as their definitions say; the
 * inverse; and sizes beyond memory by the properties of a search tree.
 */
#include "support/require.h"

#include <stdlib.h>

#include <dmm/layout.h>

#include "support/random.h"
#include "support/rig.h"

typedef struct layout {
    dmm_layout_kind kind;
    uint32_t B;
} layout;

static const layout layouts[] = {{DMM_LAYOUT_SORTED, 0}, {DMM_LAYOUT_BST, 0}, {DMM_LAYOUT_BTREE, 2},
    {DMM_LAYOUT_BTREE, 3}, {DMM_LAYOUT_BTREE, 16}, {DMM_LAYOUT_BTREE, 32}, {DMM_LAYOUT_VEB, 0},
    {DMM_LAYOUT_MVEB, 0}, {DMM_LAYOUT_BTREE, 1}};
enum { NUM_LAYOUTS = sizeof layouts / sizeof layouts[0], MOST = 5000 };

/* Numbers the keys of a B-tree from node `node` on in sorted order, children before and after each
 * key; returns the next rank. */
static uint64_t walk_btree(uint64_t *ranks, uint64_t n, uint64_t B, uint64_t node, uint64_t next)
{
    if (node * B >= n)
        return next;
    for (uint64_t key = 0; key <= B; key++) {
        next = walk_btree(ranks, n, B, node * (B + 1) + 1 + key, next);
        if (key < B && node * B + key < n)
            ranks[node * B + key] = next++;
    }
    return next;
}

/* Writes the ranks of a van Emde Boas tree in the order of its places. sorted: the tree's ranks. */
static void place_veb(uint64_t *ranks, const uint64_t *sorted, uint64_t n, dmm_layout_kind kind)
{
    uint64_t levels = 0, bottom = 1, top_keys[MOST], rest[MOST], r = 0, others = 0;
    while (n >> levels != 0)
        levels++;
    if (n <= 1) {
        if (n == 1)
            ranks[0] = sorted[0];
        return;
    }
    if (kind == DMM_LAYOUT_VEB)
        bottom = levels - levels / 2;
    else
        while (bottom * 2 < levels)
            bottom *= 2;
    const uint64_t l = ((uint64_t)1 << bottom) - 1, most = ((uint64_t)1 << (levels - bottom)) - 1;
    uint64_t in_trees = n - most;
    for (uint64_t i = 0, run = 0; i < n; i++) {
        if (r < most && (run == l || in_trees == 0)) {
            top_keys[r++] = sorted[i];
            run = 0;
        } else {
            rest[others++] = sorted[i];
            in_trees--;
            run++;
        }
    }
    REQUIRE(r == most && others == n - most);
    place_veb(ranks, top_keys, r, kind);
    for (uint64_t i = 0; i < others; i += l)
        place_veb(ranks + r + i, rest + i, others - i < l ? others - i : l, kind);
}

static void walk(const layout *one, uint64_t n, uint64_t *ranks)
{
    static uint64_t sorted[MOST];
    for (uint64_t i = 0; i < n; i++)
        ranks[i] = sorted[i] = i;
    if (one->kind == DMM_LAYOUT_BST)
        walk_btree(ranks, n, 1, 0, 0);
    else if (one->kind == DMM_LAYOUT_BTREE)
        walk_btree(ranks, n, one->B, 0, 0);
    else if (one->kind != DMM_LAYOUT_SORTED)
        place_veb(ranks, sorted, n, one->kind);
}

/* Returns the first place with another rank than in `ranks`, or n. */
static uint64_t first_wrong(const layout *one, uint64_t n, const uint64_t *ranks)
{
    uint64_t place = 0;
    while (place < n && dmm_layout_rank(one->kind, one->B, n, place) == ranks[place] &&
           dmm_layout_index(one->kind, one->B, n, ranks[place]) == place)
        place++;
    return place;
}

/* All n to 5000 in full sizes, else all to 300 and some of each power of two. */
static void every_key_is_where_the_definition_says(void **state)
{
    static uint64_t ranks[MOST];
    (void)state;
    for (size_t i = 0; i < NUM_LAYOUTS; i++)
        for (uint64_t n = 0; n <= MOST;
             n = sizes_wanted() == SIZES_FULL ? n + 1 : size_after(n, 300)) {
            const layout *const one = &layouts[i];
            walk(one, n, ranks);
            const uint64_t place = first_wrong(one, n, ranks);
            test_note("layout %zu, n=%llu, place %llu", i, (unsigned long long)n,
                (unsigned long long)place);
            REQUIRE(place == n);
        }
}

/* Sizes that no array has: both functions stay in range and are inverse. */
static void around_2_to_the_31_32_and_64_they_are_inverse(void **state)
{
    static const uint64_t sizes[] = {(uint64_t)1 << 31, (uint64_t)1 << 32, 1111111111111u,
        (uint64_t)1 << 48, (uint64_t)1 << 63, UINT64_MAX - 2};
    random_source random = {5};
    (void)state;
    for (size_t i = 0; i < NUM_LAYOUTS; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (uint64_t k = 0; k < 1500; k++) {
                const layout *const one = &layouts[i];
                const uint64_t n = sizes[s] - 2 + k / 300;
                const uint64_t at = k % 300 < 100   ? k % 300
                                    : k % 300 < 200 ? n - 1 - (k % 300 - 100)
                                                    : random_below(&random, n);
                test_note(
                    "layout %zu, n=%llu, %llu", i, (unsigned long long)n, (unsigned long long)at);
                const uint64_t place = dmm_layout_index(one->kind, one->B, n, at);
                const uint64_t rank = dmm_layout_rank(one->kind, one->B, n, at);
                REQUIRE(place < n && rank < n);
                REQUIRE(dmm_layout_rank(one->kind, one->B, n, place) == at);
                REQUIRE(dmm_layout_index(one->kind, one->B, n, rank) == at);
            }
}

/* Returns the number of keys of a full node of a B-tree that come before a rank. */
static uint32_t keys_before(uint64_t n, uint32_t B, uint64_t node, uint64_t rank)
{
    uint32_t before = 0;
    while (before < B && node * B + before < n &&
           dmm_layout_rank(DMM_LAYOUT_BTREE, B, n, node * B + before) < rank)
        before++;
    return before;
}

/* A walk from the root by ranks ends at the key's own place. */
static void around_2_to_the_32_walks_from_the_root_find_each_key(void **state)
{
    static const uint64_t sizes[] = {((uint64_t)1 << 31) + 12345, ((uint64_t)1 << 32) - 1,
        ((uint64_t)1 << 32) + 1, 1234567891011u};
    static const uint32_t nodes[] = {1, 2, 3, 16, 32};
    random_source random = {6};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t b = 0; b < sizeof nodes / sizeof nodes[0]; b++)
            for (uint32_t k = 0; k < 50; k++) {
                const uint64_t n = sizes[s], B = nodes[b], rank = random_below(&random, n);
                const uint64_t place = dmm_layout_index(DMM_LAYOUT_BTREE, (uint32_t)B, n, rank);
                uint64_t node = 0, before;
                test_note("B=%llu, n=%llu, rank %llu", (unsigned long long)B, (unsigned long long)n,
                    (unsigned long long)rank);
                do {
                    before = keys_before(n, (uint32_t)B, node, rank);
                    if (node == place / B)
                        break;
                    node = node * (B + 1) + 1 + before;
                } while (node * B < n);
                REQUIRE(node == place / B && before == place % B);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_where_the_definition_says),
        cmocka_unit_test(around_2_to_the_31_32_and_64_they_are_inverse),
        cmocka_unit_test(around_2_to_the_32_walks_from_the_root_find_each_key),
    };
    return cmocka_run_group_tests_name("layout_index", tests, NULL, NULL);
}
