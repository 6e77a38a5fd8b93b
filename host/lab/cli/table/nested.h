/* SPDX-License-Identifier: MIT */
/*
 * Translation of a virtual machine's addresses: the guest translates to its memory, and every
 * access to that memory, of data or of a node of the guest's tree, is translated by the host. Both
 * trees and caches are those of <dmm-model/translation.h>, under ISLRU, whose cache holds an
 * initial segment of the tree: what a walk misses are the lowest nodes of its path.
 * Source: T. Jurkiewicz 2013, section 2.6.1, which has no model of it.
 */
#ifndef DMM_LAB_NESTED_H
#define DMM_LAB_NESTED_H

#include <dmm-model/translation.h>

#include <stdbool.h>

typedef struct nested_counts {
    uint64_t translations;
    uint64_t guest; /* nodes inserted into the guest's cache */
    uint64_t host;  /* nodes inserted into the host's */
} nested_counts;

typedef struct nested_machine {
    dmm_model_translation machine; /* of both */
    dmm_model_translator *guest, *host;
    dmm_model_status status; /* of what failed first */
    nested_counts counts;
} nested_machine;

/* Creates both caches, empty. `machine`: of both; its eviction is ISLRU. */
dmm_model_status nested_create(nested_machine *out, const dmm_model_translation *machine);
/* Translates addresses of the guest, all below 2^32. */
void nested_add(nested_machine *nested, const uint64_t *addresses, uint64_t n);
void nested_free(nested_machine *nested);

/*
 * Translation faults of a trace if the cache is cut in parts, one for each layer of the tree, each
 * an LRU of its own: theorem 2.32's strategy. C(a K^i P, K^i P, n) summed over the layers, with a =
 * floor((W - 1) / d): the root, which the theorem's d parts leave out, takes a cell.
 */
uint64_t layered_faults(
    const dmm_model_translation *machine, const uint64_t *addresses, uint64_t n);

#endif
