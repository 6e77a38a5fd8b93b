/* SPDX-License-Identifier: MIT */
/* ctest: default optimised */
/*
 * Launch chains: order of steps on an out-of-order queue, grids with an offset, how a chain ends;
 * programs: one build for one text; the span checks.
 */
#include "support/require.h"

#include <string.h>

#include "core/context.h"
#include "core/launch.h"
#include "support/rig.h"
#include "support/zone.h"

enum { U = 8, GROUPS = 4, ITEMS = U * GROUPS };

/* Each step makes x of 3*x + step + its global number, which no two steps may exchange. */
static const char step_source[] = "kernel void step_on(global uint *x, uint step)\n"
                                  "{ uint i = get_global_id(0); x[i] = 3 * x[i] + step + i; }\n";

static rig shared;
static cl_program program;
static cl_kernel kernel;

static int open_rig(void **state)
{
    const char *source = step_source;
    cl_int failed = CL_SUCCESS;
    (void)state;
    rig_open(&shared, NULL);
    program = clCreateProgramWithSource(shared.cl, 1, &source, NULL, &failed);
    REQUIRE_OK(failed);
    const cl_device_id device = dmm_context_device(shared.ctx)->id;
    REQUIRE_OK(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL));
    kernel = clCreateKernel(program, "step_on", &failed);
    REQUIRE_OK(failed);
    return 0;
}

static int close_rig(void **state)
{
    (void)state;
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    rig_close(&shared);
    return 0;
}

static dmm_status launch(dmm_chain *chain, const zone *z, cl_uint step, dmm_grid grid)
{
    const dmm_arg args[] = {DMM_ARG(z->buffer), DMM_ARG(step)};
    return dmm_chain_launch(chain, kernel, args, 2, grid);
}

