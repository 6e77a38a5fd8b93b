/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Operators of the caller's in dmm_scan and dmm_reduce, over sizes and forms, against loops on the
 * host. None of the operators commutes, so that any exchange of two items is seen: products of
 * matrices, and texts that are joined, of which the length and what fits of the end are kept.
 */
#include "support/require.h"

#include <dmm/reduce.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/random.h"
#include "support/rig.h"
#include "support/zone.h"

enum { MOST_BYTES = 64 };

/* An operator, and the same on the host: *to = *to combined with *with. */
typedef struct subject {
    const char *name;
    dmm_type type;
    dmm_operator own;
    void (*combine)(void *to, const void *with);
    void (*make)(void *item, random_source *random);
    unsigned char identity[MOST_BYTES];
} subject;

static void combine_matrices(void *to, const void *with)
{
    uint32_t a[4], b[4];
    memcpy(a, to, sizeof a);
    memcpy(b, with, sizeof b);
    const uint32_t product[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    memcpy(to, product, sizeof product);
}

static void make_matrix(void *item, random_source *random)
{
    random_bytes(random, item, 16);
}

/* A text: its length, and its last bytes. */
enum { KEPT = MOST_BYTES - 4 };
typedef struct text {
    uint32_t length;
    unsigned char end[KEPT]; /* the last `length`, or all, of them are used; the first ones are 0 */
} text;

static void combine_texts(void *to, const void *with)
{
    text a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, with, sizeof b);
    for (uint32_t k = b.length; k < KEPT; k++)
        b.end[KEPT - 1 - k] = a.end[KEPT - 1 - (k - b.length)];
    b.length += a.length;
    memcpy(to, &b, sizeof b);
}

static void make_text(void *item, random_source *random)
{
    text made = {.length = (uint32_t)random_below(random, 3)};
    for (uint32_t k = 0; k < made.length; k++)
        made.end[KEPT - 1 - k] = (unsigned char)random_next(random);
    memcpy(item, &made, sizeof made);
}

/* The later one, unless it is 0. */
static void combine_later(void *to, const void *with)
{
    uint16_t later;
    memcpy(&later, with, sizeof later);
    if (later != 0)
        memcpy(to, &later, sizeof later);
}

static void make_rare(void *item, random_source *random)
{
    const uint16_t made = (uint16_t)(random_below(random, 5) == 0 ? random_next(random) : 0);
    memcpy(item, &made, sizeof made);
}

/* The greatest float, and where it is: of equal ones the first. */
typedef struct place {
    float x;
    uint32_t at, pad;
} place;

static void combine_greatest(void *to, const void *with)
{
    place a, b;
    memcpy(&a, to, sizeof a);
    memcpy(&b, with, sizeof b);
    memcpy(to, b.x > a.x ? &b : &a, sizeof a);
}

static void make_place(void *item, random_source *random)
{
    const place made = {(float)random_below(random, 1000), (uint32_t)random_next(random), 7};
    memcpy(item, &made, sizeof made);
}

static const subject subjects[] = {
    {"texts", DMM_ITEM,
        {64,
            "typedef struct { uint length; uchar end[60]; } dmm_item;\n"
            "static dmm_item join(dmm_item a, dmm_item b) {\n"
            "    for (uint k = b.length; k < 60; k++)\n"
            "        b.end[59 - k] = a.end[59 - (k - b.length)];\n"
            "    b.length += a.length;\n    return b;\n}\n"
            "static dmm_item none(void) {\n"
            "    dmm_item a; a.length = 0; for (uint k = 0; k < 60; k++) a.end[k] = 0; return "
            "a;\n}",
            "join(a, b)", "none()", {0}},
        combine_texts, make_text, {0}},
    {"matrices", DMM_ITEM,
        {16, "typedef struct { uint a, b, c, d; } dmm_item;",
            "(dmm_item){a.a * b.a + a.b * b.c, a.a * b.b + a.b * b.d,\n"
            "           a.c * b.a + a.d * b.c, a.c * b.b + a.d * b.d}",
            "(dmm_item){1, 0, 0, 1}", {0}},
        combine_matrices, make_matrix, {[0] = 1, [12] = 1}},
    {"later", DMM_U16, {0, NULL, "b ? b : a // the later one", "0", {0}}, combine_later, make_rare,
        {0}},
    {"greatest", DMM_ITEM,
        {12, "typedef struct { float x; uint at, pad; } dmm_item;", "b.x > a.x ? b : a",
            "(dmm_item){-INFINITY, 0, 0}", {0}},
        combine_greatest, make_place, {[2] = 0x80, [3] = 0xff}},
};
enum { NUM_SUBJECTS = sizeof subjects / sizeof *subjects };

