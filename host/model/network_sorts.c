/* SPDX-License-Identifier: MIT */
/*
 * What a network does to every input of zeros and ones, and a halver to the worst one.
 *
 * A component is a set of wires that comparators have connected. The sequences that can be on its
 * wires do not depend on those of other components, so each keeps its own list; a comparator
 * between two components makes one of both, whose list is the product. Networks begin by sorting
 * small groups of wires, so lists stay short where 2^n inputs would be too many.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"

enum { WIRES_MAX = 32, LIST_MAX = 1 << 26 };

/* Sequences on the wires of a component, wire i in bit i; other bits are 0. */
typedef struct component {
    uint32_t *list;
    uint64_t count;
    uint32_t wires;
} component;

typedef struct reach {
    component of[WIRES_MAX]; /* by the lowest wire */
    uint32_t root[WIRES_MAX];
} reach;

static int compare_words(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void drop_doubles(component *c)
{
    uint64_t kept = 0;
    qsort(c->list, (size_t)c->count, sizeof *c->list, compare_words);
    for (uint64_t i = 0; i < c->count; i++)
        if (i == 0 || c->list[i] != c->list[kept - 1])
            c->list[kept++] = c->list[i];
    c->count = kept;
}

/* Makes one component of those of two wires. */
static dmm_model_status join(reach *r, uint32_t a, uint32_t b)
{
    const uint32_t root = r->root[a], other = r->root[b];
    component *c = &r->of[root], *o = &r->of[other];
    const uint64_t count = c->count * o->count;
    if (root == other)
        return DMM_MODEL_OK;
    if (count > LIST_MAX)
        return DMM_MODEL_TOO_LARGE;
    uint32_t *list = malloc((size_t)count * sizeof *list);
    if (!list)
        return DMM_MODEL_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < count; i++)
        list[i] = c->list[i / o->count] | o->list[i % o->count];
    free(c->list);
    free(o->list);
    *c = (component){list, count, c->wires | o->wires};
    *o = (component){0};
    for (uint32_t i = 0; i < WIRES_MAX; i++)
        if (c->wires >> i & 1)
            r->root[i] = root;
    return DMM_MODEL_OK;
}

static void exchange(component *c, dmm_model_comparator pair)
{
    const uint32_t low = UINT32_C(1) << pair.low, high = UINT32_C(1) << pair.high;
    for (uint64_t i = 0; i < c->count; i++)
        if ((c->list[i] & low) && !(c->list[i] & high))
            c->list[i] ^= low | high;
}

static dmm_model_status reach_step(reach *r, const dmm_model_network_step *step)
{
    uint32_t touched = 0;
    for (uint64_t i = 0; i < step->count; i++) {
        const dmm_model_status status = join(r, step->pairs[i].low, step->pairs[i].high);
        if (status != DMM_MODEL_OK)
            return status;
        exchange(&r->of[r->root[step->pairs[i].low]], step->pairs[i]);
    }
    for (uint64_t i = 0; i < step->count; i++)
        touched |= UINT32_C(1) << r->root[step->pairs[i].low];
    for (uint32_t i = 0; i < WIRES_MAX; i++)
        if (touched >> i & 1)
            drop_doubles(&r->of[i]);
    return DMM_MODEL_OK;
}

static dmm_model_status reach_start(reach *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        r->root[i] = i;
        r->of[i] = (component){malloc(2 * sizeof(uint32_t)), 2, UINT32_C(1) << i};
        if (!r->of[i].list)
            return DMM_MODEL_OUT_OF_MEMORY;
        r->of[i].list[0] = 0;
        r->of[i].list[1] = UINT32_C(1) << i;
    }
    return DMM_MODEL_OK;
}

/* All ones of a sorted sequence are at the end. Two components have unsorted products. */
static bool all_sorted(const reach *r, uint32_t n, uint32_t *unsorted)
{
    const component *c = &r->of[r->root[0]];
    const uint32_t all = n == 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1;
    if (c->wires != all) {
        *unsorted = c->wires;
        return false;
    }
    for (uint64_t i = 0; i < c->count; i++) {
        const uint32_t zeros = ~c->list[i] & all;
        if ((zeros & (zeros + 1)) != 0) {
            *unsorted = c->list[i];
            return false;
        }
    }
    return true;
}

dmm_model_status dmm_model_network_sorts(int *out, uint32_t *unsorted, dmm_model_network *network)
{
    dmm_model_network_step step;
    uint32_t witness = 0;
    if (!out || !network)
        return DMM_MODEL_NULL_ARGUMENT;
    if (network->wires > WIRES_MAX)
        return DMM_MODEL_UNSUPPORTED;
    reach r = {0};
    dmm_model_status status = reach_start(&r, network->wires);
    dmm_model_network_rewind(network);
    while (status == DMM_MODEL_OK && dmm_model_network_next(&step, network))
        status = reach_step(&r, &step);
    dmm_model_network_rewind(network);
    if (status == DMM_MODEL_OK) {
        *out = all_sorted(&r, network->wires, &witness);
        if (unsorted)
            *unsorted = witness;
    }
    for (uint32_t i = 0; i < WIRES_MAX; i++)
        free(r.of[i].list);
    return status;
}

/* ---- Halvers --------------------------------------------------------------------------------- */

enum { HALF_MAX = 24 };

static uint32_t bits_of(uint32_t x)
{
    uint32_t count = 0;
    for (; x != 0; x &= x - 1)
        count++;
    return count;
}

/* For all sets of the wires `from`.. of one half that extend a set of `size` with these neighbours:
 * notes the largest set for each k. */
static void try_sets(uint32_t *errors, const uint32_t *neighbours, uint32_t h, uint32_t from,
    uint32_t size, uint32_t met)
{
    const uint32_t k = size + bits_of(met);
    if (k > h)
        return;
    if (k > 0 && errors[k - 1] < size)
        errors[k - 1] = size;
    for (uint32_t i = from; i < h; i++)
        try_sets(errors, neighbours, h, i + 1, size + 1, met | neighbours[i]);
}

dmm_model_status dmm_model_halver_errors(uint32_t *errors, dmm_model_network *network)
{
    dmm_model_network_step step;
    uint32_t neighbours[2][HALF_MAX] = {{0}};
    if (!errors || !network)
        return DMM_MODEL_NULL_ARGUMENT;
    const uint32_t n = network->wires, h = n / 2;
    bool halves = n % 2 == 0 && h <= HALF_MAX;
    dmm_model_network_rewind(network);
    while (halves && dmm_model_network_next(&step, network)) {
        for (uint64_t i = 0; halves && i < step.count; i++) {
            const uint32_t low = step.pairs[i].low, high = step.pairs[i].high;
            halves = low < h && high >= h;
            if (halves) {
                neighbours[0][low] |= UINT32_C(1) << (high - h);
                neighbours[1][high - h] |= UINT32_C(1) << low;
            }
        }
    }
    dmm_model_network_rewind(network);
    if (!halves)
        return DMM_MODEL_UNSUPPORTED;
    memset(errors, 0, h * sizeof *errors);
    for (int side = 0; side < 2; side++)
        try_sets(errors, neighbours[side], h, 0, 0, 0);
    for (uint32_t k = 1; k < h; k++)
        if (errors[k] < errors[k - 1])
            errors[k] = errors[k - 1];
    return DMM_MODEL_OK;
}
