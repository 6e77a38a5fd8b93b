/* SPDX-License-Identifier: MIT */
/*
 * The machine models, and the worst inputs that theory knows. Plain C: nothing here needs OpenCL.
 * First the costs of one lock-step: passes in banked local memory (DMM), transactions in global
 * memory (UMM). Then the input on which a pairwise merge sort with plain reads meets most bank
 * conflicts, and a model of that sort, which counts what any input costs it, round by round.
 * Everything is a pure function of its arguments and safe to call from any thread.
 * Sources: K. Nakano, Simple memory machine models for GPUs, 2012, doi 10.1109/IPDPSW.2012.98;
 * P. Afshani, N. Sitchinava, Sorting and permuting without bank conflicts on GPUs, 2015, section 1;
 * K. Berney, Parallel cache-efficient algorithms on GPUs, University of Hawaii, 2023, chapter 4.
 */
#ifndef DMM_MODEL_H
#define DMM_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <dmm/export.h>
#include <dmm/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- One lock-step: what the lanes want, and what it costs --------------------------------- */

enum {
    DMM_LANES_MAX = 256,          /* lanes of one lock-step, and banks of one memory */
    DMM_ACCESS_BYTES_MAX = 65536, /* bytes that one lane accesses in one step */
};

typedef enum dmm_access_kind {
    DMM_ACCESS_READ = 0,
    DMM_ACCESS_WRITE = 1,
    DMM_ACCESS_ATOMIC = 2
} dmm_access_kind;

/* What one active lane wants. Lanes that are not listed are inactive. */
typedef struct dmm_access {
    uint64_t address_bytes; /* any alignment */
    uint32_t size_bytes;    /* 1..DMM_ACCESS_BYTES_MAX, may differ between lanes */
    uint32_t lane;          /* 0..lanes-1, each at most once, in any order */
} dmm_access;

/* Local memory counts bank passes, global memory counts transactions. */
typedef struct dmm_reading {
    uint32_t passes;    /* the cost of the step */
    uint32_t needed;    /* what an access of this shape costs at least, never above passes */
    uint32_t conflicts; /* passes - needed: what vendors call excess wavefronts */
    uint32_t worst;     /* DMM: the most words wanted from one bank at once; UMM: passes */
} dmm_reading;

/* ---- DMM: local memory --------------------------------------------------------------------- */

/* Zero means default: 32 banks of 4 bytes, 32 lanes, writes to one word merge. */
typedef struct dmm_dmm {
    uint32_t banks;       /* 1..DMM_LANES_MAX; need not be a power of two */
    uint32_t lanes;       /* of one lock-step, 1..DMM_LANES_MAX; may exceed the banks */
    uint32_t word_bytes;  /* width of a bank: 1, 2, 4, 8 or 16 */
    bool writes_conflict; /* two lanes that write to one word conflict (Intel Gen) */
} dmm_dmm;

/*
 * Judges one lock-step; word x lies in bank x mod banks.
 * - An access is cut into parts of 16 bytes (fewer where all banks together are narrower), counted
 *   from its own first byte. All first parts are judged together, then all second parts, and so on.
 * - Parts of s words are judged min(lanes, banks / s) consecutive lanes at a time: a phase. So
 *   8-byte items on 32 banks of 4 bytes go in two half-warps, and 64 lanes of 4-byte items too.
 *   s is the widest part's size rounded up: 12 bytes are 3 words, 10 lanes a phase.
 * - A phase takes as many passes as the most words wanted from one bank. A word wanted by several
 *   lanes counts once (broadcast), also for writes, unless `writes_conflict`; narrow items that
 *   share a word count as that word. An atomic counts once for each lane that wants the word:
 *   atomics on one word are carried out one after the other.
 * - needed: the phases with an active lane. An unaligned item may touch one word more than its
 *   size asks for; a pass that this costs is a conflict.
 * No access at all reads zero. Cost: linear in the words touched, plus, for each bank, the square
 * of the words wanted from it; nothing is allocated.
 * DMM_NULL_ARGUMENT; DMM_BAD_VALUE: a machine, kind, size, lane or address (it would wrap around)
 * is out of range, or a lane comes twice; DMM_TOO_LARGE: more accesses than lanes, or bytes than
 * DMM_ACCESS_BYTES_MAX. On an error `*out` is untouched.
 */
