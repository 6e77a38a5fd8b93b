/* SPDX-License-Identifier: MIT */
/* ctest: full wrap=clEnqueueNDRangeKernel,clCreateProgramWithSource */
/*
 * A driver that loses a work-group: of one launch of a call, the first, a middle or the last group
 * does not run, or none does. For the first of the self-test's checks of each primitive, in both
 * forms; full sizes: for each check. Such a call may give a wrong result, which the self-test
 * finds; but it ends, and does not wait for what will never come. Nor does it access memory beyond
 * its spans: kernels bound the numbers that an earlier launch was to write, or do nothing where
 * these are not of this call, as in hulls and in radix sorts of the CPU form. Calls run in a
 * process of their own, which such an access would end: memory that nobody wrote is not 0
 * (mallopt), and such a number leads far astray. Kernels without one of their bounds do end it, on
 * PoCL; what other drivers' memory holds is not known.
 * An argument names the checks that run: those whose names begin so.
 */
#include "support/require.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cl/workarounds.clh"
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
    ending ended;
    int is_pocl; /* its buffers are of malloc */
    char kernels[MOST_LISTED][64];
} driver;

/* What is replaced in programs, or NULL. */
static struct {
    const char *bound, *without;
} edit;

cl_program __real_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status);
cl_program __wrap_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status);

/* Replaces the first text that has the bound by one without it. */
cl_program __wrap_clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *bytes, cl_int *status)
{
    const char *edited[MOST_LISTED];
    char *text = NULL;
    REQUIRE(count <= MOST_LISTED);
    for (cl_uint i = 0; i < count; i++) {
        const char *const at = edit.bound != NULL ? strstr(texts[i], edit.bound) : NULL;
        edited[i] = texts[i];
        if (at == NULL || text != NULL)
            continue;
        const size_t before = (size_t)(at - texts[i]);
        text = malloc(strlen(texts[i]) + strlen(edit.without) + 1);
        REQUIRE(text != NULL);
        memcpy(text, texts[i], before);
        strcpy(text + before, edit.without);
        strcat(text, at + strlen(edit.bound));
        edited[i] = text;
    }
    const cl_program program = __real_clCreateProgramWithSource(
        context, count, edited, text != NULL ? NULL : bytes, status);
    free(text);
    return program;
}

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

static const char *wanted;
static uint64_t items[3][N];
static uint32_t indices[3][N];

/* Runs a check. */
static ending run(dmm_context *ctx, const dmm_check *check)
{
    random_source random = {9};
    dmm_trial t = {.ctx = ctx,
        .n = N,
        .places = N,
        .input = (unsigned char *)items[0],
        .expected = (unsigned char *)items[1],
        .answer = (unsigned char *)items[2],
        .expected_from = indices[0],
        .answer_from = indices[1],
        .spare = indices[2]};
    while ((check->types & DMM_CHECKS(t.type)) == 0)
        t.type++;
    t.bytes = dmm_type_bytes(t.type);
    random_bytes(&random, t.input, sizeof items[0]);
    memset(t.answer, UNWRITTEN, sizeof items[2]); /* on a CPU, calls write here */
    memset(t.answer_from, UNWRITTEN, sizeof indices[1]);
    if (check->run(&t) != DMM_OK)
        return REFUSED;
    return memcmp(t.answer, t.expected, (size_t)t.places * t.bytes) == 0 &&
                   memcmp(t.answer_from, t.expected_from, (size_t)t.places * sizeof(uint32_t)) == 0
               ? RIGHT
               : WRONG;
}

/* A process that makes a check's calls on a device of its own, one a request, until one crashes. */
typedef struct caller {
    const dmm_check *check;
    const char *form;
    pid_t process; /* 0: none */
    int socket;
} caller;

typedef struct request {
    size_t loses_at;
    lost what;
} request;

