/* SPDX-License-Identifier: MIT */
/*
 * promise_calls scan TYPE OP N: scans N items (u8 u16 u32 u64; sum max min sum-exclusive; f32 sum;
 * difference: of neighbours; matrices by an operator of the caller's: '16 B' own),
 * promise_calls topk TYPE HOW KIND N: selects N / 3 items (sorted unsorted), or one (nth),
 * promise_calls segments TYPE SIZES KIND N: sorts segments (tiny: 11 items; middle: 700; one: all),
 * promise_calls lists TYPE SIZES KIND N: merges lists as promise_lists.h says,
 * promise_calls histogram TYPE BINS KIND N: counts N labels (u8 u16 u32),
 * promise_calls search TYPE HOW N: searches N random queries in N sorted keys (lower contains;
 * teams: each by several work-items; merge: sorted ones),
 * promise_calls unique TYPE LENGTH KIND N: packs N items in runs of LENGTH (random equal sorted),
 * promise_calls move WORD BYTES ORDER N: moves items as promise_moves.h says, and
 * promise_calls items N: sorts N vectors of 16 bytes by one of their parts; and checks the result.
 */
#include <dmm/dmm.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promise_lists.h"
#include "promise_moves.h"

static const char *const types[] = {"u8", "u16", "u32", "u64"};
static const dmm_type type_of[] = {DMM_U8, DMM_U16, DMM_U32, DMM_U64};
static const char *const ops[] = {"sum", "max", "min", "sum-exclusive"};

/* Returns the position of a word in a list, or the list's length. */
static size_t find(const char *word, const char *const *list, size_t length)
{
    size_t i = 0;
    while (i < length && strcmp(word, list[i]) != 0)
        i++;
    return i;
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 24;
}

/* Fills items of `bytes` bytes: random, equal or sorted. */
static void fill(unsigned char *out, size_t n, size_t bytes, const char *kind)
{
    uint64_t state = n;
    for (size_t i = 0; i < n * bytes; i++) {
        const uint64_t up = (i + 1) % bytes == 0 ? i / bytes * 251 / n : 0;
        const uint64_t any = next_random(&state);
        out[i] = (unsigned char)(kind[0] == 'e' ? 90 : kind[0] == 's' ? up : any);
    }
}

/* Item i of unsigned items of `bytes` bytes. */
static uint64_t load(const void *items, size_t i, size_t bytes)
{
    switch (bytes) {
    case 1:
        return ((const uint8_t *)items)[i];
    case 2:
        return ((const uint16_t *)items)[i];
    case 4:
        return ((const uint32_t *)items)[i];
    default:
        return ((const uint64_t *)items)[i];
    }
}

static uint64_t combine(dmm_scan_op op, uint64_t a, uint64_t b)
{
    if (op == DMM_SCAN_SUM)
        return a + b;
    return (a < b) == (op == DMM_SCAN_MIN) ? a : b;
}

static int is_scan(const void *out, const void *in, size_t n, const dmm_scan_desc *desc)
{
    const size_t bytes = dmm_type_bytes(desc->type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * bytes);
    uint64_t running = desc->op == DMM_SCAN_MIN ? all : 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t before = running;
        running = combine(desc->op, running, load(in, i, bytes)) & all;
        if (load(out, i, bytes) != (desc->exclusive ? before : running))
            return 0;
    }
    return 1;
}

/* Adds up n ones: sums of floats, which are not chained. */
static dmm_status scan_ones(dmm_context *ctx, size_t n, int *right)
{
    const dmm_scan_desc desc = {.type = DMM_F32};
    float *const sums = malloc(n * sizeof *sums);
    if (sums == NULL)
        return DMM_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++)
        sums[i] = 1;
    const dmm_status status = dmm_scan_host(ctx, &desc, sums, n);
    *right = 1;
    for (size_t i = 0; i < n; i++)
        *right &= sums[i] == (float)(i + 1);
    free(sums);
    return status;
}

typedef struct matrix {
    uint32_t a, b, c, d;
} matrix;

