/* SPDX-License-Identifier: MIT */
#include "bucket_heap.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

/* Entries by rising key, each key once. */
typedef struct list {
    bucket_entry *at;
    uint64_t n;
} list;

typedef struct level {
    list bucket, signals;
    uint64_t limit; /* no greater priority is in this bucket, no lesser one in deeper levels */
    uint64_t times; /* resolves so far */
    double end;     /* of the last one */
    double round;   /* its last round */
} level;

struct bucket_heap {
    level levels[BUCKET_LEVELS + 1]; /* the last one stays empty */
    uint32_t num_levels, processors;
    uint64_t d, block;
    double free_at[BUCKET_LEVELS]; /* when each processor ends its last resolve */
    double transfers;              /* of the present resolve */
    uint64_t random;
    bucket_counts counts;
};

/* ---- Scans ----------------------------------------------------------------------------------- */

static void scan(bucket_heap *heap, uint64_t n)
{
    heap->transfers += (double)((n + heap->block - 1) / heap->block);
}

/* MERGE and DELETEDUPLICATES into `to`: of a key the lower priority stays. Empties `from`. */
static bool merge(bucket_heap *heap, list *to, list *from)
{
    bucket_entry *const out = malloc((size_t)(to->n + from->n + 1) * sizeof *out);
    uint64_t i = 0, j = 0, n = 0;
    if (!out)
        return false;
    while (i < to->n || j < from->n) {
        const bool first = j == from->n || (i < to->n && to->at[i].key <= from->at[j].key);
        const bucket_entry e = first ? to->at[i++] : from->at[j++];
        if (n == 0 || out[n - 1].key != e.key)
            out[n++] = e;
        else if (e.priority < out[n - 1].priority)
            out[n - 1] = e;
    }
    scan(heap, to->n);
    scan(heap, from->n);
    scan(heap, n);
    free(to->at);
    *to = (list){out, n};
    from->n = 0;
    return true;
}

/* Counts entries of priority <= limit. */
static uint64_t count_to(bucket_heap *heap, const list *l, uint64_t limit)
{
    uint64_t n = 0;
    scan(heap, l->n);
    for (uint64_t i = 0; i < l->n; i++)
        n += l->at[i].priority <= limit;
    return n;
}

/* Takes entries of priority > limit (above), or the others, out of a list. */
static bool split(bucket_heap *heap, list *out, list *l, uint64_t limit, bool above)
{
    uint64_t kept = 0;
    *out = (list){malloc((size_t)(l->n + 1) * sizeof *out->at), 0};
    if (!out->at)
        return false;
    scan(heap, l->n);
    for (uint64_t i = 0; i < l->n; i++)
        if ((l->at[i].priority > limit) == above)
            out->at[out->n++] = l->at[i];
        else
            l->at[kept++] = l->at[i];
    l->n = kept;
    scan(heap, kept);
    scan(heap, out->n);
    return true;
}

/* SELECT: stores the priority of rank k, from 1, by random pivots. */
static bool pick(bucket_heap *heap, uint64_t *out, const list *l, uint64_t k)
{
    uint64_t *const v = malloc((size_t)(l->n + 1) * sizeof *v);
    uint64_t n = l->n;
    if (!v)
        return false;
    for (uint64_t i = 0; i < n; i++)
        v[i] = l->at[i].priority;
    for (;;) {
        const uint64_t pivot = v[table_random(&heap->random) % n];
        uint64_t below = 0, kept = 0;
        for (uint64_t i = 0; i < n; i++)
            below += v[i] <= pivot;
        scan(heap, n);
        if (below == k) {
            *out = pivot;
            break;
        }
        for (uint64_t i = 0; i < n; i++)
            if ((v[i] <= pivot) == (k < below))
                v[kept++] = v[i];
        scan(heap, n);
        scan(heap, kept);
        k -= k < below ? 0 : below;
        n = kept;
    }
    free(v);
    return true;
}

/* ---- RESOLVE --------------------------------------------------------------------------------- */

static uint64_t capacity(const bucket_heap *heap, uint32_t i)
{
    return heap->d * 2 << 2 * i;
}

/* True if levels deeper than i have entries. */
static bool is_above(const bucket_heap *heap, uint32_t i)
{
    for (uint32_t k = i + 1; k < heap->num_levels; k++)
        if (heap->levels[k].bucket.n + heap->levels[k].signals.n > 0)
            return true;
    return false;
}

/* Lines 4 to 9: what is too much or too great for the bucket goes to the signals below. */
static bool spill(bucket_heap *heap, uint32_t i)
{
    level *const l = &heap->levels[i];
    list spilled;
    if (count_to(heap, &l->bucket, l->limit) > capacity(heap, i) &&
        !pick(heap, &l->limit, &l->bucket, capacity(heap, i)))
        return false;
    if (!split(heap, &spilled, &l->bucket, l->limit, true))
        return false;
    const bool done =
        spilled.n == 0 || (i + 1 < heap->num_levels && merge(heap, &l[1].signals, &spilled));
    free(spilled.at);
    return done;
}

/* Lines 10 to 17: fills the bucket from the level below. The bucket below may then be too full,
 * which Algorithm 1 passes over: that spills, too. */
