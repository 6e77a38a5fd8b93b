/* SPDX-License-Identifier: MIT */
/*
 * AKS networks whose separators make all the errors that their epsilons allow (A. Fischer 2020,
 * chapter 4): in place of its halvers, each separator sorts its items and then misplaces some.
 *
 * Of the k least items of a separator of a wires, epsilon_b k may be in the upper half, k <= a/2,
 * and epsilon_f k outside the lower fringe of f/2 wires, k <= f/2; of the greatest likewise. An
 * item that crosses to the other half goes between the fringes, so that it reaches the wrong child,
 * not the parent: it misses its fringe, too. Places of the lower half; those of the upper mirror
 * them:
 *
 *     0          f/2                                            a/2
 *     | fringe   | rest                                          |
 *     | items that do not err, in order    | the last that errs ... the first |
 */
#include <stdlib.h>

#include "network.h"

typedef struct work {
    const dmm_separator_rules *rules;
    uint64_t *items; /* on all wires */
    uint64_t *node;  /* those of one node, in order */
    uint64_t made;   /* errors so far */
} work;

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

uint32_t dmm_separator_err(uint64_t *items, const uint64_t *sorted, const dmm_aks_visit *node,
    const dmm_separator_rules *rules)
{
    const dmm_separator *const s = &node->separator;
    const uint32_t half = s->a / 2, side = s->f / 2, last = s->a - 1;
    uint32_t kept = 0, erred = 0, crossed = 0, left = 0; /* left: the fringe */
    for (uint32_t rank = 0; rank < half; rank++) {
        const double k = rank + 1;
        const bool leaves = rank < side && (uint32_t)(rules->epsilon_f * k) > left;
        const bool crosses = (leaves || rank >= side) && (uint32_t)(rules->epsilon_b * k) > crossed;
        const uint32_t at = leaves || crosses ? half - 1 - erred++ : kept++;
        const uint64_t low = sorted[rank], high = sorted[last - rank];
        items[node->list[at]] = crosses ? high : low;
        items[node->list[last - at]] = crosses ? low : high;
        left += leaves;
        crossed += crosses;
    }
    return 2 * erred;
}

/* A separator all of whose wires go up has no wrong part. */
static void separate(const dmm_aks_visit *visited, void *data)
{
    work *const w = data;
    const uint32_t a = visited->separator.a;
    for (uint32_t x = 0; x < a; x++)
        w->node[x] = w->items[visited->list[x]];
    qsort(w->node, a, sizeof *w->node, compare);
    if (visited->separator.f < a)
        w->made += dmm_separator_err(w->items, w->node, visited, w->rules);
    else
        for (uint32_t x = 0; x < a; x++)
            w->items[visited->list[x]] = w->node[x];
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
    dmm_model_network_errors *out, uint64_t *items, dmm_model_network *network)
{
    dmm_model_network_step step;
    if (!out || !items || !network)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = (dmm_model_network_errors){0};
    if (network->class != &dmm_network_aks)
        return DMM_MODEL_UNSUPPORTED;
    work w = {
        .rules = &network->rules, .items = items, .node = malloc(network->wires * sizeof *w.node)};
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
