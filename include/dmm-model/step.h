/* SPDX-License-Identifier: MIT */
/*
 * The cost of one lock-step: passes in banked local memory (the Distributed Memory Machine, DMM)
 * and transactions in global memory (the Unified Memory Machine, UMM). docs/model.md has examples.
 * Sources: K. Nakano, Simple memory machine models for GPUs, 2012, doi 10.1109/IPDPSW.2012.98;
 * P. Afshani, N. Sitchinava, Sorting and permuting without bank conflicts on GPUs, 2015, section 1;
 * K. Berney, Parallel cache-efficient algorithms on GPUs, University of Hawaii, 2023, chapter 1.
 */
#ifndef DMM_MODEL_STEP_H
#define DMM_MODEL_STEP_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    DMM_MODEL_LANES_MAX = 256,          /* lanes of one lock-step, and banks of one memory */
    DMM_MODEL_ACCESS_BYTES_MAX = 65536, /* bytes that one lane accesses in one step */
};

typedef enum dmm_model_access_kind {
    DMM_MODEL_READ = 0,
    DMM_MODEL_WRITE = 1,
    DMM_MODEL_ATOMIC = 2
} dmm_model_access_kind;

/* The access of one active lane. Lanes that are not listed are inactive. */
typedef struct dmm_model_access {
    uint64_t address_bytes; /* any alignment */
    uint32_t size_bytes;    /* 1..DMM_MODEL_ACCESS_BYTES_MAX, may differ between lanes */
    uint32_t lane;          /* 0..lanes-1, each at most once, in any order */
} dmm_model_access;

/* Local memory counts bank passes, global memory counts transactions. */
typedef struct dmm_model_reading {
    uint32_t passes;    /* the cost of the step */
    uint32_t needed;    /* the least cost of an access of this shape; never above passes */
    uint32_t conflicts; /* passes - needed: vendors' excess wavefronts */
    uint32_t worst;     /* DMM: most words accessed in one bank at once; UMM: passes */
} dmm_model_reading;

/* Banked local memory. Zero means default: 32 banks of 4 bytes, 32 lanes, writes to one word merge.
 * */
typedef struct dmm_model_local {
    uint32_t banks;      /* 1..DMM_MODEL_LANES_MAX; need not be a power of two */
    uint32_t lanes;      /* lanes of one lock-step, 1..DMM_MODEL_LANES_MAX; may exceed the banks */
    uint32_t word_bytes; /* width of a bank: 1, 2, 4, 8 or 16 */
    int writes_conflict; /* two lanes that write to one word conflict (Intel Gen) */
    int reads_conflict;  /* two lanes that read one word conflict; both: EREW, one lane a bank */
} dmm_model_local;

/*
 * Judges one lock-step in local memory; word x lies in bank x mod banks.
 * - An access is cut into parts of 16 bytes (fewer where all banks together are narrower), counted
 *   from its own first byte. All first parts are judged together, then all second parts, and so on.
 * - Parts of s words are judged min(lanes, banks / s) consecutive lanes at a time: a phase. So
 *   8-byte items on 32 banks of 4 bytes go in two half-warps, and 64 lanes of 4-byte items too.
 *   s is the widest part's size rounded up: 12 bytes are 3 words, 10 lanes a phase.
 * - A phase takes as many passes as the most words wanted from one bank. A word wanted by several
 *   lanes counts once (broadcast), unless they write and `writes_conflict`, or read and
 *   `reads_conflict`; narrow items that share a word count as that word. An atomic counts once for
 *   each lane that accesses the word: atomics on one word are carried out one after the other.
 * - needed: the phases with an active lane. An unaligned item may touch one word more than its
 *   size asks for; a pass that this costs is a conflict.
 * No access at all reads zero. Cost: linear in the words touched, plus, for each bank, the square
 * of the words wanted from it; nothing is allocated.
 * DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: a memory, kind, size, lane or address (it would
 * wrap around) is out of range, or a lane comes twice; DMM_MODEL_TOO_LARGE: more accesses than
 * lanes, or bytes than DMM_MODEL_ACCESS_BYTES_MAX. On an error `*out` is untouched.
 */
DMM_MODEL_API dmm_model_status dmm_model_local_step(dmm_model_reading *out,
    const dmm_model_local *memory, dmm_model_access_kind kind, const dmm_model_access *accesses,
    uint32_t count);

/* Called once for each phase with the words accessed in each bank. The array is valid during the
 * call only. */
typedef void dmm_model_phase_visit(void *user, const uint16_t *words_of_bank, uint32_t banks);

/*
 * As dmm_model_local_step, and calls `visit` (may be NULL) for each phase with an active lane, in
 * the order of the parts and then of the lanes. The most words of a phase are its passes. For
 * pictures.
 */
DMM_MODEL_API dmm_model_status dmm_model_local_phases(dmm_model_reading *out,
    const dmm_model_local *memory, dmm_model_access_kind kind, const dmm_model_access *accesses,
    uint32_t count, dmm_model_phase_visit *visit, void *user);

/*
 * Judges one lock-step of reads, writes or atomics in global memory: `passes` counts the distinct
 * aligned segments touched, `needed` the fewest that could hold as many distinct bytes.
 * `segment_bytes` is a power of two; 0 means 32, a sector; a cache line is often 128. Lanes range
 * to DMM_MODEL_LANES_MAX. Cost: an insertion sort by address, linear if the accesses come sorted;
 * nothing is allocated. Errors: as dmm_model_local_step.
 */
DMM_MODEL_API dmm_model_status dmm_model_global_step(dmm_model_reading *out, uint32_t segment_bytes,
    const dmm_model_access *accesses, uint32_t count);

#ifdef __cplusplus
}
#endif

#endif
