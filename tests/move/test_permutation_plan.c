/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_permutation_plan over forms, sizes, item sizes and permutations, compared with a plain loop;
 * its files, sound and damaged; what it refuses.
 */
#include "support/require.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/permutation_plan.h>
#include <dmm/shuffle.h>

#include "support/items.h"
#include "support/shared.h"
#include "support/zone.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/random.h"

/* ---- Execution --------------------------------------------------------------------------------
 * */

/* Where item i goes, by the definition in the header. */
static uint64_t goal_of(const dmm_permutation_plan_desc *d, uint64_t i)
{
    uint64_t goal = 0;
    switch (d->kind) {
    case DMM_PLAN_BIT_REVERSAL:
        for (uint64_t bit = 1; bit < d->n; bit *= 2)
            goal |= i & bit ? d->n / 2 / bit : 0;
        return goal;
    case DMM_PLAN_TRANSPOSE:
        return i % (d->n / d->argument) * d->argument + i / (d->n / d->argument);
    case DMM_PLAN_STRIDE:
        return i * d->argument % d->n;
    case DMM_PLAN_SHUFFLE:
        while (dmm_shuffle_index(d->argument, d->n, goal) != i)
            goal++;
        return goal;
    default:
        return d->index[i];
    }
}

static const char *judge_by_loop(
    const dmm_permutation_plan_desc *d, const unsigned char *in, const unsigned char *out)
{
    for (uint64_t i = 0; i < d->n; i++)
        if (memcmp(out + goal_of(d, i) * d->item_bytes, in + i * d->item_bytes, d->item_bytes) != 0)
            return "an item is not where it belongs";
    return NULL;
}

static void execute(const rig *r, dmm_permutation_plan *p, const dmm_permutation_plan_desc *d,
    int in_place, int temp_given)
{
    const uint64_t bytes = d->n * d->item_bytes;
    unsigned char *before = allocate(bytes), *after = allocate(bytes);
    random_source random = {d->n};
    uint64_t temp_bytes = 0;
    zone temp = {0};
    test_note("%u bytes, n = %llu, kind %d, form %d u %u E %u tile %u%s%s", d->item_bytes,
        (unsigned long long)d->n, (int)d->kind, (int)d->tuning.form, d->tuning.u, d->tuning.E,
        d->tuning.tile, in_place ? ", in place" : "", temp_given ? ", temp given" : "");
    random_bytes(&random, before, (size_t)bytes);
    zone in = zone_create(r, before, bytes, 2 * d->item_bytes);
    zone out = in_place ? in : zone_create(r, NULL, bytes, 3 * d->item_bytes);
    dmm_permutation_plan_args args = {.in = zone_span(&in), .out = zone_span(&out)};
    REQUIRE_OK(dmm_permutation_plan_temp_bytes(&temp_bytes, p));
    if (temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 256);
        args.temp = zone_span(&temp);
    }
    REQUIRE(dmm_permutation_plan_items(p) == d->n);
    REQUIRE_OK(dmm_permutation_plan_enqueue(p, r->queue, &args, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &out, after);
    REQUIRE_VERDICT(judge_by_loop(d, before, after));
    REQUIRE(zone_intact(r, &out) && (temp.buffer == NULL || zone_intact(r, &temp)));
    if (!in_place) {
        REQUIRE(zone_holds(r, &in, before));
        zone_free(&out);
    }
    zone_free(&in);
    zone_free(&temp);
    free(before);
    free(after);
}

static dmm_permutation_plan *build(rig *r, const dmm_permutation_plan_desc *d)
{
    dmm_permutation_plan *p = NULL;
    REQUIRE_OK(rig_log_failure(r, dmm_permutation_plan_create(&p, r->ctx, d)));
    return p;
}

static const struct {
    const char *set;
    uint32_t item_bytes;
    dmm_tuning tuning;
} rows[] = {{"banks=8", 4, GPU(8, 2)}, {"banks=16", 8, GPU(32, 4)}, {"banks=32", 1, GPU(64, 8)},
    {"banks=64", 12, GPU(64, 1)}, {"banks=16,bank_bytes=8", 16, GPU(16, 4)}, {"", 4, CPU(64)},
    {"units=3", 2, CPU(128)}, {"", 40, CPU(64)}};

