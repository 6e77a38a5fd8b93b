/* SPDX-License-Identifier: MIT */
/*
 * Tables as text: rows of fields, RFC 4180. A row ends with LF or CR LF, a field may be quoted, and
 * holds a quote as two of them. All rows have as many fields as the first. Numbers may have blanks
 * around them.
 */
#ifndef DMM_CLI_CSV_H
#define DMM_CLI_CSV_H

#include "array.h"

enum { CLI_MOST_KEYS = 16 };

/* A column to read as numbers. */
typedef struct cli_csv_key {
    size_t column; /* from 0 */
    bool descending;
    dmm_type type; /* DMM_ITEM: i64, u64 or f64, as for other text */
    char name[64]; /* as the user gave it, for messages */
    cli_array numbers;
} cli_csv_key;

typedef struct cli_csv {
    const char *path;
    const char *text; /* all of it; ends with NUL */
    size_t bytes;
    char delimiter;
    size_t columns;
    size_t head_bytes; /* before the first row: a byte order mark and the heading */
    size_t rows;
    size_t *starts; /* where each row starts, and the end */
    size_t lines;   /* before the text, if it is a piece */
    bool is_piece;  /* a piece of a longer text: reading it is no step of the bar */
} cli_csv;

/* Understands --key, "KEY[:r][:TYPE],...", with `find` for the column of a key. */
typedef bool cli_find_column(void *user, const char *name, size_t *column, cli_error *error);
bool cli_parse_keys(const char *text, cli_csv_key *keys, size_t *num_keys, cli_find_column *find,
    void *user, cli_error *error);

/*
 * Reads the first row of a whole text, and finds the columns of the keys: by numbers, from 1, or by
 * names in the heading. `header`: the first row is a heading, also where no name asks for one.
 */
bool cli_csv_open(cli_csv *csv, const char *path, char *text, size_t bytes, char delimiter,
    bool header, const char *keys_text, cli_csv_key *keys, size_t *num_keys, cli_error *error);

/* Reads the numbers of the keys and the starts of all rows, on all processors. */
bool cli_csv_read(cli_csv *csv, cli_csv_key *keys, size_t num_keys, cli_error *error);

void cli_csv_close(cli_csv *csv);

#endif
