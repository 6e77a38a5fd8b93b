/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_layout over kinds, methods, sizes, item sizes and forms, there and back. Two judges: the
 * function of the place, and that the same items are there. What it refuses.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/layout.h>

#include "support/shared.h"
#include "support/zone.h"
#include "support/cover.h"
#include "support/forms.h"

/* Items that differ if they can: the number of the item, then bytes of it. */
static void fill(unsigned char *items, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < bytes; b++)
            items[i * bytes + b] = (unsigned char)(b < 8 ? i >> 8 * b : i * (b + 1));
}

static const char *judge_by_place(const dmm_layout_desc *d, const unsigned char *sorted,
    const unsigned char *got, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (memcmp(got + i * bytes, sorted + dmm_layout_rank(d->kind, d->B, n, i) * bytes, bytes) !=
            0)
            return "an item is not at its place";
    return NULL;
}

static const char *judge_as_set(
    const unsigned char *sorted, const unsigned char *got, uint32_t bytes, uint64_t n)
{
    unsigned char *const seen = calloc(n + 1, 1);
    const char *verdict = NULL;
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < n && bytes >= 4 && verdict == NULL; i++) {
        uint32_t number = 0;
        memcpy(&number, got + i * bytes, 4);
        if (number >= n || seen[number]++ ||
            memcmp(got + i * bytes, sorted + number * bytes, bytes) != 0)
            verdict = "an item is lost";
    }
    free(seen);
    return verdict;
}

static void permute(const rig *r, dmm_layout *layout, const zone *items, const zone *values,
    uint64_t n, int temp_given)
{
    uint64_t temp_bytes = 0;
    zone temp = {0};
    dmm_layout_args args = {.items = zone_span(items)};
    if (values->buffer != NULL)
        args.values = zone_span(values);
    REQUIRE_OK(dmm_layout_temp_bytes(&temp_bytes, layout, n));
    if (temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 256);
        args.temp = zone_span(&temp);
    }
    REQUIRE_OK(dmm_layout_enqueue(layout, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(temp.buffer == NULL || zone_intact(r, &temp));
    zone_free(&temp);
}

/* One description, built for both directions. */
typedef struct both {
    dmm_layout_desc desc;
    dmm_layout *to, *from;
} both;

static both build(const rig *r, const dmm_layout_desc *desc)
{
    both b = {.desc = *desc};
    REQUIRE_OK(dmm_layout_create(&b.to, r->ctx, &b.desc));
    b.desc.back = 1;
    REQUIRE_OK(dmm_layout_create(&b.from, r->ctx, &b.desc));
    return b;
}

static void free_both(both *b)
{
    dmm_layout_free(b->to);
    dmm_layout_free(b->from);
}

static void check(const rig *r, const both *b, uint64_t n, uint64_t offset, int temp_given)
{
    const uint32_t bytes = b->desc.item_bytes, value_bytes = b->desc.value_bytes;
    unsigned char *const sorted = malloc(n * bytes + 1), *const got = malloc(n * bytes + 1);
    unsigned char *const sorted_values = malloc(n * value_bytes + 1);
    unsigned char *const values_got = malloc(n * value_bytes + 1);
    zone values = {0};
    REQUIRE(sorted != NULL && got != NULL && sorted_values != NULL && values_got != NULL);
    fill(sorted, bytes, n);
    fill(sorted_values, value_bytes, n);
    test_note("kind %d B %u method %d, %u and %u bytes, form %d u %u: n=%llu, offset %llu%s",
        (int)b->desc.kind, b->desc.B, (int)b->desc.method, bytes, value_bytes,
        (int)b->desc.tuning.form, b->desc.tuning.u, (unsigned long long)n,
        (unsigned long long)offset, temp_given ? ", temp given" : "");
    zone items = zone_create(r, sorted, n * bytes, offset * bytes);
    if (value_bytes != 0)
        values = zone_create(r, sorted_values, n * value_bytes, offset * value_bytes);
    permute(r, b->to, &items, &values, n, temp_given);
    zone_read(r, &items, got);
    REQUIRE_VERDICT(judge_by_place(&b->desc, sorted, got, bytes, n));
    REQUIRE_VERDICT(judge_as_set(sorted, got, bytes, n));
    REQUIRE(zone_intact(r, &items));
    if (value_bytes != 0) {
        zone_read(r, &values, values_got);
        REQUIRE_VERDICT(judge_by_place(&b->desc, sorted_values, values_got, value_bytes, n));
    }
    permute(r, b->from, &items, &values, n, temp_given);
    REQUIRE(zone_holds(r, &items, sorted));
    REQUIRE(value_bytes == 0 || zone_holds(r, &values, sorted_values));
    zone_free(&items);
    zone_free(&values);
    free(sorted);
    free(got);
    free(sorted_values);
    free(values_got);
}

/* Rows of one program each; kinds and methods need no program of their own. */
static const struct {
    uint32_t item_bytes, value_bytes;
    dmm_tuning tuning;
} rows[] = {
    {4, 0, CPU(64)},
    {4, 4, GPU(16, 1)},
    {8, 1, CPU(16)},
    {2, 12, GPU(32, 4)},
    {16, 0, GPU(8, 2)},
    {15, 3, CPU(256)},
    {1, 0, CPU(32)},
    {12, 8, CPU(128)},
};
enum { NUM_ROWS = sizeof rows / sizeof rows[0] };

static const dmm_layout_desc kinds[] = {
    {.kind = DMM_LAYOUT_BST},
    {.kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_INVOLUTIONS},
    {.kind = DMM_LAYOUT_BST, .method = DMM_LAYOUT_CYCLES},
    {.kind = DMM_LAYOUT_BTREE, .B = 16},
    {.kind = DMM_LAYOUT_BTREE, .B = 3, .method = DMM_LAYOUT_INVOLUTIONS},
    {.kind = DMM_LAYOUT_BTREE, .B = 2, .method = DMM_LAYOUT_CYCLES},
    {.kind = DMM_LAYOUT_BTREE, .B = 32, .method = DMM_LAYOUT_CYCLES},
    {.kind = DMM_LAYOUT_VEB},
    {.kind = DMM_LAYOUT_VEB, .method = DMM_LAYOUT_INVOLUTIONS},
    {.kind = DMM_LAYOUT_MVEB},
    {.kind = DMM_LAYOUT_SORTED},
};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

static void every_row_of_the_table_permutes_there_and_back(void **state)
{
    static const uint64_t sizes[] = {0, 1, 2, 3, 31, 33, 255, 1000, 1023, 4100};
    static rig r;
    (void)state;
    rig_open(&r, "banks=8");
    for (size_t i = 0; i < NUM_ROWS; i += by_size(3, 1, 1))
        for (size_t k = 0; k < NUM_KINDS; k++) {
            dmm_layout_desc desc = kinds[k];
            desc.item_bytes = rows[i].item_bytes;
            desc.value_bytes = rows[i].value_bytes;
            desc.tuning = rows[i].tuning;
            both b = build(&r, &desc);
            for (size_t s = (i + k) % 2; s < by_size(7, 10, 10); s += by_size(3, 2, 1))
                check(&r, &b, sizes[s], (i + s) % 3, (int)(s % 2));
            free_both(&b);
        }
    rig_close(&r);
}

static void every_n_to_5000_permutes(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        dmm_layout_desc desc = kinds[k];
        desc.item_bytes = 4;
        desc.tuning = (dmm_tuning)CPU(32);
        both b = build(&r, &desc);
        for (uint64_t n = 0; n <= by_size(by_rows(100, 300), 5000, 5000); n = size_after(n, 20))
            check(&r, &b, n, 0, 0);
        free_both(&b);
    }
    rig_close(&r);
}

