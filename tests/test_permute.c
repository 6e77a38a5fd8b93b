/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute over methods, forms, directions, sizes and item sizes, on random and on hostile
 * permutations. Two judges: a plain loop, and, knowing nothing of the
 * permutation, that every item is there once.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/permute.h>

#include "core/context.h"
#include "primitives/permute/permute.h"
#include "support/forms.h"
#include "support/random.h"
#include "support/zone.h"

typedef enum order { RANDOM, IDENTITY, REVERSED, ONE_BANK, ROTATED, ORDERS } order;

/* one bank: neighbours go `apart` places apart */
static void fill_order(uint64_t *index, uint64_t n, order kind, uint64_t seed, uint64_t apart)
{
    random_source random = {seed};
    uint64_t at = 0;
    for (uint64_t i = 0; i < n; i++)
        index[i] = kind == REVERSED ? n - 1 - i : kind == ROTATED ? (i + n / 3) % n : i;
    for (uint64_t first = 0; kind == ONE_BANK && first < apart; first++)
        for (uint64_t x = first; x < n; x += apart)
            index[at++] = x;
    for (uint64_t i = n; kind == RANDOM && i > 1; i--) {
        const uint64_t j = random_below(&random, i), kept = index[i - 1];
        index[i - 1] = index[j];
        index[j] = kept;
    }
}

/* Item i: its number in the first four bytes, or as many as there are, and bytes that follow. */
static void fill_items(unsigned char *items, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < bytes; b++)
            items[i * bytes + b] = (unsigned char)(b < 4 ? i >> (8 * b) : i * b + b);
}

typedef struct permute_case {
    uint64_t n;
    order kind;
    uint64_t seed;
    int in_place, temp_given;
    uint64_t offset_items;
} permute_case;

typedef struct permute_data {
    uint64_t *index;
    unsigned char *narrow, *before, *after;
} permute_data;

static const char *judge_by_loop(const dmm_permute_desc *d, const permute_data *data, uint64_t n)
{
    const uint32_t bytes = d->item_bytes;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t to = d->direction == DMM_DIRECTION_GATHER ? i : data->index[i];
        const uint64_t from = d->direction == DMM_DIRECTION_GATHER ? data->index[i] : i;
        if (memcmp(data->after + to * bytes, data->before + from * bytes, bytes) != 0)
            return "an item is not where it belongs";
    }
    return NULL;
}

static const char *judge_as_set(const dmm_permute_desc *d, const permute_data *data, uint64_t n)
{
    const char *fault = NULL;
    unsigned char *seen = calloc((size_t)n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < n && d->item_bytes >= 4 && fault == NULL; i++) {
        uint32_t number = 0;
        memcpy(&number, data->after + i * d->item_bytes, sizeof number);
        fault = number >= n || seen[number] ? "an item is there twice, or was never there" : NULL;
        if (fault == NULL)
            seen[number] = 1;
    }
    free(seen);
    return fault;
}

static void *allocate(uint64_t bytes)
{
    void *memory = malloc((size_t)bytes + 1);
    REQUIRE(memory != NULL);
    return memory;
}

static permute_data data_new(const rig *r, const dmm_permute_desc *d, const permute_case *c)
{
    const permute_data data = {.index = allocate(c->n * 8),
        .narrow = allocate(c->n * d->index_bytes),
        .before = allocate(c->n * d->item_bytes),
        .after = allocate(c->n * d->item_bytes)};
    fill_order(data.index, c->n, c->kind, c->seed, dmm_context_device(r->ctx)->banks.value);
    for (uint64_t i = 0; i < c->n; i++)
        memcpy(data.narrow + i * d->index_bytes, &data.index[i], d->index_bytes);
    fill_items(data.before, d->item_bytes, c->n);
    return data;
}

static void data_free(permute_data *data)
{
    free(data->index);
    free(data->narrow);
    free(data->before);
    free(data->after);
}

static dmm_report read_report(const rig *r, const zone *z)
{
    dmm_report report;
    zone_read(r, z, &report);
    REQUIRE(zone_intact(r, z));
    return report;
}

