/* SPDX-License-Identifier: MIT */
/*
 * Methods of dmm_sort and dmm_partition and those of libdmm-lab under one set of numbers, for tests
 * that take a method. A build without the lab has tests/lab/no_lab.c in its place.
 */
#ifndef DMM_TESTS_METHODS_H
#define DMM_TESTS_METHODS_H

#include <dmm-lab/dmm-lab.h>

/* Added to the lab's methods. */
enum { METHODS_OF_LAB = 0x100 };

#define SORT_BY_MATRIX      ((dmm_sort_method)(METHODS_OF_LAB + DMM_LAB_SORT_MATRIX))
#define SORT_BY_SHEAR       ((dmm_sort_method)(METHODS_OF_LAB + DMM_LAB_SORT_SHEAR))
#define SORT_BY_QUICK       ((dmm_sort_method)(METHODS_OF_LAB + DMM_LAB_SORT_QUICK))
#define SORT_BY_GATHER      ((dmm_sort_method)(METHODS_OF_LAB + DMM_LAB_SORT_GATHER))
#define PARTITION_BY_MATRIX ((dmm_partition_method)(METHODS_OF_LAB + DMM_LAB_PARTITION_MATRIX))
#define PARTITION_BY_BLOCKS ((dmm_partition_method)(METHODS_OF_LAB + DMM_LAB_PARTITION_BLOCKS))

int lab_is_built(void);

/* As dmm_sort_create, dmm_sort_host and dmm_partition_create, by any of these methods. */
dmm_status any_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc);
dmm_status any_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n);
dmm_status any_partition_create(
    dmm_partition **out, dmm_context *ctx, const dmm_partition_desc *desc);

#endif
