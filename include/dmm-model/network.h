/* SPDX-License-Identifier: MIT */
/*
 * Sorting networks: lists of steps, each a matching of wires. A network is generated step by step,
 * so that one with more comparators than fit memory can be run, counted and drawn.
 * docs/networks.md explains each of them, with pictures.
 * Sources: D. Knuth, The Art of Computer Programming 3, 1998, section 5.3.4; K. Batcher, Sorting
 * networks and their applications, AFIPS 1968, DOI 10.1145/1468075.1468121; I. Parberry, The
 * pairwise sorting network, Parallel Processing Letters 2, 1992, DOI 10.1142/S0129626492000337;
 * M. Ajtai, J. Komlos, E. Szemeredi, An O(n log n) sorting network, STOC 1983, DOI
 * 10.1145/800061.808726; V. Chvatal, Lecture notes on the new AKS sorting network, 1992; A.
 * Fischer, Experimental study of the AKS sorting network, bachelor's thesis, University of
 * Stuttgart, 2020.
 */
#ifndef DMM_MODEL_NETWORK_H
#define DMM_MODEL_NETWORK_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Compares the items of two wires and leaves the smaller one on wire `low`. */
typedef struct dmm_model_comparator {
    uint32_t low, high;
} dmm_model_comparator;

typedef enum dmm_model_network_kind {
    DMM_MODEL_BITONIC = 0,        /* Batcher's bitonic sort, all comparators upwards; any n */
    DMM_MODEL_ODD_EVEN = 1,       /* Batcher's odd-even merge sort; any n */
    DMM_MODEL_MERGE_EXCHANGE = 2, /* Batcher's merge exchange (Knuth 5.2.2, Algorithm M); any n */
    DMM_MODEL_PAIRWISE = 3,       /* Parberry's pairwise network; any n */
    DMM_MODEL_BEST = 4,           /* the smallest known network; n from 1 to 32 */
    DMM_MODEL_HALVER = 5,         /* random matchings of the two halves; n even */
    DMM_MODEL_PERFECT_HALVER = 6, /* each wire of one half with each of the other; n even */
    DMM_MODEL_SEPARATOR = 7,      /* halvers in t + 1 layers (Fischer 2020, 2.1.4); n even */
    DMM_MODEL_AKS = 8             /* the whole AKS network; n is rounded up to 2^d, 4 | d, d >= 8 */
} dmm_model_network_kind;

enum { DMM_MODEL_WIRES_MAX = 1 << 28, DMM_MODEL_MATCHINGS_MAX = 1 << 20 };

/* Zero means default. */
typedef struct dmm_model_network_desc {
    dmm_model_network_kind kind;
    uint32_t wires; /* n: 1 to DMM_MODEL_WIRES_MAX */
    /* random matchings of a halver; 0: by the size a of the separator (Fischer 2020, 4.3): 250
     * below 100 wires, 800 to 1/epsilon, else 500; 30 if `perfect` */
    uint32_t matchings;
    /* SEPARATOR: f, the wires of both fringes: even, n or at most n / (2^(t-1) + 1), where t is the
     * least number with 2^t f >= n; 0: none */
    uint32_t fringe;
    int perfect;      /* SEPARATOR, AKS: perfect halvers where no error is allowed */
    double epsilon_b; /* SEPARATOR, AKS: 0.0001 to 0.0077; 0: 0.00243 (Fischer 2020, 4.5) */
    uint64_t seed;    /* seed of the matchings: Philox4x32-10, no matching is used twice */
} dmm_model_network_desc;

/* One step: its comparators are disjoint. */
typedef struct dmm_model_network_step {
    const dmm_model_comparator *pairs; /* valid until the next call for the network */
    uint64_t count;                    /* 1 or more */
} dmm_model_network_step;

typedef struct dmm_model_network_counts {
    uint64_t steps, comparators;
} dmm_model_network_counts;

/* A network and a position in it. Not for two threads at a time. */
typedef struct dmm_model_network dmm_model_network;

/*
 * Creates a network before its first step. The items of an AKS network beyond the caller's are to
 * be greater than all others. Memory: 8 bytes a wire; halvers, separators and AKS 24 bytes.
 * DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: a field out of range; DMM_MODEL_UNSUPPORTED: no
 * such network of n wires; DMM_MODEL_OUT_OF_MEMORY; *out is then NULL.
 */
DMM_MODEL_API dmm_model_status dmm_model_network_create(
    dmm_model_network **out, const dmm_model_network_desc *desc);

/* Creates a network from a copy of steps: those of step i are pairs[ends[i - 1]..ends[i] - 1], with
 * ends[-1] = 0. DMM_MODEL_BAD_DATA: a step is empty, no matching, or has a wire beyond n. */
DMM_MODEL_API dmm_model_status dmm_model_network_create_of(dmm_model_network **out, uint32_t wires,
    const dmm_model_comparator *pairs, const uint64_t *ends, uint64_t steps);

DMM_MODEL_API void dmm_model_network_free(dmm_model_network *network); /* NULL is fine */

/* Returns n, for AKS the rounded one; 0 for NULL. */
DMM_MODEL_API uint32_t dmm_model_network_wires(const dmm_model_network *network);

/* Generates the next step; false after the last one. Cost: constant time a comparator. */
DMM_MODEL_API int dmm_model_network_next(dmm_model_network_step *out, dmm_model_network *network);

/* Returns to before the first step. */
DMM_MODEL_API void dmm_model_network_rewind(dmm_model_network *network);

/* Counts all steps and comparators, and rewinds. Generates every step. */
DMM_MODEL_API dmm_model_network_counts dmm_model_network_count(dmm_model_network *network);

