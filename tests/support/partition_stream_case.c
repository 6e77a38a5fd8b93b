/* SPDX-License-Identifier: MIT */
/* Arrays in the place of files. */
#include "support/partition_stream_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/partition_judge.h"
#include "support/require.h"

enum { RED = 0x5a, WRONG_CALL = PARTITION_STREAM_FAILS + 1 };

static int counts(partition_stream_case *c)
{
    return __atomic_add_fetch(&c->calls, 1, __ATOMIC_SEQ_CST) != c->fails_at;
}

static uint32_t label_bytes(const partition_stream_case *c)
{
    const uint32_t bytes = c->desc.partition.label_bytes;
    return c->desc.partition.by != DMM_PARTITION_BY_LABELS ? 0 : bytes != 0 ? bytes : 4;
}

static dmm_status read_items(
    void *user, void *items, void *values, void *labels, uint64_t most, uint64_t *count)
{
    partition_stream_case *const c = user;
    const uint64_t left = c->n - c->read, item = c->k.bytes, value = c->value_bytes;
    const uint32_t label = label_bytes(c);
    if (!counts(c))
        return PARTITION_STREAM_FAILS;
    if (most == 0 || (values != NULL) != (value != 0) || (labels != NULL) != (label != 0))
        return WRONG_CALL;
    *count = left < most ? left : most;
    if (c->most_read != 0 && *count > c->most_read)
        *count = c->most_read;
    memcpy(items, c->items + c->read * item, *count * item);
    if (values != NULL)
        memcpy(values, c->values + c->read * value, *count * value);
    if (labels != NULL)
        memcpy(labels, c->labels + c->read * label, *count * label);
    c->read += *count;
    return DMM_OK;
}

static dmm_status write_items(void *user, const void *items, const void *values, uint64_t count)
{
    partition_stream_case *const c = user;
    if (!counts(c))
        return PARTITION_STREAM_FAILS;
    if (count == 0 || count > c->n - c->written || c->read != c->n)
        return WRONG_CALL;
    memcpy(c->items_out + c->written * c->k.bytes, items, count * c->k.bytes);
    if (values != NULL)
        memcpy(c->values_out + c->written * c->value_bytes, values, count * c->value_bytes);
    c->written += count;
    return DMM_OK;
}

static dmm_status store(void *user, uint64_t at, const void *data, uint64_t bytes)
{
    partition_stream_case *const c = user;
    if (!counts(c))
        return PARTITION_STREAM_FAILS;
    if (bytes == 0 || at > c->plan.store_bytes || bytes > c->plan.store_bytes - at)
        return WRONG_CALL;
    for (uint64_t i = 0; i < bytes; i++)
        if (c->is_stored[at + i]++)
            return WRONG_CALL;
    memcpy(c->store + at, data, bytes);
    return DMM_OK;
}

/* Each byte is loaded once. */
static dmm_status load(void *user, uint64_t at, void *data, uint64_t bytes)
{
    partition_stream_case *const c = user;
    if (!counts(c))
        return PARTITION_STREAM_FAILS;
    if (bytes == 0 || at > c->plan.store_bytes || bytes > c->plan.store_bytes - at)
        return WRONG_CALL;
    for (uint64_t i = 0; i < bytes; i++)
        if (c->is_stored[at + i]++ != 1)
            return WRONG_CALL;
    memcpy(data, c->store + at, bytes);
    return DMM_OK;
}

/* Splitters are items of the input's shape, sorted. */
static void fill_splitters(partition_stream_case *c, shape input, random_source *random)
{
    const uint32_t count = c->desc.partition.ways - 1;
    unsigned char *const unsorted = calloc(count + (size_t)1, c->k.bytes);
    const rows list = {unsorted, NULL, count, 0};
    REQUIRE(unsorted != NULL);
    kind_fill(&c->k, input, unsorted, count, random);
    oracle_sort(&c->k, &list, c->labels, NULL);
    free(unsorted);
}

static uint32_t count_splitters(const partition_stream_case *c, const void *item)
{
    uint32_t before = 0;
    while (before + 1 < c->desc.partition.ways &&
           kind_compare(&c->k, c->labels + before * c->k.bytes, item) <= 0)
        before++;
    return before;
}

static uint32_t bits_of(const partition_stream_case *c, const void *item)
{
    const dmm_bits bits = c->desc.partition.bits;
    uint64_t number = 0;
    memcpy(&number, item, c->k.bytes); /* the low bytes come first */
    return (uint32_t)(number >> bits.begin & (((uint64_t)1 << (bits.end - bits.begin)) - 1));
}

