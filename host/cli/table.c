/* SPDX-License-Identifier: MIT */
/* Reads tables and writes their rows. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "npy.h"
#include "parallel.h"
#include "progress.h"
#include "table.h"
#include "text.h"

enum { PIECE_BYTES = 1 << 24 };

/* ---- Options --------------------------------------------------------------------------------- */

/* Understands --delimiter: a character that is no part of a number or a quotation. */
static bool check_delimiter(cli_columns *o, cli_error *error)
{
    const char *const text = o->delimiter_text ? o->delimiter_text : ",";
    const bool is_tab = strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0;
    o->delimiter = is_tab ? '\t' : text[0];
    return is_tab ||
           (text[0] != '\0' && text[1] == '\0' && !isalnum((unsigned char)text[0]) &&
               (unsigned char)text[0] < 128 && !strchr("+-.\"\r\n", text[0])) ||
           cli_fail(error, CLI_MISTAKE, "--delimiter",
               "'%.20s' is not tab or one character that is no letter, digit, sign, point or quote",
               text);
}

bool cli_check_columns(cli_columns *o, cli_error *error)
{
    if (!o->keys && (o->header || o->delimiter_text))
        return cli_fail(error, CLI_MISTAKE, o->header ? "--header" : "--delimiter", "needs --key");
    return check_delimiter(o, error);
}

