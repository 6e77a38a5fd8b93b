/* SPDX-License-Identifier: MIT */
/* Ranks and their devices; agreement on failures. */
#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "machine.h"

/* The lowest failing rank is in the upper half of the word, its status in the lower. */
dmm_status dmm_mpi_agree(dmm_mpi *mpi, dmm_status status)
{
    if (!mpi)
        return DMM_NULL_ARGUMENT;
    int64_t least = INT64_MAX;
    const int64_t mine =
        status == DMM_OK ? INT64_MAX : (int64_t)mpi->rank << 32 | (int64_t)(uint32_t)status;
    MPI_Allreduce(&mine, &least, 1, MPI_INT64_T, MPI_MIN, mpi->comm);
    mpi->failed_rank = least == INT64_MAX ? -1 : (int)(least >> 32);
    return least == INT64_MAX ? DMM_OK : (dmm_status)(int32_t)(uint32_t)least;
}

static dmm_status judge(dmm_mpi *mpi, const dmm_mpi_opening *all)
{
    uint64_t before = 0, after = 0;
    for (mpi->failed_rank = 0; mpi->failed_rank < mpi->ranks; mpi->failed_rank++)
        if (all[mpi->failed_rank].status != DMM_OK)
            return (dmm_status)all[mpi->failed_rank].status;
    for (mpi->failed_rank = 0; mpi->failed_rank < mpi->ranks; mpi->failed_rank++) {
        const dmm_mpi_opening *const said = &all[mpi->failed_rank];
        if (said->digest != all[0].digest || before > UINT64_MAX / 2 - said->n ||
            after > UINT64_MAX / 2 - said->n_out)
            return DMM_BAD_VALUE;
        before += said->n;
        after += said->n_out;
    }
    mpi->failed_rank = before == after ? -1 : 0;
    return before == after ? DMM_OK : DMM_BAD_VALUE;
}

dmm_status dmm_mpi_open(dmm_mpi *mpi, const dmm_mpi_opening *mine, dmm_mpi_opening **all)
{
    *all = malloc((size_t)mpi->ranks * sizeof **all);
    const dmm_status status = dmm_mpi_agree(mpi, *all ? DMM_OK : DMM_OUT_OF_MEMORY);
    if (status != DMM_OK)
        return status;
    MPI_Allgather(mine, sizeof *mine, MPI_BYTE, *all, sizeof *mine, MPI_BYTE, mpi->comm);
    return judge(mpi, *all);
}

uint64_t dmm_mpi_before(const dmm_mpi_opening *all, int rank)
{
    uint64_t before = 0;
    for (int below = 0; below < rank; below++)
        before += all[below].n;
    return before;
}

uint64_t dmm_mpi_digest(uint64_t digest, uint64_t number)
{
    return dmm_fnv1a(digest ^ DMM_FNV1A, number);
}

static uint64_t digest_text(uint64_t digest, const char *text)
{
    digest = dmm_mpi_digest(digest, text != NULL);
    for (; text && *text; text++)
        digest = dmm_mpi_digest(digest, (unsigned char)*text);
    return digest;
}

uint64_t dmm_mpi_digest_order(uint64_t digest, const dmm_order *order)
{
    const uint64_t fields[] = {
        order->type, order->descending != 0, order->zero_equal != 0, order->item_bytes};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        digest = dmm_mpi_digest(digest, fields[i]);
    return digest_text(digest_text(digest, order->item), order->less);
}

dmm_status dmm_mpi_number_items(
    void *values, uint32_t value_bytes, uint64_t first, uint64_t n, uint64_t total)
{
    if (value_bytes == 4 && total > (uint64_t)UINT32_MAX + 1)
        return DMM_TOO_LARGE;
    for (uint64_t i = 0; i < n; i++)
        if (value_bytes == 4)
            ((uint32_t *)values)[i] = (uint32_t)(first + i);
        else
            ((uint64_t *)values)[i] = first + i;
    return DMM_OK;
}

