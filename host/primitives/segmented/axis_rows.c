/* SPDX-License-Identifier: MIT */
/*
 * Rows as segments, and sorted columns as rows of the transpose. Rows with gaps are moved together
 * first, and apart in the end; dmm_reduce_segmented skips gaps. What a map gives is stored in place
 * of the first move, and what its `out` gives in place of the last one.
 */
#include <dmm/reduce_segmented.h>
#include <dmm/scan_segmented.h>
#include <dmm/sort_segmented.h>
#include <dmm/transpose.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/mapping_store.h"
#include "primitives/scan.h"
#include "primitives/segmented/axis.h"
#include "primitives/words.h"

/* Builds the moves of items of one size. */
static dmm_status mover_init(dmm_axis *axis, dmm_axis_mover *out, uint32_t item_bytes)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = axis->object.ctx;
    static const dmm_tuning no_tuning = {.form = DMM_FORM_DEFAULT};
    const dmm_footprint footprint = {.item_bytes = item_bytes};
    const dmm_transpose_desc turn = {
        .item_bytes = item_bytes, .max_n = axis->desc.max_n, .tuning = axis->desc.tuning};
    dmm_options options = {.bytes = 0};
    const dmm_program_desc text = {.root = "cl/axis_move.cl", .options = &options, .prelude = ""};
    dmm_word_layout words;
    dmm_parameters p;
    cl_program program = NULL;
    if (item_bytes == 0)
        goto out;
    TRY(dmm_word_layout_init(&words, &ctx->device, item_bytes, axis->desc.max_n));
    TRY(dmm_context_choose(&p, ctx, &no_tuning, &footprint));
    *out = (dmm_axis_mover){.item_bytes = item_bytes, .word_bytes = words.word_bytes};
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_word_define(&options, &words);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(axis, program, "dmm_axis_copy", DMM_AXIS_U, &out->copy));
    if (axis->desc.argsort && out == &axis->values)
        TRY(dmm_object_kernel(axis, program, "dmm_axis_places", DMM_AXIS_U, &out->places));
    if (axis->desc.axis == 0)
        TRY(dmm_object_part(axis, &out->transpose, &dmm_transpose_class, &turn));
out:
    return status;
}

/* Builds the kernels of a map to items of an order. */
static dmm_status map_init(dmm_axis *axis, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = axis->object.ctx;
    static const dmm_tuning no_tuning = {.form = DMM_FORM_DEFAULT};
    const dmm_footprint footprint = {.item_bytes = axis->key_bytes};
    dmm_options options = {.bytes = 0};
    dmm_program_desc text = {.root = "cl/axis_input.cl", .options = &options};
    dmm_parameters p;
    char *prelude = NULL;
    cl_program program = NULL;
    if (axis->mapping.inputs == 0)
        goto out;
    text.prelude = prelude = dmm_mapping_store_prelude(axis->desc.map, order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_context_choose(&p, ctx, &no_tuning, &footprint));
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", 8);
    dmm_mapping_define(&options, &axis->mapping);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(axis, program, "dmm_axis_store", DMM_AXIS_U, &axis->store));
    if (axis->mapping.out_bytes != 0)
        TRY(dmm_object_kernel(axis, program, "dmm_axis_emit", DMM_AXIS_U, &axis->emit));
out:
    free(prelude);
    return status;
}

