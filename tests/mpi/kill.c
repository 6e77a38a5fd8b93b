/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by test_kills.sh: rank DMM_KILL_RANK is killed before its message DMM_KILL_AT, from 1.
 * A message is a call of MPI that talks to other ranks: those that libdmm-mpi makes.
 */
#include <signal.h>
#include <stdlib.h>

#include <mpi.h>

static long number_of(const char *name)
{
    const char *const text = getenv(name);
    return text != NULL ? atol(text) : -1;
}

static void count(void)
{
    static long messages;
    int rank = -1;
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS &&
        rank == number_of("DMM_KILL_RANK") && ++messages == number_of("DMM_KILL_AT"))
        raise(SIGKILL);
}

#define COUNT(name, parameters, ...) \
    int name parameters              \
    {                                \
        count();                     \
        return P##name(__VA_ARGS__); \
    }

COUNT(MPI_Allgather,
    (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
        MPI_Comm comm),
    from, n, type, to, m, other, comm)
COUNT(MPI_Allreduce,
    (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm), from, to, n,
    type, op, comm)
COUNT(MPI_Alltoall,
    (const void *from, int n, MPI_Datatype type, void *to, int m, MPI_Datatype other,
        MPI_Comm comm),
    from, n, type, to, m, other, comm)
COUNT(MPI_Bcast, (void *data, int n, MPI_Datatype type, int root, MPI_Comm comm), data, n, type,
    root, comm)
COUNT(MPI_Exscan, (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    from, to, n, type, op, comm)
COUNT(MPI_Sendrecv,
    (const void *out, int n, MPI_Datatype type, int to, int tag, void *in, int m,
        MPI_Datatype other, int from, int other_tag, MPI_Comm comm, MPI_Status *status),
    out, n, type, to, tag, in, m, other, from, other_tag, comm, status)
COUNT(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *out), comm, out)
COUNT(MPI_Comm_free, (MPI_Comm * comm), comm)
COUNT(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out), comm,
    type, key, info, out)
COUNT(MPI_Finalize, (void), )
