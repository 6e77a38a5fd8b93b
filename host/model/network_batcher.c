/* SPDX-License-Identifier: MIT */
/*
 * Networks with a formula for each step. All comparators leave the smaller item on the wire of the
 * smaller number. So a network for n wires is one for 2^k wires without the comparators of wires
 * beyond: items there that are greater than all others would never move.
 */
#include <stdbool.h>

#include "network.h"

static uint64_t append(dmm_model_comparator *out, uint64_t count, uint32_t low, uint32_t high)
{
    out[count] = (dmm_model_comparator){low, high};
    return count + 1;
}

static uint64_t or_empty(uint64_t count)
{
    return count ? count : DMM_NETWORK_EMPTY;
}

/* ---- Bitonic --------------------------------------------------------------------------------- */

/* Sets *mask to that of a step: wire i is compared with i ^ mask. Stage k merges runs of 2^(k - 1)
 * items: the first step mirrors, with the mask 2^k - 1, the others have 2^(k - 2), ..., 1. False
 * after the last step for n wires. */
static bool bitonic_mask(uint32_t *mask, uint64_t step, uint32_t n)
{
    uint32_t stage = 1;
    while (step >= stage) {
        step -= stage;
        stage++;
    }
    if (UINT64_C(1) << (stage - 1) >= n)
        return false;
    *mask = step == 0 ? (uint32_t)((UINT64_C(1) << stage) - 1) : UINT32_C(1) << (stage - 1 - step);
    return true;
}

static uint64_t bitonic_next(dmm_model_network *network)
{
    const uint32_t n = network->wires;
    uint64_t count = 0;
    uint32_t mask;
    if (!bitonic_mask(&mask, network->step, n))
        return 0;
    for (uint32_t i = 0; i < n; i++)
        if (i < (i ^ mask) && (i ^ mask) < n)
            count = append(network->pairs, count, i, i ^ mask);
    return count;
}

const dmm_network_class dmm_network_bitonic = {.next = bitonic_next};

/* ---- Odd-even merge sort --------------------------------------------------------------------- */

/* Step (p, k) of merging runs of p: k = p, p/2, ..., 1. */
static uint64_t odd_even_pairs(
    dmm_model_comparator *out, uint32_t base, uint32_t n, uint32_t p, uint32_t k)
{
    uint64_t count = 0;
    for (uint32_t j = k % p; j + k < n; j += 2 * k)
        for (uint32_t i = j; i < j + k && i + k < n; i++)
            if (i / (2 * p) == (i + k) / (2 * p))
                count = append(out, count, base + i, base + i + k);
    return count;
}

uint64_t dmm_odd_even_step(
    dmm_model_comparator *out, uint32_t base, uint32_t n, uint32_t from, uint64_t step, bool *over)
{
    uint32_t p = from, steps = 1;
    for (uint32_t q = from; q > 1; q /= 2)
        steps++;
    for (; p < n && step >= steps; p *= 2)
        step -= steps++;
    *over = p >= n;
    return *over ? 0 : odd_even_pairs(out, base, n, p, p >> step);
}

static uint64_t odd_even_next(dmm_model_network *network)
{
    bool over;
    return dmm_odd_even_step(network->pairs, 0, network->wires, 1, network->step, &over);
}

const dmm_network_class dmm_network_odd_even = {.next = odd_even_next};

/* ---- Merge exchange -------------------------------------------------------------------------- */

/* Algorithm M: for p = 2^(t-1), ..., 1: first the wires d = p apart, then, for q = 2^(t-1), ...,
 * 2p, those q - p apart. */
static uint64_t merge_exchange_next(dmm_model_network *network)
{
    const uint32_t n = network->wires;
    uint64_t count = 0, step = network->step;
    uint32_t top = 1, p, q, steps = 1;
    if (n < 2)
        return 0;
    while (top < n - top)
        top *= 2;
    for (p = top; p > 0 && step >= steps; p /= 2)
        step -= steps++;
    if (p == 0)
        return 0;
    q = step == 0 ? p : top >> (step - 1);
    const uint32_t r = step == 0 ? 0 : p, d = step == 0 ? p : q - p;
    for (uint32_t i = 0; i < n - d; i++)
        if ((i & p) == r)
            count = append(network->pairs, count, i, i + d);
    return or_empty(count);
}

const dmm_network_class dmm_network_merge_exchange = {.next = merge_exchange_next};

/* ---- Pairwise -------------------------------------------------------------------------------- */

/* Wires b with (b / a) of the given parity are compared with those `distance` before them. */
static uint64_t pairwise_pairs(
    dmm_model_comparator *out, uint32_t n, uint32_t a, uint32_t from, uint64_t distance)
{
    uint64_t count = 0;
    for (uint64_t b = from; b < n; b += 2 * (uint64_t)a)
        for (uint64_t i = b; i < b + a && i < n; i++)
            count = append(out, count, (uint32_t)(i - distance), (uint32_t)i);
    return or_empty(count);
}

/* First pairs at distance 1, 2, 4, ...; then, for a falling from n/4, wires d * a apart with d = e,
 * e/2, ..., 1, where e = 1, 3, 7, ... grows. */
static uint64_t pairwise_next(dmm_model_network *network)
{
    const uint32_t n = network->wires;
    uint64_t step = network->step, a = 1;
    for (; a < n; a *= 2)
        if (step-- == 0)
            return pairwise_pairs(network->pairs, n, (uint32_t)a, (uint32_t)a, a);
    uint64_t e = 1;
    for (a /= 4; a > 0; a /= 2, e = 2 * e + 1)
        for (uint64_t d = e; d > 0; d /= 2)
            if (step-- == 0)
                return pairwise_pairs(
                    network->pairs, n, (uint32_t)a, (uint32_t)((d + 1) * a), d * a);
    return 0;
}

const dmm_network_class dmm_network_pairwise = {.next = pairwise_next};
