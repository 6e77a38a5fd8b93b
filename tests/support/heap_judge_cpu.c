/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "support/heap_pair.h"
#include "support/items.h"

/* The memory of a heap in the CPU form. */
typedef struct view {
    const heap_pair *p;
    const unsigned char *table, *entries;
    uint64_t slots;
} view;

/* An entry's code and key. */
typedef struct pair_entry {
    uint64_t code, key;
} pair_entry;

static pair_entry entry_at(const view *v, const unsigned char *list, uint64_t i)
{
    const uint32_t half = (uint32_t)v->p->shape.entry_bytes / 2;
    const uint64_t low = pair_word(list, 2 * i, half), high = pair_word(list, 2 * i + 1, half);
    return half == 4 ? (pair_entry){high, low} : (pair_entry){low, high};
}

/* Returns a code of the sequential heap. An entry's is the encoded priority. */
static uint64_t code_of(const view *v, uint64_t encoded)
{
    const uint64_t sign = (uint64_t)1 << 63;
    return v->p->type == DMM_U64   ? encoded >> 32
           : v->p->type == DMM_I64 ? encoded - sign + 0x80000000u
                                   : encoded;
}

static uint64_t free_key(const view *v)
{
    return v->p->shape.key_bytes == 8 ? UINT64_MAX : UINT32_MAX;
}

/* True if no slot between a key's first one and x is free. */
static int is_found(const view *v, uint64_t key, uint64_t x)
{
    for (uint64_t y = (dmm_mix(key) >> 32) * v->slots >> 32; y != x; y = (y + 1) % v->slots)
        if (entry_at(v, v->table, y).key == free_key(v))
            return 0;
    return 1;
}

static const char *judge_table(const view *v)
{
    const sequential *const s = &v->p->s;
    uint64_t items = 0;
    for (uint64_t x = 0; x <= v->slots; x++) {
        const pair_entry e = entry_at(v, v->table, x);
        const int is_last = x == v->slots;
        if ((e.key == free_key(v)) == !is_last)
            continue; /* free */
        const uint32_t item = pair_item(v->p, e.key);
        if (item == UINT32_MAX || !s->present[item] || s->codes[item] != code_of(v, e.code))
            return "the table has an item that the sequential heap has not";
        if (!is_last && !is_found(v, e.key, x))
            return "a search for an item ends before its slot";
        items++;
    }
    return items != s->size ? "the table lacks an item" : NULL;
}

/* Judges a run, and marks the items of its entries that count. */
static const char *judge_run(const view *v, dmm_heap_run run, unsigned char *is_seen)
{
    const sequential *const s = &v->p->s;
    uint64_t least = 0;
    for (uint64_t x = run.first; x < run.end; x++) {
        const pair_entry e = entry_at(v, v->entries, x);
        const uint32_t item = pair_item(v->p, e.key);
        if (item == UINT32_MAX)
            return "a key was never inserted";
        if (e.code < least)
            return "a run is not sorted";
        least = e.code;
        if (s->present[item] && s->codes[item] == code_of(v, e.code))
            is_seen[item] = 1;
    }
    return NULL;
}

static const char *judge_runs(const view *v, const dmm_heap_runs *runs)
{
    const char *fault = NULL;
    unsigned char *const is_seen = allocate(v->p->s.items);
    uint64_t from = 0;
    if (runs->count > DMM_HEAP_MOST_RUNS)
        fault = "there are too many runs";
    for (uint64_t i = 0; fault == NULL && i < runs->count; i++) {
        const dmm_heap_run run = runs->run[i];
        if (run.first < from || run.end <= run.first || run.end > v->slots)
            fault = "a run is empty, or not behind the one before it";
        else
            fault = judge_run(v, run, is_seen);
        from = run.end;
    }
    for (uint32_t item = 0; fault == NULL && item < v->p->s.items; item++)
        if (v->p->s.present[item] && !is_seen[item])
            fault = "no run has an item";
    free(is_seen);
    return fault;
}

const char *pair_judge_cpu(const heap_pair *p)
{
    dmm_heap_runs runs;
    memcpy(&runs, p->state, sizeof runs);
    const view v = {p, p->state + DMM_HEAP_TABLE_AT, p->state + p->shape.entries,
        DMM_HEAP_SLOTS(p->shape.room)};
    if (runs.head.turn != p->turn)
        return "the heap counts other turns";
    if (runs.head.held != p->s.size)
        return "the heap counts other items";
    const char *const fault = judge_table(&v);
    return fault != NULL ? fault : judge_runs(&v, &runs);
}
