/* SPDX-License-Identifier: MIT */
/*
 * The tile sort of the methods matrix and shear: what cl/sort_matrix.cl needs beside the defines of
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

/* Defines the plan for tiles of such parameters. */
dmm_status dmm_matrix_define(dmm_options *options, dmm_sort_method method, const dmm_parameters *p,
    const dmm_item_layout *layout, const dmm_device *device);

#endif
