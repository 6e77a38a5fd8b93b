/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows full */
/*
 * dmm_shuffle over sizes, item sizes, forms and ways to call it. Two judges: the index function,
 * and, knowing nothing of it, that every item is there once.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include <dmm/shuffle.h>

#include "core/context.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/zone.h"

typedef struct shuffle_case {
    uint64_t seed, n, count;
    int in_place, temp_given;
    uint64_t offset_items;
} shuffle_case;

/* Item i: its number, in as many bytes as there are, then bytes that follow from it. */
static void fill(unsigned char *items, uint32_t bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < bytes; b++)
            items[i * bytes + b] = (unsigned char)(b < 8 ? i >> (8 * b) : i * b + b);
}

static const char *judge_by_index(
    const unsigned char *in, const unsigned char *out, uint32_t bytes, const shuffle_case *c)
{
    for (uint64_t i = 0; i < c->count; i++)
        if (memcmp(out + i * bytes, in + dmm_shuffle_index(c->seed, c->n, i) * bytes, bytes) != 0)
            return "an item is not where the index function says";
    return NULL;
}

/* Numbers of at least four bytes are unique: each may be there once, and is below n. */
static const char *judge_as_set(const unsigned char *out, uint32_t bytes, const shuffle_case *c)
{
    const char *fault = NULL;
    unsigned char *seen = calloc((size_t)c->n + 1, 1);
    REQUIRE(seen != NULL);
    for (uint64_t i = 0; i < c->count && bytes >= 4 && fault == NULL; i++) {
        uint32_t number = 0;
        memcpy(&number, out + i * bytes, sizeof number);
        fault =
            number >= c->n || seen[number] ? "an item is there twice, or was never there" : NULL;
        if (fault == NULL)
            seen[number] = 1;
    }
    free(seen);
    return fault;
}

typedef struct list {
    unsigned char *before;
    zone in, out;
    uint32_t bytes;
} list;

static list list_open(const rig *r, uint32_t bytes, const shuffle_case *c, int reads)
{
    list l = {.bytes = bytes, .before = malloc((size_t)(c->n * bytes + 1))};
    REQUIRE(l.before != NULL);
    fill(l.before, bytes, c->n);
    if (bytes == 0)
        return l;
    if (reads)
        l.in = zone_create(r, l.before, c->n * bytes, c->offset_items * bytes);
    l.out = reads && c->in_place ? l.in
                                 : zone_create(r, NULL, c->count * bytes, c->offset_items * bytes);
    return l;
}

static void list_close(const rig *r, list *l, const shuffle_case *c)
{
    const int in_place = l->in.buffer == l->out.buffer;
    unsigned char *after = malloc((size_t)(c->n * l->bytes + 1));
    REQUIRE(after != NULL);
    if (l->bytes != 0) {
        zone_read(r, &l->out, after);
        REQUIRE_VERDICT(judge_by_index(l->before, after, l->bytes, c));
        REQUIRE_VERDICT(judge_as_set(after, l->bytes, c));
        REQUIRE(zone_intact(r, &l->out));
        if (!in_place && l->in.buffer != NULL)
            REQUIRE(zone_holds(r, &l->in, l->before));
    }
    if (!in_place)
        zone_free(&l->in);
    zone_free(&l->out);
    free(l->before);
    free(after);
}

