/* SPDX-License-Identifier: MIT */
/* ctest: wrap=all */
/*
 * Every OpenCL call and allocation of the library fails once, while items are shuffled, permuted,
 * transposed, laid out or moved by a plan: after each failure the object must work as before. See
 * support/faults.h for what else must hold.
 */
#include "support/require.h"

#include <dmm/dmm.h>

#include "support/faults.h"
#include "support/forms.h"
#include "support/zone.h"

enum { N = 700, ROWS = 20, SEED = 3 };

typedef struct move_try {
    rig r;
    dmm_shuffle *shuffle;
    dmm_permute *permute;
    dmm_transpose *transpose;
    dmm_layout *layout;
    dmm_permutation_plan *plan;
    zone items, index, report;
    cl_event event;
    dmm_status (*enqueue)(struct move_try *);
    uint32_t (*from)(uint32_t i); /* what comes to place i */
} move_try;

static dmm_status enqueue_shuffle(move_try *t)
{
    const dmm_span items = zone_span(&t->items);
    const dmm_shuffle_args args = {.seed = SEED, .in = items, .out = items};
    return dmm_shuffle_enqueue(t->shuffle, t->r.queue, &args, N, 0, NULL, &t->event);
}

static dmm_status enqueue_permute(move_try *t)
{
    const dmm_span items = zone_span(&t->items);
    const dmm_permute_args args = {.index = zone_span(&t->index),
        .in = items,
        .out = items,
        .report_out = zone_span(&t->report)};
    return dmm_permute_enqueue(t->permute, t->r.queue, &args, N, 0, NULL, &t->event);
}

static dmm_status enqueue_transpose(move_try *t)
{
    const dmm_transpose_args args = {.in = zone_span(&t->items), .out = zone_span(&t->items)};
    const dmm_matrices shape = {ROWS, N / ROWS, 1};
    return dmm_transpose_enqueue(t->transpose, t->r.queue, &args, shape, 0, NULL, &t->event);
}

static dmm_status enqueue_layout(move_try *t)
{
    const dmm_layout_args args = {.items = zone_span(&t->items)};
    return dmm_layout_enqueue(t->layout, t->r.queue, &args, N, 0, NULL, &t->event);
}

static dmm_status enqueue_plan(move_try *t)
{
    const dmm_permutation_plan_args args = {
        .in = zone_span(&t->items), .out = zone_span(&t->items)};
    return dmm_permutation_plan_enqueue(t->plan, t->r.queue, &args, 0, NULL, &t->event);
}

static uint32_t from_shuffle(uint32_t i)
{
    return (uint32_t)dmm_shuffle_index(SEED, N, i);
}

static uint32_t from_layout(uint32_t i)
{
    return (uint32_t)dmm_layout_rank(DMM_LAYOUT_BTREE, 3, N, i);
}

static uint32_t from_transpose(uint32_t i)
{
    return i % ROWS * (N / ROWS) + i / ROWS;
}

static void prepare(void *user)
{
    move_try *const t = user;
    uint32_t items[N], index[N];
    for (uint32_t i = 0; i < N; i++) {
        items[i] = i;
        index[i] = from_shuffle(i);
    }
    t->items = zone_create(&t->r, items, sizeof items, 0);
    t->index = zone_create(&t->r, index, sizeof index, 0);
    t->report = zone_create(&t->r, NULL, sizeof(dmm_report), 0);
}

static dmm_status attempt(void *user)
{
    move_try *const t = user;
    t->event = (cl_event)user;
    return t->enqueue(t);
}

static void release(move_try *t)
{
    zone_free(&t->items);
    zone_free(&t->index);
    zone_free(&t->report);
}

/* A layout that fails half way loses no item. */
static void require_permutation(const move_try *t)
{
    uint32_t items[N];
    unsigned char seen[N] = {0};
    zone_read(&t->r, &t->items, items);
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[i] < N && !seen[items[i]]++);
}

static void finish(void *user, dmm_status status)
{
    move_try *const t = user;
    uint32_t moved[N];
    for (uint32_t i = 0; i < N; i++)
        moved[i] = t->from(i);
    REQUIRE((t->event != NULL) == (status == DMM_OK));
    if (status != DMM_OK) {
        if (t->from == from_layout)
            require_permutation(t);
        release(t);
        prepare(user);
        REQUIRE_OK(attempt(user));
    }
    REQUIRE_OK(clWaitForEvents(1, &t->event));
    clReleaseEvent(t->event);
    REQUIRE(zone_holds(&t->r, &t->items, moved));
    release(t);
}

