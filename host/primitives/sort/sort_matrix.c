/* SPDX-License-Identifier: MIT */
/*
 * From a plan of the model to the steps of cl/sort/matrix.clh. A phase of the model turns, then
 * sorts; a step of the kernel sorts, then turns, so that the last step ends in address order.
 */
#include "primitives/sort/sort_matrix.h"

#include <assert.h>
#include <stdlib.h>

#include "plan/matrix_plan.h"

int dmm_sorts_matrix(dmm_sort_method method)
{
    return method == DMM_SORT_MATRIX || method == DMM_SORT_SHEAR;
}

static uint32_t log_of(uint32_t power)
{
    uint32_t log = 0;
    while (power >> log > 1)
        log++;
    return log;
}

/* Returns a step: the sort of one phase and the turn of the next. The last step turns to
 * columns. */
static uint32_t step_of(const dmm_matrix_plan *plan, uint32_t at, uint32_t E)
{
    static const dmm_matrix_phase end = {.turn = DMM_TURN_TO_COLUMNS};
    const dmm_matrix_phase *phase = &plan->phases[at];
    const dmm_matrix_phase *next = at + 1 < plan->count ? phase + 1 : &end;
    const uint32_t turned = next == &end ? plan->w : next->turn != DMM_TURN_NONE ? next->turned : 1;
    const uint32_t by_columns = phase->run == 0;
    const uint32_t span = by_columns ? phase->height : phase->run / E;
    const uint32_t to_columns = next->turn == DMM_TURN_TO_COLUMNS;
    return DMM_STEP(phase->falling, log_of(span), by_columns, log_of(turned), to_columns);
}

dmm_status dmm_matrix_define(dmm_options *options, int shear, uint32_t entries,
    const dmm_parameters *p, const dmm_item_layout *layout, const dmm_device *device)
{
    const uint32_t bank_bytes = (uint32_t)device->bank_bytes.value, plane = layout->plane_bytes;
    const uint32_t banks = (uint32_t)device->banks.value;
    const uint32_t w = plane <= bank_bytes ? banks : banks * bank_bytes / plane, m = p->tile / w;
    dmm_matrix_by by = shear ? DMM_BY_SHEAR : w <= m ? DMM_BY_SUPER_ROWS : DMM_BY_THEOREM_2;
    uint32_t steps[DMM_OPTIONS_LIST];
    dmm_matrix_plan *plan = malloc(sizeof *plan);
    if (plan == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_matrix_plan_make(plan, w, m, p->E, &by, 0);
    assert(plan->fits && plan->count <= DMM_OPTIONS_LIST);
    assert(plan->phases[0].turn == DMM_TURN_NONE);
    for (uint32_t i = 0; i < plan->count; i++)
        steps[i] = step_of(plan, i, p->E);
    dmm_options_define(options, "DMM_MATRIX", entries);
    dmm_options_define_list(options, "DMM_PLAN", steps, plan->count);
    free(plan);
    return DMM_OK;
}
