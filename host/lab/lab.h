/* SPDX-License-Identifier: MIT */
/*
 * The methods of libdmm-lab: rows beside their own code.
 */
#ifndef DMM_LAB_LAB_H
#define DMM_LAB_LAB_H

#include "core/embedded.h"
#include "core/object.h"
#include "primitives/sort/radix.h"

/* The programs of cl/lab, as dmm_embedded_sources. */
extern const dmm_embedded dmm_lab_sources[];

/* Sorts, whose descriptions and args are those of dmm_sort. */
extern const dmm_class dmm_lab_matrix_sort_class, dmm_lab_shear_sort_class,
    dmm_lab_quick_sort_class, dmm_lab_gather_sort_class;

/* Ways in which a partition's passes sort their tiles. */
extern const dmm_tile_by dmm_lab_tile_by_route, dmm_lab_tile_by_blocks;

#endif
