/* SPDX-License-Identifier: MIT */
/*
 * Sorts the rows of a table: the rows' numbers by the last key, and so on to the first, by stable
 * sorts on the device; then the rows are written in that order.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "csv.h"
#include "input.h"
#include "judge.h"
#include "npy.h"
#include "parallel.h"
#include "progress.h"
#include "session.h"
#include "sort_table.h"

enum { PIECE_BYTES = 1 << 24 };

typedef struct table {
    const cli_sort_request *o;
    cli_session session;
    cli_csv_key keys[CLI_MOST_KEYS];
    size_t num_keys, rows;
    char *file;      /* of a text */
    cli_csv csv;     /* of a text */
    cli_array items; /* of an .npy */
    cli_array order; /* u32, or u64 from 2^32 rows on: the rows, sorted */
    cli_pair output;
} table;

static uint64_t row_at(const table *t, size_t i)
{
    return t->order.item_bytes == 4 ? ((const uint32_t *)t->order.data)[i]
                                    : ((const uint64_t *)t->order.data)[i];
}

/* Copies the numbers of a key in the order so far. */
static void gather(const table *t, const cli_array *from, cli_array *to)
{
    const uint32_t bytes = from->item_bytes;
    for (size_t i = 0; i < t->rows; i++)
        memcpy(
            (char *)to->data + i * bytes, (const char *)from->data + row_at(t, i) * bytes, bytes);
}

/* Sorts the order by a key; rows with equal numbers keep theirs. */
static bool sort_by(table *t, const cli_csv_key *key, bool is_first, cli_error *error)
{
    cli_array numbers;
    dmm_sort_desc desc = {.value_bytes = t->order.item_bytes, .argsort = is_first};
    desc.order.type = key->type;
    desc.order.descending = key->descending || t->o->descending;
    desc.guarantee = t->o->guarantee;
    if (!cli_make_alike(&numbers, &key->numbers, t->rows, error))
        return false;
    if (is_first)
        memcpy(numbers.data, key->numbers.data, t->rows * numbers.item_bytes);
    else
        gather(t, &key->numbers, &numbers);
    const dmm_status status =
        dmm_sort_host(t->session.context, &desc, numbers.data, t->order.data, t->rows);
    cli_free_array(&numbers);
    return cli_check(&t->session, status, t->o->input, error);
}

static bool sort(table *t, cli_error *error)
{
    if (!cli_make_array(&t->order, t->rows <= UINT32_MAX ? DMM_U32 : DMM_U64, 0, t->rows, error) ||
        !cli_open_session(&t->session, error))
        return false;
    cli_progress_start("sorting", t->num_keys);
    for (size_t k = t->num_keys; k-- > 0;) {
        if (!sort_by(t, &t->keys[k], k + 1 == t->num_keys, error))
            return false;
        cli_progress_step(t->num_keys - k);
    }
    return true;
}

/* True if row i belongs behind the one before it. */
static bool is_behind(const table *t, size_t i)
{
    for (size_t k = 0; k < t->num_keys; k++) {
        const cli_csv_key *const key = &t->keys[k];
        const uint32_t bytes = key->numbers.item_bytes;
        const bool descending = key->descending || t->o->descending;
        uint64_t pair[2] = {0, 0};
        size_t at = 0;
        for (size_t j = 0; j < 2; j++)
            memcpy((char *)pair + j * bytes,
                (const char *)key->numbers.data + row_at(t, i - 1 + j) * bytes, bytes);
        if (memcmp(pair, (char *)pair + bytes, bytes) == 0)
            continue;
        const cli_array two = {.type = key->type, .item_bytes = bytes, .count = 2, .data = pair};
        return cli_is_ordered(&two, descending, &at);
    }
    return row_at(t, i - 1) < row_at(t, i);
}

