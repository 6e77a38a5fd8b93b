/* SPDX-License-Identifier: MIT */
/* Removes unfinished files when a signal ends the process. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "leftover.h"

enum { SLOTS = 4 };

/* Lock-free atomics: the handler may run on any thread at any time. */
static _Atomic(const char *) leftovers[SLOTS];

static void remove_and_end(int signal_number)
{
    for (int i = 0; i < SLOTS; i++) {
        const char *path = atomic_load(&leftovers[i]);
        if (path)
            unlink(path);
    }
    /* SA_RESETHAND has restored the default, which ends us as the signal's sender expects. */
    raise(signal_number);
}

void cli_leftover_watch(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the user's limit is an error of write() instead */
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction old, action = {.sa_handler = remove_and_end};
        action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
        sigemptyset(&action.sa_mask);
        /* What the caller has switched off (nohup) stays off. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

int cli_leftover_add(const char *path)
{
    for (int i = 0; i < SLOTS; i++) {
        const char *empty = NULL;
        if (atomic_compare_exchange_strong(&leftovers[i], &empty, path))
            return i;
    }
    assert(0 && "as many outputs as slots");
    return -1;
}

void cli_leftover_drop(int slot)
{
    if (slot >= 0)
        atomic_store(&leftovers[slot], NULL);
}
