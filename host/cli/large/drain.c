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

bool cli_follows(
    char last[CLI_KEY_BYTES], bool are_first, const cli_array *keys, bool descending, size_t *at)
{
    const uint32_t bytes = keys->item_bytes;
    char both[2 * CLI_KEY_BYTES];
    memcpy(both, last, bytes);
    memcpy(both + bytes, keys->data, bytes);
    memcpy(last, (const char *)keys->data + (keys->count - 1) * bytes, bytes);
    const cli_array pair = {.type = keys->type, .item_bytes = bytes, .count = 2, .data = both};
    *at = 0;
    if (!are_first && !cli_is_ordered(&pair, descending, at)) {
        *at = 0;
        return false;
    }
    return cli_is_ordered(keys, descending, at);
}

static bool write_heads(cli_drain *d, cli_error *error)
{
    const cli_array keys = cli_view(&d->keys, NULL, d->items);
    const cli_array values = cli_view(&d->values, NULL, d->items);
    return cli_write_head(&d->output.keys, &keys, error) &&
           (values.item_bytes == 0 || cli_write_head(&d->output.values, &values, error));
}

static bool rewrite_heads(cli_drain *d, cli_error *error)
{
    const cli_array keys = cli_view(&d->keys, NULL, d->items);
    const cli_array values = cli_view(&d->values, NULL, d->items);
    return cli_rewrite_head(&d->output.keys, &keys, error) &&
           (values.item_bytes == 0 || cli_rewrite_head(&d->output.values, &values, error));
}

bool cli_drain_write(
    cli_drain *d, const void *keys, const void *values, uint64_t count, cli_error *error)
{
    const cli_array k = cli_view(&d->keys, keys, count), v = cli_view(&d->values, values, count);
    if (d->written == 0 && !write_heads(d, error))
        return false;
    if (d->checks) {
        cli_add_fingerprint(&d->sum, &k, values ? &v : NULL);
        size_t at = 0;
        if (!cli_follows(d->last, d->written == 0, &k, d->descending, &at))
            return cli_fail(error, CLI_CHECK_FAILED, "--check",
                "key %" PRIu64 " (from 0) is out of order", d->written + at);
    }
    d->written += count;
    return cli_write_items(&d->output.keys, &k, error) &&
           (!values || cli_write_items(&d->output.values, &v, error));
}

bool cli_drain_end(cli_drain *d, const cli_fingerprint *expected, cli_error *error)
{
    if (d->checks && (d->sum.a != expected->a || d->sum.b != expected->b))
        return cli_fail(
            error, CLI_CHECK_FAILED, "--check", "the result holds other items than the input");
    const bool is_new = d->written == 0, is_other = d->written != d->items;
    d->items = d->written;
    return is_new ? write_heads(d, error) : !is_other || rewrite_heads(d, error);
}

bool cli_drain_commit(cli_drain *d, const cli_fingerprint *expected, cli_error *error)
{
    return cli_drain_end(d, expected, error) && cli_commit_pair(&d->output, error);
}