/* Checks that every row is there once, and behind the one before it. */
static bool check(const table *t, cli_error *error)
{
    unsigned char *const seen = calloc(t->rows + 1, 1);
    bool ok = seen != NULL;
    if (!ok)
        return cli_fail_memory(error, t->o->input, t->rows);
    cli_progress_items("checking", t->rows);
    for (size_t i = 0; i < t->rows && ok; i++) {
        const uint64_t row = row_at(t, i);
        ok = row < t->rows && !seen[row]++ && (i == 0 || is_behind(t, i));
        cli_progress_step(i);
    }
    free(seen);
    return ok || cli_fail(error, CLI_CHECK_FAILED, t->o->input, "the result is wrong");
}

/* Rows first..end of the order, copied by parts into one piece. */
typedef struct piece {
    const table *t;
    char *to;
    size_t parts, first[CLI_MOST_PARTS + 1], at[CLI_MOST_PARTS + 1];
} piece;

/* True if the row is the last of a text that does not end with a newline. */
static bool lacks_newline(const table *t, uint64_t row)
{
    return row + 1 == t->csv.rows && t->csv.bytes > 0 && t->csv.text[t->csv.bytes - 1] != '\n';
}

static size_t bytes_of_row(const table *t, uint64_t row)
{
    if (t->items.columns > 0)
        return t->items.columns * t->items.item_bytes;
    return t->csv.starts[row + 1] - t->csv.starts[row] + lacks_newline(t, row);
}

static void copy_rows(void *user, size_t part)
{
    const piece *const p = user;
    const table *const t = p->t;
    char *to = p->to + p->at[part];
    for (size_t i = p->first[part]; i < p->first[part + 1]; i++) {
        const uint64_t row = row_at(t, i);
        const size_t bytes = bytes_of_row(t, row);
        if (t->items.columns > 0) {
            memcpy(to, (const char *)t->items.data + row * bytes, bytes);
        } else {
            const size_t missing = lacks_newline(t, row);
            memcpy(to, t->csv.text + t->csv.starts[row], bytes - missing);
            if (missing)
                to[bytes - 1] = '\n';
        }
        to += bytes;
    }
}

/* Divides rows from `first` on into parts of a piece, which has space for PIECE_BYTES or a row, and
 * sets *end. Returns the piece's bytes. */
static size_t plan_piece(piece *p, size_t first, size_t *end)
{
    const table *const t = p->t;
    const size_t part_bytes = PIECE_BYTES / p->parts;
    size_t bytes = 0, parts = 0;
    for (*end = first; *end < t->rows; (*end)++) {
        const size_t row = bytes_of_row(t, row_at(t, *end));
        if (*end > first && bytes + row > PIECE_BYTES)
            break;
        if (parts < p->parts && bytes >= parts * part_bytes) {
            p->first[parts] = *end;
            p->at[parts++] = bytes;
        }
        bytes += row;
    }
    for (; parts <= p->parts; parts++) {
        p->first[parts] = *end;
        p->at[parts] = bytes;
    }
    return bytes;
}

static bool write_rows(table *t, cli_error *error)
{
    piece p = {.t = t, .parts = cli_parts_of(PIECE_BYTES)};
    size_t most = PIECE_BYTES;
    for (size_t i = 0; i < t->rows; i++) {
        const size_t bytes = bytes_of_row(t, i);
        most = bytes > most ? bytes : most;
    }
    p.to = malloc(most);
    bool ok = p.to || cli_fail_memory(error, t->o->output, most);
    cli_progress_items("writing", t->rows);
    for (size_t first = 0, end = 0; ok && first < t->rows; first = end) {
        const size_t bytes = plan_piece(&p, first, &end);
        cli_run_parts(p.parts, copy_rows, &p);
        ok = cli_write(&t->output.keys, p.to, bytes, error);
        cli_progress_step(end);
    }
    free(p.to);
    return ok;
}

static bool write_table(table *t, cli_error *error)
{
    const cli_sort_request *const o = t->o;
    if (o->argsort)
        return cli_write_pair(&t->output, &t->order, NULL, error);
    return (t->items.columns > 0
                   ? cli_write_head(&t->output.keys, &t->items, error)
                   : cli_write(&t->output.keys, t->csv.text, t->csv.head_bytes, error)) &&
           write_rows(t, error) && cli_commit_pair(&t->output, error);
}