static void find_buckets(partition_stream_case *c, random_source *random)
{
    for (uint64_t i = 0; i < c->n; i++) {
        const void *const item = c->items + i * c->k.bytes;
        switch (c->desc.partition.by) {
        case DMM_PARTITION_BY_LABELS:
            c->buckets[i] = (uint32_t)random_below(random, c->desc.partition.ways);
            if (i % 3 == 0) /* uneven */
                c->buckets[i] = 0;
            memcpy(c->labels + i * label_bytes(c), &c->buckets[i], label_bytes(c));
            break;
        case DMM_PARTITION_BY_SPLITTERS:
            c->buckets[i] = count_splitters(c, item);
            break;
        case DMM_PARTITION_BY_BITS:
            c->buckets[i] = bits_of(c, item);
            break;
        case DMM_PARTITION_BY_EXPRESSION:
            c->buckets[i] = c->rule(item, c->values + i * c->value_bytes, i);
            break;
        }
    }
}

void partition_stream_open(partition_stream_case *c, const rig *r, shape input, uint64_t seed)
{
    random_source random = {seed};
    const size_t places = (size_t)c->n + 1, ways = c->desc.partition.ways;
    const size_t by = places * 4 > ways * c->k.bytes ? places * 4 : ways * c->k.bytes;
    const size_t value = c->value_bytes != 0 ? c->value_bytes : 1;
    c->desc.partition.order = c->k.order;
    c->desc.partition.value_bytes = c->value_bytes;
    REQUIRE_OK(dmm_partition_stream_plan_host(&c->plan, r->ctx, &c->desc, c->n));
    REQUIRE((c->items = calloc(places, c->k.bytes)) != NULL);
    REQUIRE((c->values = calloc(places, value)) != NULL);
    REQUIRE((c->labels = calloc(by, 1)) != NULL);
    REQUIRE((c->buckets = calloc(places, sizeof *c->buckets)) != NULL);
    REQUIRE((c->items_out = calloc(places, c->k.bytes)) != NULL);
    REQUIRE((c->values_out = calloc(places, value)) != NULL);
    REQUIRE((c->offsets = calloc(ways + 2, sizeof *c->offsets)) != NULL);
    REQUIRE((c->store = calloc((size_t)c->plan.store_bytes + 1, 1)) != NULL);
    REQUIRE((c->is_stored = calloc((size_t)c->plan.store_bytes + 1, 1)) != NULL);
    kind_fill(&c->k, input, c->items, c->n, &random);
    random_bytes(&random, c->values, c->n * c->value_bytes);
    if (c->desc.partition.by == DMM_PARTITION_BY_SPLITTERS)
        fill_splitters(c, input, &random);
    find_buckets(c, &random);
}

void partition_stream_close(partition_stream_case *c)
{
    void *const arrays[] = {c->items, c->values, c->labels, c->buckets, c->items_out, c->values_out,
        c->offsets, c->store, c->is_stored};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

dmm_status partition_stream_run(partition_stream_case *c, const rig *r)
{
    const dmm_partition_stream_args args = {.user = c,
        .read = read_items,
        .write = write_items,
        .store = store,
        .load = load,
        .splitters = c->labels,
        .offsets_out = c->offsets,
        .report_out = &c->report,
        .result_out = &c->result};
    memset(c->items_out, RED, (c->n + 1) * c->k.bytes);
    memset(c->values_out, RED, (c->n + 1) * c->value_bytes);
    memset(c->offsets, RED, (c->desc.partition.ways + (size_t)2) * sizeof *c->offsets);
    memset(c->is_stored, 0, (size_t)c->plan.store_bytes);
    c->read = c->written = c->calls = 0;
    c->report = (dmm_report){.code = 77};
    return dmm_partition_stream_host(r->ctx, &c->desc, &args);
}

void partition_stream_check(const partition_stream_case *c)
{
    const uint64_t bytes = c->n * (c->k.bytes + c->value_bytes);
    const partition_input in = {.n = c->n,
        .ways = c->desc.partition.ways,
        .item_bytes = c->k.bytes,
        .value_bytes = c->value_bytes,
        .items = c->items,
        .values = c->values,
        .buckets = c->buckets};
    const partition_result out = {c->items_out, c->values_out, c->offsets};
    const unsigned char *const red = (const unsigned char *)(c->offsets + in.ways + 1);
    REQUIRE(c->written == c->n && c->result.items == c->n && c->report.code == DMM_OK);
    REQUIRE_VERDICT(partition_judge(&in, &out));
    REQUIRE(c->items_out[c->n * c->k.bytes] == RED && *red == RED);
    REQUIRE(c->value_bytes == 0 || c->values_out[c->n * c->value_bytes] == RED);
    REQUIRE(c->result.runs == c->plan.runs);
    REQUIRE(c->result.stored_bytes == (c->plan.runs > 1 ? bytes : 0));
    REQUIRE(c->result.loaded_bytes == c->result.stored_bytes);
    REQUIRE(c->plan.runs < 2 || c->result.windows == (c->n - 1) / c->plan.window_items + 1);
}