/* Multiplies matrices, which do not commute. */
static dmm_status scan_matrices(dmm_context *ctx, size_t n, int *right)
{
    const dmm_operator own = {.item_bytes = sizeof(matrix),
        .item = "typedef uint4 dmm_item;",
        .combine = "(dmm_item)(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w,"
                   " a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w)",
        .identity = "(dmm_item)(1, 0, 0, 1)"};
    const dmm_scan_desc desc = {.type = DMM_ITEM, .own = &own};
    matrix *const in = malloc(n * sizeof *in), *const out = malloc(n * sizeof *out);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && out != NULL) {
        matrix x = {1, 0, 0, 1};
        fill((unsigned char *)in, n, sizeof *in, "random");
        memcpy(out, in, n * sizeof *in);
        status = dmm_scan_host(ctx, &desc, out, n);
        *right = 1;
        for (size_t i = 0; i < n; i++) {
            const matrix y = in[i];
            x = (matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                x.c * y.b + x.d * y.d};
            *right &= memcmp(&out[i], &x, sizeof x) == 0;
        }
    }
    free(in);
    free(out);
    return status;
}

/* Adjacent differences, by the operator that is given. */
static dmm_status scan_differences(dmm_context *ctx, dmm_type type, size_t n, int *right)
{
    const size_t bytes = dmm_type_bytes(type);
    unsigned char *in = malloc(n * bytes), *out = malloc(n * bytes);
    dmm_status status = DMM_OUT_OF_MEMORY;
    uint64_t state = n;
    dmm_operator own;
    dmm_map map;
    if (in != NULL && out != NULL) {
        for (size_t i = 0; i < n * bytes; i++)
            out[i] = in[i] = (unsigned char)next_random(&state);
        status = dmm_operator_given(&own, &map, DMM_OPERATOR_DIFFERENCE, type);
        const dmm_scan_desc desc = {.type = DMM_ITEM, .exclusive = 1, .own = &own, .map = &map};
        if (status == DMM_OK)
            status = dmm_scan_host(ctx, &desc, out, n);
        uint64_t before = 0;
        *right = 1;
        for (size_t i = 0; i < n; i++) {
            uint64_t item = 0, step = 0;
            memcpy(&item, in + i * bytes, bytes);
            memcpy(&step, out + i * bytes, bytes);
            *right &= ((item - before - step) << (64 - 8 * bytes)) == 0;
            before = item;
        }
    }
    free(in);
    free(out);
    return status;
}

static dmm_status scan(dmm_context *ctx, const char *type, const char *op, size_t n, int *right)
{
    if (strcmp(type, "f32") == 0 && strcmp(op, "sum") == 0)
        return scan_ones(ctx, n, right);
    if (strcmp(op, "own") == 0)
        return scan_matrices(ctx, n, right);
    const size_t t = find(type, types, 4), o = find(op, ops, 4);
    if (t < 4 && strcmp(op, "difference") == 0)
        return scan_differences(ctx, type_of[t], n, right);
    if (t == 4 || o == 4)
        return DMM_BAD_VALUE;
    const dmm_scan_desc desc = {
        .type = type_of[t], .op = o == 3 ? DMM_SCAN_SUM : (dmm_scan_op)o, .exclusive = o == 3};
    const size_t bytes = dmm_type_bytes(desc.type);
    uint64_t state = n;
    unsigned char *in = malloc(n * bytes), *out = malloc(n * bytes);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && out != NULL) {
        for (size_t i = 0; i < n * bytes; i++)
            out[i] = in[i] = (unsigned char)next_random(&state);
        status = dmm_scan_host(ctx, &desc, out, n);
        *right = is_scan(out, in, n, &desc);
    }
    free(in);
    free(out);
    return status;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* True if these `count` items, by their sum and the last one, are the n / 3 smallest, or the last
 * of those. */
static int is_selected(
    const void *out, size_t count, const void *in, size_t n, size_t bytes, int nth)
{
    const size_t rank = n / 3 - 1;
    uint64_t *all = malloc(n * sizeof *all), balance = 0;
    if (all == NULL)
        return 0;
    for (size_t i = 0; i < n; i++)
        all[i] = load(in, i, bytes);
    qsort(all, n, sizeof *all, compare);
    for (size_t i = 0; i < count; i++)
        balance += load(out, i, bytes) - all[nth ? rank : i];
    const int most_fits = nth || load(out, count - 1, bytes) <= all[rank];
    free(all);
    return balance == 0 && most_fits;
}

