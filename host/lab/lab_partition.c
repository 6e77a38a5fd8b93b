/* SPDX-License-Identifier: MIT */
/*
 * dmm_lab_partition_create: partitions by the methods of the lab, in the GPU form. Each has a class
 * whose init says how a pass sorts its tiles; all else is that of dmm_partition.
 */
#include <dmm-lab/partition.h>

#include "lab/lab.h"
#include "primitives/partition.h"

static dmm_status init_by(dmm_partition *partition, const dmm_tile_by *tile_by)
{
    dmm_partition_desc *const desc = &partition->desc;
    if (desc->method != DMM_PARTITION_AUTO)
        return DMM_BAD_VALUE;
    if (desc->tuning.form == DMM_FORM_CPU)
        return DMM_UNSUPPORTED;
    if (desc->tuning.form == DMM_FORM_DEFAULT)
        desc->tuning.form = DMM_FORM_GPU;
    return dmm_partition_by_tiles(partition, tile_by);
}

static dmm_status init_by_matrix(void *object)
{
    return init_by(object, &dmm_lab_tile_by_route);
}

static dmm_status init_by_blocks(void *object)
{
    const dmm_partition *const partition = object;
    return partition->desc.guarantee ? DMM_UNSUPPORTED : init_by(object, &dmm_lab_tile_by_blocks);
}

static const dmm_class classes[] = {
    [DMM_LAB_PARTITION_MATRIX] = {DMM_PARTITION_CLASS, .init = init_by_matrix},
    [DMM_LAB_PARTITION_BLOCKS] = {DMM_PARTITION_CLASS, .init = init_by_blocks},
};

static int is_method(dmm_lab_partition_method method)
{
    return method == DMM_LAB_PARTITION_MATRIX || method == DMM_LAB_PARTITION_BLOCKS;
}

dmm_status dmm_lab_partition_create(dmm_partition **out, dmm_context *ctx,
    const dmm_partition_desc *desc, dmm_lab_partition_method method)
{
    if (is_method(method))
        return dmm_object_create(out, ctx, &classes[method], desc);
    if (out != NULL)
        *out = NULL;
    return DMM_BAD_VALUE;
}

dmm_status dmm_lab_partition_host(dmm_context *ctx, const dmm_partition_desc *desc,
    dmm_lab_partition_method method, const dmm_partition_host_args *host, size_t n)
{
    return is_method(method) ? dmm_partition_host_of(ctx, &classes[method], desc, host, n)
                             : DMM_BAD_VALUE;
}
