/* SPDX-License-Identifier: MIT */
/* ctest: default oclgrind full */
/*
 * Collectives in a caller's kernels, against the same on the host: several instances in one
 * program, types, items, operators that do not commute, banks, and tiles that are not full.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/group_rig.h"
#include "support/random.h"

/* Sorts (key, place) by key, then place. */
static int by_key(const void *a, const void *b)
{
    const uint32_t *const x = a, *const y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static const char sorts[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                            "void f(global const uint *in, global uint *out, uint n)\n"
                            "{\n"
                            "    local a_room_word room[A_ROOM_WORDS];\n"
                            "    local b_room_word other[B_ROOM_WORDS];\n"
                            "    uint r[E], from[E];\n"
                            "    b_item g[E];\n"
                            "    a_load(r, in, n, 0, room);\n"
                            "    a_sort_from(r, from, n, room);\n"
                            "    for (uint j = 0; j < E; j++) {\n"
                            "        const uint x = get_local_id(0) * E + j;\n"
                            "        if (x < n)\n"
                            "            out[T + x] = from[j];\n"
                            "    }\n"
                            "    a_store(out, r, n, room);\n"
                            "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                            "    b_load(g, (global const b_item *)in, n / 2, (b_item)(0), other);\n"
                            "    b_sort(g, n / 2, other);\n"
                            "    b_store((global b_item *)(out + 2 * T), g, n / 2, other);\n"
                            "}\n";

/* Sorts uint with places, and the same words as uint2 by the second of each, falling. */
static void two_sorts_in_one_program(void **state)
{
    static rig r;
    static uint32_t in[3 * MOST], out[3 * MOST], pairs[MOST][2];
    random_source random = {3};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, SHAPES, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, sizes[] = {T, T - 1, T / 2 + 1, 1, 0};
        char *const a =
            source_of(&(dmm_group_desc){.kind = DMM_GROUP_SORT, .name = "a", .positions = 1}, s);
        char *const b = source_of(&(dmm_group_desc){.kind = DMM_GROUP_SORT,
                                      .name = "b",
                                      .order = {.type = DMM_ITEM,
                                          .item = "typedef uint2 dmm_item;",
                                          .item_bytes = 8,
                                          .less = "a.y < b.y",
                                          .descending = 1}},
            s);
        cl_kernel f = build(&r, a, b, sorts, s);
        for (size_t k = 0; k < by_size(2, 5, 5); k++) {
            const uint32_t n = sizes[k];
            for (size_t x = 0; x < 3 * T; x++)
                in[x] = (uint32_t)random_below(&random, k % 2 ? 40 : 1u << 31);
            memset(out, 0xee, sizeof out);
            run(&r, f, in, out, 3 * T * sizeof *in, n, s);
            for (uint32_t x = 0; x < n; x++)
                pairs[x][0] = in[x], pairs[x][1] = x;
            qsort(pairs, n, sizeof pairs[0], by_key);
            for (uint32_t x = 0; x < n; x++) {
                REQUIRE(out[x] == pairs[x][0]);
                REQUIRE(out[T + x] == pairs[x][1]);
            }
            for (uint32_t x = 0; x < n / 2; x++)
                pairs[x][0] = ~in[2 * x + 1], pairs[x][1] = x;
            qsort(pairs, n / 2, sizeof pairs[0], by_key);
            for (uint32_t x = 0; x < n / 2; x++) {
                REQUIRE(out[2 * T + 2 * x] == in[2 * pairs[x][1]]);
                REQUIRE(out[2 * T + 2 * x + 1] == ~pairs[x][0]);
            }
            for (uint32_t x = n; x < T; x++)
                REQUIRE(out[x] == 0xeeeeeeee && out[T + x] == 0xeeeeeeee);
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

static const char merges[] =
    "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
    "void f(global const float *in, global float *out, uint na)\n"
    "{\n"
    "    local a_room_word room[A_ROOM_WORDS];\n"
    "    local b_room_word other[B_ROOM_WORDS];\n"
    "    float r[E];\n"
    "    uint sums[B_BINS_OWN];\n"
    "    const uint end = a_path(in, na, in + na, T - na, T / 2);\n"
    "    a_merge(r, in, end, in + na, T / 2 - end, room);\n"
    "    a_store(out, r, T / 2, room);\n"
    "    a_merge(r, in + end, na - end, in + na + T / 2 - end, T - na - (T / 2 - end), room);\n"
    "    a_store(out + T / 2, r, T - T / 2, room);\n"
    "    b_bins_clear(sums, other);\n"
    "    for (uint j = 0; j < E; j++)\n"
    "        b_bins_add((as_uint(in[get_local_id(0) * E + j]) >> 16) % 37, other);\n"
    "    b_bins_sum(sums, other);\n"
    "    for (uint i = 0; i < B_BINS_OWN; i++)\n"
    "        if (b_bins_of(i) < 37 && b_bins_of(i) < T)\n"
    "            out[T + b_bins_of(i)] = as_float(sums[i]);\n"
    "}\n";

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Merges two lists of floats by halves of their merge path, and counts a digit of their bits. */
static void merges_and_counts(void **state)
{
    static rig r;
    static float in[3 * MOST], out[3 * MOST], merged[MOST];
    random_source random = {4};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, SHAPES, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, sizes[] = {T / 3, 0, T, T / 2, 1};
        char *const a = source_of(
            &(dmm_group_desc){.kind = DMM_GROUP_SORT, .name = "a", .order = {.type = DMM_F32}}, s);
        char *const b =
            source_of(&(dmm_group_desc){.kind = DMM_GROUP_COUNT, .name = "b", .bins = 37}, s);
        cl_kernel f = build(&r, a, b, merges, s);
        for (size_t k = 0; k < by_size(1, 5, 5); k++) {
            uint32_t counts[37] = {0};
            for (size_t x = 0; x < T; x++)
                in[x] = (float)random_below(&random, 100) - 50.5f;
            qsort(in, sizes[k], sizeof *in, by_value);
            qsort(in + sizes[k], T - sizes[k], sizeof *in, by_value);
            memcpy(merged, in, T * sizeof *in);
            qsort(merged, T, sizeof *merged, by_value);
            run(&r, f, in, out, 3 * T * sizeof *in, sizes[k], s);
            REQUIRE(memcmp(out, merged, T * sizeof *out) == 0);
            for (uint32_t x = 0; x < T; x++) {
                uint32_t bits = 0;
                memcpy(&bits, &in[x], 4);
                counts[(bits >> 16) % 37]++;
            }
            REQUIRE(memcmp(out + T, counts, sizeof counts < T * 4 ? sizeof counts : T * 4) == 0);
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

static const char scans[] = "kernel __attribute__((reqd_work_group_size(U, 1, 1)))\n"
                            "void f(global const uint2 *in, global uint2 *out, uint n)\n"
                            "{\n"
                            "    local a_room_word room[A_ROOM_WORDS];\n"
                            "    local b_room_word other[B_ROOM_WORDS];\n"
                            "    a_item r[E];\n"
                            "    b_item kept[E];\n"
                            "    uint flags[E];\n"
                            "    a_load(r, in, n, (a_item)(1, 0), room);\n"
                            "    const a_item total = a_reduce(r, room);\n"
                            "    const a_item same = a_scan_exclusive(r, room);\n"
                            "    a_store(out, r, n, room);\n"
                            "    a_load(r, in, n, (a_item)(1, 0), room);\n"
                            "    a_scan_inclusive(r, room);\n"
                            "    a_store(out + T, r, n, room);\n"
                            "    b_load_stripes(kept, (global const uchar *)in, T, 0);\n"
                            "    for (uint i = 0; i < E; i++)\n"
                            "        flags[i] = kept[i] & 8;\n"
                            "    const uint number = b_keep(kept, flags, other);\n"
                            "    b_store_stripes((global uchar *)(out + 2 * T), kept, number);\n"
                            "    if (get_local_id(0) == U - 1) {\n"
                            "        out[3 * T] = total;\n"
                            "        out[3 * T + 1] = same;\n"
                            "        ((global uint *)out)[2 * (3 * T + 2)] = number;\n"
                            "    }\n"
                            "}\n";

/* Scans affine maps, which do not commute, and keeps the bytes with a flag. */
static void scans_and_compactions(void **state)
{
    static rig r;
    static uint32_t in[4 * MOST][2], out[4 * MOST][2];
    static uint8_t kept[MOST];
    static const dmm_operator affine = {
        .combine = "(dmm_item)(a.x * b.x, a.y * b.x + b.y)", .identity = "(dmm_item)(1, 0)"};
    random_source random = {5};
    (void)state;
    rig_open(&r, "form=gpu");
    for (size_t i = 0; i < by_size(1, SHAPES, SHAPES); i++) {
        const shape s = shapes[i];
        const uint32_t T = s.u * s.E, sizes[] = {T, T / 2 + 1, 0};
        char *const a = source_of(
            &(dmm_group_desc){.name = "a",
                .order = {.type = DMM_ITEM, .item = "typedef uint2 dmm_item;", .item_bytes = 8},
                .own = &affine},
            s);
        char *const b = source_of(&(dmm_group_desc){.name = "b", .order = {.type = DMM_U8}}, s);
        cl_kernel f = build(&r, a, b, scans, s);
        for (size_t k = 0; k < by_size(1, 3, 3); k++) {
            const uint32_t n = sizes[k];
            uint32_t total[2] = {1, 0}, number = 0;
            random_bytes(&random, in, sizeof in);
            run(&r, f, in, out, (3 * T + 3) * sizeof in[0], n, s);
            for (uint32_t x = 0; x < n; x++) {
                REQUIRE(out[x][0] == total[0] && out[x][1] == total[1]);
                total[1] = total[1] * in[x][0] + in[x][1];
                total[0] *= in[x][0];
                REQUIRE(out[T + x][0] == total[0] && out[T + x][1] == total[1]);
            }
            REQUIRE(memcmp(out[3 * T], total, sizeof total) == 0);
            REQUIRE(memcmp(out[3 * T + 1], total, sizeof total) == 0);
            for (uint32_t x = 0; x < T; x++)
                if (((const uint8_t *)in)[x] & 8)
                    kept[number++] = ((const uint8_t *)in)[x];
            REQUIRE(out[3 * T + 2][0] == number);
            REQUIRE(memcmp(out[2 * T], kept, number) == 0);
        }
        clReleaseKernel(f);
        free(a);
        free(b);
    }
    rig_close(&r);
}

/* A description and the status and text that it is refused with. */
typedef struct refusal {
    dmm_group_desc desc;
    dmm_status status;
    const char *text;
} refusal;

static void wrong_descriptions(void **state)
{
    static const dmm_operator empty = {.combine = "a"}, named = {1, "", "a", "b", 0, 0, {0}};
    static const refusal rows[] = {
        {{.kind = (dmm_group_kind)5, .name = "x"}, DMM_BAD_VALUE, "kind"},
        {{.name = "x", .columns = 7}, DMM_BAD_VALUE, "columns"},
        {{.name = "x", .columns = 4096}, DMM_BAD_VALUE, "columns"},
        {{.name = "x", .columns = 80, .E = 5, .u = 64}, DMM_BAD_VALUE, "columns"},
        {{.name = "x", .columns = (uint64_t)1 << 40}, DMM_BAD_VALUE, "columns"},
        {{.name = "x", .kind = DMM_GROUP_SORT, .columns = 64}, DMM_BAD_VALUE, "columns"},
        {{.name = "x", .kind = DMM_GROUP_RADIX, .bins = 12}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_RADIX, .bins = 256}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_RADIX, .bins = 1}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_RADIX, .order.less = "a < b"}, DMM_BAD_VALUE, "less"},
        {{.name = "x", .kind = DMM_GROUP_RADIX, .order = {.type = DMM_F32, .zero_equal = 1}},
            DMM_BAD_VALUE, "zero_equal"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .u = 128}, DMM_BAD_VALUE, "u:"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .u = 2}, DMM_BAD_VALUE, "u:"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .E = 3}, DMM_BAD_VALUE, "E:"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .u = 4, .E = 8}, DMM_BAD_VALUE, "E:"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .bins = 64}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_LANES, .columns = 4}, DMM_BAD_VALUE, "columns"},
        {{.name = NULL}, DMM_NULL_ARGUMENT, "name"},
        {{.name = ""}, DMM_BAD_VALUE, "name"},
        {{.name = "1x"}, DMM_BAD_VALUE, "name"},
        {{.name = "X"}, DMM_BAD_VALUE, "name"},
        {{.name = "x y"}, DMM_BAD_VALUE, "name"},
        {{.name = "a234567890123456789012345678901234"}, DMM_BAD_VALUE, "name"},
        {{.name = "x", .u = 48}, DMM_BAD_VALUE, "u:"},
        {{.name = "x", .u = 16}, DMM_BAD_VALUE, "u:"},
        {{.name = "x", .u = 2048}, DMM_BAD_VALUE, "u:"},
        {{.name = "x", .E = 33}, DMM_BAD_VALUE, "E:"},
        {{.name = "x", .banks = 2}, DMM_BAD_VALUE, "banks"},
        {{.name = "x", .banks = 256}, DMM_BAD_VALUE, "banks"},
        {{.name = "x", .bank_bytes = 16}, DMM_BAD_VALUE, "bank_bytes"},
        {{.name = "x", .bins = 4}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_COUNT}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .kind = DMM_GROUP_COUNT, .bins = 257}, DMM_BAD_VALUE, "bins"},
        {{.name = "x", .positions = 1}, DMM_BAD_VALUE, "positions"},
        {{.name = "x", .order.descending = 1}, DMM_BAD_VALUE, "order"},
        {{.name = "x", .order.type = DMM_ITEM}, DMM_BAD_VALUE, "order.item"},
        {{.name = "x", .kind = DMM_GROUP_SORT, .order.zero_equal = 1}, DMM_BAD_VALUE, "zero_equal"},
        {{.name = "x", .kind = DMM_GROUP_SORT, .own = &empty}, DMM_BAD_VALUE, "own"},
        {{.name = "x", .own = &empty}, DMM_NULL_ARGUMENT, "own.identity"},
        {{.name = "x", .own = &named}, DMM_BAD_VALUE, "own.item"},
        {{.name = "x", .lanes = 3}, DMM_BAD_VALUE, "lanes"},
        {{.name = "x", .lanes = 128}, DMM_BAD_VALUE, "lanes"},
        {{.name = "x", .u = 32, .lanes = 64}, DMM_BAD_VALUE, "lanes"},
        {{.name = "x", .lanes = ((uint64_t)1 << 32) + 4}, DMM_BAD_VALUE, "lanes"},
        {{.name = "x", .kind = DMM_GROUP_SORT, .lanes = 32}, DMM_BAD_VALUE, "lanes"},
        {{.name = "x", .reserved = {0, 1}}, DMM_UNSUPPORTED, "reserved"},
    };
    char *text = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text = (char *)1;
        REQUIRE_STATUS(dmm_group_source(&text, &rows[i].desc), rows[i].status);
        REQUIRE(text == NULL);
        REQUIRE(strstr(dmm_error_text(rows[i].status), rows[i].text) != NULL);
    }
    REQUIRE_STATUS(dmm_group_source(NULL, &rows[0].desc), DMM_NULL_ARGUMENT);
    REQUIRE_STATUS(dmm_group_source(&text, NULL), DMM_NULL_ARGUMENT);
    dmm_group_source_free(NULL);
}