DMM_API dmm_status dmm_dmm_step(dmm_reading *out, const dmm_dmm *machine, dmm_access_kind kind,
    const dmm_access *accesses, uint32_t count);

/* Sees one phase: how many words it wants from each bank; the array lives for the call only. */
typedef void dmm_phase_visit(void *user, const uint16_t *words_of_bank, uint32_t banks);

/*
 * As dmm_dmm_step, and shows each phase in which a lane is active to `visit` (NULL: nobody), in the
 * order of the parts and then of the lanes. The most words of a phase are its passes: for pictures.
 */
DMM_API dmm_status dmm_dmm_phases(dmm_reading *out, const dmm_dmm *machine, dmm_access_kind kind,
    const dmm_access *accesses, uint32_t count, dmm_phase_visit *visit, void *user);

/* ---- UMM: global memory -------------------------------------------------------------------- */

/*
 * Judges one lock-step of reads, writes or atomics: `passes` counts the distinct aligned segments
 * touched, `needed` the fewest that could hold as many distinct bytes. `segment_bytes` is a power
 * of two; 0 means 32, a sector; a cache line is often 128. Lanes range to DMM_LANES_MAX. Cost: an
 * insertion sort by address, linear if the accesses come sorted; nothing is allocated. Errors: as
 * dmm_dmm_step.
 */
DMM_API dmm_status dmm_umm_step(
    dmm_reading *out, uint32_t segment_bytes, const dmm_access *accesses, uint32_t count);

/* ---- Sums by label ------------------------------------------------------------------------- */

/* Starts as zeros. */
typedef struct dmm_tally {
    const char *label; /* borrowed; NULL in a free row */
    uint64_t steps, passes, needed, conflicts;
    uint32_t worst; /* the highest of all steps */
} dmm_tally;

/* Adds one step. A reading without accesses (passes 0) is no step and adds nothing. */
DMM_API void dmm_tally_add(dmm_tally *tally, const dmm_reading *reading);

/* The row with this label (not NULL); else the first free row, which takes it; else NULL. */
DMM_API dmm_tally *dmm_tally_find(dmm_tally *rows, uint32_t rows_max, const char *label);

/* ---- Worst inputs of a pairwise merge sort ------------------------------------------------- */

/*
 * The sort: threads sort E items each in registers; then each round merges pairs of lists, a thread
 * finding its E items by merge path and reading them in merged order, one a step, from plain
 * addresses: list A first, then list B. Tiles are of u*E items. Words are as wide as banks.
 */
typedef struct dmm_merge_shape {
    uint32_t w; /* banks, and lanes of a warp: a power of two, 2..DMM_LANES_MAX */
    uint32_t u; /* threads of a tile: a power of two, w..65536 */
    uint32_t E; /* items a thread, 2..w for the worst input, 1..65536 for the plain sort */
} dmm_merge_shape;

/* One thread's E items: `a` from list A and `b` from list B, one list after the other. */
typedef struct dmm_share {
    uint32_t a, b;
    bool b_first;
} dmm_share;

/*
 * Fills `shares[0..w-1]`: the sequence T of Berney 2023, section 4.2, for one warp whose lists both
 * begin at bank 0, with ceil(E/2)*w items of A and the rest of B (`mirrored`: the other way round).
 * Any 1 < E <= w <= DMM_LANES_MAX, coprime or not, w no power of two as well; else DMM_BAD_VALUE.
 */
DMM_API dmm_status dmm_worst_warp(dmm_share *shares, uint32_t w, uint32_t E, bool mirrored);

/*
 * Theorem 30: the aligned accesses of such a warp, an access of step j being aligned if it goes to
 * bank w-E+j. They are neither its passes nor its conflicts; docs/model.md has all three beside
 * each other. 0 unless 1 < E <= w.
 */
DMM_API uint64_t dmm_worst_aligned(uint32_t w, uint32_t E);

