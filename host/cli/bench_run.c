/* SPDX-License-Identifier: MIT */
/*
 * Finds the programs of bench/ and runs them: in $DMM_BENCH, or beside the command: in the build
 * folder's bench/, or in the installed libexec/dmm/.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "option.h"
#include "session.h"

#define PREFIX "bench_"

#ifndef DMM_BENCH_FOLDER
#define DMM_BENCH_FOLDER "../libexec/dmm" /* an installation's, from the command's folder */
#endif

enum { EXIT_NOT_RUN = 127, MAX_ARGUMENTS = 32, LINE_BYTES = 4096 };

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Lists the programs of one folder; only that of one word, if given. */
static void look(bench_programs *out, const char *folder, const char *word)
{
    const size_t most = sizeof out->words / sizeof out->words[0];
    DIR *list = opendir(folder);
    struct dirent *entry;
    out->count = 0;
    snprintf(out->folder, sizeof out->folder, "%s", folder);
    while (list && (entry = readdir(list)) && out->count < most) {
        const char *name = entry->d_name, *named = name + strlen(PREFIX);
        if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || strchr(name, '.') ||
            strlen(named) >= sizeof out->words[0])
            continue;
        if (!word || strcmp(word, named) == 0)
            strcpy(out->words[out->count++], named);
    }
    if (list)
        closedir(list);
    qsort(out->words, out->count, sizeof out->words[0], compare_words);
}

bool bench_find(bench_programs *out, const char *word, cli_error *error)
{
    static const char *const folders[] = {"bench", DMM_BENCH_FOLDER};
    const char *given = getenv("DMM_BENCH");
    char own[CLI_PATH_BYTES], folder[CLI_PATH_BYTES + 64];
    cli_own_folder(own);
    out->count = 0;
    if (given && *given)
        look(out, given, word);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && out->count == 0; i++) {
        snprintf(folder, sizeof folder, "%s/%s", own, folders[i]);
        look(out, folder, word);
    }
    if (out->count > 0)
        return true;
    return cli_fail(error, word ? CLI_MISTAKE : CLI_DEVICE, NULL,
        "no program bench_%.40s: they are built with dmm where there is a C++ compiler, and looked "
        "for in $DMM_BENCH, bench/ and " DMM_BENCH_FOLDER "/ beside the command",
        word ? word : "*");
}

/* In the child: does not return. */
static void become(const char *path, const char *const *arguments, bool untuned, int output)
{
    const char *words[MAX_ARGUMENTS + 1] = {path};
    for (size_t i = 0; arguments[i] && i + 1 < MAX_ARGUMENTS; i++)
        words[i + 1] = arguments[i];
    if (cli_global.device)
        setenv("DMM_DEVICE", cli_global.device, 1);
    if (untuned || cli_global.tuning)
        setenv("DMM_TUNING", untuned ? "" : cli_global.tuning, 1);
    if (dup2(output, STDOUT_FILENO) >= 0)
        execv(path, (char *const *)words);
    _exit(EXIT_NOT_RUN);
}

static bool read_rows(bench_rows *rows, FILE *output, bool again)
{
    char line[LINE_BYTES];
    bool taken = true;
    while (fgets(line, sizeof line, output)) {
        taken = taken && bench_take(rows, line, again);
        if (cli_global.verbose)
            fputs(line, stderr);
    }
    return taken;
}

static bool await(pid_t child, const char *path, cli_error *error)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return cli_fail_errno(error, path, "cannot wait for it");
    if (WIFSIGNALED(status))
        return cli_fail(error, CLI_DEVICE, path, "ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) == 0)
        return true;
    return cli_fail(error,
        WEXITSTATUS(status) <= CLI_CHECK_FAILED ? WEXITSTATUS(status) : CLI_DEVICE, path,
        WEXITSTATUS(status) == EXIT_NOT_RUN ? "cannot be run" : "failed: see above");
}

bool bench_run(bench_rows *rows, const bench_programs *programs, const char *word,
    const char *const *arguments, bool again, cli_error *error)
{
    char path[sizeof programs->folder + 64];
    int ends[2];
    snprintf(path, sizeof path, "%s/" PREFIX "%s", programs->folder, word);
    if (pipe(ends) != 0)
        return cli_fail_errno(error, path, "cannot open a pipe");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(path, arguments, again && strcmp(rows->again, BENCH_UNTUNED) == 0, ends[1]);
    }
    close(ends[1]);
    FILE *output = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (!output) {
        close(ends[0]);
        return cli_fail_errno(error, path, "cannot start a process");
    }
    const bool taken = read_rows(rows, output, again);
    fclose(output);
    return await(child, path, error) && (taken || cli_fail_memory(error, path, LINE_BYTES));
}
