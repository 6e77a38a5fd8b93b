/* SPDX-License-Identifier: MIT */
/* ctest: default oclgrind full */
/*
 * Collectives in a caller's kernels, against the same on the host: ranks and sorts by digits, runs,
 * set operations, compactions, transposes and permutations by plans.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/group_rig.h"
#include "support/random.h"

static const char digits[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                             "void f(global const uint *in, global uint *out, uint n)\n"
                             "{\n"
                             "    local a_room_word room[A_ROOM_WORDS];\n"
                             "    local b_room_word other[B_ROOM_WORDS];\n"
                             "    uint r[E], from[E], digit[E], rank[E];\n"
                             "    short g[E];\n"
                             "    a_load(r, in, T, 0, room);\n"
                             "    for (uint j = 0; j < E; j++)\n"
                             "        digit[j] = r[j] >> 3 & 15;\n"
                             "    a_rank(rank, digit, room);\n"
                             "    for (uint j = 0; j < E; j++)\n"
                             "        out[rank[j] % T] = r[j];\n"
                             "    a_load_stripes(r, in, n, 0);\n"
                             "    a_sort_bits_from(r, from, n, 5, 9, room);\n"
                             "    a_store_stripes(out + T, from, n);\n"
                             "    b_load_stripes(g, (global const short *)in, n, 0);\n"
                             "    b_sort_bits(g, n, 0, 16, other);\n"
                             "    b_store_stripes((global short *)(out + 2 * T), g, n);\n"
                             "}\n";

/* Digits that the host sorts by: its position breaks ties. */
typedef struct placed {
    int64_t digit;
    uint32_t place;
} placed;

static int by_digit(const void *a, const void *b)
{
    const placed *const x = a, *const y = b;
    return x->digit != y->digit ? (x->digit > y->digit) - (x->digit < y->digit)
                                : (x->place > y->place) - (x->place < y->place);
}

