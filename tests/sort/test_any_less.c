/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * Any `less`: whatever an expression answers, be it no order at all or another answer at each call,
 * what sort, sort_segmented, merge, topk and nth give are items of the input, each once, with their
 * values. The relation is part of the items, so that one program serves all.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/merge.h>
#include <dmm/nth.h>
#include <dmm/sort_segmented.h>
#include <dmm/topk.h>

#include "support/cover.h"
#include "support/forms.h"
#include "support/methods.h"
#include "support/random.h"
#include "support/rig.h"

enum {
    ALWAYS,
    NEVER,
    AT_MOST,  /* a <= b */
    FLOATS,   /* a < b of floats, some of which are NaN */
    SERIAL,   /* serial numbers: a before b if less than half way round */
    TABLE,    /* answers from a table of random bits, made up by hashing both keys */
    ALMOST,   /* a < b, but for one answer in 64, from such a table */
    ONE_ODD,  /* a < b, but for one key, which is before and behind all */
    CHANGING, /* another answer at each call, or at least in each work-item */
    RELATIONS
};

static const char *const relations[] = {
    "always", "never", "at most", "floats", "serial", "table", "almost", "one odd key", "changing"};

typedef struct item {
    uint32_t key, relation;
} item;

/* What differs from call to call: no standard expression does, but clang's builtin. Simulators have
 * none. */
static const char changing_by_time[] = "#if defined(__has_builtin)\n"
                                       "#if __has_builtin(__builtin_readcyclecounter)\n"
                                       "#define ANSWER ((uint)__builtin_readcyclecounter() >> 2)\n"
                                       "#endif\n"
                                       "#endif\n";
static const char item_text[] = "#ifndef ANSWER\n"
                                "#define ANSWER (uint)get_global_id(0)\n"
                                "#endif\n"
                                "typedef struct { uint key, relation; } dmm_item;\n"
                                "static inline uint mixed(uint a, uint b)\n"
                                "{\n"
                                "    uint x = a * 0x9e3779b9u ^ (b + 0x7f4a7c15u) * 0x85ebca6bu;\n"
                                "    x = (x ^ x >> 16) * 0xc2b2ae35u;\n"
                                "    return x ^ x >> 13;\n"
                                "}\n"
                                "static inline int related(uint relation, uint a, uint b)\n"
                                "{\n"
                                "    const uint hash = mixed(a ^ relation, b);\n"
                                "    switch (relation & 255) {\n"
                                "    case 0: return 1;\n"
                                "    case 1: return 0;\n"
                                "    case 2: return a <= b;\n"
                                "    case 3: return as_float(a) < as_float(b);\n"
                                "    case 4: return a - b < 0x80000000u;\n"
                                "    case 5: return hash >> 31;\n"
                                "    case 6: return hash >> 26 ? a < b : hash & 1;\n"
                                "    case 7: return a == 77 || (b != 77 && a < b);\n"
                                "    default: return mixed(a ^ ANSWER, b) >> 31;\n"
                                "    }\n"
                                "}\n";

static dmm_order the_order(void)
{
    static char text[sizeof changing_by_time + sizeof item_text];
    dmm_order order = {
        .type = DMM_ITEM, .item_bytes = sizeof(item), .less = "related(a.relation, a.key, b.key)"};
    snprintf(text, sizeof text, "%s%s", sizes_wanted() == SIZES_SMALL ? "" : changing_by_time,
        item_text);
    order.item = text;
    return order;
}

/* n items of a relation; every seventh float is a NaN, some keys are equal, one is 77. */
static item *make_items(uint32_t relation, uint64_t n, uint64_t seed)
{
    random_source random = {seed};
    item *const items = malloc((n + 1) * sizeof *items);
    REQUIRE(items != NULL);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t key = (uint32_t)random_next(&random);
        if (relation == FLOATS)
            key = i % 7 == 0 ? 0x7fc00000u + (key & 0xff) : (key & 0xffff) + 0x3f800000u;
        if (relation == ONE_ODD || i % 5 == 0)
            key %= 1000;
        items[i] = (item){key, relation + ((uint32_t)seed << 8)};
    }
    return items;
}

