/* SPDX-License-Identifier: MIT */
/*
 * dmm sort --key --memory: a stream sorts the places of the rows' keys, each with where its row is;
 * rows are then read again in the order, so many at a time as memory holds: these in the order of
 * the file, which is read from front to back once for each such batch.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/sort_stream.h>

#include "flow.h"
#include "progress.h"
#include "row_source.h"
#include "sort_rows.h"

enum { WINDOW_BYTES = 1 << 20, LEAST_MEMORY = 1 << 16, LESS_BYTES = 2048 };

/* A row of a batch. */
typedef struct wanted {
    cli_row row;
    size_t to; /* offset in the batch's bytes */
} wanted;

/* Rows to write. */
typedef struct batch {
    wanted *rows;
    char *bytes, *window;
    size_t num_rows, most_rows, num_bytes, most_bytes;
} batch;

typedef struct large {
    cli_flow flow; /* its keys: the file; its drain: the output */
    const cli_sort_request *o;
    cli_row_source source;
    batch batch;
    dmm_sort_stream_plan plan;
    uint64_t memory_bytes; /* memory of the stream */
    cli_fingerprint read, written;
    uint64_t last[CLI_MOST_KEYS]; /* places of the row written last */
    uint64_t num_written;
    char less[LESS_BYTES], item[64];
} large;

static cli_array view(const void *data, uint32_t item_bytes, uint64_t count)
{
    return (cli_array){.type = DMM_ITEM,
        .item_bytes = item_bytes,
        .count = (size_t)count,
        .data = (void *)(uintptr_t)data};
}

static void sum_rows(
    const large *l, cli_fingerprint *sum, const void *keys, const void *values, uint64_t count)
{
    const cli_array k = view(keys, (uint32_t)(8 * l->source.num_keys), count);
    const cli_array v = view(values, sizeof(cli_row), count);
    if (l->o->check)
        cli_add_fingerprint(sum, &k, &v);
}

static dmm_status read_rows(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    large *const l = user;
    cli_row *const rows = values;
    uint64_t bytes = 0;
    if (!cli_next_rows(&l->source, keys, rows, most, count, &l->flow.reads))
        return CLI_STOPPED;
    for (uint64_t i = 0; i < *count; i++)
        bytes += rows[i].bytes;
    sum_rows(l, &l->read, keys, values, *count);
    l->flow.items += *count;
    cli_flow_moves(&l->flow, bytes);
    return DMM_OK;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const uint64_t x = ((const wanted *)a)->row.at, y = ((const wanted *)b)->row.at;
    return (x > y) - (x < y);
}

static bool read_at(large *l, char *to, uint64_t at, size_t bytes)
{
    const cli_source *const file = &l->flow.keys;
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(file->fd, to + done, bytes - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail_errno(&l->flow.writes, file->path, "cannot read");
        if (got == 0)
            return cli_fail(&l->flow.writes, CLI_MISTAKE, file->path,
                "has changed while it was read: call again");
        done += (size_t)got;
    }
    return true;
}

/* Reads rows first..end, which lie in one window of the file, and puts them where they belong. */
static bool read_window(large *l, size_t first, size_t end)
{
    batch *const b = &l->batch;
    const cli_row *const last = &b->rows[end - 1].row;
    const uint64_t at = b->rows[first].row.at;
    if (end - first == 1)
        return read_at(l, b->bytes + b->rows[first].to, at, (size_t)last->bytes);
    if (!read_at(l, b->window, at, (size_t)(last->at + last->bytes - at)))
        return false;
    for (size_t i = first; i < end; i++)
        memcpy(b->bytes + b->rows[i].to, b->window + (b->rows[i].row.at - at),
            (size_t)b->rows[i].row.bytes);
    return true;
}

/* Reads the rows of the batch in the order of the file, and writes them in theirs. */
static bool write_batch(large *l)
{
    batch *const b = &l->batch;
    qsort(b->rows, b->num_rows, sizeof *b->rows, compare_places);
    for (size_t first = 0, end = 0; first < b->num_rows; first = end) {
        const uint64_t at = b->rows[first].row.at;
        for (end = first + 1; end < b->num_rows; end++)
            if (b->rows[end].row.at + b->rows[end].row.bytes - at > WINDOW_BYTES)
                break;
        if (!read_window(l, first, end))
            return false;
    }
    for (size_t i = 0; i < b->num_rows; i++) { /* the file's last row may lack its newline */
        const wanted *const w = &b->rows[i];
        char *const end = b->bytes + w->to + w->row.bytes;
        if (w->row.at + w->row.bytes == (uint64_t)l->flow.keys.info.st_size && end[-1] != '\n') {
            memmove(end + 1, end, b->num_bytes - (size_t)(end - b->bytes));
            *end = '\n';
            b->num_bytes++;
        }
    }
    cli_flow_moves(&l->flow, b->num_bytes);
    const bool ok = cli_write(&l->flow.drain.output.keys, b->bytes, b->num_bytes, &l->flow.writes);
    b->num_rows = b->num_bytes = 0;
    return ok;
}

