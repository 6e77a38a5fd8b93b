/* SPDX-License-Identifier: MIT */
/* Exact counts of networks of 2^d wires, d in the thousands: numbers of many words, and sums of
 * small ones times powers of two. */
#include <stdbool.h>
#include <string.h>

#include "network.h"

enum { WORD_BITS = 32 };

/* Adds value * 2^shift. */
static void add(uint32_t *words, uint64_t value, uint32_t shift)
{
    uint64_t carry = 0;
    const uint32_t bits = shift % WORD_BITS;
    const uint32_t parts[3] = {(uint32_t)(value << bits), (uint32_t)(value >> (WORD_BITS - bits)),
        bits != 0 ? (uint32_t)(value >> (2 * WORD_BITS - bits)) : 0};
    for (uint32_t i = shift / WORD_BITS, part = 0; part < 3 || carry != 0; i++, part++) {
        carry += (uint64_t)words[i] + (part < 3 ? parts[part] : 0);
        words[i] = (uint32_t)carry;
        carry >>= WORD_BITS;
    }
}

static uint64_t odd_even_comparators(uint32_t n, uint32_t from)
{
    dmm_model_comparator pairs[DMM_AKS_BLOCK];
    uint64_t count = 0;
    bool over = false;
    for (uint64_t step = 0; !over; step++)
        count += dmm_odd_even_step(pairs, 0, n, from, step, &over);
    return count;
}

static void count_bitonic(dmm_model_large_counts *out, uint32_t d)
{
    out->steps = (uint64_t)d * (d + 1) / 2;
    add(out->words, out->steps, d - 1);
}

/* One round. Most nodes are as large as the one before, times a power of two. */
static void count_round(
    dmm_model_large_counts *out, uint32_t d, uint32_t t, const dmm_separator_rules *rules)
{
    uint64_t deepest = 0, comparators = 0;
    dmm_aks_node before = {0};
    for (uint32_t i = dmm_aks_first_level(d, t); i <= dmm_aks_last_level(t); i += 2) {
        const dmm_aks_node node = dmm_aks_node_of(d, i, t);
        if (node.a != before.a || node.f != before.f) {
            const dmm_separator s = dmm_separator_of(node.a, node.f, rules);
            const uint64_t depth = dmm_separator_depth(&s);
            comparators = dmm_separator_comparators(&s);
            deepest = depth > deepest ? depth : deepest;
            before = node;
        }
        add(out->words, comparators, i + node.shift);
    }
    out->steps += deepest;
}

static void count_aks(dmm_model_large_counts *out, uint32_t d, bool perfect, double epsilon_b)
{
    enum { BLOCK_EXPONENT = 6 };
    const dmm_model_network_desc desc = {
        .kind = DMM_MODEL_AKS, .perfect = perfect, .epsilon_b = epsilon_b};
    const dmm_separator_rules rules = dmm_separator_rules_of(&desc);
    for (uint32_t t = 0; t < dmm_aks_rounds(d); t++)
        count_round(out, d, t, &rules);
    const uint64_t merge = odd_even_comparators(2 * DMM_AKS_BLOCK, DMM_AKS_BLOCK);
    const uint32_t blocks = d - BLOCK_EXPONENT;
    add(out->words, odd_even_comparators(DMM_AKS_BLOCK, 1), blocks);
    out->steps += 21;
    for (uint32_t repair = 0; repair < DMM_AKS_REPAIRS; repair++) {
        out->steps += 7;
        for (uint32_t i = 0; repair % 2 == 0 && i < blocks - 1; i++)
            add(out->words, merge, i); /* 2^(blocks - 1) - 1 merges */
        if (repair % 2 != 0)
            add(out->words, merge, blocks - 1);
    }
}

dmm_model_status dmm_model_network_count_large(
    dmm_model_large_counts *out, dmm_model_count_kind kind, uint32_t exponent)
{
    return dmm_model_network_count_epsilon(out, kind, exponent, 0);
}

dmm_model_status dmm_model_network_count_epsilon(
    dmm_model_large_counts *out, dmm_model_count_kind kind, uint32_t exponent, double epsilon_b)
{
    const bool aks = kind != DMM_MODEL_COUNT_BITONIC;
    dmm_model_epsilons epsilons;
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    if ((unsigned)kind > DMM_MODEL_COUNT_AKS_PERFECT || exponent < (aks ? 8u : 1u) ||
        exponent > DMM_MODEL_COUNT_EXPONENT_MAX || (aks && exponent % 4 != 0) ||
        dmm_model_separator_epsilons(&epsilons, epsilon_b, 2, 0) != DMM_MODEL_OK)
        return DMM_MODEL_BAD_VALUE;
    memset(out, 0, sizeof *out);
    if (aks)
        count_aks(out, exponent, kind == DMM_MODEL_COUNT_AKS_PERFECT, epsilon_b);
    else
        count_bitonic(out, exponent);
    return DMM_MODEL_OK;
}

int dmm_model_large_counts_compare(const dmm_model_large_counts *a, const dmm_model_large_counts *b)
{
    for (int i = DMM_MODEL_COUNT_WORDS; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] > b->words[i] ? 1 : -1;
    return 0;
}
