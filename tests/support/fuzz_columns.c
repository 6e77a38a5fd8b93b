/* SPDX-License-Identifier: MIT */
/*
 * Random calls on arrays side by side: sorts of rows, rows taken by number, merges that write
 * positions; and histograms by edges, of several channels, and scans of marked runs.
 */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "primitives/order.h"
#include "support/fuzz_integers.h"
#include "support/items.h"
#include "support/judge.h"

static uint32_t item_size(void)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 4, 8, 12, 16, 31, 256};
    return FUZZ_ONE_OF(bytes);
}

/* Returns a part of n, or all of it. */
static uint64_t part_of(uint64_t n)
{
    return fuzz_coin() ? n : fuzz_below(n + 1);
}

/* A table that is to be sorted. */
static struct {
    kind kinds[DMM_MAX_COLUMNS];
    uint32_t columns;
    unsigned char *keys[DMM_MAX_COLUMNS];
} table;

static int compare_rows(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int sign = 0;
    for (uint32_t c = 0; c < table.columns && sign == 0; c++)
        sign = kind_compare(&table.kinds[c], table.keys[c] + x * table.kinds[c].bytes,
            table.keys[c] + y * table.kinds[c].bytes);
    return sign != 0 ? sign : (x > y) - (x < y);
}

/* Returns an output of the rows' items in order, or none where that may be; the array is to be
 * freed. */
static dmm_span taken(fuzz_call *c, int may_lack, unsigned char **out, const unsigned char *in,
    uint32_t bytes, const uint64_t *from, uint64_t used, uint64_t n)
{
    *out = allocate(n * bytes);
    for (uint64_t i = 0; i < used; i++)
        memcpy(*out + i * bytes, in + from[i] * bytes, bytes);
    return may_lack && fuzz_below(4) == 0 ? DMM_NONE : fuzz_out(c, *out, n, used, bytes);
}

static void lexsort_call(dmm_lexsort *lexsort, const dmm_lexsort_desc *d)
{
    unsigned char *values[DMM_MAX_COLUMNS], *out[2 * DMM_MAX_COLUMNS];
    const uint64_t n = fuzz_size(), used = part_of(n);
    uint64_t *const order = allocate(n * sizeof *order), temp = 0;
    unsigned char *const numbers = allocate(n * d->row_bytes);
    dmm_lexsort_args args = {.count = DMM_NONE};
    fuzz_call call;
    test_note("lexsort of %u columns, %u arrays, n=%llu of %llu", d->num_keys, d->num_values,
        (unsigned long long)used, (unsigned long long)n);
    fuzz_call_begin(&call);
    for (uint32_t i = 0; i < d->num_keys; i++) {
        const kind *const k = &table.kinds[i];
        table.keys[i] = allocate(n * k->bytes);
        kind_fill(k, fuzz_coin() ? SHAPE_FEW : (shape)fuzz_below(SHAPE_COUNT), table.keys[i], n,
            &fuzz.random);
        args.keys_in[i] = fuzz_in(&call, table.keys[i], n, k->bytes);
    }
    for (uint64_t i = 0; i < n; i++)
        order[i] = i;
    qsort(order, (size_t)used, sizeof *order, compare_rows);
    for (uint32_t i = 0; i < d->num_keys; i++)
        args.keys_out[i] =
            taken(&call, 1, &out[i], table.keys[i], table.kinds[i].bytes, order, used, n);
    for (uint32_t i = 0; i < d->num_values; i++) {
        const uint32_t bytes = d->value_bytes[i];
        values[i] = allocate(n * bytes);
        random_bytes(&fuzz.random, values[i], n * bytes);
        args.values_in[i] = fuzz_in(&call, values[i], n, bytes);
        args.values_out[i] =
            taken(&call, 0, &out[d->num_keys + i], values[i], bytes, order, used, n);
    }
    for (uint64_t i = 0; i < used; i++)
        integer_put(numbers, i, d->row_bytes, order[i]);
    REQUIRE_OK(dmm_lexsort_temp_bytes(&temp, lexsort, n));
    args.rows_out = fuzz_coin() ? DMM_NONE : fuzz_out(&call, numbers, n, used, d->row_bytes);
    args.temp = fuzz_temp(&call, temp);
    args.count = fuzz_count(&call, used, n);
    REQUIRE_OK(dmm_lexsort_enqueue(lexsort, call.r->queue, &args, n, 0, NULL, NULL));
    fuzz_call_end(&call);
    for (uint32_t i = 0; i < d->num_keys + d->num_values; i++)
        free(out[i]);
    for (uint32_t i = 0; i < d->num_keys; i++)
        free(table.keys[i]);
    for (uint32_t i = 0; i < d->num_values; i++)
        free(values[i]);
    free(order);
    free(numbers);
}

