/* SPDX-License-Identifier: MIT */
#include "support/stream_case.h"

#include "support/require.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/judge.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Counts a callback, which may be on any thread; false: it is to fail. */
static int counts(stream_case *c)
{
    pthread_mutex_lock(&lock);
    const int fails = ++c->calls == c->fails_at;
    pthread_mutex_unlock(&lock);
    return !fails;
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    stream_case *const c = user;
    if (!counts(c))
        return STREAM_FAILS;
    if (c->most_read != 0 && most > c->most_read)
        most = c->most_read;
    *count = c->n - c->read < most ? c->n - c->read : most;
    memcpy(keys, c->keys + c->read * c->k.bytes, *count * c->k.bytes);
    if (c->value_bytes != 0)
        memcpy(values, c->values + c->read * c->value_bytes, *count * c->value_bytes);
    c->read += *count;
    return (values != NULL) == (c->value_bytes != 0) ? DMM_OK : STREAM_FAILS + 1;
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    stream_case *const c = user;
    if (!counts(c))
        return STREAM_FAILS;
    if (count == 0 || count > c->n - c->written)
        return STREAM_FAILS + 2;
    memcpy(c->keys_out + c->written * c->k.bytes, keys, count * c->k.bytes);
    if (c->value_bytes != 0)
        memcpy(c->values_out + c->written * c->value_bytes, values, count * c->value_bytes);
    c->written += count;
    return DMM_OK;
}

static dmm_status store(void *user, uint64_t at_bytes, const void *data, uint64_t bytes)
{
    stream_case *const c = user;
    if (!counts(c))
        return STREAM_FAILS;
    if (bytes == 0 || at_bytes > c->plan.store_bytes || bytes > c->plan.store_bytes - at_bytes)
        return STREAM_FAILS + 3;
    for (uint64_t i = at_bytes; i < at_bytes + bytes; i++)
        if (c->is_stored[i]++)
            return STREAM_FAILS + 4;
    memcpy(c->store + at_bytes, data, bytes);
    return DMM_OK;
}

static dmm_status load(void *user, uint64_t at_bytes, void *data, uint64_t bytes)
{
    stream_case *const c = user;
    if (!counts(c))
        return STREAM_FAILS;
    if (bytes == 0 || at_bytes > c->plan.store_bytes || bytes > c->plan.store_bytes - at_bytes)
        return STREAM_FAILS + 3;
    for (uint64_t i = at_bytes; i < at_bytes + bytes; i++)
        if (!c->is_stored[i])
            return STREAM_FAILS + 5;
    memcpy(data, c->store + at_bytes, bytes);
    if (c->loads != NULL && c->num_loads < c->most_loads)
        c->loads[c->num_loads++] = (stream_load){at_bytes, bytes};
    return DMM_OK;
}

static dmm_status stored(void *user, uint64_t items)
{
    stream_case *const c = user;
    if (!counts(c))
        return STREAM_FAILS;
    const int rises = items > c->stored_items && items <= c->n;
    c->stored_items = items;
    return rises ? DMM_OK : STREAM_FAILS + 6;
}

static void *array(uint64_t items, uint64_t item_bytes)
{
    void *const made = malloc((size_t)(items * item_bytes + 1));
    REQUIRE(made != NULL);
    return made;
}

void stream_open(stream_case *c, const rig *r, shape input, uint64_t seed)
{
    random_source random = {seed};
    c->desc.order = c->k.order;
    c->desc.value_bytes = c->value_bytes;
    REQUIRE_OK(dmm_sort_stream_plan_host(&c->plan, r->ctx, &c->desc, c->n));
    c->keys = array(c->n, c->k.bytes);
    c->values = array(c->n, c->value_bytes);
    c->keys_out = array(c->n + 1, c->k.bytes);
    c->values_out = array(c->n + 1, c->value_bytes);
    c->store = array(c->plan.store_bytes, 1);
    c->is_stored = array(c->plan.store_bytes, 1);
    memset(c->is_stored, 0, c->plan.store_bytes);
    kind_fill(&c->k, input, c->keys, c->n, &random);
    random_bytes(&random, c->values, c->n * c->value_bytes);
}

void stream_close(stream_case *c)
{
    free(c->keys);
    free(c->values);
    free(c->keys_out);
    free(c->values_out);
    free(c->store);
    free(c->is_stored);
}

/* Forgets what an earlier call has stored behind its last complete run. */
static void forget_unfinished(stream_case *c)
{
    uint64_t end = 0;
    const uint64_t item = (uint64_t)c->k.bytes + c->value_bytes;
    for (uint64_t items = c->stored_items, run; items != 0; items -= run) {
        run = items < c->plan.run_items ? items : c->plan.run_items;
        end += (run * item + (run - 1) / c->plan.block_items * c->k.bytes + 4095) / 4096 * 4096;
    }
    if (end < c->plan.store_bytes)
        memset(c->is_stored + end, 0, c->plan.store_bytes - end);
}

dmm_status stream_run(stream_case *c, const rig *r, int resumes)
{
    if (!resumes)
        c->stored_items = 0;
    const dmm_sort_stream_args args = {.user = c,
        .read = read_items,
        .write = write_items,
        .store = store,
        .load = load,
        .stored = stored,
        .stored_items = c->stored_items,
        .result_out = &c->result};
    forget_unfinished(c);
    c->read = c->stored_items;
    c->written = c->calls = c->num_loads = 0;
    memset(c->keys_out, 0x5a, (size_t)((c->n + 1) * c->k.bytes));
    return dmm_sort_stream_host(r->ctx, &c->desc, &args);
}

void stream_check(const stream_case *c)
{
    const rows input = {c->keys, c->value_bytes != 0 ? c->values : NULL, c->n, c->value_bytes};
    const rows output = {
        c->keys_out, c->value_bytes != 0 ? c->values_out : NULL, c->n, c->value_bytes};
    const dmm_sort_stream_result *const result = &c->result;
    REQUIRE(c->written == c->n && result->items == c->n);
    for (uint32_t i = 0; i < c->k.bytes; i++)
        REQUIRE(c->keys_out[c->n * c->k.bytes + i] == 0x5a);
    REQUIRE(result->merges == c->plan.merges);
    const uint64_t k = c->plan.runs < c->plan.most_runs ? c->plan.runs : c->plan.most_runs;
    REQUIRE(c->n == 0 || result->most_kept <= (k - 1) * c->plan.block_items);
    REQUIRE_VERDICT(judge_by_oracle(&c->k, &input, &output));
}