/*
 * Fills `ranks` with the permutation of 0..n-1 that makes every round of the sort of that shape
 * fight for banks: the sorted order, unmerged backwards round by round.
 * - Merges of 2w threads or more, within tiles or across them: every warp has the sequence T, in
 *   turn as it is and mirrored, and so meets Theorem 30.
 * - Merges of up to w threads, several a warp, which the theorem leaves open: the shares with most
 *   aligned accesses among all with at most one change of list, found by dynamic programming.
 * - Any n: a last tile that is not full holds the largest ranks, in order. Where a round's last
 *   list B is shorter than its A, warps read A alone once B is used up.
 * The same arguments give the same ranks, on every machine. Cost: n steps a round and (w*E)^2 once;
 * scratch n*8 bytes and 6*w*w*E. Errors, ranks then being unspecified: DMM_NULL_ARGUMENT;
 * DMM_BAD_VALUE; DMM_TOO_LARGE: w*E above 16384, or n*8 bytes; DMM_OUT_OF_MEMORY.
 */
DMM_API dmm_status dmm_worst_merge(uint64_t *ranks, uint64_t n, const dmm_merge_shape *shape);

/*
 * Writes `ranks` (any numbers below n) as `n` items of a type, named u8 i8 u16 i16 u32 i32 u64 i64
 * f16 f32 or f64, in the same order: integers from 0, floats from 1.0 in steps of one unit in the
 * last place. Where n needs more values, integers start at the least value of the type and floats
 * at the least normal one. Where even these are too few, ceil(n / values) neighbouring ranks
 * become equal: the order remains, weakly, but ties undo part of a worst input, and `*distinct` is
 * set to false (else to true; it may be NULL). `items` and `ranks` may not overlap.
 * DMM_NULL_ARGUMENT; DMM_BAD_VALUE: the name of no type, or a rank not below n.
 */
DMM_API dmm_status dmm_worst_items(
    void *items, bool *distinct, const char *type, const uint64_t *ranks, uint64_t n);

/* ---- The plain merge sort, modelled -------------------------------------------------------- */

enum { DMM_PLAIN_ROUNDS_MAX = 64 };

/* What one merge round costs in local memory, all warps together. */
typedef struct dmm_plain_round {
    uint64_t threads;       /* of one merge: 2, 4, 8, ... */
    uint64_t warps;         /* in all merges together */
    uint64_t aligned;       /* reads of the gather in step j from bank w-E+j */
    uint64_t aligned_least; /* the fewest in any one warp */
    dmm_tally search;       /* the binary search on the merge path, two reads a probe */
    dmm_tally gather;       /* reading E items in merged order */
    dmm_tally store;        /* writing them back, thread by thread: data do not matter */
} dmm_plain_round;

/*
 * Sorts `keys` as the plain pairwise merge sort would, ties from list A first, and fills
 * `rounds[0..*used-1]`, at most DMM_PLAIN_ROUNDS_MAX. A last tile that is not full is counted as if
 * filled with largest keys. Across tiles, a tile's share of A lies from word 0, that of B behind
 * it; the search of tile borders in global memory is not counted, nor is the loading of tiles,
 * which has no conflicts. Cost: about n*(log n)^2 steps; scratch: 16 bytes an item.
 * DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_TOO_LARGE, DMM_OUT_OF_MEMORY: `keys` is then untouched.
 */
DMM_API dmm_status dmm_plain_sort(dmm_plain_round *rounds, uint32_t *used, uint64_t *keys,
    uint64_t n, const dmm_merge_shape *shape);

/* ---- Permuting a tall matrix --------------------------------------------------------------- */

typedef struct dmm_tall_cost {
    uint32_t rounds; /* of colouring and sending */
    uint32_t worst;  /* the most labels that a step sent to one row: 1, or a step had conflicts */
    uint64_t left;   /* labels that were left to be sorted */
    uint64_t steps;  /* of the machine, in all */
} dmm_tall_cost;

