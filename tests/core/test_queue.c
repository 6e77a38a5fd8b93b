/* SPDX-License-Identifier: MIT */
/*
 * dmm_scan, dmm_sort, dmm_merge, dmm_partition and dmm_topk among other work: wait lists, the event
 * they return, either queue, calls of one object in flight.
 */
#include "support/require.h"

#include <stdlib.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/merge_case.h"
#include "support/partition_case.h"
#include "support/queue.h"
#include "support/scan_case.h"
#include "support/topk_case.h"

/* ---- dmm_scan ---------------------------------------------------------------------------------
 * */

typedef struct scan_call {
    scan_case c;
    scan_run run;
} scan_call;

static const scan_setup scan_with = {{DMM_U32, DMM_SCAN_SUM, 0}, GPU(32, 4), 0};

static void *scan_start(void)
{
    return scan_build(&shared, &scan_with);
}

static void scan_release(void *object)
{
    dmm_scan_free(object);
}

static void *scan_make(void *object, uint64_t n, int in_place, int temp_given)
{
    scan_call *const call = allocate(sizeof *call);
    call->c = (scan_case){
        .n = n, .input = SHAPE_BITS, .seed = n, .in_place = in_place, .temp_given = temp_given};
    call->run = scan_prepare(&shared, object, &scan_with, &call->c);
    return call;
}

static dmm_status scan_enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const scan_call *const s = call;
    return dmm_scan_enqueue(object, queue, &s->run.args, s->c.n, num_wait, wait, event);
}

static const zone *scan_output(const void *call)
{
    return &((const scan_call *)call)->run.out;
}

static void scan_end(void *call)
{
    scan_finish(&((scan_call *)call)->run);
    free(call);
}

/* ---- dmm_sort ---------------------------------------------------------------------------------
 * */

typedef struct sort_call {
    sort_case c;
    sort_run run;
} sort_call;

/* Values of 3 bytes: every kind of step takes part, from the tile sort to the fetching of values.
 * */
static const sort_setup *sort_with(void)
{
    static sort_setup setup;
    setup = (sort_setup){kind_named("u32"), 3, 0, GPU(32, 4)};
    return &setup;
}

static void *sort_start(void)
{
    return sort_build(&shared, sort_with());
}

static void *radix_start(void)
{
    return sort_build_by(&shared, sort_with(), DMM_SORT_RADIX, 0);
}

static void sort_release(void *object)
{
    dmm_sort_free(object);
}

static void *sort_make(void *object, uint64_t n, int in_place, int temp_given)
{
    sort_call *const call = allocate(sizeof *call);
    call->c = (sort_case){
        .n = n, .input = SHAPE_BITS, .seed = n, .in_place = in_place, .temp_given = temp_given};
    call->run = sort_prepare(&shared, object, sort_with(), &call->c);
    return call;
}

static dmm_status sort_enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const sort_call *const s = call;
    return dmm_sort_enqueue(object, queue, &s->run.args, s->c.n, num_wait, wait, event);
}

static const zone *sort_output(const void *call)
{
    return &((const sort_call *)call)->run.keys_out;
}

static void sort_end(void *call)
{
    sort_finish(&((sort_call *)call)->run);
    free(call);
}

/* ---- dmm_merge --------------------------------------------------------------------------------
 * */

typedef struct merge_call {
    merge_case c;
    merge_run run;
} merge_call;

static const merge_setup *merge_with(void)
{
    static merge_setup setup;
    setup = (merge_setup){kind_named("u32"), 3, GPU(32, 4)};
    return &setup;
}

static void *merge_start(void)
{
    return merge_build(&shared, merge_with());
}

static void merge_release(void *object)
{
    dmm_merge_free(object);
}

/* Never in place. */
static void *merge_make(void *object, uint64_t n, int in_place, int temp_given)
{
    merge_call *const call = allocate(sizeof *call);
    (void)in_place;
    call->c = (merge_case){.na = n / 3,
        .nb = n - n / 3,
        .a = SHAPE_BITS,
        .b = SHAPE_RANDOM,
        .seed = n,
        .temp_given = temp_given};
    call->run = merge_prepare(&shared, object, merge_with(), &call->c);
    return call;
}

