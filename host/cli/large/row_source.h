/* SPDX-License-Identifier: MIT */
/* The rows of a text in a file, piece by piece: the places of their keys in the order, and where
 * they are; and rows again, by where they are. */
#ifndef DMM_CLI_ROW_SOURCE_H
#define DMM_CLI_ROW_SOURCE_H

#include "source.h"
#include "table.h"

/* A row in the file. */
typedef struct cli_row {
    uint64_t at, bytes; /* the newline included */
} cli_row;

typedef struct cli_row_source {
    cli_source *file; /* open; borrowed */
    cli_csv csv;      /* the piece */
    cli_csv_key keys[CLI_MOST_KEYS];
    size_t num_keys;
    bool descending; /* all keys, beside their own :r */
    char *text;      /* the piece; owned */
    size_t capacity, most_bytes, text_bytes;
    uint64_t at;         /* position of the piece in the file */
    uint64_t head_bytes; /* bytes of the file before its first row */
    size_t row;          /* next row of the piece */
    double row_bytes;    /* about */
} cli_row_source;

/* Opens columns of `file`, a regular one, with pieces of up to most_bytes. Keys need types. */
bool cli_open_rows(cli_row_source *s, cli_source *file, size_t most_bytes, dmm_type type,
    const cli_columns *columns, cli_error *error);
/* Reads up to `most` rows: for each its keys' places, num_keys words, and where it is. *count: how
 * many, 0 only at the end. */
bool cli_next_rows(cli_row_source *s, uint64_t *places, cli_row *rows, uint64_t most,
    uint64_t *count, cli_error *error);
/* A zeroed source is fine. */
void cli_close_rows(cli_row_source *s);

#endif
