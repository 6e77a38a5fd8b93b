/* SPDX-License-Identifier: MIT */
/* Sums of readings, by label, in rows that the caller owns. */
#include <dmm/model.h>

#include <string.h>

void dmm_tally_add(dmm_tally *tally, const dmm_reading *reading)
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

dmm_tally *dmm_tally_find(dmm_tally *rows, uint32_t rows_max, const char *label)
{
    for (uint32_t i = 0; i < rows_max; i++) {
        if (!rows[i].label)
            rows[i].label = label;
        if (strcmp(rows[i].label, label) == 0)
            return &rows[i];
    }
    return NULL;
}