/* No name of a text but the caller's begins with that of the library. */
static void texts_have_the_name_alone(void **state)
{
    static const dmm_operator sum = {.combine = "a + b", .identity = "0"};
    static const dmm_group_desc rows[] = {{.name = "own", .own = &sum},
        {.name = "own", .kind = DMM_GROUP_SORT, .order.type = DMM_F64},
        {.name = "own", .kind = DMM_GROUP_SORT, .order.less = "a > b"},
        {.name = "own", .columns = 32}, {.name = "own", .kind = DMM_GROUP_RADIX},
        {.name = "own", .kind = DMM_GROUP_COUNT, .bins = 256},
        {.name = "own", .kind = DMM_GROUP_LANES, .own = &sum}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = NULL;
        REQUIRE_STATUS(dmm_group_source(&text, &rows[i]), DMM_OK);
        REQUIRE(strstr(text, "dmm_") == NULL && strstr(text, "DMM_") == NULL);
        REQUIRE((strstr(text, "own_room_word") != NULL) == (rows[i].kind != DMM_GROUP_LANES));
        REQUIRE(strstr(text, "own_load") != NULL || rows[i].kind == DMM_GROUP_COUNT);
        dmm_group_source_free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sorts_in_one_program),
        cmocka_unit_test(merges_and_counts),
        cmocka_unit_test(scans_and_compactions),
        cmocka_unit_test(wrong_descriptions),
        cmocka_unit_test(texts_have_the_name_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
