/* SPDX-License-Identifier: MIT */
/* Runs commands of dmm under the bank meter for `dmm-lab table`. */
#ifndef DMM_LAB_TABLE_METER_H
#define DMM_LAB_TABLE_METER_H

#include "table.h"

/* Sums over all kernels of a run, on 32 lanes and banks and segments of 32 bytes. */
typedef struct table_metered {
    double steps, passes, conflicts; /* in local memory */
    double reads, writes;            /* transactions of global memory */
    double pem_blocks;               /* transfers of the lane group that has most (PEM) */
    double launches;
} table_metered;

/* Meters "PROGRAM ARGUMENT... INPUT": a command of this build, dmm or dmm-lab, and the text of
 * `input`, which a temporary file without a name holds; NULL: no INPUT. `arguments` ends with NULL.
 * `kernels`: a pattern of those that count; NULL: all. */
bool table_meter(table_metered *out, const char *program, const char *const *arguments, FILE *input,
    const char *kernels, cli_error *error);

#endif