/* Finds a column of an .npy, by its number. */
static bool find_column(void *user, const char *name, size_t *column, cli_error *error)
{
    const table *const t = user;
    char *end = NULL;
    const unsigned long long number = strtoull(name, &end, 10);
    *column = (size_t)number - 1;
    return (name[0] >= '1' && name[0] <= '9' && *end == '\0' && number <= t->items.columns) ||
           cli_fail(error, CLI_MISTAKE, "--key", "'%s' is none of the columns 1 to %zu of %s", name,
               t->items.columns, t->o->input);
}

/* Copies the keys' columns out of the rows of an .npy. */
static bool read_npy_keys(table *t, cli_error *error)
{
    const size_t columns = t->items.columns, bytes = t->items.item_bytes;
    if (!cli_parse_keys(t->o->keys, t->keys, &t->num_keys, find_column, t, error))
        return false;
    t->rows = t->items.count / columns;
    for (size_t k = 0; k < t->num_keys; k++) {
        cli_csv_key *const key = &t->keys[k];
        if (key->type != DMM_ITEM && key->type != t->items.type)
            return cli_fail(error, CLI_MISTAKE, "--key", "%s holds %s, not %s", t->o->input,
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

static bool read_text_keys(table *t, size_t bytes, cli_error *error)
{
    const cli_sort_request *const o = t->o;
    if (!cli_csv_open(&t->csv, o->input, t->file, bytes, o->delimiter, o->header, o->keys, t->keys,
            &t->num_keys, error))
        return false;
    for (size_t k = 0; k < t->num_keys; k++)
        if (t->keys[k].type == DMM_ITEM)
            t->keys[k].type = o->type;
    const bool ok = cli_csv_read(&t->csv, t->keys, t->num_keys, error);
    t->rows = t->csv.rows;
    return ok;
}

static bool read_table(table *t, cli_error *error)
{
    const cli_sort_request *const o = t->o;
    const cli_format format = cli_format_of(o->input);
    size_t bytes = 0;
    if (format != CLI_NPY && format != CLI_TEXT_LINES)
        return cli_fail(error, CLI_MISTAKE, o->input,
            "--key reads rows of .csv, .txt and two-dimensional .npy files; --format text for "
            "others");
    if (format == CLI_TEXT_LINES) {
        if (!cli_read_file(&t->file, &bytes, o->input, error))
            return false;
        if (!cli_is_npy(t->file, bytes))
            return read_text_keys(t, bytes, error);
    }
    if (!cli_take_rows(&t->items, t->file, bytes, o->input, error))
        return false;
    t->file = NULL; /* it is the items' */
    return read_npy_keys(t, error);
}

/* Checks that the output can hold rows as the input has them. */
static bool check_output(const table *t, cli_error *error)
{
    const cli_format format = cli_format_of(t->o->output);
    const bool is_text = t->items.columns == 0;
    return t->o->argsort || (is_text ? format == CLI_TEXT_LINES : format != CLI_TEXT_LINES) ||
           cli_fail(error, CLI_MISTAKE, t->o->output,
               is_text ? "rows of text are written to .csv or .txt, or to -"
                       : "rows of an .npy are written to .npy or .bin: give -o OUTPUT");
}

bool cli_sort_table(const cli_sort_request *o, cli_error *error)
{
    table t = {.o = o, .session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    const bool ok = read_table(&t, error) && check_output(&t, error) &&
                    cli_open_pair(&t.output, o->output, NULL, error) && sort(&t, error) &&
                    (!o->check || check(&t, error)) && write_table(&t, error);
    cli_close_pair(&t.output);
    cli_close_session(&t.session);
    for (size_t k = 0; k < t.num_keys; k++)
        cli_free_array(&t.keys[k].numbers);
    cli_free_array(&t.items);
    cli_free_array(&t.order);
    cli_csv_close(&t.csv);
    free(t.file);
    return ok;
}
