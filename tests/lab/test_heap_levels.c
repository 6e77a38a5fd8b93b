/* SPDX-License-Identifier: MIT */
/*
 * The bucket heap with its levels side by side (host/lab/heap_levels.h), beside the same heap a
 * level at a time: what both take is right and the same, and theorem 20's bounds hold. Some calls
 * take, some keys come again with a lower priority; 4 to 128 banks.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "lab/heap_levels.h"
#include "support/random.h"
#include "support/rig.h"

enum { D = 16, MOST_CALLS = 1024 };

static const char *const sets[] = {
    "banks=32,lanes=32", "banks=4,lanes=4", "banks=128,lanes=64", "banks=16,lanes=8,bank_bytes=8"};

static int by_priority(const void *a, const void *b)
{
    const uint32_t x = (uint32_t) * (const uint64_t *)a, y = (uint32_t) * (const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Takes up to D entries; returns them by rising priority. */
static uint64_t take(dmm_levels_heap *heap, uint64_t entries[D])
{
    uint64_t n = D;
    REQUIRE_STATUS(DMM_OK, dmm_levels_take(heap, entries, &n));
    REQUIRE(n <= D);
    qsort(entries, (size_t)n, sizeof *entries, by_priority);
    return n;
}

/* Returns the priorities 0 .. n - 1 in a random order. */
static uint32_t *priorities_of(uint64_t n, uint64_t seed)
{
    random_source random = {seed};
    uint32_t *const out = malloc((size_t)n * sizeof *out);
    REQUIRE(out);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t j = random_below(&random, i + 1);
        out[i] = out[j];
        out[j] = (uint32_t)i;
    }
    return out;
}

/* Takes from a heap, and from the marks of the priorities that are there. */
static uint64_t take_and_compare(dmm_levels_heap *heap, uint8_t *there, uint64_t n)
{
    uint64_t entries[D], at = 0;
    const uint64_t taken = take(heap, entries);
    for (uint64_t i = 0; i < taken; i++, at++) {
        while (at < n && !there[at])
            at++;
        REQUIRE(at < n && (uint32_t)entries[i] == at);
        there[at] = 0;
    }
    return taken;
}

static void check_bounds(dmm_levels_heap *heap, dmm_levels_order order, uint64_t calls)
{
    dmm_levels_counts c;
    REQUIRE_STATUS(DMM_OK, dmm_levels_count(&c, heap));
    REQUIRE(c.calls == calls && c.fullest <= 1);
    REQUIRE(c.resolves <= calls + (calls - 1) / 3 && c.resolves >= c.rounds);
    if (order == DMM_LEVELS_SERIAL)
        REQUIRE(c.rounds == c.resolves && c.widest == 1);
    else
        REQUIRE(4 * c.rounds <= 5 * calls && (calls < 64 || c.widest > 1));
}

/* Inserts `updates` times D keys, takes after each `every`-th time, and then all. */
static void fill_and_drain(const rig *r, uint64_t updates, uint64_t every, dmm_levels_order order)
{
    const uint64_t n = updates * D;
    uint32_t *const priorities = priorities_of(n, updates);
    uint8_t *const there = calloc((size_t)n, 1);
    uint64_t entries[D], calls = 0, left = n, taken;
    dmm_levels_heap *heap;
    test_note("%u updates, order %d", (unsigned)updates, (int)order);
    REQUIRE(there);
    REQUIRE_STATUS(DMM_OK, dmm_levels_create(&heap, r->ctx, D, n, order));
    for (uint64_t k = 0; k < updates; k++, calls++) {
        for (uint64_t i = 0; i < D; i++) {
            entries[i] = DMM_LEVELS_ENTRY(k * D + i, priorities[k * D + i]);
            there[priorities[k * D + i]] = 1;
        }
        REQUIRE_STATUS(DMM_OK, dmm_levels_update(heap, entries, D));
        if (k % every == every - 1) {
            left -= take_and_compare(heap, there, n);
            calls++;
        }
    }
    check_bounds(heap, order, calls);
    while ((taken = take_and_compare(heap, there, n)) > 0)
        left -= taken;
    REQUIRE(left == 0);
    dmm_levels_free(heap);
    free(there);
    free(priorities);
}

static void entries_come_in_order_and_none_is_lost(void **state)
{
    static rig r;
    (void)state;
    for (size_t s = 0; s < by_size(2, sizeof sets / sizeof *sets, sizeof sets / sizeof *sets);
         s++) {
        rig_open(&r, sets[s]);
        for (uint64_t updates = 1; updates <= by_size(4, 64, MOST_CALLS); updates *= 4)
            for (int order = 0; order <= 1; order++)
                for (uint64_t every = s == 0 ? 1 : 3; every <= 3; every++)
                    fill_and_drain(&r, updates, every, (dmm_levels_order)order);
        rig_close(&r);
    }
}