dmm_status dmm_mpi_check_reserved(const uint64_t reserved[4])
{
    return reserved[0] | reserved[1] | reserved[2] | reserved[3] ? DMM_UNSUPPORTED : DMM_OK;
}

uint64_t dmm_mpi_share(uint64_t n, int ranks, int rank)
{
    const uint64_t all = (uint64_t)ranks, at = (uint64_t)rank, more = n % all;
    return n / all * at + (at < more ? at : more);
}

/* Returns the number of this rank among those of its machine. */
static int local_rank(MPI_Comm comm)
{
    MPI_Comm local;
    int rank = 0;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    MPI_Comm_rank(local, &rank);
    MPI_Comm_free(&local);
    return rank;
}

/* Returns the device of this number among those as good as the best. */
static dmm_status choose_device(cl_device_id *out, int number)
{
    dmm_device *devices = NULL;
    size_t count = 0, alike = 0;
    const dmm_status status = dmm_device_list(&devices, &count);
    if (status != DMM_OK)
        return status;
    while (alike < count && devices[alike].kind == devices[0].kind &&
           devices[alike].platform == devices[0].platform)
        alike++;
    *out = devices[(size_t)number % alike].id;
    dmm_device_list_free(devices);
    return DMM_OK;
}

static dmm_status create_context(dmm_mpi *mpi, int local, const dmm_context_desc *given)
{
    dmm_context_desc desc = {0};
    if (given)
        desc = *given;
    const char *const wanted = desc.ignore_environment ? NULL : getenv("DMM_DEVICE");
    const int is_named = desc.context || desc.device || desc.device_text || (wanted && wanted[0]);
    const dmm_status status = is_named ? DMM_OK : choose_device(&desc.device, local);
    return status != DMM_OK ? status : dmm_context_create(&mpi->context, &desc);
}

/* A rank without memory for the object has one on its stack until all have agreed. */
dmm_status dmm_mpi_create(
    dmm_mpi **out, int *failed_rank, MPI_Comm comm, const dmm_context_desc *desc)
{
    dmm_mpi made = {.failed_rank = -1, .piece_bytes = DMM_MPI_PIECE_BYTES};
    dmm_mpi *const mpi = malloc(sizeof *mpi);
    MPI_Comm_dup(comm, &made.comm);
    MPI_Comm_set_errhandler(made.comm, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(made.comm, &made.rank);
    MPI_Comm_size(made.comm, &made.ranks);
    const int local = local_rank(made.comm);
    dmm_status status = !out ? DMM_NULL_ARGUMENT : !mpi ? DMM_OUT_OF_MEMORY : DMM_OK;
    if (status == DMM_OK)
        status = create_context(&made, local, desc);
    status = dmm_mpi_agree(&made, status);
    if (failed_rank)
        *failed_rank = made.failed_rank;
    if (status != DMM_OK) {
        dmm_context_free(made.context);
        MPI_Comm_free(&made.comm);
        free(mpi);
    } else {
        *mpi = made;
    }
    if (out)
        *out = status == DMM_OK ? mpi : NULL;
    return status;
}

void dmm_mpi_free(dmm_mpi *mpi)
{
    if (!mpi)
        return;
    dmm_context_free(mpi->context);
    MPI_Comm_free(&mpi->comm);
    free(mpi);
}

dmm_context *dmm_mpi_context(const dmm_mpi *mpi)
{
    return mpi ? mpi->context : NULL;
}

int dmm_mpi_rank(const dmm_mpi *mpi)
{
    return mpi ? mpi->rank : -1;
}

int dmm_mpi_ranks(const dmm_mpi *mpi)
{
    return mpi ? mpi->ranks : 0;
}

int dmm_mpi_failed_rank(const dmm_mpi *mpi)
{
    return mpi ? mpi->failed_rank : -1;
}
