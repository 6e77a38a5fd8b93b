/* SPDX-License-Identifier: MIT */
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

#include "primitives/classes.h"
#include "support/faults.h"
#include "support/forms.h"
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
    return dmm_sort_create(&t->sort, t->r.ctx, &desc);
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
    static create_try t;
    (void)state;
    t.setup = (sort_setup){kind_named("u32"), 3, 0, gpu};
    for (t.method = DMM_SORT_MERGE; t.method <= DMM_SORT_MATRIX; t.method++)
        REQUIRE(fail_every_call(&sort, &t) > 8);
    t.method = DMM_SORT_MERGE;
    REQUIRE(fail_every_call(&merge, &t) > 8);
    REQUIRE(fail_every_call(&scan, &t) > 4);
    REQUIRE(fail_every_call(&warm, &t) > 5);
    t.setup.k.order.less = "a <";
    REQUIRE(fail_every_call(&wrong, &t) > 4);
}

/* The _host form of every primitive: it builds, copies, runs and releases in one call. */

enum { ITEMS = 100, WAYS = 3 };

typedef struct host_try {
    rig r;
    uint32_t keys[ITEMS], other[ITEMS], values[ITEMS], numbers[ITEMS];
    float points[2 * ITEMS];
    uint64_t counts[WAYS + 1];
} host_try;

static void fill_host(void *user)
{
    host_try *const t = user;
    random_source random = {9};
    rig_open(&t->r, "banks=8,units=1");
    random_bytes(&random, t->keys, sizeof t->keys);
    memset(t->other, 255, sizeof t->other);
    for (uint32_t i = 0; i < ITEMS; i++) {
        t->numbers[i] = ITEMS - 1 - i;
        t->points[2 * i] = (float)(t->keys[i] % 64);
        t->points[2 * i + 1] = (float)(t->keys[i] / 64 % 64);
    }
}

static void close_host(void *user, dmm_status status)
{
    host_try *const t = user;
    (void)status;
    rig_close(&t->r);
}

static dmm_status scan_host(void *user)
{
    host_try *const t = user;
    const dmm_scan_desc desc = {.tuning = gpu};
    return dmm_scan_host(t->r.ctx, &desc, t->keys, 100);
}

static dmm_status run_length_host(void *user)
{
    host_try *const t = user;
    const dmm_run_length_desc desc = {.tuning = gpu};
    uint64_t counts[100];
    size_t runs = 0;
    return dmm_run_length_host(t->r.ctx, &desc, t->keys, counts, 100, &runs);
}

static dmm_status histogram_host(void *user)
{
    host_try *const t = user;
    const dmm_histogram_desc desc = {.type = DMM_U8, .bins = WAYS, .tuning = gpu};
    return dmm_histogram_host(t->r.ctx, &desc, t->keys, ITEMS, t->counts);
}

static dmm_status reduce_host(void *user)
{
    host_try *const t = user;
    const dmm_reduce_desc desc = {.tuning = gpu};
    return dmm_reduce_host(t->r.ctx, &desc, t->keys, 100, t->other);
}

static dmm_status merge_host(void *user)
{
    host_try *const t = user;
    const dmm_merge_desc desc = {.tuning = gpu};
    const dmm_merge_host_args args = {
        .a_keys = t->keys, .na = 40, .b_keys = t->keys + 40, .nb = 60, .keys_out = t->other};
    return dmm_merge_host(t->r.ctx, &desc, &args);
}

static dmm_status merge_many_host(void *user)
{
    host_try *const t = user;
    const dmm_merge_many_desc desc = {.value_bytes = 4, .argsort = 1, .tuning = gpu};
    const uint32_t offsets[] = {0, 10, 10, 100};
    return dmm_merge_many_host(t->r.ctx, &desc, t->keys, t->values, 100, offsets, 3);
}

static dmm_status sort_host(void *user)
{
    host_try *const t = user;
    const dmm_sort_desc desc = {.value_bytes = 4, .argsort = 1, .tuning = gpu};
    return dmm_sort_host(t->r.ctx, &desc, t->keys, t->values, 100);
}

static dmm_status sort_segmented_host(void *user)
{
    host_try *const t = user;
    const dmm_sort_segmented_desc desc = {.tuning = gpu};
    const uint32_t offsets[] = {0, 10, 100};
    return dmm_sort_segmented_host(t->r.ctx, &desc, t->keys, NULL, 100, offsets, 2);
}

static dmm_status topk_host(void *user)
{
    host_try *const t = user;
    const dmm_topk_desc desc = {.tuning = gpu};
    return dmm_topk_host(t->r.ctx, &desc, t->keys, NULL, ITEMS, 30, t->other, NULL);
}

