/* SPDX-License-Identifier: MIT */
/* POSIX: child processes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "system.h"

enum { MAX_WORDS = 32, NOT_STARTED = 127 };

static bool await(pid_t child, int *status)
{
    pid_t ended;
    while ((ended = waitpid(child, status, 0)) < 0 && errno == EINTR)
        ;
    return ended == child;
}

cli_apart cli_go_apart(int (*crashed)(void *user, long number), void *user, int *exit_code)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* it must not run on alone */
#endif
        return CLI_APART_HERE;
    }
    if (child < 0 || !await(child, &status))
        return CLI_APART_FAILED;
    *exit_code = WIFSIGNALED(status) ? crashed(user, WTERMSIG(status)) : WEXITSTATUS(status);
    return CLI_APART_ENDED;
}

/* In the child: becomes this program, whose standard output is the pipe, and which SIGALRM ends
 * when its time is over. */
static void become(const cli_self *self, const int ends[2])
{
    const char *words[MAX_WORDS] = {"dmm"};
    const struct rlimit no_core = {0, 0};
    for (int i = 0; self->words[i] != NULL && i < MAX_WORDS - 2; i++)
        words[i + 1] = self->words[i];
    const int nowhere = open("/dev/null", O_WRONLY);
    if (self->is_quiet && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGALRM, SIG_DFL);
    alarm(self->seconds); /* execv keeps it */
    execv("/proc/self/exe", (char *const *)words);
    _exit(NOT_STARTED);
}

/* Reads until the child closes its end. Keeps the beginning. */
static void read_all(int from, const cli_self *self, size_t *bytes)
{
    char part[1024];
    ssize_t got = 0;
    *bytes = 0;
    while ((got = read(from, part, sizeof part)) > 0 || (got < 0 && errno == EINTR)) {
        const size_t space = self->capacity - 1 - *bytes, some = got > 0 ? (size_t)got : 0;
        memcpy(self->text + *bytes, part, some < space ? some : space);
        *bytes += some < space ? some : space;
    }
    self->text[*bytes] = '\0';
}

cli_run_end cli_run_self(const cli_self *self, size_t *bytes, int *exit_code)
{
    int ends[2], status = 0;
    *bytes = 0;
    if (pipe(ends) != 0)
        return CLI_RUN_NONE;
    const pid_t child = fork();
    if (child == 0)
        become(self, ends);
    close(ends[1]);
    read_all(ends[0], self, bytes);
    close(ends[0]);
    if (child < 0 || !await(child, &status))
        return CLI_RUN_NONE;
    if (!WIFEXITED(status))
        return WTERMSIG(status) == SIGALRM ? CLI_RUN_HUNG : CLI_RUN_CRASHED;
    *exit_code = WEXITSTATUS(status);
    return *exit_code == NOT_STARTED ? CLI_RUN_NONE : CLI_RUN_EXITED;
}
