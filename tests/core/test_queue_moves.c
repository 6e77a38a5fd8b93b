/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute, dmm_permutation_plan, dmm_shuffle and dmm_transpose among other work: wait lists,
 * the event they return, either queue, calls of one object in flight.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/forms.h"
#include "support/queue.h"

enum { SEED = 9, PLAN_N = 777, ROWS = 7 };

/* Any of them: u32 items 0, 1, ..., and where they go. */
typedef struct move_call {
    uint64_t n;
    uint32_t *items, *goals;
    zone in, out, index, report, temp; /* out is in where it moves in place */
    int in_place;
} move_call;

static uint32_t *numbers(uint64_t n)
{
    uint32_t *const list = malloc((size_t)(n + 1) * sizeof *list);
    REQUIRE(list != NULL);
    for (uint64_t i = 0; i < n; i++)
        list[i] = (uint32_t)i;
    return list;
}

static move_call *call_new(uint64_t n, int in_place, uint64_t temp_bytes)
{
    move_call *const c = calloc(1, sizeof *c);
    REQUIRE(c != NULL);
    c->n = n;
    c->in_place = in_place;
    c->items = numbers(n);
    c->goals = numbers(n);
    c->in = zone_create(&shared, c->items, 4 * n, 64);
    c->out = in_place ? c->in : zone_create(&shared, NULL, 4 * n, 32);
    if (temp_bytes != 0)
        c->temp = zone_create(&shared, NULL, temp_bytes, 256);
    return c;
}

static const zone *output_of(const void *call)
{
    return &((const move_call *)call)->out;
}

static void finish(void *call)
{
    move_call *const c = call;
    uint32_t *const moved = numbers(c->n);
    for (uint64_t i = 0; i < c->n; i++)
        moved[c->goals[i]] = c->items[i];
    REQUIRE(zone_holds(&shared, &c->out, moved));
    REQUIRE(c->in_place || zone_holds(&shared, &c->in, c->items));
    REQUIRE(c->temp.buffer == NULL || zone_intact(&shared, &c->temp));
    zone_free(&c->in);
    if (!c->in_place)
        zone_free(&c->out);
    zone_free(&c->index);
    zone_free(&c->report);
    zone_free(&c->temp);
    free(moved);
    free(c->items);
    free(c->goals);
    free(c);
}

/* ---- dmm_permute ------------------------------------------------------------------------------
 * */

/* Checked and randomized, with positions to invert: the most steps there are. */
static void *permute_build(void)
{
    static const dmm_permute_desc desc = {.direction = DMM_DIRECTION_GATHER,
        .method = DMM_PERMUTE_RANDOMIZED,
        .check = 1,
        .seed = SEED,
        .tuning = GPU(32, 4)};
    dmm_permute *permute = NULL;
    REQUIRE_OK(dmm_permute_create(&permute, shared.ctx, &desc));
    return permute;
}

static void permute_release(void *object)
{
    dmm_permute_free(object);
}

static void *permute_prepare(void *object, uint64_t n, int in_place, int temp_given)
{
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_permute_temp_bytes(&temp_bytes, object, n));
    move_call *const c = call_new(n, in_place, temp_given ? temp_bytes : 0);
    uint32_t *const index = numbers(n);
    for (uint64_t i = 0; i < n; i++) {
        index[i] = (uint32_t)dmm_shuffle_index(SEED, n, i);
        c->goals[index[i]] = (uint32_t)i;
    }
    c->index = zone_create(&shared, index, 4 * n, 0);
    c->report = zone_create(&shared, NULL, sizeof(dmm_report), 0);
    free(index);
    return c;
}

static dmm_status permute_enqueue(void *object, void *call, cl_command_queue queue,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const move_call *const c = call;
    const dmm_permute_args args = {.index = zone_span(&c->index),
        .in = zone_span(&c->in),
        .out = zone_span(&c->out),
        .temp = zone_span(&c->temp),
        .report_out = zone_span(&c->report)};
    return dmm_permute_enqueue(object, queue, &args, c->n, num_wait, wait, event);
}

/* ---- dmm_permutation_plan ---------------------------------------------------------------------
 * */

/* A plan has its own number of items: enough for passes over several tiles. */
static void *plan_build(void)
{
    static const dmm_permutation_plan_desc desc = {
        .item_bytes = 4, .kind = DMM_PLAN_STRIDE, .n = PLAN_N, .argument = 2, .tuning = GPU(32, 4)};
    dmm_permutation_plan *plan = NULL;
    REQUIRE_OK(dmm_permutation_plan_create(&plan, shared.ctx, &desc));
    return plan;
}