/*
 * What it costs w processors to permute w rows of m items, w >= m, m dividing w, a row a bank: P.
 * Afshani, N. Sitchinava, 2015, section 3, Theorem 4. goals[i*m + j] = the place, counted in the
 * same way, of the item at row i and column j. Rows turn by random amounts and blocks of m rows are
 * transposed; in rounds, with a fresh hash h each, label (i, j) has colour j - h(i) mod m, and each
 * row sends a label of each colour, twice; once an eighth of 1/log_m^3 w of the labels is left, these
 * are sorted, for which Lemma 2's m*log_m^3 w steps are charged. Expected rounds: O(log log log_m w).
 * h is of SplitMix64: independent for any number of rows, where the paper takes m-wise independence.
 * The same seed costs the same. DMM_NULL_ARGUMENT; DMM_BAD_VALUE: w above 2^16, or m does not
 * divide it; DMM_BAD_DATA: goals are no permutation; DMM_OUT_OF_MEMORY.
 */
DMM_API dmm_status dmm_tall_permute(
    dmm_tall_cost *out, const uint32_t *goals, uint32_t w, uint32_t m, uint64_t seed);

/* ---- Sorting a matrix ---------------------------------------------------------------------- */

/* P. Afshani, N. Sitchinava, 2015, section 2; docs/matrix.md says what each does. */
typedef enum dmm_matrix_method {
    DMM_MATRIX_AUTO = 0,       /* w <= m: super-rows; else Lemma 2 or Theorem 2, the cheaper one */
    DMM_MATRIX_LEMMA_1 = 1,    /* w <= m / 2: rows, turned to and fro; twice if w <= sqrt m */
    DMM_MATRIX_THEOREM_1 = 2,  /* w <= m: super-rows of about sqrt m rows, and columns */
    DMM_MATRIX_SUPER_ROWS = 3, /* w <= m: Lemma 1, or Theorem 1 with the super-rows that it takes */
                               /* fewest phases with */
    DMM_MATRIX_THEOREM_2 = 4,  /* w >= m: columns by their w processors, and squares */
    DMM_MATRIX_LEMMA_2 = 5,    /* w > m: balancing, convert and divide, two rows of squares */
    DMM_MATRIX_SHEAR = 6       /* any: rows in turn up and down, and columns, log2 w times */
} dmm_matrix_method;

enum { DMM_MATRIX_COLUMNS_MAX = 1 << 20 };

typedef struct dmm_matrix {
    uint32_t w; /* banks, rows and processors: a power of two, at most DMM_LANES_MAX */
    uint32_t m; /* columns: any number, padded as docs/matrix.md says */
    dmm_matrix_method method;
    uint32_t label_bits; /* rows are sorted by counting so many low bits, at most 32; 0: by merging
                            whole items */
} dmm_matrix;

/* Steps, by what they did. Every one of them is judged as dmm_dmm_step does. */
typedef struct dmm_matrix_cost {
    dmm_matrix_method method; /* the one that was taken */
    uint32_t padded_m, phases;
    dmm_tally rows;    /* sorting rows */
    dmm_tally columns; /* sorting columns by all processors */
    dmm_tally turns;   /* turning rows into columns and back */
} dmm_matrix_cost;

/*
 * Sorts w rows of m items, items[i*m + j] at row i and column j, into row-major order, as w
 * processors would in w banks of one item a word, row i in bank i; not stable. With labels, the
 * items are partitioned: m of each label 0..w-1 come to the row of their label; any labels are
 * sorted. Two words an item, and with labels up to m counters a row. `out` may be NULL: then no
 * steps are counted. DMM_NULL_ARGUMENT; DMM_BAD_VALUE; DMM_TOO_LARGE: m; DMM_BAD_DATA: with labels,
 * an item of 2^63 or more; DMM_UNSUPPORTED: the method cannot sort this shape; DMM_OUT_OF_MEMORY.
 */
DMM_API dmm_status dmm_matrix_sort(dmm_matrix_cost *out, uint64_t *items, const dmm_matrix *matrix);

/*
 * Turns a matrix: its items row after row become its items column after column (else: the inverse),
 * in place, without conflicts, by one item in hand and a mark an item: B. Catanzaro, A. Keller, M.
 * Garland, "A Decomposition for In-place Matrix Transposition", PPoPP 2014, DOI
 * 10.1145/2555243.2555253. Any w to DMM_LANES_MAX, any m. `out` may be NULL. Errors as above.
 */
DMM_API dmm_status dmm_matrix_turn(
    dmm_tally *out, uint64_t *items, uint32_t w, uint32_t m, bool to_columns);

#ifdef __cplusplus
}
#endif

#endif
