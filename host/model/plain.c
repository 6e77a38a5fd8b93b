/* SPDX-License-Identifier: MIT */
/*
 * The pairwise merge sort with plain searches and reads, as published code has it (Green, McColl
 * and Bader 2012; Berney 2023, section 4.1.1), run on the DMM: every warp goes in lock-step and
 * every step is handed to the counters.
 *
 * A thread's window is what its tile holds of its merge: within a tile the two lists of the merge
 * where they lie, across tiles the tile's share of either list, A from word 0 and B behind it.
 */
#include <dmm-model/plain_sort.h>

#include "model/shape.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One round; in_out: lists of merge_threads/2 threads' items become lists of merge_threads threads'
 * items. */
typedef struct plain_round {
    const dmm_model_merge_shape *shape;
    const uint64_t *in;
    uint64_t *out;
    uint64_t threads; /* work-items of all merges; a multiple of u */
    uint64_t merge_threads;
    dmm_model_plain_round *counts;
} plain_round;

/* A thread's view of its merge in local memory; it merges items diagonal..diagonal+E-1. */
typedef struct window {
    const uint64_t *a, *b;
    uint64_t a_items, b_items;
    uint64_t a_word, b_word;
    uint64_t diagonal;
    uint64_t low, high; /* low <= the items of A before the diagonal <= high */
} window;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- Windows ------------------------------------------------------------------------------- */

static void set_diagonal(window *v, uint64_t diagonal)
{
    v->diagonal = diagonal;
    v->low = diagonal > v->b_items ? diagonal - v->b_items : 0;
    v->high = smaller(diagonal, v->a_items);
}

/* Executes one probe of the search on the merge path, at the middle of low..high, low < high. */
static void probe(window *v)
{
    const uint64_t middle = (v->low + v->high) / 2;
    if (v->a[middle] <= v->b[v->diagonal - 1 - middle])
        v->low = middle + 1;
    else
        v->high = middle;
}

/* Returns how many of the first `diagonal` merged items come from A. */
static uint64_t split(window v, uint64_t diagonal)
{
    set_diagonal(&v, diagonal);
    while (v.low < v.high)
        probe(&v);
    return v.low;
}

/* Returns a merge restricted to the items from..to-1 of its result. */
static window narrowed(window v, uint64_t from, uint64_t to)
{
    const uint64_t a_from = split(v, from), a_to = split(v, to);
    v.a += a_from;
    v.b += from - a_from;
    v.a_items = a_to - a_from;
    v.b_items = to - from - v.a_items;
    return v;
}

static window window_of(const plain_round *r, uint64_t thread)
{
    const uint64_t E = r->shape->E, u = r->shape->u;
    const uint64_t first = thread - thread % r->merge_threads;
    const uint64_t middle = smaller(first + r->merge_threads / 2, r->threads);
    const uint64_t last = smaller(first + r->merge_threads, r->threads);
    const uint64_t tile = thread - thread % u;
    window v = {.a = r->in + first * E, .a_items = (middle - first) * E};
    v.b = r->in + middle * E;
    v.b_items = (last - middle) * E;
    uint64_t begin = first;
    if (r->merge_threads > u) {
        begin = tile;
        v = narrowed(v, (tile - first) * E, (tile - first + u) * E);
    }
    v.a_word = (begin - tile) * E;
    v.b_word = v.a_word + v.a_items;
    set_diagonal(&v, (thread - begin) * E);
    return v;
}

/* ---- Lock-steps ---------------------------------------------------------------------------- */

/* The accesses of one step, collected lane by lane. */
typedef struct lock_step {
    uint32_t count;
    dmm_model_access accesses[DMM_MODEL_LANES_MAX];
} lock_step;

static void want(lock_step *step, uint32_t lane, uint64_t word)
{
    step->accesses[step->count++] = (dmm_model_access){4 * word, 4, lane};
}

static void judge(
    lock_step *step, dmm_model_tally *tally, const plain_round *r, dmm_model_access_kind kind)
{
    const dmm_model_local machine = {.banks = r->shape->w, .lanes = r->shape->w};
    dmm_model_reading reading = {0};
    const dmm_model_status status =
        dmm_model_local_step(&reading, &machine, kind, step->accesses, step->count);
    assert(status == DMM_MODEL_OK);
    (void)status;
    dmm_model_tally_add(tally, &reading);
    step->count = 0;
}

/* Lets all lanes probe until the last one has its split point. */
static void search(const plain_round *r, window *lanes)
{
    lock_step a_step = {0}, b_step = {0};
    do {
        judge(&a_step, &r->counts->search, r, DMM_MODEL_READ);
        judge(&b_step, &r->counts->search, r, DMM_MODEL_READ);
        for (uint32_t lane = 0; lane < r->shape->w; lane++) {
            window *v = &lanes[lane];
            if (v->low == v->high)
                continue;
            const uint64_t middle = (v->low + v->high) / 2;
            want(&a_step, lane, v->a_word + middle);
            want(&b_step, lane, v->b_word + v->diagonal - 1 - middle);
            probe(v);
        }
    } while (a_step.count > 0);
}