/* Ranks by four bits, and sorts by nine bits in the middle, of uint; sorts short, falling. */
static void ranks_and_sorts_by_digits(void **state)
{
    static rig r;
    static uint32_t in[3 * MOST], out[3 * MOST];
    static placed order[MOST];
    random_source random = {6};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, 1, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, sizes[] = {T, T - 1, T / 2 + 1, 1, 0};
        char *const a =
            source_of(&(dmm_group_desc){.kind = DMM_GROUP_RADIX, .name = "a", .positions = 1}, s);
        char *const b = source_of(&(dmm_group_desc){.kind = DMM_GROUP_RADIX,
                                      .name = "b",
                                      .bins = 2,
                                      .order = {.type = DMM_I16, .descending = 1}},
            s);
        cl_kernel f = build(&r, a, b, digits, s);
        for (size_t k = 0; k < by_size(2, 5, 5); k++) {
            const uint32_t n = sizes[k];
            const int16_t *const shorts = (const int16_t *)in;
            for (size_t x = 0; x < 3 * T; x++)
                in[x] = (uint32_t)random_below(&random, k % 2 ? 300 : (uint64_t)1 << 32);
            memset(out, 0xee, sizeof out);
            run(&r, f, in, out, 3 * T * sizeof *in, n, s);
            for (uint32_t x = 0; x < T; x++)
                order[x] = (placed){in[x] >> 3 & 15, x};
            qsort(order, T, sizeof order[0], by_digit);
            for (uint32_t x = 0; x < T; x++)
                REQUIRE(out[x] == in[order[x].place]);
            for (uint32_t x = 0; x < n; x++)
                order[x] = (placed){in[x] >> 5 & 511, x};
            qsort(order, n, sizeof order[0], by_digit);
            for (uint32_t x = 0; x < n; x++)
                REQUIRE(out[T + x] == order[x].place);
            for (uint32_t x = 0; x < n; x++)
                order[x] = (placed){-shorts[x], x};
            qsort(order, n, sizeof order[0], by_digit);
            for (uint32_t x = 0; x < n; x++)
                REQUIRE(((const int16_t *)(out + 2 * T))[x] == shorts[order[x].place]);
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

/* A kernel has few collectives, because the time that PoCL takes grows with the square of its
 * barriers. SET: an operation. */
static const char sets[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                           "void f(global const uint *in, global uint *out, uint na)\n"
                           "{\n"
                           "    local a_room_word room[A_ROOM_WORDS];\n"
                           "    uint r[E];\n"
                           "    const uint number = SET(r, in, na, in + na, T - 1 - na, room);\n"
                           "    a_store_stripes(out, r, number);\n"
                           "    out[T] = number;\n"
                           "}\n";

static const char runs[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                           "void f(global const uint *in, global uint *out, uint n)\n"
                           "{\n"
                           "    local a_room_word room[A_ROOM_WORDS];\n"
                           "    local b_room_word other[B_ROOM_WORDS];\n"
                           "    global uint *numbers = out + 3 * T;\n"
                           "    uint r[E], flags[E];\n"
                           "    b_item g[E];\n"
                           "    a_load(r, in, n, 0, room);\n"
                           "    const uint number = a_unique(r, n, room);\n"
                           "    a_store_stripes(out, r, number);\n"
                           "    a_load_stripes(r, in, T, 0);\n"
                           "    for (uint i = 0; i < E; i++)\n"
                           "        flags[i] = r[i] & 2;\n"
                           "    numbers[0] = number;\n"
                           "    numbers[1] = a_part(r, flags, room);\n"
                           "    a_store_stripes(out + T, r, T);\n"
                           "    b_load(g, (global const b_item *)in, n / 2, (b_item)(0), other);\n"
                           "    const uint starts = b_run_starts(g, n / 2, other);\n"
                           "    for (uint j = 0; j < E; j++)\n"
                           "        out[2 * T + get_local_id(0) * E + j] = starts >> j & 1;\n"
                           "}\n";

static int by_uint(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

enum { UNION, INTERSECTION, DIFFERENCE, SYMMETRIC, SETS };

/* Returns the number of items that an operation keeps, by merging item by item. */
static uint32_t kept_by(
    int op, uint32_t *out, const uint32_t *a, uint32_t na, const uint32_t *b, uint32_t nb)
{
    uint32_t number = 0, i = 0, j = 0;
    while (i < na || j < nb) {
        const int only_a = j == nb || (i < na && a[i] < b[j]);
        const int only_b = i == na || (j < nb && b[j] < a[i]);
        const int keeps = only_a   ? op != INTERSECTION
                          : only_b ? op == UNION || op == SYMMETRIC
                                   : op == UNION || op == INTERSECTION;
        out[number] = only_b ? b[j] : a[i];
        number += keeps != 0;
        i += !only_b;
        j += !only_a;
    }
    return number;
}

/* Draws two sorted lists, of `first` items and of the others. */
static void draw_lists(
    uint32_t *in, uint32_t count, uint32_t first, uint64_t below, random_source *random)
{
    for (size_t x = 0; x < count; x++)
        in[x] = (uint32_t)random_below(random, below);
    qsort(in, first, sizeof *in, by_uint);
    qsort(in + first, count - first, sizeof *in, by_uint);
}

/* Runs an operation on two lists of uint, or by `less` on pairs of which one half is compared. */
static void judge_set(const rig *r, shape s, int op, random_source *random)
{
    static const char *const names[] = {"#define SET a_set_union\n",
        "#define SET a_set_intersection\n", "#define SET a_set_difference\n",
        "#define SET a_set_symmetric_difference\n"};
    static uint32_t in[MOST], out[MOST + 1], kept[MOST];
    const uint32_t T = s.u * s.E, sizes[] = {T / 3, 0, T - 1, T / 2, 1};
    const uint64_t kinds[] = {40, 1u << 31, 2, T, 6};
    char *const a = source_of(&(dmm_group_desc){.kind = DMM_GROUP_SORT,
                                  .name = "a",
                                  .positions = op != INTERSECTION,
                                  .order.less = op == INTERSECTION ? "a < b" : NULL},
        s);
    cl_kernel f = build(r, a, names[op], sets, s);
    for (size_t k = 0; k < 5; k++) {
        draw_lists(in, T - 1, sizes[k], kinds[k], random);
        run(r, f, in, out, T * sizeof *in + sizeof *in, sizes[k], s);
        const uint32_t number = kept_by(op, kept, in, sizes[k], in + sizes[k], T - 1 - sizes[k]);
        REQUIRE(out[T] == number);
        REQUIRE(memcmp(out, kept, number * sizeof *kept) == 0);
    }
    clReleaseKernel(f);
    free(a);
}

static void set_operations(void **state)
{
    static rig r;
    random_source random = {7};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, 1, SHAPES); i++)
        for (int op = 0; op < SETS; op++)
            if (by_size(op == SYMMETRIC, op % 2 != 0, 1))
                judge_set(&r, shapes[i], op, &random);
    rig_close(&r);
}

/* Compares what the kernel `runs` found with the same on the host. */
static void judge_runs(const uint32_t *in, const uint32_t *out, uint32_t T, uint32_t n)
{
    static uint32_t kept[MOST];
    uint32_t number = 0;
    for (uint32_t x = 0; x < n; x++)
        if (x == 0 || in[x] != in[x - 1])
            kept[number++] = in[x];
    REQUIRE(out[3 * T] == number);
    REQUIRE(memcmp(out, kept, number * sizeof *kept) == 0);
    number = 0;
    for (int others = 0; others < 2; others++)
        for (uint32_t x = 0; x < T; x++)
            if (((in[x] & 2) == 0) == others)
                kept[number++] = in[x];
    REQUIRE(memcmp(out + T, kept, T * sizeof *kept) == 0);
    for (uint32_t x = 0; x < T; x++)
        REQUIRE(
            out[2 * T + x] == (x < n / 2 && (x == 0 || in[2 * x + 1] / 4 != in[2 * x - 1] / 4)));
}

/* Runs and partitions of uint; runs of pairs by a part of their second. */
static void runs_and_partitions(void **state)
{
    static rig r;
    static uint32_t in[3 * MOST + 2], out[3 * MOST + 2];
    random_source random = {7};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, 1, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, sizes[] = {T / 3, 0, T - 1, T / 2, 1};
        const uint64_t kinds[] = {40, 1u << 31, 2, T, 6};
        char *const a = source_of(&(dmm_group_desc){.kind = DMM_GROUP_SORT, .name = "a"}, s);
        char *const b = source_of(&(dmm_group_desc){.kind = DMM_GROUP_SORT,
                                      .name = "b",
                                      .order = {.type = DMM_ITEM,
                                          .item = "typedef uint2 dmm_item;",
                                          .item_bytes = 8,
                                          .less = "a.y / 4 < b.y / 4"}},
            s);
        cl_kernel f = build(&r, a, b, runs, s);
        for (size_t k = 0; k < 5; k++) {
            draw_lists(in, T, sizes[k], kinds[k], &random);
            run(&r, f, in, out, (3 * T + 2) * sizeof *in, sizes[k], s);
            judge_runs(in, out, T, sizes[k]);
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

static const char matrices[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                               "void f(global const uint *in, global uint *out, uint n)\n"
                               "{\n"
                               "    local a_room_word room[A_ROOM_WORDS];\n"
                               "    local b_room_word other[B_ROOM_WORDS];\n"
                               "    uint r[E];\n"
                               "    b_item g[E];\n"
                               "    a_load_stripes(r, in, T, 0);\n"
                               "    a_transpose(r, room);\n"
                               "    a_store_stripes(out, r, T);\n"
                               "    a_transpose_back(r, room);\n"
                               "    a_store_stripes(out + T, r, T);\n"
                               "    if (n) {\n"
                               "        a_permute(r, in + 4 * T, room);\n"
                               "        a_store_stripes(out + 2 * T, r, T);\n"
                               "    }\n"
                               "    b_load_stripes(g, (global const b_item *)in, T, (b_item)(0));\n"
                               "    b_transpose(g, other);\n"
                               "    b_store_stripes((global b_item *)(out + 3 * T), g, T);\n"
                               "    b_transpose_back(g, other);\n"
                               "    if (n)\n"
                               "        b_permute(g, in + 4 * T, other);\n"
                               "    b_store_stripes((global b_item *)(out + 7 * T), g, T);\n"
                               "}\n";

/* Draws a permutation. */
static void draw(uint64_t *index, uint32_t T, random_source *random)
{
    for (uint32_t x = 0; x < T; x++)
        index[x] = x;
    for (uint32_t x = T; x > 1; x--) {
        const uint64_t other = random_below(random, x), last = index[x - 1];
        index[x - 1] = index[other];
        index[other] = last;
    }
}

/* True if two items of several words are the same. */
static int same(const uint32_t *a, uint64_t x, const uint32_t *b, uint64_t y, uint32_t words)
{
    return memcmp(a + x * words, b + y * words, words * sizeof *a) == 0;
}

/* Matrices of uint by `columns`, of four words by as many rows, and plans of both. */
static void transposes_and_permutations(void **state)
{
    static rig r;
    static uint32_t in[11 * MOST], out[11 * MOST];
    static uint64_t index[MOST];
    random_source random = {8};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, 1, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, columns = i % 2 != 0 ? s.E : s.u, rows = T / columns;
        const uint32_t plans = (s.E & (s.E - 1)) == 0;
        const dmm_group_desc one = {
            .name = "a", .columns = columns, .u = s.u, .E = s.E, .banks = s.banks};
        char *const a = source_of(&one, s);
        char *const b = source_of(
            &(dmm_group_desc){.name = "b",
                .columns = rows,
                .order = {.type = DMM_ITEM, .item = "typedef uint4 dmm_item;", .item_bytes = 16}},
            s);
        cl_kernel f = build(&r, a, b, matrices, s);
        for (uint32_t x = 0; x < 4 * T; x++)
            in[x] = (uint32_t)random_below(&random, 1u << 31);
        draw(index, T, &random);
        if (plans)
            REQUIRE_STATUS(dmm_group_moves(in + 4 * T, &one, index), DMM_OK);
        run(&r, f, in, out, 11 * T * sizeof *in, plans, s);
        for (uint32_t x = 0; x < T; x++) {
            const uint32_t to = x % columns * rows + x / columns;
            REQUIRE(out[to] == in[x] && out[T + x] == in[x]);
            REQUIRE(!plans || out[2 * T + index[x]] == in[x]);
            REQUIRE(same(out + 3 * T, x % rows * columns + x / rows, in, x, 4));
            REQUIRE(same(out + 7 * T, plans ? index[x] : x, in, x, 4));
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

/* A plan has no step of `banks` moves that takes two items of a bank, or stores two in one. */
static void plans_ask_no_bank_for_two_words(void **state)
{
    static uint64_t index[MOST];
    static uint32_t moves[MOST];
    random_source random = {9};
    (void)state;
    for (uint32_t banks = 4; banks <= 128; banks *= 2)
        for (uint32_t E = 1; E <= 8; E *= 2) {
            const dmm_group_desc desc = {.name = "x", .u = banks, .E = E, .banks = banks};
            const uint32_t T = banks * E;
            draw(index, T, &random);
            REQUIRE_STATUS(dmm_group_moves(moves, &desc, index), DMM_OK);
            for (uint32_t first = 0; first < T; first += banks) {
                uint8_t taken[128] = {0}, stored[128] = {0};
                for (uint32_t i = first; i < first + banks; i++) {
                    const uint32_t from = moves[i] & 0xffff, to = moves[i] >> 16;
                    REQUIRE(index[from] == to);
                    REQUIRE(taken[from % banks]++ == 0 && stored[to % banks]++ == 0);
                }
            }
        }
}

static void wrong_plans(void **state)
{
    static uint64_t index[2048];
    static uint32_t moves[2048];
    const dmm_group_desc desc = {.name = "x"}, odd = {.name = "x", .E = 7},
                         sorts = {.name = "x", .kind = DMM_GROUP_SORT};
    (void)state;
    for (uint64_t x = 0; x < 2048; x++)
        index[x] = x ^ 5;
    REQUIRE_STATUS(dmm_group_moves(NULL, &desc, index), DMM_NULL_ARGUMENT);
    REQUIRE_STATUS(dmm_group_moves(moves, NULL, index), DMM_NULL_ARGUMENT);
    REQUIRE_STATUS(dmm_group_moves(moves, &desc, NULL), DMM_NULL_ARGUMENT);
    REQUIRE_STATUS(dmm_group_moves(moves, &odd, index), DMM_BAD_VALUE);
    REQUIRE(strstr(dmm_error_text(DMM_BAD_VALUE), "power of two") != NULL);
    REQUIRE_STATUS(dmm_group_moves(moves, &sorts, index), DMM_BAD_VALUE);
    REQUIRE_STATUS(dmm_group_moves(moves, &desc, index), DMM_OK);
    index[7] = 8;
    REQUIRE_STATUS(dmm_group_moves(moves, &desc, index), DMM_BAD_DATA);
    index[7] = (uint64_t)1 << 40;
    REQUIRE_STATUS(dmm_group_moves(moves, &desc, index), DMM_BAD_DATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_sorts_by_digits),
        cmocka_unit_test(set_operations),
        cmocka_unit_test(runs_and_partitions),
        cmocka_unit_test(transposes_and_permutations),
        cmocka_unit_test(plans_ask_no_bank_for_two_words),
        cmocka_unit_test(wrong_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
