/* SPDX-License-Identifier: MIT */
/*
 * AKS networks whose separators make all the errors that their epsilons allow (A. Fischer 2020,
 * chapter 4): in place of its halvers, each separator sorts its items and then misplaces some.
 */
#include <stddef.h>
#include <stdlib.h>

#include "network.h"

typedef struct work {
    const dmm_separator_rules *rules;
    uint64_t *items; /* on all wires */
    uint64_t *node;  /* those of one node */
    uint64_t made;   /* errors so far */
    uint64_t random;
} work;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* S. Vigna, splitmix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t held = *a;
    *a = *b;
    *b = held;
}

/* True if the i-th item is an error when each k least items have floor(epsilon k). */
static bool is_error(double epsilon, uint32_t i)
{
    return (uint64_t)(epsilon * (i + 1)) > (uint64_t)(epsilon * i);
}

/* Exchanges items of a fringe for others of its half, so that epsilon_f k of the k outermost ones
 * miss it: those in the wrong half are among these. `at` and `step` walk inwards from the outermost
 * place. */
static void miss_fringe(work *w, uint64_t *at, ptrdiff_t step, uint32_t side, uint32_t rest)
{
    uint64_t missed = 0;
    const uint64_t start = next_random(&w->random);
    for (uint32_t i = 0; i < side && missed < rest; i++) {
        const bool wrong = is_error(w->rules->epsilon_b, i);
        if (!wrong && (uint64_t)(w->rules->epsilon_f * (i + 1)) <= missed)
            continue;
        swap(at + i * step, at + (ptrdiff_t)(side + (start + missed) % rest) * step);
        missed++;
        w->made += !wrong;
    }
}

static void separate(const dmm_aks_visit *visited, void *data)
{
    work *const w = data;
    const dmm_separator *const s = &visited->separator;
    const uint32_t half = s->a / 2, side = s->f / 2, rest = half - side;
    uint64_t *const v = w->node;
    for (uint32_t x = 0; x < s->a; x++)
        v[x] = w->items[visited->list[x]];
    qsort(v, s->a, sizeof *v, compare);
    for (uint32_t i = 0; i < half; i++)
        if (is_error(w->rules->epsilon_b, i)) {
            swap(&v[i], &v[s->a - 1 - i]);
            w->made += 2;
        }
    if (side > 0 && rest > 0) {
        miss_fringe(w, v, 1, side, rest);
        miss_fringe(w, v + s->a - 1, -1, side, rest);
    }
    for (uint32_t x = 0; x < s->a; x++)
        w->items[visited->list[x]] = v[x];
}

static void count_strays(dmm_model_network_errors *out, const uint64_t *items, uint32_t wires)
{
    for (uint32_t x = 0; x < wires; x++) {
        const uint64_t block = x / DMM_AKS_BLOCK, own = items[x] / DMM_AKS_BLOCK;
        const uint64_t far = own > block ? own - block : block - own;
        out->strayed += far > 0;
        out->farthest = far > out->farthest ? far : out->farthest;
    }
}

dmm_model_status dmm_model_network_run_errors(
    dmm_model_network_errors *out, uint64_t *items, dmm_model_network *network, uint64_t seed)
{
    dmm_model_network_step step;
    if (!out || !items || !network)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = (dmm_model_network_errors){0};
    if (network->class != &dmm_network_aks)
        return DMM_MODEL_UNSUPPORTED;
    work w = {.rules = &network->rules,
        .items = items,
        .node = malloc(network->wires * sizeof *w.node),
        .random = seed};
    if (!w.node)
        return DMM_MODEL_OUT_OF_MEMORY;
    dmm_model_network_rewind(network);
    while (dmm_aks_visit_round(network, separate, &w))
        ;
    free(w.node);
    out->made = w.made;
    count_strays(out, items, network->wires);
    while (dmm_model_network_next(&step, network))
        dmm_model_network_apply(items, &step);
    dmm_model_network_rewind(network);
    return DMM_MODEL_OK;
}