/* Lets all lanes read their E items in merged order. */
static void gather(const plain_round *r, const window *lanes, uint64_t first_thread)
{
    const uint32_t w = r->shape->w, E = r->shape->E;
    uint64_t a_at[DMM_MODEL_LANES_MAX], b_at[DMM_MODEL_LANES_MAX], aligned = 0;
    for (uint32_t lane = 0; lane < w; lane++) {
        a_at[lane] = lanes[lane].low;
        b_at[lane] = lanes[lane].diagonal - lanes[lane].low;
    }
    lock_step step = {0};
    for (uint32_t j = 0; j < E; j++) {
        for (uint32_t lane = 0; lane < w; lane++) {
            const window *v = &lanes[lane];
            uint64_t *a = &a_at[lane], *b = &b_at[lane];
            const bool from_a = *a < v->a_items && (*b == v->b_items || v->a[*a] <= v->b[*b]);
            const uint64_t word = from_a ? v->a_word + *a : v->b_word + *b;
            r->out[(first_thread + lane) * E + j] = from_a ? v->a[(*a)++] : v->b[(*b)++];
            want(&step, lane, word);
            aligned += (word + E - j) % w == 0;
        }
        judge(&step, &r->counts->gather, r, DMM_MODEL_READ);
    }
    r->counts->aligned += aligned;
    r->counts->aligned_least = smaller(r->counts->aligned_least, aligned);
}

/* Lets all lanes write their items, side by side. */
static void store(const plain_round *r, uint64_t first_thread)
{
    lock_step step = {0};
    for (uint32_t j = 0; j < r->shape->E; j++) {
        for (uint32_t lane = 0; lane < r->shape->w; lane++)
            want(&step, lane, (first_thread + lane) % r->shape->u * r->shape->E + j);
        judge(&step, &r->counts->store, r, DMM_MODEL_WRITE);
    }
}

static void run_round(const plain_round *r)
{
    *r->counts = (dmm_model_plain_round){.threads = r->merge_threads,
        .warps = r->threads / r->shape->w,
        .aligned_least = UINT64_MAX,
        .search.label = "search",
        .gather.label = "gather",
        .store.label = "store"};
    for (uint64_t first = 0; first < r->threads; first += r->shape->w) {
        window lanes[DMM_MODEL_LANES_MAX];
        for (uint32_t lane = 0; lane < r->shape->w; lane++)
            lanes[lane] = window_of(r, first + lane);
        search(r, lanes);
        gather(r, lanes, first);
        store(r, first);
    }
}

/* ---- The sort ------------------------------------------------------------------------------ */

static int by_value(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Sorts the items of `threads` full threads, with scratch of the same size; returns where they
 * are. */
static uint64_t *sort_full(dmm_model_plain_round *rounds, uint32_t *used, uint64_t *items,
    uint64_t *scratch, uint64_t threads, const dmm_model_merge_shape *shape)
{
    for (uint64_t t = 0; t < threads; t++)
        qsort(items + t * shape->E, shape->E, sizeof *items, by_value);
    *used = 0;
    for (uint64_t lists = 1; lists < threads; lists *= 2) {
        run_round(&(plain_round){shape, items, scratch, threads, 2 * lists, &rounds[*used]});
        ++*used;
        uint64_t *done = items;
        items = scratch;
        scratch = done;
    }
    return items;
}

dmm_model_status dmm_model_plain_sort(dmm_model_plain_round *rounds, uint32_t *used, uint64_t *keys,
    uint64_t n, const dmm_model_merge_shape *shape)
{
    if (!rounds || !used || !keys || !shape)
        return DMM_MODEL_NULL_ARGUMENT;
    if (!dmm_shape_is_valid(shape, 1, 65536))
        return DMM_MODEL_BAD_VALUE;
    const uint64_t tile_items = (uint64_t)shape->u * shape->E;
    const uint64_t tiles = n / tile_items + (n % tile_items != 0);
    if (tiles > SIZE_MAX / sizeof *keys / 2 / tile_items)
        return DMM_MODEL_TOO_LARGE;
    *used = 0;
    if (n == 0)
        return DMM_MODEL_OK;

    const size_t items = (size_t)(tiles * tile_items);
    uint64_t *buffers = malloc(2 * items * sizeof *buffers);
    if (!buffers)
        return DMM_MODEL_OUT_OF_MEMORY;
    memcpy(buffers, keys, (size_t)(n * sizeof *keys));
    memset(buffers + n, 0xff, (size_t)((items - n) * sizeof *buffers));
    const uint64_t *sorted =
        sort_full(rounds, used, buffers, buffers + items, tiles * shape->u, shape);
    memcpy(keys, sorted, (size_t)(n * sizeof *keys));
    free(buffers);
    return DMM_MODEL_OK;
}
