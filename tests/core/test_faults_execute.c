/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * Every OpenCL call and allocation of the library fails once, while sorts, merges, scans and
 * selections are enqueued: after each failure the object must work as before. See support/faults.h
 * for what else must hold.
 */
#include "support/require.h"

#include <dmm/dmm.h>

#include "support/faults.h"
#include "support/forms.h"
#include "support/hull_case.h"
#include "support/merge_case.h"
#include "support/sort_case.h"
#include "support/topk_case.h"

static const dmm_tuning gpu = GPU(8, 4);
static const dmm_tuning cpu = {DMM_FORM_CPU, 0, 4, 64, DMM_TILE_SEARCH_DEFAULT};

typedef struct sort_try {
    rig r;
    sort_setup setup;
    sort_case c;
    dmm_sort *sort;
    sort_run run;
    cl_event event;
} sort_try;

static void prepare_sort(void *user)
{
    sort_try *const t = user;
    t->run = sort_prepare(&t->r, t->sort, &t->setup, &t->c);
}

static dmm_status enqueue_sort(void *user)
{
    sort_try *const t = user;
    const cl_command_queue queue = t->r.out_of_order != NULL ? t->r.out_of_order : t->r.queue;
    t->event = (cl_event)user;
    return dmm_sort_enqueue(t->sort, queue, &t->run.args, t->c.n, 0, NULL, &t->event);
}

static void finish_sort(void *user, dmm_status status)
{
    sort_try *const t = user;
    sort_case judged = t->c;
    judged.any_order = status != DMM_OK;
    t->run.c = &judged;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status == DMM_OK) {
        REQUIRE_OK(clWaitForEvents(1, &t->event));
        clReleaseEvent(t->event);
    }
    sort_finish(&t->run);
    sort_check(&t->r, t->sort, &t->setup, &t->c);
}

static void executing_a_sort_fails_cleanly(void **state)
{
    static const operation op = {"sort", prepare_sort, enqueue_sort, finish_sort, DMM_OK};
    static const sort_case cases[] = {
        {.n = 500, .input = SHAPE_BITS, .seed = 1},
        {.n = 300, .input = SHAPE_BITS, .seed = 2, .in_place = 1, .temp_given = 1},
        {.n = 300, .input = SHAPE_BITS, .seed = 3, .in_place = 1},
        {.n = 0, .input = SHAPE_BITS, .seed = 4},
    };
    static sort_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    for (int form = 0; form < 4; form++) {
        t.setup = (sort_setup){kind_named("u32"), form % 2 ? 3u : 0u, 0, form / 2 ? cpu : gpu};
        t.sort = sort_build(&t.r, &t.setup);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            t.c = cases[i];
            REQUIRE(fail_every_call(&op, &t) > (t.c.n != 0 ? 8 : 2));
        }
        dmm_sort_free(t.sort);
    }
    rig_close(&t.r);
}

static void with_temp_given_a_sort_allocates_nothing(void **state)
{
    static sort_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    t.setup = (sort_setup){kind_named("u32"), 3, 0, gpu};
    t.c = (sort_case){.n = 500, .input = SHAPE_BITS, .in_place = 1, .temp_given = 1};
    t.sort = sort_build(&t.r, &t.setup);
    prepare_sort(&t);
    faults_arm(0);
    REQUIRE_OK(enqueue_sort(&t));
    REQUIRE(faults_disarm().allocations == 0);
    finish_sort(&t, DMM_OK);
    dmm_sort_free(t.sort);
    rig_close(&t.r);
}

typedef struct merge_try {
    rig r;
    merge_setup setup;
    merge_case c;
    dmm_merge *merge;
    merge_run run;
    cl_event event;
} merge_try;

static void prepare_merge(void *user)
{
    merge_try *const t = user;
    t->run = merge_prepare(&t->r, t->merge, &t->setup, &t->c);
}

static dmm_status enqueue_merge(void *user)
{
    merge_try *const t = user;
    t->event = (cl_event)user;
    return dmm_merge_enqueue(
        t->merge, t->r.queue, &t->run.args, t->c.na, t->c.nb, 0, NULL, &t->event);
}

static void finish_merge(void *user, dmm_status status)
{
    merge_try *const t = user;
    merge_case judged = t->c;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status == DMM_OK) {
        REQUIRE_OK(clWaitForEvents(1, &t->event));
        clReleaseEvent(t->event);
    }
    judged.unsorted = status != DMM_OK;
    t->run.c = &judged;
    merge_finish(&t->run);
    merge_check(&t->r, t->merge, &t->setup, &t->c);
}

static void executing_a_merge_fails_cleanly(void **state)
{
    static const operation op = {"merge", prepare_merge, enqueue_merge, finish_merge, DMM_OK};
    static merge_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    t.setup = (merge_setup){kind_named("u32"), 3, gpu};
    t.c = (merge_case){.na = 100, .nb = 77, .a = SHAPE_BITS, .b = SHAPE_FEW};
    t.merge = merge_build(&t.r, &t.setup);
    REQUIRE(fail_every_call(&op, &t) > 20);
    dmm_merge_free(t.merge);
    rig_close(&t.r);
}

enum { SCANNED = 300 };

typedef struct scan_try {
    rig r;
    dmm_scan *scan;
    zone items;
    cl_event event;
} scan_try;

