/* SPDX-License-Identifier: MIT */
/* Lists for dmm_merge_stream. */
#include "support/merge_stream_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/require.h"

enum { MOST_ITEM_BYTES = 256 };

static int counts(merge_stream_case *c)
{
    return __atomic_add_fetch(&c->calls, 1, __ATOMIC_SEQ_CST) != c->fails_at;
}

dmm_status merge_stream_key(void *user, uint64_t list, uint64_t at, void *key)
{
    merge_stream_case *const c = user;
    if (!counts(c))
        return MERGE_STREAM_FAILS;
    if (list >= c->lists || at >= c->items[list])
        return MERGE_STREAM_FAILS + 1;
    memcpy(key, c->keys + (c->first[list] + at) * c->k.bytes, c->k.bytes);
    return DMM_OK;
}

dmm_status merge_stream_load(
    void *user, uint64_t list, uint64_t first, uint64_t count, void *keys, void *values)
{
    merge_stream_case *const c = user;
    if (!counts(c))
        return MERGE_STREAM_FAILS;
    if (list >= c->lists || first != c->next[list] || count == 0 ||
        count > c->items[list] - first || (values != NULL) != (c->value_bytes != 0))
        return MERGE_STREAM_FAILS + 2;
    const uint64_t at = c->first[list] + first;
    memcpy(keys, c->keys + at * c->k.bytes, count * c->k.bytes);
    if (values != NULL)
        memcpy(values, c->values + at * c->value_bytes, count * c->value_bytes);
    c->next[list] += count;
    return DMM_OK;
}

dmm_status merge_stream_write(void *user, const void *keys, const void *values, uint64_t count)
{
    merge_stream_case *const c = user;
    if (!counts(c))
        return MERGE_STREAM_FAILS;
    if (count > c->first[c->lists] - c->written)
        return MERGE_STREAM_FAILS + 3;
    memcpy(c->keys_out + c->written * c->k.bytes, keys, count * c->k.bytes);
    if (values != NULL)
        memcpy(c->values_out + c->written * c->value_bytes, values, count * c->value_bytes);
    c->written += count;
    return DMM_OK;
}

void merge_stream_open(merge_stream_case *c, uint64_t lists, shape input, uint64_t seed, int sorted)
{
    random_source random = {seed};
    c->lists = lists;
    for (uint64_t i = 0; i < lists; i++) {
        c->items[i] = i % 4 == 3 ? 0 : i % 7 == 5 ? 200 : random_below(&random, 40);
        c->first[i + 1] = c->first[i] + c->items[i];
    }
    const uint64_t n = c->first[lists];
    char **const arrays[] = {&c->keys, &c->values, &c->keys_out, &c->values_out};
    for (size_t i = 0; i < 4; i++)
        REQUIRE((*arrays[i] = malloc((size_t)(n * MOST_ITEM_BYTES + 1))) != NULL);
    kind_fill(&c->k, input, c->keys_out, n, &random);
    random_bytes(&random, c->values_out, n * c->value_bytes);
    for (uint64_t i = 0; i < lists; i++) {
        const uint64_t at = c->first[i];
        const rows list = {c->keys_out + at * c->k.bytes,
            c->value_bytes != 0 ? c->values_out + at * c->value_bytes : NULL, c->items[i],
            c->value_bytes};
        char *const values = c->value_bytes != 0 ? c->values + at * c->value_bytes : NULL;
        if (sorted)
            oracle_sort(&c->k, &list, c->keys + at * c->k.bytes, values);
        else
            memcpy(c->keys + at * c->k.bytes, list.keys, c->items[i] * c->k.bytes);
    }
    memset(c->keys_out, 0x5a, (size_t)(n * c->k.bytes));
}

void merge_stream_close(merge_stream_case *c)
{
    free(c->keys);
    free(c->values);
    free(c->keys_out);
    free(c->values_out);
}

dmm_status merge_stream_run(merge_stream_case *c, const rig *r)
{
    const dmm_merge_stream_args args = {.user = c,
        .lists = c->lists,
        .items = c->items,
        .key = merge_stream_key,
        .load = merge_stream_load,
        .write = merge_stream_write,
        .result_out = &c->result};
    c->desc.order = c->k.order;
    c->desc.value_bytes = c->value_bytes;
    c->calls = c->written = 0;
    memset(c->next, 0, sizeof c->next);
    return dmm_merge_stream_host(r->ctx, &c->desc, &args);
}

void merge_stream_check(const merge_stream_case *c)
{
    const uint64_t n = c->first[c->lists];
    const rows input = {c->keys, c->value_bytes != 0 ? c->values : NULL, n, c->value_bytes};
    const rows output = {
        c->keys_out, c->value_bytes != 0 ? c->values_out : NULL, n, c->value_bytes};
    REQUIRE(c->written == n && c->result.items == n);
    REQUIRE_VERDICT(judge_by_oracle(&c->k, &input, &output));
}

int merge_stream_fits(const merge_stream_case *c)
{
    const uint64_t block = c->desc.block_items != 0 ? c->desc.block_items : 1;
    uint64_t filled = 0;
    for (uint64_t i = 0; i < c->lists; i++)
        filled += c->items[i] != 0;
    return filled <= c->desc.window_items / 2 / block;
}
