/* SPDX-License-Identifier: MIT */
/*
 * Permutes items by an array of positions: items go to their positions (scatter), or come from them
 * (gather).
 *
 * In place     yes (out equal to in); out of place the input is untouched
 * Cost         plain: reads positions, reads and writes items once. By tiles: a pass for each 8
 *              bits of the position above T, and one more. `check`: two more passes over positions
 * Bank claim   randomized: `conflict-free`; scatter: `measured`; no other kernel uses local memory
 * Temp         at most about twice the items and positions: dmm_permute_temp_bytes
 * Bad data     positions that are no permutation are not an error, and nothing is written outside
 *              the output; with `check` nothing is written at all, and the report names the first
 *              bad position
 *
 * Details and sources are at the end of this file.
 */
#ifndef DMM_PERMUTE_H
#define DMM_PERMUTE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_direction {
    DMM_DIRECTION_SCATTER = 0, /* out[index[i]] = in[i] */
    DMM_DIRECTION_GATHER = 1   /* out[i] = in[index[i]] */
} dmm_direction;

typedef enum dmm_permute_method {
    DMM_PERMUTE_AUTO = 0,
    DMM_PERMUTE_PLAIN = 1,
    DMM_PERMUTE_SCATTER = 2,
    DMM_PERMUTE_RANDOMIZED = 3
} dmm_permute_method;

typedef struct dmm_permute_desc {
    uint32_t item_bytes;     /* 1 to 256; 0: 4 */
    uint32_t index_bytes;    /* bytes of a position: 4 (u32) or 8 (u64); 0: 4 */
    dmm_direction direction; /* default scatter */
    dmm_permute_method method;
    int check;            /* checks that positions are a permutation; needs a report */
    uint64_t seed;        /* for randomized: equal seeds, equal runs; 0: a fresh one */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* form, u, E; tile: items of a tile (CPU form) */
    uint64_t reserved[4]; /* 0 */
} dmm_permute_desc;

/* Spans hold n items each; `out` is equal to `in` or apart from it. */
typedef struct dmm_permute_args {
    dmm_span index;
    dmm_span in;
    dmm_span out;
    dmm_span temp;
    /* A dmm_report at a multiple of 8 bytes: DMM_OK, or DMM_BAD_DATA and the first i whose index[i]
     * is out of range or equal to an earlier one; detail: most rounds of a tile (randomized),
     * otherwise 0. None: no report */
    dmm_span report_out;
    uint64_t reserved[4]; /* 0 */
} dmm_permute_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_permute dmm_permute;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_permute_create(
    dmm_permute **out, dmm_context *ctx, const dmm_permute_desc *desc);
/* Returns the bytes of temp for at most n items, in place or not. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_permute_temp_bytes(uint64_t *out, const dmm_permute *permute, uint64_t n);
/* Errors and events as dmm_sort_enqueue. Bad positions show in the report only. */
DMM_API dmm_status dmm_permute_enqueue(dmm_permute *permute, cl_command_queue queue,
    const dmm_permute_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_permute_free(dmm_permute *permute);
/* Permutes a host array in place and blocks. With `check`, DMM_BAD_DATA leaves the items as they
 * were. *report_out, unless NULL, is filled. */
DMM_API dmm_status dmm_permute_host(dmm_context *ctx, const dmm_permute_desc *desc,
    const void *index, void *items, size_t n, dmm_report *report_out);

/*
 * Details
 * Methods: auto is scatter in the CPU form, direction scatter, and plain otherwise.
 *   plain       one kernel: each item's read or write goes straight to its position
 *   scatter     GPU form: passes over the high bits of the position (method radix of dmm_sort) move
 *               each item to its tile of T positions, then, through local memory, to its place. CPU
 *               form: one pass that writes whole lines, then tiles in the cache, for items of 1, 2,
 *               4 or 8 bytes that take more than 4 MiB; others go plain
 *   randomized  as scatter, but inside a tile in rounds without a bank conflict, whatever the
 *               permutation: a label (row i, column j) has colour j - h(i), with a fresh random h
 *               for each round, and each row sends one label of each colour. A round takes a label
 *               or more from each row: at most T / banks rounds, as the report says. Means of
 *               40 random permutations of one tile, 32 banks: 3.0 rounds at T = 128, 3.7 at 1024,
 *               4.0 at 4096 (tests/move/test_permute.c)
 * A gather by scatter or randomized finds the inverse first, by the same passes. If a position
 * occurs twice, one of its items is kept; positions out of range are skipped. The output of a
 * permutation does not depend on method, seed, device or timing. randomized sorts under
 * `guarantee`.
 * Seed: bounds on the rounds hold in expectation for positions that do not depend on the seed. 0
 * draws one from the system (/dev/urandom) for each object; a seed known to whoever chooses the
 * positions may cost up to T / banks rounds.
 * Source: P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA
 * 2015, DOI 10.1007/978-3-662-48350-3_2, section 3 (randomized); <dmm-model/tall.h> counts the
 * paper's form.
 */

#ifdef __cplusplus
}
#endif

#endif
