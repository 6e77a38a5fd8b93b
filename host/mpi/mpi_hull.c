/* SPDX-License-Identifier: MIT */
/* Hulls over the ranks: each finds its hull, rank 0 the hull of the vertices of all. */
#include <stdlib.h>
#include <string.h>

#include <dmm-mpi/hull.h>

#include "exchange.h"

typedef struct hull_call {
    dmm_mpi *mpi;
    dmm_hull_desc desc; /* description of both hulls */
    const dmm_mpi_hull_args *args;
    uint32_t point_bytes;
    dmm_mpi_opening *all;
    uint64_t *starts;  /* ranks + 1: where each rank's vertices begin on rank 0; scratch behind */
    uint64_t count;    /* vertices of this rank; in the end of all */
    uint64_t *indices; /* indices of this rank's vertices */
    char *points;      /* points of these */
    /* Rank 0: all vertices, their indices, and which of them are those of the hull. */
    char *all_points;
    uint64_t *all_indices, *chosen;
} hull_call;

static dmm_status check(const dmm_hull_desc *desc, const dmm_mpi_hull_args *args)
{
    if (!desc || !args || !args->count_out || (args->n && !args->points) ||
        (args->most && !args->hull_out))
        return DMM_NULL_ARGUMENT;
    if (desc->two_arrays || dmm_mpi_check_reserved(desc->reserved) ||
        dmm_mpi_check_reserved(args->reserved))
        return DMM_UNSUPPORTED;
    return args->n > SIZE_MAX / 512 ? DMM_TOO_LARGE : DMM_OK;
}

/* Finds this rank's hull. *args->count: the first point that is not finite. */
static dmm_status find_mine(hull_call *s)
{
    const uint64_t first = dmm_mpi_before(s->all, s->mpi->rank);
    s->starts = malloc(((size_t)s->mpi->ranks + 1) * 3 * sizeof *s->starts);
    s->indices = malloc(((size_t)s->args->n + 1) * sizeof *s->indices);
    if (!s->starts || !s->indices)
        return DMM_OUT_OF_MEMORY;
    const dmm_status status = dmm_hull_host(s->mpi->context, &s->desc, s->args->points, NULL,
        (size_t)s->args->n, s->indices, &s->count);
    if (status == DMM_NOT_FINITE)
        *s->args->count_out = s->count;
    if (status != DMM_OK)
        return status;
    s->points = malloc((size_t)s->count * s->point_bytes + 1);
    if (!s->points)
        return DMM_OUT_OF_MEMORY;
    for (uint64_t i = 0; i < s->count; i++) {
        memcpy(s->points + i * s->point_bytes,
            (const char *)s->args->points + s->indices[i] * s->point_bytes, s->point_bytes);
        s->indices[i] += first;
    }
    return DMM_OK;
}

static dmm_status make_space(hull_call *s)
{
    const size_t ranks = (size_t)s->mpi->ranks;
    s->starts[0] = 0;
    for (size_t rank = 0; rank < ranks; rank++)
        s->starts[rank + 1] += s->starts[rank];
    if (s->mpi->rank != 0)
        return DMM_OK;
    const size_t sum = (size_t)s->starts[ranks];
    if (sum > SIZE_MAX / 512)
        return DMM_TOO_LARGE;
    s->all_points = malloc(sum * s->point_bytes + 1);
    s->all_indices = malloc(sum * sizeof *s->all_indices + 1);
    s->chosen = malloc(sum * sizeof *s->chosen + 1);
    return s->all_points && s->all_indices && s->chosen ? DMM_OK : DMM_OUT_OF_MEMORY;
}

/* Rank 0: leaves the indices of the hull's vertices in `chosen`. */
static dmm_status find_of_all(hull_call *s)
{
    if (s->mpi->rank != 0)
        return DMM_OK;
    const dmm_status status = dmm_hull_host(s->mpi->context, &s->desc, s->all_points, NULL,
        (size_t)s->starts[s->mpi->ranks], s->chosen, &s->count);
    for (uint64_t i = 0; status == DMM_OK && i < s->count; i++)
        s->chosen[i] = s->all_indices[s->chosen[i]];
    return status;
}

static dmm_status run(hull_call *s)
{
    dmm_mpi *const mpi = s->mpi;
    dmm_status status = DMM_OK;
    TRY(dmm_mpi_agree(mpi, find_mine(s)));
    MPI_Allgather(&s->count, 1, MPI_UINT64_T, s->starts + 1, 1, MPI_UINT64_T, mpi->comm);
    TRY(dmm_mpi_agree(mpi, make_space(s)));
    uint64_t *const scratch = s->starts + mpi->ranks + 1;
    dmm_exchange_gather(
        mpi, s->points, s->count, s->all_points, s->starts, s->point_bytes, scratch);
    dmm_exchange_gather(mpi, s->indices, s->count, s->all_indices, s->starts,
        (uint32_t)sizeof *s->indices, scratch);
    TRY(dmm_mpi_agree(mpi, find_of_all(s)));
    dmm_exchange_broadcast(mpi, &s->count, sizeof s->count);
    *s->args->count_out = s->count;
    TRY(dmm_mpi_agree(mpi, s->args->most < s->count ? DMM_SPAN_TOO_SMALL : DMM_OK));
    if (mpi->rank == 0 && s->count != 0)
        memcpy(s->args->hull_out, s->chosen, (size_t)s->count * sizeof *s->chosen);
    dmm_exchange_broadcast(mpi, s->args->hull_out, s->count * sizeof *s->chosen);
out:
    return status;
}

dmm_status dmm_mpi_hull(dmm_mpi *mpi, const dmm_hull_desc *desc, const dmm_mpi_hull_args *args)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    hull_call s = {.mpi = mpi, .args = args};
    dmm_mpi_opening mine = {.status = check(desc, args)};
    if (mine.status == DMM_OK) {
        mine = (dmm_mpi_opening){.n = args->n,
            .n_out = args->n,
            .digest = dmm_mpi_digest(
                dmm_mpi_digest(dmm_mpi_digest(0, desc->coordinates), desc->collinear != 0),
                desc->part)};
        s.desc = *desc;
        s.desc.index_bytes = 8;
        s.desc.max_n = 0;
        s.point_bytes = desc->coordinates == DMM_HULL_F64 ? 16 : 8;
    }
    dmm_status status = dmm_mpi_open(mpi, &mine, &s.all);
    if (status == DMM_OK)
        status = run(&s);
    free(s.all);
    free(s.starts);
    free(s.indices);
    free(s.points);
    free(s.all_points);
    free(s.all_indices);
    free(s.chosen);
    return status;
}