static void check(const rig *r, dmm_shuffle *s, const dmm_shuffle_desc *d, shuffle_case c)
{
    uint64_t temp_bytes = 0;
    zone temp = {0};
    const uint64_t asked = c.count;
    if (c.count == 0)
        c.count = c.n;
    test_note("items %u values %u%s form=%d tile=%u: seed %llu n=%llu count=%llu%s offset %llu%s",
        d->item_bytes, d->value_bytes, d->indices ? " indices" : "", (int)d->tuning.form,
        d->tuning.tile, (unsigned long long)c.seed, (unsigned long long)c.n,
        (unsigned long long)c.count, c.in_place ? " in place" : "",
        (unsigned long long)c.offset_items, c.temp_given ? " temp given" : "");
    list items = list_open(r, d->item_bytes, &c, !d->indices);
    list values = list_open(r, d->value_bytes, &c, 1);
    dmm_shuffle_args args = {.seed = c.seed,
        .count = asked,
        .in = zone_span(&items.in),
        .values_in = zone_span(&values.in),
        .out = zone_span(&items.out),
        .values_out = zone_span(&values.out)};
    REQUIRE_OK(dmm_shuffle_temp_bytes(&temp_bytes, s, c.n));
    if (c.temp_given && temp_bytes != 0) {
        temp = zone_create(r, NULL, temp_bytes, 512);
        args.temp = zone_span(&temp);
    }
    REQUIRE_OK(dmm_shuffle_enqueue(s, r->queue, &args, c.n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    if (temp.buffer != NULL)
        REQUIRE(zone_intact(r, &temp));
    list_close(r, &items, &c);
    list_close(r, &values, &c);
    zone_free(&temp);
}

static const struct {
    const char *set;
    dmm_shuffle_desc desc;
} rows[] = {
    {"banks=32", {.item_bytes = 4, .tuning = GPU(32, 0)}},
    {"", {.item_bytes = 4, .tuning = CPU(64)}},
    {"units=3", {.item_bytes = 1, .value_bytes = 2, .tuning = CPU(64)}},
    {"banks=8", {.item_bytes = 8, .value_bytes = 12, .tuning = GPU(8, 0)}},
    {"banks=64", {.item_bytes = 256, .value_bytes = 1, .tuning = GPU(64, 0)}},
    {"banks=32", {.item_bytes = 4, .value_bytes = 8, .indices = 1, .tuning = GPU(32, 0)}},
    {"", {.item_bytes = 8, .value_bytes = 4, .indices = 1, .tuning = CPU(256)}},
    {"banks=32", {.item_bytes = 3, .max_n = (uint64_t)1 << 33, .tuning = GPU(32, 0)}},
    {"banks=16", {.item_bytes = 1, .tuning = GPU(64, 0)}},
    {"", {.item_bytes = 8, .value_bytes = 4, .tuning = CPU(128)}},
    {"", {.item_bytes = 5, .value_bytes = 16, .tuning = CPU(64)}},
    {"", {.item_bytes = 4, .max_n = (uint64_t)1 << 33, .tuning = CPU(64)}},
};

static void every_row_of_the_covering_table_shuffles(void **state)
{
    static const uint64_t sizes[] = {
        0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 1000, 4096, 4097, 20011};
    static rig r;
    cover seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const dmm_shuffle_desc *d = &rows[i].desc;
        dmm_shuffle *s = NULL;
        if (!COVER_TAKES(&seen, 1, 2u * d->tuning.form + (d->indices != 0), cover_text(rows[i].set),
                cover_bytes(d->item_bytes), cover_bytes(d->value_bytes), d->max_n != 0))
            continue;
        rig_open(&r, rows[i].set);
        REQUIRE_OK(dmm_shuffle_create(&s, r.ctx, d));
        for (size_t k = 0; k < by_size(10, sizeof sizes / sizeof sizes[0], 18); k++) {
            const shuffle_case c = {.seed = 1000 * i + k,
                .n = sizes[k],
                .count = (i + k) % 4 == 3 ? sizes[k] / 3 : 0,
                .in_place = (i + k) % 2 == 0 && (i + k) % 4 != 3,
                .temp_given = k % 3 == 0,
                .offset_items = k % 3 * 5};
            check(&r, s, d, c);
        }
        dmm_shuffle_free(s);
        rig_close(&r);
    }
}

static void every_n_to_4096_shuffles(void **state)
{
    static const dmm_shuffle_desc descs[] = {
        {.item_bytes = 4, .tuning = CPU(64)}, {.item_bytes = 4, .tuning = GPU(32, 0)}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t i = 0; i < 2; i++) {
        dmm_shuffle *s = NULL;
        REQUIRE_OK(dmm_shuffle_create(&s, r.ctx, &descs[i]));
        for (uint64_t n = i; n <= by_size(100, 4096, 4096); n = size_after(n, 200))
            check(&r, s, &descs[i], (shuffle_case){.seed = n, .n = n, .in_place = n % 4 < 2});
        dmm_shuffle_free(s);
    }
    rig_close(&r);
}

static void a_million_items_shuffle_with_default_parameters(void **state)
{
    static const dmm_shuffle_desc descs[] = {{.item_bytes = 4, .tuning = {.form = DMM_FORM_CPU}},
        {.item_bytes = 8, .value_bytes = 4, .tuning = {.form = DMM_FORM_GPU}}};
    static rig r;
    (void)state;
    rig_optimise();
    rig_open(&r, NULL);
    for (size_t i = 0; i < 2; i++) {
        dmm_shuffle *s = NULL;
        REQUIRE_OK(dmm_shuffle_create(&s, r.ctx, &descs[i]));
        check(&r, s, &descs[i],
            (shuffle_case){.seed = i, .n = by_size(200, 1200007, 1u << 24), .in_place = i == 1});
        dmm_shuffle_free(s);
    }
    rig_close(&r);
}

static void host_forms_shuffle_and_sample(void **state)
{
    enum { N = 3000, K = 500 };
    static uint32_t items[N], few[K];
    static uint64_t many[K];
    const dmm_shuffle_desc desc = {0};
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    test_note("the host forms");
    for (uint32_t i = 0; i < N; i++)
        items[i] = i;
    REQUIRE_OK(dmm_shuffle_host(r.ctx, &desc, 11, items, NULL, N));
    for (uint32_t i = 0; i < N; i++)
        REQUIRE(items[i] == dmm_shuffle_index(11, N, i));
    REQUIRE_OK(dmm_shuffle_sample_host(r.ctx, 3, 1000003, K, 4, few));
    for (uint32_t i = 0; i < K; i++)
        REQUIRE(few[i] == dmm_shuffle_index(3, 1000003, i));
    REQUIRE_OK(dmm_shuffle_sample_host(r.ctx, 3, UINT64_MAX, K, 8, many));
    for (uint32_t i = 0; i < K; i++)
        REQUIRE(many[i] == dmm_shuffle_index(3, UINT64_MAX, i));
    REQUIRE_OK(dmm_shuffle_sample_host(r.ctx, 3, 0, 0, 8, NULL));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_shuffle_sample_host(r.ctx, 3, K - 1, K, 4, few));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_shuffle_sample_host(r.ctx, 3, K, K, 2, few));
    REQUIRE_STATUS(
        DMM_TOO_LARGE, dmm_shuffle_sample_host(r.ctx, 3, ((uint64_t)1 << 32) + 1, K, 4, few));
    rig_close(&r);
}