static void many_items_permute_with_default_parameters(void **state)
{
    static rig r;
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t k = 0; k < NUM_KINDS; k++) {
        dmm_layout_desc desc = kinds[k];
        desc.item_bytes = 4;
        both b = build(&r, &desc);
        check(&r, &b, by_size(by_rows(300, 700), 300007, 3000017), 0, 0);
        check(&r, &b, by_size(by_rows(127, 511), (1 << 18) - 1, (1 << 22) - 1), 0, 0);
        free_both(&b);
    }
    rig_close(&r);
}

/* Returns the bytes of temp for n items on a device of so many units. */
static uint64_t temp_of(const char *units, const dmm_layout_desc *desc, uint64_t n)
{
    static rig r;
    dmm_layout *layout = NULL;
    uint64_t bytes = 0;
    rig_open(&r, units);
    REQUIRE_OK(dmm_layout_create(&layout, r.ctx, desc));
    REQUIRE_OK(dmm_layout_temp_bytes(&bytes, layout, n));
    dmm_layout_free(layout);
    rig_close(&r);
    return bytes;
}

/* In place: a tile for each group of a launch, of which a unit has a fixed number, and nothing that
 * grows with the items. */
static void temp_does_not_grow_with_the_items(void **state)
{
    enum { TILE = 256, GROUPS_OF_A_UNIT = 64 };
    (void)state;
    for (size_t k = 0; k < NUM_KINDS; k++)
        for (uint32_t bytes = 4; bytes <= 12; bytes += 8) {
            dmm_layout_desc desc = kinds[k];
            desc.item_bytes = 4;
            desc.value_bytes = bytes == 4 ? 0 : bytes;
            desc.tuning = (dmm_tuning)CPU(TILE);
            test_note("kind %zu, %u bytes", k, bytes);
            const uint64_t tile = (uint64_t)TILE * bytes;
            const uint64_t one = temp_of("units=1", &desc, 1 << 22);
            REQUIRE(one % tile == 0 && one > 0 && one <= GROUPS_OF_A_UNIT * tile);
            REQUIRE(temp_of("units=5", &desc, 1 << 22) == 5 * one);
            REQUIRE(temp_of("units=1", &desc, 1 << 12) == one);
        }
}