/* Runs the whole network on n items, and rewinds. */
DMM_MODEL_API void dmm_model_network_run(uint64_t *items, dmm_model_network *network);

/* What separators did to the items of dmm_model_network_run_errors. */
typedef struct dmm_model_network_errors {
    uint64_t made;     /* items that separators put into the wrong half, or left out of a fringe */
    uint64_t strayed;  /* items outside their block of 64 wires before the final merges */
    uint64_t farthest; /* blocks between such an item and its own, at most */
} dmm_model_network_errors;

/*
 * Runs an AKS network on n items, the numbers 0..n - 1 in any order, with separators that make as
 * many errors as their epsilons allow: of the k least items, epsilon_b k go to the upper half, and
 * epsilon_f k, up to half a fringe, miss their fringe, for each k; of the greatest likewise. All
 * that err go to a child, not to the parent. Then come the network's own final merges. No matchings
 * are run: so it checks the network's plan, for halvers as bad as it allows. Rewinds. Cost: 3d - 20
 * sorts on the host; scratch 8 bytes a wire. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_UNSUPPORTED: no
 * AKS network; DMM_MODEL_OUT_OF_MEMORY.
 */
DMM_MODEL_API dmm_model_status dmm_model_network_run_errors(
    dmm_model_network_errors *out, uint64_t *items, dmm_model_network *network);

/* Applies one step to items. */
DMM_MODEL_API void dmm_model_network_apply(uint64_t *items, const dmm_model_network_step *step);

/*
 * Finds out whether a network of at most 32 wires sorts every input, by the zero-one principle: the
 * reachable sequences of zeros and ones are kept for each set of wires that comparators connect so
 * far, and merged when one connects two sets. `unsorted` (may be NULL) gets a sequence that comes
 * out unsorted, wire i in bit i. Rewinds. DMM_MODEL_UNSUPPORTED: more wires; DMM_MODEL_TOO_LARGE:
 * more than 2^26 sequences of a set; DMM_MODEL_OUT_OF_MEMORY.
 */
DMM_MODEL_API dmm_model_status dmm_model_network_sorts(
    int *out, uint32_t *unsorted, dmm_model_network *network);

/*
 * The worst errors of a halver of n = 2h wires, h at most 24: errors[k - 1], k = 1..h, is the
 * largest number of the k smallest items that an input can bring to the upper half (or of the k
 * largest to the lower). A set of s wires of one half with v neighbours in the other keeps s errors
 * from k = s + v on, and no input does worse: all 2^h sets of both halves are tried. Rewinds.
 * DMM_MODEL_UNSUPPORTED: more wires, or a comparator within a half.
 */
DMM_MODEL_API dmm_model_status dmm_model_halver_errors(
    uint32_t *errors, dmm_model_network *network);

/* Returns the least number of matchings with which a random halver has errors of at most epsilon*k
 * with positive probability (Fischer 2020, (2.4), with mu = ceil(1/epsilon) - 1); 0 unless epsilon
 * is from 1e-6 to 1/2. */
DMM_MODEL_API uint64_t dmm_model_halver_matchings(double epsilon);

/* Epsilons of a separator by epsilon_b: epsilon_f by (2.6) and (2.7) as equations (with delta for
 * the printed d), and that of its halvers, min(epsilon_b, epsilon_f / (t + 1)). */
typedef struct dmm_model_epsilons {
    double epsilon_b, delta, epsilon_f, halver;
} dmm_model_epsilons;

/* DMM_MODEL_BAD_VALUE: epsilon_b out of range, fringe above wires. */
DMM_MODEL_API dmm_model_status dmm_model_separator_epsilons(
    dmm_model_epsilons *out, double epsilon_b, uint32_t wires, uint32_t fringe);

/* ---- Counting without generating ------------------------------------------------------------- */

/* An AKS network of 2^d wires, 4 | d, 8 <= d <= DMM_MODEL_COUNT_EXPONENT_MAX: its body of 3d - 20
 * rounds of separators. */
enum { DMM_MODEL_COUNT_EXPONENT_MAX = 24576, DMM_MODEL_COUNT_WORDS = 776 };

typedef enum dmm_model_count_kind {
    DMM_MODEL_COUNT_BITONIC = 0,
    DMM_MODEL_COUNT_AKS = 1,        /* matchings by size */
    DMM_MODEL_COUNT_AKS_PERFECT = 2 /* perfect halvers where no error is allowed */
} dmm_model_count_kind;

/* Exact counts; comparators = sum of words[i] * 2^(32 i). */
typedef struct dmm_model_large_counts {
    uint64_t steps;
    uint32_t words[DMM_MODEL_COUNT_WORDS];
} dmm_model_large_counts;

/* Counts a network of 2^exponent wires with the default epsilon_b and repairs; bitonic: any
 * exponent from 1. Cost: d^2 / 4 additions. DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE. */
DMM_MODEL_API dmm_model_status dmm_model_network_count_large(
    dmm_model_large_counts *out, dmm_model_count_kind kind, uint32_t exponent);

/* As above with another epsilon_b (0: the default), which sizes of halvers follow. Bitonic ignores
 * it. DMM_MODEL_BAD_VALUE also for one out of range. */
DMM_MODEL_API dmm_model_status dmm_model_network_count_epsilon(
    dmm_model_large_counts *out, dmm_model_count_kind kind, uint32_t exponent, double epsilon_b);

/* Returns -1, 0 or 1: a has fewer comparators than b, as many, more. */
DMM_MODEL_API int dmm_model_large_counts_compare(
    const dmm_model_large_counts *a, const dmm_model_large_counts *b);

#ifdef __cplusplus
}
#endif

#endif
