/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * dmm_unique over sizes, item sizes, lengths of runs and parameters, by two judges: an oracle that
 * packs the items itself, and the property that the input can be restored from the runs.
 */
#include "support/require.h"

#include <dmm/unique.h>

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/forms.h"
#include "support/random.h"

/* What goes in, and what came out of it. */
typedef struct packing {
    uint64_t n, runs;
    uint32_t key_bytes, value_bytes;
    unsigned char *keys, *values, *keys_out, *values_out;
    uint64_t *starts;
} packing;

static const char *judge_by_oracle(const packing *p)
{
    uint64_t runs = 0;
    for (uint64_t i = 0; i < p->n; i++) {
        if (i > 0 && same_item(p->keys, i, p->keys, i - 1, p->key_bytes))
            continue;
        if (runs == p->runs || p->starts[runs] != i)
            return "a run begins elsewhere";
        if (!same_item(p->keys, i, p->keys_out, runs, p->key_bytes) ||
            !same_item(p->values, i, p->values_out, runs, p->value_bytes))
            return "another item was kept";
        runs++;
    }
    return runs == p->runs ? NULL : "too many runs";
}

static const char *judge_by_property(const packing *p)
{
    if ((p->n == 0) != (p->runs == 0) || (p->n != 0 && p->starts[0] != 0))
        return "the first run does not begin with the first item";
    for (uint64_t r = 0; r < p->runs; r++) {
        const uint64_t start = p->starts[r], end = r + 1 < p->runs ? p->starts[r + 1] : p->n;
        if (start >= end || end > p->n)
            return "runs are not in order";
        if (r > 0 && same_item(p->keys_out, r, p->keys_out, r - 1, p->key_bytes))
            return "neighbours are equal";
        if (!same_item(p->values, start, p->values_out, r, p->value_bytes))
            return "a value is not that of its run's first key";
        for (uint64_t i = start; i < end; i++)
            if (!same_item(p->keys, i, p->keys_out, r, p->key_bytes))
                return "an item is not of its run";
    }
    return NULL;
}

/* Runs of about `length` keys; 0: one run. Keys differ in their last byte at least. */
static packing make_input(
    uint64_t n, uint32_t key_bytes, uint32_t value_bytes, uint64_t length, uint64_t seed)
{
    packing p = {.n = n, .key_bytes = key_bytes, .value_bytes = value_bytes};
    random_source random = {seed};
    p.keys = allocate(n * key_bytes);
    p.values = allocate(n * value_bytes);
    p.keys_out = allocate(n * key_bytes);
    p.values_out = allocate(n * value_bytes);
    p.starts = allocate(n * sizeof *p.starts);
    random_bytes(&random, p.values, n * value_bytes);
    for (uint64_t i = 0; i < n; i++) {
        unsigned char *const key = p.keys + i * key_bytes;
        if (i > 0)
            memcpy(key, key - key_bytes, key_bytes);
        if (length != 0 && random_below(&random, length) == 0)
            key[random_below(&random, 2) * (key_bytes - 1)]++;
    }
    return p;
}

static void free_packing(packing *p)
{
    free(p->keys);
    free(p->values);
    free(p->keys_out);
    free(p->values_out);
    free(p->starts);
}

static dmm_unique *build(rig *r, const packing *p, dmm_tuning tuning, uint64_t max_n)
{
    dmm_unique *unique = NULL;
    const dmm_unique_desc desc = {
        .key_bytes = p->key_bytes, .value_bytes = p->value_bytes, .max_n = max_n, .tuning = tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_unique_create(&unique, r->ctx, &desc)));
    return unique;
}

enum { KEYS_IN, VALUES_IN, KEYS_OUT, VALUES_OUT, STARTS, RUNS, TEMP, COUNT, NUM_ZONES };

/* Runs a call for at most `most` items, of which the device's count says p->n. */
static void pack(const rig *r, dmm_unique *unique, packing *p, uint64_t most, int temp_given)
{
    const uint64_t key = p->key_bytes, value = p->value_bytes, n = most, offset = n % 3 * 5;
    const int counted = most != p->n;
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_unique_temp_bytes(&temp_bytes, unique, n));
    zone z[NUM_ZONES] = {
        [KEYS_IN] = zone_create(r, p->keys, n * key, offset * key),
        [VALUES_IN] = zone_create(r, value ? p->values : NULL, n * value, offset * value),
        [KEYS_OUT] = zone_create(r, NULL, n * key, 3 * key),
        [VALUES_OUT] = zone_create(r, NULL, n * value, 3 * value),
        [STARTS] = zone_create(r, NULL, n * sizeof *p->starts, 24),
        [RUNS] = zone_create(r, NULL, sizeof p->runs, 8),
        [TEMP] = zone_create(r, NULL, temp_bytes, 256),
        [COUNT] = zone_create(r, &p->n, sizeof p->n, 16),
    };
    const dmm_unique_args args = {.keys_in = zone_span(&z[KEYS_IN]),
        .values_in = value ? zone_span(&z[VALUES_IN]) : DMM_NONE,
        .keys_out = zone_span(&z[KEYS_OUT]),
        .values_out = value ? zone_span(&z[VALUES_OUT]) : DMM_NONE,
        .starts_out = zone_span(&z[STARTS]),
        .runs_out = zone_span(&z[RUNS]),
        .temp = temp_given && temp_bytes != 0 ? zone_span(&z[TEMP]) : DMM_NONE,
        .count = counted ? zone_span(&z[COUNT]) : DMM_NONE};
    REQUIRE_OK(dmm_unique_enqueue(unique, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[KEYS_OUT], p->keys_out);
    zone_read(r, &z[VALUES_OUT], p->values_out);
    zone_read(r, &z[STARTS], p->starts);
    zone_read(r, &z[RUNS], &p->runs);
    REQUIRE(zone_holds(r, &z[KEYS_IN], p->keys));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
}