static void run_steps(cl_command_queue queue)
{
    enum { STEPS = 40 };
    cl_uint expected[ITEMS] = {0}, got[ITEMS];
    dmm_chain chain = {.queue = queue};
    cl_event done = NULL;
    zone z = zone_create(&shared, expected, sizeof expected, 0);
    for (cl_uint step = 0; step < STEPS; step++) {
        for (cl_uint i = 0; i < ITEMS; i++)
            expected[i] = 3 * expected[i] + step + i;
        REQUIRE_OK(launch(&chain, &z, step, (dmm_grid){0, GROUPS, U}));
    }
    REQUIRE_OK(dmm_chain_end(&chain, DMM_OK, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    zone_read(&shared, &z, got);
    REQUIRE(memcmp(expected, got, sizeof got) == 0);
    zone_free(&z);
}

static void steps_run_in_order_on_either_queue(void **state)
{
    (void)state;
    test_note("steps");
    run_steps(shared.queue);
    if (shared.out_of_order != NULL)
        run_steps(shared.out_of_order);
}

static void a_grid_begins_at_its_first_group(void **state)
{
    cl_uint items[ITEMS] = {0};
    dmm_chain chain = {.queue = shared.queue};
    cl_event done = NULL;
    zone z = zone_create(&shared, items, sizeof items, 0);
    (void)state;
    test_note("grid");
    REQUIRE_OK(launch(&chain, &z, 5, (dmm_grid){1, 2, U}));
    REQUIRE_OK(launch(&chain, &z, 7, (dmm_grid){1, 0, U}));
    REQUIRE_STATUS(DMM_TOO_LARGE, launch(&chain, &z, 7, (dmm_grid){UINT64_MAX, 1, U}));
    REQUIRE_STATUS(DMM_TOO_LARGE, launch(&chain, &z, 7, (dmm_grid){0, UINT64_MAX / 4, U}));
    REQUIRE_OK(dmm_chain_end(&chain, DMM_OK, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    zone_read(&shared, &z, items);
    for (cl_uint i = 0; i < ITEMS; i++)
        REQUIRE(items[i] == (i >= U && i < 3 * U ? 5 + i : 0));
    zone_free(&z);
}

static void a_chain_without_steps_waits_and_signals(void **state)
{
    cl_event done = NULL;
    (void)state;
    test_note("no steps");
    dmm_chain idle = {.queue = shared.queue};
    REQUIRE_OK(dmm_chain_end(&idle, DMM_OK, NULL));
    REQUIRE_OK(dmm_chain_end(&idle, DMM_OK, &done));
    REQUIRE(done != NULL);
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
}

static void a_failed_chain_has_finished_and_returns_no_event(void **state)
{
    cl_uint items[ITEMS] = {0};
    dmm_chain chain = {.queue = shared.queue};
    cl_event done = (cl_event)(void *)items;
    zone z = zone_create(&shared, items, sizeof items, 0);
    (void)state;
    test_note("failure");
    REQUIRE_OK(launch(&chain, &z, 1, (dmm_grid){0, GROUPS, U}));
    cl_event last = chain.last;
    clRetainEvent(last);
    REQUIRE_STATUS(DMM_BUILD_FAILED, dmm_chain_end(&chain, DMM_BUILD_FAILED, &done));
    REQUIRE(done == NULL && chain.last == NULL);
    cl_int now = -1;
    REQUIRE_OK(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof now, &now, NULL));
    REQUIRE(now == CL_COMPLETE);
    clReleaseEvent(last);
    zone_free(&z);
}

static void spans_are_checked(void **state)
{
    zone z = zone_create(&shared, NULL, 1024, 0);
    const uint64_t bytes = z.total_bytes;
    (void)state;
    test_note("spans");
    REQUIRE_OK(dmm_check_span("span", (dmm_span){NULL, 0}, 0, 4));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_check_span("span", (dmm_span){NULL, 0}, 1, 4));
    REQUIRE_OK(dmm_check_span("span", (dmm_span){z.buffer, 0}, bytes / 4, 4));
    REQUIRE_OK(dmm_check_span("span", (dmm_span){z.buffer, 4}, bytes / 4 - 1, 4));
    REQUIRE_STATUS(
        DMM_SPAN_TOO_SMALL, dmm_check_span("span", (dmm_span){z.buffer, 4}, bytes / 4, 4));
    REQUIRE_STATUS(
        DMM_SPAN_TOO_SMALL, dmm_check_span("span", (dmm_span){z.buffer, 0}, UINT64_MAX, 256));
    REQUIRE_STATUS(DMM_MISALIGNED, dmm_check_span("span", (dmm_span){z.buffer, 4}, 1, 3));
    REQUIRE_STATUS(CL_INVALID_EVENT_WAIT_LIST, dmm_check_wait(1, NULL));
    REQUIRE_OK(dmm_check_wait(0, NULL));
    zone_free(&z);
}

static void one_text_is_built_once(void **state)
{
    static const char root[] = "cl/permute/permute.cl";
    dmm_options options = {.bytes = 0}, others = {.bytes = 0};
    cl_program first = NULL, again = NULL, other = NULL, prelude = NULL;
    dmm_programs *const programs = &shared.ctx->programs;
    (void)state;
    test_note("programs");
    dmm_program_desc wanted = {.root = root, .options = &options, .prelude = ""};
    dmm_program_desc otherwise = {.root = root, .options = &others, .prelude = ""};
    dmm_program_desc begun = {.root = root, .options = &options, .prelude = "/* */"};
    const struct {
        const char *name;
        uint64_t value;
    } defines[] = {{"DMM_U", 4}, {"DMM_E", 2}, {"DMM_W", 4}, {"DMM_BANK_BYTES", 4}, {"DMM_TILE", 8},
        {"DMM_INDEX_BYTES", 4}, {"DMM_PLAIN_U", 4}, {"DMM_WORD_BYTES", 4}, {"DMM_WORDS", 1},
        {"DMM_PLACE_BYTES", 4}, {"DMM_CHECKED", 0}};
    for (size_t i = 0; i < sizeof defines / sizeof defines[0]; i++) {
        dmm_options_define(&options, defines[i].name, defines[i].value);
        dmm_options_define(&others, defines[i].name, defines[i].value);
    }
    dmm_options_define(&others, "ANOTHER", 1);
    REQUIRE_OK(dmm_programs_get(programs, &wanted, &first));
    REQUIRE_OK(dmm_programs_get(programs, &wanted, &again));
    REQUIRE_OK(dmm_programs_get(programs, &otherwise, &other));
    REQUIRE_OK(dmm_programs_get(programs, &begun, &prelude));
    REQUIRE(first == again && first != other && first != prelude && other != prelude);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_run_in_order_on_either_queue),
        cmocka_unit_test(a_grid_begins_at_its_first_group),
        cmocka_unit_test(a_chain_without_steps_waits_and_signals),
        cmocka_unit_test(a_failed_chain_has_finished_and_returns_no_event),
        cmocka_unit_test(spans_are_checked),
        cmocka_unit_test(one_text_is_built_once),
    };
    return cmocka_run_group_tests_name("core_chain", tests, open_rig, close_rig);
}
