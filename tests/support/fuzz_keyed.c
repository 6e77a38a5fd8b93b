/* SPDX-License-Identifier: MIT */
/*
 * Random calls of primitives that work on runs of equal keys, or on chosen items, with their number
 * of items on the device or not, each beside a loop on the host.
 */
#include "support/fuzz.h"

#include <stdlib.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/items.h"

/* Items, of which `used` of n count; what is expected. */
typedef struct keyed {
    uint64_t n, used, runs;
    uint32_t key_bytes, item_bytes;
    unsigned char *keys, *items, *keys_out, *items_out, *flags;
    uint64_t *starts, *lengths;
} keyed;

/* Makes keys in runs of about a length; they differ in their first or last byte. */
static keyed make(uint32_t key_bytes, uint32_t item_bytes)
{
    keyed k = {.n = fuzz_size(), .key_bytes = key_bytes, .item_bytes = item_bytes};
    const uint64_t length = 1 + fuzz_below(fuzz_coin() ? 4 : 5000);
    k.used = fuzz_coin() ? k.n : fuzz_below(k.n + 1);
    k.keys = allocate(k.n * key_bytes);
    k.items = allocate(k.n * item_bytes);
    k.keys_out = allocate(k.n * key_bytes);
    k.items_out = allocate(k.n * item_bytes);
    k.flags = allocate(k.n);
    k.starts = allocate(k.n * sizeof *k.starts);
    k.lengths = allocate(k.n * sizeof *k.lengths);
    random_bytes(&fuzz.random, k.items, k.n * item_bytes);
    for (uint64_t i = 0; i < k.n; i++) {
        unsigned char *const key = k.keys + i * key_bytes;
        if (i > 0)
            memcpy(key, key - key_bytes, key_bytes);
        if (fuzz_below(length) == 0)
            key[fuzz_below(2) * (key_bytes - 1)]++;
    }
    for (uint64_t i = 0; i < k.used; i++) {
        if (i == 0 || !same_item(k.keys, i, k.keys, i - 1, key_bytes)) {
            memcpy(k.keys_out + k.runs * key_bytes, k.keys + i * key_bytes, key_bytes);
            k.starts[k.runs++] = i;
        }
        k.lengths[k.runs - 1]++;
    }
    return k;
}

static void release(keyed *k)
{
    void *const arrays[] = {
        k->keys, k->items, k->keys_out, k->items_out, k->flags, k->starts, k->lengths};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static void note(const char *word, const keyed *k)
{
    test_note("%s, keys of %u, items of %u, n=%llu of %llu, %llu runs", word, k->key_bytes,
        k->item_bytes, (unsigned long long)k->used, (unsigned long long)k->n,
        (unsigned long long)k->runs);
}

static uint32_t key_size(void)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 4, 8, 12, 16, 31, 256};
    return FUZZ_ONE_OF(bytes);
}

