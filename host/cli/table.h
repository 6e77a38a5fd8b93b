/* SPDX-License-Identifier: MIT */
/*
 * Tables: rows of a text with columns (csv.h), or of a two-dimensional .npy, with the numbers of
 * some columns; and what the commands with --key share.
 */
#ifndef DMM_CLI_TABLE_H
#define DMM_CLI_TABLE_H

#include "csv.h"

/* Options of commands that read columns. */
typedef struct cli_columns {
    const char *keys; /* --key; NULL: the input is a list */
    bool header;
    const char *delimiter_text; /* --delimiter */
    char delimiter;
} cli_columns;

#define CLI_KEY_HELP \
    "A KEY is a column's number, from 1, or its name in the\nheading; NAME:f32 gives its type"
#define CLI_KEY_OPTIONS(columns, argument, help)                              \
    {'K', "key", CLI_TEXT, &(columns)->keys, argument, help},                 \
        {0, "header", CLI_FLAG, &(columns)->header, NULL,                     \
            "--key: the first row is a heading, and stays; names imply it"},  \
    {                                                                         \
        'd', "delimiter", CLI_TEXT, &(columns)->delimiter_text, "CHAR",       \
            "--key: what separates fields, one character or tab (default: ,)" \
    }

/* Understands the options above. */
bool cli_check_columns(cli_columns *columns, cli_error *error);
/* Fails if --key is given with one of the options of a list, whose names end with NULL. */
bool cli_check_rows(
    const cli_columns *columns, const bool *given, const char *const *names, cli_error *error);

typedef struct cli_table {
    const char *path;
    cli_csv_key keys[CLI_MOST_KEYS];
    size_t num_keys, rows;
    char *file;      /* content of a text */
    cli_csv csv;     /* rows of a text */
    cli_array items; /* numbers of an .npy; columns 0: a text */
} cli_table;

/* Reads rows, and the numbers of columns->keys. `type`: of keys that have none of their own;
 * DMM_ITEM: by the numbers. */
bool cli_read_table(
    cli_table *out, const char *path, dmm_type type, const cli_columns *columns, cli_error *error);
/* As above, with one key; `descends`: it may end in :r; NULL: it may not. */
bool cli_read_column(cli_table *out, const char *path, dmm_type type, const cli_columns *columns,
    bool *descends, cli_error *error);
/* A zeroed table is fine. */
void cli_close_table(cli_table *table);

/* Reads the numbers of a column, or without --key those of a list. */
bool cli_read_numbers(
    cli_array *out, const char *path, dmm_type type, const cli_columns *columns, cli_error *error);

/* Checks that the output can hold the rows. */
bool cli_check_row_output(const cli_table *table, const char *output, cli_error *error);
/* Writes what precedes the rows of the first table, then rows of all in an order: of positions, u32
 * or u64, that count on from one table to the next. */
bool cli_write_rows(cli_output *output, const cli_table *tables, size_t num_tables,
    const cli_array *order, cli_error *error);

/* Returns position i of an order. */
uint64_t cli_row_at(const cli_array *order, size_t i);

#endif
