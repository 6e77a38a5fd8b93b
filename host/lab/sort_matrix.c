/* SPDX-License-Identifier: MIT */
/*
 * Methods matrix and shear: tiles are sorted as matrices, the passes are those of method merge. The
 * steps of cl/lab/matrix.clh are made from a plan of the model. A phase of the model turns, then
 * sorts; a step of the kernel sorts, then turns, so that the last step ends in address order.
 */
#include "lab/sort_matrix.h"

#include <assert.h>
#include <stdlib.h>

#include "core/check.h"
#include "lab/lab.h"
#include "model/matrix_plan.h"
#include "primitives/sort/sort_merge.h"

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

dmm_status dmm_lab_matrix_define(dmm_options *options, int shear, uint32_t entries,
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

/* Chooses layout and parameters as dmm_merger_choose, for tiles that a plan fits; positions are
 * words of their own. */
static dmm_status choose(dmm_merge_sort *sort, const dmm_tuning *tuning)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_context *const ctx = sort->object.ctx;
    dmm_merger *const merger = &sort->merger;
    dmm_item_layout *const layout = &merger->layout;
    TRY(dmm_item_layout_init(
        layout, &ctx->device, &desc->order, desc->value_bytes, desc->argsort != 0, desc->max_n));
    dmm_footprint footprint = dmm_item_footprint(layout, &ctx->device);
    merger->confirms = desc->order.less != NULL;
    footprint.group_bytes = merger->confirms ? 2 * (uint32_t)ctx->device.bank_bytes.value : 0;
    footprint.most_tile = DMM_MATRIX_TILE;
    footprint.guarantee = desc->guarantee;
    TRY(dmm_context_choose(&merger->p, ctx, tuning, &footprint));
    FAIL_IF(desc->guarantee && merger->p.plain_search, DMM_UNSUPPORTED);
    sort->object.max_n = dmm_item_limit(layout, desc->argsort != 0, desc->max_n);
out:
    return status;
}

static dmm_status init(dmm_merge_sort *sort, int shear)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_merger *const merger = &sort->merger;
    dmm_tuning tuning = desc->tuning;
    dmm_options options = {.bytes = 0};
    const dmm_merger_program program = {.root = "cl/lab/sort_matrix.cl",
        .sources = dmm_lab_sources,
        .partition = "dmm_merge_partition",
        .tile = "dmm_merge_tile",
        .options = &options};
    const dmm_merger_desc merges = {.order = &desc->order};
    FAIL_IF(tuning.form == DMM_FORM_CPU, DMM_UNSUPPORTED);
    tuning.form = DMM_FORM_GPU;
    TRY(choose(sort, &tuning));
    TRY(dmm_lab_matrix_define(&options, shear, DMM_MATRIX_OF_ITEMS, &merger->p, &merger->layout,
        &sort->object.ctx->device));
    dmm_values_define(&options, &merger->layout, desc->argsort != 0, 1);
    TRY(dmm_merger_build(merger, &sort->object, &merges, &program));
    TRY(dmm_object_kernel(sort, merger->program, "dmm_sort_matrix", merger->p.u, &sort->tile));
out:
    return status;
}

static dmm_status matrix_sort_init(void *object)
{
    return init(object, 0);
}

static dmm_status shear_sort_init(void *object)
{
    return init(object, 1);
}

const dmm_class dmm_lab_matrix_sort_class = {
    DMM_MERGE_SORT_CLASS,
    .word = "sort.matrix",
    .init = matrix_sort_init,
};

const dmm_class dmm_lab_shear_sort_class = {
    DMM_MERGE_SORT_CLASS,
    .word = "sort.matrix",
    .init = shear_sort_init,
};