static dmm_status select_items(
    dmm_context *ctx, const char *type, const char *how, const char *kind, size_t n, int *right)
{
    const size_t t = find(type, types, 4);
    const int nth = strcmp(how, "nth") == 0;
    if (t == 4)
        return DMM_BAD_VALUE;
    const dmm_topk_desc desc = {
        .order = {.type = type_of[t]}, .unsorted = strcmp(how, "unsorted") == 0};
    const dmm_nth_desc one = {.order = {.type = type_of[t]}};
    const size_t bytes = dmm_type_bytes(desc.order.type), count = nth ? 1 : n / 3;
    unsigned char *in = malloc(n * bytes), *out = malloc(n * bytes);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && out != NULL) {
        fill(in, n, bytes, kind);
        status = nth ? dmm_nth_host(ctx, &one, in, NULL, n, n / 3 - 1, out, NULL)
                     : dmm_topk_host(ctx, &desc, in, NULL, n, n / 3, out, NULL);
        *right = is_selected(out, count, in, n, bytes, nth);
    }
    free(in);
    free(out);
    return status;
}

/* True if segments of `size` items are sorted with their values, stably. */
static int are_sorted(
    const void *keys, const uint32_t *from, const void *in, size_t n, size_t bytes, size_t size)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = load(keys, i, bytes);
        sum += from[i];
        if (from[i] >= n || from[i] / size != i / size || key != load(in, from[i], bytes))
            return 0;
        if (i % size != 0) {
            const uint64_t before = load(keys, i - 1, bytes);
            if (before > key || (before == key && from[i - 1] >= from[i]))
                return 0;
        }
    }
    return sum == (uint64_t)n * (n - 1) / 2;
}

static dmm_status sort_segments(
    dmm_context *ctx, const char *type, const char *sizes, const char *kind, size_t n, int *right)
{
    const size_t t = find(type, types, 4);
    const size_t size = strcmp(sizes, "tiny") == 0 ? 11 : strcmp(sizes, "middle") == 0 ? 700 : n;
    if (t == 4)
        return DMM_BAD_VALUE;
    dmm_sort_segmented_desc desc = {0};
    desc.order.type = type_of[t];
    desc.value_bytes = sizeof(uint32_t);
    desc.argsort = 1;
    desc.guarantee = 1;
    const size_t bytes = dmm_type_bytes(type_of[t]), segments = (n + size - 1) / size;
    unsigned char *in = malloc(n * bytes), *keys = malloc(n * bytes);
    uint32_t *from = malloc(n * sizeof *from), *offsets = malloc((segments + 1) * sizeof *offsets);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && keys != NULL && from != NULL && offsets != NULL) {
        fill(in, n, bytes, kind);
        memcpy(keys, in, n * bytes);
        for (size_t i = 0; i <= segments; i++)
            offsets[i] = (uint32_t)(i < segments ? i * size : n);
        status = dmm_sort_segmented_host(ctx, &desc, keys, from, n, offsets, segments);
        *right = are_sorted(keys, from, in, n, bytes, size);
    }
    free(in);
    free(keys);
    free(from);
    free(offsets);
    return status;
}

/* True if nothing remains of the counts when every label is subtracted. */
static int is_counted(uint64_t *counts, size_t bins, const void *labels, size_t n, size_t bytes)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        if (load(labels, i, bytes) < bins && counts[load(labels, i, bytes)]-- == 0)
            return 0;
    for (size_t bin = 0; bin < bins; bin++)
        all |= counts[bin];
    return all == 0;
}

