/* SPDX-License-Identifier: MIT */
/* Random calls whose input is computed (<dmm/map.h>), each beside a loop on the host. */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/fuzz_map.h"
#include "support/items.h"
#include "support/judge.h"

static uint64_t part_of(uint64_t n)
{
    return fuzz_coin() ? n : fuzz_below(n + 1);
}

/* Scans, half of them with an expression over the total. */
static void scan(dmm_tuning t)
{
    const int emits = fuzz_coin();
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    dmm_scan *scan = NULL;
    if (emits)
        fuzz_map_emit(m);
    const uint32_t bytes = m->made_bytes,
                   out_bytes = emits ? dmm_type_bytes(m->map.result.type) : bytes;
    const dmm_scan_desc d = {.type = type,
        .op = (dmm_scan_op)fuzz_below(3),
        .exclusive = fuzz_coin(),
        .tuning = t,
        .map = &m->map};
    fuzz_map_note("scan", m, 0);
    REQUIRE_BUILT(dmm_scan_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n);
        uint64_t temp = 0, sum = integer_identity(d.op, type);
        fuzz_map_fill(m, n);
        unsigned char *const out = allocate(n * out_bytes);
        const int in_place = m->bytes[0] == out_bytes && fuzz_coin();
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_note(emits ? m->out.text : "scan", m, used);
        for (uint64_t j = 0; j < used; j++) {
            const uint64_t next = integer_combine(d.op, type, sum, integer_get(m->made, j, bytes));
            const uint64_t total = d.exclusive ? sum : next;
            integer_put(out, j, out_bytes, emits ? fuzz_map_out(m, j, total) : total);
            sum = next;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_temp_bytes(&temp, scan, n));
        fuzz_map_give(&call, m, further);
        dmm_scan_args args = {.temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        args.in = in_place ? fuzz_in_place(&call, m->in[0], out, n, used, out_bytes)
                           : fuzz_in(&call, m->in[0], n, m->bytes[0]);
        args.out = in_place ? args.in : fuzz_out(&call, out, n, used, out_bytes);
        REQUIRE_OK(dmm_scan_enqueue(scan, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        fuzz_map_drain(m);
    }
    dmm_scan_free(scan);
    free(m);
}

static void reduce(dmm_tuning t)
{
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    dmm_reduce *reduce = NULL;
    const dmm_reduce_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .tuning = t, .map = &m->map};
    fuzz_map_note("reduce", m, 0);
    REQUIRE_BUILT(dmm_reduce_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n);
        uint64_t temp = 0, sum = integer_identity(d.op, type);
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_fill(m, n);
        fuzz_map_note("reduce", m, used);
        for (uint64_t j = 0; j < used; j++)
            sum = integer_combine(d.op, type, sum, integer_get(m->made, j, m->made_bytes));
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_temp_bytes(&temp, reduce, n));
        fuzz_map_give(&call, m, further);
        const dmm_reduce_args args = {.in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .out = fuzz_out(&call, &sum, 1, 1, m->made_bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        REQUIRE_OK(dmm_reduce_enqueue(reduce, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        fuzz_map_drain(m);
    }
    dmm_reduce_free(reduce);
    free(m);
}

/* Items of a selection: those for which an expression over the item and its inputs is odd, and in
 * a second list those of the others whose position is no multiple of three. */
static void selects(dmm_tuning t)
{
    fuzz_mapped *const m = fuzz_map_make(fuzz_map_type(), fuzz_coin() ? 0 : 3);
    dmm_select *select = NULL;
    const int has_second = fuzz_coin();
    const uint32_t value = fuzz_coin() ? 0 : 1 + (uint32_t)fuzz_below(16);
    const dmm_select_desc d = {.type = m->type,
        .where = m->map.further > 0 && m->map.y.type == DMM_U16 ? "(x ^ y) & 1" : "x & 1",
        .second = has_second ? "i % 3" : NULL,
        .value_bytes = value,
        .tuning = t,
        .map = &m->map};
    fuzz_map_note("select", m, 0);
    REQUIRE_BUILT(dmm_select_create(&select, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n), bytes = m->made_bytes;
        unsigned char *const values = allocate(n * value);
        unsigned char *items[3], *moved[3];
        uint64_t *const places = allocate(n * sizeof *places), counts[3] = {0}, temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_fill(m, n);
        fuzz_map_note("select", m, used);
        random_bytes(&fuzz.random, values, n * value);
        for (int list = 0; list < 3; list++) {
            items[list] = allocate(n * bytes);
            moved[list] = allocate(n * value);
        }
        for (uint64_t j = 0; j < used; j++) {
            unsigned odd = m->made[j * bytes];
            odd ^= strchr(d.where, 'y') != NULL ? m->in[1][j * m->bytes[1]] : 0;
            const int list = odd & 1 ? 0 : has_second && j % 3 != 0 ? 1 : 2;
            memcpy(items[list] + counts[list] * bytes, m->made + j * bytes, (size_t)bytes);
            memcpy(moved[list] + counts[list] * value, values + j * value, value);
            if (list == 0)
                places[counts[0]] = j;
            counts[list]++;
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_select_temp_bytes(&temp, select, n));
        fuzz_map_give(&call, m, further);
        const dmm_select_second second = {
            .items_out = fuzz_out(&call, items[1], has_second ? n : 0, counts[1], bytes),
            .values_out = fuzz_out(&call, moved[1], has_second ? n : 0, counts[1], value),
            .selected_out = fuzz_out(&call, &counts[1], has_second ? 1 : 0, 1, sizeof counts[1])};
        const dmm_select_args args = {.items_in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .values_in = fuzz_in(&call, values, n, value),
            .items_out = fuzz_out(&call, items[0], n, counts[0], bytes),
            .values_out = fuzz_out(&call, moved[0], n, counts[0], value),
            .positions_out =
                fuzz_coin() ? DMM_NONE : fuzz_out(&call, places, n, counts[0], sizeof *places),
            .rest_out = fuzz_coin() ? DMM_NONE : fuzz_out(&call, items[2], n, counts[2], bytes),
            .selected_out = fuzz_out(&call, &counts[0], 1, 1, sizeof counts[0]),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further,
            .second_out = has_second ? &second : NULL};
        REQUIRE_OK(dmm_select_enqueue(select, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        for (int list = 0; list < 3; list++) {
            free(items[list]);
            free(moved[list]);
        }
        free(values);
        free(places);
        fuzz_map_drain(m);
    }
    dmm_select_free(select);
    free(m);
}

static void unique(dmm_tuning t)
{
    fuzz_mapped *const m = fuzz_map_make(fuzz_map_type(), fuzz_coin() ? 0 : 1 + fuzz_below(4));
    dmm_unique *unique = NULL;
    m->map.result.type = m->type;
    const dmm_unique_desc d = {.key_bytes = m->made_bytes, .tuning = t, .map = &m->map};
    fuzz_map_note("unique", m, 0);
    REQUIRE_BUILT(dmm_unique_create(&unique, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n);
        const uint32_t bytes = m->made_bytes;
        fuzz_map_fill(m, n);
        unsigned char *const out = allocate(n * bytes);
        uint64_t *const starts = allocate(n * sizeof *starts), runs = 0, temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_note("unique", m, used);
        for (uint64_t j = 0; j < used; j++)
            if (j == 0 || !same_item(m->made, j, m->made, j - 1, bytes)) {
                memcpy(out + runs * bytes, m->made + j * bytes, bytes);
                starts[runs++] = j;
            }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_unique_temp_bytes(&temp, unique, n));
        fuzz_map_give(&call, m, further);
        const dmm_unique_args args = {.keys_in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .keys_out = fuzz_out(&call, out, n, runs, bytes),
            .starts_out = fuzz_coin() ? DMM_NONE : fuzz_out(&call, starts, n, runs, sizeof *starts),
            .runs_out = fuzz_out(&call, &runs, 1, 1, sizeof runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        REQUIRE_OK(dmm_unique_enqueue(unique, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        free(starts);
        fuzz_map_drain(m);
    }
    dmm_unique_free(unique);
    free(m);
}

static void histogram(dmm_tuning t)
{
    static const dmm_type types[] = {DMM_U8, DMM_U16, DMM_U32};
    const dmm_type type = FUZZ_ONE_OF(types);
    const uint64_t most = type == DMM_U8 ? 256 : fuzz_coin() ? 1000 : 65536;
    dmm_histogram *histogram = NULL;
    dmm_histogram_desc d = {.type = type,
        .bins = 1 + (uint32_t)fuzz_below(most),
        .channels = 1 + (uint32_t)fuzz_below(3),
        .tuning = t};
    fuzz_mapped *const m = fuzz_map_make(type, d.bins);
    d.map = &m->map;
    fuzz_map_note("histogram", m, 0);
    REQUIRE_BUILT(dmm_histogram_create(&histogram, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size() / d.channels, used = part_of(n),
                       places = (uint64_t)d.channels * d.bins;
        uint64_t *const counts = allocate(places * sizeof *counts), temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_fill(m, n * d.channels);
        fuzz_map_note("histogram", m, used);
        for (uint64_t j = 0; j < used * d.channels; j++)
            counts[j % d.channels * d.bins + integer_get(m->made, j, m->made_bytes)]++;
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_histogram_temp_bytes(&temp, histogram, n));
        fuzz_map_give(&call, m, further);
        const dmm_histogram_args args = {.labels = fuzz_in(&call, m->in[0], m->n, m->bytes[0]),
            .counts_out = fuzz_out(&call, counts, places, places, sizeof *counts),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        REQUIRE_OK(dmm_histogram_enqueue(histogram, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(counts);
        fuzz_map_drain(m);
    }
    dmm_histogram_free(histogram);
    free(m);
}

static void sort(dmm_tuning t)
{
    static const dmm_sort_method methods[] = {DMM_SORT_AUTO, DMM_SORT_MERGE, DMM_SORT_RADIX};
    sort_setup s = fuzz_items(t);
    fuzz_mapped *const m = fuzz_map_make(fuzz_map_type(), fuzz_coin() ? 0 : 100);
    s.k = kind_named(dmm_type_name(m->type));
    if (fuzz_coin())
        s.k = kind_descending(s.k);
    dmm_sort_desc d = sort_desc_of(&s);
    d.method = FUZZ_ONE_OF(methods);
    d.map = &m->map;
    fuzz_map_note("sort", m, 0);
    dmm_sort *const sort = sort_build_desc(&fuzz.r, &d);
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n), bytes = m->made_bytes;
        fuzz_map_fill(m, n);
        unsigned char *const keys = allocate(n * bytes), *const moved = allocate(n * s.value_bytes);
        void *const values = sort_values(&s, n, &fuzz.random);
        const int in_place = m->bytes[0] == bytes && fuzz_coin();
        uint64_t temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_note("sort", m, used);
        oracle_sort(&s.k, &(rows){m->made, values, used, s.value_bytes}, keys, moved);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_sort_temp_bytes(&temp, sort, n));
        fuzz_map_give(&call, m, further);
        dmm_sort_args args = {
            .values_in = s.argsort ? DMM_NONE : fuzz_in(&call, values, n, s.value_bytes),
            .values_out = fuzz_out(&call, moved, n, used, s.value_bytes),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        args.keys_in = in_place ? fuzz_in_place(&call, m->in[0], keys, n, used, bytes)
                                : fuzz_in(&call, m->in[0], n, m->bytes[0]);
        args.keys_out = in_place ? args.keys_in : fuzz_out(&call, keys, n, used, bytes);
        REQUIRE_OK(dmm_sort_enqueue(sort, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(keys);
        free(moved);
        free(values);
        fuzz_map_drain(m);
    }
    dmm_sort_free(sort);
    free(m);
}

/* By labels: each bucket in the order of the input. */
static void partition(dmm_tuning t)
{
    sort_setup s = fuzz_items(t);
    fuzz_mapped *const m = fuzz_map_make(fuzz_map_type(), 0);
    dmm_partition *partition = NULL;
    dmm_partition_desc d = {.ways = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 16 : 300),
        .by = DMM_PARTITION_BY_LABELS,
        .order = {.type = m->type},
        .value_bytes = s.value_bytes,
        .label_bytes = 4,
        .tuning = s.tuning,
        .map = &m->map};
    d.tuning.search = DMM_TILE_SEARCH_DEFAULT;
    fuzz_map_note("partition", m, 0);
    REQUIRE_BUILT(dmm_partition_create(&partition, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = part_of(n), bytes = m->made_bytes,
                       value = d.value_bytes;
        fuzz_map_fill(m, n);
        unsigned char *const items = allocate(n * bytes), *const values = allocate(n * value),
                             *const moved = allocate(n * value);
        uint32_t *const labels = allocate(n * sizeof *labels);
        uint64_t *const offsets = allocate((d.ways + 1) * sizeof *offsets), at = 0, temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_note("partition", m, used);
        random_bytes(&fuzz.random, values, n * value);
        for (uint64_t j = 0; j < n; j++)
            labels[j] = (uint32_t)fuzz_below(d.ways);
        for (uint32_t way = 0; way < d.ways; way++) {
            offsets[way] = at;
            for (uint64_t j = 0; j < used; j++)
                if (labels[j] == way) {
                    memcpy(items + at * bytes, m->made + j * bytes, (size_t)bytes);
                    memcpy(moved + at++ * value, values + j * value, (size_t)value);
                }
        }
        offsets[d.ways] = at;
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_partition_temp_bytes(&temp, partition, n));
        fuzz_map_give(&call, m, further);
        const dmm_partition_args args = {.items_in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .values_in = fuzz_in(&call, values, n, value),
            .by = fuzz_in(&call, labels, n, sizeof *labels),
            .items_out = fuzz_out(&call, items, n, used, bytes),
            .values_out = fuzz_out(&call, moved, n, used, value),
            .offsets_out = fuzz_out(&call, offsets, d.ways + 1, d.ways + 1, sizeof *offsets),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        REQUIRE_OK(dmm_partition_enqueue(partition, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        void *const arrays[] = {items, values, moved, labels, offsets};
        for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
            free(arrays[a]);
        fuzz_map_drain(m);
    }
    dmm_partition_free(partition);
    free(m);
}

void fuzz_maps(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {
        scan, reduce, selects, unique, histogram, sort, partition};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
