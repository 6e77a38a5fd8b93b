/* SPDX-License-Identifier: MIT */
/* Temporary files beside a target. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beside.h"
#include "leftover.h"
#include "system/system.h"

enum { MOST_NAMES = 100 };

/* Returns FOLDER/.NAME.WHAT-NUMBER; NULL: out of memory. */
static char *name_of(const char *target, const char *what, long number)
{
    const char *const slash = cli_last_slash(target), *const base = slash ? slash + 1 : target;
    const size_t bytes = strlen(target) + 64;
    char *const name = malloc(bytes);
    if (name)
        snprintf(
            name, bytes, "%.*s.%.200s.%s-%ld", (int)(base - target), target, base, what, number);
    return name;
}

/* Creates and locks a file, unless another process takes it for a leftover meanwhile: EEXIST. */
static bool create(const char *path, int *fd, int *lock, int slot)
{
    *fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (*fd < 0)
        return false;
    cli_leftover_own(slot, *fd);
    *lock = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
    if (*lock >= 0) {
        cli_leftover_own(slot, *lock);
        if ((flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
            cli_is_file_of(path, *fd))
            return true;
        errno = EEXIST;
    }
    const int reason = errno;
    close(*fd);
    if (*lock >= 0)
        close(*lock);
    else
        unlink(path);
    *fd = *lock = -1;
    errno = reason;
    return false;
}

/* Removes what killed processes have left under the names that this one did not take. */
static void remove_others(const char *target, int own)
{
    for (int number = 0; number < MOST_NAMES; number++) {
        char *const path = number == own ? NULL : name_of(target, "dmm", number);
        if (path)
            cli_remove_left(path);
        free(path);
    }
}

static char *create_beside(const char *target, int *number, int *fd, int *lock, int *slot)
{
    for (int try = 0; try < MOST_NAMES; try++) {
        char *const path = name_of(target, "dmm", try);
        if (!path)
            return NULL;
        *slot = cli_leftover_add_shared(path);
        *number = try;
        if (create(path, fd, lock, *slot))
            return path;
        if (errno == EEXIST) {
            cli_remove_left(path);
            if (create(path, fd, lock, *slot))
                return path;
        }
        const int reason = errno;
        cli_leftover_drop(*slot);
        *slot = -1;
        free(path);
        errno = reason;
        if (reason != EEXIST)
            return NULL;
    }
    return NULL;
}

char *cli_create_beside(const char *target, int *fd, int *lock, int *slot)
{
    int number = 0;
    char *const path = create_beside(target, &number, fd, lock, slot);
    if (path)
        remove_others(target, number);
    return path;
}

/* Renames a file to a name that is free, also where the file system has no hard links. */
static bool move(const char *path, const char *name)
{
    struct stat info;
    if (link(path, name) == 0)
        return unlink(path) == 0;
    if (lstat(name, &info) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(path, name) == 0;
}

char *cli_keep_beside(const char *target, const char *path)
{
    for (long try = 0; try < MOST_NAMES; try++) {
        char *const name = name_of(target, "whole", (long)getpid() + try);
        if (!name || move(path, name))
            return name;
        const int reason = errno;
        free(name);
        errno = reason;
        if (reason != EEXIST)
            break;
    }
    return NULL;
}