/* Every kind at sizes of one tile, of two levels and of three. */
static void every_row_of_the_covering_table_permutes(void **state)
{
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!COVER_TAKES(&seen, 1, rows[i].tuning.form, cover_text(rows[i].set),
                cover_bytes(rows[i].item_bytes)))
            continue;
        const uint64_t T =
            rows[i].tuning.tile != 0 ? rows[i].tuning.tile : rows[i].tuning.u * rows[i].tuning.E;
        const dmm_permutation_plan_desc descs[] = {
            {.kind = DMM_PLAN_INDEX, .n = 0},
            {.kind = DMM_PLAN_SHUFFLE, .n = T, .argument = 3},
            {.kind = DMM_PLAN_BIT_REVERSAL, .n = 16 * T},
            {.kind = DMM_PLAN_STRIDE, .n = T - 1, .argument = 2},
            {.kind = DMM_PLAN_TRANSPOSE, .n = 30 * T, .argument = 5 * T},
            {.kind = DMM_PLAN_STRIDE, .n = 3 * T + 1, .argument = 3},
            {.kind = DMM_PLAN_SHUFFLE, .n = 2 * T + 5, .argument = 4},
            {.kind = DMM_PLAN_STRIDE, .n = (T < 100 ? T * T : 20 * T) + 1, .argument = T},
        };
        rig_open(&r, rows[i].set);
        for (size_t k = 0; k < by_size(4, 8, 8); k++) {
            dmm_permutation_plan_desc d = descs[k];
            d.item_bytes = rows[i].item_bytes;
            d.tuning = rows[i].tuning;
            dmm_permutation_plan *p = build(&r, &d);
            execute(&r, p, &d, 0, (int)(k % 2));
            execute(&r, p, &d, 1, (int)(k % 3 == 0));
            dmm_permutation_plan_free(p);
        }
        rig_close(&r);
    }
}

static void a_random_index_permutes_with_default_parameters(void **state)
{
    const uint64_t n = by_size(600, 300007, 1u << 22);
    uint64_t *index = allocate(8 * n);
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (uint64_t i = 0; i < n; i++)
        index[i] = dmm_shuffle_index(5, n, i);
    for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
        const dmm_permutation_plan_desc d = {
            .item_bytes = 4, .n = n, .index = index, .tuning = {.form = (dmm_form)form}};
        dmm_permutation_plan *p = build(&r, &d);
        execute(&r, p, &d, 0, 0);
        dmm_permutation_plan_free(p);
    }
    free(index);
    rig_close(&r);
}

/* ---- Files ------------------------------------------------------------------------------------
 * */

/* This process' own: the test also runs in Oclgrind and with a late driver. */
static char path[64];

static void require_damaged(rig *r, const unsigned char *bytes, size_t count, const char *word)
{
    dmm_permutation_plan *p = (dmm_permutation_plan *)(void *)r;
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
    r->log_bytes = 0;
    memset(r->log, 0, sizeof r->log);
    REQUIRE_STATUS(DMM_BAD_FILE, dmm_permutation_plan_load(&p, r->ctx, 4, path));
    REQUIRE(p == NULL && strstr(r->log, path) != NULL && strstr(r->log, word) != NULL);
}