static dmm_status nth_host(void *user)
{
    host_try *const t = user;
    const dmm_nth_desc desc = {.tuning = gpu};
    return dmm_nth_host(t->r.ctx, &desc, t->keys, NULL, 100, 50, t->other, NULL);
}

static dmm_status unique_host(void *user)
{
    host_try *const t = user;
    const dmm_unique_desc desc = {.key_bytes = 4, .value_bytes = 4, .tuning = gpu};
    size_t runs = 0;
    return dmm_unique_host(t->r.ctx, &desc, t->keys, t->values, 100, &runs);
}

static dmm_status search_host(void *user)
{
    host_try *const t = user;
    const dmm_search_desc desc = {.tuning = gpu};
    return dmm_search_host(t->r.ctx, &desc, t->keys, 100, t->keys, 100, t->values, NULL);
}

static dmm_status layout_host(void *user)
{
    host_try *const t = user;
    const dmm_layout_desc desc = {.kind = DMM_LAYOUT_BTREE, .B = 3, .tuning = gpu};
    return dmm_layout_host(t->r.ctx, &desc, t->keys, NULL, ITEMS);
}

static dmm_status partition_host(void *user)
{
    host_try *const t = user;
    const dmm_partition_desc desc = {.ways = WAYS, .tuning = gpu};
    const dmm_partition_host_args args = {.items = t->keys, .by = t->numbers, .offsets = t->counts};
    for (uint32_t i = 0; i < ITEMS; i++)
        t->numbers[i] %= WAYS;
    return dmm_partition_host(t->r.ctx, &desc, &args, ITEMS);
}

static dmm_status shuffle_host(void *user)
{
    host_try *const t = user;
    const dmm_shuffle_desc desc = {.value_bytes = 4, .tuning = gpu};
    return dmm_shuffle_host(t->r.ctx, &desc, 3, t->keys, t->values, ITEMS);
}

static dmm_status permute_host(void *user)
{
    host_try *const t = user;
    const dmm_permute_desc desc = {.index_bytes = 4, .check = 1, .tuning = gpu};
    return dmm_permute_host(t->r.ctx, &desc, t->numbers, t->keys, ITEMS, NULL);
}

static dmm_status transpose_host(void *user)
{
    host_try *const t = user;
    const dmm_transpose_desc desc = {.tuning = gpu};
    return dmm_transpose_host(t->r.ctx, &desc, t->keys, (dmm_matrices){20, ITEMS / 20, 1});
}

static dmm_status hull_host(void *user)
{
    host_try *const t = user;
    const dmm_hull_desc desc = {.tuning = CPU(64)};
    return dmm_hull_host(t->r.ctx, &desc, t->points, NULL, ITEMS, t->other, t->counts);
}

static dmm_status heap_host(void *user)
{
    host_try *const t = user;
    const dmm_heap_desc desc = {.bulk = 32, .capacity = 32, .tuning = gpu};
    static unsigned char heap[4096];
    dmm_heap_host_args args = {.heap = heap, .keys_in = t->keys, .priorities_in = t->numbers};
    const dmm_status status = dmm_heap_host(t->r.ctx, &desc, &args, 0);
    if (status != DMM_OK)
        return status;
    args.op = DMM_HEAP_UPDATE;
    return dmm_heap_host(t->r.ctx, &desc, &args, 20);
}

static dmm_status permutation_plan_host(void *user)
{
    host_try *const t = user;
    const dmm_permutation_plan_desc desc = {
        .kind = DMM_PLAN_TRANSPOSE, .n = ITEMS, .argument = 20, .tuning = gpu};
    return dmm_permutation_plan_host(t->r.ctx, &desc, t->keys);
}

static dmm_status network_host(void *user)
{
    host_try *const t = user;
    const dmm_comparator pairs[] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}};
    const uint64_t ends[] = {2, 4, 5};
    const dmm_network_desc desc = {
        .value_bytes = 4, .wires = 4, .pairs = pairs, .ends = ends, .steps = 3, .tuning = gpu};
    return dmm_network_host(t->r.ctx, &desc, t->keys, t->values, ITEMS);
}

static void host_forms_fail_cleanly(void **state)
{
#define HOST_FORM(N, word) {#word " host", fill_host, word##_host, close_host, DMM_OK},
    static const operation ops[] = {DMM_PRIMITIVES_AND_PLANS(HOST_FORM)};
    static host_try t;
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        REQUIRE(fail_every_call(&ops[i], &t) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creating_a_context_fails_cleanly),
        cmocka_unit_test(reading_a_tuning_file_fails_cleanly),
        cmocka_unit_test(creating_a_primitive_fails_cleanly),
        cmocka_unit_test(host_forms_fail_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