static dmm_status sort_init(dmm_axis *axis)
{
    dmm_status status = DMM_OK;
    const dmm_axis_desc *const desc = &axis->desc;
    const dmm_sort_segmented_desc sort = {.order = desc->order,
        .value_bytes = desc->value_bytes,
        .argsort = desc->argsort,
        .offset_type = DMM_U64,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    TRY(dmm_object_part(axis, &axis->part, &dmm_sort_segmented_class, &sort));
    TRY(dmm_segmented_init(&axis->segmented, axis, DMM_U64, &(dmm_segmented_items){1, 0}));
    TRY(mover_init(axis, &axis->keys, axis->key_bytes));
    TRY(mover_init(axis, &axis->values, desc->value_bytes));
    TRY(map_init(axis, &desc->order));
out:
    return status;
}

dmm_status dmm_axis_rows_init(dmm_axis *axis)
{
    dmm_status status = DMM_OK;
    const dmm_axis_desc *const desc = &axis->desc;
    const dmm_reduce_segmented_desc reduce = {.type = desc->order.type,
        .op = desc->op,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .own = desc->own,
        .map = desc->map};
    const dmm_scan_segmented_desc scan = {.type = desc->order.type,
        .op = desc->op,
        .exclusive = desc->exclusive,
        .offset_type = DMM_U64,
        .max_n = desc->max_n,
        .tuning = desc->tuning,
        .own = desc->own};
    if (desc->work == DMM_AXIS_SORT)
        TRY(sort_init(axis));
    else if (desc->work == DMM_AXIS_REDUCE)
        TRY(dmm_object_part(axis, &axis->part, &dmm_reduce_segmented_class, &reduce));
    else {
        const dmm_order order =
            dmm_scan_order(&(dmm_scan_desc){.type = scan.type, .op = scan.op, .own = scan.own});
        TRY(dmm_object_part(axis, &axis->part, &dmm_scan_segmented_class, &scan));
        TRY(mover_init(axis, &axis->keys, axis->key_bytes));
        TRY(map_init(axis, &order));
    }
    axis->object.max_n = ((const dmm_object *)axis->part)->max_n;
out:
    return status;
}

/* True if the rows of a call, or of any, lie apart in the input, and in the output. */
static int in_apart(const dmm_axis_args *args, dmm_axis_shape shape)
{
    return args == NULL || (args->in_stride != 0 && args->in_stride != shape.cols);
}

static int out_apart(const dmm_axis_args *args, dmm_axis_shape shape)
{
    return args == NULL || (args->out_stride != 0 && args->out_stride != shape.cols);
}

static dmm_sizes part_sizes(const dmm_axis *axis, const dmm_sizes *sizes)
{
    if (axis->desc.work == DMM_AXIS_SORT)
        return (dmm_sizes){
            .n = sizes->n, .m = sizes->m, .l = sizes->m != 0 ? sizes->n / sizes->m : 0};
    return dmm_segmented_sizes(sizes->n, sizes->m, 0);
}

void dmm_axis_rows_lay_out(const dmm_axis *axis, dmm_call *call)
{
    const dmm_sizes *const sizes = &call->sizes;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, sizes);
    const int sorts = axis->desc.work == DMM_AXIS_SORT, turns = sorts && axis->desc.axis == 0;
    const int moves =
        axis->keys.copy != NULL && (turns || axis->emit != NULL || out_apart(call->args, shape));
    const int apart =
        axis->store != NULL || in_apart(call->args, shape) || out_apart(call->args, shape);
    const uint64_t n = sizes->n, turned = turns && apart ? n : 0;
    const uint32_t key = axis->key_bytes, value = axis->desc.value_bytes;
    if (sorts)
        dmm_segmented_lay_out(&axis->segmented, call, 0);
    dmm_scan_region(call, DMM_AXIS_KEYS, moves ? n : 0, key);
    dmm_scan_region(call, DMM_AXIS_VALUES, moves && value != 0 ? n : 0, value);
    dmm_scan_region(call, DMM_AXIS_FLAT_KEYS, turned, key);
    dmm_scan_region(call, DMM_AXIS_FLAT_VALUES, value != 0 ? turned : 0, value);
    dmm_call_part_region(call, DMM_AXIS_PART, axis->part, part_sizes(axis, sizes));
}

/* Moves rows of a shape from a span to another one; strides in items. */
static dmm_status copy(const dmm_axis_mover *mover, const dmm_call *call, dmm_axis_shape shape,
    dmm_span in, uint64_t in_stride, dmm_span out, uint64_t out_stride)
{
    const uint64_t words = mover->item_bytes / mover->word_bytes, all = shape.rows * shape.cols;
    dmm_axis_call c = {.in_at = dmm_span_items(in, mover->word_bytes),
        .out_at = dmm_span_items(out, mover->word_bytes),
        .rows = shape.rows,
        .cols = shape.cols * words,
        .in_stride = (in_stride != 0 ? in_stride : shape.cols) * words,
        .out_stride = (out_stride != 0 ? out_stride : shape.cols) * words};
    const uint64_t groups = dmm_size_div_up(all * words, DMM_AXIS_U);
    c.items = groups * DMM_AXIS_U;
    return dmm_call_launch(call, mover->copy, DMM_BUFFERS(in.buffer, out.buffer), &c, sizeof c,
        (dmm_grid){0, groups, DMM_AXIS_U});
}