/* A kernel of the caller's own, with the text that the library gives for it. */
static void a_caller_s_kernel_calls_the_function(void **state)
{
    enum { N = 1000 };
    static const char kernel_text[] =
        "\nkernel void f(global ulong *out, ulong seed, ulong n) { size_t i = get_global_id(0);"
        " out[2 * i] = dmm_shuffle_index(seed, n, n - 1 - i);"
        " out[2 * i + 1] = dmm_shuffle_place(seed, n, i); }";
    static const uint64_t sizes[] = {N, 65537, ((uint64_t)1 << 32) + 5, UINT64_MAX};
    static uint64_t got[2 * N];
    const cl_ulong seed = 99;
    const size_t global = N;
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    const cl_kernel kernel = rig_kernel(&r, dmm_shuffle_source(), kernel_text);
    zone out = zone_create(&r, NULL, sizeof got, 0);
    for (size_t k = 0; k < 4; k++) {
        const cl_ulong n = sizes[k];
        test_note("n = %llu", (unsigned long long)n);
        REQUIRE_OK(clSetKernelArg(kernel, 0, sizeof out.buffer, &out.buffer));
        REQUIRE_OK(clSetKernelArg(kernel, 1, sizeof seed, &seed));
        REQUIRE_OK(clSetKernelArg(kernel, 2, sizeof n, &n));
        REQUIRE_OK(clEnqueueNDRangeKernel(r.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        zone_read(&r, &out, got);
        for (uint64_t i = 0; i < N; i++) {
            REQUIRE(got[2 * i] == dmm_shuffle_index(seed, n, n - 1 - i));
            REQUIRE(got[2 * i + 1] == dmm_shuffle_place(seed, n, i));
        }
    }
    zone_free(&out);
    clReleaseKernel(kernel);
    rig_close(&r);
}

static void the_judges_see_wrong_orders(void **state)
{
    const shuffle_case c = {.seed = 1, .n = 50, .count = 50};
    uint32_t in[50], out[50];
    (void)state;
    test_note("judges");
    fill((unsigned char *)in, 4, 50);
    for (uint64_t i = 0; i < 50; i++)
        out[i] = in[dmm_shuffle_index(1, 50, i)];
    const unsigned char *a = (unsigned char *)in, *b = (unsigned char *)out;
    REQUIRE(judge_by_index(a, b, 4, &c) == NULL && judge_as_set(b, 4, &c) == NULL);
    const uint32_t kept = out[7];
    out[7] = out[8];
    REQUIRE(judge_by_index(a, b, 4, &c) != NULL && judge_as_set(b, 4, &c) != NULL);
    out[8] = kept;
    REQUIRE(judge_by_index(a, b, 4, &c) != NULL);
    out[8] = 50;
    REQUIRE(judge_as_set(b, 4, &c) != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_covering_table_shuffles),
        cmocka_unit_test(every_n_to_4096_shuffles),
        cmocka_unit_test(a_million_items_shuffle_with_default_parameters),
        cmocka_unit_test(host_forms_shuffle_and_sample),
        cmocka_unit_test(a_caller_s_kernel_calls_the_function),
        cmocka_unit_test(the_judges_see_wrong_orders),
    };
    return cmocka_run_group_tests_name("shuffle", tests, NULL, NULL);
}
