/* SPDX-License-Identifier: MIT */
/*
 * libdmm-lab: algorithms of papers as written, for study. Each is a dmm_sort or a dmm_partition by
 * another method: an object of libdmm, which creates it no longer but runs and frees it. A static
 * library, because it stands on the inside of libdmm: link both from the same version, libdmm as
 * the static library too.
 * sort.h       sorts by matrices, and by many pivots
 * partition.h  partitions by matrices, and in whole blocks
 * selftest.h   checks a device by them
 */
#ifndef DMM_LAB_DMM_LAB_H
#define DMM_LAB_DMM_LAB_H

#include <dmm-lab/partition.h>
#include <dmm-lab/selftest.h>
#include <dmm-lab/sort.h>

#endif
