/* SPDX-License-Identifier: MIT */
/*
 * Tiles as matrices, in the methods matrix and shear: what cl/sort/matrix.clh needs beside the defines of
 * every tile kernel.
 */
#ifndef DMM_PRIMITIVES_SORT_MATRIX_H
#define DMM_PRIMITIVES_SORT_MATRIX_H

#include <dmm/sort.h>

#include "primitives/order.h"

/* Are a method's tiles sorted as a matrix? */
int dmm_sorts_matrix(dmm_sort_method method);

/* The largest tile that a plan speaks of; tiles are powers of two. */
enum { DMM_MATRIX_TILE = 1 << 15 };

/* What a matrix has in its rows: items, or words that say where an item goes. */
typedef enum dmm_matrix_entries {
    DMM_MATRIX_OF_ITEMS = 1,
    DMM_MATRIX_OF_WORDS = 2
} dmm_matrix_entries;

/* Defines the plan for tiles of such parameters. */
dmm_status dmm_matrix_define(dmm_options *options, dmm_sort_method method,
    dmm_matrix_entries entries, const dmm_parameters *p, const dmm_item_layout *layout,
    const dmm_device *device);

#endif
