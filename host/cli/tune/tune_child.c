/* SPDX-License-Identifier: MIT */
/* Runs a part of `dmm tune` in its own process, which a driver may crash or hang. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/* In the child: becomes `dmm`, whose standard output is the pipe. */
static void become(const char *tuning, const char *const *operands, int pipe_end)
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
    dup2(pipe_end, STDOUT_FILENO);
    setrlimit(RLIMIT_CORE, &no_core);
    execv("/proc/self/exe", (char *const *)words);
    _exit(127);
}

/* Reads until the child closes its end, or the time is over. */
static bool read_all(int from, unsigned seconds, tune_output *out)
{
    const uint64_t end = tune_now_ns() + seconds * (uint64_t)1000000000u;
    out->bytes = 0;
    for (;;) {
        const uint64_t now = tune_now_ns();
        struct pollfd ready = {.fd = from, .events = POLLIN};
        char spare[256];
        if (now >= end)
            return false;
        const int found = poll(&ready, 1, (int)((end - now) / 1000000u) + 1);
        if (found < 0 && errno != EINTR)
            return false;
        if (found <= 0)
            continue;
        const size_t space = sizeof out->text - 1 - out->bytes;
        const ssize_t got = read(
            from, space != 0 ? out->text + out->bytes : spare, space != 0 ? space : sizeof spare);
        if (got <= 0)
            break;
        out->bytes += space != 0 ? (size_t)got : 0;
    }
    out->text[out->bytes] = '\0';
    return true;
}

static tune_outcome outcome_of(int status)
{
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
        become(tuning, operands, ends[1]);
    close(ends[1]);
    const bool in_time = child > 0 && read_all(ends[0], seconds, out);
    close(ends[0]);
    if (child < 0)
        return TUNE_NO_CHILD;
    if (!in_time)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return in_time ? outcome_of(status) : TUNE_HUNG;
}
