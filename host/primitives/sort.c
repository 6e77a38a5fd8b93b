/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort: the choice of a method, and what the methods share.
 */
#include "primitives/sort.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"

static int is_integer(dmm_type type)
{
    return type <= DMM_I64;
}

static dmm_status check_bits(const dmm_sort_desc *desc)
{
    const dmm_bits bits = desc->bits;
    if (bits.begin == 0 && bits.end == 0)
        return DMM_OK;
    if (!is_integer(desc->order.type) || desc->order.less != NULL ||
        (desc->method != DMM_SORT_AUTO && desc->method != DMM_SORT_RADIX))
        return DMM_UNSUPPORTED;
    return bits.begin > bits.end || bits.end > 8 * dmm_type_bytes(desc->order.type) ? DMM_BAD_VALUE
                                                                                    : DMM_OK;
}

static dmm_status check_desc(const dmm_sort_desc *desc)
{
    if ((unsigned)desc->method > DMM_SORT_SHEAR || (unsigned)desc->stable > DMM_NO)
        return DMM_BAD_VALUE;
    return check_bits(desc);
}

/*
 * Where radix was measured faster than merge: in the CPU form, from so many items on. Processor
 * time of merge over that of radix, random keys, PoCL 3.1 on two cores of an AMD EPYC, 2026-11-21.
 * u32: 0.9 (n = 2^11), 1.4 (2^14), 1.1 (2^16), 1.3 (2^20), 1.4 (2^22); with u32 values 1.1, 1.9,
 * 2.6, 3.6, 3.2; u64: 1.0 (2^12), 1.1 (2^14), 1.4 (2^16), 1.8 (2^20), 1.9 (2^22); with u32 values
 * 1.0, 1.1, 1.5, 1.9, 1.7. The GPU form has not been measured on a GPU yet, so that auto leaves it
 * with merge.
 */
enum { RADIX_ITEMS = 1 << 12 };

/* Values beyond this stay where they are until the end. */
enum { MAX_MOVED_BYTES = 8 };

static int radix_is_faster(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int cpu = dmm_context_is_cpu(ctx, &desc->tuning);
    const uint32_t moved =
        desc->value_bytes < MAX_MOVED_BYTES ? desc->value_bytes : MAX_MOVED_BYTES;
    const dmm_tuning_row *const row = dmm_tuning_rows_find(&ctx->rows, "sort",
        dmm_type_bytes(desc->order.type) + moved, cpu ? DMM_FORM_CPU : DMM_FORM_GPU);
    const uint64_t from = row != NULL && row->from != 0 ? row->from
                          : cpu                         ? RADIX_ITEMS
                                                        : UINT64_MAX;
    return from != UINT64_MAX && (desc->max_n == 0 || desc->max_n >= from);
}

/* Which method carries out a description; auto is settled here, once. */
static const dmm_sort_steps *steps_of(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int by_bits = desc->bits.end != 0; /* merge knows whole keys only */
    const int allowed =
        desc->order.less == NULL && desc->order.type != DMM_ITEM && !desc->guarantee;
    if (desc->method == DMM_SORT_AUTO)
        return by_bits || (allowed && radix_is_faster(desc, ctx)) ? &dmm_sort_by_radix
                                                                  : &dmm_sort_by_merge;
    return desc->method == DMM_SORT_RADIX ? &dmm_sort_by_radix : &dmm_sort_by_merge;
}

dmm_status dmm_sort_create_by(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc,
    const dmm_sort_steps *steps, uint32_t offset_bytes)
{
    dmm_status status = DMM_OK;
    dmm_sort *sort = calloc(1, sizeof *sort);
    if (sort == NULL)
        return DMM_OUT_OF_MEMORY;
    sort->ctx = ctx;
    sort->desc = *desc;
    sort->steps = steps;
    sort->offset_bytes = offset_bytes;
    TRY(steps->init(sort));
    *out = sort;
    return DMM_OK;
out:
    dmm_sort_free(sort);
    return status;
}

static dmm_status create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    dmm_status status = DMM_OK;
    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    *out = NULL;
    FAIL_IF(ctx == NULL || desc == NULL, DMM_NULL_ARGUMENT);
    TRY(check_desc(desc));
    TRY(dmm_sort_create_by(out, ctx, desc, steps_of(desc, ctx), 0));
out:
    return status;
}

dmm_status dmm_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    const dmm_status status = create(out, ctx, desc);
    return dmm_context_drops_rows(ctx, "sort", status) ? create(out, ctx, desc) : status;
}

void dmm_sort_free(dmm_sort *sort)
{
    if (sort == NULL)
        return;
    sort->steps->destroy(sort);
    free(sort);
}

/* Where everything of a call lies. */
typedef struct sort_layout {
    dmm_temp temp;
    uint64_t keys, values; /* the spare list */
    uint64_t positions, scratch, input;
    int copies_input; /* values fetched by position into their own span: from a copy */
} sort_layout;

