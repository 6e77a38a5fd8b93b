/* SPDX-License-Identifier: MIT */
/*
 * By linearity the passes of step j are summed over j. Those of one step are the most reads of a
 * bank; a chain over the threads counts, for each number of items of A used so far and each vector
 * of reads by bank, the orders that lead there.
 */
#include "expected.h"

#include <stdlib.h>
#include <string.h>

enum { BANK_BITS = 4, A_SHIFT = 40 };

/* Orders by state: the reads of each bank, 4 bits each, and above them the items of A. A hash table
 * of a power of two of slots; weight 0: free. */
typedef struct states {
    uint64_t *keys;
    double *weights;
    uint64_t slots, used;
} states;

static bool make_states(states *out, uint64_t slots)
{
    *out =
        (states){malloc(slots * sizeof *out->keys), calloc(slots, sizeof *out->weights), slots, 0};
    return out->keys && out->weights;
}

static void free_states(states *s)
{
    free(s->keys);
    free(s->weights);
    *s = (states){.slots = 0};
}

static void put(states *s, uint64_t key, double weight)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (s->slots - 1);
    while (s->weights[at] != 0 && s->keys[at] != key)
        at = (at + 1) & (s->slots - 1);
    s->used += s->weights[at] == 0;
    s->keys[at] = key;
    s->weights[at] += weight;
}

static bool grow(states *s)
{
    states larger;
    if (!make_states(&larger, 2 * s->slots)) {
        free_states(&larger);
        return false;
    }
    for (uint64_t i = 0; i < s->slots; i++)
        if (s->weights[i] != 0)
            put(&larger, s->keys[i], s->weights[i]);
    free_states(s);
    *s = larger;
    return true;
}

static bool add(states *s, uint64_t key, double weight)
{
    if (2 * s->used >= s->slots && !grow(s))
        return false;
    put(s, key, weight);
    return true;
}

static double choose(uint32_t n, uint32_t k)
{
    double result = 1;
    for (uint32_t i = 0; i < k && k <= n; i++)
        result = result * (n - i) / (i + 1);
    return k <= n ? result : 0;
}

typedef struct warp {
    uint32_t w, E, list; /* items of a list */
} warp;

/* Adds all that thread t can do in step j from one state: take `used` items of A in all, `before`
 * of them before step j, and read one of A (or of B) in it. */
static bool add_thread(
    states *out, const warp *p, uint64_t key, double weight, uint32_t t, uint32_t j)
{
    const uint32_t a = (uint32_t)(key >> A_SHIFT), b = t * p->E - a;
    for (uint32_t used = 0; used <= p->E; used++) {
        if (a + used > p->list || b + p->E - used > p->list)
            continue;
        for (uint32_t before = 0; before <= j; before++)
            for (uint32_t of_a = 0; of_a < 2; of_a++) {
                const uint32_t later = p->E - 1 - j;
                if (before + of_a > used || j - before + 1 - of_a > p->E - used)
                    continue;
                const double ways = choose(j, before) * choose(later, used - before - of_a);
                const uint32_t word = of_a ? a + before : p->list + b + j - before;
                const uint64_t reads = UINT64_C(1) << BANK_BITS * (word % p->w);
                if (ways > 0 && !add(out, key + reads + ((uint64_t)used << A_SHIFT), weight * ways))
                    return false;
            }
    }
    return true;
}

static uint32_t most_reads(uint64_t key, uint32_t w)
{
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < w; bank++) {
        const uint32_t reads = key >> BANK_BITS * bank & ((1u << BANK_BITS) - 1);
        most = reads > most ? reads : most;
    }
    return most;
}

/* Sums the passes of step j over all orders, and counts these. */
static bool sum_step(double *sum, double *orders, const warp *p, uint32_t j)
{
    states now, next = {.slots = 0};
    bool done = make_states(&now, 64) && add(&now, 0, 1);
    for (uint32_t t = 0; t < p->w && done; t++) {
        done = make_states(&next, now.slots);
        for (uint64_t i = 0; i < now.slots && done; i++)
            if (now.weights[i] != 0)
                done = add_thread(&next, p, now.keys[i], now.weights[i], t, j);
        free_states(&now);
        now = next;
        next = (states){.slots = 0};
    }
    *orders = 0;
    for (uint64_t i = 0; i < now.slots && done; i++) {
        *sum += now.weights[i] * most_reads(now.keys[i], p->w);
        *orders += now.weights[i];
    }
    free_states(&now);
    return done;
}

bool expected_passes(double *passes, double *sum, double *orders, uint32_t w, uint32_t E)
{
    const warp p = {w, E, w * E / 2};
    double all = 0, count = 1;
    if (w < 2 || w > EXPECTED_BANKS || E < 1 || E > EXPECTED_ITEMS || w * E % 2 != 0)
        return false;
    for (uint32_t j = 0; j < E; j++)
        if (!sum_step(&all, &count, &p, j))
            return false;
    *passes = all / count;
    if (sum)
        *sum = all;
    if (orders)
        *orders = count;
    return true;
}
