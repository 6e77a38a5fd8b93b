/* SPDX-License-Identifier: MIT */
/* ctest: optimised wrap=clEnqueueReadBuffer */
/*
 * On a device whose k-th answer has a wrong bit, or never comes, the self-test names that check and
 * no other: for every k, with some of the checks on small inputs. cli/test_selftest.sh runs all
 * checks on a device that works. The device is made to lie by a wrapper around clEnqueueReadBuffer
 * (the linker's --wrap).
 */
#include "support/require.h"

#include <string.h>

#include "primitives/selftest/selftest.h"
#include "support/rig.h"

static rig shared;

static struct {
    uint64_t reads, lie, refuse; /* answers so far; the one with a wrong bit; the one that fails */
} device;

enum { ANSWER_BYTES = 64 }; /* at least: less is a report or a number */

cl_int __real_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t bytes, void *to, cl_uint num_wait, const cl_event *wait, cl_event *event);
cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t bytes, void *to, cl_uint num_wait, const cl_event *wait, cl_event *event);

cl_int __wrap_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t bytes, void *to, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    device.reads += bytes >= ANSWER_BYTES;
    if (bytes >= ANSWER_BYTES && device.reads == device.refuse)
        return CL_OUT_OF_RESOURCES;
    const cl_int status = __real_clEnqueueReadBuffer(
        queue, buffer, blocking, offset, bytes, to, num_wait, wait, event);
    if (bytes >= ANSWER_BYTES && device.reads == device.lie)
        *(unsigned char *)to ^= 0x40;
    return status;
}

static int open_rig(void **state)
{
    (void)state;
    rig_open(&shared, NULL);
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    rig_close(&shared);
    return 0;
}

typedef struct tally {
    unsigned lines, failed;
    int under_way; /* a check has begun */
    dmm_selftest_line last_failed;
} tally;

static int count(void *user, const dmm_selftest_line *line)
{
    tally *const t = user;
    REQUIRE(t->under_way != line->begins);
    t->under_way = line->begins;
    if (line->begins)
        return 1;
    t->lines++;
    REQUIRE(line->type != NULL && line->n > 0);
    if (line->status != DMM_OK && line->status != DMM_UNSUPPORTED) {
        t->failed++;
        t->last_failed = *line;
    }
    return 0;
}

/* Returns what these checks say of a device that fails so. */
static tally run(const dmm_check *checks, uint64_t lie, uint64_t refuse, dmm_status expected)
{
    const dmm_check *const tables[] = {checks, NULL};
    tally t = {.lines = 0};
    device.reads = 0;
    device.lie = lie;
    device.refuse = refuse;
    REQUIRE_STATUS(expected, dmm_selftest_run(shared.ctx, tables, count, &t));
    return t;
}

/* Some of the self-test's own checks, of one type each and without their large inputs. */
enum { NUM_FEW = 5 };
static dmm_check few[NUM_FEW + 1];

static void choose_few(void)
{
    static const struct {
        const dmm_check *check;
        dmm_type type;
    } wanted[NUM_FEW] = {{&dmm_scan_checks[0], DMM_U32}, {&dmm_sort_checks[1], DMM_U16},
        {dmm_topk_checks, DMM_F32}, {dmm_partition_checks, DMM_U32}, {dmm_hull_checks, DMM_F32}};
    for (int i = 0; i < NUM_FEW; i++)
        few[i] = (dmm_check){
            wanted[i].check->primitive, wanted[i].check->run, DMM_CHECKS(wanted[i].type), 0};
}

static void one_wrong_bit_is_found_and_named(void **state)
{
    (void)state;
    choose_few();
    run(few, 0, 0, DMM_OK);
    const uint64_t reads = device.reads;
    REQUIRE(reads >= 2 * NUM_FEW);
    for (uint64_t k = 1; k <= reads; k++) {
        test_note("the first byte of answer %llu is wrong", (unsigned long long)k);
        const tally t = run(few, k, 0, DMM_WRONG_RESULT);
        REQUIRE(t.failed == 1 && t.last_failed.status == DMM_WRONG_RESULT);
        REQUIRE(t.last_failed.position == 0 && device.reads == reads);
    }
}

static void one_wrong_bit_beyond_2_gib_is_found(void **state)
{
    uint64_t position = 1;
    (void)state;
    test_note("the first byte read of a large buffer is wrong");
    device.reads = device.refuse = 0;
    device.lie = 1;
    const dmm_status status = dmm_selftest_beyond(shared.ctx, &position);
    REQUIRE(status == DMM_UNSUPPORTED || (status == DMM_WRONG_RESULT && position == 0));
}

static void a_call_that_fails_is_named_with_its_status(void **state)
{
    (void)state;
    test_note("the first answer does not come");
    const tally t = run(few, 0, 1, CL_OUT_OF_RESOURCES);
    REQUIRE(t.failed == 1 && t.last_failed.status == CL_OUT_OF_RESOURCES);
    REQUIRE(strcmp(t.last_failed.primitive, "scan, sums") == 0 && t.last_failed.n > 1);
}

static void no_context_is_an_error(void **state)
{
    (void)state;
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_selftest(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wrong_bit_is_found_and_named),
        cmocka_unit_test(one_wrong_bit_beyond_2_gib_is_found),
        cmocka_unit_test(a_call_that_fails_is_named_with_its_status),
        cmocka_unit_test(no_context_is_an_error),
    };
    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
