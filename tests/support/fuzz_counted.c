/* SPDX-License-Identifier: MIT */
/*
 * Random calls of primitives that take their number of items from the device: sums, maxima and
 * minima of integers, counts, sorts and searches, each beside a loop on the host.
 */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/items.h"
#include "support/judge.h"

/* Items of a call: of n, the first `used`. */
typedef struct counted {
    uint64_t n, used;
    unsigned char *in, *out;
} counted;

static counted make(uint32_t item_bytes, uint64_t small)
{
    counted c = {.n = fuzz_size()};
    c.used = fuzz_coin() ? c.n : fuzz_below(c.n + 1);
    c.in = allocate(c.n * item_bytes);
    c.out = allocate(c.n * item_bytes);
    random_bytes(&fuzz.random, c.in, c.n * item_bytes);
    for (uint64_t i = 0; i < c.n && small != 0; i++)
        integer_put(c.in, i, item_bytes, fuzz_below(small));
    return c;
}

static void release(counted *c)
{
    free(c->in);
    free(c->out);
}

static void scan(dmm_tuning t)
{
    dmm_scan *scan = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    const dmm_scan_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .exclusive = fuzz_coin(), .tuning = t};
    REQUIRE_BUILT(dmm_scan_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        counted c = make(bytes, 0);
        uint64_t temp = 0, sum = integer_identity(d.op, type);
        const int in_place = fuzz_coin();
        fuzz_call call;
        test_note("scan, type %d, op %d, exclusive %d, n=%llu of %llu", (int)type, (int)d.op,
            d.exclusive, (unsigned long long)c.used, (unsigned long long)c.n);
        for (uint64_t j = 0; j < c.used; j++) {
            const uint64_t next = integer_combine(d.op, type, sum, integer_get(c.in, j, bytes));
            integer_put(c.out, j, bytes, d.exclusive ? sum : next);
            sum = next;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_temp_bytes(&temp, scan, c.n));
        dmm_scan_args args = {
            .temp = fuzz_temp(&call, temp), .count = fuzz_count(&call, c.used, c.n)};
        args.in = in_place ? fuzz_in_place(&call, c.in, c.out, c.n, c.used, bytes)
                           : fuzz_in(&call, c.in, c.n, bytes);
        args.out = in_place ? args.in : fuzz_out(&call, c.out, c.n, c.used, bytes);
        REQUIRE_OK(dmm_scan_enqueue(scan, call.r->queue, &args, c.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&c);
    }
    dmm_scan_free(scan);
}

static void reduce(dmm_tuning t)
{
    dmm_reduce *reduce = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    const dmm_reduce_desc d = {.type = type, .op = (dmm_scan_op)fuzz_below(3), .tuning = t};
    REQUIRE_BUILT(dmm_reduce_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        counted c = make(bytes, 0);
        uint64_t temp = 0, sum = integer_identity(d.op, type);
        fuzz_call call;
        test_note("reduce, type %d, op %d, n=%llu of %llu", (int)type, (int)d.op,
            (unsigned long long)c.used, (unsigned long long)c.n);
        for (uint64_t j = 0; j < c.used; j++)
            sum = integer_combine(d.op, type, sum, integer_get(c.in, j, bytes));
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_temp_bytes(&temp, reduce, c.n));
        const dmm_reduce_args args = {.in = fuzz_in(&call, c.in, c.n, bytes),
            .out = fuzz_out(&call, &sum, 1, 1, bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, c.used, c.n)};
        REQUIRE_OK(dmm_reduce_enqueue(reduce, call.r->queue, &args, c.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&c);
    }
    dmm_reduce_free(reduce);
}

static void histogram(dmm_tuning t)
{
    static const struct {
        dmm_type type;
        uint32_t bytes;
    } types[] = {{DMM_U8, 1}, {DMM_U16, 2}, {DMM_U32, 4}};
    static uint64_t counts[65536];
    dmm_histogram *histogram = NULL;
    const size_t at = (size_t)fuzz_below(3);
    const uint64_t most = at == 0 ? 256 : fuzz_coin() ? 1000 : 65536;
    const dmm_histogram_desc d = {
        .type = types[at].type, .bins = 1 + (uint32_t)fuzz_below(most), .tuning = t};
    REQUIRE_BUILT(dmm_histogram_create(&histogram, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        counted c = make(types[at].bytes, 1 + fuzz_below(d.bins));
        uint64_t temp = 0;
        fuzz_call call;
        test_note("histogram, %u bins, n=%llu of %llu", d.bins, (unsigned long long)c.used,
            (unsigned long long)c.n);
        memset(counts, 0, sizeof counts);
        for (uint64_t j = 0; j < c.used; j++)
            counts[integer_get(c.in, j, types[at].bytes)]++;
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_histogram_temp_bytes(&temp, histogram, c.n));
        const dmm_histogram_args args = {.labels = fuzz_in(&call, c.in, c.n, types[at].bytes),
            .counts_out = fuzz_out(&call, counts, d.bins, d.bins, sizeof *counts),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, c.used, c.n)};
        REQUIRE_OK(dmm_histogram_enqueue(histogram, call.r->queue, &args, c.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&c);
    }
    dmm_histogram_free(histogram);
}

