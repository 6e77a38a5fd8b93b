/* SPDX-License-Identifier: MIT */
/*
 * Internals of networks. network.c: what is common to all; network_batcher.c: those with a formula
 * for each step; network_best.c: the table of small ones; network_halver.c: random matchings and
 * separators, alone; network_aks.c: rounds of separators; aks_plan.c: their sizes; network_sorts.c:
 * the zero-one principle; network_count.c: counts of huge ones; network_errors.c: AKS networks with
 * the worst separators.
 */
#ifndef DMM_MODEL_NETWORK_INTERNAL_H
#define DMM_MODEL_NETWORK_INTERNAL_H

#include <dmm-model/network.h>

#include <stdbool.h>

/* One kind of network. `next` fills network->pairs with the comparators of step network->step and
 * returns their number: 0 after the last step, DMM_NETWORK_EMPTY for a step without any. */
typedef struct dmm_network_class {
    dmm_model_status (*init)(dmm_model_network *network); /* NULL: nothing to do */
    void (*rewind)(dmm_model_network *network);           /* NULL: nothing to do */
    uint64_t (*next)(dmm_model_network *network);
} dmm_network_class;

extern const dmm_network_class dmm_network_bitonic, dmm_network_odd_even,
    dmm_network_merge_exchange, dmm_network_pairwise, dmm_network_best, dmm_network_separator,
    dmm_network_aks;

#define DMM_NETWORK_EMPTY UINT64_MAX

/* ---- Random matchings ------------------------------------------------------------------------ */

/* Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2,
 * 3, SC 2011, DOI 10.1145/2063384.2063405. */
void dmm_philox(uint32_t out[4], const uint32_t counter[4], uint64_t key);

/* Names a matching within a network: no two have the same name. */
typedef struct dmm_matching_name {
    uint32_t matching, node, place;
} dmm_matching_name;

/* Writes a random permutation of 0..count - 1 (Fisher-Yates). */
void dmm_matching_shuffle(
    uint32_t *out, uint32_t count, uint64_t seed, const dmm_matching_name *name);

/* ---- Separators ------------------------------------------------------------------------------ */

/* A separator of a wires, f of them in the two fringes: the first f/2 and the last f/2. */
typedef struct dmm_separator {
    uint32_t a, f;
    uint32_t layers;    /* t + 1 */
    uint32_t outer;     /* half the wires of the halvers of layer 1; 0 with one layer */
    uint32_t matchings; /* matchings in a random halver */
    bool perfect_first; /* layer 0 is a perfect halver */
    bool perfect_rest;  /* those below are */
} dmm_separator;

/* What the separators of a network have in common. */
typedef struct dmm_separator_rules {
    uint32_t matchings; /* 0: by size */
    bool perfect;       /* perfect halvers where no error is allowed */
    double epsilon_b, epsilon_f;
} dmm_separator_rules;

dmm_separator_rules dmm_separator_rules_of(const dmm_model_network_desc *desc);

/* True if layer 1 keeps as many wires as a fringe has; a even, f even, f <= a. */
bool dmm_separator_exists(uint32_t a, uint32_t f);

/* Lays out a separator; a even, f even, f <= a. */
dmm_separator dmm_separator_of(uint32_t a, uint32_t f, const dmm_separator_rules *rules);

/* Steps of all layers. */
uint64_t dmm_separator_depth(const dmm_separator *separator);
/* Comparators of all layers. */
uint64_t dmm_separator_comparators(const dmm_separator *separator);

/* Appends the comparators of a step of a separator on the wires `list`; returns their number: 0
 * after its last step. `shuffled`: scratch for a/2 numbers. */
uint64_t dmm_separator_step(dmm_model_comparator *out, const dmm_separator *separator,
    uint64_t step, const uint32_t *list, uint32_t *shuffled, uint64_t seed, uint32_t node,
    uint32_t place);

/* ---- Networks -------------------------------------------------------------------------------- */

struct dmm_aks;

struct dmm_model_network {
    dmm_model_network_desc desc;
    const dmm_network_class *class;
    uint32_t wires;
    uint64_t step;               /* the next one */
    dmm_model_comparator *pairs; /* comparators of one step; all of a stored network */
    uint64_t *ends;              /* ends of the steps of a stored network; else NULL */
    uint64_t steps;              /* steps of a stored network */
    dmm_separator_rules rules;   /* rules of a network with separators */
    uint32_t *shuffled;          /* one permutation of a half; NULL for networks without */
    struct dmm_aks *aks;         /* AKS and separators */
};

/* The `next` of networks with `ends`. */
uint64_t dmm_network_stored_next(dmm_model_network *network);

void dmm_aks_free(struct dmm_aks *aks);

/* A node in a round: its separator, and its wires in the order that the separator gives them. */
typedef struct dmm_aks_visit {
    dmm_separator separator;
    const uint32_t *list;
} dmm_aks_visit;

/* Calls `visit` for each node of the present round, and goes to the next round; false, without a
 * call, after the last. */
bool dmm_aks_visit_round(
    dmm_model_network *network, void (*visit)(const dmm_aks_visit *node, void *data), void *data);

/* Puts the sorted items of a node, f < a, on its wires with all the errors that the epsilons of
 * `rules` allow; returns their number. */
uint32_t dmm_separator_err(uint64_t *items, const uint64_t *sorted, const dmm_aks_visit *node,
    const dmm_separator_rules *rules);

/* ---- AKS: sizes ------------------------------------------------------------------------------ */

/* Wires of a node, and those that it sends up: a * 2^shift, f * 2^shift. */
typedef struct dmm_aks_node {
    uint32_t a, f, shift;
} dmm_aks_node;

/* The first and the last level with wires in round t (Fischer 2020, (2.1) to (2.3)). */
uint32_t dmm_aks_first_level(uint32_t d, uint32_t t);
uint32_t dmm_aks_last_level(uint32_t t);
/* The nodes of a level, table 2.2. shift is 0 unless a node has 2^17 wires or more. */
dmm_aks_node dmm_aks_node_of(uint32_t d, uint32_t level, uint32_t t);
/* Rounds of separators: 3d - 20. */
uint32_t dmm_aks_rounds(uint32_t d);

enum { DMM_AKS_BLOCK = 64, DMM_AKS_REPAIRS = 3, DMM_AKS_SHIFT_FROM = 24 };

/* ---- Odd-even merges ------------------------------------------------------------------------- */

/* Appends step `step` of an odd-even merge sort of the wires base..base + n - 1, or from the merge
 * of two runs of `from` wires on (1: all); *over is set after the last step. */
uint64_t dmm_odd_even_step(
    dmm_model_comparator *out, uint32_t base, uint32_t n, uint32_t from, uint64_t step, bool *over);

#endif