/* Runs a case; the report comes back. */
static dmm_report check(
    const rig *r, dmm_permute *p, const dmm_permute_desc *d, const permute_case *c)
{
    uint64_t temp_bytes = 0;
    const int in_place = c->in_place;
    zone temp = {0};
    test_note("items %u index %u direction %d method %d check %d form %d u %u E %u tile %u: n=%llu "
              "order %d seed %llu%s offset %llu%s",
        d->item_bytes, d->index_bytes, (int)d->direction, (int)d->method, d->check,
        (int)d->tuning.form, d->tuning.u, d->tuning.E, d->tuning.tile, (unsigned long long)c->n,
        (int)c->kind, (unsigned long long)c->seed, in_place ? " in place" : "",
        (unsigned long long)c->offset_items, c->temp_given ? " temp given" : "");
    permute_data data = data_new(r, d, c);
    const uint64_t bytes = c->n * d->item_bytes, offset = c->offset_items * d->item_bytes;
    zone index = zone_create(r, data.narrow, c->n * d->index_bytes, 3 * d->index_bytes);
    zone in = zone_create(r, data.before, bytes, offset);
    zone out = in_place ? in : zone_create(r, NULL, bytes, offset);
    zone report = zone_create(r, NULL, sizeof(dmm_report), 8);
    dmm_permute_args args = {.index = zone_span(&index),
        .in = zone_span(&in),
        .out = zone_span(&out),
        .report = zone_span(&report)};
    REQUIRE_OK(dmm_permute_temp_bytes(&temp_bytes, p, c->n));
    if (c->temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 256);
        args.temp = zone_span(&temp);
    }
    REQUIRE_OK(dmm_permute_enqueue(p, r->queue, &args, c->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &out, data.after);
    REQUIRE_VERDICT(judge_by_loop(d, &data, c->n));
    REQUIRE_VERDICT(judge_as_set(d, &data, c->n));
    REQUIRE(zone_holds(r, &index, data.narrow) && zone_intact(r, &out));
    REQUIRE(temp.buffer == NULL || zone_intact(r, &temp));
    if (!in_place)
        REQUIRE(zone_holds(r, &in, data.before));
    const dmm_report told = read_report(r, &report);
    REQUIRE(told.code == DMM_OK && told.position == 0);
    if (!in_place)
        zone_free(&out);
    zone_free(&in);
    zone_free(&index);
    zone_free(&report);
    zone_free(&temp);
    data_free(&data);
    return told;
}

static dmm_permute *build(rig *r, const dmm_permute_desc *d)
{
    dmm_permute *p = NULL;
    const dmm_status status = dmm_permute_create(&p, r->ctx, d);
    if (status != DMM_OK)
        print_error("%s", r->log);
    REQUIRE_OK(status);
    return p;
}

static const struct {
    const char *set;
    dmm_permute_desc desc;
} rows[] = {
    {"banks=32", {.item_bytes = 4,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_PLAIN,
                     .check = 1,
                     .tuning = GPU(32, 4)}},
    {"banks=16", {.item_bytes = 12,
                     .index_bytes = 8,
                     .direction = DMM_DIRECTION_GATHER,
                     .method = DMM_PERMUTE_PLAIN,
                     .tuning = GPU(16, 4)}},
    {"banks=32", {.item_bytes = 4,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .check = 1,
                     .seed = 7,
                     .tuning = GPU(64, 4)}},
    {"banks=8", {.item_bytes = 8,
                    .index_bytes = 4,
                    .method = DMM_PERMUTE_RANDOMIZED,
                    .seed = 8,
                    .tuning = GPU(16, 8)}},
    {"banks=16", {.item_bytes = 3,
                     .index_bytes = 8,
                     .direction = DMM_DIRECTION_GATHER,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .check = 1,
                     .seed = 9,
                     .tuning = GPU(16, 16)}},
    {"banks=64", {.item_bytes = 256,
                     .index_bytes = 4,
                     .method = DMM_PERMUTE_RANDOMIZED,
                     .seed = 10,
                     .tuning = GPU(64, 1)}},
    {"banks=16,bank_bytes=8", {.item_bytes = 16,
                                  .index_bytes = 4,
                                  .method = DMM_PERMUTE_RANDOMIZED,
                                  .seed = 1,
                                  .tuning = GPU(32, 4)}},
    {"banks=32",
        {.item_bytes = 1, .index_bytes = 4, .method = DMM_PERMUTE_SCATTER, .tuning = GPU(32, 4)}},
    {"banks=8", {.item_bytes = 20,
                    .index_bytes = 4,
                    .direction = DMM_DIRECTION_GATHER,
                    .method = DMM_PERMUTE_SCATTER,
                    .check = 1,
                    .tuning = GPU(16, 8)}},
    {"", {.item_bytes = 4, .index_bytes = 4, .check = 1, .tuning = CPU(64)}},
    {"units=3", {.item_bytes = 8, .index_bytes = 8, .tuning = CPU(128)}},
    {"", {.item_bytes = 2,
             .index_bytes = 4,
             .direction = DMM_DIRECTION_GATHER,
             .method = DMM_PERMUTE_RANDOMIZED,
             .check = 1,
             .tuning = CPU(64)}},
    {"", {.item_bytes = 7, .index_bytes = 4, .direction = DMM_DIRECTION_GATHER, .tuning = CPU(64)}},
    {"", {.item_bytes = 1,
             .index_bytes = 4,
             .check = 1,
             .max_n = (uint64_t)1 << 33,
             .tuning = CPU(64)}},
};

