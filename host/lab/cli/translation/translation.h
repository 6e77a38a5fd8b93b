/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm-lab translation`: cmd_translation.c is the command, translation_memory.c gets
 * memory in pages of a size, translation_run.c measures the seven programs or reads a
 * table, translation_svg.c draws
 * them.
 */
#ifndef DMM_CLI_TRANSLATION_H
#define DMM_CLI_TRANSLATION_H

#include <dmm-model/programs.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "error.h"

typedef enum translation_pages {
    TRANSLATION_4K = 0, /* the usual pages */
    TRANSLATION_2M = 1  /* huge pages */
} translation_pages;

enum { TRANSLATION_SIZES = 2 };

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct translation_memory {
    void *mapping;
    uint64_t mapped_bytes;
    uint64_t *words; /* from a multiple of 2 MiB */
    double huge;     /* share in pages of 2 MiB, 0 to 1; below 0: the system does not say */
} translation_memory;

/* Maps and touches that many bytes; huge pages are asked for, which the system may refuse. False:
 * no memory. */
bool translation_map(translation_memory *out, uint64_t bytes, translation_pages pages);
void translation_unmap(translation_memory *memory);

/* ---- Measuring ------------------------------------------------------------------------------- */

/* One program on n words. */
typedef struct translation_row {
    dmm_model_program program;
    uint64_t n;
    double ns[TRANSLATION_SIZES];   /* processor time of an operation; 0: not measured */
    double huge[TRANSLATION_SIZES]; /* share of the memory in pages of 2 MiB */
    dmm_model_growth growth[TRANSLATION_SIZES]; /* predicted insertions, per operation */
} translation_row;

typedef struct translation_rows {
    translation_row *rows;
    size_t count;
} translation_rows;

typedef struct translation_order {
    uint64_t least, most; /* words */
    double seconds;       /* a program stops growing after a run that took longer */
    uint64_t repeats;     /* at least; the shortest counts */
    uint32_t nodes;       /* nodes of the model's cache */
} translation_order;

/* Measures all programs. `out` is to be freed in any case. */
bool translation_measure(translation_rows *out, const translation_order *order, cli_error *error);

/* Reads the rows of a table that `dmm-lab translation` printed. `out` is freed by the caller. */
bool translation_read(translation_rows *out, const char *path, cli_error *error);

/* ---- Pictures -------------------------------------------------------------------------------- */

/* Draws time of an operation over n, in pages of either size (Jurkiewicz 2013, figure 2.1). */
void translation_draw_times(FILE *out, const translation_rows *rows);
/* Draws times in pages of 2 MiB as a percentage of those in pages of 4 KiB (figure 2.5). */
void translation_draw_shares(FILE *out, const translation_rows *rows);

#endif
