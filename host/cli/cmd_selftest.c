/* SPDX-License-Identifier: MIT */
/*
 * dmm selftest: a first check of a new device or driver. The checks run in a child process, so that
 * a crash of the driver is reported, too.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dmm/selftest.h>

#include "commands.h"
#include "methods.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "system/system.h"

#define QUICK_SECONDS 8.0

/* State of the child, in memory that it shares with its parent. */
typedef struct state {
    char running[96]; /* the check under way; "": none */
    bool line_open;   /* standard output is within a line */
} state;

/* The primitive whose line is being printed, and the results so far. */
typedef struct summary {
    cli_checks *checks;
    state *shared;
    char **names;          /* beginnings of the checks' names */
    int num_names;         /* 0: all checks */
    const char *primitive; /* NULL: no line is open */
    unsigned checked, failed, unsupported;
    bool (*before)(cli_error *error); /* in the child, before the checks; NULL: nothing */
    double seconds;                   /* for the checks; 0: as many as they take */
    double until;                     /* by seconds_now, when no other check begins; 0: all run */
    bool is_cut;                      /* one did not */
} summary;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_named(const summary *s, const char *primitive)
{
    bool named = s->num_names == 0;
    for (int i = 0; i < s->num_names && !named; i++)
        named = strncmp(primitive, s->names[i], strlen(s->names[i])) == 0;
    return named;
}

static void end_line(summary *s, const char *next)
{
    if (s->primitive != NULL)
        printf("\n");
    s->primitive = next;
    s->shared->line_open = next != NULL;
}

static void print_done(summary *s, const dmm_selftest_line *line)
{
    if (line->status == DMM_UNSUPPORTED) {
        s->unsupported++;
        end_line(s, NULL);
        printf("SKIP  %-18s %s, %llu items: not supported: the device lacks doubles or memory\n",
            line->primitive, line->type, (unsigned long long)line->n);
        return;
    }
    if (line->status == DMM_OK) {
        if (s->primitive != line->primitive) {
            end_line(s, line->primitive);
            printf("PASS  %-18s", line->primitive);
        }
        printf(line->n == 1 || strstr(line->primitive, "beyond") ? " %s" : ".", line->type);
        return;
    }
    s->failed++;
    end_line(s, NULL);
    printf(
        "FAIL  %-18s %s, %llu items: ", line->primitive, line->type, (unsigned long long)line->n);
    if (line->status == DMM_WRONG_RESULT)
        printf("item %llu is wrong\n", (unsigned long long)line->position);
    else
        printf("%s\n", dmm_status_string(line->status));
}

/* Prints one line per primitive with the types that passed, and one line per failure. */
static int show(void *user, const dmm_selftest_line *line)
{
    summary *const s = user;
    s->shared->running[0] = '\0';
    if (!is_named(s, line->primitive))
        return 0;
    if (line->begins && s->until > 0.0 && seconds_now() > s->until) {
        s->is_cut = true;
        return 0;
    }
    if (line->begins) {
        snprintf(s->shared->running, sizeof s->shared->running, "%-18s %s, %llu items",
            line->primitive, line->type, (unsigned long long)line->n);
        return 1;
    }
    s->checked++;
    cli_progress_end();
    print_done(s, line);
    fflush(stdout);
    return 0;
}

static void report(const dmm_device *device, const summary *s, double seconds)
{
    printf("%s: %u of %u checks passed in %.1f s", s->failed == 0 ? "PASS" : "FAIL",
        s->checked - s->failed - s->unsupported, s->checked - s->unsupported, seconds);
    if (s->unsupported != 0)
        printf(", %u skipped", s->unsupported);
    printf(s->is_cut ? "; dmm selftest runs the others\n" : "\n");
    if (s->failed != 0)
        printf("Do not use dmm on %s with driver %s, and please report these lines.\n",
            device->name, device->driver);
}

