/* SPDX-License-Identifier: MIT */
/*
 * libdmm-model: the machine models, and the known worst inputs. Plain C11 without OpenCL, threads,
 * files or globals; independent of libdmm. Every function depends on its arguments alone and is
 * safe to call from any thread.
 * step.h        what one lock-step costs in local memory (DMM) and in global memory (UMM)
 * tally.h       sums of such readings
 * worst.h       the input on which a pairwise merge sort has most bank conflicts
 * plain_sort.h  that sort, modelled: what any input costs it, round by round
 * matrix.h      sorting and partitioning a matrix, a row a bank, step by step
 * tall.h        permuting a tall matrix, step by step
 * translation.h what translating virtual addresses costs (VAT)
 * programs.h    the seven programs that show that cost: run, traced, and predicted
 * network.h     sorting networks: generated step by step, run, checked and counted
 * graph.h       graphs for shortest paths
 * pipeline.h    what the steps of many warps cost with latency (DMM, UMM)
 */
#ifndef DMM_MODEL_DMM_MODEL_H
#define DMM_MODEL_DMM_MODEL_H

#include <dmm-model/graph.h>
#include <dmm-model/matrix.h>
#include <dmm-model/network.h>
#include <dmm-model/pipeline.h>
#include <dmm-model/plain_sort.h>
#include <dmm-model/programs.h>
#include <dmm-model/status.h>
#include <dmm-model/step.h>
#include <dmm-model/tall.h>
#include <dmm-model/tally.h>
#include <dmm-model/translation.h>
#include <dmm-model/worst.h>

#endif
