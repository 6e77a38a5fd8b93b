/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * Descriptions that dmm_permute rejects; arrays that are not permutations, which only the report
 * shows; and the host form. Wrong arguments: test_arguments.c.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/permute.h>
#include <dmm/shuffle.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/forms.h"
#include "support/random.h"

static dmm_permute *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_permute_create(&refused, shared.ctx, &(dmm_permute_desc){__VA_ARGS__}))

static void descriptions_outside_their_ranges_are_refused(void **state)
{
    (void)state;
    REFUSED(DMM_BAD_VALUE, .item_bytes = 257, .index_bytes = 4);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .index_bytes = 2);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .index_bytes = 4, .direction = (dmm_direction)2);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .index_bytes = 4, .method = (dmm_permute_method)4);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .index_bytes = 4, .tuning = {.form = (dmm_form)3});
    REFUSED(DMM_BAD_PARAMETERS, .item_bytes = 4, .index_bytes = 4, .tuning = GPU(24, 4));
    REFUSED(DMM_BAD_PARAMETERS, .item_bytes = 4, .index_bytes = 4, .tuning = CPU(100));
}

static void missing_pointers_are_refused(void **state)
{
    const dmm_permute_desc desc = {0};
    uint32_t index = 0, item = 1;
    (void)state;
    test_note("missing pointers");
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permute_host(NULL, &desc, &index, &item, 1, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permute_host(shared.ctx, NULL, &index, &item, 1, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permute_host(shared.ctx, &desc, NULL, &item, 1, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permute_host(shared.ctx, &desc, &index, NULL, 1, NULL));
}

enum { N = 500 };

/* ---- Arrays that are no permutation -----------------------------------------------------------
 * */

/* The first i whose position is out of range or an earlier one's; n where there is none. */
static uint64_t first_offender(const uint64_t *index, uint64_t n)
{
    uint64_t first = n;
    unsigned char *seen = calloc((size_t)n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < n && first == n; i++) {
        if (index[i] >= n || seen[index[i]])
            first = i;
        else
            seen[index[i]] = 1;
    }
    free(seen);
    return first;
}

static void the_first_offender_is_found(void **state)
{
    uint64_t index[] = {2, 0, 1, 3};
    (void)state;
    test_note("a judge");
    REQUIRE(first_offender(index, 4) == 4);
    index[3] = 4;
    REQUIRE(first_offender(index, 4) == 3);
    index[3] = 0;
    REQUIRE(first_offender(index, 4) == 3);
}

static void spoil(uint64_t *index, uint64_t n, uint32_t index_bytes, uint64_t seed)
{
    random_source random = {seed};
    const uint64_t faults = 1 + seed % 3;
    for (uint64_t k = 0; k < faults; k++) {
        const uint64_t at = random_below(&random, n);
        const uint64_t out_of_range = seed % 2 && index_bytes == 8 ? UINT64_MAX - k : n + k * 1000;
        index[at] = (seed + k) % 3 == 0 ? out_of_range : index[random_below(&random, n)];
    }
}

/* A random permutation, spoilt: its positions as they are, and of the width that d says. */
static void fill_spoilt(
    uint64_t *index, unsigned char *narrow, const dmm_permute_desc *d, uint64_t n, uint64_t seed)
{
    for (uint64_t i = 0; i < n; i++)
        index[i] = dmm_shuffle_index(seed, n, i);
    spoil(index, n, d->index_bytes, seed);
    for (uint64_t i = 0; i < n; i++)
        memcpy(narrow + i * d->index_bytes, &index[i], d->index_bytes);
}

static void require_reported(const dmm_permute_desc *d, uint64_t n, uint64_t seed)
{
    const uint64_t index_bytes = n * d->index_bytes, item_bytes = n * d->item_bytes;
    uint64_t *const index = allocate(n * sizeof *index);
    unsigned char *const narrow = allocate(index_bytes), *const before = allocate(item_bytes);
    random_source random = {seed};
    dmm_permute *permute = NULL;
    dmm_report found;
    fill_spoilt(index, narrow, d, n, seed);
    random_bytes(&random, before, (size_t)item_bytes);
    const uint64_t expected = first_offender(index, n);
    test_note("method %d direction %d check %d form %d: n=%llu seed %llu", (int)d->method,
        (int)d->direction, d->check, (int)d->tuning.form, (unsigned long long)n,
        (unsigned long long)seed);
    REQUIRE_OK(dmm_permute_create(&permute, shared.ctx, d));
    zone list = zone_create(&shared, narrow, index_bytes, 0);
    zone in = zone_create(&shared, before, item_bytes, 0);
    zone out = zone_create(&shared, NULL, item_bytes, 64 * d->item_bytes);
    zone report = zone_create(&shared, NULL, sizeof found, 16);
    const dmm_permute_args args = {.index = zone_span(&list),
        .in = zone_span(&in),
        .out = zone_span(&out),
        .report_out = zone_span(&report)};
    REQUIRE_OK(dmm_permute_enqueue(permute, shared.queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(shared.queue));
    zone_read(&shared, &report, &found);
    REQUIRE(zone_intact(&shared, &report));
    if (d->check && expected < n) {
        REQUIRE(found.code == DMM_BAD_DATA && found.position == expected);
        REQUIRE(zone_untouched(&shared, &out));
    } else
        REQUIRE(found.code == DMM_OK && zone_intact(&shared, &out));
    REQUIRE(zone_holds(&shared, &in, before) && zone_holds(&shared, &list, narrow));
    zone_free(&list);
    zone_free(&in);
    zone_free(&out);
    zone_free(&report);
    dmm_permute_free(permute);
    free(index);
    free(narrow);
    free(before);
}

static void what_is_no_permutation_is_reported_and_touches_nothing_outside(void **state)
{
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip(); /* unchecked, stray temp is read: meant, and a simulator would say so */
    for (int check_it = 0; check_it < 2; check_it++)
        for (int method = DMM_PERMUTE_PLAIN; method <= DMM_PERMUTE_RANDOMIZED; method++)
            for (int variant = 0; variant < 4; variant++) {
                if (variant >= 2 && method != DMM_PERMUTE_SCATTER)
                    continue; /* the CPU form has one method beside plain */
                const dmm_tuning gpu = GPU(16, 8), cpu = CPU(64);
                const dmm_permute_desc d = {.item_bytes = 8,
                    .index_bytes = variant / 2 ? 8 : 4,
                    .direction = variant % 2 ? DMM_DIRECTION_GATHER : DMM_DIRECTION_SCATTER,
                    .method = (dmm_permute_method)method,
                    .check = check_it,
                    .tuning = variant < 2 ? gpu : cpu};
                for (uint64_t seed = 0; seed < 4; seed++)
                    require_reported(&d, 90 + 300 * seed, seed + 4 * (uint64_t)variant);
            }
    const dmm_permute_desc wide = {.item_bytes = 1,
        .index_bytes = 8,
        .method = DMM_PERMUTE_PLAIN,
        .check = 1,
        .max_n = (uint64_t)1 << 33,
        .tuning = GPU(16, 8)};
    for (uint64_t seed = 0; seed < 8; seed++)
        require_reported(&wide, 1000, seed);
}

static void the_host_form_permutes_and_refuses(void **state)
{
    static uint32_t index[N], items[N];
    dmm_permute_desc desc = {0};
    dmm_report report = {9, 9, 9};
    (void)state;
    test_note("the host form");
    desc.check = 1;
    for (uint32_t i = 0; i < N; i++) {
        index[i] = (i * 7) % N;
        items[i] = i;
    }
    REQUIRE_OK(dmm_permute_host(shared.ctx, &desc, index, items, N, &report));
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[(i * 7) % N] == i);
    REQUIRE(report.code == DMM_OK);
    desc.direction = DMM_DIRECTION_GATHER;
    REQUIRE_OK(dmm_permute_host(shared.ctx, &desc, index, items, N, NULL));
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[i] == i);
    index[233] = index[21];
    REQUIRE_STATUS(DMM_BAD_DATA, dmm_permute_host(shared.ctx, &desc, index, items, N, &report));
    REQUIRE(report.position == 233);
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[i] == i);
    REQUIRE_OK(dmm_permute_host(shared.ctx, &desc, NULL, NULL, 0, &report));
    REQUIRE(report.code == DMM_OK && report.position == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_outside_their_ranges_are_refused),
        cmocka_unit_test(missing_pointers_are_refused),
        cmocka_unit_test(the_first_offender_is_found),
        cmocka_unit_test(what_is_no_permutation_is_reported_and_touches_nothing_outside),
        cmocka_unit_test(the_host_form_permutes_and_refuses),
    };
    return RUN_WITH_RIG("permute_arguments", "banks=16", tests);
}