static void plans_go_to_files_and_come_back(void **state)
{
    static const dmm_tuning tunings[] = {GPU(32, 2), CPU(64)};
    static unsigned char bytes[1 << 16];
    static rig r, more;
    (void)state;
    rig_open(&r, "banks=32");
    rig_open(&more, "banks=64");
    for (size_t i = 0; i < 2; i++) {
        const dmm_permutation_plan_desc d = {.item_bytes = 4,
            .kind = DMM_PLAN_SHUFFLE,
            .n = 1000,
            .argument = 7,
            .tuning = tunings[i]};
        dmm_permutation_plan_desc wide = d;
        dmm_permutation_plan *p = build(&r, &d), *again = NULL;
        wide.item_bytes = 8;
        REQUIRE_OK(dmm_permutation_plan_save(p, path));
        REQUIRE_OK(dmm_permutation_plan_load(&again, r.ctx, 8, path));
        execute(&r, again, &wide, 0, 0);
        dmm_permutation_plan_free(again);
        dmm_permutation_plan_free(p);
        REQUIRE_STATUS(i == 0 ? DMM_BAD_PARAMETERS : DMM_OK,
            dmm_permutation_plan_load(&again, more.ctx, 4, path));
        dmm_permutation_plan_free(again);
    }
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t at = 0; at < count; at += count / 37) {
        test_note("byte %zu of %zu damaged", at, count);
        bytes[at] ^= 0x40;
        require_damaged(&r, bytes, count, "");
        bytes[at] ^= 0x40;
    }
    test_note("a header that asks for more memory than there is");
    const uint64_t n_before = 1000, n_huge = (uint64_t)1 << 31;
    REQUIRE(memcmp(bytes + 16, &n_before, sizeof n_before) == 0);
    memcpy(bytes + 16, &n_huge, sizeof n_huge);
    require_damaged(&r, bytes, count, "wrong length");
    memcpy(bytes + 16, &n_before, sizeof n_before);
    test_note("a part of a file, and another file");
    require_damaged(&r, bytes, count - 4, "wrong length");
    require_damaged(&r, (const unsigned char *)"not a plan, but long enough for one, I say", 43,
        "is not a plan");
    require_damaged(&r, bytes, 3, "is not a plan");
    remove(path);
    dmm_permutation_plan *p = NULL;
    REQUIRE_STATUS(DMM_BAD_FILE, dmm_permutation_plan_load(&p, r.ctx, 4, path));
    rig_close(&more);
    rig_close(&r);
}

/* ---- Wrong calls ------------------------------------------------------------------------------
 * */

static dmm_permutation_plan *refused;

#define REFUSED(expected, ...)          \
    REQUIRE_REFUSED(expected, &refused, \
        dmm_permutation_plan_create(&refused, r.ctx, &(dmm_permutation_plan_desc){__VA_ARGS__}))

static void wrong_descriptions_are_refused(void **state)
{
    static rig r;
    const uint64_t twice[] = {0, 1, 1, 3}, outside[] = {0, 1, 4, 3};
    (void)state;
    rig_open(&r, "banks=16");
    REFUSED(DMM_BAD_VALUE, .item_bytes = 257);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .kind = (dmm_plan_kind)5);
    REFUSED(DMM_TOO_LARGE, .item_bytes = 4, .kind = DMM_PLAN_SHUFFLE, .n = (1u << 31) + 1u);
    REFUSED(DMM_NULL_ARGUMENT, .item_bytes = 4, .n = 4);
    REFUSED(DMM_BAD_DATA, .item_bytes = 4, .n = 4, .index = twice);
    REFUSED(DMM_BAD_DATA, .item_bytes = 4, .n = 4, .index = outside);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .n = 12, .kind = DMM_PLAN_BIT_REVERSAL);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .n = 12, .kind = DMM_PLAN_TRANSPOSE, .argument = 5);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .n = 12, .kind = DMM_PLAN_TRANSPOSE);
    REFUSED(DMM_BAD_VALUE, .item_bytes = 4, .n = 12, .kind = DMM_PLAN_STRIDE, .argument = 8);
    REFUSED(DMM_BAD_PARAMETERS, .item_bytes = 4, .tuning = GPU(16, 3));
    rig_close(&r);
}

static void wrong_calls_are_refused_and_touch_nothing(void **state)
{
    const dmm_permutation_plan_desc d = {
        .item_bytes = 4, .kind = DMM_PLAN_STRIDE, .n = 300, .argument = 7, .tuning = GPU(16, 4)};
    (void)state;
    rig_open(&shared, "banks=16");
    dmm_permutation_plan *p = build(&shared, &d);
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permutation_plan_host(shared.ctx, &d, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_permutation_plan_save(p, NULL));
    REQUIRE_STATUS(DMM_BAD_FILE, dmm_permutation_plan_save(p, "no/such/folder/x"));
    dmm_permutation_plan_free(p);
    rig_close(&shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_permutes),
        cmocka_unit_test(a_random_index_permutes_with_default_parameters),
        cmocka_unit_test(plans_go_to_files_and_come_back),
        cmocka_unit_test(wrong_descriptions_are_refused),
        cmocka_unit_test(wrong_calls_are_refused_and_touch_nothing),
    };
    snprintf(path, sizeof path, "test_permutation_plan_%ld.tmp", (long)getpid());
    return cmocka_run_group_tests_name("permutation_plan", tests, NULL, NULL);
}
