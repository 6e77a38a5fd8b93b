/* SPDX-License-Identifier: MIT */
/* Draws the progress bar. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "option.h"
#include "progress.h"

enum { BAR_COLUMNS = 40, FIRST_MS = 500, NEXT_MS = 100, LONG_SECONDS = 5 };

static struct {
    atomic_ullong done;
    /* Lock for the remaining fields. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool running;
    bool ending;
    bool drawn;
    const char *label;
    const char *unit; /* unit of the rate; "": not known */
    unsigned long long total;
    unsigned long long call_at, call_units; /* what the library's next call is of the total */
    bool is_call;     /* a call of the library, which copies results back at the end */
    bool is_prepared; /* no call of the library has to begin first */
    struct timespec started;
} bar = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* Draws the bar with columns `from` to `to` lit. */
static void draw_bar(const char *label, int from, int to)
{
    char columns[BAR_COLUMNS + 1];
    memset(columns, ' ', BAR_COLUMNS);
    columns[BAR_COLUMNS] = '\0';
    for (int i = from; i < to; i++)
        columns[i] = '=';
    fprintf(stderr, "\r%-9s [%s]", label, columns);
}

static void draw(void)
{
    double seconds = seconds_since(&bar.started);
    unsigned long long done = atomic_load(&bar.done);
    const bool copies = bar.is_call && bar.total > 0 && done >= bar.total;
    if (bar.total > 0 && bar.is_prepared && !copies) {
        double part = done < bar.total ? (double)done / (double)bar.total : 1.0;
        draw_bar(bar.label, 0, (int)(part * BAR_COLUMNS));
        fprintf(stderr, " %3d %%  %.1f s", (int)(part * 100.0), seconds);
        if (bar.unit[0] != '\0' && done > 0)
            fprintf(stderr, ", %.0f %s/s", 1e-6 * (double)done / seconds, bar.unit);
        if (part > 0.02 && seconds > LONG_SECONDS)
            fprintf(stderr, ", %.0f s left", seconds / part - seconds);
        fprintf(stderr, "    ");
    } else {
        /* Unknown total: a short piece moves back and forth. */
        int at = (int)(seconds * 20.0) % (BAR_COLUMNS - 3);
        draw_bar(copies ? "copying" : bar.is_prepared ? bar.label : "preparing", at, at + 4);
        fprintf(stderr, "  %.1f s ", seconds);
    }
    fflush(stderr);
    bar.drawn = true;
}

static void erase(void)
{
    if (bar.drawn)
        fprintf(stderr, "\r%*s\r", BAR_COLUMNS + 45, "");
    fflush(stderr);
    bar.drawn = false;
}

static struct timespec later(int ms)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += ms * 1000000L;
    at.tv_sec += at.tv_nsec / 1000000000L;
    at.tv_nsec %= 1000000000L;
    return at;
}

static void *draw_until_end(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&bar.lock);
    while (!bar.ending) {
        struct timespec at = later(NEXT_MS);
        pthread_cond_timedwait(&bar.changed, &bar.lock, &at);
        if (!bar.ending && seconds_since(&bar.started) * 1000.0 >= FIRST_MS)
            draw();
    }
    erase();
    pthread_mutex_unlock(&bar.lock);
    return NULL;
}

static bool is_wanted(void)
{
    const char *terminal = getenv("TERM");
    return !cli_global.verbose && isatty(STDERR_FILENO) && terminal &&
           strcmp(terminal, "dumb") != 0;
}

static void start(const char *label, uint64_t total, const char *unit, bool is_prepared)
{
    if (!bar.running && !is_wanted())
        return;
    pthread_mutex_lock(&bar.lock);
    erase();
    bar.label = label;
    bar.total = total;
    bar.unit = unit;
    bar.call_at = 0;
    bar.call_units = total;
    bar.is_prepared = is_prepared;
    bar.is_call = !is_prepared;
    atomic_store(&bar.done, 0);
    clock_gettime(CLOCK_MONOTONIC, &bar.started);
    bar.ending = false;
    if (!bar.running)
        bar.running = pthread_create(&bar.thread, NULL, draw_until_end, NULL) == 0;
    pthread_mutex_unlock(&bar.lock);
}

void cli_progress_start(const char *label, uint64_t total)
{
    start(label, total, "", true);
}

void cli_progress_bytes(const char *label, uint64_t total)
{
    start(label, total, "MB", true);
}

void cli_progress_items(const char *label, uint64_t total)
{
    start(label, total, "M", true);
}

void cli_progress_call(const char *label, uint64_t items)
{
    start(label, items, "M", false);
}

void cli_progress_share(uint64_t at, uint64_t items)
{
    pthread_mutex_lock(&bar.lock);
    bar.call_at = at;
    bar.call_units = items;
    pthread_mutex_unlock(&bar.lock);
}

void cli_progress_part(void *unused, uint64_t done, uint64_t total)
{
    (void)unused;
    pthread_mutex_lock(&bar.lock);
    if (!bar.is_prepared) {
        clock_gettime(CLOCK_MONOTONIC, &bar.started);
        bar.is_prepared = true;
    }
    if (total == 0)
        bar.total = 0;
    else
        cli_progress_step(
            bar.call_at + (uint64_t)((double)bar.call_units * (double)done / (double)total));
    pthread_mutex_unlock(&bar.lock);
}

bool cli_progress_shows(void)
{
    return bar.running || is_wanted();
}

void cli_progress_step(uint64_t done)
{
    atomic_store_explicit(&bar.done, done, memory_order_relaxed);
}

void cli_progress_end(void)
{
    if (!bar.running)
        return;
    pthread_mutex_lock(&bar.lock);
    bar.ending = true;
    pthread_cond_signal(&bar.changed);
    pthread_mutex_unlock(&bar.lock);
    pthread_join(bar.thread, NULL);
    bar.running = false;
}