static dmm_status enqueue_scan(void *user)
{
    scan_try *const t = user;
    const dmm_scan_args args = {.in = zone_span(&t->items), .out = zone_span(&t->items)};
    t->event = (cl_event)user;
    return dmm_scan_enqueue(t->scan, t->r.queue, &args, SCANNED, 0, NULL, &t->event);
}

static void prepare_scan(void *user)
{
    scan_try *const t = user;
    uint32_t ones[SCANNED];
    for (uint32_t i = 0; i < SCANNED; i++)
        ones[i] = 1;
    t->items = zone_create(&t->r, ones, sizeof ones, 0);
}

static void finish_scan(void *user, dmm_status status)
{
    scan_try *const t = user;
    uint32_t counted[SCANNED];
    for (uint32_t i = 0; i < SCANNED; i++)
        counted[i] = i + 1;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status != DMM_OK) {
        zone_free(&t->items);
        prepare_scan(user);
        REQUIRE_OK(enqueue_scan(user));
    }
    REQUIRE_OK(clWaitForEvents(1, &t->event));
    clReleaseEvent(t->event);
    REQUIRE(zone_holds(&t->r, &t->items, counted));
    zone_free(&t->items);
}

static void executing_a_scan_fails_cleanly(void **state)
{
    static const operation op = {"scan", prepare_scan, enqueue_scan, finish_scan, DMM_OK};
    const dmm_scan_desc desc = {.tuning = gpu};
    static scan_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    REQUIRE_OK(dmm_scan_create(&t.scan, t.r.ctx, &desc));
    REQUIRE(fail_every_call(&op, &t) > 8);
    dmm_scan_free(t.scan);
    rig_close(&t.r);
}

typedef struct topk_try {
    rig r;
    topk_setup setup;
    topk_case c;
    dmm_topk *topk;
    topk_run run;
    cl_event event;
} topk_try;

static void prepare_topk(void *user)
{
    topk_try *const t = user;
    t->run = topk_prepare(&t->r, &t->setup, &t->c, 0, 0);
}

static dmm_status enqueue_topk(void *user)
{
    topk_try *const t = user;
    const dmm_topk_args args = topk_args_of(&t->run);
    t->event = (cl_event)user;
    return dmm_topk_enqueue(t->topk, t->r.queue, &args, t->c.n, t->c.k, 0, NULL, &t->event);
}

static void finish_topk(void *user, dmm_status status)
{
    topk_try *const t = user;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status == DMM_OK) {
        REQUIRE_OK(clWaitForEvents(1, &t->event));
        clReleaseEvent(t->event);
    }
    topk_finish(&t->run, status == DMM_OK);
    topk_check(&t->r, t->topk, &t->setup, &t->c);
}

/* By digits, and by sorting all. */
static void executing_a_selection_fails_cleanly(void **state)
{
    static const operation op = {"topk", prepare_topk, enqueue_topk, finish_topk, DMM_OK};
    static const char *const kinds[] = {"u8", "u32 by less"};
    static topk_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    for (size_t i = 0; i < 2; i++) {
        t.setup = (topk_setup){{kind_named(kinds[i]), 3, 0, gpu}, 0};
        t.c = (topk_case){.n = 150, .k = 70, .input = SHAPE_BITS};
        t.topk = topk_build(&t.r, &t.setup);
        REQUIRE(fail_every_call(&op, &t) > 20);
        dmm_topk_free(t.topk);
    }
    rig_close(&t.r);
}

typedef struct hull_try {
    rig r;
    hull_setup setup;
    hull_case c;
    dmm_hull *hull;
    hull_run run;
    cl_event event;
} hull_try;

static void prepare_hull(void *user)
{
    hull_try *const t = user;
    t->run = hull_prepare(&t->r, t->hull, &t->setup, &t->c, NULL);
}

static dmm_status enqueue_hull(void *user)
{
    hull_try *const t = user;
    t->event = (cl_event)user;
    return dmm_hull_enqueue(t->hull, t->r.queue, &t->run.args, t->c.n, 0, NULL, &t->event);
}

static void finish_hull(void *user, dmm_status status)
{
    hull_try *const t = user;
    hull_case judged = t->c;
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status == DMM_OK) {
        REQUIRE_OK(clWaitForEvents(1, &t->event));
        clReleaseEvent(t->event);
    }
    judged.unjudged = status != DMM_OK;
    t->run.c = &judged;
    hull_finish(&t->run);
}

static void executing_a_hull_fails_cleanly(void **state)
{
    static const operation op = {"hull", prepare_hull, enqueue_hull, finish_hull, DMM_OK};
    static hull_try t;
    (void)state;
    rig_open(&t.r, "units=1");
    t.setup = (hull_setup){.type = DMM_F32, .tuning = CPU(64)};
    t.hull = hull_build(&t.r, &t.setup);
    for (int sets = 0; sets < 2; sets++) {
        t.c = (hull_case){
            .n = 140, .points = CLOUD_DISC, .seed = 1, .sets = sets ? 3 : 0, .temp_given = sets};
        REQUIRE(fail_every_call(&op, &t) > 80);
    }
    dmm_hull_free(t.hull);
    rig_close(&t.r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executing_a_sort_fails_cleanly),
        cmocka_unit_test(with_temp_given_a_sort_allocates_nothing),
        cmocka_unit_test(executing_a_merge_fails_cleanly),
        cmocka_unit_test(executing_a_scan_fails_cleanly),
        cmocka_unit_test(executing_a_selection_fails_cleanly),
        cmocka_unit_test(executing_a_hull_fails_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults_execute", tests, NULL, NULL);
}
