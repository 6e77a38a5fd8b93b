/* SPDX-License-Identifier: MIT */
/* dmm selftest: can this device and driver be trusted? What a user runs first on a new one. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <dmm/selftest.h>

#include "commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"

/* The primitive whose line is being written, and what was found. */
typedef struct summary {
    const char *primitive; /* NULL: no line is open */
    unsigned checks, failed, unsupported;
} summary;

static void end_line(summary *s, const char *next)
{
    if (s->primitive != NULL)
        printf("\n");
    s->primitive = next;
}

/* A line a primitive names the types that passed; each failure has a line of its own. */
static void show(void *user, const dmm_selftest_line *line)
{
    summary *const s = user;
    const char *const what = dmm_status_string(line->status);
    s->checks++;
    cli_progress_end();
    if (line->status == DMM_UNSUPPORTED) {
        s->unsupported++;
    } else if (line->status != DMM_OK) {
        s->failed++;
        end_line(s, NULL);
        printf("FAIL  %-15s %s, %llu items: ", line->primitive, line->type,
            (unsigned long long)line->n);
        if (line->status == DMM_WRONG_RESULT)
            printf("item %llu is wrong\n", (unsigned long long)line->position);
        else
            printf("%s\n", what);
    } else {
        if (s->primitive != line->primitive) {
            end_line(s, line->primitive);
            printf("PASS  %-15s", line->primitive);
        }
        printf(line->n == 1 ? " %s" : ".", line->type);
    }
    fflush(stdout);
}

static void report(const dmm_device *device, const summary *s, double seconds)
{
    printf("%s: %u of %u checks passed in %.1f s", s->failed == 0 ? "PASS" : "FAIL",
        s->checks - s->failed - s->unsupported, s->checks, seconds);
    if (s->unsupported != 0)
        printf(", %u need what the device lacks", s->unsupported);
    printf("\n");
    if (s->failed != 0)
        printf("Do not trust dmm on %s with driver %s: please report these lines.\n", device->name,
            device->driver);
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool run(cli_session *session, cli_error *error)
{
    summary s = {NULL, 0, 0, 0};
    if (!cli_open_session(session, error))
        return false;
    const dmm_device *const device = dmm_context_device(session->context);
    const double start = seconds_now();
    printf("%s (%s, %s), driver %s\n", device->name, dmm_device_kind_name(device->kind),
        device->platform_name, device->driver);
    const dmm_status status = dmm_context_selftest(session->context, show, &s);
    end_line(&s, NULL);
    report(device, &s, seconds_now() - start);
    if (status == DMM_WRONG_RESULT)
        return cli_fail(error, CLI_CHECK_FAILED, NULL, "the device computes wrong results");
    return cli_check(session, status, NULL, error);
}

int dmm_cli_selftest(int argc, char **argv)
{
    cli_error error = {0};
    cli_session session = CLI_SESSION_INIT;
    char **operands = NULL;
    int num_operands = 0;
    const cli_syntax syntax = {.synopsis = "",
        .about =
            "Runs every primitive on the device, over types and odd sizes, and compares with the\n"
            "host: PASS, or which primitive, type and size fail."};
    if (cli_parse(&syntax, argc, argv, &operands, &num_operands, &error))
        run(&session, &error);
    cli_close_session(&session);
    return cli_finish(&error);
}
