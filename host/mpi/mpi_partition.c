/* SPDX-License-Identifier: MIT */
/* Partitioning over the ranks: a stable sort by labels, whose counts give the offsets. */
#include <stdlib.h>
#include <string.h>

#include <dmm-mpi/partition.h>

#include "machine.h"

static uint32_t label_at(const dmm_mpi_partition_args *args, const void *labels, uint64_t at)
{
    uint32_t label = 0;
    memcpy(&label, (const char *)labels + at * args->label_bytes, args->label_bytes);
    return label;
}

static dmm_status check(const dmm_mpi_partition_args *args)
{
    if (!args)
        return DMM_NULL_ARGUMENT;
    if (dmm_mpi_check_reserved(args->reserved))
        return DMM_UNSUPPORTED;
    if (args->ways == 0 || args->ways > 65536 || args->item_bytes == 0 || args->item_bytes > 256 ||
        (args->label_bytes != 1 && args->label_bytes != 2 && args->label_bytes != 4))
        return DMM_BAD_VALUE;
    if (!args->offsets_out || (args->n && (!args->labels || !args->items)) ||
        (args->n_out && (!args->labels_out || !args->items_out)))
        return DMM_NULL_ARGUMENT;
    for (uint64_t i = 0; i < args->n; i++)
        if (label_at(args, args->labels, i) >= args->ways)
            return DMM_BAD_DATA;
    return DMM_OK;
}

static dmm_status sort_by_labels(dmm_mpi *mpi, const dmm_mpi_partition_args *args)
{
    const dmm_sort_desc desc = {.order.type = args->label_bytes == 1   ? DMM_U8
                                              : args->label_bytes == 2 ? DMM_U16
                                                                       : DMM_U32,
        .value_bytes = args->item_bytes};
    const dmm_mpi_sort_args sort = {.keys = args->labels,
        .values = args->items,
        .n = args->n,
        .keys_out = args->labels_out,
        .values_out = args->items_out,
        .n_out = args->n_out};
    return dmm_mpi_sort(mpi, &desc, &sort);
}

/* Offsets from the labels of all ranks; counts[ways] is scratch. */
static void count_labels(dmm_mpi *mpi, const dmm_mpi_partition_args *args, uint64_t *counts)
{
    memset(counts, 0, args->ways * sizeof *counts);
    for (uint64_t i = 0; i < args->n_out; i++)
        counts[label_at(args, args->labels_out, i)]++;
    MPI_Allreduce(counts, args->offsets_out + 1, (int)args->ways, MPI_UINT64_T, MPI_SUM, mpi->comm);
    args->offsets_out[0] = 0;
    for (uint32_t way = 0; way < args->ways; way++)
        args->offsets_out[way + 1] += args->offsets_out[way];
}

dmm_status dmm_mpi_partition(dmm_mpi *mpi, const dmm_mpi_partition_args *args)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    dmm_mpi_opening *all = NULL, mine = {.status = check(args)};
    uint64_t *counts = NULL;
    dmm_status status = DMM_OK;
    if (mine.status == DMM_OK) {
        mine = (dmm_mpi_opening){.n = args->n,
            .n_out = args->n_out,
            .digest =
                dmm_mpi_digest(dmm_mpi_digest(dmm_mpi_digest(0, args->ways), args->label_bytes),
                    args->item_bytes)};
        counts = malloc(args->ways * sizeof *counts);
        mine.status = counts ? DMM_OK : DMM_OUT_OF_MEMORY;
    }
    TRY(dmm_mpi_open(mpi, &mine, &all));
    TRY(sort_by_labels(mpi, args));
    count_labels(mpi, args, counts);
out:
    free(all);
    free(counts);
    return status;
}
