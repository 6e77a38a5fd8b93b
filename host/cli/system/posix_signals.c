/* SPDX-License-Identifier: MIT */
/* POSIX: signals that end the process. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "system.h"

/* Set before the handlers are. */
static void (*clean)(void);

static void clean_and_end(int signal_number)
{
    clean();
    /* SA_RESETHAND has restored the default action, which ends the process as the sender
     * expects. */
    raise(signal_number);
}

static bool is_default(int signal_number)
{
    struct sigaction old;
    return sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_DFL;
}

/*
 * Signals that one thread waits for. LLVM, in drivers, installs handlers for SIGQUIT, SIGXCPU and
 * SIGABRT that do not end the process, so these are blocked in every thread. abort() unblocks its
 * own: it runs the handler as before.
 */
static sigset_t awaited;

/* Posted when the thread has started. */
static sem_t started;

static void *wait_and_end(void *unused)
{
    int signal_number = SIGQUIT;
    (void)unused;
    sem_post(&started);
    sigwait(&awaited, &signal_number);
    clean();
    signal(signal_number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
    raise(signal_number);
    return NULL;
}

/* Unblocks in a child process, which inherits the blocked signals. */
static void unblock_in_child(void)
{
    pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
}

/*
 * Starts the thread that waits, and returns once it does: a child process that is forked while a
 * thread starts can inherit a locked allocator (seen with AddressSanitizer) and wait for ever.
 */
static void await_signals(void)
{
    static const int signals[] = {SIGQUIT, SIGXCPU, SIGABRT};
    pthread_t thread;
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (is_default(signals[i]))
            sigaddset(&awaited, signals[i]);
    pthread_sigmask(SIG_BLOCK, &awaited, NULL);
    if (sem_init(&started, 0, 0) != 0 || pthread_atfork(NULL, NULL, unblock_in_child) != 0 ||
        pthread_create(&thread, NULL, wait_and_end, NULL) != 0) {
        pthread_sigmask(SIG_UNBLOCK, &awaited, NULL);
        return;
    }
    pthread_detach(thread);
    while (sem_wait(&started) != 0)
        ; /* EINTR */
}

void cli_system_watch(void (*clean_files)(void))
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGVTALRM, SIGPROF,
        SIGUSR1, SIGUSR2, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = clean_and_end};
    clean = clean_files;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the user's limit becomes an error of write() */
    await_signals();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (is_default(signals[i]))
            sigaction(signals[i], &action, NULL);
}