static bool run(cli_session *session, summary *s, cli_error *error)
{
    if ((s->before && !s->before(error)) || !cli_open_session(session, error))
        return false;
    const dmm_device *const device = dmm_context_device(session->context);
    const double start = seconds_now();
    s->until = s->seconds > 0.0 ? start + s->seconds : 0.0;
    printf("%s (%s, %s), driver %s\n", device->name, dmm_device_kind_name(device->kind),
        device->platform_name, device->driver);
    fflush(stdout);
    const dmm_status status = s->checks(session->context, show, s);
    end_line(s, NULL);
    if (s->checked == 0)
        return cli_fail(error, CLI_MISTAKE, NULL,
            "no check's name begins like that: %s selftest prints the names of all",
            cli_global.program);
    report(device, s, seconds_now() - start);
    if (status == DMM_WRONG_RESULT)
        return cli_fail(error, CLI_CHECK_FAILED, NULL, "the device computes wrong results");
    return cli_check(session, status, NULL, error);
}

/* Reports a crash: a failed check, or just a failure. Returns the exit code. */
static int report_crash(void *user, long number)
{
    const state *const shared = user;
    cli_error error = {0};
    if (shared->line_open)
        printf("\n");
    if (shared->running[0] == '\0') {
        cli_fail(&error, CLI_DEVICE, NULL, "the driver crashed outside of the checks: " CLI_CRASH,
            number);
        return cli_finish(&error);
    }
    printf("FAIL  %s: the driver crashed: " CLI_CRASH "\n", shared->running, number);
    fflush(stdout);
    cli_fail(&error, CLI_CHECK_FAILED, NULL, "the device's driver crashed");
    return cli_finish(&error);
}

/* Runs the checks in a child process, which returns from here as the parent does. */
static void run_apart(cli_session *session, const summary *what, cli_error *error)
{
    state *const shared = cli_new_shared(sizeof *shared);
    if (!shared) {
        cli_fail_memory(error, NULL, sizeof *shared);
        return;
    }
    switch (cli_go_apart(report_crash, shared, &error->exit_code)) {
    case CLI_APART_HERE: {
        summary s = *what;
        s.shared = shared;
        run(session, &s, error);
        break;
    }
    case CLI_APART_ENDED: /* the child has printed its error */
        break;
    case CLI_APART_FAILED:
        cli_fail_errno(error, NULL, "cannot run the checks in a process of their own");
    }
    cli_free_shared(shared, sizeof *shared);
}

int cli_selftest_by(cli_checks *checks, const char *about, int argc, char **argv)
{
    cli_error error = {0};
    cli_session session = CLI_SESSION_INIT;
    char **names = NULL;
    int num_names = 0;
    bool is_quick = false;
    const cli_option options[] = {
        {0, "quick", CLI_FLAG, &is_quick, NULL, "the first checks, for ten seconds"},
    };
    const cli_syntax syntax = {.synopsis = "[--quick] [CHECK...]",
        .about = about,
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = INT_MAX};
    if (cli_parse(&syntax, argc, argv, &names, &num_names, &error)) {
        const summary s = {.checks = checks,
            .names = names,
            .num_names = num_names,
            .seconds = is_quick ? QUICK_SECONDS : 0.0};
        run_apart(&session, &s, &error);
    }
    cli_close_session(&session);
    return cli_finish(&error);
}

void cli_selftest_quick(bool (*before)(cli_error *error), cli_error *error)
{
    cli_session session = CLI_SESSION_INIT;
    const summary s = {.checks = dmm_context_selftest, .before = before, .seconds = QUICK_SECONDS};
    run_apart(&session, &s, error);
    cli_close_session(&session);
}

int dmm_cli_selftest(int argc, char **argv)
{
    return cli_selftest_by(dmm_context_selftest,
        "Runs every primitive on the device, over types and sizes from one item to three "
        "million,\n"
        "and a scan beyond 2 GiB if there is memory, and compares with the host. Prints PASS, or\n"
        "the primitives, types and sizes that fail or crash the driver. With CHECK only the\n"
        "checks whose names begin like that, for instance permute or 'sort, wide'.",
        argc, argv);
}
