/* SPDX-License-Identifier: MIT */
/*
 * The self-test: small inputs, each primitive's blocking form, and an answer that the host computes
 * in the plainest way.
 */
#include <dmm/selftest.h>

#include <stdlib.h>
#include <string.h>

#include <dmm/merge.h>
#include <dmm/partition.h>
#include <dmm/scan.h>
#include <dmm/shuffle.h>
#include <dmm/sort.h>

#include "core/check.h"

enum { MOST_ITEMS = 70001, MOST_BYTES = 8 * MOST_ITEMS, WAYS = 33, SEED = 7 };

/* Few enough for one group; some tiles and a part of one; enough for several passes. */
static const uint64_t sizes[] = {1, 1021, MOST_ITEMS};

/* One check: keys and, for what moves along with them, where in the input each was. */
typedef struct trial {
    dmm_context *ctx;
    dmm_type type;
    uint32_t bytes; /* an item */
    uint64_t n;
    unsigned char input[MOST_BYTES], expected[MOST_BYTES], answer[MOST_BYTES];
    uint32_t expected_from[MOST_ITEMS], answer_from[MOST_ITEMS], spare[MOST_ITEMS];
} trial;

/* Random bits, every other item one of sixteen, so that there are ties; NaNs among floats. By the
 * generator of D. Knuth's MMIX ("The Art of Computer Programming" 2, section 3.3.4, table 1). */
static void fill(trial *t)
{
    uint64_t state = t->n;
    for (uint64_t i = 0; i < t->n; i++) {
        state = 6364136223846793005u * state + 1442695040888963407u;
        const uint64_t bits = state >> 32 | state << 32;
        const uint64_t item = i % 2 ? bits : (bits & 15) * 0x1111111111111111u;
        memcpy(t->input + i * t->bytes, &item, t->bytes);
    }
}

/* An item's bits; hosts are little-endian, as the devices are. */
static uint64_t bits_at(const trial *t, uint64_t index)
{
    uint64_t bits = 0;
    memcpy(&bits, t->input + index * t->bytes, t->bytes);
    return bits;
}

/* An item as a number that is ordered as <dmm/types.h> says. */
static uint64_t code_at(const trial *t, uint64_t index)
{
    const uint64_t bits = bits_at(t, index);
    const uint64_t sign = (uint64_t)1 << (8 * t->bytes - 1), all = sign | (sign - 1);
    const uint64_t infinity = t->type == DMM_F16   ? 0x7c00
                              : t->type == DMM_F32 ? 0x7f800000
                                                   : 0x7ff0000000000000;
    if (t->type == DMM_I8 || t->type == DMM_I16 || t->type == DMM_I32 || t->type == DMM_I64)
        return bits ^ sign;
    if (t->type < DMM_F16)
        return bits;
    const uint64_t ascending = bits & sign ? ~bits & all : bits | sign;
    return (ascending - (sign - 1 - infinity)) &
           all; /* NaNs of negative sign go from first to last */
}

/* Merges two runs of expected_from, stably. */
static void merge_runs(trial *t, uint64_t first, uint64_t middle, uint64_t end)
{
    uint32_t *const from = t->expected_from;
    uint64_t a = first, b = middle;
    for (uint64_t out = first; out < end; out++) {
        const int from_b = a == middle || (b < end && code_at(t, from[b]) < code_at(t, from[a]));
        t->spare[out] = from[from_b ? b++ : a++];
    }
    memcpy(from + first, t->spare + first, (end - first) * sizeof *from);
}

/* The items first .. end - 1 of the input in stable order. */
static void expect_sorted(trial *t, uint64_t first, uint64_t end)
{
    const uint64_t n = end - first;
    for (uint64_t i = first; i < end; i++)
        t->expected_from[i] = (uint32_t)i;
    for (uint64_t run = 1; run < n; run *= 2)
        for (uint64_t x = first; x + run < end; x += 2 * run)
            merge_runs(t, x, x + run, x + 2 * run < end ? x + 2 * run : end);
    for (uint64_t i = first; i < end; i++)
        memcpy(t->expected + i * t->bytes, t->input + t->expected_from[i] * t->bytes, t->bytes);
}

static dmm_status sort_by(trial *t, dmm_sort_method method)
{
    const dmm_sort_desc desc = {.order = {.type = t->type},
        .value_bytes = sizeof *t->answer_from,
        .argsort = 1,
        .method = method};
    expect_sorted(t, 0, t->n);
    memcpy(t->answer, t->input, t->n * t->bytes);
    return dmm_sort_host(t->ctx, &desc, t->answer, t->answer_from, (size_t)t->n);
}

static dmm_status sort_by_merge(trial *t)
{
    return sort_by(t, DMM_SORT_MERGE);
}

static dmm_status sort_by_radix(trial *t)
{
    return sort_by(t, DMM_SORT_RADIX);
}

/* The first third and the rest, each sorted; the values say where their items lie in the two lists. */
static dmm_status merge(trial *t)
{
    const dmm_merge_desc desc = {.order = {.type = t->type}, .value_bytes = sizeof *t->answer_from};
    const uint64_t na = t->n / 3, nb = t->n - na;
    expect_sorted(t, 0, na);
    expect_sorted(t, na, t->n);
    memcpy(t->input, t->expected, t->n * t->bytes);
    expect_sorted(t, 0, t->n);
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)i;
    const dmm_merge_host_args args = {.a_keys = t->input,
        .a_values = t->spare,
        .na = (size_t)na,
        .b_keys = t->input + na * t->bytes,
        .b_values = t->spare + na,
        .nb = (size_t)nb,
        .keys_out = t->answer,
        .values_out = t->answer_from};
    return dmm_merge_host(t->ctx, &desc, &args);
}