static void create(move_try *t, const dmm_tuning *tuning)
{
    const dmm_shuffle_desc shuffle = {.item_bytes = 4, .tuning = *tuning};
    const dmm_layout_desc layout = {
        .item_bytes = 4, .kind = DMM_LAYOUT_BTREE, .B = 3, .tuning = *tuning};
    const dmm_transpose_desc transpose = {.item_bytes = 4, .tuning = *tuning};
    const dmm_permute_desc permute = {.item_bytes = 4,
        .index_bytes = 4,
        .direction = DMM_DIRECTION_GATHER,
        .method = DMM_PERMUTE_RANDOMIZED,
        .check = 1,
        .tuning = *tuning};
    const dmm_permutation_plan_desc plan = {
        .item_bytes = 4, .kind = DMM_PLAN_TRANSPOSE, .n = N, .argument = ROWS, .tuning = *tuning};
    REQUIRE_OK(dmm_shuffle_create(&t->shuffle, t->r.ctx, &shuffle));
    REQUIRE_OK(dmm_permute_create(&t->permute, t->r.ctx, &permute));
    REQUIRE_OK(dmm_layout_create(&t->layout, t->r.ctx, &layout));
    REQUIRE_OK(dmm_transpose_create(&t->transpose, t->r.ctx, &transpose));
    REQUIRE_OK(dmm_permutation_plan_create(&t->plan, t->r.ctx, &plan));
}

static void moving_items_fails_cleanly(void **state)
{
    static const operation op = {"move", prepare, attempt, finish, DMM_OK};
    static const struct {
        dmm_status (*enqueue)(move_try *);
        uint32_t (*from)(uint32_t);
    } words[] = {{enqueue_shuffle, from_shuffle}, {enqueue_permute, from_shuffle},
        {enqueue_transpose, from_transpose}, {enqueue_plan, from_transpose},
        {enqueue_layout, from_layout}};
    static const dmm_tuning forms[] = {GPU(8, 4), CPU(64)};
    static move_try t;
    (void)state;
    rig_open(&t.r, "banks=8");
    for (size_t form = 0; form < 2; form++) {
        create(&t, &forms[form]);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            t.enqueue = words[i].enqueue;
            t.from = words[i].from;
            REQUIRE(fail_every_call(&op, &t) > 4);
        }
        dmm_shuffle_free(t.shuffle);
        dmm_permute_free(t.permute);
        dmm_transpose_free(t.transpose);
        dmm_layout_free(t.layout);
        dmm_permutation_plan_free(t.plan);
    }
    rig_close(&t.r);
}

typedef struct plan_try {
    rig r;
    dmm_permutation_plan *plan;
} plan_try;

/* A context of its own: programs that it keeps count as lost. */
static void open_plan_rig(void *user)
{
    rig_open(&((plan_try *)user)->r, "banks=8");
}

static dmm_status build_plan(void *user)
{
    plan_try *const t = user;
    const dmm_permutation_plan_desc desc = {
        .item_bytes = 4, .kind = DMM_PLAN_SHUFFLE, .n = N, .tuning = GPU(8, 4)};
    t->plan = (dmm_permutation_plan *)user;
    return dmm_permutation_plan_create(&t->plan, t->r.ctx, &desc);
}

static void free_plan(void *user, dmm_status status)
{
    plan_try *const t = user;
    REQUIRE((t->plan != NULL) == (status == DMM_OK));
    dmm_permutation_plan_free(t->plan);
    rig_close(&t->r);
}

static void building_a_plan_fails_cleanly(void **state)
{
    static const operation op = {"plan", open_plan_rig, build_plan, free_plan, DMM_OK};
    static plan_try t;
    (void)state;
    REQUIRE(fail_every_call(&op, &t) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_items_fails_cleanly),
        cmocka_unit_test(building_a_plan_fails_cleanly),
        cmocka_unit_test(faults_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("faults_moves", tests, NULL, NULL);
}
