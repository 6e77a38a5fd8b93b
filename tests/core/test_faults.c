/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * Every OpenCL call and allocation of the library fails once: the k-th one, for every k until
 * nothing fails any more. Then the failure's own status comes back, outputs are NULL, what was
 * enqueued has finished, no OpenCL object is lost, and the object works as before. See
 * support/faults.h for how calls are made to fail.
 */
#include "support/require.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "primitives/selftest/selftest.h"
#include "support/faults.h"
#include "support/forms.h"
#include "support/methods.h"
#include "support/sort_case.h"

/* Contexts. */

typedef struct context_try {
    dmm_context_desc desc;
    dmm_context *ctx;
} context_try;

static dmm_status create_context(void *user)
{
    context_try *const t = user;
    t->ctx = (dmm_context *)(void *)t;
    return dmm_context_create(&t->ctx, &t->desc);
}

static void free_context(void *user, dmm_status status)
{
    context_try *const t = user;
    REQUIRE((t->ctx != NULL) == (status == DMM_OK));
    dmm_context_free(t->ctx);
}

static void creating_a_context_fails_cleanly(void **state)
{
    static const operation op = {"context", NULL, create_context, free_context, DMM_OK};
    static const operation wrong = {
        "context, bad setting", NULL, create_context, free_context, DMM_BAD_SETTING};
    static rig r;
    context_try own = {.desc = {.set = "banks=16,E=4"}}, bad = {.desc = {.set = "banks=17"}};
    (void)state;
    REQUIRE(fail_every_call(&op, &own) > 10);
    REQUIRE(fail_every_call(&wrong, &bad) > 8);
    rig_open(&r, NULL);
    context_try adopted = {.desc = {.context = r.cl}};
    REQUIRE(fail_every_call(&op, &adopted) > 8);
    rig_close(&r);
}

static void reading_a_tuning_file_fails_cleanly(void **state)
{
    static const operation op = {"tuning file", NULL, create_context, free_context, DMM_OK};
    char path[] = "faults-tuning-XXXXXX";
    context_try without = {.desc = {.tuning = ""}}, with = {.desc = {.tuning = path}};
    const int file = mkstemp(path);
    (void)state;
    REQUIRE(file >= 0 && close(file) == 0);
    FILE *const text = fopen(path, "w");
    REQUIRE(text != NULL && fputs("dmm tuning 1\nany\ntune scan 4 E=2\n", text) >= 0);
    REQUIRE(fclose(text) == 0);
    /* The text, the path, the rows. */
    REQUIRE(fail_every_call(&op, &with) == fail_every_call(&op, &without) + 3);
    REQUIRE(remove(path) == 0);
}

/* Primitives: a new context for each attempt, so that the library builds all programs again. */

typedef struct create_try {
    rig r;
    sort_setup setup;
    dmm_sort_method method;
    dmm_sort *sort;
    dmm_merge *merge;
    dmm_scan *scan;
} create_try;

static void open_rig(void *user)
{
    rig_open(&((create_try *)user)->r, "banks=8");
}

static dmm_status create_sort(void *user)
{
    create_try *const t = user;
    dmm_sort_desc desc = sort_desc_of(&t->setup);
    desc.method = t->method;
    t->sort = (dmm_sort *)user;
    return any_sort_create(&t->sort, t->r.ctx, &desc);
}

static dmm_status create_merge(void *user)
{
    create_try *const t = user;
    const dmm_merge_desc desc = {
        .order = t->setup.k.order, .value_bytes = 3, .tuning = t->setup.tuning};
    t->merge = (dmm_merge *)user;
    return dmm_merge_create(&t->merge, t->r.ctx, &desc);
}

static dmm_status create_scan(void *user)
{
    create_try *const t = user;
    const dmm_scan_desc desc = {.tuning = t->setup.tuning};
    t->scan = (dmm_scan *)user;
    return dmm_scan_create(&t->scan, t->r.ctx, &desc);
}

static dmm_status warm_context(void *user)
{
    create_try *const t = user;
    const dmm_scan_desc desc = {.tuning = t->setup.tuning};
    const dmm_warm_item item = {DMM_PRIMITIVE_SCAN, &desc};
    return dmm_context_warm(t->r.ctx, &item, 1, 1);
}

