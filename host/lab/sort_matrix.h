/* SPDX-License-Identifier: MIT */
/*
 * Tiles as matrices: the defines that cl/lab/matrix.clh needs beside those of every tile kernel.
 */
#ifndef DMM_LAB_SORT_MATRIX_H
#define DMM_LAB_SORT_MATRIX_H

#include "cl/lab/matrix_call.clh"
#include "primitives/items.h"

/* Largest tile, in items, for which plans are made; tiles are powers of two. */
enum { DMM_MATRIX_TILE = 1 << 15 };

/* Defines the plan for tiles with these parameters, by shearsort if `shear`. entries: a
 * DMM_MATRIX_OF_ value. */
dmm_status dmm_lab_matrix_define(dmm_options *options, int shear, uint32_t entries,
    const dmm_parameters *p, const dmm_item_layout *layout, const dmm_device *device);

#endif
