/* SPDX-License-Identifier: MIT */
/* Reads the numbers of columns, on all processors: the text is divided, each part knows by the
 * number of quotes before it whether it begins within a quoted field, and counts its rows; then
 * each reads its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "csv_row.h"
#include "lines.h"
#include "number.h"
#include "parallel.h"
#include "progress.h"
#include "text.h"

enum { REPORT_EVERY = 1 << 12 };

/* A part of the text. Rows whose preceding newline is in it are its own; the first row is that of
 * part 0. */
typedef struct part {
    const char *begin, *end;
    size_t quotes, newlines[2]; /* newlines behind an even and an odd number of its quotes */
    bool is_quoted;             /* it begins within a quoted field */
    size_t first_row, rows;
    const char *fault; /* the first one; NULL: none */
    const char *fault_at;
    const cli_csv_key *fault_key; /* whose field is at fault; NULL: the row */
    cli_number_status status;
    bool is_float[CLI_MOST_KEYS], has_negative[CLI_MOST_KEYS], has_large[CLI_MOST_KEYS];
} part;

typedef struct reader {
    cli_csv *csv;
    cli_csv_key *keys;
    size_t num_keys, num_parts;
    part parts[CLI_MOST_PARTS];
    size_t only; /* key to read again, as f64; num_keys: all */
} reader;

bool csv_refuse(const cli_csv *csv, const char *at, const char *fault, cli_error *error)
{
    return cli_fail(error, CLI_MISTAKE, csv->path, "line %zu: %s",
        csv->lines + cli_count_newlines(csv->text, at) + 1, fault);
}

static void count_part(void *user, size_t index)
{
    reader *const r = user;
    part *const p = &r->parts[index];
    const char *at = p->begin;
    while (at < p->end) {
        const char *const quote = memchr(at, '"', (size_t)(p->end - at));
        const char *const stop = quote ? quote : p->end;
        p->newlines[p->quotes % 2] += cli_count_newlines(at, stop);
        p->quotes += quote != NULL;
        at = quote ? quote + 1 : p->end;
    }
}

/* Divides the rows, and finds whose rows are whose. */
static void divide(reader *r)
{
    const cli_csv *const csv = r->csv;
    const size_t bytes = csv->bytes - csv->head_bytes;
    const char *const begin = csv->text + csv->head_bytes;
    bool is_quoted = false;
    size_t row = 0;
    r->num_parts = cli_parts_of(bytes);
    for (size_t i = 0; i < r->num_parts; i++) {
        r->parts[i].begin = begin + bytes / r->num_parts * i;
        r->parts[i].end =
            i + 1 < r->num_parts ? begin + bytes / r->num_parts * (i + 1) : csv->text + csv->bytes;
    }
    cli_run_parts(r->num_parts, count_part, r);
    for (size_t i = 0; i < r->num_parts; i++) {
        part *const p = &r->parts[i];
        p->is_quoted = is_quoted;
        p->first_row = row;
        p->rows = p->newlines[is_quoted] + (i == 0 && bytes > 0);
        is_quoted = is_quoted != (p->quotes % 2 != 0);
        if (i + 1 == r->num_parts && bytes > 0 && csv->text[csv->bytes - 1] == '\n' && !is_quoted)
            p->rows--; /* no row begins behind the last newline */
        row += p->rows;
    }
    r->csv->rows = row;
}

