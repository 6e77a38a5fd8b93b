/* SPDX-License-Identifier: MIT */
/*
 * Method radix of dmm_sort: a dmm_radix with the description and args of the sort.
 */
#include "primitives/sort/radix.h"
#include "primitives/sort/sort.h"

typedef struct dmm_radix_sort {
    dmm_radix radix;
    dmm_sort_desc desc;
} dmm_radix_sort;

/*
 * Least max_n at which auto takes radix in the CPU form, where it was measured to be faster than
 * merge. Processor time of merge over that of radix, random keys, PoCL 3.1 on two cores of an AMD
 * EPYC, 2026-11-21. u32: 0.9 (n = 2^11), 1.4 (2^14), 1.1 (2^16), 1.3 (2^20), 1.4 (2^22); with u32
 * values 1.1, 1.9, 2.6, 3.6, 3.2; u64: 1.0 (2^12), 1.1 (2^14), 1.4 (2^16), 1.8 (2^20), 1.9 (2^22);
 * with u32 values 1.0, 1.1, 1.5, 1.9, 1.7.
 */
enum { RADIX_ITEMS = 1 << 12 };

/*
 * GPU form: radix from 2^(13 + bytes of a key) items on; a byte costs about a pass. From a
 * simulated V100 (docs/records/speed.md), in cycles of a multiprocessor per key: merge
 * 2.5 + 1.1 * log2(n / 2^12) (u32) and 4.0 + 2.5 * log2(n / 2^11) (u64); radix by ballots 7.4 for
 * 4 bytes (2^17 keys). By columns, radix takes 14: auto takes merge.
 * Many multiprocessors share few keys, and launches decide, of which merge has two more for each
 * doubling: all 80 take, with launches, 73,756 | 79,879 cycles for 2^14 u32 by merge | radix,
 * 96,223 | 81,931 for 2^15.
 */
enum { GPU_RADIX_LOG_ITEMS = 13, MANY_UNITS = 32, MANY_RADIX_LOG_ITEMS = 11 };

/* Returns the least max_n at which auto takes radix where no tuning row says so. */
static uint64_t default_from(const dmm_sort_desc *desc, const dmm_context *ctx, int cpu)
{
    if (cpu)
        return RADIX_ITEMS;
    const uint32_t log_items =
        ctx->device.units.value < MANY_UNITS ? GPU_RADIX_LOG_ITEMS : MANY_RADIX_LOG_ITEMS;
    return ctx->device.sync_width.value > 1
               ? (uint64_t)1 << (log_items + dmm_type_bytes(desc->order.type))
               : UINT64_MAX;
}

int dmm_radix_sort_is_faster(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int cpu = dmm_context_is_cpu(ctx, &desc->tuning);
    const uint32_t moved =
        desc->value_bytes < DMM_MAX_MOVED_BYTES ? desc->value_bytes : DMM_MAX_MOVED_BYTES;
    const dmm_tuning_row *const row = dmm_tuning_rows_find(&ctx->rows, "sort",
        dmm_type_bytes(desc->order.type) + moved, cpu ? DMM_FORM_CPU : DMM_FORM_GPU);
    const uint64_t from = row != NULL && row->from != 0 ? row->from : default_from(desc, ctx, cpu);
    return from != UINT64_MAX && (desc->max_n == 0 || desc->max_n >= from);
}

static dmm_status radix_sort_init(void *object)
{
    dmm_radix_sort *const sort = object;
    const dmm_sort_desc *const desc = &sort->desc;
    sort->radix.desc = (dmm_radix_desc){.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .bits = desc->bits,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    return dmm_radix_class.init(sort);
}

static dmm_status radix_sort_steps(const void *object, dmm_call *call)
{
    const dmm_radix_args args = {.items = *(const dmm_sort_args *)call->args};
    dmm_call as_radix = *call;
    as_radix.args = &args;
    return dmm_radix_steps(object, &as_radix);
}

/* dmm_radix_lay_out reads no args beyond those of the sort. */
const dmm_class dmm_radix_sort_class = {
    .word = "sort.radix",
    .bytes = sizeof(dmm_radix_sort),
    .desc_at = offsetof(dmm_radix_sort, desc),
    .desc_bytes = sizeof(dmm_sort_desc),
    .args_bytes = sizeof(dmm_sort_args),
    .temp_at = offsetof(dmm_sort_args, temp),
    .init = radix_sort_init,
    .lay_out = dmm_radix_lay_out,
    .steps = radix_sort_steps,
};
