/* SPDX-License-Identifier: MIT */
/*
 * Search trees in an array, without pointers: permutes sorted items into a layout, and back.
 *
 * In place     yes, and only so; with values, which move along
 * Cost         BST by involutions: 2 passes. VEB, MVEB: 3 passes for each halving of the levels,
 *              and one for tiles. BTREE, and BST by cycles: O(log(n / tile)) passes a level, over
 *              the keys of this level and those above. A pass reads and writes an item at most once
 * Bank claim   no kernel uses local memory
 * Temp         a tile for each group, whatever n: dmm_layout_temp_bytes
 *
 * Details
 * BST          the binary tree, level by level: the children of place i are places 2i + 1 and
 *              2i + 2
 * BTREE        the B-tree, level by level, nodes of B keys: keys iB .. iB + B - 1 are node i, its
 *              children are nodes (B + 1)i + 1 .. (B + 1)i + B + 1. With B = 1 it is BST
 * VEB          van Emde Boas: a top tree of half the levels, then the bottom trees, each in the
 *              same way. Any n: all bottom trees are full but the last one, which may be smaller
 * MVEB         modified: the levels of the bottom trees are a power of two
 * Methods      involutions: passes that swap pairs. cycles: passes that rotate columns and turn
 *              rows (the equidistant gather, also extended). hybrid, BST only: cycles for the last
 *              level, if it is not full, then involutions. All give the same order
 * Launches     O(log(n)^2), a number known before the first. If OpenCL refuses one, the items are
 *              in an undefined order, and none is lost; values are then not beside their items
 * Source       K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, sections 2.1 to 2.7;
 *              cl/layout.clh names the difference
 */
#ifndef DMM_LAYOUT_H
#define DMM_LAYOUT_H

#include <stddef.h>

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_layout_kind {
    DMM_LAYOUT_SORTED = 0,
    DMM_LAYOUT_BST = 1,
    DMM_LAYOUT_BTREE = 2,
    DMM_LAYOUT_VEB = 3,
    DMM_LAYOUT_MVEB = 4
} dmm_layout_kind;

typedef enum dmm_layout_method {
    DMM_LAYOUT_AUTO = 0, /* BST in the GPU form: hybrid; others: cycles */
    DMM_LAYOUT_INVOLUTIONS = 1,
    DMM_LAYOUT_CYCLES = 2,
    DMM_LAYOUT_HYBRID = 3
} dmm_layout_method;

/* Returns the place of the key of a rank, rank < n, among n keys: a bijection of 0 .. n-1 for every
 * n up to 2^64 - 1. B: keys of a node of BTREE, 1 to 2^32 - 1; not used by the others. Needs no
 * memory and no OpenCL. */
DMM_API uint64_t dmm_layout_index(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t rank);
/* Returns the rank of the key at a place, place < n: the inverse. */
DMM_API uint64_t dmm_layout_rank(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t place);
/*
 * Returns both functions as text, valid as OpenCL C and as C11, to precede kernels that call them:
 *     ulong dmm_layout_index(uint kind, ulong B, ulong n, ulong rank);
 *     ulong dmm_layout_rank(uint kind, ulong B, ulong n, ulong place);
 * and, to do once what is the same for all keys, dmm_tree_of(kind, B, n) with dmm_tree_index(tree,
 * rank) and dmm_tree_rank(tree, place). Static storage.
 */
DMM_API const char *dmm_layout_source(void);

typedef struct dmm_layout_desc {
    uint32_t item_bytes;  /* 1 to 256; 0: 4 */
    uint32_t value_bytes; /* bytes of the value of each item, 1 to 256; 0: items alone */
    dmm_layout_kind kind;
    uint32_t B; /* keys of a node of BTREE, 1 to 65535; 0: as many as the device has banks */
    int back;   /* from the layout to the sorted order */
    dmm_layout_method method;
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* form, u, E; tile: items of a tile (CPU form) */
    uint64_t reserved[4]; /* 0 */
} dmm_layout_desc;

typedef struct dmm_layout_args {
    dmm_span items; /* n, sorted, or with `back` in the layout */
    dmm_span values;
    dmm_span temp;
    uint64_t reserved[4]; /* 0 */
} dmm_layout_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_layout dmm_layout;

/* Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_PARAMETERS, DMM_BUILD_FAILED,
 * DMM_OUT_OF_MEMORY, OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_layout_create(
    dmm_layout **out, dmm_context *ctx, const dmm_layout_desc *desc);
/* Returns the bytes of temp for at most n items. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_layout_temp_bytes(uint64_t *out, const dmm_layout *layout, uint64_t n);
/* Errors and events as dmm_sort_enqueue. The items' order is not checked. */
DMM_API dmm_status dmm_layout_enqueue(dmm_layout *layout, cl_command_queue queue,
    const dmm_layout_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_layout_free(dmm_layout *layout);
/* Permutes host arrays in place and blocks. values: NULL without value_bytes. */
DMM_API dmm_status dmm_layout_host(
    dmm_context *ctx, const dmm_layout_desc *desc, void *items, void *values, size_t n);

#ifdef __cplusplus
}
#endif

#endif
