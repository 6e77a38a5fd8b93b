/* SPDX-License-Identifier: MIT */
/*
 * Random calls that combine sorted lists or move items to other places: sets, merges of many
 * lists, shuffles, layouts and searches in them, matrices, prepared permutations; and operators of
 * the caller's own.
 */
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/items.h"
#include "support/judge.h"
#include "support/merge_many_case.h"
#include "support/set_stream_case.h"

static uint32_t item_size(void)
{
    static const uint32_t bytes[] = {1, 2, 3, 4, 4, 8, 12, 16, 31, 256};
    return FUZZ_ONE_OF(bytes);
}

/* Both lists sorted, beside the oracle of the stream. */
static void set(dmm_tuning t)
{
    sort_setup s = fuzz_items(t);
    /* PoCL 3.1 keeps a group's arrays on a stack of 8 MiB: docs/records/drivers.md */
    if (s.k.bytes > 64)
        s.k = kind_named("u64");
    while (s.tuning.E > 1 && s.tuning.u * s.tuning.E * (s.k.bytes + s.value_bytes) > 1 << 16)
        s.tuning.E /= 2;
    dmm_set *set = NULL;
    const dmm_set_desc d = {.order = s.k.order,
        .op = (dmm_set_op)fuzz_below(4),
        .value_bytes = s.value_bytes,
        .tuning = s.tuning};
    REQUIRE_BUILT(dmm_set_create(&set, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        set_stream_case c = {.k = s.k,
            .op = d.op,
            .value_bytes = s.value_bytes,
            .n = {fuzz_below(1500), fuzz_below(1500)}};
        const uint64_t a = c.n[0], b = c.n[1], key = s.k.bytes;
        uint64_t temp = 0;
        fuzz_call call;
        set_stream_open(
            &c, (shape)fuzz_below(SHAPE_COUNT), fuzz_coin() ? 0 : 1 + fuzz_below(200), 1);
        set_stream_want(&c);
        test_note("set, operation %d, of %s, values of %u, %llu and %llu items", (int)d.op,
            s.k.name, d.value_bytes, (unsigned long long)a, (unsigned long long)b);
        const uint64_t most = d.op == DMM_SET_DIFFERENCE     ? a
                              : d.op == DMM_SET_INTERSECTION ? (a < b ? a : b)
                                                             : a + b;
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_set_temp_bytes(&temp, set, a + b));
        const dmm_set_args args = {.a_keys = fuzz_in(&call, c.keys[0], a, key),
            .a_values = fuzz_in(&call, c.values[0], a, d.value_bytes),
            .b_keys = fuzz_in(&call, c.keys[1], b, key),
            .b_values = c.drops_b ? DMM_NONE : fuzz_in(&call, c.values[1], b, d.value_bytes),
            .keys_out = fuzz_out(&call, c.wanted_keys, most, c.wanted, key),
            .values_out = fuzz_out(&call, c.wanted_values, most, c.wanted, d.value_bytes),
            .count_out = fuzz_out(&call, &c.wanted, 1, 1, sizeof c.wanted),
            .temp = fuzz_temp(&call, temp)};
        REQUIRE_OK(dmm_set_enqueue(set, call.r->queue, &args, a, b, 0, NULL, NULL));
        fuzz_call_end(&call);
        set_stream_close(&c);
    }
    dmm_set_free(set);
}

static void merge_many(dmm_tuning t)
{
    const segment_setup s = {fuzz_items(t), fuzz_coin() ? DMM_U32 : DMM_U64, 0};
    dmm_merge_many *const merge = many_build(&fuzz.r, &s, 0);
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const sort_case c = {.n = fuzz_size(),
            .input = (shape)fuzz_below(SHAPE_COUNT),
            .seed = random_next(&fuzz.random),
            .offset_items = fuzz_below(9),
            .temp_given = fuzz_coin()};
        many_check_cut(fuzz_queue(), merge, &s, &c, (cut)fuzz_below(CUT_COUNT));
    }
    dmm_merge_many_free(merge);
}

/* Items and values of a call that moves them by a bijection. */
typedef struct moved {
    uint64_t n, bytes[2];
    unsigned char *in[2], *out[2];
} moved;

