/* SPDX-License-Identifier: MIT */
/* Makes networks and inputs for their tests. */
#ifndef DMM_TESTS_NETWORK_CASE_H
#define DMM_TESTS_NETWORK_CASE_H

#include "support/require.h"

#include <stdlib.h>

#include <dmm-model/network.h>

#include "support/random.h"

static const char *const network_names[] = {"bitonic", "odd-even", "merge exchange", "pairwise",
    "best", "halver", "perfect halver", "separator", "AKS"};

static inline dmm_model_network *network_make(dmm_model_network_desc desc)
{
    dmm_model_network *network = NULL;
    test_note("%s, n = %u, seed %llu", network_names[desc.kind], desc.wires,
        (unsigned long long)desc.seed);
    REQUIRE_OK(dmm_model_network_create(&network, &desc));
    return network;
}

/* A random permutation of 0..n - 1, to be freed. */
static inline uint64_t *network_input(uint32_t n, uint64_t seed)
{
    random_source random = {seed};
    uint64_t *items = malloc(n * sizeof *items);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t j = random_below(&random, i + 1);
        items[i] = items[j];
        items[j] = i;
    }
    return items;
}

static inline uint64_t network_misplaced(const uint64_t *items, uint32_t n)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        count += items[i] != i;
    return count;
}

#endif
