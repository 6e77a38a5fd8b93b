/* SPDX-License-Identifier: MIT */
/* Rows of a file, piece by piece. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judge.h"
#include "lines.h"
#include "npy.h"
#include "row_source.h"

enum { FIRST_BYTES = 1 << 22 };

/* Fills the piece up to its capacity, or to the end of the file. */
static bool fill(cli_row_source *s, cli_error *error)
{
    while (s->text_bytes < s->capacity) {
        const ssize_t got = pread(s->file->fd, s->text + s->text_bytes, s->capacity - s->text_bytes,
            (off_t)(s->at + s->text_bytes));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail_errno(error, s->file->path, "cannot read");
        if (got == 0)
            break;
        s->text_bytes += (size_t)got;
    }
    return true;
}

static bool is_last(const cli_row_source *s)
{
    return s->text_bytes < s->capacity;
}

/* Returns the bytes of the piece's whole rows: up to its last newline in no quoted field. */
static size_t whole_bytes(const cli_row_source *s)
{
    size_t whole = 0;
    bool is_quoted = false;
    const char *at = s->text;
    const char *const end = s->text + s->text_bytes;
    if (is_last(s))
        return s->text_bytes;
    while (at < end) {
        const char *const quote = memchr(at, '"', (size_t)(end - at));
        const char *const stop = quote ? quote : end;
        for (const char *c = stop; !is_quoted && c > at; c--)
            if (c[-1] == '\n') {
                whole = (size_t)(c - s->text);
                break;
            }
        is_quoted = is_quoted != (quote != NULL);
        at = quote ? quote + 1 : end;
    }
    return whole;
}

/* Fills the piece, and makes it larger until it holds a whole row. */
static bool fill_rows(cli_row_source *s, size_t *whole, cli_error *error)
{
    for (;;) {
        if (!fill(s, error))
            return false;
        *whole = whole_bytes(s);
        if (*whole > 0 || is_last(s))
            return true;
        if (s->capacity == s->most_bytes)
            return cli_fail(error, CLI_MISTAKE, s->file->path,
                "line %zu: a row has more than %zu bytes: give a larger --memory", s->csv.lines + 1,
                s->capacity);
        const size_t capacity = 2 * s->capacity < s->most_bytes ? 2 * s->capacity : s->most_bytes;
        char *const larger = realloc(s->text, capacity + 1);
        if (!larger)
            return cli_fail_memory(error, s->file->path, capacity);
        s->text = larger;
        s->capacity = capacity;
    }
}

static void free_numbers(cli_row_source *s)
{
    for (size_t k = 0; k < s->num_keys; k++)
        cli_free_array(&s->keys[k].numbers);
    cli_csv_close(&s->csv);
}

/* Reads the next piece of whole rows. */
static bool next_piece(cli_row_source *s, cli_error *error)
{
    size_t whole = 0;
    s->csv.lines += cli_count_newlines(s->csv.text, s->csv.text + s->csv.bytes);
    s->at += s->csv.bytes;
    s->text_bytes = s->row = 0;
    free_numbers(s);
    s->csv.bytes = s->csv.rows = 0;
    if (!fill_rows(s, &whole, error))
        return false;
    s->text[whole] = '\0';
    s->csv.text = s->text;
    s->csv.bytes = whole;
    s->csv.head_bytes = 0;
    return whole == 0 || (cli_check_piece(s->text, whole, s->csv.lines, s->file->path, error) &&
                             cli_csv_read(&s->csv, s->keys, s->num_keys, error));
}

static bool check_types(cli_row_source *s, dmm_type type, cli_error *error)
{
    for (size_t k = 0; k < s->num_keys; k++) {
        cli_csv_key *const key = &s->keys[k];
        key->type = key->type == DMM_ITEM ? type : key->type;
        if (key->type == DMM_ITEM)
            return cli_fail(error, CLI_MISTAKE, "--key",
                "%s: give its type, as in --key %s:f64, or -t TYPE: with --memory, text is read "
                "without a look ahead",
                key->name, key->name);
    }
    return true;
}

bool cli_open_rows(cli_row_source *s, cli_source *file, size_t most_bytes, dmm_type type,
    const cli_columns *columns, cli_error *error)
{
    size_t whole = 0;
    *s = (cli_row_source){.file = file, .most_bytes = most_bytes};
    s->capacity = most_bytes < FIRST_BYTES ? most_bytes : FIRST_BYTES;
    s->text = malloc(s->capacity + 1);
    if (!s->text)
        return cli_fail_memory(error, file->path, s->capacity);
    if (!fill_rows(s, &whole, error))
        return false;
    if (cli_is_npy(s->text, s->text_bytes))
        return cli_fail(error, CLI_MISTAKE, file->path,
            "rows of an .npy are sorted in memory: leave out --memory");
    s->text[whole] = '\0';
    if (!cli_csv_open(&s->csv, file->path, s->text, whole, columns->delimiter, columns->header,
            columns->keys, s->keys, &s->num_keys, error) ||
        !check_types(s, type, error))
        return false;
    const size_t rows = 1 + cli_count_newlines(s->text, s->text + whole);
    s->row_bytes = (double)(whole + 1) / (double)rows;
    s->head_bytes = s->csv.head_bytes;
    s->csv.lines = 0;
    s->csv.bytes = s->csv.head_bytes; /* the first piece begins behind it */
    s->csv.is_piece = true;
    return true;
}

bool cli_next_rows(cli_row_source *s, uint64_t *places, cli_row *rows, uint64_t most,
    uint64_t *count, cli_error *error)
{
    *count = 0;
    if (s->row == s->csv.rows && !next_piece(s, error))
        return false;
    for (; *count < most && s->row < s->csv.rows; s->row++, (*count)++) {
        const size_t *const start = s->csv.starts + s->row;
        *rows++ = (cli_row){s->at + start[0], start[1] - start[0]};
        for (size_t k = 0; k < s->num_keys; k++) {
            const cli_array *const numbers = &s->keys[k].numbers;
            *places++ = cli_place_of((const char *)numbers->data + s->row * numbers->item_bytes,
                numbers->type, s->descending || s->keys[k].descending);
        }
    }
    return true;
}

void cli_close_rows(cli_row_source *s)
{
    free_numbers(s);
    free(s->text);
    *s = (cli_row_source){.num_keys = 0};
}
