/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_permutation_plan: moves on the host (plan_moves.c), their colouring
 * (plan_colour.c), the file (plan_file.c), the object and its calls
 * (permutation_plan.c).
 */
#ifndef DMM_PRIMITIVES_PERMUTATION_PLAN_H
#define DMM_PRIMITIVES_PERMUTATION_PLAN_H

#include <dmm/permutation_plan.h>
#include <dmm/transpose.h>

#include "primitives/classes.h"
#include "primitives/words.h"

/* Enough for 2^31 items in tiles of 4. */
enum { DMM_PLAN_MAX_STEPS = 64, DMM_PLAN_MAX_TILE = 1 << 15 };

/* One step: moves inside tiles, or a transposition. */
typedef struct dmm_plan_step {
    uint64_t rows, cols, count; /* a transposition; rows = 0: moves */
} dmm_plan_step;

/* The part of a plan that does not depend on the device except for its banks. */
typedef struct dmm_plan_moves {
    uint64_t n;         /* items */
    uint64_t padded;    /* T times a power of two, at least n */
    uint32_t tile;      /* T */
    uint32_t banks;     /* w; 0: of the CPU form */
    uint32_t u, E;      /* as they were chosen */
    uint32_t num_steps; /* odd: moves first and last */
    dmm_plan_step steps[DMM_PLAN_MAX_STEPS];
    uint32_t num_moves; /* steps that are moves */
    uint32_t *moves;    /* `padded` words for each: goal << 16 | position, within the tile */
} dmm_plan_moves;

/* Returns the goals of all padded items, to be freed; padding stays in place. DMM_BAD_DATA: no
 * permutation. */
dmm_status dmm_plan_new_goals(
    uint32_t **out, const dmm_permutation_plan_desc *desc, uint64_t padded);
/* Computes the steps and the counts from n, tile and banks. */
dmm_status dmm_plan_moves_count(dmm_plan_moves *moves);
/* As above; also allocates the moves. */
dmm_status dmm_plan_moves_lay_out(dmm_plan_moves *moves);
/* Fills the moves: item i goes to goals[i], for all padded items. Overwrites the goals. */
dmm_status dmm_plan_moves_fill(dmm_plan_moves *moves, uint32_t *goals);
void dmm_plan_moves_free(dmm_plan_moves *moves);

/* A regular bipartite multigraph: edge e joins left[e] and right[e], both below `vertices`. */
typedef struct dmm_graph {
    const uint32_t *left, *right;
    uint32_t vertices, degree; /* the degree is a power of two */
    uint32_t *scratch;         /* dmm_graph_scratch words */
} dmm_graph;

uint64_t dmm_graph_scratch(uint32_t vertices, uint64_t edges);
/* Colours the edges with 0 .. degree - 1: no two edges of a vertex have the same colour. */
void dmm_graph_colour(uint32_t *colours, const dmm_graph *graph);

/* Writes and reads files. `moves` is empty before reading, and after a failure. A log line says
 * what is wrong. */
dmm_status dmm_plan_file_write(const dmm_plan_moves *moves, const char *path, const dmm_log *log);
dmm_status dmm_plan_file_read(dmm_plan_moves *moves, const char *path, const dmm_log *log);

/* Source of a plan: its description, or a file for items of desc.item_bytes. */
typedef struct dmm_plan_source {
    const char *path; /* NULL: from the description */
    dmm_permutation_plan_desc desc;
} dmm_plan_source;

struct dmm_permutation_plan {
    dmm_object object;
    dmm_plan_source desc; /* its pointers are valid in init only */
    dmm_word_layout words;
    dmm_parameters p;
    dmm_plan_moves moves; /* moves.moves is NULL after init: moves are on the device */
    cl_mem on_device;
    cl_kernel tile;
    dmm_transpose *transpose; /* NULL where one tile holds all */
};

#endif