/* Items keep their numbers as values, which the answer begins with. */
static void number_answer(trial *t)
{
    memcpy(t->answer, t->input, t->n * t->bytes);
    for (uint64_t i = 0; i < t->n; i++)
        t->answer_from[i] = (uint32_t)i;
}

static void expect_item(trial *t, uint64_t place, uint64_t from)
{
    t->expected_from[place] = (uint32_t)from;
    memcpy(t->expected + place * t->bytes, t->input + from * t->bytes, t->bytes);
}

/* Labels are the lowest bits of the order, less the last bucket, which stays empty. */
static dmm_status partition(trial *t)
{
    const dmm_partition_desc desc = {
        .ways = WAYS, .order = {.type = t->type}, .value_bytes = sizeof *t->answer_from};
    uint64_t offsets[WAYS + 1], place = 0;
    const dmm_partition_host_args args = {
        .items = t->answer, .values = t->answer_from, .by = t->spare, .offsets = offsets};
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)(code_at(t, i) % (WAYS - 1));
    for (uint32_t bucket = 0; bucket < WAYS; bucket++)
        for (uint64_t i = 0; i < t->n; i++)
            if (t->spare[i] == bucket)
                expect_item(t, place++, i);
    number_answer(t);
    return dmm_partition_host(t->ctx, &desc, &args, (size_t)t->n);
}

static dmm_status shuffle(trial *t)
{
    const dmm_shuffle_desc desc = {.item_bytes = t->bytes, .value_bytes = sizeof *t->answer_from};
    for (uint64_t i = 0; i < t->n; i++)
        expect_item(t, i, dmm_shuffle_index(SEED, t->n, i));
    number_answer(t);
    return dmm_shuffle_host(t->ctx, &desc, SEED, t->answer, t->answer_from, (size_t)t->n);
}

/* Nothing moves along. */
static dmm_status scan(trial *t, dmm_scan_op op)
{
    const dmm_scan_desc desc = {.type = t->type, .op = op};
    uint64_t sum = 0, most = 0;
    for (uint64_t i = 0; i < t->n; i++) {
        sum += bits_at(t, i);
        most = code_at(t, i) > code_at(t, most) ? i : most;
        const uint64_t item = op == DMM_SCAN_SUM ? sum : bits_at(t, most);
        memcpy(t->expected + i * t->bytes, &item, t->bytes);
    }
    memset(t->expected_from, 0, sizeof t->expected_from);
    memset(t->answer_from, 0, sizeof t->answer_from);
    memcpy(t->answer, t->input, t->n * t->bytes);
    return dmm_scan_host(t->ctx, &desc, t->answer, (size_t)t->n);
}

static dmm_status scan_sums(trial *t)
{
    return scan(t, DMM_SCAN_SUM);
}

static dmm_status scan_maxima(trial *t)
{
    return scan(t, DMM_SCAN_MAX);
}

/* What is checked, and on which types: a bit each. */
typedef struct check {
    const char *primitive;
    dmm_status (*run)(trial *t); /* sets what is expected, and the answer */
    uint32_t types;
} check;

#define TYPE(t)  (1u << (t))
#define INTEGERS (TYPE(DMM_U8) | TYPE(DMM_U16) | TYPE(DMM_U32) | TYPE(DMM_U64))
#define ALL      (TYPE(DMM_ITEM) - 1)

static const check checks[] = {
    {"scan, sums", scan_sums, INTEGERS},
    {"scan, maxima", scan_maxima, TYPE(DMM_I32) | TYPE(DMM_F32)},
    {"merge", merge, TYPE(DMM_U32) | TYPE(DMM_I64) | TYPE(DMM_F32)},
    {"sort by merge", sort_by_merge, ALL},
    {"sort by radix", sort_by_radix, TYPE(DMM_U32) | TYPE(DMM_I16) | TYPE(DMM_F32) | TYPE(DMM_F64)},
    {"partition", partition, TYPE(DMM_U32) | TYPE(DMM_U64)},
    {"shuffle", shuffle, TYPE(DMM_U8) | TYPE(DMM_U32) | TYPE(DMM_U64)},
};

/* The first item that is not as expected, or n. */
static uint64_t first_difference(const trial *t)
{
    uint64_t i = 0;
    while (i < t->n && t->answer_from[i] == t->expected_from[i] &&
           memcmp(t->answer + i * t->bytes, t->expected + i * t->bytes, t->bytes) == 0)
        i++;
    return i;
}

static dmm_selftest_line run(const check *c, trial *t)
{
    dmm_selftest_line line = {c->primitive, dmm_type_name(t->type), t->n, DMM_OK, 0};
    fill(t);
    line.status = c->run(t);
    line.position = line.status == DMM_OK ? first_difference(t) : 0;
    if (line.status == DMM_OK && line.position < t->n)
        line.status = DMM_WRONG_RESULT;
    return line;
}

dmm_status dmm_context_selftest(dmm_context *ctx, dmm_selftest_function line, void *user)
{
    dmm_status status = DMM_OK;
    if (ctx == NULL)
        return DMM_NULL_ARGUMENT;
    trial *const t = malloc(sizeof *t);
    if (t == NULL)
        return DMM_OUT_OF_MEMORY;
    t->ctx = ctx;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        for (int type = 0; type < DMM_ITEM; type++)
            for (size_t s = 0; checks[i].types & TYPE(type) && s < sizeof sizes / sizeof *sizes;
                 s++) {
                t->type = (dmm_type)type;
                t->bytes = dmm_type_bytes(t->type);
                t->n = sizes[s];
                const dmm_selftest_line done = run(&checks[i], t);
                if (status == DMM_OK && done.status != DMM_UNSUPPORTED)
                    status = done.status;
                if (line != NULL)
                    line(user, &done);
            }
    free(t);
    return status;
}
