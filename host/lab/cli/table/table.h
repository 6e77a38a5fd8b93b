/* SPDX-License-Identifier: MIT */
/*
 * The parts of `dmm-lab table`: the tables and figures of the papers, each a row (paper_table) with
 * the paper's numbers, beside a function that measures one of its points. cmd_table.c is the
 * command, table_print.c prints a table, table_draw.c draws it, table_device.c times calls on the
 * device, table_meter.c runs the bank meter; the rows are in the other files, by paper and chapter.
 */
#ifndef DMM_LAB_TABLE_H
#define DMM_LAB_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <dmm-model/network.h>

#include "session.h"

/* Where a point is measured. */
typedef enum table_place {
    TABLE_MODEL,     /* counted on the host: the same numbers on every machine */
    TABLE_PROCESSOR, /* timed on the processor of this machine, without OpenCL */
    TABLE_DEVICE,    /* timed on the OpenCL device that --device chooses */
    TABLE_METER      /* counted by the bank meter, in Oclgrind */
} table_place;

enum { TABLE_COLUMNS = 12, TABLE_SIZES = 4 };

typedef struct table_column {
    const char *name; /* NULL ends the columns */
    int decimals;
    bool paper; /* the paper's number, of the point; otherwise measured */
} table_column;

/* What the paper does not print. */
#define TABLE_NONE ((double)NAN)

typedef struct table_point {
    const char *label;           /* NULL ends the points */
    double x;                    /* abscissa of the picture */
    double sizes[TABLE_SIZES];   /* what the table's function takes */
    double paper[TABLE_COLUMNS]; /* the paper's numbers, in the order of its columns */
    bool full;                   /* measured with --full only */
} table_point;

typedef enum table_scale {
    TABLE_NAMES = 0, /* points side by side, by their labels */
    TABLE_LINEAR,
    TABLE_LOG2,
    TABLE_LOG10
} table_scale;

/* What a table measures with. */
typedef struct table_run {
    bool full;
    cli_session session; /* opened for TABLE_DEVICE */
} table_run;

/* Measures one point: `values`, TABLE_NONE before, in the order of the measured columns. */
typedef bool table_measure(
    double *values, const table_point *point, table_run *run, cli_error *error);

typedef struct paper_table {
    const char *name;   /* NULL ends a list */
    const char *title;  /* what is measured */
    const char *source; /* paper and section */
    table_place place;
    const char *head;           /* heading of the labels; name of the abscissa */
    const char *unit;           /* name of the ordinate */
    table_scale scale, heights; /* of abscissa and ordinate */
    const table_column *columns;
    const table_point *points;
    table_measure *measure;
    const char *paper;       /* what the paper says without numbers; NULL: nothing */
    const char *reading;     /* what agrees, what does not, and why */
    void (*draw)(FILE *out); /* a picture of its own; NULL: curves over the points */
} paper_table;

/* Lists of tables, each ended by a row without a name. */
extern const paper_table tables_afshani[], tables_berney_layouts[], tables_berney_paths[],
    tables_berney_conflicts[], tables_jurkiewicz_translation[], tables_jurkiewicz_hull[],
    tables_jurkiewicz_model[], tables_berney_gather[], tables_berney_blocks[],
    tables_berney_random[], tables_berney_heap[], tables_berney_levels[], tables_berney_turns[],
    tables_fischer[], tables_fischer_sorts[];

/* Points of a table, and its measured values: TABLE_COLUMNS a point. */
typedef struct table_values {
    double *values;
    size_t points;
} table_values;

/* Returns the value of a point in a column, the paper's or the measured one. */
double table_value(
    const paper_table *table, const table_values *values, size_t point, size_t column);

/* Prints the table as Markdown, with what the paper says. `where`: the device, or NULL. */
void table_print(const paper_table *table, const table_values *values, const char *where);
/* Draws a curve for each column; those of the paper are dashed. */
void table_draw(FILE *out, const paper_table *table, const table_values *values);

/* ---- Measuring ------------------------------------------------------------------------------- */

/* Returns the next of a sequence of random numbers (S. Vigna, splitmix64). */
static inline uint64_t table_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Creates the network of a description. */
bool table_network(dmm_model_network **out, const dmm_model_network_desc *desc, cli_error *error);

/* Fills with a random permutation of 0..n - 1. */
void table_permutation(uint64_t *out, uint64_t n, uint64_t seed);

/* Returns seconds of a steady clock. */
double table_seconds(void);

#endif