bool cli_check_rows(
    const cli_columns *o, const bool *given, const char *const *names, cli_error *error)
{
    for (size_t i = 0; o->keys && names[i]; i++)
        if (given[i])
            return cli_fail(error, CLI_MISTAKE, "--key", "is not offered with %s", names[i]);
    return true;
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Finds a column of an .npy, by its number. */
static bool find_column(void *user, const char *name, size_t *column, cli_error *error)
{
    const cli_table *const t = user;
    char *end = NULL;
    const unsigned long long number = strtoull(name, &end, 10);
    *column = (size_t)number - 1;
    return (name[0] >= '1' && name[0] <= '9' && *end == '\0' && number <= t->items.columns) ||
           cli_fail(error, CLI_MISTAKE, "--key", "'%s' is none of the columns 1 to %zu of %s", name,
               t->items.columns, t->path);
}

/* Copies the keys' columns out of the rows of an .npy. */
static bool read_npy_keys(cli_table *t, const cli_columns *o, cli_error *error)
{
    const size_t columns = t->items.columns, bytes = t->items.item_bytes;
    if (!cli_parse_keys(o->keys, t->keys, &t->num_keys, find_column, t, error))
        return false;
    t->rows = t->items.count / columns;
    for (size_t k = 0; k < t->num_keys; k++) {
        cli_csv_key *const key = &t->keys[k];
        if (key->type != DMM_ITEM && key->type != t->items.type)
            return cli_fail(error, CLI_MISTAKE, "--key", "%s holds %s, not %s", t->path,
                dmm_type_name(t->items.type), dmm_type_name(key->type));
        key->type = t->items.type;
        if (!cli_make_array(&key->numbers, key->type, 0, t->rows, error))
            return false;
        const char *from = (const char *)t->items.data + key->column * bytes;
        for (size_t i = 0; i < t->rows; i++, from += columns * bytes)
            memcpy((char *)key->numbers.data + i * bytes, from, bytes);
    }
    return true;
}

static bool read_text_keys(
    cli_table *t, size_t bytes, dmm_type type, const cli_columns *o, cli_error *error)
{
    if (!cli_csv_open(&t->csv, t->path, t->file, bytes, o->delimiter, o->header, o->keys, t->keys,
            &t->num_keys, error))
        return false;
    for (size_t k = 0; k < t->num_keys; k++)
        if (t->keys[k].type == DMM_ITEM)
            t->keys[k].type = type;
    const bool ok = cli_csv_read(&t->csv, t->keys, t->num_keys, error);
    t->rows = t->csv.rows;
    return ok;
}

bool cli_read_table(
    cli_table *t, const char *path, dmm_type type, const cli_columns *o, cli_error *error)
{
    *t = (cli_table){.path = path};
    const cli_format format = cli_format_of(path);
    size_t bytes = 0;
    if (format != CLI_NPY && format != CLI_TEXT_LINES)
        return cli_fail(error, CLI_MISTAKE, path,
            "--key reads rows of .csv, .txt and two-dimensional .npy files; --format text for "
            "others");
    if (format == CLI_TEXT_LINES) {
        if (!cli_read_file(&t->file, &bytes, path, error))
            return false;
        if (!cli_is_npy(t->file, bytes))
            return read_text_keys(t, bytes, type, o, error);
    }
    if (!cli_take_rows(&t->items, t->file, bytes, path, error))
        return false;
    t->file = NULL; /* it is the items' */
    return read_npy_keys(t, o, error);
}

bool cli_read_column(cli_table *t, const char *path, dmm_type type, const cli_columns *o,
    bool *descends, cli_error *error)
{
    if (!cli_read_table(t, path, type, o, error))
        return false;
    if (t->num_keys != 1)
        return cli_fail(error, CLI_MISTAKE, "--key", "give one column here, not %zu", t->num_keys);
    if (t->keys[0].descending && !descends)
        return cli_fail(error, CLI_MISTAKE, "--key",
            "%s:r belongs to commands that write rows: give -r if there is one", t->keys[0].name);
    if (descends)
        *descends = *descends || t->keys[0].descending;
    return true;
}

void cli_close_table(cli_table *t)
{
    for (size_t k = 0; k < t->num_keys; k++)
        cli_free_array(&t->keys[k].numbers);
    cli_free_array(&t->items);
    cli_csv_close(&t->csv);
    free(t->file);
    *t = (cli_table){.rows = 0};
}

bool cli_read_numbers(
    cli_array *out, const char *path, dmm_type type, const cli_columns *o, cli_error *error)
{
    if (!o->keys)
        return cli_read_keys(out, path, type, error);
    cli_table *const t = calloc(1, sizeof *t);
    if (!t)
        return cli_fail_memory(error, path, sizeof *t);
    const bool ok = cli_read_column(t, path, type, o, NULL, error);
    if (ok) {
        *out = t->keys[0].numbers;
        t->keys[0].numbers = (cli_array){.count = 0};
    }
    cli_close_table(t);
    free(t);
    return ok;
}

/* ---- Writing --------------------------------------------------------------------------------- */

uint64_t cli_row_at(const cli_array *order, size_t i)
{
    return order->item_bytes == 4 ? ((const uint32_t *)order->data)[i]
                                  : ((const uint64_t *)order->data)[i];
}

/* Rows first..end of the order, copied by parts into one piece. */
typedef struct piece {
    const cli_table *tables;
    const cli_array *order;
    char *to;
    size_t parts, first[CLI_MOST_PARTS + 1], at[CLI_MOST_PARTS + 1];
} piece;

typedef struct row {
    const char *from;
    size_t bytes;
    bool lacks_newline; /* the last one of a text that does not end with a newline */
} row;

/* Returns the row at position i of the order. */
static row row_of(const piece *p, size_t i)
{
    const cli_table *t = p->tables;
    uint64_t at = cli_row_at(p->order, i);
    for (; at >= t->rows; t++)
        at -= t->rows;
    const size_t bytes = t->items.columns * t->items.item_bytes;
    if (bytes > 0)
        return (row){(const char *)t->items.data + at * bytes, bytes, false};
    const char *const from = t->csv.text + t->csv.starts[at];
    const size_t length = t->csv.starts[at + 1] - t->csv.starts[at];
    return (row){from, length, from[length - 1] != '\n' && at + 1 == t->rows};
}

static void copy_rows(void *user, size_t part)
{
    const piece *const p = user;
    char *to = p->to + p->at[part];
    for (size_t i = p->first[part]; i < p->first[part + 1]; i++) {
        const row r = row_of(p, i);
        memcpy(to, r.from, r.bytes);
        to += r.bytes;
        if (r.lacks_newline)
            *to++ = '\n';
    }
}

/* Divides rows from `first` on into parts of a piece, which has space for PIECE_BYTES or a row, and
 * sets *end. Returns the piece's bytes. */
static size_t plan_piece(piece *p, size_t first, size_t *end)
{
    const size_t part_bytes = PIECE_BYTES / p->parts;
    size_t bytes = 0, parts = 0;
    for (*end = first; *end < p->order->count; (*end)++) {
        const row r = row_of(p, *end);
        if (*end > first && bytes + r.bytes + r.lacks_newline > PIECE_BYTES)
            break;
        if (parts < p->parts && bytes >= parts * part_bytes) {
            p->first[parts] = *end;
            p->at[parts++] = bytes;
        }
        bytes += r.bytes + r.lacks_newline;
    }
    for (; parts <= p->parts; parts++) {
        p->first[parts] = *end;
        p->at[parts] = bytes;
    }
    return bytes;
}

bool cli_check_row_output(const cli_table *t, const char *output, cli_error *error)
{
    return t->items.columns > 0 || cli_format_of(output) == CLI_TEXT_LINES ||
           cli_fail(
               error, CLI_MISTAKE, output, "rows of text are written to .csv or .txt, or to -");
}

/* Writes what precedes so many rows. */
static bool write_head(cli_output *output, const cli_table *t, size_t rows, cli_error *error)
{
    cli_array like = t->items;
    like.count = rows * like.columns;
    return like.columns > 0 ? cli_write_head(output, &like, error)
                            : cli_write(output, t->csv.text, t->csv.head_bytes, error);
}

/* Writes rows of .npy as text. */
static bool write_as_text(cli_output *output, const piece *p, cli_error *error)
{
    cli_array rows;
    const cli_array *const like = &p->tables[0].items;
    if (!cli_make_alike(&rows, like, p->order->count * like->columns, error))
        return false;
    rows.columns = like->columns;
    char *to = rows.data;
    for (size_t i = 0; i < p->order->count; i++) {
        const row r = row_of(p, i);
        memcpy(to, r.from, r.bytes);
        to += r.bytes;
    }
    const bool ok = cli_write_text(output, &rows, error);
    cli_free_array(&rows);
    return ok;
}

bool cli_write_rows(cli_output *output, const cli_table *tables, size_t num_tables,
    const cli_array *order, cli_error *error)
{
    piece p = {.tables = tables, .order = order, .parts = cli_parts_of(PIECE_BYTES)};
    size_t most = PIECE_BYTES;
    if (tables[0].items.columns > 0 && cli_format_of(output->name) == CLI_TEXT_LINES)
        return write_as_text(output, &p, error);
    for (size_t t = 0; t < num_tables; t++)
        for (size_t i = 0; tables[t].items.columns == 0 && i < tables[t].rows; i++) {
            const size_t bytes = tables[t].csv.starts[i + 1] - tables[t].csv.starts[i] + 1;
            most = bytes > most ? bytes : most;
        }
    p.to = malloc(most);
    bool ok = (p.to || cli_fail_memory(error, output->shown, most)) &&
              write_head(output, tables, order->count, error);
    cli_progress_items("writing", order->count);
    for (size_t first = 0, end = 0; ok && first < order->count; first = end) {
        const size_t bytes = plan_piece(&p, first, &end);
        cli_run_parts(p.parts, copy_rows, &p);
        ok = cli_write(output, p.to, bytes, error);
        cli_progress_step(end);
    }
    free(p.to);
    return ok;
}
