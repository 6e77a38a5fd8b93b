/* SPDX-License-Identifier: MIT */
/*
 * What dmm is compared with, behind an interface in C.
 */
#ifndef DMM_BENCH_PEERS_H
#define DMM_BENCH_PEERS_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ascending; unstable unless the name says so; in place, on this thread but for the parallel one.
 */
void peer_std_sort_u32(uint32_t *keys, size_t n);
void peer_std_stable_sort_u32(uint32_t *keys, size_t n);
/* std::execution::par. Returns 0, and does nothing, where it was built without oneTBB. */
int peer_std_parallel_sort_u32(uint32_t *keys, size_t n);

/* Boost.Compute's sort, in place, of n > 0 keys from the buffer's start on; finished on return. A
 * comparison function leads to its merge sort on every device; without one, GPUs get its radix
 * sort. */
void peer_boost_sort_u32(cl_command_queue queue, cl_mem keys, size_t n, int with_function);

#ifdef __cplusplus
}
#endif

#endif
