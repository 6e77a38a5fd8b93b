/* SPDX-License-Identifier: MIT */
/*
 * Partitions by methods for study. A partition that is created here is used and freed as any
 * dmm_partition:
 *
 *     dmm_partition *partition = NULL;
 *     dmm_partition_desc desc = {.ways = 16, .order = {.type = DMM_U32}, .label_bytes = 1};
 *     dmm_status status =
 *         dmm_lab_partition_create(&partition, ctx, &desc, DMM_LAB_PARTITION_MATRIX);
 *     ... dmm_partition_temp_bytes, dmm_partition_enqueue, dmm_partition_free ...
 *
 * The result is that of <dmm/partition.h>, bit for bit. Details and sources are at the end of this
 * file.
 */
#ifndef DMM_LAB_PARTITION_H
#define DMM_LAB_PARTITION_H

#include <dmm/partition.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_lab_partition_method {
    DMM_LAB_PARTITION_MATRIX = 1,
    DMM_LAB_PARTITION_BLOCKS = 2
} dmm_lab_partition_method;

/*
 * Creates a partition as dmm_partition_create, by this method; the description's method is
 * DMM_PARTITION_AUTO. Errors: those of dmm_partition_create; DMM_BAD_VALUE (another method in the
 * description, or no method of this list); DMM_UNSUPPORTED (form=cpu in the description; blocks
 * with guarantee). On failure *out is NULL.
 */
DMM_API dmm_status dmm_lab_partition_create(dmm_partition **out, dmm_context *ctx,
    const dmm_partition_desc *desc, dmm_lab_partition_method method);

/* Partitions host arrays, and blocks, as dmm_partition_host. Errors as above. */
DMM_API dmm_status dmm_lab_partition_host(dmm_context *ctx, const dmm_partition_desc *desc,
    dmm_lab_partition_method method, const dmm_partition_host_args *args, size_t n);

/*
 * Details
 * Methods        matrix   the passes of <dmm/partition.h>; in them a tile is partitioned as a
 *                         matrix, a row per bank, by the phases of Afshani and Sitchinava
 *                         (docs/matrix.md), without their bounds: counting first gives each item
 *                         its place, and with it its row and column, which their algorithm does not
 *                         know. GPU form only; u*E is a power of two. Slower than the split of
 *                         `guarantee` wherever measured, and with 16 banks or more it takes more
 *                         passes of local memory.
 *                blocks   k-partition (algorithm 10 of Jurkiewicz). A group reads its share as a
 *                         stream, sorts what it holds by bucket, writes whole blocks, and holds the
 *                         rest, at most half a tile. A block is 128 bytes of items, or the largest
 *                         power of two with which twice K blocks fit a tile; K > 256 takes a pass
 *                         per 8 bits. GPU form only; no `guarantee`.
 * Cost           both read the buckets once more to count them and write them with the items: with
 *                K <= 256, labels and items of 4 bytes, 16 bytes moved for an item
 * Bank claim     matrix: every kernel that moves items `conflict-free`, on any input; blocks:
 *                `measured`
 * Source         P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs",
 *                ESA 2015, DOI 10.1007/978-3-662-48350-3_2, section 2; T. Jurkiewicz, "Toward
 *                Better Computation Models for Modern Machines", PhD thesis, Saarland University,
 *                2013, section 4.2.2
 */

#ifdef __cplusplus
}
#endif

#endif
