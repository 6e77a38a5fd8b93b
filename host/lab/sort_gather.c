/* SPDX-License-Identifier: MIT */
/*
 * Method gather: CF-Merge as the thesis has it. Tiles and passes are those of method merge, by a
 * program whose work-items search for their items and gather them in E reads.
 */
#include "core/check.h"
#include "lab/lab.h"
#include "primitives/sort/sort_merge.h"

static dmm_status gather_sort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_merge_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_merger *const merger = &sort->merger;
    dmm_tuning tuning = desc->tuning;
    dmm_options options = {.bytes = 0};
    const dmm_merger_desc merges = {.order = &desc->order,
        .tuning = &tuning,
        .value_bytes = desc->value_bytes,
        .positions = desc->argsort != 0,
        .max_n = desc->max_n,
        .group_words = 1};
    const dmm_merger_program program = {.root = "cl/lab/sort_gather.cl",
        .sources = dmm_lab_sources,
        .partition = "dmm_merge_partition",
        .tile = "dmm_merge_gather",
        .options = &options};
    FAIL_IF(tuning.form == DMM_FORM_CPU || desc->guarantee || desc->order.less != NULL,
        DMM_UNSUPPORTED);
    tuning.form = DMM_FORM_GPU;
    TRY(dmm_merger_choose(merger, object, &merges));
    dmm_values_define(&options, &merger->layout, merges.positions, 1);
    TRY(dmm_merger_build(merger, object, &merges, &program));
    TRY(dmm_object_kernel(sort, merger->program, "dmm_sort_gather", merger->p.u, &sort->tile));
out:
    return status;
}

const dmm_class dmm_lab_gather_sort_class = {
    DMM_MERGE_SORT_CLASS,
    .word = "sort.gather",
    .init = gather_sort_init,
};