static uint32_t bytes_of(const subject *s)
{
    return s->type == DMM_ITEM ? s->own.item_bytes : dmm_type_bytes(s->type);
}

/* A list, what a scan makes of it, and behind that the total. */
typedef struct list {
    uint64_t n;
    uint32_t bytes;
    unsigned char *items, *expected;
} list;

static list make_list(const subject *s, uint64_t n, int exclusive)
{
    list made = {.n = n, .bytes = bytes_of(s)};
    random_source random = {n + 1};
    unsigned char total[MOST_BYTES];
    made.items = calloc(n + 1, made.bytes);
    made.expected = calloc(n + 1, made.bytes);
    REQUIRE(made.items != NULL && made.expected != NULL);
    memcpy(total, s->identity, sizeof total);
    for (uint64_t i = 0; i < n; i++) {
        unsigned char *const item = made.items + i * made.bytes;
        s->make(item, &random);
        if (exclusive)
            memcpy(made.expected + i * made.bytes, total, made.bytes);
        s->combine(total, item);
        if (!exclusive)
            memcpy(made.expected + i * made.bytes, total, made.bytes);
    }
    memcpy(made.expected + n * made.bytes, total, made.bytes);
    return made;
}

static void free_list(list *l)
{
    free(l->items);
    free(l->expected);
}

/* Scans, in place if n is odd; counted: the device knows the number of items. */
static void check_scan(const rig *r, dmm_scan *scan, const list *l, int counted)
{
    const uint64_t bytes = l->n * l->bytes;
    zone in = zone_create(r, l->items, bytes, l->bytes), out = zone_create(r, NULL, bytes, 0);
    zone count = zone_create(r, &l->n, sizeof l->n, 8);
    const dmm_scan_args args = {.in = zone_span(&in),
        .out = l->n % 2 ? zone_span(&in) : zone_span(&out),
        .count = counted ? zone_span(&count) : DMM_NONE};
    REQUIRE_OK(dmm_scan_enqueue(scan, r->queue, &args, l->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, l->n % 2 ? &in : &out, l->expected));
    REQUIRE(zone_intact(r, &in) && zone_intact(r, &out));
    zone_free(&in);
    zone_free(&out);
    zone_free(&count);
}

static void check_reduce(const rig *r, dmm_reduce *reduce, const list *l)
{
    zone in = zone_create(r, l->items, l->n * l->bytes, l->bytes);
    zone out = zone_create(r, NULL, l->bytes, l->bytes);
    const dmm_reduce_args args = {.in = zone_span(&in), .out = zone_span(&out)};
    REQUIRE_OK(dmm_reduce_enqueue(reduce, r->queue, &args, l->n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, &out, l->expected + l->n * l->bytes));
    REQUIRE(zone_intact(r, &in) && zone_intact(r, &out));
    zone_free(&in);
    zone_free(&out);
}

static void check_sizes(rig *r, const subject *s, dmm_tuning tuning, int exclusive)
{
    static const uint64_t sizes[] = {0, 1, 65, 1000, 63, 64, 129, 8191, 31, 4097};
    const dmm_scan_desc desc = {
        .type = s->type, .exclusive = exclusive, .tuning = tuning, .own = &s->own};
    const dmm_reduce_desc of_all = {.type = s->type, .tuning = tuning, .own = &s->own};
    dmm_scan *scan = NULL;
    dmm_reduce *reduce = NULL;
    const dmm_status status = dmm_scan_create(&scan, r->ctx, &desc);
    if (status != DMM_OK)
        print_error("%s", r->log);
    REQUIRE_OK(status);
    REQUIRE_OK(dmm_reduce_create(&reduce, r->ctx, &of_all));
    for (size_t i = 0; i < by_size(4, 10, 10); i++) {
        test_note(
            "%s, form %u, n=%llu", s->name, (unsigned)tuning.form, (unsigned long long)sizes[i]);
        list l = make_list(s, sizes[i], exclusive);
        check_scan(r, scan, &l, i % 3 == 0);
        check_reduce(r, reduce, &l);
        free_list(&l);
    }
    dmm_scan_free(scan);
    dmm_reduce_free(reduce);
}

