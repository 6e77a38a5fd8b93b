/* SPDX-License-Identifier: MIT */
/*
 * Runs any sorting network, or any other network of comparators, on rows of items.
 *
 * Network        a list of steps; each compares pairs of wires, no wire twice, and leaves the item
 *                that comes first on wire `low`. <dmm-model/network.h> makes some
 * Rows           n is a multiple of the number of wires: the network runs on each n / wires rows
 * In place       yes, and out of place with the inputs untouched
 * Stable         as the network: ties stay. Whether items end up sorted depends on it, too
 * Cost           consecutive steps share a launch as long as each set of wires that they connect
 *                fits a tile of T items; a launch reads and writes each of its wires once
 * Bank claim     GPU form: `conflict-free`, for every network. The CPU form: no local memory
 * Temp           none; an object owns 4 to 16 bytes of device memory a comparator
 *
 * Details
 * Accesses       to keys depend on the network and on n only, not on keys or values. The GPU form
 *                fetches values from places of a tile that depend on the keys; dmm_sort by method
 *                network does not
 * Creation       takes host time for each comparator: the network is planned. The comparators of a
 *                step are dealt to the lanes such that each w of them read and write w banks twice
 *                (Petersen's theorem on 2-factors, as a graph of banks)
 * Memory         A larger network runs in parts: create an object for some steps, enqueue, free it,
 *                go on with the next steps on the same items
 * Source         D. Knuth, The Art of Computer Programming 3, 1998, section 5.3.4; J. Petersen,
 *                "Die Theorie der regulaeren graphs", Acta Math. 15, 1891, DOI 10.1007/BF02392606
 */
#ifndef DMM_NETWORK_H
#define DMM_NETWORK_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_comparator {
    uint32_t low, high;
} dmm_comparator;

typedef struct dmm_network_desc {
    dmm_order order;
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    uint32_t wires;       /* at most 2^28; 0: 1, which no comparator can have */
    const dmm_comparator *pairs; /* read in create only; at most 2^30 */
    const uint64_t *ends; /* step i has pairs[ends[i - 1] .. ends[i] - 1], step 0 from 0 on */
    uint64_t steps;
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* form, u, E (u*E a power of two, at most 2^15); tile (CPU form) */
    uint64_t reserved[4]; /* 0 */
} dmm_network_desc;

/* Spans hold n items each; outputs are equal to the inputs or apart from them. */
typedef struct dmm_network_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span temp;        /* none needed */
    uint64_t reserved[4]; /* 0 */
} dmm_network_args;

/* Built for one context, one network and one type of items; for one thread at a time. It owns
 * device memory, which executions only read. */
typedef struct dmm_network dmm_network;

/*
 * Checks the steps of a description, as create does. DMM_NULL_ARGUMENT; DMM_BAD_VALUE: too
 * many wires, or an end below the one before it; DMM_TOO_LARGE: too many comparators;
 * DMM_OUT_OF_MEMORY; DMM_BAD_DATA: a comparator has a wire beyond the last, the same wire twice, or
 * a wire that its step has had already: *position (may be NULL) is the index of the first one.
 */
DMM_API dmm_status dmm_network_check(const dmm_network_desc *desc, uint64_t *position);

/* Checks the network, plans it on the host, and blocks. Errors: those of dmm_network_check,
 * DMM_BAD_VALUE, DMM_UNSUPPORTED (a `less` of doubles without fp64), DMM_BAD_PARAMETERS,
 * DMM_BUILD_FAILED, OpenCL's. On failure *out is NULL; the log says which comparator is wrong. */
DMM_API dmm_status dmm_network_create(
    dmm_network **out, dmm_context *ctx, const dmm_network_desc *desc);
/* Writes 0: a call needs no temp. Errors in n as enqueue. */
DMM_API dmm_status dmm_network_temp_bytes(uint64_t *out, const dmm_network *network, uint64_t n);
/* Errors and events as dmm_sort_enqueue; DMM_BAD_VALUE: n is no multiple of the wires. */
DMM_API dmm_status dmm_network_enqueue(dmm_network *network, cl_command_queue queue,
    const dmm_network_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* Executions in flight must have finished. NULL is fine. */
DMM_API void dmm_network_free(dmm_network *network);
/* Runs on host arrays in place, and blocks. values is NULL for keys alone. */
DMM_API dmm_status dmm_network_host(
    dmm_context *ctx, const dmm_network_desc *desc, void *keys, void *values, size_t n);

/* Returns the number of launches of a call: runs of steps that share a tile. 0 for NULL. */
DMM_API uint64_t dmm_network_launches(const dmm_network *network);

#ifdef __cplusplus
}
#endif

#endif