/* in_place: the most that a call can need; a call whose values are apart needs no copy of them. */
static sort_layout lay_out(const dmm_sort *sort, uint64_t n, int in_place)
{
    const dmm_item_layout *item = &sort->layout;
    const int spare = sort->steps->needs_spare(sort, n);
    sort_layout l = {.copies_input = item->by_position && in_place};
    /* One more, since the caller's temp may begin between two multiples of key_bytes. */
    l.keys = dmm_temp_region(&l.temp, spare ? n + 1 : 0, item->key_bytes);
    l.values = dmm_temp_region(&l.temp, spare ? n : 0, item->moved_bytes);
    l.positions = dmm_temp_region(&l.temp, item->by_position ? n : 0, item->moved_bytes);
    l.scratch = dmm_temp_region(&l.temp, sort->steps->scratch_bytes(sort, n), 1);
    l.input = dmm_temp_region(&l.temp, l.copies_input ? n : 0, item->value_bytes);
    return l;
}

dmm_status dmm_sort_temp_bytes(uint64_t *out, const dmm_sort *sort, uint64_t n)
{
    if (out == NULL || sort == NULL)
        return DMM_NULL_ARGUMENT;
    if (n > sort->max_n)
        return DMM_TOO_LARGE;
    *out = lay_out(sort, n, 1).temp.bytes;
    return *out == UINT64_MAX ? DMM_TOO_LARGE : DMM_OK;
}

dmm_status dmm_sort_check(const dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait)
{
    dmm_status status = DMM_OK;
    const dmm_item_layout *item = &sort->layout;
    const int reads_values = item->value_bytes != 0 && !sort->desc.argsort;
    TRY(dmm_check_queue(queue, sort->ctx->cl, sort->ctx->device.id));
    FAIL_IF(args == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(n > sort->max_n, DMM_TOO_LARGE);
    TRY(dmm_check_wait(num_wait, wait));
    TRY(dmm_check_span(args->keys_in, n, item->key_bytes));
    if (reads_values)
        TRY(dmm_check_span(args->values_in, n, item->value_bytes));
    TRY(dmm_check_span(args->keys_out, n, item->key_bytes));
    if (item->value_bytes != 0)
        TRY(dmm_check_span(args->values_out, n, item->value_bytes));
    TRY(dmm_check_count(args->count));
    const uint64_t keys = n * item->key_bytes, values = n * item->value_bytes;
    const int in_place = dmm_spans_equal(args->values_in, args->values_out);
    const uint64_t temp = lay_out(sort, n, in_place).temp.bytes;
    const dmm_extent inputs[] = {{args->keys_in, keys},
        {args->values_in, reads_values ? values : 0}, {args->count, DMM_COUNT_BYTES}};
    const dmm_extent outputs[] = {
        {args->keys_out, keys}, {args->values_out, values}, {args->temp, temp}};
    TRY(dmm_check_overlaps(inputs, 3, outputs, 3, 2));
out:
    return status;
}

/* Values of a size that does not move by itself are fetched by position, from a copy if in place.
 */
static dmm_status fetch_values(const dmm_sort *sort, dmm_chain *chain, const dmm_sort_args *args,
    const sort_layout *l, dmm_span positions, uint64_t first, uint64_t n)
{
    dmm_status status = DMM_OK;
    dmm_span from = args->values_in;
    if (l->copies_input) {
        from = dmm_temp_span(&l->temp, l->input);
        TRY(dmm_chain_copy(chain, args->values_in, from, n * sort->layout.value_bytes));
    }
    const dmm_gathering gathering = {.positions = positions,
        .a = from,
        .b = from,
        .out = args->values_out,
        .first = first,
        .na = n,
        .n = n,
        .count = args->count};
    TRY(dmm_values_gather(sort->gather, &sort->layout, chain, &gathering));
out:
    return status;
}

dmm_status dmm_sort_enqueue_counted(dmm_sort *sort, cl_command_queue queue,
    const dmm_sort_args *args, dmm_span counts, uint64_t first, uint64_t n, cl_uint num_wait,
    const cl_event *wait, cl_event *event)
{
    dmm_status status = DMM_OK;
    dmm_chain chain = {queue, num_wait, wait, NULL};
    if (event != NULL)
        *event = NULL;
    if (sort == NULL)
        return DMM_NULL_ARGUMENT;
    if ((status = dmm_sort_check(sort, queue, args, n, num_wait, wait)) != DMM_OK)
        return status;
    const int by_position = sort->layout.by_position;
    sort_layout l = lay_out(sort, n, dmm_spans_equal(args->values_in, args->values_out));
    TRY(dmm_temp_acquire(&l.temp, sort->ctx->cl, args->temp));
    const dmm_span positions = dmm_temp_span(&l.temp, l.positions);
    const dmm_sort_call call = {
        .in = {args->keys_in, args->values_in},
        .out = {args->keys_out, by_position ? positions : args->values_out},
        .spare = {dmm_temp_items(&l.temp, l.keys, sort->layout.key_bytes),
            dmm_temp_span(&l.temp, l.values)},
        .scratch = dmm_temp_span(&l.temp, l.scratch),
        .count = args->count,
        .counts = counts,
        .first = first,
        .n = n,
    };
    if (n != 0)
        TRY(sort->steps->sort(sort, &chain, &call));
    if (n != 0 && by_position)
        TRY(fetch_values(sort, &chain, args, &l, positions, first, n));
out:
    status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&l.temp);
    return status;
}

dmm_status dmm_sort_enqueue_from(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t first, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_sort_enqueue_counted(sort, queue, args, DMM_NONE, first, n, num_wait, wait, event);
}

dmm_status dmm_sort_enqueue(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_sort_enqueue_from(sort, queue, args, 0, n, num_wait, wait, event);
}
