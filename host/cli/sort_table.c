/* SPDX-License-Identifier: MIT */
/*
 * Sorts the rows of a table: the rows' numbers by the last key, and so on to the first, by stable
 * sorts on the device; then the rows are written in that order.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/sort.h>

#include "judge.h"
#include "progress.h"
#include "session.h"
#include "sort_table.h"

typedef struct table {
    const cli_sort_request *o;
    cli_session session;
    cli_table in;
    cli_array order; /* u32, or u64 from 2^32 rows on: the rows, sorted */
    cli_pair output;
} table;

/* Copies the numbers of a key in the order so far. */
static void gather(const table *t, const cli_array *from, cli_array *to)
{
    const uint32_t bytes = from->item_bytes;
    for (size_t i = 0; i < t->in.rows; i++)
        memcpy((char *)to->data + i * bytes,
            (const char *)from->data + cli_row_at(&t->order, i) * bytes, bytes);
}

/* Sorts the order by a key; rows with equal numbers keep theirs. */
static bool sort_by(table *t, const cli_csv_key *key, bool is_first, cli_error *error)
{
    cli_array numbers;
    dmm_sort_desc desc = {.value_bytes = t->order.item_bytes, .argsort = is_first};
    desc.order.type = key->type;
    desc.order.descending = key->descending || t->o->descending;
    desc.guarantee = t->o->guarantee;
    if (!cli_make_alike(&numbers, &key->numbers, t->in.rows, error))
        return false;
    if (is_first)
        memcpy(numbers.data, key->numbers.data, t->in.rows * numbers.item_bytes);
    else
        gather(t, &key->numbers, &numbers);
    const dmm_status status =
        dmm_sort_host(t->session.context, &desc, numbers.data, t->order.data, t->in.rows);
    cli_free_array(&numbers);
    return cli_check(&t->session, status, t->o->input, error);
}

static bool sort(table *t, cli_error *error)
{
    if (!cli_make_array(
            &t->order, t->in.rows <= UINT32_MAX ? DMM_U32 : DMM_U64, 0, t->in.rows, error) ||
        !cli_open_session(&t->session, error))
        return false;
    cli_progress_call("sorting", t->in.num_keys * t->in.rows);
    for (size_t k = t->in.num_keys; k-- > 0;) {
        cli_progress_share((t->in.num_keys - 1 - k) * t->in.rows, t->in.rows);
        if (!sort_by(t, &t->in.keys[k], k + 1 == t->in.num_keys, error))
            return false;
    }
    return true;
}

/* True if row i belongs behind the one before it. */
static bool is_behind(const table *t, size_t i)
{
    for (size_t k = 0; k < t->in.num_keys; k++) {
        const cli_csv_key *const key = &t->in.keys[k];
        const uint32_t bytes = key->numbers.item_bytes;
        const bool descending = key->descending || t->o->descending;
        uint64_t pair[2] = {0, 0};
        size_t at = 0;
        for (size_t j = 0; j < 2; j++)
            memcpy((char *)pair + j * bytes,
                (const char *)key->numbers.data + cli_row_at(&t->order, i - 1 + j) * bytes, bytes);
        if (memcmp(pair, (char *)pair + bytes, bytes) == 0)
            continue;
        const cli_array two = {.type = key->type, .item_bytes = bytes, .count = 2, .data = pair};
        return cli_is_ordered(&two, descending, &at);
    }
    return cli_row_at(&t->order, i - 1) < cli_row_at(&t->order, i);
}

/* Checks that every row is there once, and behind the one before it. */
static bool check(const table *t, cli_error *error)
{
    unsigned char *const seen = calloc(t->in.rows + 1, 1);
    bool ok = seen != NULL;
    if (!ok)
        return cli_fail_memory(error, t->o->input, t->in.rows);
    cli_progress_items("checking", t->in.rows);
    for (size_t i = 0; i < t->in.rows && ok; i++) {
        const uint64_t row = cli_row_at(&t->order, i);
        ok = row < t->in.rows && !seen[row]++ && (i == 0 || is_behind(t, i));
        cli_progress_step(i);
    }
    free(seen);
    return ok || cli_fail(error, CLI_CHECK_FAILED, t->o->input, "the result is wrong");
}

static bool write_table(table *t, cli_error *error)
{
    if (t->o->argsort)
        return cli_write_pair(&t->output, &t->order, NULL, error);
    return cli_write_rows(&t->output.keys, &t->in, 1, &t->order, error) &&
           cli_commit_pair(&t->output, error);
}

bool cli_sort_table(const cli_sort_request *o, cli_error *error)
{
    table t = {.o = o, .session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    const bool ok = cli_read_table(&t.in, o->input, o->type, &o->columns, error) &&
                    (o->argsort || cli_check_row_output(&t.in, o->output, error)) &&
                    cli_open_pair(&t.output, o->output, NULL, error) && sort(&t, error) &&
                    (!o->check || check(&t, error)) && write_table(&t, error);
    cli_close_pair(&t.output);
    cli_close_session(&t.session);
    cli_close_table(&t.in);
    cli_free_array(&t.order);
    return ok;
}
