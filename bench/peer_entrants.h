/* SPDX-License-Identifier: MIT */
/*
 * Peers as entrants of a contest.
 */
#ifndef DMM_BENCH_PEER_ENTRANTS_H
#define DMM_BENCH_PEER_ENTRANTS_H

#include "contest.h"
#include "peers/peers.h"

/* Whether peers know such items: u32 or u64 keys, or u32 keys with values of 4 bytes. */
int bench_peers_know(const bench_job *job);
/* Which of them the job's are. */
peer_items bench_kind(const bench_job *job);

/* One of CUDA's. */
typedef struct bench_cuda_peer {
    const char *who, *method;
    peer_cuda_algorithm algorithm;
    size_t beside;
    double item_bytes;
    const char *(*fault)(bench_job *job, const bench_entrant *self); /* one of those below */
} bench_cuda_peer;

/* Adds those peers behind the other entrants and returns how many there are: none without a device.
 * The job has been filled, with its labels or positions, once for all contests. */
size_t bench_add_cuda(
    bench_entrant *to, bench_job *job, const bench_cuda_peer *peers, size_t count);

/* As the functions for the device, of what CUDA has put out. */
const char *bench_cuda_fault(bench_job *job, const bench_entrant *self);
const char *bench_cuda_order_fault(bench_job *job, const bench_entrant *self);
/* Brings that to `out`. */
void bench_cuda_fetch(bench_job *job);

#endif
