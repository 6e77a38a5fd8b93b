/* SPDX-License-Identifier: MIT */
/*
 * What the steps of many warps cost on a memory with latency l: Nakano's DMM and UMM, whole. The
 * memory takes one pass (DMM: a word from each bank; UMM: one segment) a time unit. A step of k
 * passes that it begins at time t is answered at t + k + l - 1, and its warp issues no other step
 * before. Warps that are ready are served in turn. So one step of one warp costs k + l - 1, and
 * passes of many warps are pipelined: p threads that read p words side by side take p/w + l - 1.
 * Source: K. Nakano, Simple memory machine models for GPUs, 2012, doi 10.1109/IPDPSW.2012.98.
 */
#ifndef DMM_MODEL_PIPELINE_H
#define DMM_MODEL_PIPELINE_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Warps and their steps, warp after warp: those of warp i are passes[ends[i - 1]..ends[i] - 1],
 * with ends[-1] = 0. `group_warps` consecutive warps form a group. A step of 0 passes is a barrier
 * of the group: each of its warps has as many of them. */
typedef struct dmm_model_warps {
    const uint32_t *passes;
    const uint64_t *ends;
    uint64_t warps;
    uint32_t group_warps; /* divides the warps */
} dmm_model_warps;

/*
 * Returns in `time` when the last step is answered, in time units; 0 without steps. Cost: constant
 * time a step; scratch: 24 bytes a warp. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: latency 0,
 * or groups that do not divide the warps; DMM_MODEL_BAD_DATA: a warp of a group has fewer barriers
 * than another, or ends fall; DMM_MODEL_OUT_OF_MEMORY. On an error `*time` is untouched.
 */
DMM_MODEL_API dmm_model_status dmm_model_pipelined_time(
    uint64_t *time, const dmm_model_warps *warps, uint64_t latency);

#ifdef __cplusplus
}
#endif

#endif
