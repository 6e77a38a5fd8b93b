/* SPDX-License-Identifier: MIT */
/* Runs a part of `dmm tune` in its own process, which a driver may crash or hang. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "option.h"
#include "tune.h"

enum { MAX_WORDS = 32 };

uint64_t tune_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *tune_outcome_name(tune_outcome outcome)
{
    static const char *const names[] = {
        "ok", "refused", "wrong", "crashed", "hung", "not tried", "no process"};
    return names[outcome];
}

/* In the child: becomes `dmm`, whose standard output is the pipe, and which SIGALRM ends when its
 * time is over. */
static void become(
    const char *tuning, const char *const *operands, unsigned seconds, const int ends[2])
{
    const char *words[MAX_WORDS] = {"dmm", "--tuning", tuning};
    const struct rlimit no_core = {0, 0};
    size_t count = 3;
    const struct {
        const char *name, *value;
    } globals[] = {
        {"--device", cli_global.device}, {"--set", cli_global.set}, {"--cache", cli_global.cache}};
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
        if (globals[i].value != NULL) {
            words[count++] = globals[i].name;
            words[count++] = globals[i].value;
        }
    words[count++] = "tune";
    for (; *operands != NULL && count < MAX_WORDS - 1; operands++)
        words[count++] = *operands;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (!cli_global.verbose && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGALRM, SIG_DFL);
    alarm(seconds); /* execv keeps it */
    execv("/proc/self/exe", (char *const *)words);
    _exit(127);
}

/* Reads until the child closes its end. Keeps the beginning. */
static void read_all(int from, tune_output *out)
{
    char part[1024];
    ssize_t got = 0;
    out->bytes = 0;
    while ((got = read(from, part, sizeof part)) > 0 || (got < 0 && errno == EINTR)) {
        const size_t space = sizeof out->text - 1 - out->bytes, some = got > 0 ? (size_t)got : 0;
        memcpy(out->text + out->bytes, part, some < space ? some : space);
        out->bytes += some < space ? some : space;
    }
    out->text[out->bytes] = '\0';
}

static tune_outcome outcome_of(int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return TUNE_HUNG;
    if (!WIFEXITED(status))
        return TUNE_CRASHED;
    switch (WEXITSTATUS(status)) {
    case CLI_OK:
        return TUNE_OK;
    case CLI_CHECK_FAILED:
        return TUNE_WRONG;
    case 127:
        return TUNE_NO_CHILD;
    default:
        return TUNE_MISFIT;
    }
}

tune_outcome tune_child(
    const char *tuning, const char *const *operands, unsigned seconds, tune_output *out)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return TUNE_NO_CHILD;
    const pid_t child = fork();
    if (child == 0)
        become(tuning, operands, seconds, ends);
    close(ends[1]);
    read_all(ends[0], out);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 ? outcome_of(status) : TUNE_NO_CHILD;
}