static void every_row_of_the_covering_table_permutes(void **state)
{
    static const uint64_t sizes[] = {
        0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 4096, 20011};
    static rig r;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const dmm_permute_desc *d = &rows[i].desc;
        rig_open(&r, rows[i].set);
        dmm_permute *p = build(&r, d);
        for (size_t k = 0; k < by_size(9, sizeof sizes / sizeof sizes[0], 18); k++) {
            const permute_case c = {.n = sizes[k],
                .kind = (order)((i + k) % ORDERS),
                .seed = 100 * i + k,
                .in_place = k % 2 == 0,
                .temp_given = k % 3 == 0,
                .offset_items = k % 3 * 5};
            const dmm_report told = check(&r, p, d, &c);
            const int rounds =
                d->method == DMM_PERMUTE_RANDOMIZED && d->tuning.form == DMM_FORM_GPU && c.n != 0;
            const uint64_t most = tile_of(&d->tuning) / dmm_context_device(r.ctx)->banks.value;
            REQUIRE(rounds ? told.detail >= 1 && told.detail <= most : told.detail == 0);
        }
        dmm_permute_free(p);
        rig_close(&r);
    }
}

static void every_n_to_4096_permutes(void **state)
{
    static const dmm_permute_desc descs[] = {{.item_bytes = 4, .index_bytes = 4, .tuning = CPU(64)},
        {.item_bytes = 4, .index_bytes = 4, .method = DMM_PERMUTE_RANDOMIZED, .tuning = GPU(32, 8)},
        {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_PLAIN,
            .check = 1,
            .tuning = GPU(32, 8)}};
    static rig r;
    (void)state;
    rig_optimise();
    rig_open(&r, "banks=32");
    for (uint64_t i = 0; i < 3; i++) {
        dmm_permute *p = build(&r, &descs[i]);
        for (uint64_t n = i; n <= by_size(400, 4096, 4096); n += by_size(1 + n * 2, 3, 1))
            check(&r, p, &descs[i], &(permute_case){.n = n, .seed = n, .in_place = n % 4 < 2});
        dmm_permute_free(p);
    }
    rig_close(&r);
}

static void a_million_items_permute_with_default_parameters(void **state)
{
    static const dmm_permute_desc descs[] = {
        {.item_bytes = 4, .index_bytes = 4, .check = 1, .tuning = {.form = DMM_FORM_CPU}},
        {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_RANDOMIZED,
            .tuning = {.form = DMM_FORM_GPU}},
        {.item_bytes = 8,
            .index_bytes = 4,
            .direction = DMM_DIRECTION_GATHER,
            .method = DMM_PERMUTE_SCATTER,
            .tuning = {.form = DMM_FORM_GPU}}};
    static rig r;
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < 3; i++) {
        dmm_permute *p = build(&r, &descs[i]);
        const permute_case c = {.n = by_size(700, 1200007, 1u << 24), .seed = i};
        check(&r, p, &descs[i], &c);
        dmm_permute_free(p);
    }
    rig_close(&r);
}

/* ---- Rounds -------------------------------------------------------------------------------- */

/* Rounds of one tile of a random permutation by a random function, in the mean of many trials. */
static double expected_rounds(uint32_t w, uint32_t m, uint32_t trials)
{
    random_source random = {99};
    uint64_t *labels = allocate((uint64_t)w * m * sizeof *labels), sum = 0;
    uint32_t *h = allocate(w * sizeof *h), *taken = allocate(m * sizeof *taken);
    for (uint32_t trial = 0; trial < trials; trial++) {
        uint32_t left = w * m, round = 0;
        fill_order(labels, left, RANDOM, trial, 0);
        for (; left != 0; sum++) {
            round++;
            for (uint32_t i = 0; i < w; i++)
                h[i] = (uint32_t)random_below(&random, m);
            for (uint32_t row = 0; row < w; row++) {
                memset(taken, 0, m * sizeof *taken);
                for (uint64_t *l = labels + row * m; l < labels + row * m + m; l++) {
                    const uint32_t k = *l == UINT64_MAX ? 0 : ((uint32_t)*l / w + h[*l % w]) % m;
                    if (*l == UINT64_MAX || taken[k]++ != 0)
                        continue;
                    *l = UINT64_MAX;
                    left--;
                }
            }
        }
        REQUIRE(round <= m);
    }
    free(labels);
    free(h);
    free(taken);
    return (double)sum / trials;
}

