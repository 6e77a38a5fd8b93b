/* SPDX-License-Identifier: MIT */
/* dmm-lab heap: fills a priority queue of the papers on the device, empties it, and counts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap/heap_library.h"
#include "lab/heap_levels.h"
#include "lab_commands.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "table/table.h"

typedef struct request {
    uint64_t n, bulk, seed;
    unsigned method; /* a dmm_levels_order, or LIBRARY */
    bool takes, quiet;
} request;

enum { LIBRARY = DMM_LEVELS_ABREAST + 1 };

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'n', "items", CLI_COUNT, &o->n, "N", "items (default: 4096)"},
        {0, "bulk", CLI_COUNT, &o->bulk, "D", "items of a call (default: 64)"},
        {0, "method", CLI_CHOICE, &o->method, "serial|abreast|library",
            "serial: a launch a resolve, as in Algorithm 1; abreast: a\n"
            "launch for all levels that may be resolved at once, as in\n"
            "theorem 20 (the default); library: dmm_heap"},
        {0, "take", CLI_FLAG, &o->takes, NULL, "take the D least items after each second update"},
        {'q', "quiet", CLI_FLAG, &o->quiet, NULL, "print nothing"},
        {0, "seed", CLI_COUNT, &o->seed, "S", "seed of the priorities (default: 1)"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...]",
        .about =
            "Inserts N keys with random priorities into the parallel bucket heap of K. Berney\n"
            "2023, chapter 3, on the device, and checks that they come out in their order.\n"
            "Prints how many levels were resolved, and in how many launches.",
        .examples = "dmm meter -- dmm-lab heap -n 1024 --take\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    if (!cli_parse_some(&syntax, argc, argv, NULL, 0, error))
        return false;
    if (o->bulk == 0 || o->bulk > 1 << 20)
        return cli_fail(error, CLI_MISTAKE, "--bulk", "goes from 1 to 2^20");
    if (o->n > 1 << 30)
        return cli_fail(error, CLI_MISTAKE, "--items", "goes to 2^30");
    return true;
}

typedef struct work {
    cli_session session;
    dmm_levels_heap *heap; /* NULL: library */
    heap_library library;
    uint64_t *priorities; /* of the keys: 0 .. n - 1 in a random order */
    uint64_t *entries;    /* of a call */
    bool *there;          /* by priority */
    uint64_t least, left; /* no priority less than `least` is there; entries that are */
} work;

static bool insert(work *w, uint64_t first, uint64_t n, cli_error *error)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t priority = w->priorities[first + i];
        w->entries[i] = DMM_LEVELS_ENTRY(first + i, priority);
        w->there[priority] = true;
        w->least = priority < w->least ? priority : w->least;
    }
    w->left += n;
    return cli_check(&w->session,
        w->heap ? dmm_levels_update(w->heap, w->entries, n)
                : heap_library_update(&w->library, w->entries, n),
        NULL, error);
}

/* Takes items, and compares their priorities with the least that are there. */
static bool take(work *w, const request *o, cli_error *error)
{
    uint64_t n = o->bulk;
    const dmm_status status = w->heap ? dmm_levels_take(w->heap, w->entries, &n)
                                      : heap_library_take(&w->library, w->entries, &n);
    if (!cli_check(&w->session, status, NULL, error))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t priority = w->entries[i] & UINT32_MAX;
        if (priority >= o->n || !w->there[priority])
            return cli_fail(error, CLI_CHECK_FAILED, "heap", "an item comes out that is not there");
        w->there[priority] = false;
    }
    w->left -= n;
    while (w->least < o->n && !w->there[w->least])
        w->least++;
    for (uint64_t i = 0; i < n; i++)
        if ((w->entries[i] & UINT32_MAX) > w->least)
            return cli_fail(error, CLI_CHECK_FAILED, "heap", "an item comes out too early");
    return (n > 0 || w->left == 0) || cli_fail(error, CLI_CHECK_FAILED, "heap", "an item is lost");
}

static bool run(work *w, const request *o, cli_error *error)
{
    uint64_t updates = 0;
    for (uint64_t first = 0; first < o->n; first += o->bulk) {
        const uint64_t n = o->n - first < o->bulk ? o->n - first : o->bulk;
        if (!insert(w, first, n, error) || (o->takes && ++updates % 2 == 0 && !take(w, o, error)))
            return false;
    }
    while (w->left > 0)
        if (!take(w, o, error))
            return false;
    return true;
}

static bool start(work *w, const request *o, cli_error *error)
{
    w->priorities = malloc((size_t)(o->n + 1) * sizeof *w->priorities);
    w->entries = malloc((size_t)o->bulk * sizeof *w->entries);
    w->there = calloc((size_t)(o->n + 1), sizeof *w->there);
    if (!w->priorities || !w->entries || !w->there)
        return cli_fail_memory(error, NULL, 9 * o->n + 8 * o->bulk);
    table_permutation(w->priorities, o->n, o->seed);
    if (!cli_open_session(&w->session, error))
        return false;
    dmm_context *const ctx = w->session.context;
    return cli_check(&w->session,
        o->method == LIBRARY
            ? heap_library_create(&w->library, ctx, o->bulk, o->n)
            : dmm_levels_create(&w->heap, ctx, o->bulk, o->n, (dmm_levels_order)o->method),
        NULL, error);
}

static bool print(work *w, const request *o, cli_error *error)
{
    dmm_levels_counts c;
    printf("%" PRIu64 " items in order", o->n);
    if (!w->heap) {
        printf("\n");
        return true;
    }
    if (!cli_check(&w->session, dmm_levels_count(&c, w->heap), NULL, error))
        return false;
    printf(": %" PRIu64 " calls, %" PRIu64 " resolves in %" PRIu64 " launches of up to %" PRIu64
           " levels\n",
        c.calls, c.resolves, c.rounds, c.widest);
    return true;
}

int dmm_cli_lab_heap(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.n = 4096, .bulk = 64, .seed = 1, .method = DMM_LEVELS_ABREAST};
    work w = {.session = CLI_SESSION_INIT, .least = UINT64_MAX};
    if (parse(&o, argc, argv, &error) && start(&w, &o, &error) && run(&w, &o, &error) && !o.quiet)
        print(&w, &o, &error);
    dmm_levels_free(w.heap);
    heap_library_free(&w.library);
    cli_close_session(&w.session);
    free(w.there);
    free(w.entries);
    free(w.priorities);
    return cli_finish(&error);
}
