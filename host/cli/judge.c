/* SPDX-License-Identifier: MIT */
/* Judges results: order by ranks, contents by fingerprints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/hash.clh"
#include "judge.h"
#include "number.h"
#include "option.h"
#include "progress.h"

/* Chains the bytes, eight at a time. */
static void absorb(cli_fingerprint *state, const void *data, uint32_t bytes)
{
    const char *at = data;
    while (bytes > 0) {
        uint64_t word = 0;
        uint32_t part = bytes < 8 ? bytes : 8;
        memcpy(&word, at, part);
        state->a = dmm_mix(state->a + word);
        state->b = dmm_mix(state->b ^ word) + state->a;
        at += part;
        bytes -= part;
    }
}

void cli_add_fingerprint(cli_fingerprint *sum, const cli_array *keys, const cli_array *values)
{
    const char *key = keys->data;
    const char *value = values ? values->data : NULL;
    for (size_t i = 0; i < keys->count; i++, key += keys->item_bytes) {
        cli_fingerprint one = {DMM_GOLDEN, 0xD1B54A32D192ED03u};
        absorb(&one, key, keys->item_bytes);
        if (values)
            absorb(&one, value + i * values->item_bytes, values->item_bytes);
        sum->a += one.a;
        sum->b += one.b;
    }
}

static uint64_t load(const void *item, uint32_t bytes)
{
    uint64_t word = 0;
    memcpy(&word, item, bytes);
    return word;
}

/* Returns a number that grows with the order of `type`: as unsigned numbers of the type's width. */
static uint64_t place_of(const void *item, dmm_type type, uint32_t bytes, bool descending)
{
    uint64_t word = load(item, bytes);
    uint64_t sign = 1ULL << (8 * bytes - 1);
    uint64_t all = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t infinity = type == DMM_F16 ? 0x7C00 : type == DMM_F32 ? 0x7F800000 : 0x7FFULL << 52;
    uint64_t nans = cli_is_float(type) ? (all >> 1) - infinity : 0; /* NaNs of one sign */
    if (cli_is_float(type))
        word = word & sign ? ~word & all : word | sign;
    else if (cli_is_signed(type))
        word ^= sign;
    return ((descending ? all - word : word) - nans) & all; /* the first NaNs become the last */
}

uint64_t cli_place_of(const void *item, dmm_type type, bool descending)
{
    return place_of(item, type, dmm_type_bytes(type), descending);
}

/* The same, but NaNs are all equal. */
static uint64_t rank(const void *item, dmm_type type, uint32_t bytes, bool descending)
{
    uint64_t all = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t infinity = type == DMM_F16 ? 0x7C00 : type == DMM_F32 ? 0x7F800000 : 0x7FFULL << 52;
    if (cli_is_float(type) && (load(item, bytes) & all >> 1) > infinity)
        return UINT64_MAX;
    return place_of(item, type, bytes, descending);
}

bool cli_is_ordered(const cli_array *keys, bool descending, size_t *at)
{
    const char *item = keys->data;
    uint64_t before = 0;
    for (size_t i = 0; i < keys->count; i++, item += keys->item_bytes) {
        uint64_t now = rank(item, keys->type, keys->item_bytes, descending);
        if (now < before) {
            *at = i;
            return false;
        }
        before = now;
    }
    return true;
}

/* Items from one report to the next; a list that has no more is checked without. */
enum { SLICE = 1 << 20 };

/* Returns a view of up to SLICE items. */
static cli_array slice_of(const cli_array *array, size_t from)
{
    const size_t left = array->count - from;
    cli_array slice = *array;
    slice.data = (char *)array->data + from * array->item_bytes;
    slice.count = left < SLICE ? left : SLICE;
    return slice;
}

static void begin_slices(const char *label, size_t count)
{
    if (count > SLICE)
        cli_progress_items(label, count);
}

bool cli_check_order(const cli_array *keys, bool descending, size_t *at)
{
    begin_slices("checking", keys->count);
    for (size_t from = 0; from < keys->count; from += SLICE - 1) { /* neighbours share a key */
        const cli_array slice = slice_of(keys, from);
        if (!cli_is_ordered(&slice, descending, at)) {
            *at += from;
            return false;
        }
        cli_progress_step(from + slice.count);
    }
    return true;
}

void cli_sum_items(cli_fingerprint *sum, const cli_array *keys, const cli_array *values)
{
    begin_slices("summing", keys->count);
    for (size_t from = 0; from < keys->count; from += SLICE) {
        const cli_array k = slice_of(keys, from);
        cli_array v = {.count = 0};
        if (values)
            v = slice_of(values, from);
        cli_add_fingerprint(sum, &k, values ? &v : NULL);
        cli_progress_step(from + k.count);
    }
}