/* `count` of the n items are left, each at most once, each with its index. */
static void require_items(
    const item *in, uint64_t n, const item *out, const uint32_t *indices, uint64_t count)
{
    unsigned char *const seen = calloc((size_t)n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t index = indices[i];
        if (index >= n || seen[index]++ || memcmp(&in[index], &out[i], sizeof *out) != 0)
            fail_msg("position %llu holds item %u, which is %s\n  in: %s", (unsigned long long)i,
                index,
                index >= n        ? "none"
                : seen[index] > 1 ? "there twice"
                                  : "another one",
                test_note_text());
    }
    free(seen);
}

/* What is sorted by, and how. */
typedef struct setting {
    const char *set;
    dmm_tuning tuning;
} setting;

static const setting settings[] = {
    {"banks=16", GPU_BY(16, 4, CF)},
    {"banks=32", CPU_BY(4, 64)},
    {"banks=32", GPU_BY(32, 7, CF)},
    {"banks=8", GPU_BY(64, 2, PLAIN)},
    {"banks=16", CPU_BY(32, 128)},
    {"banks=128,bank_bytes=8", GPU_BY(128, 5, CF)},
    /* In full: the compiler takes seconds for each program with this `less`. */
    {"banks=4", GPU_BY(4, 32, CF)},
    {"banks=64", GPU_BY(64, 16, CF)},
};

enum { NUM_SETTINGS = sizeof settings / sizeof *settings };

/* A rig and the seed of its next input. */
typedef struct bench {
    rig r;
    uint64_t seed;
    dmm_tuning tuning;
    uint64_t tile;
} bench;

static bench b;

/* Sizes about the tile's multiples, and one of many passes. */
static uint64_t size_at(uint64_t i)
{
    const uint64_t T = b.tile;
    const uint64_t sizes[] = {5 * T + 3, 2 * T, T - 1, 16 * T - 5, 3, 2 * T + 1, 37 * T + 11};
    return sizes[i % (sizeof sizes / sizeof *sizes)];
}

static void note(const char *word, uint32_t relation, uint64_t n)
{
    test_note("%s, less: %s, form=%d u=%u E=%u tile=%u search=%d, n=%llu, seed=%llu", word,
        relations[relation], (int)b.tuning.form, b.tuning.u, b.tuning.E, b.tuning.tile,
        (int)b.tuning.search, (unsigned long long)n, (unsigned long long)b.seed);
}

static uint32_t *make_indices(uint64_t n)
{
    uint32_t *const indices = malloc((n + 1) * sizeof *indices);
    REQUIRE(indices != NULL);
    for (uint64_t i = 0; i < n; i++)
        indices[i] = (uint32_t)i;
    return indices;
}

static void check_sort(uint32_t relation, uint64_t n, dmm_sort_method method)
{
    const dmm_sort_desc desc = {
        .order = the_order(), .value_bytes = 4, .method = method, .tuning = b.tuning};
    item *const in = make_items(relation, n, ++b.seed), *const out =
                                                            make_items(relation, n, b.seed);
    uint32_t *const indices = make_indices(n);
    note(method == DMM_SORT_MERGE ? "sort" : "sort by matrix", relation, n);
    REQUIRE_OK(any_sort_host(b.r.ctx, &desc, out, indices, (size_t)n));
    require_items(in, n, out, indices, n);
    free(in);
    free(out);
    free(indices);
}

/* Segments of 0 to 3 tiles, and one of all the rest; no item may leave its own. */
static void check_segments(uint32_t relation, uint64_t n)
{
    enum { SEGMENTS = 6 };
    const dmm_sort_segmented_desc desc = {
        .order = the_order(), .value_bytes = 4, .offset_type = DMM_U32, .tuning = b.tuning};
    item *const in = make_items(relation, n, ++b.seed), *const out =
                                                            make_items(relation, n, b.seed);
    uint32_t *const indices = make_indices(n);
    uint32_t offsets[SEGMENTS + 1] = {0};
    random_source random = {b.seed};
    for (int i = 1; i < SEGMENTS; i++) {
        const uint64_t next = offsets[i - 1] + random_below(&random, 3 * b.tile);
        offsets[i] = (uint32_t)(next < n ? next : n);
    }
    offsets[SEGMENTS] = (uint32_t)n;
    note("sort_segmented", relation, n);
    REQUIRE_OK(dmm_sort_segmented_host(b.r.ctx, &desc, out, indices, (size_t)n, offsets, SEGMENTS));
    require_items(in, n, out, indices, n);
    for (int i = 0; i < SEGMENTS; i++)
        for (uint32_t x = offsets[i]; x < offsets[i + 1]; x++)
            REQUIRE(offsets[i] <= indices[x] && indices[x] < offsets[i + 1]);
    free(in);
    free(out);
    free(indices);
}