static dmm_status merge_enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const merge_call *const m = call;
    return dmm_merge_enqueue(object, queue, &m->run.args, m->c.na, m->c.nb, num_wait, wait, event);
}

static const zone *merge_output(const void *call)
{
    return &((const merge_call *)call)->run.keys_out;
}

static void merge_end(void *call)
{
    merge_finish(&((merge_call *)call)->run);
    free(call);
}

/* ---- dmm_partition ----------------------------------------------------------------------------
 * */

typedef struct partition_call {
    partition_case c;
    partition_run run;
} partition_call;

static const partition_setup *partition_with(void)
{
    static partition_setup setup;
    setup = (partition_setup){
        .k = kind_named("u32"), .ways = 5, .value_bytes = 4, .tuning = GPU(32, 4)};
    return &setup;
}

static void *partition_start(void)
{
    return partition_build(&shared, partition_with());
}

static void partition_release(void *object)
{
    dmm_partition_free(object);
}

static void *partition_make(void *object, uint64_t n, int in_place, int temp_given)
{
    partition_call *const call = allocate(sizeof *call);
    call->c = (partition_case){.n = n, .seed = n, .in_place = in_place, .temp_given = temp_given};
    call->run = partition_prepare(&shared, object, partition_with(), &call->c);
    return call;
}

static dmm_status partition_enqueue(void *object, void *call, cl_command_queue queue,
    cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const partition_call *const p = call;
    return dmm_partition_enqueue(object, queue, &p->run.args, p->c.n, num_wait, wait, event);
}

static const zone *partition_output(const void *call)
{
    return &((const partition_call *)call)->run.items_out;
}

static void partition_end(void *call)
{
    partition_finish(&((partition_call *)call)->run);
    free(call);
}

/* ---- dmm_topk ---------------------------------------------------------------------------------
 * */

typedef struct topk_call {
    topk_case c;
    topk_run run;
    dmm_topk_args args;
} topk_call;

static const topk_setup *topk_with(void)
{
    static topk_setup setup;
    setup = (topk_setup){*sort_with(), 0};
    return &setup;
}

static void *topk_start(void)
{
    return topk_build(&shared, topk_with());
}

static void topk_release(void *object)
{
    dmm_topk_free(object);
}

/* Never in place. */
static void *topk_make(void *object, uint64_t n, int in_place, int temp_given)
{
    topk_call *const call = allocate(sizeof *call);
    uint64_t temp_bytes = 0;
    (void)in_place;
    call->c =
        (topk_case){.n = n, .k = n / 3, .input = SHAPE_BITS, .seed = n, .temp_given = temp_given};
    REQUIRE_OK(dmm_topk_temp_bytes(&temp_bytes, object, n, n / 3));
    call->run = topk_prepare(&shared, topk_with(), &call->c, 0, temp_bytes);
    call->args = topk_args_of(&call->run);
    return call;
}

static dmm_status topk_enqueue(void *object, void *call, cl_command_queue queue, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    const topk_call *const t = call;
    return dmm_topk_enqueue(object, queue, &t->args, t->c.n, t->c.k, num_wait, wait, event);
}

static const zone *topk_output(const void *call)
{
    return &((const topk_call *)call)->run.keys_out;
}

static void topk_end(void *call)
{
    topk_finish(&((topk_call *)call)->run, 1);
    free(call);
}

/* ---- All of them ------------------------------------------------------------------------------
 * */

static const queue_subject subjects[] = {
    {"scan", scan_start, scan_release, 0, scan_make, scan_enqueue, scan_output, scan_end},
    {"sort", sort_start, sort_release, 0, sort_make, sort_enqueue, sort_output, sort_end},
    {"radix", radix_start, sort_release, 0, sort_make, sort_enqueue, sort_output, sort_end},
    {"merge", merge_start, merge_release, 0, merge_make, merge_enqueue, merge_output, merge_end},
    {"partition", partition_start, partition_release, 0, partition_make, partition_enqueue,
        partition_output, partition_end},
    {"topk", topk_start, topk_release, 0, topk_make, topk_enqueue, topk_output, topk_end},
};

QUEUE_TESTS(subjects)

int main(void)
{
    return RUN_WITH_RIG("queue", "banks=32", queue_tests);
}
