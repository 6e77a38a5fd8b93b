/* SPDX-License-Identifier: MIT */
/* Sums of readings, by label, in rows that the caller owns. */
#include <dmm-model/tally.h>

#include <string.h>

void dmm_model_tally_add(dmm_model_tally *tally, const dmm_model_reading *reading)
{
    if (reading->passes == 0)
        return;
    tally->steps++;
    tally->passes += reading->passes;
    tally->needed += reading->needed;
    tally->conflicts += reading->conflicts;
    if (reading->worst > tally->worst)
        tally->worst = reading->worst;
}

dmm_model_tally *dmm_model_tally_find(dmm_model_tally *rows, uint32_t rows_max, const char *label)
{
    for (uint32_t i = 0; i < rows_max; i++) {
        if (!rows[i].label)
            rows[i].label = label;
        if (strcmp(rows[i].label, label) == 0)
            return &rows[i];
    }
    return NULL;
}
