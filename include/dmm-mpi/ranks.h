/* SPDX-License-Identifier: MIT */
/*
 * The ranks of a communicator, each with one OpenCL device.
 *
 * Collective     every function that takes a dmm_mpi and returns a dmm_status: all ranks call it,
 *                in the same order, and it blocks
 * Device         of the devices as good as the best (one kind, one platform), a rank takes the one
 *                with its number among the ranks of its machine; with more ranks than devices they
 *                share. A description that names a device, or $DMM_DEVICE, takes precedence
 * Failures       a call returns the same status on all ranks: DMM_OK, or that of the lowest rank
 *                that failed, which dmm_mpi_failed_rank names. Ranks agree after each local phase,
 *                so none waits for one that has failed. The exception is a `mpi` of NULL:
 *                DMM_NULL_ARGUMENT, at once and on that rank alone
 * MPI's errors   end the job (MPI_ERRORS_ARE_FATAL), whatever handler `comm` has; so does a process
 *                that dies, by MPI's launcher
 * Threads        one at a time for one dmm_mpi; MPI_THREAD_FUNNELED suffices. MPI is initialized
 *                before dmm_mpi_create and finalized after dmm_mpi_free
 */
#ifndef DMM_MPI_RANKS_H
#define DMM_MPI_RANKS_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /* Open MPI: its C++ interface is not used here */
#endif
#include <mpi.h>

#include <dmm/context.h>
#include <dmm-mpi/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_mpi dmm_mpi;

/*
 * Duplicates `comm` and creates a context on each rank's device; desc may be NULL. *failed_rank, if
 * not NULL: the lowest rank that failed; -1: none. Errors: those of dmm_context_create and
 * dmm_device_list; on failure *out is NULL on all ranks.
 */
DMM_MPI_API dmm_status dmm_mpi_create(
    dmm_mpi **out, int *failed_rank, MPI_Comm comm, const dmm_context_desc *desc);
/* Collective. NULL is fine, if all ranks pass NULL. */
DMM_MPI_API void dmm_mpi_free(dmm_mpi *mpi);

/* Returns the rank's context, valid as long as `mpi`. */
DMM_MPI_API dmm_context *dmm_mpi_context(const dmm_mpi *mpi);
/* Return this process's rank and the number of ranks. */
DMM_MPI_API int dmm_mpi_rank(const dmm_mpi *mpi);
DMM_MPI_API int dmm_mpi_ranks(const dmm_mpi *mpi);
/* Returns the lowest rank that failed in the last collective call; -1: none did. */
DMM_MPI_API int dmm_mpi_failed_rank(const dmm_mpi *mpi);

/*
 * Agrees on a status of the caller's own: returns that of the lowest rank whose status is not
 * DMM_OK, which dmm_mpi_failed_rank then names. Collective: one MPI_Allreduce of 8 bytes.
 */
DMM_MPI_API dmm_status dmm_mpi_agree(dmm_mpi *mpi, dmm_status status);

/* Returns where the even share of `rank` begins, of n items over `ranks` ranks: shares differ by at
 * most one item. For rank = ranks: n. Not collective; ranks > 0. */
DMM_MPI_API uint64_t dmm_mpi_share(uint64_t n, int ranks, int rank);

#ifdef __cplusplus
}
#endif

#endif
