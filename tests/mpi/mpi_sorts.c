/* SPDX-License-Identifier: MIT */
/* dmm_mpi_sort: the result is that of dmm_sort on all items; failures of one rank. */
#include <dmm/merge_many.h>

#include "mpi/machine.h"
#include "ranks.h"

/* The linker calls this function in the place of dmm_merge_many_host, which is the other one. */
dmm_status __wrap_dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc, void *keys,
    void *values, size_t n, const void *offsets, size_t lists);
dmm_status __real_dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc, void *keys,
    void *values, size_t n, const void *offsets, size_t lists);

static int merge_fails;

dmm_status __wrap_dmm_merge_many_host(dmm_context *ctx, const dmm_merge_many_desc *desc, void *keys,
    void *values, size_t n, const void *offsets, size_t lists)
{
    return merge_fails ? CL_OUT_OF_RESOURCES
                       : __real_dmm_merge_many_host(ctx, desc, keys, values, n, offsets, lists);
}

/* Keys of a case. */
typedef enum pattern { RANDOM, EQUAL, FEW, SORTED, REVERSED, NUM_PATTERNS } pattern;

typedef struct sort_case {
    dmm_type type;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort;
} sort_case;

/* Few, because each is programs to compile. */
static const sort_case cases[] = {
    {.type = DMM_U32, .value_bytes = 4, .argsort = 1},
    {.type = DMM_F32, .descending = 1, .zero_equal = 1, .value_bytes = 8},
    {.type = DMM_I64},
};
enum { NUM_CASES = sizeof cases / sizeof cases[0] };

static void fill(void *out, dmm_type type, pattern how, uint64_t n)
{
    const uint32_t bytes = dmm_type_bytes(type);
    random_source random = {n + how};
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t values[] = {random_next(&random), 77, random_next(&random) % 3, i, n - i};
        uint64_t key = values[how];
        if (type == DMM_F32 && how == FEW) /* zeros of both signs, NaNs of both */
            key = (const uint64_t[]){0, 0x80000000, 0x7fc00001, 0xffc00000}[key + (i & 1)];
        memcpy((char *)out + i * bytes, &key, bytes);
    }
}

static void fill_values(char *values, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n && bytes != 0; i++)
        memcpy(values + i * bytes, &i, bytes);
}

/* Sorts n keys that begin spread as `before` and end spread as `after`. */
static void sort_once(
    dmm_mpi *mpi, const sort_case *c, pattern how, uint64_t n, spread before, spread after)
{
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const dmm_sort_desc desc = {
        .order = {.type = c->type, .descending = c->descending, .zero_equal = c->zero_equal},
        .value_bytes = c->value_bytes,
        .argsort = c->argsort};
    const uint64_t begin = spread_begin(before, n, ranks, rank);
    const uint64_t end = spread_begin(before, n, ranks, rank + 1);
    const uint64_t out = spread_begin(after, n, ranks, rank);
    const uint64_t out_end = spread_begin(after, n, ranks, rank + 1);
    const uint64_t key = dmm_type_bytes(c->type), value = c->value_bytes;
    const uint64_t most = end - begin > out_end - out ? end - begin : out_end - out;
    char *const all = ranks_allocate(n * key), *const values = ranks_allocate(n * value);
    char *const mine = ranks_allocate(most * key), *const mine_values =
                                                       ranks_allocate(most * value);
    const int in_place = before == after;
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: %s, keys %d, n=%llu, spread %d to %d",
        rank, ranks, dmm_type_name(c->type), how, (unsigned long long)n, before, after);

    fill(all, c->type, how, n);
    fill_values(values, c->value_bytes, n);
    memcpy(mine, all + begin * key, (size_t)((end - begin) * key));
    if (!c->argsort)
        memcpy(mine_values, values + begin * value, (size_t)((end - begin) * value));
    dmm_mpi_sort_args args = {.keys = mine,
        .values = value ? mine_values : NULL,
        .n = end - begin,
        .keys_out = in_place ? mine : ranks_allocate((out_end - out) * key),
        .values_out = in_place ? mine_values : ranks_allocate((out_end - out) * value),
        .n_out = out_end - out};
    CHECK_OK(mpi, dmm_mpi_sort(mpi, &desc, &args));

    CHECK(dmm_sort_host(dmm_mpi_context(mpi), &desc, all, value ? values : NULL, (size_t)n) ==
          DMM_OK);
    CHECK(memcmp(args.keys_out, all + out * key, (size_t)((out_end - out) * key)) == 0);
    CHECK(value == 0 ||
          memcmp(args.values_out, values + out * value, (size_t)((out_end - out) * value)) == 0);
    if (!in_place) {
        free(args.keys_out);
        free(args.values_out);
    }
    free(all);
    free(values);
    free(mine);
    free(mine_values);
}