/* Two-sided: rounds are as many as a random function takes. */
static void rounds_are_those_of_a_random_function(void **state)
{
    static const uint32_t shapes[][2] = {{32, 4}, {64, 16}, {256, 16}}; /* u, E */
    enum { BANKS = 32 };
    const uint64_t seeds = by_size(4, 40, 40);
    const double slack = seeds < 40 ? 1 : 0.25;
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const uint32_t u = shapes[i][0], E = shapes[i][1];
        dmm_permute_desc d = {.item_bytes = 4,
            .index_bytes = 4,
            .method = DMM_PERMUTE_RANDOMIZED,
            .tuning = GPU(u, E)};
        double sum = 0;
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            d.seed = seed * 0x9e3779b97f4a7c15u;
            dmm_permute *p = build(&r, &d);
            sum += check(&r, p, &d, &(permute_case){.n = u * E, .seed = seed}).detail;
            dmm_permute_free(p);
        }
        const double found = sum / (double)seeds,
                     expected = expected_rounds(BANKS, u * E / BANKS, 200);
        test_note("u %u, E %u: %.2f rounds, expected %.2f", u, E, found, expected);
        REQUIRE(found > expected - slack && found < expected + slack);
    }
    rig_close(&r);
}

/* No seed: one of the system's, another for each object. */
static void seeds_are_fresh_unless_given(void **state)
{
    dmm_permute_desc d = {
        .item_bytes = 4, .index_bytes = 4, .method = DMM_PERMUTE_RANDOMIZED, .tuning = GPU(32, 4)};
    static rig r;
    (void)state;
    test_note("seeds");
    rig_open(&r, "banks=32");
    dmm_permute *first = build(&r, &d), *second = build(&r, &d);
    d.seed = 5;
    dmm_permute *given = build(&r, &d);
    REQUIRE(first->desc.seed != 0 && second->desc.seed != 0);
    REQUIRE(first->desc.seed != second->desc.seed);
    REQUIRE(given->desc.seed == 5);
    dmm_permute_free(first);
    dmm_permute_free(second);
    dmm_permute_free(given);
    rig_close(&r);
}

/* The same seed, the same run. */
static void a_seed_fixes_the_rounds(void **state)
{
    const dmm_permute_desc d = {.item_bytes = 4,
        .index_bytes = 4,
        .method = DMM_PERMUTE_RANDOMIZED,
        .seed = 5,
        .tuning = GPU(32, 16)};
    const permute_case c = {.n = 2000, .seed = 3};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    dmm_permute *p = build(&r, &d);
    const uint32_t rounds = check(&r, p, &d, &c).detail;
    REQUIRE(rounds > 1);
    REQUIRE(check(&r, p, &d, &c).detail == rounds);
    dmm_permute_free(p);
    rig_close(&r);
}

static void the_judges_see_wrong_orders(void **state)
{
    const dmm_permute_desc d = {
        .item_bytes = 4, .index_bytes = 8, .direction = DMM_DIRECTION_SCATTER};
    uint64_t index[] = {2, 0, 1, 3};
    uint32_t before[] = {0, 1, 2, 3}, after[] = {1, 2, 0, 3};
    const permute_data data = {index, NULL, (unsigned char *)before, (unsigned char *)after};
    (void)state;
    test_note("judges");
    REQUIRE(judge_by_loop(&d, &data, 4) == NULL && judge_as_set(&d, &data, 4) == NULL);
    after[0] = 2;
    REQUIRE(judge_by_loop(&d, &data, 4) != NULL && judge_as_set(&d, &data, 4) != NULL);
    after[1] = 1;
    REQUIRE(judge_by_loop(&d, &data, 4) != NULL && judge_as_set(&d, &data, 4) == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_permutes),
        cmocka_unit_test(every_n_to_4096_permutes),
        cmocka_unit_test(a_million_items_permute_with_default_parameters),
        cmocka_unit_test(rounds_are_those_of_a_random_function),
        cmocka_unit_test(seeds_are_fresh_unless_given),
        cmocka_unit_test(a_seed_fixes_the_rounds),
        cmocka_unit_test(the_judges_see_wrong_orders),
    };
    return cmocka_run_group_tests_name("permute", tests, NULL, NULL);
}