void cli_warn_of_nans(const cli_array *keys)
{
    const char *item = keys->data;
    size_t nans = 0;
    if (keys->type != DMM_F32 && keys->type != DMM_F64)
        return; /* f16 keys are compared as ushort */
    for (size_t i = 0; i < keys->count; i++, item += keys->item_bytes)
        nans += rank(item, keys->type, keys->item_bytes, false) == UINT64_MAX;
    if (nans == 0)
        return;
    cli_progress_end();
    fprintf(stderr,
        "dmm: %s: --less: %zu of %zu keys are NaN: unless it orders them, the order of the result "
        "is "
        "unspecified\n",
        cli_global.command, nans, keys->count);
}

bool cli_judge_order(const cli_array *keys, bool descending, cli_error *error)
{
    size_t at = 0;
    return cli_check_order(keys, descending, &at) ||
           cli_fail(error, CLI_CHECK_FAILED, "--check", "key %zu (from 0) is out of order", at);
}

bool cli_judge_items(const cli_array *keys, const cli_array *values,
    const cli_fingerprint *expected, cli_error *error)
{
    cli_fingerprint sum = {0, 0};
    cli_sum_items(&sum, keys, values);
    return (sum.a == expected->a && sum.b == expected->b) ||
           cli_fail(
               error, CLI_CHECK_FAILED, "--check", "the result holds other items than the input");
}

bool cli_judge(const cli_array *keys, const cli_array *values, bool descending,
    const cli_fingerprint *expected, cli_error *error)
{
    return cli_judge_order(keys, descending, error) &&
           cli_judge_items(keys, values, expected, error);
}

bool cli_judge_set(const cli_array lists[3], unsigned keeps, bool descending, cli_error *error)
{
    const cli_array *const a = &lists[0], *const b = &lists[1], *const out = &lists[2];
    const uint32_t bytes = a->item_bytes;
    const char *x = a->data, *y = b->data, *kept = out->data;
    const char *const x_end = x + a->count * bytes, *const y_end = y + b->count * bytes;
    const char *const end = kept + out->count * bytes;
    begin_slices("checking", a->count + b->count);
    while (x < x_end || y < y_end) {
        const uint64_t at_x = x < x_end ? place_of(x, a->type, bytes, descending) : 0;
        const uint64_t at_y = y < y_end ? place_of(y, a->type, bytes, descending) : 0;
        const bool only_a = y == y_end || (x < x_end && at_x < at_y);
        const bool only_b = !only_a && (x == x_end || at_y < at_x);
        const unsigned what = only_a ? CLI_KEEPS_A : only_b ? CLI_KEEPS_B : CLI_KEEPS_PAIRS;
        if (keeps & what) {
            if (kept == end || memcmp(kept, only_b ? y : x, bytes) != 0)
                return cli_fail(error, CLI_CHECK_FAILED, "--check", "key %zu (from 0) is wrong",
                    (size_t)(kept - (const char *)out->data) / bytes);
            kept += bytes;
        }
        x += only_b ? 0 : bytes;
        y += only_a ? 0 : bytes;
        cli_progress_step(
            (size_t)(x - (const char *)a->data + (y - (const char *)b->data)) / bytes);
    }
    return kept == end || cli_fail(error, CLI_CHECK_FAILED, "--check", "there are too many keys");
}

bool cli_judge_argsort(
    const cli_array *before, const cli_array *after, const cli_array *indices, cli_error *error)
{
    size_t n = before->count;
    uint32_t bytes = before->item_bytes;
    uint64_t previous = 0;
    bool right = true;
    unsigned char *seen = calloc(n / 8 + 1, 1);
    if (!seen)
        return cli_fail_memory(error, NULL, n / 8 + 1);
    begin_slices("comparing", n);
    for (size_t i = 0; i < n && right; i++) {
        cli_progress_step(i);
        const char *key = (const char *)after->data + i * bytes;
        const char *item = (const char *)indices->data + i * indices->item_bytes;
        uint64_t index = load(item, indices->item_bytes);
        bool is_new = index < n && !(seen[index / 8] & 1u << index % 8);
        bool same = is_new && memcmp((const char *)before->data + index * bytes, key, bytes) == 0;
        bool tie = same && i > 0 && memcmp(key - bytes, key, bytes) == 0;
        right = same && !(tie && index < previous);
        if (!right)
            cli_fail(error, CLI_CHECK_FAILED, "--check", "index %zu (from 0) is wrong", i);
        else
            seen[index / 8] |= (unsigned char)(1u << index % 8);
        previous = index;
    }
    free(seen);
    return right;
}
