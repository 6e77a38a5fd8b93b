/* SPDX-License-Identifier: MIT */
/*
 * The check for decreasing offsets.
 */
#include "primitives/sort/offsets.h"

#include "core/size.h"

/* Groups of the check: few, because each tile reads their results. */
enum { MOST_GROUPS = 16, OFFSETS_A_GROUP = 1024 };

dmm_status dmm_offsets_define(dmm_options *options, dmm_type type)
{
    if (type != DMM_U32 && type != DMM_U64)
        return DMM_BAD_VALUE;
    dmm_options_define(options, "DMM_OFFSET_BYTES", dmm_type_bytes(type));
    return DMM_OK;
}

dmm_status dmm_offsets_init(dmm_offsets *offsets, dmm_object *object, cl_program program,
    dmm_type type, uint32_t index_bytes)
{
    offsets->offset_bytes = dmm_type_bytes(type);
    offsets->index_bytes = index_bytes;
    return dmm_object_kernel(
        object, program, "dmm_offsets_check", DMM_PARTITION_U, &offsets->check);
}

void dmm_offsets_lay_out(const dmm_offsets *offsets, dmm_call *call, size_t region)
{
    const uint64_t words = call->sizes.n != 0 ? MOST_GROUPS * DMM_PARTITION_U : 0;
    dmm_call_region(call, region, words, offsets->index_bytes);
}

/* Returns the groups of the check. */
static uint64_t groups_of(const dmm_call *call)
{
    const uint64_t wanted = dmm_size_div_up(call->sizes.m + 1, OFFSETS_A_GROUP);
    return call->sizes.n == 0 ? 0 : wanted < MOST_GROUPS ? wanted : MOST_GROUPS;
}

dmm_offsets_call dmm_offsets_call_of(
    const dmm_offsets *offsets, const dmm_call *call, const dmm_offset_spans *spans)
{
    return (dmm_offsets_call){.offsets_at = dmm_span_items(spans->offsets, offsets->offset_bytes),
        .fallen_at = dmm_span_items(spans->fallen, offsets->index_bytes),
        .report_at = dmm_span_items(spans->report, sizeof(dmm_u64)),
        .num_offsets = call->sizes.m + 1,
        .n = call->sizes.n,
        .most = UINT64_MAX,
        .num_fallen = (dmm_u32)groups_of(call) * DMM_PARTITION_U,
        .code = DMM_BAD_DATA};
}

dmm_status dmm_offsets_check(const dmm_offsets *offsets, const dmm_call *call,
    const dmm_offset_spans *spans, uint64_t most, dmm_offsets_call *c)
{
    *c = dmm_offsets_call_of(offsets, call, spans);
    if (most != 0)
        c->most = most;
    return dmm_call_launch(call, offsets->check,
        DMM_BUFFERS(spans->offsets.buffer, spans->fallen.buffer), c, sizeof *c,
        (dmm_grid){0, groups_of(call), DMM_PARTITION_U});
}