/* A kernel of the caller's own, with the text that the library gives for it. */
static void a_caller_s_kernel_calls_the_functions(void **state)
{
    enum { N = 1000 };
    static const char kernel_text[] =
        "\nkernel void f(global ulong *out, uint kind, ulong n) { size_t i = get_global_id(0);"
        " out[2 * i] = dmm_layout_index(kind, 5, n, n - 1 - i);"
        " out[2 * i + 1] = dmm_layout_rank(kind, 5, n, i); }";
    static const uint64_t sizes[] = {N, ((uint64_t)1 << 32) + 5};
    static uint64_t got[2 * N];
    const size_t global = N;
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    const cl_kernel kernel = rig_kernel(&r, dmm_layout_source(), kernel_text);
    zone out = zone_create(&r, NULL, sizeof got, 0);
    for (size_t k = 0; k < 10; k++) {
        const cl_ulong n = sizes[k % 2];
        const cl_uint tree = (cl_uint)(k / 2);
        test_note("kind %u, n=%llu", tree, (unsigned long long)n);
        REQUIRE_OK(clSetKernelArg(kernel, 0, sizeof out.buffer, &out.buffer));
        REQUIRE_OK(clSetKernelArg(kernel, 1, sizeof tree, &tree));
        REQUIRE_OK(clSetKernelArg(kernel, 2, sizeof n, &n));
        REQUIRE_OK(clEnqueueNDRangeKernel(r.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        zone_read(&r, &out, got);
        for (uint64_t i = 0; i < N; i++) {
            REQUIRE(got[2 * i] == dmm_layout_index((dmm_layout_kind)tree, 5, n, n - 1 - i));
            REQUIRE(got[2 * i + 1] == dmm_layout_rank((dmm_layout_kind)tree, 5, n, i));
        }
    }
    zone_free(&out);
    clReleaseKernel(kernel);
    rig_close(&r);
}

static void wrong_calls_are_refused_in_order_and_touch_nothing(void **state)
{
    enum { N = 100 };
    static const dmm_layout_desc wrong[] = {{.item_bytes = 257}, {.value_bytes = 257},
        {.kind = (dmm_layout_kind)5}, {.B = 65536}, {.method = (dmm_layout_method)4},
        {.kind = DMM_LAYOUT_VEB, .method = DMM_LAYOUT_HYBRID}};
    const dmm_layout_desc desc = {
        .item_bytes = 4, .value_bytes = 8, .kind = DMM_LAYOUT_VEB, .max_n = N, .tuning = CPU(64)};
    dmm_layout *layout = NULL;
    (void)state;
    rig_open(&shared, NULL);
    test_note("wrong calls");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        REQUIRE_REFUSED(DMM_BAD_VALUE, &layout, dmm_layout_create(&layout, shared.ctx, &wrong[i]));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_layout_host(shared.ctx, &desc, NULL, NULL, N));
    rig_close(&shared);
}

static void the_judges_see_wrong_orders(void **state)
{
    const dmm_layout_desc d = {.kind = DMM_LAYOUT_BST};
    const uint32_t sorted[] = {0, 1, 2, 3, 4};
    uint32_t got[] = {3, 1, 4, 0, 2};
    const unsigned char *a = (const unsigned char *)sorted, *b = (unsigned char *)got;
    (void)state;
    test_note("judges");
    REQUIRE(judge_by_place(&d, a, b, 4, 5) == NULL && judge_as_set(a, b, 4, 5) == NULL);
    got[0] = 4;
    REQUIRE(judge_by_place(&d, a, b, 4, 5) != NULL && judge_as_set(a, b, 4, 5) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_permutes_there_and_back),
        cmocka_unit_test(every_n_to_5000_permutes),
        cmocka_unit_test(many_items_permute_with_default_parameters),
        cmocka_unit_test(temp_does_not_grow_with_the_items),
        cmocka_unit_test(a_caller_s_kernel_calls_the_functions),
        cmocka_unit_test(wrong_calls_are_refused_in_order_and_touch_nothing),
        cmocka_unit_test(the_judges_see_wrong_orders),
    };
    return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
