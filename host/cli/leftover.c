/* SPDX-License-Identifier: MIT */
/* Removes unfinished files when a signal ends the process. */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "beside.h"
#include "leftover.h"
#include "system/system.h"

enum { SLOTS = 4 };

/* Lock-free atomics: the handler may run on any thread at any time. */
static _Atomic(const char *) leftovers[SLOTS];
/* What must hold for a file to be removed: a descriptor of it; or one of these. */
enum { ALWAYS = -1, UNLOCKED = -2 };
static atomic_int owners[SLOTS];

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