static void operators_combine_in_order(void **state)
{
    static const dmm_tuning forms[] = {
        GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64), GPU(16, 3)};
    (void)state;
    for (size_t k = 0; k < by_size(2, NUM_SUBJECTS, NUM_SUBJECTS); k++)
        for (size_t f = 0; f < by_size(1, 2, 5); f++) {
            static rig r;
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            check_sizes(&r, &subjects[k], forms[f], (int)((k + f) % 2));
            rig_close(&r);
        }
}

static void mistakes_are_named(void **state)
{
    static const struct {
        dmm_operator own;
        dmm_type type;
        dmm_status status;
        const char *named; /* in the log */
    } wrong[] = {
        {{.combine = "a +\n  c", .identity = "0"}, DMM_U32, DMM_BUILD_FAILED,
            "operator.combine:2:3"},
        {{.combine = "a + b", .identity = "zero"}, DMM_F32, DMM_BUILD_FAILED,
            "operator.identity:1:1"},
        {{.item_bytes = 4, .item = "typedef unit dmm_item;", .combine = "a", .identity = "0"},
            DMM_ITEM, DMM_BUILD_FAILED, "operator.item:1:9"},
        {{.item_bytes = 8, .item = "typedef uint dmm_item;", .combine = "a", .identity = "0"},
            DMM_ITEM, DMM_BUILD_FAILED, "dmm_item_bytes_must_be_its_sizeof"},
        {{.item_bytes = 65,
             .item = "typedef struct { uchar x[65]; } dmm_item;",
             .combine = "a",
             .identity = "0"},
            DMM_ITEM, DMM_BAD_VALUE, NULL},
        {{.combine = "a"}, DMM_U32, DMM_BAD_VALUE, NULL},
        {{.identity = "0"}, DMM_U32, DMM_BAD_VALUE, NULL},
        {{.combine = "a", .identity = "0"}, DMM_ITEM, DMM_BAD_VALUE, NULL},
        {{.combine = "a", .identity = "0"}, DMM_F16, DMM_BAD_VALUE, NULL},
        {{.item_bytes = 4, .combine = "a", .identity = "0"}, DMM_U32, DMM_BAD_VALUE, NULL},
        {{.combine = "a", .identity = "0", .reserved = {1}}, DMM_U32, DMM_UNSUPPORTED, NULL},
    };
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const dmm_scan_desc desc = {.type = wrong[i].type, .own = &wrong[i].own};
        const dmm_reduce_desc of_all = {.type = wrong[i].type, .own = &wrong[i].own};
        dmm_scan *scan = NULL;
        dmm_reduce *reduce = NULL;
        test_note("mistake %zu", i);
        REQUIRE_REFUSED(wrong[i].status, &scan, dmm_scan_create(&scan, r.ctx, &desc));
        if (wrong[i].named != NULL && sizes_wanted() != SIZES_SMALL) /* Oclgrind: no #line */
            REQUIRE(strstr(r.log, wrong[i].named) != NULL);
        if (wrong[i].status != DMM_BUILD_FAILED)
            REQUIRE_REFUSED(wrong[i].status, &reduce, dmm_reduce_create(&reduce, r.ctx, &of_all));
    }
    const dmm_scan_desc both = {.type = DMM_U32, .op = DMM_SCAN_MAX, .own = &subjects[2].own};
    dmm_scan *scan = NULL;
    REQUIRE_REFUSED(DMM_BAD_VALUE, &scan, dmm_scan_create(&scan, r.ctx, &both));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_combine_in_order),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
