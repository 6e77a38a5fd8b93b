/* SPDX-License-Identifier: MIT */
#include "network.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Stored networks ------------------------------------------------------------------------ */

uint64_t dmm_network_stored_next(dmm_model_network *network)
{
    const uint64_t step = network->step;
    if (step == network->steps)
        return 0;
    return network->ends[step] - (step ? network->ends[step - 1] : 0);
}

static const dmm_network_class stored = {.next = dmm_network_stored_next};

/* True if the comparators are disjoint and on wires below n. `last`: for each wire the last step
 * that has it, 0: none. */
static bool is_matching(const dmm_model_comparator *pairs, uint64_t count, uint32_t wires,
    uint64_t *last, uint64_t step)
{
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t low = pairs[i].low, high = pairs[i].high;
        if (low >= wires || high >= wires || low == high || last[low] == step || last[high] == step)
            return false;
        last[low] = last[high] = step;
    }
    return true;
}

static dmm_model_status check_steps(
    uint32_t wires, const dmm_model_comparator *pairs, const uint64_t *ends, uint64_t steps)
{
    dmm_model_status status = DMM_MODEL_OK;
    uint64_t *last = calloc(wires, sizeof *last);
    if (!last)
        return DMM_MODEL_OUT_OF_MEMORY;
    for (uint64_t i = 0, from = 0; i < steps && status == DMM_MODEL_OK; from = ends[i++])
        if (ends[i] <= from || !is_matching(pairs + from, ends[i] - from, wires, last, i + 1))
            status = DMM_MODEL_BAD_DATA;
    free(last);
    return status;
}

static void network_free(dmm_model_network *network)
{
    if (network->aks)
        dmm_aks_free(network->aks);
    free(network->shuffled);
    free(network->ends);
    free(network->pairs);
    free(network);
}

dmm_model_status dmm_model_network_create_of(dmm_model_network **out, uint32_t wires,
    const dmm_model_comparator *pairs, const uint64_t *ends, uint64_t steps)
{
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = NULL;
    if (steps && (!pairs || !ends))
        return DMM_MODEL_NULL_ARGUMENT;
    if (wires == 0 || wires > DMM_MODEL_WIRES_MAX)
        return DMM_MODEL_BAD_VALUE;
    const dmm_model_status status = check_steps(wires, pairs, ends, steps);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_model_network *network = calloc(1, sizeof *network);
    if (!network)
        return DMM_MODEL_OUT_OF_MEMORY;
    const uint64_t count = steps ? ends[steps - 1] : 0;
    *network = (dmm_model_network){.class = &stored, .wires = wires, .steps = steps};
    network->pairs = malloc((size_t)(count ? count : 1) * sizeof *pairs);
    network->ends = malloc((size_t)(steps ? steps : 1) * sizeof *ends);
    if (!network->pairs || !network->ends) {
        network_free(network);
        return DMM_MODEL_OUT_OF_MEMORY;
    }
    if (steps) {
        memcpy(network->pairs, pairs, (size_t)count * sizeof *pairs);
        memcpy(network->ends, ends, (size_t)steps * sizeof *ends);
    }
    *out = network;
    return DMM_MODEL_OK;
}

/* ---- Generated networks --------------------------------------------------------------------- */

static const dmm_network_class *const classes[] = {&dmm_network_bitonic, &dmm_network_odd_even,
    &dmm_network_merge_exchange, &dmm_network_pairwise, &dmm_network_best, &dmm_network_separator,
    &dmm_network_separator, &dmm_network_separator, &dmm_network_aks};

/* True if the kind has separators, and so the fields of the description that are theirs. */
static bool has_separators(dmm_model_network_kind kind)
{
    return kind == DMM_MODEL_SEPARATOR || kind == DMM_MODEL_AKS;
}

