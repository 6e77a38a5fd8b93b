/* SPDX-License-Identifier: MIT */
/*
 * Parameters, kernels and parts of a selection by rank. Its calls are in select_call.c.
 */
#include "primitives/select/select.h"

#include <stdlib.h>

#include "cl/select/select_call.clh"

#include "core/check.h"
#include "core/size.h"
#include "primitives/order.h"

enum { GPU_DIGIT_BITS = 8, CPU_DIGIT_BITS = 11 };
/* Counting takes more than 256 bytes of local memory a work-item, so groups are small: several fit
 * a compute unit. */
enum { GPU_U = 64 };

int dmm_select_sorts_all(const dmm_select *select)
{
    return select->what.order.less != NULL;
}

/* Local memory of the GPU form: a word for each item of a tile; for each work-item one byte for
 * each row of counts, two sums and a part of one. */
static dmm_status choose_parameters(dmm_select *select)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &select->object.ctx->device;
    const uint32_t word = (uint32_t)device->bank_bytes.value;
    dmm_footprint footprint = dmm_item_footprint(&select->layout, device);
    footprint.group_bytes = (1u << GPU_DIGIT_BITS) + 3 * word + select->layout.index_bytes;
    footprint.gpu_u = GPU_U;
    footprint.cpu_digit = CPU_DIGIT_BITS;
    footprint.gpu_digit = GPU_DIGIT_BITS;
    footprint.guarantee = select->what.guarantee;
    footprint.word = dmm_select_sorts_all(select) ? NULL : "topk";
    TRY(dmm_context_choose(&select->p, select->object.ctx, &select->what.tuning, &footprint));
    FAIL_IF(select->what.guarantee && select->p.plain_search, DMM_UNSUPPORTED);
out:
    return status;
}

static dmm_status choose(dmm_select *select)
{
    dmm_status status = DMM_OK;
    const dmm_select_desc *desc = &select->what;
    const dmm_device *device = &select->object.ctx->device;
    dmm_item_layout *item = &select->layout;
    TRY(dmm_item_layout_init(
        item, device, &desc->order, desc->value_bytes, desc->argsort, desc->max_n));
    FAIL_IF(dmm_select_sorts_all(select) && desc->unsorted && !desc->only_last, DMM_UNSUPPORTED);
    if (!dmm_select_sorts_all(select))
        item->ties = 0; /* lists stay in order, so positions are not needed */
    TRY(choose_parameters(select));
    select->object.max_n = dmm_item_limit(item, desc->argsort, desc->max_n);
    select->sorts_many = select->p.cpu && !dmm_select_sorts_all(select) && !desc->unsorted &&
                         !desc->only_last && !desc->argsort && !item->by_position;
    select->digit_bits = select->p.digit;
    select->passes = (uint32_t)dmm_size_div_up(8 * item->key_bytes, select->digit_bits);
out:
    return status;
}

static dmm_status get_program(const dmm_select *select, cl_program *out)
{
    const dmm_select_desc *desc = &select->what;
    const char *const root = dmm_select_sorts_all(select) ? "cl/select/select_sorted.cl"
                             : select->p.cpu              ? "cl/select/select_cpu.cl"
                                                          : "cl/select/select.cl";
    dmm_options options = {.bytes = 0};
    char *prelude = dmm_order_prelude(&desc->order);
    if (prelude == NULL)
        return DMM_OUT_OF_MEMORY;
    dmm_options_parameters(&options, &select->p, &select->object.ctx->device);
    dmm_item_define(&options, &select->layout, &desc->order);
    dmm_values_define(&options, &select->layout, desc->argsort, 1);
    dmm_options_define(&options, "DMM_DIGIT_BITS", select->digit_bits);
    dmm_options_define(&options, "DMM_ONLY_LAST", desc->only_last != 0);
    const dmm_program_desc program = {.root = root, .options = &options, .prelude = prelude};
    const dmm_status status = dmm_programs_get(&select->object.ctx->programs, &program, out);
    free(prelude);
    return status;
}

uint64_t dmm_select_num_counts(uint64_t groups, uint32_t bits)
{
    return groups * DMM_SELECT_ROWS(bits) + 1;
}

static dmm_status build_kernels(dmm_select *select, cl_program program)
{
    dmm_status status = DMM_OK;
    const uint32_t u = select->p.u;
    const uint64_t counts = dmm_select_num_counts(select->p.most_groups, select->digit_bits);
    TRY(dmm_object_kernel(select, program, "dmm_select_count", u, &select->count));
    TRY(dmm_object_kernel(select, program, "dmm_select_keep", u, &select->keep));
    if (select->p.cpu)
        TRY(dmm_object_kernel(select, program, "dmm_select_least", u, &select->least));
    TRY(dmm_scan_part(select, &select->scan, select->layout.index_bytes, counts, select->p.cpu));
out:
    return status;
}

/* Creates the sort. A sort of all items creates the positions if values do not move themselves;
 * selected items have values, or positions, already. */
static dmm_status build_sort(dmm_select *select)
{
    const dmm_select_desc *desc = &select->what;
    const int all = dmm_select_sorts_all(select);
    const dmm_sort_desc sort = {.order = desc->order,
        .value_bytes = select->layout.moved_bytes,
        .argsort = all && (select->layout.by_position || desc->argsort),
        .guarantee = desc->guarantee,
        .max_n = all || select->sorts_many || desc->max_k == 0 ? desc->max_n : desc->max_k,
        .tuning = desc->tuning};
    return all || !(desc->unsorted || desc->only_last)
               ? dmm_object_part(select, &select->sort, &dmm_sort_class, &sort)
               : DMM_OK;
}

dmm_status dmm_select_init(dmm_select *select)
{
    dmm_status status = DMM_OK;
    cl_program program = NULL;
    TRY(choose(select));
    if (!dmm_select_sorts_all(select) || select->layout.by_position) {
        TRY(get_program(select, &program));
        TRY(dmm_values_kernel(select, program, &select->layout, &select->gather));
    }
    if (!dmm_select_sorts_all(select))
        TRY(build_kernels(select, program));
    TRY(build_sort(select));
out:
    return status;
}
