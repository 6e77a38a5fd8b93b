/* SPDX-License-Identifier: MIT */
/*
 * Random calls of segmented forms, with offsets or rows of one length. Offsets lie anywhere, beyond
 * the items, too, and now and then do not ascend; then results are those that the headers promise,
 * if any, and nothing else is written.
 */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/items.h"

/* Segments of n items. */
typedef struct segments {
    uint64_t n, count;
    dmm_type type;
    int ascend, is_rows;
    uint64_t *offsets; /* count + 1, at most n each */
    void *given;       /* as a call takes them; NULL for rows */
} segments;

static int compare_offsets(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static segments make(void)
{
    segments s = {.n = fuzz_size(), .is_rows = fuzz_coin(), .ascend = 1};
    const uint64_t length = fuzz_below(fuzz_coin() ? 40 : 3000);
    s.type = fuzz_coin() ? DMM_U32 : DMM_U64;
    s.count = s.is_rows ? 1 + s.n / (length + 1) : fuzz_below(fuzz_coin() ? 8 : s.n + 2);
    s.n = s.is_rows ? s.count * length : s.n;
    s.offsets = allocate((s.count + 1) * sizeof *s.offsets);
    for (uint64_t i = 0; i <= s.count; i++)
        s.offsets[i] = s.is_rows ? i * length : fuzz_below(s.n + 1);
    if (s.is_rows)
        return s;
    if (fuzz_below(4) == 0 && s.count > 0)
        s.offsets[fuzz_below(s.count + 1)] = fuzz_coin() ? UINT32_MAX : s.n + fuzz_below(9);
    if (fuzz_below(4) > 0)
        qsort(s.offsets, (size_t)s.count + 1, sizeof *s.offsets, compare_offsets);
    s.given = allocate((s.count + 1) * dmm_type_bytes(s.type));
    for (uint64_t i = 0; i <= s.count; i++) {
        integer_put(s.given, i, dmm_type_bytes(s.type), s.offsets[i]);
        s.ascend = s.ascend && (i == 0 || s.offsets[i - 1] <= s.offsets[i]);
        s.offsets[i] = s.offsets[i] < s.n ? s.offsets[i] : s.n;
    }
    return s;
}

static dmm_span offsets_of(fuzz_call *c, const segments *s)
{
    return s->is_rows ? DMM_NONE : fuzz_in(c, s->given, s->count + 1, dmm_type_bytes(s->type));
}

static void release(segments *s)
{
    free(s->offsets);
    free(s->given);
}

/* Returns other segments in place of these, with offsets of the same type. */
static segments make_again(segments s)
{
    const dmm_type same = s.type;
    do {
        release(&s);
        s = make();
    } while (s.type != same);
    return s;
}

static void note(const char *word, const segments *s)
{
    test_note("%s, n=%llu, %llu %s of %s%s", word, (unsigned long long)s->n,
        (unsigned long long)s->count, s->is_rows ? "rows" : "segments", dmm_type_name(s->type),
        s->ascend ? "" : ", not ascending");
}

/* Scans what lies between any two offsets. */
static void scan(dmm_tuning t)
{
    dmm_scan_segmented *scan = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    dmm_scan_segmented_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .exclusive = fuzz_coin(), .tuning = t};
    segments s = make();
    d.offset_type = s.type;
    REQUIRE_BUILT(dmm_scan_segmented_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        unsigned char *const in = allocate(s.n * bytes), *const out = allocate(s.n * bytes),
                             *const heads = allocate(s.n + 1);
        const uint64_t identity = integer_identity(d.op, type);
        uint64_t temp = 0, sum = identity;
        const int in_place = fuzz_coin();
        fuzz_call call;
        note("scan of segments", &s);
        random_bytes(&fuzz.random, in, s.n * bytes);
        for (uint64_t j = 0; j <= s.count; j++)
            heads[s.offsets[j]] = 1;
        for (uint64_t j = 0; j < s.n; j++) {
            sum = heads[j] ? identity : sum;
            const uint64_t next = integer_combine(d.op, type, sum, integer_get(in, j, bytes));
            integer_put(out, j, bytes, d.exclusive ? sum : next);
            sum = next;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_segmented_temp_bytes(&temp, scan, s.n, s.count));
        dmm_scan_segmented_args args = {
            .offsets = offsets_of(&call, &s), .temp = fuzz_temp(&call, temp)};
        args.in = in_place ? fuzz_in_place(&call, in, out, s.n, s.n, bytes)
                           : fuzz_in(&call, in, s.n, bytes);
        args.out = in_place ? args.in : fuzz_out(&call, out, s.n, s.n, bytes);
        REQUIRE_OK(
            dmm_scan_segmented_enqueue(scan, call.r->queue, &args, s.n, s.count, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(in);
        free(out);
        free(heads);
        s = make_again(s);
    }
    release(&s);
    dmm_scan_segmented_free(scan);
}

static void reduce(dmm_tuning t)
{
    dmm_reduce_segmented *reduce = NULL;
    const dmm_type type = integer_type();
    const uint32_t bytes = integer_bytes(type);
    dmm_reduce_segmented_desc d = {.type = type, .op = (dmm_scan_op)fuzz_below(3), .tuning = t};
    segments s = make();
    d.offset_type = s.type;
    REQUIRE_BUILT(dmm_reduce_segmented_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        unsigned char *const in = allocate(s.n * bytes), *const out = allocate(s.count * bytes);
        uint64_t temp = 0;
        fuzz_call call;
        note("sums of segments", &s);
        random_bytes(&fuzz.random, in, s.n * bytes);
        for (uint64_t j = 0; j < s.count && s.ascend; j++) {
            uint64_t sum = integer_identity(d.op, type);
            for (uint64_t k = s.offsets[j]; k < s.offsets[j + 1]; k++)
                sum = integer_combine(d.op, type, sum, integer_get(in, k, bytes));
            integer_put(out, j, bytes, sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_segmented_temp_bytes(&temp, reduce, s.n, s.count));
        const dmm_reduce_segmented_args args = {.in = fuzz_in(&call, in, s.n, bytes),
            .offsets = offsets_of(&call, &s),
            .out = fuzz_out(&call, s.ascend ? out : NULL, s.count, s.count, bytes),
            .temp = fuzz_temp(&call, temp)};
        REQUIRE_OK(dmm_reduce_segmented_enqueue(
            reduce, call.r->queue, &args, s.n, s.count, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(in);
        free(out);
        s = make_again(s);
    }
    release(&s);
    dmm_reduce_segmented_free(reduce);
}

/* Keys of a call of topk, for compare_rows. */
static struct {
    const kind *k;
    const unsigned char *keys;
} order;

static int compare_rows(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    const int sign =
        kind_compare(order.k, order.keys + x * order.k->bytes, order.keys + y * order.k->bytes);
    return sign != 0 ? sign : (x > y) - (x < y);
}

/* Writes the first keys and values of each segment into arrays of what is there before. */
static void first_of_each(const segments *s, const dmm_topk_segmented_desc *d, const kind *k,
    const unsigned char *keys, const unsigned char *values, unsigned char *keys_out,
    unsigned char *values_out)
{
    uint64_t *const rows = allocate(s->n * sizeof *rows);
    order.k = k;
    order.keys = keys;
    for (uint64_t i = 0; i < s->n; i++)
        rows[i] = i;
    for (uint64_t j = 0; j < s->count; j++) {
        const uint64_t at = s->offsets[j], length = s->offsets[j + 1] - at;
        qsort(rows + at, (size_t)length, sizeof *rows, compare_rows);
        for (uint64_t i = 0; i < length && i < d->k; i++) {
            const uint64_t row = rows[at + i], to = j * d->k + i, in_segment = row - at;
            memcpy(keys_out + to * k->bytes, keys + row * k->bytes, k->bytes);
            memcpy(values_out + to * d->value_bytes,
                d->argsort ? (const unsigned char *)&in_segment : values + row * d->value_bytes,
                d->value_bytes);
        }
    }
    free(rows);
}

static void topk(dmm_tuning t)
{
    const sort_setup items = fuzz_items(t);
    const kind *const k = &items.k;
    segments s = make();
    dmm_topk_segmented *topk = NULL;
    const dmm_topk_segmented_desc d = {.order = k->order,
        .k = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 40 : 5),
        .value_bytes = items.value_bytes,
        .argsort = items.argsort,
        .offset_type = s.type,
        .tuning = items.tuning};
    REQUIRE_BUILT(dmm_topk_segmented_create(&topk, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t places = s.count * d.k;
        unsigned char *const keys = allocate(s.n * k->bytes),
                             *const values = allocate(s.n * d.value_bytes),
                             *const keys_out = allocate(places * k->bytes),
                             *const values_out = allocate(places * d.value_bytes);
        dmm_report report = {0};
        uint64_t temp = 0;
        fuzz_call call;
        char word[96];
        snprintf(word, sizeof word, "first %u of segments of %s, values of %u%s", d.k, k->name,
            d.value_bytes, d.argsort ? ", argsort" : "");
        note(word, &s);
        kind_fill(k, (shape)fuzz_below(SHAPE_COUNT), keys, s.n, &fuzz.random);
        random_bytes(&fuzz.random, values, s.n * d.value_bytes);
        random_bytes(&fuzz.random, keys_out, places * k->bytes);
        random_bytes(&fuzz.random, values_out, places * d.value_bytes);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_topk_segmented_temp_bytes(&temp, topk, s.n, s.count));
        dmm_topk_segmented_args args = {.keys_in = fuzz_in(&call, keys, s.n, k->bytes),
            .values_in = d.argsort ? DMM_NONE : fuzz_in(&call, values, s.n, d.value_bytes),
            .offsets = offsets_of(&call, &s),
            .temp = fuzz_temp(&call, temp),
            .report_out = fuzz_out(&call, NULL, 1, 1, sizeof report)};
        const size_t at = call.count - 1;
        if (s.ascend) { /* places without an item keep what they have */
            args.keys_out = fuzz_in(&call, keys_out, places, k->bytes);
            args.values_out = fuzz_in(&call, values_out, places, d.value_bytes);
            first_of_each(&s, &d, k, keys, values, keys_out, values_out);
        } else {
            args.keys_out = fuzz_out(&call, NULL, places, places, k->bytes);
            args.values_out = fuzz_out(&call, NULL, places, places, d.value_bytes);
        }
        REQUIRE_OK(
            dmm_topk_segmented_enqueue(topk, call.r->queue, &args, s.n, s.count, 0, NULL, NULL));
        REQUIRE_OK(clFinish(call.r->queue));
        zone_read(call.r, &call.spans[at].z, &report);
        REQUIRE(report.code == (uint32_t)(s.ascend ? DMM_OK : DMM_BAD_DATA));
        fuzz_call_end(&call);
        void *const arrays[] = {keys, values, keys_out, values_out};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]);
        s = make_again(s);
    }
    release(&s);
    dmm_topk_segmented_free(topk);
}

void fuzz_segmented(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {scan, reduce, topk};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