void test_sorts(dmm_mpi *mpi)
{
    static const uint64_t sizes[] = {0, 1, 2, 3, 5, 1000, 20011};
    for (size_t i = 0; i < NUM_CASES; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
            for (int how = 0; how < NUM_PATTERNS; how++)
                sort_once(mpi, &cases[i], (pattern)how, sizes[s], (spread)(how % NUM_SPREADS),
                    (spread)(((size_t)how + s) % NUM_SPREADS));
    /* Messages of several pieces, and a million equal keys. */
    mpi->piece_bytes = 1000;
    sort_once(mpi, &cases[0], RANDOM, 20011, ROUGH, EVEN);
    sort_once(mpi, &cases[1], REVERSED, 20011, EVEN, ROUGH);
    mpi->piece_bytes = DMM_MPI_PIECE_BYTES;
    sort_once(mpi, &cases[0], EQUAL, 1000000, ROUGH, EVEN);
}

/* Arguments, descriptions or devices of one rank alone are wrong. */
void test_sort_failures(dmm_mpi *mpi)
{
    const int rank = dmm_mpi_rank(mpi), last = dmm_mpi_ranks(mpi) - 1, is_last = rank == last;
    uint32_t keys[100], copy[100];
    for (uint32_t i = 0; i < 100; i++)
        keys[i] = copy[i] = 100 - i;
    dmm_sort_desc desc = {0};
    dmm_mpi_sort_args right = {.keys = keys, .n = 100, .keys_out = keys, .n_out = 100}, args;
    snprintf(ranks_note, sizeof ranks_note, "rank %d: failures", rank);

    CHECK(dmm_mpi_sort(NULL, &desc, &right) == DMM_NULL_ARGUMENT);
    CHECK_FAILS(DMM_NULL_ARGUMENT, last, mpi, dmm_mpi_sort(mpi, &desc, is_last ? NULL : &right));
    CHECK_FAILS(DMM_NULL_ARGUMENT, last, mpi, dmm_mpi_sort(mpi, is_last ? NULL : &desc, &right));
    args = right;
    args.keys_out = is_last ? NULL : keys;
    CHECK_FAILS(DMM_NULL_ARGUMENT, last, mpi, dmm_mpi_sort(mpi, &desc, &args));
    args = right;
    args.reserved[3] = is_last ? 1 : 0;
    CHECK_FAILS(DMM_UNSUPPORTED, last, mpi, dmm_mpi_sort(mpi, &desc, &args));
    args = right;
    args.n_out += is_last ? 1 : 0;
    CHECK_FAILS(DMM_BAD_VALUE, 0, mpi, dmm_mpi_sort(mpi, &desc, &args));
    desc.order.less = is_last ? "a < b" : NULL;
    CHECK_FAILS(DMM_UNSUPPORTED, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    desc = (dmm_sort_desc){.bits = {.end = is_last ? 4 : 0}};
    CHECK_FAILS(DMM_UNSUPPORTED, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    desc = (dmm_sort_desc){.value_bytes = is_last ? 257 : 0};
    CHECK_FAILS(DMM_BAD_VALUE, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    if (last > 0) {
        desc = (dmm_sort_desc){.order.descending = is_last};
        CHECK_FAILS(DMM_BAD_VALUE, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    }
    CHECK(memcmp(keys, copy, sizeof keys) == 0);

    /* The local sort of one rank fails. */
    desc = (dmm_sort_desc){.tuning = {.form = is_last ? DMM_FORM_GPU : 0, .u = is_last ? 3 : 0}};
    CHECK_FAILS(DMM_BAD_PARAMETERS, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    args = right;
    if (is_last) /* more than any host has */
        args.n_out = (uint64_t)1 << 50;
    if (rank == 0 && last > 0)
        args.n = (uint64_t)1 << 50; /* never read: the others fail first */
    desc = (dmm_sort_desc){0};
    CHECK(dmm_mpi_sort(mpi, &desc, &args) != DMM_OK);
    CHECK_OK(mpi, dmm_mpi_sort(mpi, &desc, &right));

    /* So does its merge, when all messages have been sent; every rank has items of all. */
    memcpy(keys, copy, sizeof keys);
    merge_fails = is_last && last > 0;
    if (last > 0)
        CHECK_FAILS(CL_OUT_OF_RESOURCES, last, mpi, dmm_mpi_sort(mpi, &desc, &right));
    merge_fails = 0;
    CHECK_OK(mpi, dmm_mpi_sort(mpi, &desc, &right));
}