/* Returns the grid of a kernel of a map, whose numbers it fills but for what is written. */
static dmm_grid map_numbers(const dmm_axis *axis, const dmm_call *call, dmm_axis_call *c)
{
    const dmm_axis_args *const args = call->args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, &call->sizes);
    const uint64_t groups = dmm_size_div_up(call->sizes.n, DMM_AXIS_U);
    c->in_at = dmm_span_items(args->in, axis->mapping.bytes[0]);
    c->rows = shape.rows;
    c->cols = shape.cols;
    c->in_stride = args->in_stride != 0 ? args->in_stride : shape.cols;
    c->items = groups * DMM_AXIS_U;
    return (dmm_grid){0, groups, DMM_AXIS_U};
}

/* Stores what the map gives, side by side. */
static dmm_status store(const dmm_axis *axis, const dmm_call *call, dmm_span out)
{
    const dmm_axis_args *const args = call->args;
    dmm_axis_call c = {.out_at = dmm_span_items(out, axis->key_bytes)};
    const dmm_grid grid = map_numbers(axis, call, &c);
    return dmm_mapping_launch(&axis->mapping, call, (dmm_further){args->further, 0}, axis->store,
        DMM_BUFFERS(args->in.buffer, out.buffer), &c, sizeof c, grid);
}

/* Stores what its `out` makes of totals that lie side by side. */
static dmm_status emit(const dmm_axis *axis, const dmm_call *call, dmm_span totals)
{
    const dmm_axis_args *const args = call->args;
    dmm_axis_call c = {.totals_at = dmm_span_items(totals, axis->key_bytes),
        .out_at = dmm_span_items(args->out, axis->mapping.out_bytes)};
    const dmm_grid grid = map_numbers(axis, call, &c);
    c.out_stride = args->out_stride != 0 ? args->out_stride : c.cols;
    return dmm_mapping_launch(&axis->mapping, call, (dmm_further){args->further, 0}, axis->emit,
        DMM_BUFFERS(args->in.buffer, totals.buffer, args->out.buffer), &c, sizeof c, grid);
}

static dmm_status turn(const dmm_axis_mover *mover, const dmm_call *call, dmm_axis_shape shape,
    dmm_span in, dmm_span out)
{
    const dmm_transpose_args args = {.in = in, .out = out};
    const dmm_sizes sizes = {.n = shape.rows, .m = shape.cols, .l = 1};
    return dmm_call_run(call, mover->transpose, &args, sizes);
}

/* Where the items of one size are: in the caller's spans, and those of temp. */
typedef struct places {
    const dmm_axis_mover *mover;
    dmm_span in, out;   /* in: none for positions, which a sort makes */
    dmm_span own, flat; /* own: what is sorted as rows */
} places;

/* Makes the rows that are to be worked on. */
static dmm_status gather(const dmm_axis *axis, const dmm_call *call, places *p)
{
    dmm_status status = DMM_OK;
    const dmm_axis_args *const args = call->args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, &call->sizes);
    const int turns = p->mover->transpose != NULL, apart = in_apart(args, shape);
    const int maps = axis->store != NULL && p->mover == &axis->keys;
    if (!turns && !(maps && axis->emit != NULL) && !out_apart(args, shape))
        p->own = p->out;
    if (p->in.buffer == NULL || (!turns && !apart && !maps))
        goto out; /* the part reads them where they are */
    const dmm_span to = turns ? p->flat : p->own;
    if (maps)
        TRY(store(axis, call, to));
    else if (apart)
        TRY(copy(p->mover, call, shape, p->in, args->in_stride, to, 0));
    if (turns)
        TRY(turn(p->mover, call, shape, apart || maps ? p->flat : p->in, p->own));
    p->in = p->own;