/* Labels are below 256, or a little beyond the bins where there are more of them. */
static dmm_status count_labels(
    dmm_context *ctx, const char *type, const char *number, const char *kind, size_t n, int *right)
{
    const size_t t = find(type, types, 3), bins = strtoul(number, NULL, 10);
    const dmm_histogram_desc desc = {.type = type_of[t], .bins = (uint32_t)bins};
    const size_t bytes = dmm_type_bytes(desc.type);
    uint64_t *counts = calloc(bins, sizeof *counts);
    unsigned char *labels = calloc(n, bytes);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (labels != NULL && counts != NULL) {
        fill(labels, n, bytes, kind);
        for (size_t i = 0; i < n && bytes > 1; i++) {
            const uint64_t label = load(labels, i, bytes) % (bins > 256 ? bins + 9 : 256);
            memcpy(labels + i * bytes, &label, bytes); /* little-endian, as OpenCL devices */
        }
        status = dmm_histogram_host(ctx, &desc, labels, n, counts);
        *right = is_counted(counts, bins, labels, n, bytes);
    }
    free(labels);
    free(counts);
    return status;
}

/* Packs runs, with the items' numbers as values. */
/* Packs n items by dmm_run_length; true if neighbours differ and the counts add up to n. */
static int are_counted(dmm_context *ctx, unsigned char *items, size_t n, size_t bytes)
{
    const dmm_run_length_desc desc = {.key_bytes = (uint32_t)bytes};
    uint64_t *const counts = calloc(n, sizeof *counts), sum = 0;
    size_t runs = 0;
    int right = counts != NULL &&
                dmm_run_length_host(ctx, &desc, items, n, counts, &runs) == DMM_OK && runs > 0;
    for (size_t r = 0; right && r < runs; r++) {
        sum += counts[r];
        right = counts[r] > 0 && (r == 0 || load(items, r, bytes) != load(items, r - 1, bytes));
    }
    free(counts);
    return right && sum == n;
}

static dmm_status pack_runs(
    dmm_context *ctx, const char *type, const char *length, const char *kind, size_t n, int *right)
{
    const size_t t = find(type, types, 4), about = strtoul(length, NULL, 10);
    if (t == 4)
        return DMM_BAD_VALUE;
    const size_t bytes = dmm_type_bytes(type_of[t]);
    const dmm_unique_desc desc = {.key_bytes = (uint32_t)bytes, .value_bytes = sizeof(uint32_t)};
    uint64_t state = n;
    size_t runs = 0, expected = 0;
    unsigned char *in = calloc(n, bytes), *keys = calloc(n, bytes);
    uint32_t *from = calloc(n, sizeof *from);
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (in != NULL && keys != NULL && from != NULL) {
        fill(in, n, bytes, kind);
        for (size_t i = 0; i < n; i++) {
            const int begins = i > 0 && next_random(&state) % about == 0;
            if (kind[0] == 'r') {
                memset(in + i * bytes, 0, bytes);
                in[i * bytes] = (unsigned char)(i > 0 ? in[(i - 1) * bytes] + begins : 0);
            }
            from[i] = (uint32_t)i;
        }
        memcpy(keys, in, n * bytes);
        status = dmm_unique_host(ctx, &desc, keys, from, n, &runs);
        *right = 1;
        for (size_t i = 0; i < n; i++)
            if (i == 0 || load(in, i, bytes) != load(in, i - 1, bytes)) {
                *right &= expected < runs && from[expected] == i &&
                          load(keys, expected, bytes) == load(in, i, bytes);
                expected++;
            }
        *right &= expected == runs && are_counted(ctx, in, n, bytes);
    }
    free(in);
    free(keys);
    free(from);
    return status;
}

