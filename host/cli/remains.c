/* SPDX-License-Identifier: MIT */
/* Files that killed calls have left. */
#define _XOPEN_SOURCE 700 /* scandir, strdup */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "large/job.h"
#include "leftover.h"
#include "remains.h"

typedef enum remains_kind { NONE, OUTPUT, JOB, WHOLE } remains_kind;
static const char *const words[] = {"", "output", "job", "whole"};

/* True if `text` begins with a decimal number and ends there. */
static bool is_number(const char *text)
{
    return text[0] && text[strspn(text, "0123456789")] == '\0';
}

static remains_kind kind_of(const char *name)
{
    const char *const end = strrchr(name, '.');
    if (name[0] != '.')
        return NONE;
    if (cli_is_job_name(name))
        return JOB;
    if (end == name)
        return NONE;
    if (strncmp(end, ".dmm-", 5) == 0 && is_number(end + 5))
        return OUTPUT;
    return strncmp(end, ".whole-", 7) == 0 && is_number(end + 7) ? WHOLE : NONE;
}

/* Lists or removes a file; true unless it is one and cannot be removed. */
static bool handle(const char *path, remains_kind kind, bool removes)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        (kind == WHOLE && removes))
        return true;
    /* The state of a job is locked by the lock of its scratch file. */
    char *const locked = kind == JOB ? cli_job_scratch(path) : strdup(path);
    const int fd = locked ? cli_lock_left(locked) : -1;
    const bool is_alone = kind == JOB && locked && lstat(locked, &info) != 0 && errno == ENOENT;
    const bool is_left = fd >= 0 || is_alone || kind == WHOLE;
    bool ok = true;
    if (is_left && removes)
        ok = unlink(path) == 0 || errno == ENOENT;
    else if (is_left && lstat(path, &info) == 0)
        printf("%-6s  %12" PRIu64 "  %s\n", words[kind], (uint64_t)info.st_size, path);
    if (fd >= 0)
        close(fd);
    free(locked);
    return ok;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_ours(const struct dirent *entry)
{
    return kind_of(entry->d_name) != NONE;
}

/* Goes through the files from the last name on, so that a state is removed before its scratch file,
 * whose lock it needs; lists them from the first one on. */
static bool handle_all(const char *folder, bool removes, cli_error *error)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, is_ours, compare);
    bool ok = count >= 0 || cli_fail_errno(error, folder, "this folder cannot be read");
    for (int i = 0; i < count; i++) {
        const char *const name = entries[removes ? count - 1 - i : i]->d_name;
        const size_t bytes = strlen(folder) + strlen(name) + 2;
        char *const path = malloc(bytes);
        if (path)
            snprintf(path, bytes, "%s/%s", folder, name);
        if (ok && !path)
            ok = cli_fail_memory(error, folder, bytes);
        else if (ok && !handle(path, kind_of(name), removes))
            ok = cli_fail_errno(error, path, "cannot be removed");
        free(path);
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return ok;
}

bool cli_list_remains(const char *folder, cli_error *error)
{
    return handle_all(folder, false, error);
}

bool cli_remove_remains(const char *folder, cli_error *error)
{
    return handle_all(folder, true, error);
}
