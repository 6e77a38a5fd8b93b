/* SPDX-License-Identifier: MIT */
/*
 * The parallel bucket heap as printed (host/lab/cli/table/bucket_heap.h): its order, the bounds of
 * theorems 20, 24 and 25 and lemma 22 on what it counts, and that an extracted key may come back.
 */
#include "support/require.h"

#include <stdlib.h>

#include "table/bucket_heap.h"
#include "table/table.h"

enum { D = 16, BLOCK = 4 };

static void update(bucket_heap *heap, uint64_t *key, uint64_t *random, uint64_t *sum)
{
    bucket_entry entries[D];
    for (int i = 0; i < D; i++) {
        entries[i] = (bucket_entry){(*key)++, table_random(random)};
        *sum += entries[i].priority;
    }
    REQUIRE(bucket_heap_update(heap, entries, D));
}

/* Takes D items; each has a priority of at least `last`. */
static uint64_t extract(bucket_heap *heap, uint64_t *last, uint64_t *sum)
{
    bucket_entry entries[D];
    const uint64_t n = bucket_heap_extract(heap, entries, D);
    REQUIRE(n <= D);
    for (uint64_t i = 0; i < n; i++) {
        REQUIRE(entries[i].priority >= *last);
        *last = entries[i].priority;
        *sum -= *last;
    }
    return n;
}

static void items_come_in_order_and_none_is_lost(void **state)
{
    (void)state;
    for (uint32_t levels = 1; levels <= 6; levels++) {
        bucket_heap *const heap = bucket_heap_create(D, levels, BLOCK, 1);
        const uint64_t calls = levels == 1 ? 2 : UINT64_C(1) << 2 * (levels - 1);
        uint64_t key = 0, random = levels, sum = 0, last = 0, taken = 0, n;
        test_note("%u levels", levels);
        REQUIRE(heap);
        for (uint64_t k = 0; k < calls; k++)
            update(heap, &key, &random, &sum);
        while ((n = extract(heap, &last, &sum)) > 0)
            taken += n;
        REQUIRE(taken == key && sum == 0);
        bucket_heap_free(heap);
    }
}

static void check_bounds(uint32_t levels, uint32_t processors, int extracts)
{
    bucket_heap *const heap = bucket_heap_create(D, levels, BLOCK, processors);
    uint64_t key = 0, random = 1, sum = 0, calls = 0;
    REQUIRE(heap);
    test_note("%u levels, %u processors, extracts %d", levels, processors, extracts);
    for (uint64_t k = 0; k < UINT64_C(1) << 2 * (levels - 1); k++, calls++) {
        uint64_t last = 0;
        update(heap, &key, &random, &sum);
        if (extracts && k % 2) {
            extract(heap, &last, &sum);
            calls++;
        }
    }
    const bucket_counts c = bucket_heap_counts(heap);
    const double a_call = (double)calls * D / BLOCK;
    REQUIRE(c.fullest <= 1 && c.emptiest >= 1);
    REQUIRE(c.transfers <= 60 * a_call * levels);
    REQUIRE(c.rounds <= 1.25 * (double)calls);
    REQUIRE(c.ends <= c.transfers);
    if (processors == levels) {
        REQUIRE(c.late <= 1);
        REQUIRE(c.ends <= (5 * (double)calls - 4) * c.unit);
    }
    bucket_heap_free(heap);
}

static void the_bounds_of_the_thesis_hold(void **state)
{
    (void)state;
    for (uint32_t levels = 2; levels <= 6; levels++)
        for (uint32_t processors = 1; processors <= levels; processors++)
            for (int extracts = 0; extracts <= 1; extracts++)
                check_bounds(levels, processors, extracts);
}

/* Key 7 goes down with a great priority, is lowered and taken, and is there again. dmm_heap removes
 * the old entry. */
static void an_extracted_key_comes_back(void **state)
{
    bucket_heap *const heap = bucket_heap_create(1, 3, 1, 1);
    const bucket_entry inserts[] = {{7, 1000}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {7, 0}};
    bucket_entry out;
    int seen = 0;
    (void)state;
    REQUIRE(heap);
    for (size_t i = 0; i < sizeof inserts / sizeof inserts[0]; i++)
        REQUIRE(bucket_heap_update(heap, &inserts[i], 1));
    for (uint64_t n; (n = bucket_heap_extract(heap, &out, 1)) > 0;) {
        REQUIRE(n == 1 && (seen > 0 || (out.key == 7 && out.priority == 0)));
        seen += out.key == 7;
    }
    REQUIRE(seen == 2);
    bucket_heap_free(heap);
}

static void shapes_out_of_range_are_refused(void **state)
{
    (void)state;
    REQUIRE(!bucket_heap_create(1, 0, 1, 1));
    REQUIRE(!bucket_heap_create(1, BUCKET_LEVELS + 1, 1, 1));
    REQUIRE(!bucket_heap_create(1, 2, 1, 3));
    REQUIRE(!bucket_heap_create(1, 2, 1, 0));
    bucket_heap_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_come_in_order_and_none_is_lost),
        cmocka_unit_test(the_bounds_of_the_thesis_hold),
        cmocka_unit_test(an_extracted_key_comes_back),
        cmocka_unit_test(shapes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("table_bucket_heap", tests, NULL, NULL);
}
