/* SPDX-License-Identifier: MIT */
/* Sums of readings, by label, in rows that the caller owns. */
#ifndef DMM_MODEL_TALLY_H
#define DMM_MODEL_TALLY_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/step.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts as zeros. */
typedef struct dmm_model_tally {
    const char *label; /* borrowed; NULL in a free row */
    uint64_t steps, passes, needed, conflicts;
    uint32_t worst; /* the highest of all steps */
} dmm_model_tally;

/* Adds one step. A reading without accesses (passes 0) is no step and adds nothing. */
DMM_MODEL_API void dmm_model_tally_add(dmm_model_tally *tally, const dmm_model_reading *reading);

/* Returns the row with this label (not NULL), else labels and returns the first free row, else
 * NULL. */
DMM_MODEL_API dmm_model_tally *dmm_model_tally_find(
    dmm_model_tally *rows, uint32_t rows_max, const char *label);

#ifdef __cplusplus
}
#endif

#endif