static void lexsort(dmm_tuning t)
{
    dmm_lexsort *lexsort = NULL;
    dmm_lexsort_desc d = {.num_keys = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 3 : DMM_MAX_COLUMNS),
        .num_values = (uint32_t)fuzz_below(fuzz_coin() ? 3 : DMM_MAX_COLUMNS + 1),
        .row_bytes = fuzz_coin() ? 4 : 8,
        .tuning = t};
    for (uint32_t i = 0; i < d.num_keys; i++) {
        do
            table.kinds[i] = fuzz_items(t).k;
        while (fuzz_coin() && (table.kinds[i].bytes > 2 || table.kinds[i].order.less != NULL));
        table.kinds[i].order.zero_equal = fuzz_coin() && dmm_is_float(table.kinds[i].order.type);
        d.keys[i] = table.kinds[i].order;
        fuzz_fit(&d.tuning, table.kinds[i].bytes + 8);
    }
    fuzz_fit(&d.tuning, 16);
    table.columns = d.num_keys;
    for (uint32_t i = 0; i < d.num_values; i++)
        d.value_bytes[i] = item_size();
    REQUIRE_BUILT(dmm_lexsort_create(&lexsort, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS / 2; i++)
        lexsort_call(lexsort, &d);
    dmm_lexsort_free(lexsort);
}

/* Numbers of rows, beyond the last one, too; of one list or two. */
static void take(dmm_tuning t)
{
    dmm_take *take = NULL;
    dmm_take_desc d = {
        .num_columns = 1 + (uint32_t)fuzz_below(3), .row_bytes = fuzz_coin() ? 4 : 8};
    (void)t;
    for (uint32_t i = 0; i < d.num_columns; i++)
        d.item_bytes[i] = item_size();
    REQUIRE_BUILT(dmm_take_create(&take, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n), m = 1 + fuzz_size(),
                       first = fuzz_coin() ? 0 : fuzz_below(m + 1);
        const uint64_t most = d.row_bytes == 4 ? UINT32_MAX : UINT64_MAX;
        unsigned char *in[DMM_MAX_COLUMNS],
            *out[DMM_MAX_COLUMNS], *const numbers = allocate(n * d.row_bytes);
        uint64_t *const from = allocate(n * sizeof *from);
        fuzz_call call;
        test_note("take, %u columns, n=%llu of %llu, %llu rows, %llu in the first list",
            d.num_columns, (unsigned long long)used, (unsigned long long)n, (unsigned long long)m,
            (unsigned long long)first);
        for (uint64_t j = 0; j < n; j++) {
            const uint64_t number = fuzz_below(8) ? fuzz_below(m) : most - fuzz_below(3);
            integer_put(numbers, j, d.row_bytes, number);
            from[j] = number < m ? number : m - 1;
        }
        fuzz_call_begin(&call);
        dmm_take_args args = {.rows = fuzz_in(&call, numbers, n, d.row_bytes), .rows_a = first};
        for (uint32_t c = 0; c < d.num_columns; c++) {
            const uint32_t bytes = d.item_bytes[c];
            const uint64_t a = first == 0 ? m : first;
            in[c] = allocate(m * bytes);
            out[c] = allocate(n * bytes);
            random_bytes(&fuzz.random, in[c], m * bytes);
            for (uint64_t j = 0; j < used; j++)
                memcpy(out[c] + j * bytes, in[c] + from[j] * bytes, bytes);
            args.in[c] = fuzz_in(&call, in[c], a, bytes);
            args.in_b[c] = fuzz_in(&call, in[c] + a * bytes, m - a, bytes);
            args.out[c] = fuzz_out(&call, out[c], n, used, bytes);
        }
        args.count = fuzz_count(&call, used, n);
        REQUIRE_OK(dmm_take_enqueue(take, call.r->queue, &args, n, m, 0, NULL, NULL));
        fuzz_call_end(&call);
        for (uint32_t c = 0; c < d.num_columns; c++) {
            free(in[c]);
            free(out[c]);
        }
        free(numbers);
        free(from);
    }
    dmm_take_free(take);
}