static moved make(uint64_t n, uint32_t item_bytes, uint32_t value_bytes)
{
    moved m = {.n = n, .bytes = {item_bytes, value_bytes}};
    for (int k = 0; k < 2; k++) {
        m.in[k] = allocate(n * m.bytes[k]);
        m.out[k] = allocate(n * m.bytes[k]);
        random_bytes(&fuzz.random, m.in[k], n * m.bytes[k]);
    }
    return m;
}

static void move(moved *m, uint64_t from, uint64_t to)
{
    for (int k = 0; k < 2; k++)
        memcpy(m->out[k] + to * m->bytes[k], m->in[k] + from * m->bytes[k], (size_t)m->bytes[k]);
}

static void release(moved *m)
{
    for (int k = 0; k < 2; k++) {
        free(m->in[k]);
        free(m->out[k]);
    }
}

/* Whole orders and samples, in place and apart. */
static void shuffle(dmm_tuning t)
{
    dmm_shuffle *shuffle = NULL;
    const dmm_shuffle_desc d = {.item_bytes = item_size(),
        .value_bytes = fuzz_coin() ? 0 : item_size(),
        .tuning = {.form = t.form, .tile = t.tile}};
    REQUIRE_BUILT(dmm_shuffle_create(&shuffle, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        moved m = make(fuzz_size(), d.item_bytes, d.value_bytes);
        const uint64_t seed = random_next(&fuzz.random);
        const uint64_t count = fuzz_coin() ? 0 : fuzz_below(m.n + 1);
        const uint64_t written = count == 0 ? m.n : count;
        const int in_place = count == 0 && fuzz_coin();
        uint64_t temp = 0;
        fuzz_call call;
        test_note("shuffle of %u and %u bytes, n=%llu, count %llu, in place %d", d.item_bytes,
            d.value_bytes, (unsigned long long)m.n, (unsigned long long)count, in_place);
        for (uint64_t j = 0; j < written; j++)
            move(&m, dmm_shuffle_index(seed, m.n, j), j);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_shuffle_temp_bytes(&temp, shuffle, m.n));
        dmm_shuffle_args args = {.seed = seed, .count = count, .temp = fuzz_temp(&call, temp)};
        args.values_in = fuzz_in(&call, m.in[1], m.n, d.value_bytes);
        args.values_out = fuzz_out(&call, m.out[1], written, written, d.value_bytes);
        args.in = in_place ? fuzz_in_place(&call, m.in[0], m.out[0], m.n, m.n, d.item_bytes)
                           : fuzz_in(&call, m.in[0], m.n, d.item_bytes);
        args.out = in_place ? args.in : fuzz_out(&call, m.out[0], written, written, d.item_bytes);
        REQUIRE_OK(dmm_shuffle_enqueue(shuffle, call.r->queue, &args, m.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&m);
    }
    dmm_shuffle_free(shuffle);
}

/* To a layout or back. */
static void layout(dmm_tuning t)
{
    dmm_layout *layout = NULL;
    const dmm_layout_kind tree = (dmm_layout_kind)(DMM_LAYOUT_BST + fuzz_below(4));
    const dmm_layout_method method =
        tree == DMM_LAYOUT_BST ? (dmm_layout_method)fuzz_below(4) : DMM_LAYOUT_AUTO;
    const dmm_layout_desc d = {.item_bytes = item_size(),
        .value_bytes = fuzz_coin() ? 0 : item_size(),
        .kind = tree,
        .B = tree == DMM_LAYOUT_BTREE ? 1 + (uint32_t)fuzz_below(40) : 0,
        .back = fuzz_coin(),
        .method = method,
        .tuning = {.form = t.form}};
    REQUIRE_BUILT(dmm_layout_create(&layout, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        moved m = make(fuzz_size(), d.item_bytes, d.value_bytes);
        unsigned char *values = NULL;
        uint64_t temp = 0;
        fuzz_call call;
        test_note("layout %d, B %u, back %d, method %d, of %u and %u bytes, n=%llu", (int)tree, d.B,
            d.back, (int)method, d.item_bytes, d.value_bytes, (unsigned long long)m.n);
        for (uint64_t rank = 0; rank < m.n; rank++) {
            const uint64_t place = dmm_layout_index(tree, d.B, m.n, rank);
            move(&m, d.back ? place : rank, d.back ? rank : place);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_layout_temp_bytes(&temp, layout, m.n));
        dmm_layout_args args = {.temp = fuzz_temp(&call, temp)};
        args.items = fuzz_in_place(&call, m.in[0], m.out[0], m.n, m.n, d.item_bytes);
        values = call.copy;
        args.values = fuzz_in_place(&call, m.in[1], m.out[1], m.n, m.n, d.value_bytes);
        REQUIRE_OK(dmm_layout_enqueue(layout, call.r->queue, &args, m.n, 0, NULL, NULL));
        fuzz_call_end(&call);
        free(values);
        release(&m);
    }
    dmm_layout_free(layout);
}

static void transpose(dmm_tuning t)
{
    dmm_transpose *transpose = NULL;
    const dmm_transpose_desc d = {.item_bytes = item_size(), .tuning = {.form = t.form}};
    REQUIRE_BUILT(dmm_transpose_create(&transpose, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        const uint64_t wide = fuzz_coin() ? 200 : 20;
        const dmm_matrices s = {fuzz_below(wide), fuzz_below(wide), 1 + fuzz_below(3)};
        moved m = make(s.rows * s.cols * s.count, d.item_bytes, 0);
        const int in_place = fuzz_coin();
        uint64_t temp = 0;
        fuzz_call call;
        test_note("transpose of %u bytes, %llu by %llu, %llu of them, in place %d", d.item_bytes,
            (unsigned long long)s.rows, (unsigned long long)s.cols, (unsigned long long)s.count,
            in_place);
        for (uint64_t j = 0; j < m.n; j++) {
            const uint64_t matrix = j / (s.rows * s.cols) * s.rows * s.cols, at = j - matrix;
            move(&m, j, matrix + at % s.cols * s.rows + at / s.cols);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_transpose_temp_bytes(&temp, transpose, s));
        dmm_transpose_args args = {.temp = fuzz_temp(&call, temp)};
        args.in = in_place ? fuzz_in_place(&call, m.in[0], m.out[0], m.n, m.n, d.item_bytes)
                           : fuzz_in(&call, m.in[0], m.n, d.item_bytes);
        args.out = in_place ? args.in : fuzz_out(&call, m.out[0], m.n, m.n, d.item_bytes);
        REQUIRE_OK(dmm_transpose_enqueue(transpose, call.r->queue, &args, s, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&m);
    }
    dmm_transpose_free(transpose);
}

/* A prepared permutation: any, or one by a rule. */
static void plan(dmm_tuning t)
{
    const uint64_t height = 1 + fuzz_below(40);
    const dmm_plan_kind rule = (dmm_plan_kind)fuzz_below(DMM_PLAN_SHUFFLE + 1);
    const uint64_t n = rule == DMM_PLAN_BIT_REVERSAL ? 1u << fuzz_below(14)
                       : rule == DMM_PLAN_TRANSPOSE  ? height * (1 + fuzz_below(100))
                                                     : 1 + fuzz_size();
    uint64_t *const to = allocate(n * sizeof *to);
    dmm_permutation_plan *plan = NULL;
    dmm_permutation_plan_desc d = {.item_bytes = item_size(),
        .kind = rule,
        .n = n,
        .argument = rule == DMM_PLAN_TRANSPOSE ? height
                    : rule == DMM_PLAN_STRIDE  ? 1
                                               : random_next(&fuzz.random),
        .tuning = {.form = t.form}};
    if (rule == DMM_PLAN_INDEX || rule == DMM_PLAN_BIT_REVERSAL)
        d.argument = 0;
    for (uint64_t i = 0, bits = (uint64_t)__builtin_ctzll(n); i < n; i++) {
        to[i] = rule == DMM_PLAN_INDEX       ? dmm_shuffle_place(n, n, i)
                : rule == DMM_PLAN_TRANSPOSE ? i % (n / height) * height + i / (n / height)
                : rule == DMM_PLAN_STRIDE    ? i
                : rule == DMM_PLAN_SHUFFLE   ? dmm_shuffle_place(d.argument, n, i)
                                             : 0;
        for (uint64_t bit = 0; rule == DMM_PLAN_BIT_REVERSAL && bit < bits; bit++)
            to[i] |= (i >> bit & 1) << (bits - 1 - bit);
    }
    d.index = rule == DMM_PLAN_INDEX ? to : NULL;
    test_note(
        "plan of kind %d, n=%llu, items of %u", (int)rule, (unsigned long long)n, d.item_bytes);
    REQUIRE_BUILT(dmm_permutation_plan_create(&plan, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS / 2; i++) {
        moved m = make(n, d.item_bytes, 0);
        const int in_place = fuzz_coin();
        uint64_t temp = 0;
        fuzz_call call;
        for (uint64_t j = 0; j < n; j++)
            move(&m, j, to[j]);
        fuzz_call_begin(&call);
        REQUIRE_OK(dmm_permutation_plan_temp_bytes(&temp, plan));
        dmm_permutation_plan_args args = {.temp = fuzz_temp(&call, temp)};
        args.in = in_place ? fuzz_in_place(&call, m.in[0], m.out[0], n, n, d.item_bytes)
                           : fuzz_in(&call, m.in[0], n, d.item_bytes);
        args.out = in_place ? args.in : fuzz_out(&call, m.out[0], n, n, d.item_bytes);
        REQUIRE_OK(dmm_permutation_plan_enqueue(plan, call.r->queue, &args, 0, NULL, NULL));
        fuzz_call_end(&call);
        release(&m);
    }
    dmm_permutation_plan_free(plan);
    free(to);
}

/* Maps x -> m*x + c, one after the other: associative, not commutative. */
static void operators(dmm_tuning t)
{
    const dmm_operator own = {.item_bytes = 8,
        .item = "typedef struct { uint m, c; } dmm_item;",
        .combine = "(dmm_item){b.m * a.m, b.m * a.c + b.c}",
        .identity = "(dmm_item){1, 0}",
        .exact = fuzz_coin()};
    dmm_scan *scan = NULL;
    dmm_reduce *reduce = NULL;
    const dmm_scan_desc d = {.type = DMM_ITEM, .exclusive = fuzz_coin(), .tuning = t, .own = &own};
    const dmm_reduce_desc all = {.type = DMM_ITEM, .tuning = t, .own = &own};
    REQUIRE_BUILT(dmm_scan_create(&scan, fuzz.r.ctx, &d));
    REQUIRE_BUILT(dmm_reduce_create(&reduce, fuzz.r.ctx, &all));
    for (int i = 0; i < FUZZ_CALLS; i++) {
        moved m = make(fuzz_size(), 8, 0);
        const uint64_t used = fuzz_coin() ? m.n : fuzz_below(m.n + 1);
        const int scans = fuzz_coin();
        uint32_t sum[2] = {1, 0};
        uint64_t temp = 0;
        fuzz_call call;
        test_note("own operator, scans %d, exclusive %d, n=%llu of %llu", scans, d.exclusive,
            (unsigned long long)used, (unsigned long long)m.n);
        for (uint64_t j = 0; j < used; j++) {
            uint32_t next[2];
            memcpy(next, m.in[0] + j * sizeof next, sizeof next);
            const uint32_t with[2] = {next[0] * sum[0], next[0] * sum[1] + next[1]};
            memcpy(m.out[0] + j * sizeof sum, d.exclusive ? sum : with, sizeof sum);
            memcpy(sum, with, sizeof sum);
        }
        fuzz_call_begin(&call);
        REQUIRE_OK(scans ? dmm_scan_temp_bytes(&temp, scan, m.n)
                         : dmm_reduce_temp_bytes(&temp, reduce, m.n));
        const dmm_span in = fuzz_in(&call, m.in[0], m.n, sizeof sum),
                       given = fuzz_temp(&call, temp), count = fuzz_count(&call, used, m.n);
        if (scans) {
            const dmm_scan_args args = {.in = in,
                .out = fuzz_out(&call, m.out[0], m.n, used, sizeof sum),
                .temp = given,
                .count = count};
            REQUIRE_OK(dmm_scan_enqueue(scan, call.r->queue, &args, m.n, 0, NULL, NULL));
        } else {
            const dmm_reduce_args args = {.in = in,
                .out = fuzz_out(&call, sum, 1, 1, sizeof sum),
                .temp = given,
                .count = count};
            REQUIRE_OK(dmm_reduce_enqueue(reduce, call.r->queue, &args, m.n, 0, NULL, NULL));
        }
        fuzz_call_end(&call);
        release(&m);
    }
    dmm_reduce_free(reduce);
    dmm_scan_free(scan);
}

void fuzz_moves(dmm_tuning t)
{
    static void (*const words[])(dmm_tuning) = {
        set, merge_many, shuffle, layout, transpose, plan, operators};
    FUZZ_ONE_OF(words)(t);
}