/* Takes lists as they come: no relation here sorts them. */
static void check_merge(uint32_t relation, uint64_t n)
{
    const dmm_merge_desc desc = {.order = the_order(), .value_bytes = 4, .tuning = b.tuning};
    item *const in = make_items(relation, n, ++b.seed), *const out =
                                                            make_items(relation, n, b.seed);
    uint32_t *const indices = make_indices(n), *const values = make_indices(n);
    const size_t na = b.seed % 2 ? (size_t)n / 2 : (size_t)n / 5;
    const dmm_merge_host_args args = {.a_keys = in,
        .a_values = indices,
        .na = na,
        .b_keys = in + na,
        .b_values = indices + na,
        .nb = (size_t)n - na,
        .keys_out = out,
        .values_out = values};
    note("merge", relation, n);
    REQUIRE_OK(dmm_merge_host(b.r.ctx, &desc, &args));
    require_items(in, n, out, values, n);
    free(in);
    free(out);
    free(indices);
    free(values);
}

static void check_topk(uint32_t relation, uint64_t n)
{
    const dmm_topk_desc desc = {.order = the_order(), .value_bytes = 4, .tuning = b.tuning};
    const dmm_nth_desc nth = {.order = the_order(), .value_bytes = 4, .tuning = b.tuning};
    item *const in = make_items(relation, n, ++b.seed), *const out =
                                                            make_items(relation, n, b.seed);
    uint32_t *const indices = make_indices(n), *const values = make_indices(n);
    const uint64_t k = 1 + b.seed * 7 % n;
    note("topk", relation, n);
    REQUIRE_OK(dmm_topk_host(b.r.ctx, &desc, in, indices, (size_t)n, (size_t)k, out, values));
    require_items(in, n, out, values, k);
    note("nth", relation, n);
    REQUIRE_OK(dmm_nth_host(b.r.ctx, &nth, in, indices, (size_t)n, (size_t)k - 1, out, values));
    require_items(in, n, out, values, 1);
    free(in);
    free(out);
    free(indices);
    free(values);
}

static int is_power_of_two(uint32_t x)
{
    return (x & (x - 1)) == 0;
}

static void every_item_is_there_once_by_any_less(void **state)
{
    const size_t count = by_size(2, NUM_SETTINGS - 2, NUM_SETTINGS);
    (void)state;
    for (size_t s = 0; s < count; s++) {
        rig_open(&b.r, settings[s].set);
        b.tuning = settings[s].tuning;
        b.tile = tile_of(&b.tuning);
        /* By rows, simulators take every other relation in each form. */
        for (uint32_t relation = (uint32_t)by_rows(s % 2, 0); relation < RELATIONS;
             relation += (uint32_t)by_rows(2, 1))
            for (uint64_t i = 0; i < by_size(1, 4, 20); i++) {
                if (!part_wanted(i))
                    continue;
                const uint64_t n = size_at(i + by_rows(5, 0));
                check_sort(relation, n, DMM_SORT_MERGE);
                if (s % 2 == 0 || sizes_wanted() == SIZES_FULL)
                    check_segments(relation, n);
                if (s % 3 == 0 || sizes_wanted() == SIZES_FULL)
                    check_merge(relation, n);
                if (s == 1 || s == 2 || sizes_wanted() == SIZES_FULL)
                    check_topk(relation, n);
                if (lab_is_built() && b.tuning.form == DMM_FORM_GPU &&
                    is_power_of_two(b.tuning.E) && s % 4 == 0)
                    check_sort(relation, n, SORT_BY_MATRIX);
            }
        rig_close(&b.r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_there_once_by_any_less), /* 5 parts */
    };
    return cmocka_run_group_tests_name("any_less", tests, NULL, NULL);
}