/* Merging two lists is sorting them, one behind the other. */
static void positions(dmm_tuning t)
{
    dmm_merge *merge = NULL;
    sort_setup s = fuzz_items(t);
    const kind *const k = &s.k;
    const dmm_merge_desc d = {
        .order = k->order, .value_bytes = fuzz_coin() ? 4 : 8, .positions = 1, .tuning = s.tuning};
    REQUIRE_BUILT(dmm_merge_create(&merge, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t na = fuzz_size(), nb = fuzz_size(), n = na + nb;
        unsigned char *const raw = allocate(n * k->bytes), *const keys = allocate(n * k->bytes),
                             *const out = allocate(n * k->bytes),
                             *const numbers = allocate(n * d.value_bytes),
                             *const moved = allocate(n * d.value_bytes);
        uint64_t temp = 0;
        fuzz_call call;
        test_note("merge by positions of %s, %llu and %llu", k->name, (unsigned long long)na,
            (unsigned long long)nb);
        kind_fill(k, (shape)fuzz_below(SHAPE_COUNT), raw, n, &fuzz.random);
        oracle_sort(k, &(rows){raw, NULL, na, 0}, keys, NULL);
        oracle_sort(k, &(rows){raw + na * k->bytes, NULL, nb, 0}, keys + na * k->bytes, NULL);
        for (uint64_t j = 0; j < n; j++)
            integer_put(numbers, j, d.value_bytes, j);
        oracle_sort(k, &(rows){keys, numbers, n, d.value_bytes}, out, moved);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_merge_temp_bytes(&temp, merge, n));
        const dmm_merge_args args = {.a_keys = fuzz_in(&call, keys, na, k->bytes),
            .b_keys = fuzz_in(&call, keys + na * k->bytes, nb, k->bytes),
            .keys_out = fuzz_out(&call, out, n, n, k->bytes),
            .values_out = fuzz_out(&call, moved, n, n, d.value_bytes),
            .temp = fuzz_temp(&call, temp)};
        REQUIRE_OK(dmm_merge_enqueue(merge, call.r->queue, &args, na, nb, 0, NULL, NULL));
        fuzz_call_end(&call);
        void *const arrays[] = {raw, keys, out, numbers, moved};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]);
    }
    dmm_merge_free(merge);
}

/* Returns the bin of an item, or `bins`: NaNs are behind all edges in the order of kinds. */
static uint32_t bin_of(
    const kind *k, const unsigned char *edges, uint32_t bins, const unsigned char *item)
{
    uint32_t low = 0, high = bins + 1; /* edges at or before the item */
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        const int is_before = kind_compare(k, edges + middle * k->bytes, item) <= 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low == 0 || low > bins ? bins : low - 1;
}