static void close_after_create(void *user, dmm_status status)
{
    create_try *const t = user;
    REQUIRE(status == DMM_OK || (t->sort == NULL && t->merge == NULL && t->scan == NULL));
    dmm_sort_free(t->sort);
    dmm_merge_free(t->merge);
    dmm_scan_free(t->scan);
    t->sort = NULL;
    t->merge = NULL;
    t->scan = NULL;
    rig_close(&t->r);
}

static const dmm_tuning gpu = GPU(8, 4);

static void creating_a_primitive_fails_cleanly(void **state)
{
    static const operation sort = {
        "sort create", open_rig, create_sort, close_after_create, DMM_OK};
    static const operation merge = {
        "merge create", open_rig, create_merge, close_after_create, DMM_OK};
    static const operation scan = {
        "scan create", open_rig, create_scan, close_after_create, DMM_OK};
    static const operation warm = {"warm", open_rig, warm_context, close_after_create, DMM_OK};
    static const operation wrong = {
        "less does not compile", open_rig, create_sort, close_after_create, DMM_BUILD_FAILED};
    static const dmm_sort_method methods[] = {DMM_SORT_MERGE, DMM_SORT_RADIX, SORT_BY_MATRIX};
    static create_try t;
    (void)state;
    t.setup = (sort_setup){kind_named("u32"), 3, 0, gpu};
    for (size_t i = 0; i < (lab_is_built() ? 3 : 2); i++) {
        t.method = methods[i];
        REQUIRE(fail_every_call(&sort, &t) > 8);
    }
    t.method = DMM_SORT_MERGE;
    REQUIRE(fail_every_call(&merge, &t) > 8);
    REQUIRE(fail_every_call(&scan, &t) > 4);
    REQUIRE(fail_every_call(&warm, &t) > 5);
    t.setup.k.order.less = "a <";
    REQUIRE(fail_every_call(&wrong, &t) > 4);
}

/* The first check of the self-test for each primitive. It calls the _host form, which builds,
 * copies, runs and releases. */

enum { ITEMS = 200 }; /* at least the bins of the histogram's check */

typedef struct check_try {
    rig r;
    const dmm_check *check;
    dmm_trial trial;
    uint64_t input[ITEMS], expected[ITEMS], answer[ITEMS];
    uint32_t expected_from[ITEMS], answer_from[ITEMS], spare[ITEMS];
} check_try;

static void prepare_check(void *user)
{
    check_try *const t = user;
    random_source random = {9};
    rig_open(&t->r, "banks=8,units=1,form=gpu,u=8,E=4");
    random_bytes(&random, t->input, sizeof t->input);
    dmm_type type = (dmm_type)0;
    while ((t->check->types & DMM_CHECKS(type)) == 0)
        type++;
    t->trial = (dmm_trial){.ctx = t->r.ctx,
        .type = type,
        .bytes = dmm_type_bytes(type),
        .n = ITEMS,
        .places = ITEMS,
        .input = (unsigned char *)t->input,
        .expected = (unsigned char *)t->expected,
        .answer = (unsigned char *)t->answer,
        .expected_from = t->expected_from,
        .answer_from = t->answer_from,
        .spare = t->spare};
}

static dmm_status run_check(void *user)
{
    check_try *const t = user;
    return t->check->run(&t->trial);
}

static void finish_check(void *user, dmm_status status)
{
    check_try *const t = user;
    const size_t bytes = t->trial.places * t->trial.bytes;
    REQUIRE(status != DMM_OK || memcmp(t->answer, t->expected, bytes) == 0);
    rig_close(&t->r);
}

static void the_host_form_of_every_primitive_fails_cleanly(void **state)
{
#define CHECKS(N, word) dmm_##word##_checks,
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS)};
    static check_try t;
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        t.check = &tables[i][0];
        const operation op = {t.check->primitive, prepare_check, run_check, finish_check, DMM_OK};
        REQUIRE(fail_every_call(&op, &t) > 15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_context_fails_cleanly),
        cmocka_unit_test(reading_a_tuning_file_fails_cleanly),
        cmocka_unit_test(creating_a_primitive_fails_cleanly),
        cmocka_unit_test(the_host_form_of_every_primitive_fails_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