static void answer_requests(const caller *c, int socket)
{
    static const int deadly[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    dmm_context *ctx = NULL;
    request asked;
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        signal(deadly[i], SIG_DFL); /* cmocka's handlers would run the exit handlers */
    mallopt(M_PERTURB, UNWRITTEN);
    const dmm_status status = dmm_context_create(&ctx, &(dmm_context_desc){.set = c->form});
    const dmm_device *const device = dmm_context_device(ctx);
    driver.is_pocl =
        device != NULL && strcmp(device->platform_name, DMM_OWN_BUILTINS_PLATFORM) == 0;
    while (read(socket, &asked, sizeof asked) == sizeof asked) {
        alarm(LIMIT_S);
        driver.launches = 0;
        driver.loses_at = asked.loses_at;
        driver.what = asked.what;
        driver.ended = status != DMM_OK ? REFUSED : run(ctx, c->check);
        alarm(0);
        if (write(socket, &driver, sizeof driver) != sizeof driver)
            break;
    }
    _exit(EXIT_SUCCESS);
}

static void start(caller *c)
{
    int sockets[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    fflush(NULL);
    c->process = fork();
    REQUIRE(c->process >= 0);
    if (c->process == 0) {
        close(sockets[0]);
        answer_requests(c, sockets[1]);
    }
    close(sockets[1]);
    c->socket = sockets[0];
}

/* Ends the process, if there is one; returns how it has ended. */
static int stop(caller *c)
{
    int how = 0;
    if (c->process == 0)
        return 0;
    close(c->socket);
    REQUIRE(waitpid(c->process, &how, 0) == c->process);
    c->process = 0;
    return how;
}

/* Returns how a call ended; what it has launched is in `driver` unless it crashed. */
static ending attempt(caller *c, size_t loses_at, lost what)
{
    request asked;
    memset(&asked, 0, sizeof asked);
    asked.loses_at = loses_at;
    asked.what = what;
    if (c->process == 0)
        start(c);
    REQUIRE(write(c->socket, &asked, sizeof asked) == sizeof asked);
    if (recv(c->socket, &driver, sizeof driver, MSG_WAITALL) == sizeof driver)
        return driver.ended;
    const int how = stop(c);
    return WIFSIGNALED(how) && WTERMSIG(how) == SIGALRM ? HUNG : CRASHED;
}

/* True if the call itself must notice the loss of a group of this kernel. */
static int must_refuse(const char *kernel)
{
    if (strncmp(kernel, "dmm_hull_", 9) == 0) /* no launch reads whether the last two have run */
        return strcmp(kernel, "dmm_hull_place") != 0 && strcmp(kernel, "dmm_hull_write") != 0;
    return strcmp(kernel, "dmm_paths_narrow") == 0 || strcmp(kernel, "dmm_heap_begin") == 0 ||
           strcmp(kernel, "dmm_heap_alone") == 0;
}

/* True if a check is run: its name begins as the program's argument. */
static int is_wanted(const dmm_check *check)
{
    return wanted == NULL || strncmp(check->primitive, wanted, strlen(wanted)) == 0;
}

/* Loses a group of each of the first launches, then of one in a while. */
static void lose_each(const dmm_check *check, const char *form, size_t *count)
{
    caller c = {.check = check, .form = form};
    test_note("%s, %s", check->primitive, form);
    REQUIRE(attempt(&c, 0, FIRST) == RIGHT);
    const size_t launches = driver.launches;
    const size_t most = by_size(0, MOST_LAUNCHES, 4 * MOST_LAUNCHES);
    char kernels[MOST_LISTED][64];
    memcpy(kernels, driver.kernels, sizeof kernels);
    REQUIRE(launches > 0);
    for (size_t i = 0; i < launches && i < most; i++)
        for (lost what = i % NUM_LOST; what < NUM_LOST; what += by_size(1, NUM_LOST, 1)) {
            const size_t at = launches <= most ? i : i < most / 2 ? i : i * launches / most;
            const char *const kernel = at < MOST_LISTED ? kernels[at] : "later";
            const ending how = attempt(&c, at + 1, what);
            test_note("%s, %s: launch %zu of %zu, of %s, without group %d: %s", check->primitive,
                form, at + 1, launches, kernel, (int)what, endings[how]);
            if (how == CRASHED)
                printf("%s, %s: crashed at launch %zu of %zu, of %s, without group %d\n",
                    check->primitive, form, at + 1, launches, kernel, (int)what);
            REQUIRE(how != HUNG);
            REQUIRE(how == REFUSED || !must_refuse(kernel));
            REQUIRE(how != CRASHED);
            count[how]++;
        }
    stop(&c);
}

static void lose_all(const dmm_check *check)
{
    /* several tiles in either form */
    static const char *const forms[] = {"form=gpu,u=32,E=4", "form=cpu,tile=128,E=8"};
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
        size_t count[NUM_ENDINGS] = {0};
        lose_each(check, forms[form], count);
        printf("%s, %s: right %zu, wrong %zu, refused %zu, crashed %zu\n", check->primitive,
            forms[form], count[RIGHT], count[WRONG], count[REFUSED], count[CRASHED]);
        fflush(stdout);
        REQUIRE(count[WRONG] + count[REFUSED] + count[CRASHED] > 0);
    }
}

/* Full sizes: every check; otherwise the first one of each primitive. */
static void a_lost_group_ends_every_call(void **state)
{
#define CHECKS(N, word) dmm_##word##_checks,
    static const dmm_check *const tables[] = {DMM_PRIMITIVES_AND_PLANS(CHECKS)};
    (void)state;
    for (size_t i = sizeof tables / sizeof *tables; i-- > 0;)
        for (const dmm_check *check = tables[i]; check->primitive != NULL; check++) {
            if (is_wanted(check) && (check == tables[i] || by_size(0, 0, 1)))
                lose_all(check);
        }
}

/* Kernels without a bound; the check and the form that crash if a launch is lost. */
static const struct {
    const dmm_check *checks;
    size_t at;
    const char *form, *bound, *without;
} plants[] = {
    {dmm_merge_checks, 0, "form=cpu,tile=128,E=8", "split_within(split, pair, tile.first)",
        "split_within(split, pair, tile.first) * 0 + split"},
    {dmm_merge_many_checks, 0, "form=cpu,tile=128,E=8", "min(s.counts[q], s.most_runs - 1)",
        "s.counts[q]"},
    {dmm_hull_checks, 0, "form=cpu,tile=128,E=8", "if (!DMM_HULL_GOES_ON)",
        "DMM_HULL_GOES_ON; if (0)"},
    {dmm_hull_checks, 0, "form=gpu,u=32,E=4", "if (!DMM_HULL_GOES_ON)", "DMM_HULL_GOES_ON; if (0)"},
    {dmm_sort_checks, 2, "form=cpu,tile=128,E=8",
        "clamp((ulong)positions[c.positions_at + item], c.first, c.last)",
        "positions[c.positions_at + item]"},
    {dmm_sort_checks, 1, "form=cpu,tile=128,E=8", "agree &=", "agree = 1 |"},
    {dmm_partition_checks, 0, "form=cpu,tile=128,E=8", "agree &=", "agree = 1 |"},
    {dmm_heap_checks, 0, "form=gpu,u=32,E=4", "min(entry, (uint)(c.entries - 1))", "entry"},
};

/* Returns whether the loss of a launch crashes a call. */
static int crashes(const dmm_check *check, const char *form)
{
    caller c = {.check = check, .form = form};
    REQUIRE(attempt(&c, 0, FIRST) == RIGHT);
    const size_t launches = driver.launches;
    ending how = RIGHT;
    for (size_t at = launches; at > 0 && how != CRASHED; at--)
        how = attempt(&c, at, ALL);
    stop(&c);
    return how == CRASHED;
}

static void without_its_bound_a_kernel_crashes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++) {
        const dmm_check *const check = &plants[i].checks[plants[i].at];
        if (!is_wanted(check))
            continue;
        test_note("%s, without %s", check->primitive, plants[i].bound);
        edit.bound = plants[i].bound;
        edit.without = plants[i].without;
        REQUIRE(crashes(check, plants[i].form) || !driver.is_pocl);
        edit.bound = NULL;
    }
}

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(without_its_bound_a_kernel_crashes),
        cmocka_unit_test(a_lost_group_ends_every_call)};
    return cmocka_run_group_tests_name("lost", tests, NULL, NULL);
}
