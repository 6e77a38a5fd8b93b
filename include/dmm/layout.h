/* SPDX-License-Identifier: MIT */
/*
 * Search trees in an array, without pointers: where the key of a rank lies.
 *
 * BST      the binary tree, level by level: the children of place i are places 2i + 1 and 2i + 2
 * BTREE    the B-tree, level by level, nodes of B keys: keys iB .. iB + B - 1 are node i, its
 *          children are nodes (B + 1)i + 1 .. (B + 1)i + B + 1. With B = 1 it is BST
 * VEB      van Emde Boas: a top tree of half the levels, then the bottom trees, each in the same
 *          way. Any n: all bottom trees are full but the last one, which may be smaller
 * MVEB     modified: the levels of the bottom trees are a power of two
 *
 * Source   K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", 2023, chapter 2; cl/layout.clh
 *          names the one difference.
 */
#ifndef DMM_LAYOUT_H
#define DMM_LAYOUT_H

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

#ifdef __cplusplus
}
#endif

#endif