/* Keys 0, 3, 6, ... of the type's width, as far as it goes. */
static dmm_status search_keys(
    dmm_context *ctx, const char *type, const char *how, size_t n, int *right)
{
    const size_t t = find(type, types, 4);
    const int contains = strcmp(how, "contains") == 0, merge = strcmp(how, "merge") == 0;
    if (t == 4)
        return DMM_BAD_VALUE;
    const size_t bytes = dmm_type_bytes(type_of[t]), keys_n = t == 0 && n > 85 ? 85 : n;
    const dmm_search_desc desc = {.order = {.type = type_of[t]},
        .result = contains ? DMM_RANK_CONTAINS : DMM_RANK_LOWER,
        .method = merge                       ? DMM_SEARCH_MERGE
                  : strcmp(how, "teams") == 0 ? DMM_SEARCH_TEAMS
                                              : DMM_SEARCH_ITEMS};
    uint64_t state = n;
    unsigned char *keys = calloc(keys_n, bytes), *queries = calloc(n, bytes);
    unsigned char *out = calloc(n, sizeof(uint32_t));
    dmm_status status = DMM_OUT_OF_MEMORY;
    if (keys != NULL && queries != NULL && out != NULL) {
        for (size_t i = 0; i < keys_n; i++)
            memcpy(keys + i * bytes, &(uint64_t){3 * i}, bytes);
        for (size_t i = 0; i < n; i++) {
            const uint64_t drawn = merge ? i * 3 * keys_n / n : next_random(&state) % (3 * keys_n);
            memcpy(queries + i * bytes, &drawn, bytes);
        }
        status = dmm_search_host(ctx, &desc, keys, keys_n, queries, n, out, NULL);
        *right = 1;
        for (size_t i = 0; i < n; i++) {
            const uint64_t query = load(queries, i, bytes), rank = (query + 2) / 3;
            *right &= load(out, i, contains ? 1 : 4) == (contains ? query % 3 == 0 : rank);
        }
    }
    free(keys);
    free(queries);
    free(out);
    return status;
}

int main(int argc, char **argv)
{
    const int finds = argc == 5 && strcmp(argv[1], "search") == 0;
    const int scans = argc == 5 && strcmp(argv[1], "scan") == 0;
    const int selects = argc == 6 && strcmp(argv[1], "topk") == 0;
    const int cuts = argc == 6 && strcmp(argv[1], "segments") == 0;
    const int lists = argc == 6 && strcmp(argv[1], "lists") == 0;
    const int counts = argc == 6 && strcmp(argv[1], "histogram") == 0;
    const int packs = argc == 6 && strcmp(argv[1], "unique") == 0;
    const int sorts = argc == 3 && strcmp(argv[1], "items") == 0;
    const int moves = argc == 6 && strcmp(argv[1], "move") == 0;
    const int known = finds || scans || selects || cuts || lists || counts || packs || sorts;
    const size_t n = known || moves ? strtoul(argv[argc - 1], NULL, 10) : 0;
    dmm_context *ctx = NULL;
    int right = 0;
    if (n < 3) {
        fprintf(stderr, "usage: promise_calls scan TYPE OP N | topk TYPE HOW KIND N |\n"
                        "       segments|lists TYPE SIZES KIND N | search TYPE HOW N |\n"
                        "       histogram TYPE BINS KIND N | unique TYPE LENGTH KIND N |\n"
                        "       move WORD BYTES ORDER N | items N, N >= 3\n");
        return 1;
    }
    dmm_status status = dmm_context_create(&ctx, &(dmm_context_desc){.set = getenv("DMM_SET")});
    if (status == DMM_OK)
        status = moves ? promise_moves(
                             ctx, argv[2], (uint32_t)strtoul(argv[3], NULL, 10), argv[4], n, &right)
                 : finds   ? search_keys(ctx, argv[2], argv[3], n, &right)
                 : scans   ? scan(ctx, argv[2], argv[3], n, &right)
                 : selects ? select_items(ctx, argv[2], argv[3], argv[4], n, &right)
                 : cuts    ? sort_segments(ctx, argv[2], argv[3], argv[4], n, &right)
                 : lists   ? promise_lists(ctx, argv[2], argv[3], argv[4], n, &right)
                 : counts  ? count_labels(ctx, argv[2], argv[3], argv[4], n, &right)
                 : packs   ? pack_runs(ctx, argv[2], argv[3], argv[4], n, &right)
                           : promise_items(ctx, n, &right);
    dmm_context_free(ctx);
    if (status != DMM_OK)
        fprintf(stderr, "promise_calls: %s\n", dmm_status_string(status));
    else if (!right)
        fprintf(stderr, "promise_calls: the result is wrong\n");
    return status == DMM_OK && right ? 0 : 2;
}
