/* SPDX-License-Identifier: MIT */
/* Random calls on rows, runs and axes whose input is computed (<dmm/map.h>), each beside a loop on
 * the host. */
#include "support/fuzz.h"

#include <stdlib.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/fuzz_map.h"
#include "support/items.h"

/* Scans of rows, half of them with an expression over the total, in place where that may be. */
static void scan_rows(dmm_tuning t)
{
    const int emits = fuzz_coin();
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    dmm_scan_segmented *scan = NULL;
    if (emits)
        fuzz_map_emit(m);
    const uint32_t bytes = m->made_bytes,
                   out_bytes = emits ? dmm_type_bytes(m->map.result.type) : bytes;
    const dmm_scan_segmented_desc d = {.type = type,
        .op = (dmm_scan_op)fuzz_below(3),
        .exclusive = fuzz_coin(),
        .tuning = t,
        .map = &m->map};
    fuzz_map_note("scan of rows", m, 0);
    REQUIRE_BUILT(dmm_scan_segmented_create(&scan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t height = 1 + fuzz_below(20), row = fuzz_size() / height, n = height * row;
        uint64_t temp = 0, sum = 0;
        fuzz_map_fill(m, n);
        unsigned char *const out = allocate(n * out_bytes);
        const int in_place = m->bytes[0] == out_bytes && fuzz_coin();
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_note(emits ? m->out.text : "scan of rows", m, n);
        for (uint64_t j = 0; j < n; j++) {
            const uint64_t before = j % row == 0 ? integer_identity(d.op, type) : sum;
            sum = integer_combine(d.op, type, before, integer_get(m->made, j, bytes));
            const uint64_t total = d.exclusive ? before : sum;
            integer_put(out, j, out_bytes, emits ? fuzz_map_out(m, j, total) : total);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_scan_segmented_temp_bytes(&temp, scan, n, height));
        fuzz_map_give(&call, m, further);
        dmm_scan_segmented_args args = {.temp = fuzz_temp(&call, temp), .further = further};
        args.in = in_place ? fuzz_in_place(&call, m->in[0], out, n, n, out_bytes)
                           : fuzz_in(&call, m->in[0], n, m->bytes[0]);
        args.out = in_place ? args.in : fuzz_out(&call, out, n, n, out_bytes);
        REQUIRE_OK(
            dmm_scan_segmented_enqueue(scan, call.r->queue, &args, n, height, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        fuzz_map_drain(m);
    }
    dmm_scan_segmented_free(scan);
    free(m);
}

static void reduce_rows(dmm_tuning t)
{
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    dmm_reduce_segmented *reduce = NULL;
    const dmm_reduce_segmented_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .tuning = t, .map = &m->map};
    fuzz_map_note("reduce of rows", m, 0);
    REQUIRE_BUILT(dmm_reduce_segmented_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t height = 1 + fuzz_below(20), row = fuzz_size() / height, n = height * row;
        uint64_t temp = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        unsigned char *const out = allocate(height * m->made_bytes);
        fuzz_call call;
        fuzz_map_fill(m, n);
        fuzz_map_note("reduce of rows", m, n);
        for (uint64_t r = 0; r < height; r++) {
            uint64_t sum = integer_identity(d.op, type);
            for (uint64_t j = r * row; j < (r + 1) * row; j++)
                sum = integer_combine(d.op, type, sum, integer_get(m->made, j, m->made_bytes));
            integer_put(out, r, m->made_bytes, sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_segmented_temp_bytes(&temp, reduce, n, height));
        fuzz_map_give(&call, m, further);
        const dmm_reduce_segmented_args args = {.in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .out = fuzz_out(&call, out, height, height, m->made_bytes),
            .temp = fuzz_temp(&call, temp),
            .further = further};
        REQUIRE_OK(
            dmm_reduce_segmented_enqueue(reduce, call.r->queue, &args, n, height, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        fuzz_map_drain(m);
    }
    dmm_reduce_segmented_free(reduce);
    free(m);
}

/* Totals of runs of equal keys. */
static void reduce_by_key(dmm_tuning t)
{
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    const uint32_t bytes = m->made_bytes;
    dmm_reduce_by_key *reduce = NULL;
    const dmm_reduce_by_key_desc d = {
        .type = type, .op = (dmm_scan_op)fuzz_below(3), .tuning = t, .map = &m->map};
    fuzz_map_note("reduce by key", m, 0);
    REQUIRE_BUILT(dmm_reduce_by_key_create(&reduce, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t n = fuzz_size(), used = fuzz_coin() ? n : fuzz_below(n + 1);
        const uint64_t length = 1 + fuzz_below(40);
        uint32_t *const keys = allocate(n * sizeof *keys), *const kept = allocate(n * sizeof *kept);
        unsigned char *const out = allocate(n * bytes);
        uint64_t temp = 0, runs = 0, sum = 0;
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_fill(m, n);
        fuzz_map_note("reduce by key", m, used);
        for (uint64_t j = 0; j < n; j++)
            keys[j] = (j > 0 ? keys[j - 1] : 7) + (fuzz_below(length) == 0);
        for (uint64_t j = 0; j < used; j++) {
            if (j == 0 || keys[j] != keys[j - 1]) {
                kept[runs++] = keys[j];
                sum = integer_identity(d.op, type);
            }
            sum = integer_combine(d.op, type, sum, integer_get(m->made, j, bytes));
            integer_put(out, runs - 1, bytes, sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_reduce_by_key_temp_bytes(&temp, reduce, n));
        fuzz_map_give(&call, m, further);
        const dmm_reduce_by_key_args args = {.keys_in = fuzz_in(&call, keys, n, sizeof *keys),
            .in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .keys_out = fuzz_packed(&call, kept, n, runs, sizeof *kept),
            .out = fuzz_packed(&call, out, n, runs, bytes),
            .runs_out = fuzz_out(&call, &runs, 1, 1, sizeof runs),
            .temp = fuzz_temp(&call, temp),
            .count = fuzz_count(&call, used, n),
            .further = further};
        REQUIRE_OK(dmm_reduce_by_key_enqueue(reduce, call.r->queue, &args, n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(keys);
        free(kept);
        free(out);
        fuzz_map_drain(m);
    }
    dmm_reduce_by_key_free(reduce);
    free(m);
}

/* Reduces or scans lines of a view; half of the scans have an expression over the total. */
static void along_axis(dmm_tuning t)
{
    const int scans = fuzz_coin(), emits = scans && fuzz_coin();
    const dmm_type type = integer_type();
    fuzz_mapped *const m = fuzz_map_make(type, 0);
    dmm_axis *axis = NULL;
    if (emits)
        fuzz_map_emit(m);
    const uint32_t out_bytes = emits ? dmm_type_bytes(m->map.result.type) : m->made_bytes;
    const dmm_axis_desc d = {.work = scans ? DMM_AXIS_SCAN : DMM_AXIS_REDUCE,
        .axis = fuzz_coin(),
        .order = {.type = type},
        .op = (dmm_scan_op)fuzz_below(3),
        .exclusive = scans && fuzz_coin(),
        .tuning = t,
        .map = &m->map};
    fuzz_map_note("axis", m, 0);
    REQUIRE_BUILT(dmm_axis_create(&axis, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t size = fuzz_size(), one = 1 + fuzz_below(fuzz_coin() ? 9 : 300);
        const uint64_t rows = fuzz_coin() ? one : size / one, cols = rows == one ? size / one : one;
        const uint64_t wide = cols + (fuzz_coin() ? 0 : fuzz_below(9));
        const uint64_t n = rows != 0 && cols != 0 ? (rows - 1) * wide + cols : 0;
        const uint64_t lines = d.axis == 0 ? cols : rows, length = d.axis == 0 ? rows : cols;
        const uint64_t results = scans ? rows * cols : lines;
        uint64_t temp = 0;
        unsigned char *const out = allocate(results * out_bytes);
        dmm_span further[FUZZ_MOST_INPUTS - 1];
        fuzz_call call;
        fuzz_map_fill(m, n);
        fuzz_map_note(emits ? m->out.text : d.axis == 0 ? "axis 0" : "axis 1", m, n);
        for (uint64_t s = 0; s < lines; s++) {
            uint64_t sum = integer_identity(d.op, type);
            for (uint64_t j = 0; j < length; j++) {
                const uint64_t from = d.axis == 0 ? j * wide + s : s * wide + j;
                const uint64_t before = sum, item = integer_get(m->made, from, m->made_bytes);
                sum = integer_combine(d.op, type, sum, item);
                const uint64_t total = d.exclusive ? before : sum;
                if (scans)
                    integer_put(out, d.axis == 0 ? j * cols + s : s * cols + j, out_bytes,
                        emits ? fuzz_map_out(m, from, total) : total);
            }
            if (!scans)
                integer_put(out, s, out_bytes, sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_axis_temp_bytes(&temp, axis, rows, cols));
        fuzz_map_give(&call, m, further);
        const dmm_axis_args args = {.in = fuzz_in(&call, m->in[0], n, m->bytes[0]),
            .out = fuzz_out(&call, out, results, results, out_bytes),
            .temp = fuzz_temp(&call, temp),
            .in_stride = wide,
            .further = further};
        REQUIRE_OK(dmm_axis_enqueue(axis, call.r->queue, &args, rows, cols, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(out);
        fuzz_map_drain(m);
    }
    dmm_axis_free(axis);
    free(m);
}

void fuzz_map_lines(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {scan_rows, reduce_rows, reduce_by_key, along_axis};
    FUZZ_ONE_OF(words)(fuzz_below(3) == 0 ? (dmm_tuning){.form = t.form} : t);
}
