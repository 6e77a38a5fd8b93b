/* SPDX-License-Identifier: MIT */
/*
 * The kernels that dmm_merge and dmm_sort share, and their launches.
 */
#include "primitives/merge.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/size.h"
#include "primitives/sort_matrix.h"

enum { NUM_INDICES = 5 };

static const char *root_of(const dmm_merger *merger, const dmm_merger_desc *desc)
{
    if (desc->offset_bytes != 0)
        return merger->p.cpu ? "cl/sort/segments_cpu.cl" : "cl/sort/segments.cl";
    if (dmm_sorts_matrix(desc->method))
        return "cl/sort/sort_matrix.cl";
    if (desc->sorts)
        return merger->p.cpu ? "cl/sort/sort_cpu.cl" : "cl/sort/sort.cl";
    return merger->p.cpu ? "cl/sort/merge_cpu.cl" : "cl/sort/merge.cl";
}

static dmm_status get_program(dmm_merger *merger, const dmm_merger_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    char *prelude = dmm_order_prelude(desc->order);
    FAIL_IF(prelude == NULL, DMM_OUT_OF_MEMORY);
    dmm_parameters_define(&options, &merger->p, &merger->ctx->device);
    dmm_item_define(&options, &merger->layout, desc->order);
    dmm_options_define(&options, "DMM_PARTITION_U", DMM_PARTITION_U);
    dmm_options_define(&options, "DMM_SEGMENTED", desc->offset_bytes != 0);
    if (desc->offset_bytes != 0)
        dmm_options_define(&options, "DMM_OFFSET_BYTES", desc->offset_bytes);
    if (dmm_sorts_matrix(desc->method))
        TRY(dmm_matrix_define(&options, desc->method, DMM_MATRIX_OF_ITEMS, &merger->p,
            &merger->layout, &merger->ctx->device));
    dmm_values_define(&options, &merger->layout, desc->positions, desc->sorts);
    const dmm_program_desc program = {
        .root = root_of(merger, desc),
        .options = &options,
        .prelude = prelude,
    };
    TRY(dmm_programs_get(&merger->ctx->programs, &program, &merger->program));
out:
    free(prelude);
    return status;
}

dmm_status dmm_merger_init(dmm_merger *merger, dmm_context *ctx, const dmm_merger_desc *desc)
{
    dmm_status status = DMM_OK;
    const dmm_device *device = &ctx->device;
    dmm_programs *programs = &ctx->programs;
    const int segments = desc->offset_bytes != 0, matrix = dmm_sorts_matrix(desc->method);
    const char *partition = segments ? "dmm_segments_split" : "dmm_merge_partition";
    const char *tile = segments ? "dmm_segments_merge" : "dmm_merge_tile";

    *merger = (dmm_merger){.ctx = ctx};
    TRY(dmm_item_layout_init(
        &merger->layout, device, desc->order, desc->value_bytes, desc->positions, desc->max_n));
    if (desc->offset_bytes != 0 && !dmm_context_is_cpu(ctx, desc->tuning))
        merger->layout.ties = 1; /* positions tell segments */
    dmm_footprint footprint = dmm_item_footprint(&merger->layout, device);
    if (desc->offset_bytes != 0 || (matrix && merger->layout.ties))
        footprint.local_bytes += merger->layout.plane_bytes - (uint32_t)device->bank_bytes.value;
    footprint.most_tile = matrix ? DMM_MATRIX_TILE : 0;
    footprint.guarantee = desc->guarantee;
    footprint.word = desc->order->less != NULL ? NULL : desc->word;
    TRY(dmm_context_choose(&merger->p, ctx, desc->tuning, &footprint));
    FAIL_IF(desc->guarantee && merger->p.plain_search, DMM_UNSUPPORTED);
    merger->max_n = dmm_item_limit(&merger->layout, desc->positions, desc->max_n);
    TRY(get_program(merger, desc));
    TRY(dmm_programs_kernel(
        programs, merger->program, partition, DMM_PARTITION_U, &merger->partition));
    TRY(dmm_programs_kernel(programs, merger->program, tile, merger->p.u, &merger->tile));
    TRY(dmm_values_kernel(programs, merger->program, &merger->layout, &merger->gather));
out:
    if (status != DMM_OK)
        dmm_merger_destroy(merger);
    return status;
}

void dmm_merger_destroy(dmm_merger *merger)
{
    cl_kernel *const kernels[] = {&merger->partition, &merger->tile, &merger->gather};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (*kernels[i] != NULL)
            clReleaseKernel(*kernels[i]);
        *kernels[i] = NULL;
    }
}

dmm_status dmm_merger_pass(const dmm_merger *merger, dmm_chain *chain, const dmm_pass *pass)
{
    dmm_status status = DMM_OK;
    const uint32_t key = merger->layout.key_bytes, value = merger->layout.moved_bytes;
    const uint64_t first = pass->first, b_first = first + pass->b_shift;
    const cl_ulong ak = dmm_span_items(pass->a.keys, key) - first;
    const cl_ulong bk = dmm_span_items(pass->b.keys, key) - b_first;
    const cl_ulong ok = dmm_span_items(pass->out.keys, key) - first;
    const cl_ulong av = dmm_span_items(pass->a.values, value) - first;
    const cl_ulong bv = dmm_span_items(pass->b.values, value) - b_first;
    const cl_ulong ov = dmm_span_items(pass->out.values, value) - first;
    const cl_ulong sp = dmm_span_items(pass->splits, merger->layout.index_bytes);
    const cl_ulong co = dmm_span_items(pass->count, DMM_COUNT_BYTES);
    const cl_ulong first_tile = first / merger->p.tile;
    const cl_ulong tiles = dmm_size_div_up(pass->n, merger->p.tile);
    const cl_ulong wide[NUM_INDICES] = {first + pass->n, pass->run, pass->span, first_tile, tiles};
    cl_uint narrow[NUM_INDICES];
    dmm_arg index[NUM_INDICES];
    for (int i = 0; i < NUM_INDICES; i++)
        index[i] = dmm_index_arg(&merger->layout, &wide[i], &narrow[i]);

    const dmm_arg partition[] = {DMM_ARG_SPAN(pass->a.keys, ak), DMM_ARG_SPAN(pass->b.keys, bk),
        DMM_ARG_SPAN(pass->splits, sp), index[0], index[1], index[2], index[3], index[4],
        DMM_ARG_SPAN(pass->count, co)};
    const dmm_arg tile[] = {DMM_ARG_SPAN(pass->a.keys, ak), DMM_ARG_SPAN(pass->a.values, av),
        DMM_ARG_SPAN(pass->b.keys, bk), DMM_ARG_SPAN(pass->b.values, bv),
        DMM_ARG_SPAN(pass->out.keys, ok), DMM_ARG_SPAN(pass->out.values, ov),
        DMM_ARG_SPAN(pass->splits, sp), index[0], index[1], index[2], index[3],
        DMM_ARG_SPAN(pass->count, co)};
    TRY(dmm_chain_launch(chain, merger->partition, partition, sizeof partition / sizeof *partition,
        (dmm_grid){0, dmm_size_div_up(tiles, DMM_PARTITION_U), DMM_PARTITION_U}));
    TRY(dmm_chain_launch(chain, merger->tile, tile, sizeof tile / sizeof *tile,
        (dmm_grid){first_tile, tiles, merger->p.u}));
out:
    return status;
}
