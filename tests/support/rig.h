/* SPDX-License-Identifier: MIT */
/*
 * Environment of a test: a context on the device that DMM_DEVICE names (or the best), queues, the
 * log, and the size of inputs.
 */
#ifndef DMM_TESTS_RIG_H
#define DMM_TESTS_RIG_H

#include <dmm/context.h>

/* DMM_TEST_SIZES: small (simulators), unset (every build), full (the whole grid, on request). */
typedef enum test_sizes { SIZES_SMALL, SIZES_DEFAULT, SIZES_FULL } test_sizes;
test_sizes sizes_wanted(void);
/* One of three counts, by the sizes wanted. */
uint64_t by_size(uint64_t small, uint64_t usual, uint64_t full);
/* In a loop over every size, full sizes take all, simulators those about the multiples of `step`,
 * and otherwise those to twelve steps, and then about the multiples of eight. */
int size_wanted(uint64_t n, uint64_t step);
/* Returns the size after n in a loop to 4096: full sizes take all; otherwise those to
 * `dense`, then about ten of each power of two; simulators few of either. */
uint64_t size_after(uint64_t n, uint64_t dense);

/* True if DMM_TEST_PART, K/N with K from 1, is unset or names part `at` of N by turns: a slice of a
 * function that tests/long.sh runs in parts. */
int part_wanted(uint64_t at);

typedef struct rig {
    dmm_context *ctx;
    cl_context cl;
    cl_command_queue queue;
    cl_command_queue out_of_order; /* NULL where the device has none */
    char log[1 << 15];             /* log of the context, line by line */
    size_t log_bytes;
} rig;

/* set: NAME=VALUE settings as in dmm_context_desc; NULL for none. Fails the test if there is no
 * device. */
void rig_open(rig *r, const char *set);
/* Until the next rig is closed, PoCL's optimiser is on, whatever tests/CMakeLists.txt says of this
 * program: for runs that take longer than compiling. */
void rig_optimise(void);
/* Until the next rig is closed, PoCL's optimiser is off: for products of many programs, nearly all
 * of whose time is compiling. The rows of the same test's table compile as users do. */
void rig_skip_optimiser(void);
/* True if the part is wanted; it then runs without the optimiser. */
int part_starts(uint64_t at);
/* From now on, each rig has an OpenCL context of its own. */
void rig_keep_no_context(void);
void rig_close(rig *r);
/* Prints the log if the status is a failure; returns the status. */
dmm_status rig_log_failure(const rig *r, dmm_status status);
int rig_has_fp64(const rig *r);

cl_event user_event(const rig *r);

/* Builds the kernel `f` of a caller's text, with one of the library's texts before it; to be
 * released. */
cl_kernel rig_kernel(const rig *r, const char *source, const char *text);

#endif
