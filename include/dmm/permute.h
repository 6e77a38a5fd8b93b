/* SPDX-License-Identifier: MIT */
/*
 * Applying a permutation that is given as an array of positions: items go to their positions
 * (scatter), or come from them (gather).
 *
 * In place       yes (out equal to in), and out of place with the input untouched
 * Methods        auto        scatter in the CPU form, items of 1, 2, 4 or 8 bytes, where they take
 *                            more than 4 MiB; plain for all else
 *                plain       one kernel: each item's read or write goes wherever it must
 *                scatter     by passes over the high bits of the position (method radix of dmm_sort)
 *                            each item gets to the tile of T that it belongs to, and there, in local
 *                            memory, to its place. CPU form: one pass that writes whole lines, then
 *                            tiles in the cache (items of 1, 2, 4 or 8 bytes; others go plain).
 *                randomized  the same, but inside a tile in rounds of which no step has a conflict,
 *                            whatever the permutation: a label (row i, column j) is of colour j -
 *                            h(i), with a fresh random h a round; every row sends one label of each
 *                            colour. A round takes a label or more from each row, so that rounds are
 *                            at most T / banks; the report says how many there were. Means of
 *                            40 random permutations of one tile, 32 banks: 3.0 rounds at T = 128,
 *                            3.7 at 1024, 4.0 at 4096.
 *                gather by scatter or randomized finds the inverse first, by the same passes.
 * Cost           plain: reads the positions, reads and writes each item once. Tiles: a pass for each
 *                8 bits of the position above T, then one more; `check`: two passes over positions
 * Bank claim     plain, check: no local memory. randomized: `conflict-free`, with the passes of the
 *                sort under `guarantee`. `measured`: the tile kernel of scatter, and its passes. The
 *                CPU form uses no local memory.
 * Wrong arrays   positions that are out of range or come twice never make a call touch memory
 *                outside its spans: such items are left out, or one of those that meet wins. With
 *                `check` nothing is written at all, and the report names the first offender.
 * Temp           see dmm_permute_temp_bytes; at most about twice the items and positions
 * Determinism    the output of a permutation does not depend on method, seed, device or timing
 * Seed           bounds on the rounds hold in expectation for positions that do not depend on the
 *                seed. 0 draws one from the system (/dev/urandom) for each object, which then keeps
 *                it; a seed that is given, and known to whoever chooses positions, costs up to
 *                T / banks rounds.
 * Source         P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs",
 *                ESA 2015, DOI 10.1007/978-3-662-48350-3_2, section 3 (randomized);
 *                <dmm-model/tall.h> counts the paper's own form
 */
#ifndef DMM_PERMUTE_H
#define DMM_PERMUTE_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_direction {
    DMM_SCATTER = 0, /* out[index[i]] = in[i] */
    DMM_GATHER = 1   /* out[i] = in[index[i]] */
} dmm_direction;

typedef enum dmm_permute_method {
    DMM_PERMUTE_AUTO = 0,
    DMM_PERMUTE_PLAIN = 1,
    DMM_PERMUTE_SCATTER = 2,
    DMM_PERMUTE_RANDOMIZED = 3
} dmm_permute_method;

typedef struct dmm_permute_desc {
    uint32_t item_bytes;  /* 1 to 256 */
    uint32_t index_bytes; /* of a position: 4 (u32) or 8 (u64) */
    dmm_direction direction;
    dmm_permute_method method;
    int check;         /* is it a permutation? Needs a report */
    uint64_t seed;     /* of randomized: the same seed, the same run; 0: fresh, see below */
    uint64_t max_n;    /* the most items of a call; 0: as many as the device can hold */
    dmm_tuning tuning; /* form, u, E; tile: items a tile (CPU form) */
} dmm_permute_desc;

#define DMM_PERMUTE_DESC_INIT                             \
    {                                                     \
        4, 4, DMM_SCATTER, DMM_PERMUTE_AUTO, 0, 0, 0,     \
        {                                                 \
            DMM_FORM_DEFAULT, 0, 0, 0, DMM_SEARCH_DEFAULT \
        }                                                 \
    }

/* What a call writes to `report` before its event completes. */
typedef struct dmm_permute_report {
    uint32_t code;     /* DMM_OK, or DMM_BAD_DATA */
    uint32_t rounds;   /* of randomized: the most that any tile took, to T / banks; else 0 */
    uint64_t position; /* the first i whose index[i] is out of range, or equal to an earlier one */
} dmm_permute_report;

/* Spans hold n items each; `out` is equal to `in` or apart from it. */
typedef struct dmm_permute_args {
    dmm_span index;
    dmm_span in;
    dmm_span out;
    dmm_span temp;
    dmm_span report; /* 16 bytes, at a multiple of 8; none: no report */
} dmm_permute_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_permute dmm_permute;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_permute_create(
    dmm_permute **out, dmm_context *ctx, const dmm_permute_desc *desc);
/* Enough for n items or fewer, in place or not. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_permute_temp_bytes(uint64_t *out, const dmm_permute *permute, uint64_t n);
/* Errors and events as dmm_sort_enqueue. What is wrong with the positions only the report says. */
DMM_API dmm_status dmm_permute_enqueue(dmm_permute *permute, cl_command_queue queue,
    const dmm_permute_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_permute_free(dmm_permute *permute);
/* Permutes a host array in place and blocks. With `check`, DMM_BAD_DATA leaves the items
 * as they were. *report, unless NULL, is filled. */
DMM_API dmm_status dmm_permute_host(dmm_context *ctx, const dmm_permute_desc *desc,
    const void *index, void *items, size_t n, dmm_permute_report *report);

#ifdef __cplusplus
}
#endif

#endif