static void judge(const packing *p)
{
    REQUIRE_VERDICT(judge_by_oracle(p));
    REQUIRE_VERDICT(judge_by_property(p));
}

static const dmm_tuning forms[] = {GPU(16, 4), {DMM_FORM_CPU, 0, 4, 64, DMM_TILE_SEARCH_DEFAULT}};

static void items_of_every_size_are_packed(void **state)
{
    static const uint32_t bytes[][2] = {{4, 0}, {1, 8}, {8, 4}, {12, 3}, {256, 1}, {3, 100}};
    static const uint64_t lengths[] = {1, 2, 40, 0}, sizes[] = {0, 1, 63, 64, 65, 1000, 3001};
    (void)state;
    for (size_t k = 0; k < by_size(2, 6, 6); k++) {
        static rig r;
        const packing shape = {.key_bytes = bytes[k][0], .value_bytes = bytes[k][1]};
        rig_open(&r, k % 2 ? "banks=8" : "banks=16");
        dmm_unique *unique = build(&r, &shape, forms[k / 2 % 2], 0);
        const uint64_t count = by_size(5, 7, 7);
        for (uint64_t i = 0; i < by_size(2, 4, 4) * count; i++) {
            const uint64_t n = sizes[i % count], length = lengths[i / count];
            test_note("keys of %u bytes, values of %u, n=%llu, runs of %llu", bytes[k][0],
                bytes[k][1], (unsigned long long)n, (unsigned long long)length);
            packing p = make_input(n, bytes[k][0], bytes[k][1], length, i);
            pack(&r, unique, &p, n, i % 2);
            judge(&p);
            free_packing(&p);
        }
        dmm_unique_free(unique);
        rig_close(&r);
    }
}

/* The lower half of them by a count in device memory. */
static void sizes_up_to_4096_packs(void **state)
{
    static rig r;
    packing p = make_input(4096, 4, 0, 3, 7);
    const uint64_t most = by_size(70, 4096, 4096);
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t f = 0; f < 2; f++) {
        dmm_unique *unique = build(&r, &p, forms[f], 4096);
        for (uint64_t n = 0; n <= most; n++) {
            if (!size_wanted(n, 32))
                continue;
            test_note("form %zu, n=%llu", f, (unsigned long long)n);
            p.n = n;
            pack(&r, unique, &p, n % 5 == 0 ? most : n, n % 2);
            judge(&p);
        }
        dmm_unique_free(unique);
    }
    rig_close(&r);
    free_packing(&p);
}

static void judges_tell_wrong_from_right(void **state)
{
    unsigned char keys[] = {5, 5, 7, 7, 7, 5}, values[] = {1, 2, 3, 4, 5, 6};
    unsigned char keys_out[] = {5, 7, 5}, values_out[] = {1, 3, 6};
    uint64_t starts[] = {0, 2, 5};
    packing p = {6, 3, 1, 1, keys, values, keys_out, values_out, starts};
    (void)state;
    test_note("judges");
    judge(&p);
#define SPOILT(change, undo)                    \
    do {                                        \
        change;                                 \
        REQUIRE(judge_by_oracle(&p) != NULL);   \
        REQUIRE(judge_by_property(&p) != NULL); \
        undo;                                   \
    } while (0)
    SPOILT(p.runs = 2, p.runs = 3);
    SPOILT(starts[1] = 3, starts[1] = 2);
    SPOILT(starts[0] = 1, starts[0] = 0);
    SPOILT(keys_out[1] = 5, keys_out[1] = 7);
    SPOILT(values_out[1] = 4, values_out[1] = 3);
}

static void wrong_descriptions_are_refused(void)
{
    static const uint32_t wrong[][2] = {{257, 0}, {4, 257}};
    dmm_unique_desc desc = {0};
    dmm_unique *unique = NULL;
    for (size_t i = 0; i < 2; i++) {
        desc.key_bytes = wrong[i][0];
        desc.value_bytes = wrong[i][1];
        REQUIRE_REFUSED(DMM_BAD_VALUE, &unique, dmm_unique_create(&unique, shared.ctx, &desc));
    }
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    enum { N = 3 };
    static const dmm_unique_desc desc = {.key_bytes = 4, .value_bytes = 4, .max_n = N};
    uint32_t keys[N] = {3, 3, 1}, values[N] = {7, 8, 9};
    size_t runs = 0;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    wrong_descriptions_are_refused();
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_unique_host(shared.ctx, &desc, keys, NULL, N, &runs));
    REQUIRE_OK(dmm_unique_host(shared.ctx, &desc, keys, values, N, &runs));
    REQUIRE(runs == 2 && keys[0] == 3 && keys[1] == 1 && values[0] == 7 && values[1] == 9);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_every_size_are_packed),
        cmocka_unit_test(sizes_up_to_4096_packs),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("unique", tests, NULL, NULL);
}