/* Makes space for a row that is larger than a batch. */
static bool make_space(large *l, uint64_t bytes)
{
    batch *const b = &l->batch;
    if (bytes <= b->most_bytes)
        return true;
    char *const larger = realloc(b->bytes, (size_t)bytes + 1);
    if (!larger)
        return cli_fail_memory(&l->flow.writes, l->o->input, bytes);
    b->bytes = larger;
    b->most_bytes = (size_t)bytes;
    return true;
}

/* Fails unless the row's keys do not precede those of the one before. */
static bool follows(large *l, const uint64_t *places)
{
    const size_t keys = l->source.num_keys;
    size_t k = 0;
    while (k < keys && l->num_written > 0 && places[k] == l->last[k])
        k++;
    if (k < keys && l->num_written > 0 && places[k] < l->last[k])
        return cli_fail(&l->flow.writes, CLI_CHECK_FAILED, "--check",
            "row %llu (from 0) is out of order", (unsigned long long)l->num_written);
    memcpy(l->last, places, keys * sizeof *places);
    return true;
}

static dmm_status write_rows(void *user, const void *keys, const void *values, uint64_t count)
{
    large *const l = user;
    batch *const b = &l->batch;
    const cli_row *const rows = values;
    sum_rows(l, &l->written, keys, values, count);
    for (uint64_t i = 0; i < count; i++) {
        if (l->o->check && !follows(l, (const uint64_t *)keys + i * l->source.num_keys))
            return CLI_STOPPED;
        if ((b->num_rows == b->most_rows || b->num_bytes + rows[i].bytes > b->most_bytes) &&
            !write_batch(l))
            return CLI_STOPPED;
        if (!make_space(l, rows[i].bytes))
            return CLI_STOPPED;
        b->rows[b->num_rows++] = (wanted){rows[i], b->num_bytes};
        b->num_bytes += (size_t)rows[i].bytes;
        l->num_written++;
    }
    return DMM_OK;
}

/* ---- The sort -------------------------------------------------------------------------------- */

/* Describes the keys: one word, or an item of several, compared one after the other. */
static dmm_sort_stream_desc describe(large *l)
{
    const size_t keys = l->source.num_keys;
    dmm_sort_stream_desc desc = {.value_bytes = sizeof(cli_row),
        .guarantee = l->o->guarantee,
        .memory_bytes = l->memory_bytes};
    desc.order.type = DMM_U64;
    if (keys == 1)
        return desc;
    snprintf(l->item, sizeof l->item, "typedef struct { ulong x[%zu]; } dmm_item;", keys);
    l->less[0] = '\0';
    for (size_t k = 0; k < keys; k++) {
        const size_t used = strlen(l->less);
        if (k + 1 < keys)
            snprintf(l->less + used, sizeof l->less - used,
                "a.x[%zu] != b.x[%zu] ? a.x[%zu] < b.x[%zu] : ", k, k, k, k);
        else
            snprintf(l->less + used, sizeof l->less - used, "a.x[%zu] < b.x[%zu]", k, k);
    }
    desc.order.type = DMM_ITEM;
    desc.order.item_bytes = (uint32_t)(8 * keys);
    desc.order.item = l->item;
    desc.order.less = l->less;
    return desc;
}

/* Divides the memory: a half for the stream, a quarter for rows to write, an eighth for a piece of
 * the text, whose numbers take up to as much again. */
static bool divide_memory(large *l, cli_error *error)
{
    batch *const b = &l->batch;
    const uint64_t all = l->o->memory_bytes;
    if (all < LEAST_MEMORY)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for rows: give 64K or more");
    l->memory_bytes = all / 2;
    b->most_rows = (size_t)(all / 16 / sizeof(wanted));
    b->most_bytes = (size_t)(all / 16 * 3);
    b->rows = malloc(b->most_rows * sizeof *b->rows);
    b->bytes = malloc(b->most_bytes + 1);
    b->window = malloc(WINDOW_BYTES);
    return (b->rows && b->bytes && b->window) || cli_fail_memory(error, l->o->input, all / 4);
}