static bool fill(bucket_heap *heap, uint32_t i)
{
    level *const l = &heap->levels[i];
    list pulled;
    if (!merge(heap, &l[1].bucket, &l[1].signals))
        return false;
    const uint64_t wanted = capacity(heap, i) - l->bucket.n;
    uint64_t there = count_to(heap, &l[1].bucket, l[1].limit);
    there = there < wanted ? there : wanted;
    uint64_t limit = 0;
    if (there > 0 && !pick(heap, &limit, &l[1].bucket, there))
        return false;
    if (!split(heap, &pulled, &l[1].bucket, limit, false))
        return false;
    const bool done = merge(heap, &l->bucket, &pulled) && spill(heap, i + 1);
    free(pulled.at);
    if (there > 0)
        l->limit = limit;
    if (!is_above(heap, i))
        l->limit = UINT64_MAX;
    return done;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* Notes when resolve number k of level i ends: after the four of the level above that it follows,
 * and, the first of four, after that of the level below. */
static void schedule(bucket_heap *heap, uint32_t i)
{
    level *const l = &heap->levels[i];
    const uint32_t others = heap->processors - 1, deeper = heap->num_levels - 1;
    const uint32_t p = i == 0 || others == 0 ? 0 : 1 + (i - 1) * others / deeper;
    double start = heap->free_at[p], round = l->round;
    bucket_counts *const c = &heap->counts;
    if (i > 0) {
        start = later(start, l[-1].end);
        round = later(round, l[-1].round);
    }
    if (l->times % 4 == 0 && l->times > 0) {
        start = later(start, l[1].end);
        round = later(round, l[1].round);
    }
    l->times++;
    l->end = heap->free_at[p] = start + heap->transfers;
    l->round = round + 1;
    c->transfers += heap->transfers;
    if (i == 0) {
        c->ends = l->end;
        c->rounds = l->round;
    }
}

/* Lemma 22, with T(R_0) as the greatest transfers of a resolve of level i, over 4^i, so far. */
static void compare(bucket_heap *heap, uint32_t i)
{
    bucket_counts *const c = &heap->counts;
    const double four = (double)(UINT64_C(1) << 2 * i), k = (double)heap->levels[i].times;
    c->unit = later(c->unit, heap->transfers / four);
    c->late = later(c->late,
        heap->levels[i].end / (((5 * k * four - 5) + (four - 1) / 3) * c->unit + four * c->unit));
}

static bool resolve(bucket_heap *heap, uint32_t i)
{
    level *const l = &heap->levels[i];
    const double least = (double)(heap->d << 2 * i);
    heap->transfers = 0;
    heap->counts.fullest = later(heap->counts.fullest, (double)l->signals.n / least);
    if (is_above(heap, i) && l->times > 0)
        heap->counts.emptiest = -later(-heap->counts.emptiest, -(double)l->bucket.n / least);
    if (l->signals.n > 0 && !(merge(heap, &l->bucket, &l->signals) && spill(heap, i)))
        return false;
    if (l->bucket.n < capacity(heap, i) && is_above(heap, i) && !fill(heap, i))
        return false;
    schedule(heap, i);
    compare(heap, i);
    return l->times % 4 != 0 || i + 1 == heap->num_levels || resolve(heap, i + 1);
}

/* ---- Operations ------------------------------------------------------------------------------ */

bucket_heap *bucket_heap_create(uint64_t d, uint32_t levels, uint64_t block, uint32_t processors)
{
    bucket_heap *const heap = calloc(1, sizeof *heap);
    if (!heap || levels == 0 || levels > BUCKET_LEVELS || processors == 0 || processors > levels) {
        free(heap);
        return NULL;
    }
    heap->d = d;
    heap->block = block;
    heap->num_levels = levels;
    heap->processors = processors;
    heap->counts.emptiest = HUGE_VAL;
    for (uint32_t i = 0; i < levels; i++)
        heap->levels[i].limit = UINT64_MAX;
    return heap;
}

void bucket_heap_free(bucket_heap *heap)
{
    for (uint32_t i = 0; heap && i < heap->num_levels; i++) {
        free(heap->levels[i].bucket.at);
        free(heap->levels[i].signals.at);
    }
    free(heap);
}

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const bucket_entry *)a)->key, y = ((const bucket_entry *)b)->key;
    return (x > y) - (x < y);
}

static int by_priority(const void *a, const void *b)
{
    const uint64_t x = ((const bucket_entry *)a)->priority, y = ((const bucket_entry *)b)->priority;
    return (x > y) - (x < y);
}

bool bucket_heap_update(bucket_heap *heap, const bucket_entry *entries, uint64_t n)
{
    list signals = {malloc((size_t)(n + 1) * sizeof *entries), n};
    if (!signals.at)
        return false;
    memcpy(signals.at, entries, (size_t)n * sizeof *entries);
    qsort(signals.at, (size_t)n, sizeof *entries, by_key);
    const bool done = merge(heap, &heap->levels[0].signals, &signals) && resolve(heap, 0);
    free(signals.at);
    return done;
}

uint64_t bucket_heap_extract(bucket_heap *heap, bucket_entry *out, uint64_t n)
{
    list *const bucket = &heap->levels[0].bucket;
    list taken = {NULL, 0};
    uint64_t limit = 0;
    n = n < bucket->n ? n : bucket->n;
    const bool done = (n == 0 || pick(heap, &limit, bucket, n)) &&
                      split(heap, &taken, bucket, n == 0 ? 0 : limit, false);
    if (done && taken.n > 0) {
        qsort(taken.at, (size_t)taken.n, sizeof *out, by_priority);
        memcpy(out, taken.at, (size_t)taken.n * sizeof *out);
    }
    n = taken.n;
    free(taken.at);
    return done && resolve(heap, 0) ? n : UINT64_MAX;
}

bucket_counts bucket_heap_counts(const bucket_heap *heap)
{
    return heap->counts;
}
