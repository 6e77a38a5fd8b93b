/* SPDX-License-Identifier: MIT */
/*
 * What translating virtual addresses costs: the VAT model (Virtual Address Translation).
 *
 * A tree of fan-out K and height d maps pages: the leaf of an address is on layer 0 and has the
 * number address / P, its ancestor on layer l the number address / (P * K^l). A translation cache
 * holds W nodes of the tree. A translation accesses the d + 1 nodes of a path in order, from the
 * root to the leaf; a node that the cache lacks is inserted, for tau units of cost, and where the
 * cache is full, another node is evicted. No node is inserted before it is accessed (lazy).
 * Source: T. Jurkiewicz, Toward better computation models for modern machines, Saarland University,
 * 2013, sections 2.3 and 2.4. Differs from it: W > d for all strategies, so that a path fits.
 */
#ifndef DMM_MODEL_TRANSLATION_H
#define DMM_MODEL_TRANSLATION_H

#include <stdint.h>
#include <dmm-model/export.h>
#include <dmm-model/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DMM_MODEL_PAGE_BYTES_MIN = 64, DMM_MODEL_DEPTH_MAX = 57, DMM_MODEL_NODES_MAX = 1 << 24 };

/* Which node leaves a full translation cache. Never-used-again counts as used last; of two such
 * nodes, the one on the lower layer goes first. */
typedef enum dmm_model_eviction {
    DMM_MODEL_LRU = 0,   /* the least recently used node */
    DMM_MODEL_ISLRU = 1, /* the lowest descendant of that node (definition 2.9) */
    DMM_MODEL_MIN = 2,   /* the node whose next use is farthest (Belady): the fewest insertions */
    DMM_MODEL_ISMIN = 3  /* the node off the current path and without descendants whose next use is
                            farthest (definition 2.12): the fewest insertions of all strategies
                            that keep an initial segment of the tree */
} dmm_model_eviction;

/* A machine. Zero means default: pages of 4096 bytes, fan-out 512, the least depth whose tree
 * covers 2^48 bytes, 64 nodes, LRU, tau 1. */
typedef struct dmm_model_translation {
    uint64_t page_bytes; /* P: a power of two, at least DMM_MODEL_PAGE_BYTES_MIN */
    uint64_t tau;        /* cost of one insertion */
    uint32_t fanout;     /* K: a power of two, 2 to 65536 */
    uint32_t depth;      /* d: 1 to DMM_MODEL_DEPTH_MAX, P * K^d at most 2^64 */
    uint32_t nodes;      /* W: above d, at most DMM_MODEL_NODES_MAX */
    dmm_model_eviction eviction;
} dmm_model_translation;

typedef struct dmm_model_translation_counts {
    uint64_t translations;
    uint64_t walks;      /* translations with an insertion */
    uint64_t insertions; /* nodes: misses of the translation cache */
    uint64_t leaves;     /* insertions on layer 0 */
    uint64_t cost;       /* tau * insertions */
} dmm_model_translation_counts;

/* Fills in defaults and checks. DMM_MODEL_NULL_ARGUMENT, DMM_MODEL_BAD_VALUE: `*out` is untouched.
 */
DMM_MODEL_API dmm_model_status dmm_model_translation_check(
    dmm_model_translation *out, const dmm_model_translation *machine);

/*
 * Translates n addresses in order, by any strategy, from an empty cache. `inserted` (may be NULL)
 * gets the insertions of each translation. Cost: LRU, ISLRU constant time a node, MIN and ISMIN
 * log W; scratch: 40 bytes a node of the cache, and for MIN and ISMIN 4 (d + 1) bytes an address.
 * DMM_MODEL_NULL_ARGUMENT; DMM_MODEL_BAD_VALUE: the machine is out of range; DMM_MODEL_BAD_DATA: an
 * address is beyond the tree; DMM_MODEL_TOO_LARGE: MIN and ISMIN with 2^32 - 1 addresses or more;
 * DMM_MODEL_OUT_OF_MEMORY. On an error `*out` is untouched and `inserted` undefined.
 */
DMM_MODEL_API dmm_model_status dmm_model_translate(dmm_model_translation_counts *out,
    uint8_t *inserted, const dmm_model_translation *machine, const uint64_t *addresses, uint64_t n);

/* A translation cache that takes a stream of addresses in pieces. Not for two threads at a time. */
typedef struct dmm_model_translator dmm_model_translator;

/*
 * Creates an empty cache under LRU or ISLRU; DMM_MODEL_UNSUPPORTED: MIN and ISMIN need the whole
 * stream, see dmm_model_translate. Other errors: as there; `*out` is then NULL.
 */
DMM_MODEL_API dmm_model_status dmm_model_translator_create(
    dmm_model_translator **out, const dmm_model_translation *machine);

/* Translates n more addresses. DMM_MODEL_BAD_DATA: an address is beyond the tree; those before it
 * are translated. DMM_MODEL_NULL_ARGUMENT. */
DMM_MODEL_API dmm_model_status dmm_model_translator_add(
    dmm_model_translator *translator, uint8_t *inserted, const uint64_t *addresses, uint64_t n);

/* Returns the counts since the creation; zeros for NULL. */
DMM_MODEL_API dmm_model_translation_counts dmm_model_translator_counts(
    const dmm_model_translator *translator);

DMM_MODEL_API void dmm_model_translator_free(dmm_model_translator *translator); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