out:
    return status;
}

/* Brings them to the outputs. */
static dmm_status scatter(const dmm_axis *axis, const dmm_call *call, const places *p)
{
    dmm_status status = DMM_OK;
    const dmm_axis_args *const args = call->args;
    const dmm_axis_shape shape = dmm_axis_shape_of(axis, &call->sizes);
    const int turns = p->mover->transpose != NULL, apart = out_apart(args, shape);
    const dmm_span from = turns ? p->flat : p->own;
    if (axis->emit != NULL)
        return emit(axis, call, p->own);
    if (turns)
        TRY(turn(p->mover, call, (dmm_axis_shape){shape.cols, shape.rows}, p->own,
            apart ? p->flat : p->out));
    if (apart)
        TRY(copy(p->mover, call, shape, from, 0, p->out, args->out_stride));
out:
    return status;
}

static dmm_status sort(const dmm_axis *axis, const dmm_call *call, places *keys, places *values)
{
    dmm_status status = DMM_OK;
    const dmm_sizes *const sizes = &call->sizes;
    dmm_span offsets;
    if (axis->values.item_bytes != 0)
        TRY(gather(axis, call, values));
    TRY(dmm_segmented_offsets(&axis->segmented, call, DMM_NONE, &offsets));
    const dmm_sort_segmented_args by_rows = {.keys_in = keys->in,
        .values_in = values->in,
        .keys_out = keys->own,
        .values_out = values->own,
        .offsets = offsets,
        .temp = call->regions[DMM_AXIS_PART]};
    TRY(dmm_call_run(call, axis->part, &by_rows, part_sizes(axis, sizes)));
    if (axis->values.places != NULL) {
        const uint64_t groups = dmm_size_div_up(sizes->n, DMM_AXIS_U);
        const dmm_axis_call c = {.out_at = dmm_span_items(values->own, axis->values.word_bytes),
            .rows = sizes->m,
            .cols = sizes->n / sizes->m,
            .items = groups * DMM_AXIS_U};
        TRY(dmm_call_launch(call, axis->values.places, DMM_BUFFERS(values->own.buffer), &c,
            sizeof c, (dmm_grid){0, groups, DMM_AXIS_U}));
    }
    if (axis->values.item_bytes != 0)
        TRY(scatter(axis, call, values));
out:
    return status;
}

dmm_status dmm_axis_rows_steps(const dmm_axis *axis, const dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_axis_args *const args = call->args;
    const dmm_sizes sizes = part_sizes(axis, &call->sizes);
    const uint32_t key = axis->key_bytes, value = axis->desc.value_bytes;
    if (axis->desc.work == DMM_AXIS_REDUCE) {
        const dmm_reduce_segmented_args reduce = {.in = args->in,
            .out = args->out,
            .temp = call->regions[DMM_AXIS_PART],
            .stride = args->in_stride,
            .further = args->further};
        return dmm_call_run(call, axis->part, &reduce, sizes);
    }
    if (sizes.n == 0)
        goto out;
    places keys = {.mover = &axis->keys,
        .in = args->in,
        .out = args->out,
        .own = dmm_call_items(call, DMM_AXIS_KEYS, key),
        .flat = dmm_call_items(call, DMM_AXIS_FLAT_KEYS, key)};
    places values = {.mover = &axis->values, .in = args->values_in, .out = args->values_out};
    if (value != 0) {
        values.own = dmm_call_items(call, DMM_AXIS_VALUES, value);
        values.flat = dmm_call_items(call, DMM_AXIS_FLAT_VALUES, value);
    }
    TRY(gather(axis, call, &keys));
    const dmm_scan_segmented_args scan = {
        .in = keys.in, .out = keys.own, .temp = call->regions[DMM_AXIS_PART]};
    if (axis->desc.work == DMM_AXIS_SCAN)
        TRY(dmm_call_run(call, axis->part, &scan, sizes));
    else
        TRY(sort(axis, call, &keys, &values));
    TRY(scatter(axis, call, &keys));
out:
    return status;
}