/* Returns the first row of a part: behind its first newline that is in no quoted field. */
static const char *first_row(const part *p)
{
    bool is_quoted = p->is_quoted;
    for (const char *at = p->begin; at < p->end; at++) {
        is_quoted = is_quoted != (*at == '"');
        if (*at == '\n' && !is_quoted)
            return at + 1;
    }
    return p->end;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads a field as item `row` of a key. An empty field is nan, in a key of floats. */
static cli_number_status read_number(
    const cli_csv_key *key, const csv_field *field, bool as_float, size_t row, part *p, size_t k)
{
    const cli_array *const numbers = &key->numbers;
    void *const item = (char *)numbers->data + row * numbers->item_bytes;
    const char *at = field->begin, *end = field->end;
    bool negative;
    uint64_t magnitude;
    while (at < end && is_blank(*at))
        at++;
    while (at < end && is_blank(end[-1]))
        end--;
    if (at == end && cli_is_float(as_float ? DMM_F64 : key->type)) {
        const char *nan = "nan";
        return cli_parse_float(&nan, item, as_float ? DMM_F64 : key->type);
    }
    if (key->type != DMM_ITEM || as_float) {
        const cli_number_status status =
            cli_parse_number(&at, item, as_float ? DMM_F64 : key->type);
        return status == CLI_NUMBER_OK && at != end ? CLI_NOT_A_NUMBER : status;
    }
    cli_number_status status = cli_parse_whole(&at, &negative, &magnitude);
    if (status == CLI_NOT_WHOLE) {
        p->is_float[k] = true;
        return CLI_NUMBER_OK;
    }
    if (status != CLI_NUMBER_OK || at != end)
        return at != end && status == CLI_NUMBER_OK ? CLI_NOT_A_NUMBER : status;
    p->has_negative[k] = p->has_negative[k] || negative;
    p->has_large[k] = p->has_large[k] || (!negative && magnitude > INT64_MAX);
    *(uint64_t *)item = negative ? 0 - magnitude : magnitude;
    return negative && magnitude > (uint64_t)INT64_MAX + 1 ? CLI_OUT_OF_RANGE : CLI_NUMBER_OK;
}

static bool part_fails(part *p, const char *fault, const char *at)
{
    p->fault = fault;
    p->fault_at = at;
    return false;
}

/* Reads the keys of one row, and moves behind it. */
static bool read_row(reader *r, part *p, csv_row *row, size_t index)
{
    const char *const begin = row->at;
    csv_field field;
    size_t columns = 0;
    for (bool more = true; more; columns++) {
        more = csv_next_field(row, &field);
        if (row->fault)
            return part_fails(p, row->fault, row->fault_at);
        for (size_t k = 0; k < r->num_keys; k++) {
            if (r->keys[k].column != columns || (r->only < r->num_keys && r->only != k))
                continue;
            p->status = read_number(&r->keys[k], &field, r->only == k, index, p, k);
            if (p->status != CLI_NUMBER_OK) {
                p->fault_key = &r->keys[k];
                return part_fails(p, field.end, field.begin);
            }
        }
    }
    return columns == r->csv->columns ||
           part_fails(p, "it has other fields than the first row", begin);
}

static void read_part(void *user, size_t index)
{
    reader *const r = user;
    part *const p = &r->parts[index];
    csv_row row = {.at = index == 0 ? p->begin : first_row(p),
        .end = r->csv->text + r->csv->bytes,
        .delimiter = r->csv->delimiter};
    for (size_t i = 0; i < p->rows; i++) {
        r->csv->starts[p->first_row + i] = (size_t)(row.at - r->csv->text);
        if (!read_row(r, p, &row, p->first_row + i))
            return;
        if (index == 0 && !r->csv->is_piece && i % REPORT_EVERY == 0)
            cli_progress_step((uint64_t)(row.at - p->begin) * r->num_parts);
    }
}

/* Reports the first fault of all parts. */
static bool check_parts(const reader *r, cli_error *error)
{
    const cli_csv *const csv = r->csv;
    char shown[CLI_EXCERPT_CHARS + 1];
    for (size_t i = 0; i < r->num_parts; i++) {
        const part *const p = &r->parts[i];
        if (!p->fault)
            continue;
        const size_t line = csv->lines + cli_count_newlines(csv->text, p->fault_at) + 1;
        if (!p->fault_key)
            return csv_refuse(csv, p->fault_at, p->fault, error);
        cli_excerpt(shown, p->fault_at, p->fault);
        const char *const name = p->fault_key->name;
        if (p->fault == p->fault_at)
            return cli_fail(error, CLI_MISTAKE, csv->path,
                "line %zu: column %s is empty; --key %s:f64 reads that as nan, which comes last",
                line, name, name);
        return cli_fail(error, CLI_MISTAKE, csv->path, "line %zu: column %s: '%s' is %s%s", line,
            name, shown,
            p->status == CLI_NOT_A_NUMBER ? "not a number"
            : p->status == CLI_NOT_WHOLE  ? "not a whole number"
                                          : "out of the range of its type",
            p->status == CLI_NOT_A_NUMBER && line == 1 ? ": give --header if this is a heading"
                                                       : "");
    }
    return true;
}

/* Chooses the type of a key whose type is open, by all of its numbers. */
static bool choose_type(reader *r, size_t k, cli_error *error)
{
    cli_csv_key *const key = &r->keys[k];
    bool is_float = false, has_negative = false, has_large = false;
    if (key->type != DMM_ITEM)
        return true;
    for (size_t i = 0; i < r->num_parts; i++) {
        is_float = is_float || r->parts[i].is_float[k];
        has_negative = has_negative || r->parts[i].has_negative[k];
        has_large = has_large || r->parts[i].has_large[k];
    }
    if (!is_float && has_negative && has_large)
        return cli_fail(error, CLI_MISTAKE, r->csv->path,
            "column %s fits no type of 64 bits; --key %s:f64 reads it as floats", key->name,
            key->name);
    key->type = key->numbers.type = is_float ? DMM_F64 : has_large ? DMM_U64 : DMM_I64;
    if (!is_float)
        return true;
    r->only = k;
    cli_run_parts(r->num_parts, read_part, r);
    return check_parts(r, error);
}

bool cli_csv_read(cli_csv *csv, cli_csv_key *keys, size_t num_keys, cli_error *error)
{
    reader *const r = calloc(1, sizeof *r);
    if (!r)
        return cli_fail_memory(error, csv->path, sizeof *r);
    *r = (reader){.csv = csv, .keys = keys, .num_keys = num_keys, .only = num_keys};
    if (!csv->is_piece)
        cli_progress_bytes("parsing", csv->bytes);
    divide(r);
    csv->starts = malloc((csv->rows + 1) * sizeof *csv->starts);
    bool ok = csv->starts || cli_fail_memory(error, csv->path, csv->rows * sizeof *csv->starts);
    for (size_t k = 0; ok && k < num_keys; k++)
        ok = cli_make_array(&keys[k].numbers, keys[k].type == DMM_ITEM ? DMM_I64 : keys[k].type, 0,
            csv->rows, error);
    if (ok) {
        csv->starts[csv->rows] = csv->bytes;
        cli_run_parts(r->num_parts, read_part, r);
        ok = check_parts(r, error);
    }
    for (size_t k = 0; ok && k < num_keys; k++)
        ok = choose_type(r, k, error);
    free(r);
    return ok;
}

void cli_csv_close(cli_csv *csv)
{
    free(csv->starts);
    csv->starts = NULL;
}