static bool open_input(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (cli_format_of(o->input) != CLI_TEXT_LINES)
        return cli_fail(error, CLI_MISTAKE, o->input,
            "--key with --memory sorts the rows of .csv and .txt files; --format text for others");
    if (!cli_open_file(&l->flow.keys, o->input, error))
        return false;
    if (!S_ISREG(l->flow.keys.info.st_mode))
        return cli_fail(error, CLI_MISTAKE, o->input,
            "rows are read twice with --key and --memory: give a file in place of a pipe");
    l->source.descending = false;
    if (!cli_open_rows(
            &l->source, &l->flow.keys, (size_t)(o->memory_bytes / 8), o->type, &o->columns, error))
        return false;
    l->source.descending = o->descending;
    return true;
}

static bool check_options(const cli_sort_request *o, cli_error *error)
{
    const char *const other = o->argsort ? "--argsort" : o->resume ? "--resume" : NULL;
    return !other ||
           cli_fail(error, CLI_MISTAKE, "--key", "is not offered with --memory and %s", other);
}

static bool check_status(large *l, dmm_status status, cli_error *error)
{
    return cli_flow_check(&l->flow, status, l->o->input, true, error);
}

static bool sort(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    const uint64_t size = (uint64_t)l->flow.keys.info.st_size;
    const dmm_sort_stream_desc desc = describe(l);
    const dmm_sort_stream_args args = {.user = l,
        .read = read_rows,
        .write = write_rows,
        .store = cli_flow_store,
        .load = cli_flow_load};
    const uint64_t rows = (uint64_t)((double)size / l->source.row_bytes) + 1;
    if (!check_status(
            l, dmm_sort_stream_plan_host(&l->plan, l->flow.session.context, &desc, rows), error) ||
        !cli_open_scratch(&l->flow.scratch, o->scratch, o->output, NULL, NULL, error) ||
        !cli_check_space(&l->flow.scratch, l->plan.store_bytes, o->output, size, error))
        return false;
    cli_progress_bytes("sorting", 2 * size + l->plan.store_bytes);
    return check_status(l, dmm_sort_stream_host(l->flow.session.context, &desc, &args), error);
}

/* Writes what precedes the first row. */
static bool write_head(large *l, cli_error *error)
{
    const size_t bytes = (size_t)l->source.head_bytes;
    char *const head = malloc(bytes + 1);
    bool ok = head || cli_fail_memory(error, l->o->input, bytes);
    if (ok && !read_at(l, head, 0, bytes)) {
        *error = l->flow.writes;
        ok = false;
    }
    ok = ok && cli_write(&l->flow.drain.output.keys, head, bytes, error);
    free(head);
    return ok;
}

static bool end(large *l, cli_error *error)
{
    if (!write_batch(l)) {
        *error = l->flow.writes;
        return false;
    }
    if (l->o->check && (l->read.a != l->written.a || l->read.b != l->written.b))
        return cli_fail(
            error, CLI_CHECK_FAILED, "--check", "the result holds other rows than the input");
    return cli_source_end(&l->flow.keys, error) && cli_commit_pair(&l->flow.drain.output, error);
}

static bool run(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (cli_format_of(o->output) != CLI_TEXT_LINES)
        return cli_fail(
            error, CLI_MISTAKE, o->output, "rows of text are written to .csv or .txt, or to -");
    return check_options(o, error) && divide_memory(l, error) && open_input(l, error) &&
           cli_open_pair(&l->flow.drain.output, o->output, NULL, error) &&
           cli_open_session(&l->flow.session, error) && write_head(l, error) && sort(l, error) &&
           end(l, error);
}

bool cli_sort_rows(const cli_sort_request *o, cli_error *error)
{
    large *const l = calloc(1, sizeof *l);
    if (!l)
        return cli_fail_memory(error, o->input, sizeof *l);
    *l = (large){.flow = CLI_FLOW_INIT, .o = o};
    const bool ok = run(l, error);
    cli_close_rows(&l->source);
    free(l->batch.rows);
    free(l->batch.bytes);
    free(l->batch.window);
    cli_close_flow(&l->flow, ok);
    free(l);
    return ok;
}