/* Sorts of any items. */
static void sort(dmm_tuning t)
{
    static const dmm_sort_method methods[] = {DMM_SORT_AUTO, DMM_SORT_MERGE, DMM_SORT_RADIX};
    const sort_setup s = fuzz_items(t);
    dmm_sort_desc d = sort_desc_of(&s);
    d.method = s.k.order.less != NULL ? DMM_SORT_MERGE : FUZZ_ONE_OF(methods);
    dmm_sort *const sort = sort_build_desc(&fuzz.r, &d);
    for (int i = 0; i < FUZZ_CALLS; i++) {
        uint64_t temp = 0;
        counted c = make(s.k.bytes, 0);
        unsigned char *const out = allocate(c.n * s.value_bytes);
        void *const values = sort_values(&s, c.n, &fuzz.random);
        const rows input = {c.in, values, c.used, s.value_bytes};
        fuzz_call call;
        kind_fill(&s.k, (shape)fuzz_below(SHAPE_COUNT), c.in, c.n, &fuzz.random);
        test_note("sort of %s, values of %u, method %d, n=%llu of %llu", s.k.name, s.value_bytes,
            (int)d.method, (unsigned long long)c.used, (unsigned long long)c.n);
        oracle_sort(&s.k, &input, c.out, out);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_sort_temp_bytes(&temp, sort, c.n));
        const dmm_sort_args args = {.keys_in = fuzz_in(&call, c.in, c.n, s.k.bytes),
            .values_in = s.argsort ? DMM_NONE : fuzz_in(&call, values, c.n, s.value_bytes),
            .keys_out = fuzz_out(&call, c.out, c.n, c.used, s.k.bytes),
            .values_out = fuzz_out(&call, out, c.n, c.used, s.value_bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, c.used, c.n)};
        REQUIRE_OK(dmm_sort_enqueue(sort, call.r->queue, &args, c.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        free(values);
        release(&c);
    }
    dmm_sort_free(sort);
}

/* Ranks of queries among sorted integers. */
static void search(dmm_tuning t)
{
    dmm_search *search = NULL;
    const dmm_search_desc d = {.order = {.type = DMM_U32},
        .result = fuzz_coin() ? DMM_RANK_LOWER : DMM_RANK_UPPER,
        .rank_bytes = fuzz_coin() ? 4 : 8,
        .tuning = t};
    REQUIRE_BUILT(dmm_search_create(&search, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        counted c = make(sizeof(uint32_t), 1 + fuzz_below(3000));
        uint64_t n = 0, temp = 0;
        const uint64_t places = fuzz_size();
        uint32_t *const keys = allocate(places * sizeof *keys);
        unsigned char *const ranks = allocate(c.n * d.rank_bytes);
        fuzz_call call;
        for (uint32_t key = 0; n < places && key < 3000; key++)
            for (uint64_t times = fuzz_below(4); times != 0 && n < places; times--)
                keys[n++] = key;
        test_note("search, upper %d, ranks of %u bytes, n=%llu, m=%llu of %llu",
            d.result == DMM_RANK_UPPER, d.rank_bytes, (unsigned long long)n,
            (unsigned long long)c.used, (unsigned long long)c.n);
        for (uint64_t j = 0; j < c.used; j++) {
            const uint64_t query = integer_get(c.in, j, sizeof *keys);
            uint64_t low = 0, high = n;
            while (low < high) {
                const uint64_t middle = (low + high) / 2;
                const int is_before =
                    d.result == DMM_RANK_LOWER ? keys[middle] < query : keys[middle] <= query;
                low = is_before ? middle + 1 : low;
                high = is_before ? high : middle;
            }
            integer_put(ranks, j, d.rank_bytes, low);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_search_temp_bytes(&temp, search, n, c.n));
        const dmm_search_args args = {.keys = fuzz_in(&call, keys, n, sizeof *keys),
            .queries = fuzz_in(&call, c.in, c.n, sizeof *keys),
            .out = fuzz_out(&call, ranks, c.n, c.used, d.rank_bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, c.used, c.n)};
        REQUIRE_OK(dmm_search_enqueue(search, call.r->queue, &args, n, c.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(keys);
        free(ranks);
        release(&c);
    }
    dmm_search_free(search);
}

void fuzz_counted(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {scan, reduce, histogram, sort, search};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