static dmm_model_status check_desc(const dmm_model_network_desc *desc)
{
    const uint32_t n = desc->wires;
    const bool halves = desc->kind >= DMM_MODEL_HALVER && desc->kind <= DMM_MODEL_SEPARATOR;
    dmm_model_epsilons epsilons;
    if ((unsigned)desc->kind > DMM_MODEL_AKS || n == 0 || n > DMM_MODEL_WIRES_MAX ||
        desc->matchings > DMM_MODEL_MATCHINGS_MAX)
        return DMM_MODEL_BAD_VALUE;
    if (desc->fringe % 2 != 0 || desc->fringe > n ||
        (desc->fringe != 0 && desc->kind != DMM_MODEL_SEPARATOR))
        return DMM_MODEL_BAD_VALUE;
    if (!has_separators(desc->kind) && (desc->perfect || desc->epsilon_b != 0))
        return DMM_MODEL_BAD_VALUE;
    if (dmm_model_separator_epsilons(&epsilons, desc->epsilon_b, 2, 0) != DMM_MODEL_OK)
        return DMM_MODEL_BAD_VALUE;
    if (halves && (n % 2 != 0 || !dmm_separator_exists(n, desc->fringe)))
        return DMM_MODEL_UNSUPPORTED;
    return DMM_MODEL_OK;
}

dmm_model_status dmm_model_network_create(
    dmm_model_network **out, const dmm_model_network_desc *desc)
{
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    *out = NULL;
    if (!desc)
        return DMM_MODEL_NULL_ARGUMENT;
    dmm_model_status status = check_desc(desc);
    if (status != DMM_MODEL_OK)
        return status;
    dmm_model_network *network = calloc(1, sizeof *network);
    if (!network)
        return DMM_MODEL_OUT_OF_MEMORY;
    network->desc = *desc;
    network->class = classes[desc->kind];
    network->wires = desc->wires;
    if (network->class->init)
        status = network->class->init(network);
    if (status == DMM_MODEL_OK && !network->pairs) {
        network->pairs = malloc((network->wires / 2 + (size_t)1) * sizeof *network->pairs);
        status = network->pairs ? DMM_MODEL_OK : DMM_MODEL_OUT_OF_MEMORY;
    }
    if (status != DMM_MODEL_OK) {
        network_free(network);
        return status;
    }
    dmm_model_network_rewind(network);
    *out = network;
    return DMM_MODEL_OK;
}

void dmm_model_network_free(dmm_model_network *network)
{
    if (network)
        network_free(network);
}

uint32_t dmm_model_network_wires(const dmm_model_network *network)
{
    return network ? network->wires : 0;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

int dmm_model_network_next(dmm_model_network_step *out, dmm_model_network *network)
{
    uint64_t count;
    do {
        count = network->class->next(network);
        network->step += count != 0;
    } while (count == DMM_NETWORK_EMPTY);
    if (count == 0)
        return false;
    out->pairs = network->pairs;
    if (network->ends && network->step >= 2)
        out->pairs += network->ends[network->step - 2];
    out->count = count;
    return true;
}

void dmm_model_network_rewind(dmm_model_network *network)
{
    network->step = 0;
    if (network->class->rewind)
        network->class->rewind(network);
}

dmm_model_network_counts dmm_model_network_count(dmm_model_network *network)
{
    dmm_model_network_counts counts = {0};
    dmm_model_network_step step;
    dmm_model_network_rewind(network);
    while (dmm_model_network_next(&step, network)) {
        counts.steps++;
        counts.comparators += step.count;
    }
    dmm_model_network_rewind(network);
    return counts;
}

void dmm_model_network_apply(uint64_t *items, const dmm_model_network_step *step)
{
    for (uint64_t i = 0; i < step->count; i++) {
        const dmm_model_comparator pair = step->pairs[i];
        const uint64_t a = items[pair.low], b = items[pair.high];
        items[pair.low] = a < b ? a : b;
        items[pair.high] = a < b ? b : a;
    }
}

void dmm_model_network_run(uint64_t *items, dmm_model_network *network)
{
    dmm_model_network_step step;
    dmm_model_network_rewind(network);
    while (dmm_model_network_next(&step, network))
        dmm_model_network_apply(items, &step);
    dmm_model_network_rewind(network);
}
