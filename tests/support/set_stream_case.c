/* SPDX-License-Identifier: MIT */
/* Lists for dmm_set_stream and dmm_unique_stream. */
#include "support/set_stream_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/judge.h"
#include "support/require.h"

enum { MOST_ITEM_BYTES = 256 };

static int counts(set_stream_case *t)
{
    return __atomic_add_fetch(&t->calls, 1, __ATOMIC_SEQ_CST) != t->fails_at;
}

dmm_status set_stream_read(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count)
{
    set_stream_case *const t = user;
    const uint64_t left = t->n[list] - t->read[list], key = t->k.bytes, value = t->value_bytes;
    if (!counts(t))
        return SET_STREAM_FAILS;
    if (most == 0 || (values != NULL) != (value != 0 && !(list == 1 && t->drops_b)))
        return SET_STREAM_FAILS + 1;
    *count = left < most ? left : most;
    if (t->most_read != 0 && *count > t->most_read)
        *count = t->most_read;
    memcpy(keys, t->keys[list] + t->read[list] * key, *count * key);
    if (values != NULL)
        memcpy(values, t->values[list] + t->read[list] * value, *count * value);
    t->read[list] += *count;
    return DMM_OK;
}

dmm_status unique_stream_read(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    return set_stream_read(user, 0, keys, values, most, count);
}

dmm_status set_stream_write(void *user, const void *keys, const void *values, uint64_t count)
{
    set_stream_case *const t = user;
    if (!counts(t))
        return SET_STREAM_FAILS;
    if (count == 0 || count > t->wanted - t->written || (values != NULL) != (t->value_bytes != 0))
        return SET_STREAM_FAILS + 2;
    memcpy(t->keys_out + t->written * t->k.bytes, keys, count * t->k.bytes);
    if (values != NULL)
        memcpy(t->values_out + t->written * t->value_bytes, values, count * t->value_bytes);
    t->written += count;
    return DMM_OK;
}

void set_stream_open(set_stream_case *t, shape input, uint64_t different, int sorts)
{
    random_source random = {t->n[0] + 7 * t->n[1] + different};
    char **const arrays[] = {&t->keys[0], &t->keys[1], &t->values[0], &t->values[1],
        &t->wanted_keys, &t->wanted_values, &t->keys_out, &t->values_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        REQUIRE((*arrays[i] = calloc(2 * SET_STREAM_MOST, MOST_ITEM_BYTES)) != NULL);
    kind_fill(&t->k, input, t->wanted_keys, different, &random); /* both lists draw from these */
    for (uint32_t i = 0; i < 2; i++) {
        const rows list = {t->keys_out, t->values_out, t->n[i], t->value_bytes};
        kind_fill(&t->k, input, t->keys_out, t->n[i], &random);
        for (uint64_t j = 0; j < t->n[i] && different != 0; j++)
            memcpy(t->keys_out + j * t->k.bytes,
                t->wanted_keys + random_below(&random, different) * t->k.bytes, t->k.bytes);
        random_bytes(&random, t->values_out, t->n[i] * t->value_bytes);
        if (sorts) {
            oracle_sort(&t->k, &list, t->keys[i], t->values[i]);
            continue;
        }
        memcpy(t->keys[i], t->keys_out, t->n[i] * t->k.bytes);
        memcpy(t->values[i], t->values_out, t->n[i] * t->value_bytes);
    }
}

void set_stream_close(set_stream_case *t)
{
    char *const arrays[] = {t->keys[0], t->keys[1], t->values[0], t->values[1], t->wanted_keys,
        t->wanted_values, t->keys_out, t->values_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static void want(set_stream_case *t, uint32_t list, uint64_t at)
{
    const uint64_t key = t->k.bytes, value = t->value_bytes;
    memcpy(t->wanted_keys + t->wanted * key, t->keys[list] + at * key, key);
    memcpy(t->wanted_values + t->wanted * value, t->values[list] + at * value, value);
    t->wanted++;
}

void set_stream_want(set_stream_case *t)
{
    const dmm_set_op op = t->op;
    uint64_t a = 0, b = 0;
    const int left = op != DMM_SET_INTERSECTION;
    const int right = op == DMM_SET_UNION || op == DMM_SET_SYMMETRIC;
    const int both = op == DMM_SET_UNION || op == DMM_SET_INTERSECTION;
    t->drops_b = !right;
    while (a < t->n[0] || b < t->n[1]) {
        const int order = a == t->n[0]   ? 1
                          : b == t->n[1] ? -1
                                         : kind_compare(&t->k, t->keys[0] + a * t->k.bytes,
                                               t->keys[1] + b * t->k.bytes);
        if (order < 0 ? left : order > 0 ? right : both)
            want(t, order > 0, order > 0 ? b : a);
        a += order <= 0;
        b += order >= 0;
    }
}

void unique_stream_want(set_stream_case *t)
{
    const size_t key = t->k.bytes;
    for (uint64_t i = 0; i < t->n[0]; i++)
        if (i == 0 || memcmp(t->keys[0] + i * key, t->keys[0] + (i - 1) * key, key) != 0)
            want(t, 0, i);
}

void set_stream_judge(const set_stream_case *t, uint64_t items)
{
    REQUIRE(items == t->wanted && t->written == t->wanted);
    REQUIRE(memcmp(t->keys_out, t->wanted_keys, t->wanted * t->k.bytes) == 0);
    REQUIRE(memcmp(t->values_out, t->wanted_values, t->wanted * t->value_bytes) == 0);
}

dmm_status set_stream_run(
    set_stream_case *t, const rig *r, dmm_tuning tuning, uint64_t window, uint64_t *items)
{
    const dmm_set_stream_desc desc = {.order = t->k.order,
        .op = t->op,
        .value_bytes = t->value_bytes,
        .window_items = window,
        .tuning = tuning};
    const dmm_set_stream_args args = {
        .user = t, .read = set_stream_read, .write = set_stream_write, .items_out = items};
    t->read[0] = t->read[1] = t->written = t->calls = 0;
    return dmm_set_stream_host(r->ctx, &desc, &args);
}

dmm_status unique_stream_run(
    set_stream_case *t, const rig *r, dmm_tuning tuning, uint64_t block, uint64_t *items)
{
    const dmm_unique_stream_desc desc = {.key_bytes = t->k.bytes,
        .value_bytes = t->value_bytes,
        .block_items = block,
        .tuning = tuning};
    const dmm_unique_stream_args args = {
        .user = t, .read = unique_stream_read, .write = set_stream_write, .items_out = items};
    t->read[0] = t->written = t->calls = 0;
    return dmm_unique_stream_host(r->ctx, &desc, &args);
}