static void scan_by_key(dmm_tuning t)
{
    dmm_scan_by_key *scan = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    const dmm_scan_by_key_desc d = {.type = type,
        .op = (dmm_scan_op)fuzz_below(3),
        .exclusive = fuzz_coin(),
        .key_bytes = key_size(),
        .tuning = t};
    REQUIRE_BUILT(dmm_scan_by_key_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        keyed k = make(d.key_bytes, bytes);
        uint64_t temp = 0, sum = 0;
        const int in_place = fuzz_coin();
        fuzz_call call;
        note("scan by key", &k);
        for (uint64_t j = 0, run = 0; j < k.used; j++) {
            if (run < k.runs && k.starts[run] == j) {
                sum = integer_identity(d.op, type);
                run++;
            }
            const uint64_t next = integer_combine(d.op, type, sum, integer_get(k.items, j, bytes));
            integer_put(k.items_out, j, bytes, d.exclusive ? sum : next);
            sum = next;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_by_key_temp_bytes(&temp, scan, k.n));
        dmm_scan_by_key_args args = {.keys_in = fuzz_in(&call, k.keys, k.n, k.key_bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, k.used, k.n)};
        args.in = in_place ? fuzz_in_place(&call, k.items, k.items_out, k.n, k.used, bytes)
                           : fuzz_in(&call, k.items, k.n, bytes);
        args.out = in_place ? args.in : fuzz_out(&call, k.items_out, k.n, k.used, bytes);
        REQUIRE_OK(dmm_scan_by_key_enqueue(scan, call.r->queue, &args, k.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&k);
    }
    dmm_scan_by_key_free(scan);
}

static void reduce_by_key(dmm_tuning t)
{
    dmm_reduce_by_key *reduce = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    const dmm_reduce_by_key_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .key_bytes = key_size(), .tuning = t};
    REQUIRE_BUILT(dmm_reduce_by_key_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        keyed k = make(d.key_bytes, bytes);
        uint64_t temp = 0;
        fuzz_call call;
        note("reduce by key", &k);
        for (uint64_t run = 0, j = 0; run < k.runs; run++) {
            uint64_t sum = integer_identity(d.op, type);
            for (uint64_t end = j + k.lengths[run]; j < end; j++)
                sum = integer_combine(d.op, type, sum, integer_get(k.items, j, bytes));
            integer_put(k.items_out, run, bytes, sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_by_key_temp_bytes(&temp, reduce, k.n));
        const dmm_reduce_by_key_args args = {.keys_in = fuzz_in(&call, k.keys, k.n, k.key_bytes),
            .in = fuzz_in(&call, k.items, k.n, bytes),
            .keys_out = fuzz_packed(&call, k.keys_out, k.n, k.runs, k.key_bytes),
            .out = fuzz_packed(&call, k.items_out, k.n, k.runs, bytes),
            .runs_out = fuzz_out(&call, &k.runs, 1, 1, sizeof k.runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, k.used, k.n)};
        REQUIRE_OK(dmm_reduce_by_key_enqueue(reduce, call.r->queue, &args, k.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&k);
    }
    dmm_reduce_by_key_free(reduce);
}

static void run_length(dmm_tuning t)
{
    dmm_run_length *lengths = NULL;
    const dmm_run_length_desc d = {.key_bytes = key_size(), .tuning = t};
    REQUIRE_BUILT(dmm_run_length_create(&lengths, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        keyed k = make(d.key_bytes, 0);
        uint64_t temp = 0;
        fuzz_call call;
        note("run length", &k);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_run_length_temp_bytes(&temp, lengths, k.n));
        const dmm_run_length_args args = {.keys_in = fuzz_in(&call, k.keys, k.n, k.key_bytes),
            .keys_out = fuzz_packed(&call, k.keys_out, k.n, k.runs, k.key_bytes),
            .counts_out = fuzz_packed(&call, k.lengths, k.n, k.runs, sizeof *k.lengths),
            .runs_out = fuzz_out(&call, &k.runs, 1, 1, sizeof k.runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, k.used, k.n)};
        REQUIRE_OK(dmm_run_length_enqueue(lengths, call.r->queue, &args, k.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&k);
    }
    dmm_run_length_free(lengths);
}

static void unique(dmm_tuning t)
{
    dmm_unique *unique = NULL;
    const dmm_unique_desc d = {
        .key_bytes = key_size(), .value_bytes = fuzz_coin() ? 0 : key_size(), .tuning = t};
    REQUIRE_BUILT(dmm_unique_create(&unique, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        keyed k = make(d.key_bytes, d.value_bytes);
        const uint64_t value = d.value_bytes;
        uint64_t temp = 0;
        fuzz_call call;
        note("unique", &k);
        for (uint64_t run = 0; run < k.runs; run++)
            memcpy(k.items_out + run * value, k.items + k.starts[run] * value, (size_t)value);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_unique_temp_bytes(&temp, unique, k.n));
        const dmm_unique_args args = {.keys_in = fuzz_in(&call, k.keys, k.n, k.key_bytes),
            .values_in = fuzz_in(&call, k.items, k.n, value),
            .keys_out = fuzz_out(&call, k.keys_out, k.n, k.runs, k.key_bytes),
            .values_out = fuzz_out(&call, k.items_out, k.n, k.runs, value),
            .starts_out =
                fuzz_coin() ? DMM_NONE : fuzz_out(&call, k.starts, k.n, k.runs, sizeof *k.starts),
            .runs_out = fuzz_out(&call, &k.runs, 1, 1, sizeof k.runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, k.used, k.n)};
        REQUIRE_OK(dmm_unique_enqueue(unique, call.r->queue, &args, k.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&k);
    }
    dmm_unique_free(unique);
}

/* Splits by flags, or by an expression: the chosen items come first, the rest behind them. */
static void choose(keyed *k, int by_flags, unsigned char *rest)
{
    const uint64_t key = k->key_bytes, share = 1 + fuzz_below(fuzz_coin() ? 3 : 300);
    uint64_t others = 0;
    k->runs = 0;
    for (uint64_t i = 0; i < k->n; i++)
        k->flags[i] = (unsigned char)(fuzz_below(share) == 0 ? 1 + fuzz_below(255) : 0);
    for (uint64_t i = 0; i < k->used; i++) {
        const int chosen = by_flags ? k->flags[i] != 0 : (k->keys[i * key] & 1) != 0;
        unsigned char *const to = chosen ? k->keys_out + k->runs * key : rest + others * key;
        memcpy(to, k->keys + i * key, (size_t)key);
        if (chosen)
            k->starts[k->runs++] = i;
        others += !chosen;
    }
}

static void selects(dmm_tuning t)
{
    dmm_select *select = NULL;
    const int by_flags = fuzz_coin();
    const dmm_select_desc d = {.type = by_flags ? DMM_ITEM : DMM_U32,
        .item_bytes = by_flags ? key_size() : 0,
        .where = by_flags ? NULL : "x & 1",
        .value_bytes = fuzz_coin() ? 0 : key_size(),
        .tuning = t};
    REQUIRE_BUILT(dmm_select_create(&select, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        keyed k = make(by_flags ? d.item_bytes : 4, d.value_bytes);
        unsigned char *const rest = allocate(k.n * k.key_bytes);
        const uint64_t value = d.value_bytes;
        uint64_t temp = 0;
        fuzz_call call;
        choose(&k, by_flags, rest);
        note("select", &k);
        for (uint64_t j = 0; j < k.runs; j++)
            memcpy(k.items_out + j * value, k.items + k.starts[j] * value, (size_t)value);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_select_temp_bytes(&temp, select, k.n));
        const dmm_select_args args = {.items_in = fuzz_in(&call, k.keys, k.n, k.key_bytes),
            .values_in = fuzz_in(&call, k.items, k.n, value),
            .flags = by_flags ? fuzz_in(&call, k.flags, k.n, 1) : DMM_NONE,
            .items_out = fuzz_out(&call, k.keys_out, k.n, k.runs, k.key_bytes),
            .values_out = fuzz_out(&call, k.items_out, k.n, k.runs, value),
            .positions_out =
                fuzz_coin() ? DMM_NONE : fuzz_out(&call, k.starts, k.n, k.runs, sizeof *k.starts),
            .rest_out =
                fuzz_coin() ? DMM_NONE : fuzz_out(&call, rest, k.n, k.used - k.runs, k.key_bytes),
            .selected_out = fuzz_out(&call, &k.runs, 1, 1, sizeof k.runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, k.used, k.n)};
        REQUIRE_OK(dmm_select_enqueue(select, call.r->queue, &args, k.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(rest);
        release(&k);
    }
    dmm_select_free(select);
}

void fuzz_keyed(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {
        scan_by_key, reduce_by_key, run_length, unique, selects};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
