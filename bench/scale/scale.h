/* SPDX-License-Identifier: MIT */
/* Ranks as threads, and what each has sent. */
#ifndef DMM_SCALE_SCALE_H
#define DMM_SCALE_SCALE_H

#include <stdint.h>

/* Calls and messages of one rank. Bytes of a collective call: those that the rank passes to it. */
typedef struct scale_counts {
    uint64_t sums, sum_bytes;             /* MPI_Allreduce */
    uint64_t gathers, gather_bytes;       /* MPI_Allgather */
    uint64_t prefixes, prefix_bytes;      /* MPI_Exscan */
    uint64_t transposes, transpose_bytes; /* MPI_Alltoall; bytes to one rank */
    uint64_t messages, message_bytes;     /* MPI_Sendrecv, not to itself */
    uint64_t longest;                     /* bytes of a message */
} scale_counts;

/* Runs `body(user)` on so many ranks at once; returns what each has sent (free it), or NULL: out of
 * memory or threads. */
scale_counts *scale_run(int ranks, void (*body)(void *user), void *user);

#endif
