/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind */
/*
 * dmm_run_length over sizes, key sizes, lengths of runs and forms, by two judges: an oracle that
 * counts the runs itself, and the property that the runs, written out, are the input.
 */
#include "support/require.h"

#include <dmm/run_length.h>

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/forms.h"
#include "support/random.h"

/* What goes in, and what came out of it. */
typedef struct counting {
    uint64_t n, runs;
    uint32_t bytes; /* size of a key */
    unsigned char *keys, *keys_out;
    uint64_t *counts;
} counting;

static const char *judge_by_oracle(const counting *c)
{
    uint64_t run = 0, count = 0;
    for (uint64_t i = 0; i < c->n; i++) {
        const unsigned char *const key = c->keys + i * c->bytes;
        count++;
        if (i + 1 < c->n && memcmp(key, key + c->bytes, c->bytes) == 0)
            continue;
        if (run == c->runs || c->counts[run] != count)
            return "a run is shorter or longer";
        if (memcmp(key, c->keys_out + run * c->bytes, c->bytes) != 0)
            return "a run has another key";
        run++;
        count = 0;
    }
    return run == c->runs ? NULL : "too many runs";
}

static const char *judge_by_property(const counting *c)
{
    uint64_t i = 0;
    for (uint64_t r = 0; r < c->runs; r++) {
        const unsigned char *const key = c->keys_out + r * c->bytes;
        if (r > 0 && memcmp(key, key - c->bytes, c->bytes) == 0)
            return "neighbours are equal";
        if (c->counts[r] == 0 || c->counts[r] > c->n - i)
            return "a count is 0, or the counts exceed the items";
        for (uint64_t k = 0; k < c->counts[r]; k++, i++)
            if (memcmp(c->keys + i * c->bytes, key, c->bytes) != 0)
                return "the runs, written out, are not the input";
    }
    return i == c->n ? NULL : "items are missing";
}

/* Runs of about `length` keys; 0: one run. Keys differ in their first or last byte. There is space
 * for n + 1 keys. */
static counting make_input(uint64_t n, uint32_t bytes, uint64_t length, uint64_t seed)
{
    counting c = {.n = n, .bytes = bytes};
    random_source random = {seed};
    c.keys = allocate((n + 1) * bytes);
    c.keys_out = allocate((n + 1) * bytes);
    c.counts = allocate((n + 1) * sizeof *c.counts);
    for (uint64_t i = 0; i < n; i++) {
        unsigned char *const key = c.keys + i * bytes;
        if (i > 0)
            memcpy(key, key - bytes, bytes);
        if (length != 0 && random_below(&random, length) == 0)
            key[random_below(&random, 2) * (bytes - 1)]++;
    }
    return c;
}

static void free_counting(counting *c)
{
    free(c->keys);
    free(c->keys_out);
    free(c->counts);
}

enum { KEYS_IN, KEYS_OUT, COUNTS, RUNS, TEMP, COUNT, NUM_ZONES };

/* Runs a call for at most `most` items, of which the device's count says c->n, and judges it. */
static void check(const rig *r, dmm_run_length *run_length, counting *c, uint64_t most, int given)
{
    const uint64_t key = c->bytes, offset = most % 3 * 5;
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_run_length_temp_bytes(&temp_bytes, run_length, most));
    zone z[NUM_ZONES] = {
        [KEYS_IN] = zone_create(r, c->keys, most * key, offset * key),
        [KEYS_OUT] = zone_create(r, NULL, most * key, 3 * key),
        [COUNTS] = zone_create(r, NULL, most * sizeof *c->counts, 24),
        [RUNS] = zone_create(r, NULL, sizeof c->runs, 8),
        [TEMP] = zone_create(r, NULL, temp_bytes, 256),
        [COUNT] = zone_create(r, &c->n, sizeof c->n, 16),
    };
    const dmm_run_length_args args = {.keys_in = zone_span(&z[KEYS_IN]),
        .keys_out = zone_span(&z[KEYS_OUT]),
        .counts_out = zone_span(&z[COUNTS]),
        .runs_out = zone_span(&z[RUNS]),
        .temp = given && temp_bytes != 0 ? zone_span(&z[TEMP]) : DMM_NONE,
        .count = most != c->n ? zone_span(&z[COUNT]) : DMM_NONE};
    REQUIRE_OK(dmm_run_length_enqueue(run_length, r->queue, &args, most, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &z[KEYS_OUT], c->keys_out);
    zone_read(r, &z[COUNTS], c->counts);
    zone_read(r, &z[RUNS], &c->runs);
    REQUIRE(zone_holds(r, &z[KEYS_IN], c->keys));
    for (int i = 0; i < NUM_ZONES; i++) {
        REQUIRE(zone_intact(r, &z[i]));
        zone_free(&z[i]);
    }
    REQUIRE_VERDICT(judge_by_oracle(c));
    REQUIRE_VERDICT(judge_by_property(c));
}

