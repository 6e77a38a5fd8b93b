/* SPDX-License-Identifier: MIT */
/*
 * A known permutation, prepared once and executed any number of times: built on the host into
 * moves inside tiles, and transpositions between them, none of which has a bank conflict.
 *
 * In place       yes (out equal to in), and out of place with the input untouched
 * Cost           up to T items, a tile: one pass over items and plan; more items: see Details
 * Bank claim     every kernel `conflict-free`, on any permutation. CPU form: no local memory
 * Memory         a plan owns four bytes of device memory an item and pass
 * Temp           up to T items none, in place n; more: 2n items, n rounded up to T * a power of 2
 *
 * Details
 * Cost           T is u*E, in the CPU form `tile`. A pass reads an item and four bytes of the plan
 *                and writes the item. Up to T^2 items: three passes, two transpositions; two and
 *                two more for each further factor of T. Building: log2 T host steps an item a pass
 * Source         K. Nakano, "Simple Memory Machine Models for GPUs", IPDPSW 2012, DOI
 *                10.1109/IPDPSW.2012.98 (permutation by colouring); D. Koenig, "Ueber Graphen und
 *                ihre Anwendung auf Determinantentheorie und Mengenlehre", Math. Annalen 77, 1916,
 *                DOI 10.1007/BF01456961; H. Gabow, "Using Euler Partitions to Edge Color Bipartite
 *                Multigraphs", Int. J. Comput. Inf. Sci. 5, 1976, DOI 10.1007/BF00998632
 */
#ifndef DMM_PERMUTATION_PLAN_H
#define DMM_PERMUTATION_PLAN_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where item i goes; n items. */
typedef enum dmm_plan_kind {
    DMM_PLAN_INDEX = 0,        /* to index[i] */
    DMM_PLAN_BIT_REVERSAL = 1, /* to the number of i's bits in reverse; n a power of two */
    DMM_PLAN_TRANSPOSE = 2,    /* as a matrix of `argument` rows is transposed; they divide n */
    DMM_PLAN_STRIDE = 3,       /* to i * `argument` mod n; the two have no common divisor */
    DMM_PLAN_SHUFFLE = 4       /* to dmm_shuffle_place(`argument`, n, i) */
} dmm_plan_kind;

typedef struct dmm_permutation_plan_desc {
    uint32_t item_bytes; /* 1 to 256; 0: 4 */
    dmm_plan_kind kind;
    uint64_t n; /* at most 2^31 */
    uint64_t argument;
    const uint64_t *index; /* n positions, read in create only; DMM_PLAN_INDEX only */
    dmm_tuning tuning;     /* form, u, E; tile: items a tile (CPU form) */
    uint64_t reserved[4];  /* 0 */
} dmm_permutation_plan_desc;

/* Spans hold n items each; `out` is equal to `in` or apart from it. */
typedef struct dmm_permutation_plan_args {
    dmm_span in;
    dmm_span out;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_permutation_plan_args;

/* Built for one context, one permutation and one item size; for one thread at a time. It owns
 * device memory, which executions only read: they may overlap when their temps differ. */
typedef struct dmm_permutation_plan dmm_permutation_plan;

/* Builds the plan on the host, and blocks. Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_DATA
 * (the index is no permutation), DMM_TOO_LARGE, DMM_BAD_PARAMETERS (a tile must be a power of two,
 * at most 2^15 items), DMM_BUILD_FAILED, DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_permutation_plan_create(
    dmm_permutation_plan **out, dmm_context *ctx, const dmm_permutation_plan_desc *desc);
DMM_API dmm_status dmm_permutation_plan_temp_bytes(uint64_t *out, const dmm_permutation_plan *plan);
/* Errors and events as dmm_sort_enqueue. */
DMM_API dmm_status dmm_permutation_plan_enqueue(dmm_permutation_plan *plan, cl_command_queue queue,
    const dmm_permutation_plan_args *args, cl_uint num_wait, const cl_event *wait, cl_event *event);
/* Executions in flight must have finished. NULL is fine. */
DMM_API void dmm_permutation_plan_free(dmm_permutation_plan *plan);
/* Builds, permutes a host array of n items in place, and blocks. */
DMM_API dmm_status dmm_permutation_plan_host(
    dmm_context *ctx, const dmm_permutation_plan_desc *desc, void *items);

/* Returns the number of items of the plan. */
DMM_API uint64_t dmm_permutation_plan_items(const dmm_permutation_plan *plan);
/* Writes the plan to a file that `load` reads, and blocks. An old file is replaced when the new
 * one is complete: a failure or a kill leaves the old one. DMM_BAD_FILE: it cannot be written, or
 * is no regular file; the log says why. */
DMM_API dmm_status dmm_permutation_plan_save(const dmm_permutation_plan *plan, const char *path);
/* Reads a plan for items of any size. Errors: as create; DMM_BAD_FILE: the file cannot be read, is
 * no plan, or is damaged (it has a checksum, and every move is checked); DMM_BAD_PARAMETERS: it was
 * made for fewer banks than the device has. The log says which. */
DMM_API dmm_status dmm_permutation_plan_load(
    dmm_permutation_plan **out, dmm_context *ctx, uint32_t item_bytes, const char *path);

#ifdef __cplusplus
}
#endif

#endif
