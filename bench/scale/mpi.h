/* SPDX-License-Identifier: MIT */
/*
 * The part of MPI that libdmm-mpi's sort uses, for ranks that are threads of one process
 * (threads.c). With it the library's own files are compiled for the simulation; the names are
 * MPI's.
 */
#ifndef DMM_SCALE_MPI_H
#define DMM_SCALE_MPI_H

#include <stdint.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Errhandler, MPI_Info, MPI_Status;

#define MPI_COMM_WORLD       0
#define MPI_COMM_TYPE_SHARED 0
#define MPI_INFO_NULL        0
#define MPI_ERRORS_ARE_FATAL 0
#define MPI_PROC_NULL        (-1)
#define MPI_STATUS_IGNORE    ((MPI_Status *)0)
/* Types by their bytes. */
#define MPI_BYTE     1
#define MPI_INT64_T  8
#define MPI_UINT64_T 8
#define MPI_MIN      0
#define MPI_SUM      1

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out);
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out);
int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Allreduce(
    const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Exscan(
    const void *send, void *receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *receive,
    int receive_count, MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *receive,
    int receive_count, MPI_Datatype receive_type, MPI_Comm comm);
int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int to, int send_tag,
    void *receive, int receive_count, MPI_Datatype receive_type, int from, int receive_tag,
    MPI_Comm comm, MPI_Status *status);

#endif
