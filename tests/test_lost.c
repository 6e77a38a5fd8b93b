/* SPDX-License-Identifier: MIT */
/*
 * A driver that loses a work-group: of one launch of a call, the first, a middle or the last group
 * does not run, or none does. For the self-test's checks of searches and heaps, in both forms; full
 * sizes: of each primitive. Such a call may give a wrong result, which the self-test finds; but it
 * ends, and does not wait for what will never come. Each call runs in a process of its own, which
 * may also crash, unless the primitive is bounded: its kernels trust no number that an earlier
 * launch was to write. Memory that nobody wrote is not 0 (mallopt): such a number leads far astray.
 */
#include "support/require.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "primitives/selftest/selftest.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/wrap_launch.h"

enum { N = 1021, LIMIT_S = 60, MOST_LAUNCHES = 12, MOST_LISTED = 64, UNWRITTEN = 0x5a };

typedef enum lost { FIRST, MIDDLE, LAST, ALL, NUM_LOST } lost;
/* How a call ended. */
typedef enum ending { RIGHT, WRONG, REFUSED, CRASHED, HUNG, NUM_ENDINGS } ending;
static const char *const endings[] = {"right", "wrong", "refused", "crashed", "hung"};

/* The launches of a process, and which one of them loses what; from 1, 0: none. */
static struct {
    size_t launches, loses_at;
    lost what;
    char kernels[MOST_LISTED][64];
} driver;

/* A kernel's group finds its number by get_global_id, so a part of the groups can be launched. */
cl_int __wrap_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS)
{
    const size_t groups = *global / *local, at = driver.launches++;
    const size_t lost_at = driver.what == FIRST    ? 0
                           : driver.what == MIDDLE ? groups / 2
                                                   : groups - 1;
    if (at < MOST_LISTED)
        clGetKernelInfo(
            kernel, CL_KERNEL_FUNCTION_NAME, sizeof driver.kernels[at], driver.kernels[at], NULL);
    if (driver.loses_at != at + 1)
        return __real_clEnqueueNDRangeKernel(
            queue, kernel, dimensions, offset, global, local, num_wait, wait, event);
    if (num_wait > 0)
        clWaitForEvents(num_wait, wait);
    for (size_t group = 0; group < groups && driver.what != ALL; group++) {
        const size_t from = *offset + group * *local;
        if (group != lost_at)
            __real_clEnqueueNDRangeKernel(queue, kernel, 1, &from, local, local, 0, NULL, NULL);
    }
    clFinish(queue);
    return clEnqueueMarkerWithWaitList(queue, 0, NULL, event);
}

static uint64_t items[3][N];
static uint32_t indices[3][N];

/* Runs a check on a device of its own. */
static ending run(const dmm_check *check, const char *form)
{
    random_source random = {9};
    dmm_trial t = {.n = N,
        .places = N,
        .input = (unsigned char *)items[0],
        .expected = (unsigned char *)items[1],
        .answer = (unsigned char *)items[2],
        .expected_from = indices[0],
        .answer_from = indices[1],
        .spare = indices[2]};
    if (dmm_context_create(&t.ctx, &(dmm_context_desc){.set = form}) != DMM_OK)
        return REFUSED;
    while ((check->types & DMM_CHECKS(t.type)) == 0)
        t.type++;
    t.bytes = dmm_type_bytes(t.type);
    random_bytes(&random, t.input, sizeof items[0]);
    const dmm_status status = check->run(&t);
    dmm_context_free(t.ctx);
    if (status != DMM_OK)
        return REFUSED;
    return memcmp(t.answer, t.expected, (size_t)t.places * t.bytes) == 0 &&
                   memcmp(t.answer_from, t.expected_from, (size_t)t.places * sizeof(uint32_t)) == 0
               ? RIGHT
               : WRONG;
}