static void edges(dmm_tuning t)
{
    dmm_histogram *histogram = NULL;
    kind k;
    do
        k = fuzz_items(t).k;
    while (k.order.type == DMM_ITEM || k.order.less != NULL || k.order.descending);
    k.order.zero_equal = dmm_is_float(k.order.type);
    dmm_histogram_desc d = {.type = k.order.type,
        .bins = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 300 : 3000),
        .by = DMM_HISTOGRAM_EDGES,
        .channels = 1 + (uint32_t)fuzz_below(4),
        .tuning = t};
    d.counted = fuzz_below(d.channels + 1);
    const uint64_t counted = d.counted != 0 ? d.counted : d.channels;
    REQUIRE_BUILT(dmm_histogram_create(&histogram, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size() / d.channels, used = part_of(n), items = n * d.channels;
        const int ascend = fuzz_below(4) != 0;
        unsigned char *const in = allocate(items * k.bytes),
                             *const raw = allocate((d.bins + 1) * (uint64_t)k.bytes),
                             *const limits = allocate((d.bins + 1) * (uint64_t)k.bytes);
        uint64_t *const counts = allocate(counted * d.bins * sizeof *counts), temp = 0;
        fuzz_call call;
        test_note("histogram of %s by %u edges%s, %llu of %u channels, n=%llu of %llu", k.name,
            d.bins + 1, ascend ? "" : ", not ascending", (unsigned long long)counted, d.channels,
            (unsigned long long)used, (unsigned long long)n);
        kind_fill(&k, fuzz_coin() ? SHAPE_FEW : SHAPE_RANDOM, raw, d.bins + 1, &fuzz.random);
        oracle_sort(&k, &(rows){raw, NULL, d.bins + 1, 0}, limits, NULL);
        kind_fill(&k, (shape)fuzz_below(SHAPE_COUNT), in, items, &fuzz.random);
        for (uint64_t j = 0; j < items; j += 1 + fuzz_below(8)) /* on edges */
            memcpy(in + j * k.bytes, limits + fuzz_below(d.bins + 1) * k.bytes, k.bytes);
        for (uint64_t j = 0; j < used * d.channels; j++) {
            const uint32_t bin = bin_of(&k, limits, d.bins, in + j * k.bytes);
            if (bin < d.bins && j % d.channels < counted)
                counts[j % d.channels * d.bins + bin]++;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_histogram_temp_bytes(&temp, histogram, n));
        const dmm_histogram_args args = {.labels = fuzz_in(&call, in, items, k.bytes),
            .counts_out = fuzz_out(
                &call, ascend ? counts : NULL, counted * d.bins, counted * d.bins, sizeof *counts),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .edges = fuzz_in(&call, ascend ? limits : raw, d.bins + 1, k.bytes)};
        REQUIRE_OK(dmm_histogram_enqueue(histogram, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        void *const arrays[] = {in, raw, limits, counts};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]);
    }
    dmm_histogram_free(histogram);
}

/* A scan whose runs begin at flags. */
static void heads(dmm_tuning t)
{
    dmm_scan_by_key *scan = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    const dmm_scan_by_key_desc d = {.type = type,
        .op = (dmm_scan_op)fuzz_below(3),
        .exclusive = fuzz_coin(),
        .key_bytes = 1,
        .heads = 1,
        .tuning = t};
    REQUIRE_BUILT(dmm_scan_by_key_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n), every = 1 + fuzz_below(300);
        unsigned char *const flags = allocate(n), *const in = allocate(n * bytes),
                             *const out = allocate(n * bytes);
        const uint64_t identity = integer_identity(d.op, type);
        uint64_t temp = 0, sum = identity;
        fuzz_call call;
        test_note(
            "scan of marked runs, n=%llu of %llu", (unsigned long long)used, (unsigned long long)n);
        random_bytes(&fuzz.random, in, n * bytes);
        for (uint64_t j = 0; j < n; j++)
            flags[j] = (unsigned char)(fuzz_below(every) == 0 ? 1 + fuzz_below(255) : 0);
        for (uint64_t j = 0; j < used; j++) {
            sum = flags[j] ? identity : sum;
            const uint64_t next = integer_combine(d.op, type, sum, integer_get(in, j, bytes));
            integer_put(out, j, bytes, d.exclusive ? sum : next);
            sum = next;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_by_key_temp_bytes(&temp, scan, n));
        const dmm_scan_by_key_args args = {.keys_in = fuzz_in(&call, flags, n, 1),
            .in = fuzz_in(&call, in, n, bytes),
            .out = fuzz_out(&call, out, n, used, bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n)};
        REQUIRE_OK(dmm_scan_by_key_enqueue(scan, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(flags);
        free(in);
        free(out);
    }
    dmm_scan_by_key_free(scan);
}

void fuzz_columns(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {lexsort, lexsort, take, positions, edges, heads};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
