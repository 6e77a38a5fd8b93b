/* SPDX-License-Identifier: MIT */
/*
 * Writes the items that a map gives, for primitives that read their input many times: the first
 * step of a call (cl/input_store.cl).
 */
#ifndef DMM_PRIMITIVES_MAPPING_STORE_H
#define DMM_PRIMITIVES_MAPPING_STORE_H

#include "primitives/mapping.h"

/* Returns the texts of a map to items of an order, to be freed; NULL: out of memory. */
char *dmm_mapping_store_prelude(const dmm_map *map, const dmm_order *order);

typedef struct dmm_mapping_store {
    dmm_mapping mapping; /* inputs == 0: no map, and no kernel */
    cl_kernel kernel;
    uint32_t u;
    uint32_t bytes; /* bytes of an item that the map gives */
} dmm_mapping_store;

/* For init: checks the map, which may be NULL, and creates the kernel. order: of the items. max_n:
 * as in the description. */
dmm_status dmm_mapping_store_init(void *object, dmm_mapping_store *store, const dmm_map *map,
    const dmm_order *order, uint64_t max_n);

/* A call's input and output. */
typedef struct dmm_mapping_store_spans {
    dmm_span in, out, count;
    const dmm_span *further;
} dmm_mapping_store_spans;

/* For steps: enqueues it; nothing without a map. */
dmm_status dmm_mapping_store_run(
    const dmm_mapping_store *store, const dmm_call *call, const dmm_mapping_store_spans *spans);

#endif
