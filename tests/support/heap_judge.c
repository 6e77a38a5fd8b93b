/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "support/heap_pair.h"
#include "support/items.h"
#include "support/require.h"

/* The kinds of entries, as in cl/heap.clh. */
enum { VALUE = 1, LOWER = 2, RESET = 3, DROP = 4 };

/* What entries of the device's memory, applied from the deepest level up, leave. */
typedef struct flat {
    const heap_pair *p;
    uint64_t *codes;
    unsigned char *present;
} flat;

static const char *apply(flat *f, uint64_t key, uint64_t bits, unsigned kind)
{
    const uint32_t item = pair_item(f->p, key);
    const uint64_t code = pair_code(f->p, bits);
    if (item == UINT32_MAX)
        return "a key was never inserted";
    if (kind < VALUE || kind > DROP)
        return "an entry has no kind";
    if (kind == LOWER && f->present[item] && f->codes[item] <= code)
        return NULL;
    f->present[item] = kind != DROP;
    f->codes[item] = code;
    return NULL;
}

/* Judges a bucket, and applies its items. *least: code that none is below; moved up. */
static const char *judge_bucket(flat *f, const dmm_heap_levels *l, uint32_t i, uint64_t *least)
{
    const dmm_heap_shape *const s = &f->p->shape;
    const uint64_t first = DMM_HEAP_BUCKETS(s->bulk, i), count = l->bucket[i];
    if (count > s->bulk * 2 << 2 * i)
        return "a bucket has more items than its capacity";
    for (uint64_t x = first; x < first + count; x++) {
        const uint64_t bits = pair_word(f->p->state + s->bucket_priorities, x, s->priority_bytes);
        const uint64_t key = pair_word(f->p->state + s->bucket_keys, x, s->key_bytes);
        const uint64_t code = pair_code(f->p, bits);
        if (code < *least)
            return "an item is less than one before it or in a level above";
        *least = code;
        const char *const fault = apply(f, key, bits, VALUE);
        if (fault != NULL)
            return fault;
    }
    if (count > 0 && !l->is_open[i] && *least > pair_code(f->p, l->limit[i]))
        return "an item is beyond its level's limit";
    return NULL;
}

/* Judges the signals of level i > 0, and applies them. */
static const char *judge_signals(flat *f, const dmm_heap_levels *l, uint32_t i)
{
    const dmm_heap_shape *const s = &f->p->shape;
    const uint64_t first = DMM_HEAP_SIGNALS(s->bulk, i), count = l->signals[i];
    if (count > s->bulk << 2 * i)
        return "a level has more signals than its capacity";
    for (uint64_t x = first; x < first + count; x++) {
        const uint64_t bits = pair_word(f->p->state + s->signal_priorities, x, s->priority_bytes);
        const uint64_t key = pair_word(f->p->state + s->signal_keys, x, s->key_bytes);
        const unsigned kind = f->p->state[s->signal_kinds + x];
        if (kind != DROP &&
            (l->is_open[i - 1] || pair_code(f->p, bits) < pair_code(f->p, l->limit[i - 1])))
            return "a signal should have stayed in the level above";
        const char *const fault = apply(f, key, bits, kind);
        if (fault != NULL)
            return fault;
    }
    return NULL;
}

static const char *judge_items(const flat *f, const dmm_heap_levels *l)
{
    const sequential *const s = &f->p->s;
    for (uint32_t item = 0; item < s->items; item++)
        if (f->present[item] != s->present[item] ||
            (s->present[item] && f->codes[item] != s->codes[item]))
            return "the levels hold other items than the sequential heap";
    if (l->head.held < s->size)
        return "the bound on the number of items is too small";
    return l->bucket[0] < (s->size < f->p->bulk ? s->size : f->p->bulk)
               ? "level 0 has too few items to extract"
               : NULL;
}

/* Items of deeper levels lie behind those above, even those with a DROP on its way. */
const char *pair_judge(const heap_pair *p)
{
    const char *fault = NULL;
    uint64_t least[DMM_HEAP_MOST_LEVELS + 1] = {0};
    dmm_heap_levels l;
    if (p->heap->p.cpu)
        return pair_judge_cpu(p);
    flat f = {p, allocate(p->s.items * sizeof *f.codes), allocate(p->s.items)};
    memcpy(&l, p->state, sizeof l);
    if (l.head.turn != p->turn)
        fault = "the heap counts other turns";
    for (uint32_t i = 1; i < p->shape.levels; i++)
        least[i] = l.is_open[i - 1] ? least[i - 1] : pair_code(p, l.limit[i - 1]);
    for (uint32_t i = p->shape.levels; i-- > 0 && fault == NULL;) {
        fault = judge_bucket(&f, &l, i, &least[i]);
        if (fault == NULL && i > 0)
            fault = judge_signals(&f, &l, i);
    }
    if (fault == NULL)
        fault = judge_items(&f, &l);
    free(f.codes);
    free(f.present);
    return fault;
}

void pair_check(heap_pair *p)
{
    zone_read(p->r, &p->z[HEAP], p->state);
    REQUIRE_VERDICT(pair_judge(p));
}
