/* SPDX-License-Identifier: MIT */
/*
 * The seven programs that show what address translation costs, on an array of n words of 8 bytes:
 * run in the caller's memory, or traced, and what theory predicts for them in the VAT model
 * (translation.h). Source: T. Jurkiewicz, 2013, sections 2.1 and 2.4.
 */
#ifndef DMM_MODEL_PROGRAMS_H
#define DMM_MODEL_PROGRAMS_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>
#include <dmm-model/translation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_model_program {
    DMM_MODEL_SEQUENTIAL_SCAN = 0, /* adds A[0..n-1] */
    DMM_MODEL_RANDOM_SCAN = 1,     /* adds A[p(0)..p(n-1)]; the permutation p lies behind A */
    DMM_MODEL_PERMUTE = 2,   /* makes a random permutation: swaps A[j] and A[0..j at random] */
    DMM_MODEL_HEAPIFY = 3,   /* makes a heap, bottom up */
    DMM_MODEL_INTROSORT = 4, /* quicksort; heapsort below 2 log n levels, insertion sort of 16 */
    DMM_MODEL_BINARY_SEARCH = 5, /* n searches for random members of a sorted A */
    DMM_MODEL_HEAPSORT = 6
} dmm_model_program;

enum { DMM_MODEL_PROGRAMS = 7 };

/* Returns the name, as "binary search"; NULL for no program. */
DMM_MODEL_API const char *dmm_model_program_name(dmm_model_program program);

/* Returns the words of memory that the program needs: n, or 2 n (random scan); 0 for no program. */
DMM_MODEL_API uint64_t dmm_model_program_words(dmm_model_program program, uint64_t n);

/* Returns the operations that a RAM needs: n, or n log2 n (the last three). 0 for no program. */
DMM_MODEL_API double dmm_model_program_operations(dmm_model_program program, uint64_t n);

/* Fills the memory with the program's input. DMM_MODEL_NULL_ARGUMENT, DMM_MODEL_BAD_VALUE. */
DMM_MODEL_API dmm_model_status dmm_model_program_fill(
    uint64_t *memory, dmm_model_program program, uint64_t n, uint64_t seed);

/* Runs the program on a filled memory. `result` gets a number that depends on all it did. Errors:
 * as dmm_model_program_fill. */
DMM_MODEL_API dmm_model_status dmm_model_program_run(
    uint64_t *result, uint64_t *memory, dmm_model_program program, uint64_t n, uint64_t seed);

/* Called with consecutive accesses, as bytes from the start of the memory. */
typedef void dmm_model_trace_visit(void *user, const uint64_t *addresses, uint64_t count);

/* Runs the program and hands on the address of each read and write of its memory, in order.
 * Variables and the stack are in registers and have no addresses. Errors: as
 * dmm_model_program_fill. */
DMM_MODEL_API dmm_model_status dmm_model_program_trace(uint64_t *result, uint64_t *memory,
    dmm_model_program program, uint64_t n, uint64_t seed, dmm_model_trace_visit *visit, void *user);

/* Insertions into the translation cache: bounds, by section 2.4. */
typedef struct dmm_model_growth {
    double lower; /* 0: the source has none */
    double upper;
} dmm_model_growth;

/*
 * Returns what the source predicts for a program on n words, with logarithms to base 2, P in words,
 * k = log K, and a tree that just covers the memory (assumption 3):
 * - sequential scan: n/P and 2d + 2 + K/(K-1) n/P;
 * - random scan: n/k log(n/PW) and n/k (1 + log(2n/P)) (lemma 2.27), each plus a sequential scan of
 *   the permutation; permute: the same for a range that shrinks, n/k (log(n/PW) - 1/ln 2) below;
 * - heapify: p n/2P if W < n/2P, and the sum in the proof of the upper bound;
 * - introsort: sum of n/(P K^i) log(n/(P K^i)) over all layers, times 2 (the source has O());
 * - binary search: n/4k log^2(n/4PW) (lemma 2.28) and n/k log(2n/P) log(2nd/W), which the lemma's
 *   proof derives; heapsort: that plus heapify (the source says: growth as binary search).
 * Zeros: n is 0, no program, or a machine out of range.
 */
DMM_MODEL_API dmm_model_growth dmm_model_program_growth(
    dmm_model_program program, uint64_t n, const dmm_model_translation *machine);

#ifdef __cplusplus
}
#endif

#endif