static dmm_run_length *build(rig *r, uint32_t bytes, dmm_tuning tuning, uint64_t max_n)
{
    dmm_run_length *run_length = NULL;
    const dmm_run_length_desc desc = {.key_bytes = bytes, .max_n = max_n, .tuning = tuning};
    REQUIRE_OK(rig_log_failure(r, dmm_run_length_create(&run_length, r->ctx, &desc)));
    return run_length;
}

static const dmm_tuning forms[] = {GPU(16, 4), {DMM_FORM_CPU, 0, 4, 64, DMM_TILE_SEARCH_DEFAULT}};

static void runs_of_every_length_are_counted(void **state)
{
    static const uint32_t bytes[] = {4, 8, 1, 12};
    static const uint64_t lengths[] = {1, 2, 40, 0};
    static const uint64_t sizes[] = {0, 1, 63, 64, 65, 1000, 3001};
    (void)state;
    for (size_t k = 0; k < by_size(1, 4, 4); k++) {
        static rig r;
        rig_open(&r, k % 2 ? "banks=8" : "banks=16");
        dmm_run_length *run_length =
            build(&r, bytes[k], forms[k % 2], k < 2 ? 0 : UINT64_MAX / 512);
        const uint64_t count = by_size(5, 7, 7);
        for (uint64_t i = 0; i < by_size(2, 4, 4) * count; i++) {
            const uint64_t n = sizes[i % count], length = lengths[i / count];
            test_note("keys of %u bytes, n=%llu, runs of %llu", bytes[k], (unsigned long long)n,
                (unsigned long long)length);
            counting c = make_input(n, bytes[k], length, i);
            check(&r, run_length, &c, n, i % 2);
            if (n > 0) { /* all but some, by a count in device memory */
                c.n = n - n / 3;
                check(&r, run_length, &c, n + (n / 3 == 0), i % 2);
            }
            free_counting(&c);
        }
        dmm_run_length_free(run_length);
        rig_close(&r);
    }
}

static void judges_tell_wrong_from_right(void **state)
{
    unsigned char keys[] = {5, 5, 7, 7, 7, 5}, keys_out[] = {5, 7, 5};
    uint64_t counts[] = {2, 3, 1};
    counting c = {6, 3, 1, keys, keys_out, counts};
    (void)state;
    test_note("judges");
    REQUIRE_VERDICT(judge_by_oracle(&c));
    REQUIRE_VERDICT(judge_by_property(&c));
#define SPOILT(change, undo)                    \
    do {                                        \
        change;                                 \
        REQUIRE(judge_by_oracle(&c) != NULL);   \
        REQUIRE(judge_by_property(&c) != NULL); \
        undo;                                   \
    } while (0)
    SPOILT(c.runs = 2, c.runs = 3);
    SPOILT(counts[1] = 2, counts[1] = 3);
    SPOILT(counts[2] = 2, counts[2] = 1);
    SPOILT(keys_out[1] = 5, keys_out[1] = 7);
}

static void wrong_arguments_are_refused_in_order(void **state)
{
    enum { N = 3 };
    static const dmm_run_length_desc desc = {.max_n = N}, wide = {.key_bytes = 257};
    uint32_t keys[N] = {3, 3, 1};
    size_t runs = 0;
    uint64_t counts[N];
    dmm_run_length *run_length = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong arguments");
    REQUIRE_REFUSED(
        DMM_BAD_VALUE, &run_length, dmm_run_length_create(&run_length, shared.ctx, &wide));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_run_length_host(shared.ctx, &desc, keys, N, NULL, &runs));
    REQUIRE_STATUS(
        DMM_NULL_ARGUMENT, dmm_run_length_host(shared.ctx, &desc, keys, N, counts, NULL));
    REQUIRE_OK(dmm_run_length_host(shared.ctx, &desc, keys, N, counts, &runs));
    REQUIRE(runs == 2 && keys[0] == 3 && keys[1] == 1 && counts[0] == 2 && counts[1] == 1);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_every_length_are_counted),
        cmocka_unit_test(judges_tell_wrong_from_right),
        cmocka_unit_test(wrong_arguments_are_refused_in_order),
    };
    return cmocka_run_group_tests_name("run_length", tests, NULL, NULL);
}
