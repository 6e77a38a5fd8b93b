/* SPDX-License-Identifier: MIT */
/*
 * Random matchings, and separators of halvers: A. Fischer 2020, sections 2.1.3 and 2.1.4.
 *
 * Layer 0 halves the a wires. Each later layer works on both sides alike; here is the left one. The
 * fringe is to get the f/2 smallest items. Layer 1 takes the outermost wires, a - 2^(t-1) f of
 * them, and its lower half, with the wires of the left half that it left out, makes 2^(t-1) f / 2
 * wires. Layers 2 .. t halve these until f/2 are left, the outermost ones. So layer 1 is to keep
 * f/2 wires or more, f/2 <= outer, which holds for all separators of an AKS network:
 *
 *     0         outer      2 outer             a/2
 *     | layer 1: low | high   | left out          |
 *     | kept         |        | kept              |   layer 2 halves what is kept
 */
#include "network.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* ---- Philox ---------------------------------------------------------------------------------- */

static uint64_t product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

void dmm_philox(uint32_t out[4], const uint32_t counter[4], uint64_t key)
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
    for (int round = 0; round < 10; round++) {
        const uint64_t p = product(0xd2511f53, c[0]), q = product(0xcd9e8d57, c[2]);
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
            (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
        for (int i = 0; i < 4; i++)
            c[i] = next[i];
        k[0] += 0x9e3779b9;
        k[1] += 0xbb67ae85;
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

/* The bias of a number below 2^28 from 32 random bits is below 1/16 of its probability; for halves
 * of 2^16 wires, below 2^-16. */
void dmm_matching_shuffle(
    uint32_t *out, uint32_t count, uint64_t seed, const dmm_matching_name *name)
{
    uint32_t counter[4] = {0, name->matching, name->node, name->place}, words[4] = {0};
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++)
        out[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        if (left == 0) {
            dmm_philox(words, counter, seed);
            counter[0]++;
            left = 4;
        }
        const uint32_t j = (uint32_t)(product(words[--left], i) >> 32), moved = out[i - 1];
        out[i - 1] = out[j];
        out[j] = moved;
    }
}

/* ---- Epsilons -------------------------------------------------------------------------------- */

static const double default_epsilon_b = 0.00243;

/* Solves 1/128 - (delta/2) (1 + 1/(1 - 64 delta^2)) = epsilon_b by bisection: the left side
 * falls. */
static double delta_of(double epsilon_b)
{
    double low = 0, high = 1.0 / 64;
    for (int i = 0; i < 60; i++) {
        const double delta = (low + high) / 2;
        const double left = 1.0 / 128 - delta / 2 * (1 + 1 / (1 - 64 * delta * delta));
        if (left > epsilon_b)
            low = delta;
        else
            high = delta;
    }
    return low;
}

/* The smallest t with 2^t f >= a. */
static uint32_t halvings(uint32_t a, uint32_t f)
{
    uint32_t t = 0;
    while (f != 0 && (uint64_t)f << t < a)
        t++;
    return t;
}

bool dmm_separator_exists(uint32_t a, uint32_t f)
{
    const uint32_t t = halvings(a, f);
    return t == 0 || (uint64_t)f + ((uint64_t)f << (t - 1)) <= a;
}

/* The epsilon of a separator's halvers. */
static double halver_epsilon(double epsilon_b, double epsilon_f, uint32_t t)
{
    const double share = epsilon_f / (t + 1);
    return t == 0 || epsilon_b < share ? epsilon_b : share;
}

dmm_model_status dmm_model_separator_epsilons(
    dmm_model_epsilons *out, double epsilon_b, uint32_t wires, uint32_t fringe)
{
    if (!out)
        return DMM_MODEL_NULL_ARGUMENT;
    epsilon_b = epsilon_b == 0 ? default_epsilon_b : epsilon_b;
    if (!(epsilon_b >= 0.0001 && epsilon_b <= 0.0077) || fringe > wires)
        return DMM_MODEL_BAD_VALUE;
    const double delta = delta_of(epsilon_b), epsilon_f = 2 * delta * (1 - 16 * delta);
    *out = (dmm_model_epsilons){.epsilon_b = epsilon_b,
        .delta = delta,
        .epsilon_f = epsilon_f,
        .halver = halver_epsilon(epsilon_b, epsilon_f, halvings(wires, fringe))};
    return DMM_MODEL_OK;
}

uint64_t dmm_model_halver_matchings(double epsilon)
{
    if (!(epsilon >= 1e-6 && epsilon <= 0.5))
        return 0;
    const double mu = ceil(1 / epsilon) - 1;
    const double left = log(3 * (mu + 1)) + mu + 2;
    return (uint64_t)floor(left / -log1p(-1 / (mu + 1))) + 1;
}

/* ---- Separators ------------------------------------------------------------------------------ */

dmm_separator_rules dmm_separator_rules_of(const dmm_model_network_desc *desc)
{
    dmm_model_epsilons epsilons = {0};
    dmm_model_separator_epsilons(&epsilons, desc->epsilon_b, 2, 0);
    return (dmm_separator_rules){.matchings = desc->matchings,
        .perfect = desc->perfect,
        .epsilon_b = epsilons.epsilon_b,
        .epsilon_f = epsilons.epsilon_f};
}

static uint32_t matchings_of(uint32_t a, uint32_t t, const dmm_separator_rules *rules)
{
    enum { SMALL = 100 };
    if (rules->matchings != 0 || rules->perfect)
        return rules->matchings != 0 ? rules->matchings : 30;
    const double epsilon = halver_epsilon(rules->epsilon_b, rules->epsilon_f, t);
    return a < SMALL ? 250 : a <= 1 / epsilon ? 800 : 500;
}

/* A block of k items may have epsilon * k errors: below 1, none. */
dmm_separator dmm_separator_of(uint32_t a, uint32_t f, const dmm_separator_rules *rules)
{
    const uint32_t t = halvings(a, f);
    return (dmm_separator){.a = a,
        .f = f,
        .layers = t + 1,
        .outer = t > 0 ? (a - (f << (t - 1))) / 2 : 0,
        .matchings = matchings_of(a, t, rules),
        .perfect_first = rules->perfect && rules->epsilon_b * (a / 2) < 1,
        .perfect_rest = rules->perfect && rules->epsilon_f * (f / 2) < 1};
}

/* Wires of a halver of that layer. */
static uint32_t halver_wires(const dmm_separator *s, uint32_t layer)
{
    return layer == 0 ? s->a : layer == 1 ? 2 * s->outer : s->f << (s->layers - 1 - layer);
}

static uint32_t layer_depth(const dmm_separator *s, uint32_t layer)
{
    const bool perfect = layer == 0 ? s->perfect_first : s->perfect_rest;
    return perfect ? halver_wires(s, layer) / 2 : s->matchings;
}

uint64_t dmm_separator_depth(const dmm_separator *s)
{
    uint64_t depth = 0;
    for (uint32_t layer = 0; layer < s->layers; layer++)
        depth += layer_depth(s, layer);
    return depth;
}

uint64_t dmm_separator_comparators(const dmm_separator *s)
{
    uint64_t comparators = 0;
    for (uint32_t layer = 0; layer < s->layers; layer++)
        comparators +=
            (uint64_t)layer_depth(s, layer) * (halver_wires(s, layer) / 2) * (layer == 0 ? 1 : 2);
    return comparators;
}

/* Position of number q of what layer 2 and later ones keep. */
static uint32_t kept(const dmm_separator *s, uint32_t layer, uint32_t q)
{
    return layer < 2 || q < s->outer ? q : q + s->outer;
}

uint64_t dmm_separator_step(dmm_model_comparator *out, const dmm_separator *s, uint64_t step,
    const uint32_t *list, uint32_t *shuffled, uint64_t seed, uint32_t node, uint32_t place)
{
    uint64_t count = 0;
    uint32_t layer = 0;
    for (; layer < s->layers && step >= layer_depth(s, layer); layer++)
        step -= layer_depth(s, layer);
    if (layer == s->layers)
        return 0;
    const uint32_t half = halver_wires(s, layer) / 2, last = s->a - 1, m = (uint32_t)step;
    const bool perfect = layer == 0 ? s->perfect_first : s->perfect_rest;
    for (uint32_t side = 0; side < (layer == 0 ? 1u : 2u); side++) {
        const dmm_matching_name name = {m, node, place + 2 * layer + side};
        if (!perfect)
            dmm_matching_shuffle(shuffled, half, seed, &name);
        for (uint32_t i = 0; i < half; i++) {
            const uint32_t j = half + (perfect ? (i + m) % half : shuffled[i]);
            const uint32_t outer = kept(s, layer, i), inner = kept(s, layer, j);
            out[count++] = side == 0
                               ? (dmm_model_comparator){list[outer], list[inner]}
                               : (dmm_model_comparator){list[last - inner], list[last - outer]};
        }
    }
    return count;
}
