/* SPDX-License-Identifier: MIT */
/*
 * Segments around the primitives that work on them.
 */
#include "primitives/segmented/segmented.h"

#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/words.h"

uint32_t dmm_segmented_item_bytes(dmm_type type, const dmm_operator *own)
{
    return type == DMM_ITEM && own != NULL ? own->item_bytes : dmm_type_bytes(type);
}

dmm_status dmm_segmented_offset_bytes(dmm_type offset_type, uint32_t *out)
{
    if (offset_type != DMM_U32 && offset_type != DMM_U64)
        return dmm_refuse(DMM_BAD_VALUE, "offset_type: must be DMM_U32 or DMM_U64");
    *out = dmm_type_bytes(offset_type);
    return DMM_OK;
}

dmm_status dmm_segmented_init(
    dmm_segmented *out, void *object, dmm_type offset_type, const dmm_segmented_items *items)
{
    static const dmm_tuning no_tuning = {.form = DMM_FORM_DEFAULT};
    dmm_status status = DMM_OK;
    dmm_object *const o = object;
    dmm_context *const ctx = o->ctx;
    const uint32_t item_bytes = items->item_bytes;
    const dmm_footprint footprint = {.item_bytes = item_bytes, .word = o->class->word};
    const dmm_word_layout words = {.word_bytes = dmm_word_bytes(item_bytes),
        .words = item_bytes / dmm_word_bytes(item_bytes),
        .index_bytes = 8};
    dmm_options options = {.bytes = 0};
    dmm_parameters p;
    cl_program program = NULL;
    const dmm_program_desc text = {.root = "cl/segmented.cl", .options = &options, .prelude = ""};
    *out = (dmm_segmented){.item_bytes = item_bytes, .word_bytes = words.word_bytes};
    TRY(dmm_segmented_offset_bytes(offset_type, &out->offset_bytes));
    TRY(dmm_context_choose(&p, ctx, &no_tuning, &footprint));
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_word_define(&options, &words);
    dmm_options_define(&options, "DMM_OFFSET_BYTES", out->offset_bytes);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(object, program, "dmm_segmented_rows", DMM_SEGMENTED_U, &out->rows));
    TRY(dmm_object_kernel(object, program, "dmm_segmented_mark", DMM_SEGMENTED_U, &out->mark));
    if (items->takes)
        TRY(dmm_object_kernel(
            object, program, "dmm_segmented_first", DMM_SEGMENTED_U, &out->first));
out:
    return status;
}

dmm_sizes dmm_segmented_sizes(uint64_t n, uint64_t segments, int has_offsets)
{
    return (dmm_sizes){.n = n, .m = segments, .l = !has_offsets};
}

dmm_status dmm_segmented_check(const void *object, const dmm_sizes *sizes)
{
    const uint64_t n = sizes->n, segments = sizes->m;
    const dmm_status status = dmm_object_check_n(object, n);
    if (status != DMM_OK)
        return status;
    if (segments > UINT64_MAX / 64)
        return dmm_refuse(DMM_TOO_LARGE, "segments: there are more than can be counted");
    if (sizes->l && n != 0 && (segments == 0 || n % segments != 0))
        return dmm_refuse(DMM_BAD_VALUE,
            "segments: without offsets, %llu items are no %llu segments of one length",
            (unsigned long long)n, (unsigned long long)segments);
    return DMM_OK;
}

uint64_t dmm_segmented_read(const dmm_sizes *sizes)
{
    return sizes->l ? 0 : sizes->m + 1;
}

uint64_t dmm_view_items(uint64_t rows, uint64_t cols, uint64_t stride)
{
    if (rows == 0 || cols == 0)
        return 0;
    return dmm_size_add(dmm_size_mul(rows - 1, stride != 0 ? stride : cols), cols);
}

dmm_status dmm_view_check(const char *field, uint64_t stride, uint64_t cols)
{
    if (stride != 0 && stride < cols)
        return dmm_refuse(DMM_BAD_VALUE, "%s: is %llu, less than the %llu items of a row", field,
            (unsigned long long)stride, (unsigned long long)cols);
    return DMM_OK;
}

/* Without args, as when a call gives no offsets, which needs more. */
void dmm_segmented_lay_out(const dmm_segmented *segmented, dmm_call *call, int marks)
{
    const dmm_sizes *const sizes = &call->sizes;
    const int makes = sizes->n != 0 && (call->args == NULL || sizes->l);
    dmm_call_region(call, DMM_SEGMENTED_OFFSETS, makes ? dmm_size_add(sizes->m, 1) : 0,
        segmented->offset_bytes);
    dmm_call_region(call, DMM_SEGMENTED_MARKS, marks ? sizes->n : 0, 1);
}

static dmm_segmented_call numbers_of(
    const dmm_segmented *segmented, const dmm_call *call, dmm_span offsets)
{
    return (dmm_segmented_call){.offsets_at = dmm_span_items(offsets, segmented->offset_bytes),
        .n = call->sizes.n,
        .segments = call->sizes.m};
}

static dmm_grid grid_of(uint64_t work_items)
{
    return (dmm_grid){0, dmm_size_div_up(work_items, DMM_SEGMENTED_U), DMM_SEGMENTED_U};
}

dmm_status dmm_segmented_offsets(
    const dmm_segmented *segmented, const dmm_call *call, dmm_span given, dmm_span *out)
{
    *out = given;
    if (!call->sizes.l)
        return DMM_OK;
    *out = call->regions[DMM_SEGMENTED_OFFSETS];
    dmm_segmented_call c = numbers_of(segmented, call, *out);
    c.row = call->sizes.m != 0 ? call->sizes.n / call->sizes.m : 0;
    return dmm_call_launch(
        call, segmented->rows, DMM_BUFFERS(out->buffer), &c, sizeof c, grid_of(call->sizes.m + 1));
}

dmm_status dmm_segmented_marks(
    const dmm_segmented *segmented, const dmm_call *call, dmm_span offsets)
{
    const dmm_span marks = call->regions[DMM_SEGMENTED_MARKS];
    dmm_segmented_call c = numbers_of(segmented, call, offsets);
    c.out_at = marks.offset_bytes;
    const dmm_status status = dmm_chain_fill(
        call->chain, marks, 0, dmm_size_div_up(call->sizes.n, sizeof(uint32_t)) * sizeof(uint32_t));
    if (status != DMM_OK)
        return status;
    return dmm_call_launch(call, segmented->mark, DMM_BUFFERS(offsets.buffer, marks.buffer), &c,
        sizeof c, grid_of(call->sizes.m + 1));
}

dmm_status dmm_segmented_take(const dmm_segmented *segmented, const dmm_call *call,
    const dmm_span offsets, dmm_span in, dmm_span out, dmm_segmented_call c)
{
    const uint32_t word = segmented->word_bytes;
    const dmm_segmented_call where = numbers_of(segmented, call, offsets);
    const uint64_t places = dmm_size_mul(where.segments, c.k);
    c.offsets_at = where.offsets_at;
    c.n = where.n;
    c.segments = where.segments;
    c.in_at = dmm_span_items(in, word);
    c.out_at = dmm_span_items(out, word);
    return dmm_call_launch(call, segmented->first,
        DMM_BUFFERS(offsets.buffer, in.buffer, out.buffer), &c, sizeof c,
        grid_of(dmm_size_mul(places, segmented->item_bytes / word)));
}