static void plan_release(void *object)
{
    dmm_permutation_plan_free(object);
}

static void *plan_prepare(void *object, uint64_t n, int in_place, int temp_given)
{
    uint64_t temp_bytes = 0;
    (void)n;
    REQUIRE_OK(dmm_permutation_plan_temp_bytes(&temp_bytes, object));
    move_call *const c = call_new(PLAN_N, in_place, temp_given ? temp_bytes : 0);
    for (uint64_t i = 0; i < PLAN_N; i++)
        c->goals[i] = (uint32_t)(2 * i % PLAN_N);
    return c;
}

static dmm_status plan_enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const move_call *const c = call;
    const dmm_permutation_plan_args args = {
        .in = zone_span(&c->in), .out = zone_span(&c->out), .temp = zone_span(&c->temp)};
    return dmm_permutation_plan_enqueue(object, queue, &args, num_wait, wait, event);
}

/* ---- dmm_shuffle ------------------------------------------------------------------------------
 * */

static void *shuffle_build(void)
{
    static const dmm_shuffle_desc desc = {.item_bytes = 4, .tuning = CPU(64)};
    dmm_shuffle *shuffle = NULL;
    REQUIRE_OK(dmm_shuffle_create(&shuffle, shared.ctx, &desc));
    return shuffle;
}

static void shuffle_release(void *object)
{
    dmm_shuffle_free(object);
}

static void *shuffle_prepare(void *object, uint64_t n, int in_place, int temp_given)
{
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_shuffle_temp_bytes(&temp_bytes, object, n));
    move_call *const c = call_new(n, in_place, temp_given ? temp_bytes : 0);
    for (uint64_t i = 0; i < n; i++)
        c->goals[i] = (uint32_t)dmm_shuffle_place(SEED, n, i);
    return c;
}

static dmm_status shuffle_enqueue(void *object, void *call, cl_command_queue queue,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const move_call *const c = call;
    const dmm_shuffle_args args = {.seed = SEED,
        .in = zone_span(&c->in),
        .out = zone_span(&c->out),
        .temp = zone_span(&c->temp)};
    return dmm_shuffle_enqueue(object, queue, &args, c->n, num_wait, wait, event);
}

/* ---- dmm_transpose ----------------------------------------------------------------------------
 * */

static void *transpose_build(void)
{
    static const dmm_transpose_desc desc = {.item_bytes = 4, .tuning = GPU(32, 0)};
    dmm_transpose *transpose = NULL;
    REQUIRE_OK(dmm_transpose_create(&transpose, shared.ctx, &desc));
    return transpose;
}

static void transpose_release(void *object)
{
    dmm_transpose_free(object);
}

static dmm_matrices shape_of(uint64_t n)
{
    return (dmm_matrices){ROWS, n / ROWS, 1};
}

static void *transpose_prepare(void *object, uint64_t n, int in_place, int temp_given)
{
    const dmm_matrices shape = shape_of(n);
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_transpose_temp_bytes(&temp_bytes, object, shape));
    move_call *const c = call_new(ROWS * shape.cols, in_place, temp_given ? temp_bytes : 0);
    for (uint64_t i = 0; i < c->n; i++)
        c->goals[i] = (uint32_t)(i % shape.cols * ROWS + i / shape.cols);
    return c;
}

static dmm_status transpose_enqueue(void *object, void *call, cl_command_queue queue,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const move_call *const c = call;
    const dmm_transpose_args args = {
        .in = zone_span(&c->in), .out = zone_span(&c->out), .temp = zone_span(&c->temp)};
    return dmm_transpose_enqueue(object, queue, &args, shape_of(c->n), num_wait, wait, event);
}

/* ---- All of them ------------------------------------------------------------------------------
 * */

#define SUBJECT(word, held)                                                                   \
    {                                                                                         \
#word, word##_build, word##_release, held, word##_prepare, word##_enqueue, output_of, \
            finish                                                                            \
    }

static const queue_subject subjects[] = {
    SUBJECT(permute, 0), SUBJECT(plan, 1), SUBJECT(shuffle, 0), SUBJECT(transpose, 0)};

QUEUE_TESTS(subjects)

int main(void)
{
    return RUN_WITH_RIG("queue_moves", "banks=16,units=4", queue_tests);
}