/* Runs a check in a process of its own, which says what it has launched. */
static ending attempt(const dmm_check *check, const char *form, size_t loses_at, lost what)
{
    int pipe_of[2], how = 0;
    REQUIRE(pipe(pipe_of) == 0);
    fflush(NULL);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        mallopt(M_PERTURB, UNWRITTEN);
        alarm(LIMIT_S);
        driver.launches = 0;
        driver.loses_at = loses_at;
        driver.what = what;
        const ending how_ended = run(check, form);
        alarm(0);
        if (loses_at == 0 && write(pipe_of[1], &driver, sizeof driver) != sizeof driver)
            _exit(NUM_ENDINGS);
        _exit((int)how_ended);
    }
    close(pipe_of[1]);
    if (loses_at == 0)
        REQUIRE(read(pipe_of[0], &driver, sizeof driver) == sizeof driver);
    close(pipe_of[0]);
    REQUIRE(waitpid(child, &how, 0) == child);
    if (WIFSIGNALED(how))
        return WTERMSIG(how) == SIGALRM ? HUNG : CRASHED;
    /* PoCL may end a process that divides by zero. */
    return WEXITSTATUS(how) < NUM_ENDINGS ? (ending)WEXITSTATUS(how) : CRASHED;
}

/* True if the call itself must notice the loss of this kernel's only group. */
static int must_refuse(const char *kernel)
{
    return strcmp(kernel, "dmm_paths_narrow") == 0 || strcmp(kernel, "dmm_heap_begin") == 0;
}

/* True for calls whose number of launches the device decides, or that a loop of a kernel counts. */
static int is_waited_for(const dmm_check *check)
{
    return strncmp(check->primitive, "paths", 5) == 0 || strncmp(check->primitive, "heap", 4) == 0;
}

/* True for kernels of merges, also in sorts: the next launch follows what they write. */
static int is_of_merge(const char *kernel)
{
    return strncmp(kernel, "dmm_merge", 9) == 0;
}

/* True for calls that do not crash, whatever is lost but a merge. */
static int is_bounded(const dmm_check *check)
{
    static const char *const words[] = {"unique", "run length", "reduce by key", "top k", "nth"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(check->primitive, words[i]) == 0)
            return 1;
    return 0;
}

/* Loses a group of each of the first launches, then of one in a while. */
static void lose_each(const dmm_check *check, const char *form, size_t *count)
{
    test_note("%s, %s", check->primitive, form);
    REQUIRE(attempt(check, form, 0, FIRST) == RIGHT);
    const size_t launches = driver.launches;
    const size_t most = by_size(0, MOST_LAUNCHES, 4 * MOST_LAUNCHES);
    char kernels[MOST_LISTED][64];
    memcpy(kernels, driver.kernels, sizeof kernels);
    REQUIRE(launches > 0);
    for (size_t i = 0; i < launches && i < most; i++)
        for (lost what = i % NUM_LOST; what < NUM_LOST; what += by_size(1, NUM_LOST, 1)) {
            const size_t at = launches <= most ? i : i < most / 2 ? i : i * launches / most;
            const char *const kernel = at < MOST_LISTED ? kernels[at] : "later";
            const ending how = attempt(check, form, at + 1, what);
            test_note("%s, %s: launch %zu of %zu, of %s, without group %d: %s", check->primitive,
                form, at + 1, launches, kernel, (int)what, endings[how]);
            REQUIRE(how != HUNG);
            REQUIRE(how == REFUSED || !must_refuse(kernel));
            REQUIRE(how != CRASHED || !is_bounded(check) || is_of_merge(kernel));
            count[how]++;
        }
}

static void a_lost_group_ends_every_call(void **state)
{
#define CHECKS(N, word) dmm_##word##_checks,
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS)};
    static const char *const forms[] = {"form=gpu,u=32", "form=cpu"};
    (void)state;
    for (size_t i = sizeof tables / sizeof *tables; i-- > 0;)
        for (size_t form = 0;
             form < (is_waited_for(tables[i]) || is_bounded(tables[i]) ? by_size(0, 2, 2)
                                                                       : by_size(0, 0, 2));
             form++) {
            size_t count[NUM_ENDINGS] = {0};
            lose_each(&tables[i][0], forms[form], count);
            printf("%s, %s: right %zu, wrong %zu, refused %zu, crashed %zu\n",
                tables[i][0].primitive, forms[form], count[RIGHT], count[WRONG], count[REFUSED],
                count[CRASHED]);
            REQUIRE(count[WRONG] + count[REFUSED] + count[CRASHED] > 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_lost_group_ends_every_call)};
    return cmocka_run_group_tests_name("lost", tests, NULL, NULL);
}
