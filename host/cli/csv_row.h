/* SPDX-License-Identifier: MIT */
/* The fields of a row of a table, one after the other. */
#ifndef DMM_CLI_CSV_ROW_H
#define DMM_CLI_CSV_ROW_H

#include <string.h>

#include "csv.h"

typedef struct csv_row {
    const char *at;  /* the next field, or the next row */
    const char *end; /* end of the text, where a NUL is */
    char delimiter;
    const char *fault; /* what is wrong; NULL: nothing */
    const char *fault_at;
} csv_row;

typedef struct csv_field {
    const char *begin, *end; /* within the quotes, if there are some */
    bool is_quoted;
} csv_field;

static inline bool csv_row_fails(csv_row *row, const char *fault, const char *at)
{
    row->fault = fault;
    row->fault_at = at;
    return false;
}

/* Moves behind the end of a row. */
static inline bool csv_end_row(csv_row *row)
{
    if (row->at < row->end && *row->at == '\r')
        row->at++;
    if (row->at < row->end)
        row->at++;
    return false;
}

/* True if a row ends at `at`: a CR ends it before LF or the end of the text. */
static inline bool csv_ends(const csv_row *row, const char *at)
{
    return at == row->end || *at == '\n' || (*at == '\r' && (at + 1 == row->end || at[1] == '\n'));
}

/* Reads the next field of a row. False at the row's last field, and at a fault; then row->at is the
 * next row's. */
static inline bool csv_next_field(csv_row *row, csv_field *field)
{
    const char *at = row->at;
    field->is_quoted = at < row->end && *at == '"';
    field->begin = at += field->is_quoted;
    if (field->is_quoted) {
        for (;; at += 2) {
            at = memchr(at, '"', (size_t)(row->end - at));
            if (!at)
                return csv_row_fails(row, "a quoted field does not end", field->begin);
            if (at + 1 == row->end || at[1] != '"')
                break;
        }
        field->end = at++;
        if (!csv_ends(row, at) && *at != row->delimiter)
            return csv_row_fails(row, "more follows the closing quote of a field", field->begin);
    } else {
        while (!csv_ends(row, at) && *at != row->delimiter && *at != '"')
            at++;
        field->end = at;
        if (!csv_ends(row, at) && *at == '"')
            return csv_row_fails(row, "a quote within a field that does not begin with one", at);
    }
    row->at = at;
    if (csv_ends(row, at))
        return csv_end_row(row);
    row->at++;
    return true;
}

/* Fails and names the line of `at`. */
bool csv_refuse(const cli_csv *csv, const char *at, const char *fault, cli_error *error);

#endif
