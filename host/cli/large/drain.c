/* SPDX-License-Identifier: MIT */
/* The output of a stream. */
#include <inttypes.h>
#include <string.h>

#include "drain.h"

cli_array cli_view(const cli_array *like, const void *items, uint64_t count)
{
    cli_array array = *like;
    array.data = (void *)(uintptr_t)items;
    array.count = (size_t)count;
    return array;
}

/* Judges the order of a piece, and of its first key and the one before. */
static bool check_order(cli_drain *d, const cli_array *keys, cli_error *error)
{
    const uint32_t bytes = keys->item_bytes;
    size_t at = 0;
    char both[2 * sizeof d->last];
    memcpy(both, d->last, bytes);
    memcpy(both + bytes, keys->data, bytes);
    const cli_array pair = {.type = keys->type, .item_bytes = bytes, .count = 2, .data = both};
    const bool follows = d->written == 0 || cli_is_ordered(&pair, d->descending, &at);
    const bool ok = follows && cli_is_ordered(keys, d->descending, &at);
    memcpy(d->last, (const char *)keys->data + (keys->count - 1) * bytes, bytes);
    return ok || cli_fail(error, CLI_CHECK_FAILED, "--check",
                     "key %" PRIu64 " (from 0) is out of order", d->written + (follows ? at : 0));
}

static bool write_heads(cli_drain *d, cli_error *error)
{
    const cli_array keys = cli_view(&d->keys, NULL, d->items);
    const cli_array values = cli_view(&d->values, NULL, d->items);
    return cli_write_head(&d->output.keys, &keys, error) &&
           (values.item_bytes == 0 || cli_write_head(&d->output.values, &values, error));
}

bool cli_drain_write(
    cli_drain *d, const void *keys, const void *values, uint64_t count, cli_error *error)
{
    const cli_array k = cli_view(&d->keys, keys, count), v = cli_view(&d->values, values, count);
    if (d->written == 0 && !write_heads(d, error))
        return false;
    if (d->checks) {
        cli_add_fingerprint(&d->sum, &k, values ? &v : NULL);
        if (!check_order(d, &k, error))
            return false;
    }
    d->written += count;
    return cli_write_items(&d->output.keys, &k, error) &&
           (!values || cli_write_items(&d->output.values, &v, error));
}

bool cli_drain_commit(cli_drain *d, const cli_fingerprint *expected, cli_error *error)
{
    if (d->checks && (d->sum.a != expected->a || d->sum.b != expected->b))
        return cli_fail(
            error, CLI_CHECK_FAILED, "--check", "the result holds other items than the input");
    return (d->written != 0 || write_heads(d, error)) && cli_commit_pair(&d->output, error);
}
