/* SPDX-License-Identifier: MIT */
/* Networks of comparators for tests of dmm_network, and a host that runs them one by one. */
#ifndef DMM_TESTS_NETWORK_LIST_H
#define DMM_TESTS_NETWORK_LIST_H

#include <dmm-model/network.h>
#include <dmm/network.h>

#include "support/kind.h"
#include "support/rig.h"

typedef struct network_list {
    uint32_t wires;
    int sorts;
    dmm_comparator *pairs;
    uint64_t *ends;
    uint64_t steps, num_pairs;
} network_list;

/* The network of a description, to be freed. sorts: it sorts, which its judge then checks, too. */
network_list network_list_of(dmm_model_network_desc desc, int sorts);
/* Steps of a random number of random comparators between wires that are at most `reach` apart. */
network_list network_list_random(uint32_t wires, uint64_t steps, uint32_t reach, uint64_t seed);
void network_list_free(network_list *l);

/* Runs the network on the device and judges each row of wires; the inputs' shape is the seed's. */
void network_run(const rig *r, const network_list *l, const kind *k, uint32_t value_bytes,
    dmm_tuning tuning, uint64_t num_rows, int in_place, uint64_t seed);

#endif
