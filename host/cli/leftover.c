/* SPDX-License-Identifier: MIT */
/* Files of processes that are gone, and of this one when a signal ends it. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* flock */
#include <assert.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "leftover.h"
#include "system/system.h"

enum { SLOTS = 4 };

/* Lock-free atomics: the handler may run on any thread at any time. */
static _Atomic(const char *) leftovers[SLOTS];
/* What must hold for a file to be removed: a descriptor of it; or one of these. */
enum { ALWAYS = -1, UNLOCKED = -2 };
static atomic_int owners[SLOTS];

bool cli_is_file_of(const char *path, int fd)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* Who has the lock of the file with this name is the only one to remove or rename it. A file system
 * without locks has no leftovers that can be told from files in use. */
int cli_lock_left(const char *path)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        cli_is_file_of(path, fd))
        return fd;
    close(fd);
    return -1;
}

void cli_remove_left(const char *path)
{
    const int fd = cli_lock_left(path);
    if (fd < 0)
        return;
    unlink(path);
    close(fd);
}

static void remove_all(void)
{
    for (int i = 0; i < SLOTS; i++) {
        const char *const path = atomic_load(&leftovers[i]);
        const int owner = atomic_load(&owners[i]);
        if (path && owner == UNLOCKED)
            cli_remove_left(path);
        else if (path && (owner == ALWAYS || cli_is_file_of(path, owner)))
            unlink(path);
    }
}

void cli_leftover_watch(void)
{
    cli_system_watch(remove_all);
}

static int add(const char *path, int owner)
{
    for (int i = 0; i < SLOTS; i++) {
        const char *empty = NULL;
        if (atomic_load(&leftovers[i]))
            continue;
        atomic_store(&owners[i], owner);
        if (atomic_compare_exchange_strong(&leftovers[i], &empty, path))
            return i;
    }
    assert(0 && "as many outputs as slots");
    return -1;
}

int cli_leftover_add(const char *path)
{
    return add(path, ALWAYS);
}

int cli_leftover_add_shared(const char *path)
{
    return add(path, UNLOCKED);
}

void cli_leftover_own(int slot, int fd)
{
    if (slot >= 0)
        atomic_store(&owners[slot], fd);
}

void cli_leftover_drop(int slot)
{
    if (slot >= 0)
        atomic_store(&leftovers[slot], NULL);
}