/* Keys come again, with lower priorities: each is first taken with its least one, and what its
 * deeper entry leaves behind comes later. */
static void a_lower_priority_comes_first(void **state)
{
    enum { KEYS = 64, N = D * 48 };
    static rig r;
    (void)state;
    rig_open(&r, sets[0]);
    for (int order = 0; order <= 1; order++) {
        dmm_levels_heap *heap;
        uint64_t entries[D], n;
        uint32_t least[KEYS], last = 0, next = N;
        uint8_t seen[KEYS] = {0};
        memset(least, 0xff, sizeof least);
        REQUIRE_STATUS(DMM_OK, dmm_levels_create(&heap, r.ctx, D, N, (dmm_levels_order)order));
        for (uint32_t k = 0; k < by_size(6, 48, 48); k++) {
            for (uint32_t i = 0; i < D; i++) {
                const uint32_t key = i * (KEYS / D) + k % 3;
                least[key] = --next;
                entries[i] = DMM_LEVELS_ENTRY(key, next);
            }
            REQUIRE_STATUS(DMM_OK, dmm_levels_update(heap, entries, D));
        }
        while ((n = take(heap, entries)) > 0)
            for (uint64_t i = 0; i < n; i++) {
                const uint32_t key = (uint32_t)(entries[i] >> 32);
                REQUIRE((uint32_t)entries[i] >= last && key < KEYS);
                last = (uint32_t)entries[i];
                REQUIRE(seen[key] || last == least[key]);
                seen[key] = 1;
            }
        for (uint32_t key = 0; key < KEYS; key++)
            REQUIRE(seen[key] == (key % (KEYS / D) < 3));
        dmm_levels_free(heap);
    }
    rig_close(&r);
}

/* In one level no old entry stays: of a key the lower priority does, whichever came first. */
static void a_level_has_a_key_once(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, sets[0]);
    for (uint32_t first = 0; first <= 1; first++) {
        dmm_levels_heap *heap;
        uint64_t entries[D];
        REQUIRE_STATUS(DMM_OK, dmm_levels_create(&heap, r.ctx, D, 2 * D, DMM_LEVELS_ABREAST));
        for (uint32_t k = 0; k <= 1; k++) {
            for (uint32_t i = 0; i < D; i++)
                entries[i] = DMM_LEVELS_ENTRY(i, (k ^ first) * D + i);
            REQUIRE_STATUS(DMM_OK, dmm_levels_update(heap, entries, D));
        }
        REQUIRE(take(heap, entries) == D);
        for (uint32_t i = 0; i < D; i++)
            REQUIRE(entries[i] == DMM_LEVELS_ENTRY(i, i));
        REQUIRE(take(heap, entries) == 0);
        dmm_levels_free(heap);
    }
    rig_close(&r);
}

static void sizes_out_of_range_are_refused(void **state)
{
    static rig r;
    dmm_levels_heap *heap;
    uint64_t entries[D + 1] = {0}, n = D + 1;
    (void)state;
    rig_open(&r, sets[0]);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_levels_create(&heap, r.ctx, 0, 1, DMM_LEVELS_ABREAST));
    REQUIRE(heap == NULL);
    REQUIRE_STATUS(
        DMM_TOO_LARGE, dmm_levels_create(&heap, r.ctx, 1, UINT64_MAX, DMM_LEVELS_ABREAST));
    REQUIRE_STATUS(DMM_OK, dmm_levels_create(&heap, r.ctx, D, 1, DMM_LEVELS_ABREAST));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_levels_update(heap, entries, D + 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_levels_update(heap, entries, 2));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_levels_take(heap, entries, &n));
    REQUIRE_STATUS(DMM_OK, dmm_levels_update(heap, entries, 1));
    REQUIRE_STATUS(DMM_TOO_LARGE, dmm_levels_update(heap, entries, 1));
    REQUIRE_STATUS(DMM_OK, dmm_levels_update(heap, entries, 0));
    dmm_levels_free(heap);
    dmm_levels_free(NULL);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_in_order_and_none_is_lost),
        cmocka_unit_test(a_lower_priority_comes_first),
        cmocka_unit_test(a_level_has_a_key_once),
        cmocka_unit_test(sizes_out_of_range_are_refused),
    };
    return cmocka_run_group_tests_name("heap_levels", tests, NULL, NULL);
}
