/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Operators of the caller's in dmm_scan, dmm_reduce and both by key, over sizes and forms, against
 * loops on the host. None of the operators commutes, so that any exchange of two items is seen:
 * products of matrices, maps one after the other, and texts that are joined, of which the length
 * and what fits of the end are kept.
 */
#include "support/require.h"

#include <dmm/reduce.h>
#include <dmm/reduce_by_key.h>
#include <dmm/scan_by_key.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
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

/* A map x -> slope*x + shift, and of how many it is made. */
static void combine_maps(void *to, const void *with)
{
    uint16_t a[3], b[3];
    memcpy(a, to, sizeof a);
    memcpy(b, with, sizeof b);
    const uint16_t both[3] = {(uint16_t)(a[0] * (uint32_t)b[0]),
        (uint16_t)(a[1] * (uint32_t)b[0] + b[1]), (uint16_t)(a[2] + b[2])};
    memcpy(to, both, sizeof both);
}

static void make_map(void *item, random_source *random)
{
    const uint16_t made[3] = {
        (uint16_t)(random_next(random) | 1), (uint16_t)random_next(random), 1};
    memcpy(item, made, sizeof made);
}

/* All but one are said to be exact, so that the GPU form chains them, if they are small. */
static const subject subjects[] = {
    {"matrices", DMM_ITEM,
        {16, "typedef struct { uint a, b, c, d; } dmm_item;",
            "(dmm_item){a.a * b.a + a.b * b.c, a.a * b.b + a.b * b.d,\n"
            "           a.c * b.a + a.d * b.c, a.c * b.b + a.d * b.d}",
            "(dmm_item){1, 0, 0, 1}", 0, 1, {0}},
        combine_matrices, make_matrix, {[0] = 1, [12] = 1}},
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
            "join(a, b)", "none()", 0, 1, {0}},
        combine_texts, make_text, {0}},
    {"later", DMM_U16, {0, NULL, "b ? b : a // the later one", "0", 0, 0, {0}}, combine_later,
        make_rare, {0}},
    {"greatest", DMM_ITEM,
        {12, "typedef struct { float x; uint at, pad; } dmm_item;", "b.x > a.x ? b : a",
            "(dmm_item){-INFINITY, 0, 0}", 0, 1, {0}},
        combine_greatest, make_place, {[2] = 0x80, [3] = 0xff}},
    {"maps", DMM_ITEM,
        {6, "typedef struct { ushort slope, shift, count; } dmm_item;",
            "(dmm_item){a.slope * (uint)b.slope, a.shift * (uint)b.slope + b.shift,\n"
            "           a.count + b.count}",
            "(dmm_item){1, 0, 0}", 0, 1, {0}},
        combine_maps, make_map, {[0] = 1}},
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
    REQUIRE_OK(rig_log_failure(r, dmm_scan_create(&scan, r->ctx, &desc)));
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

/* A list in runs, each of a key of 3 bytes; what a scan by key makes of it, and of each run its key
 * and its total. */
typedef struct runs {
    list items;
    unsigned char *keys, *run_keys, *totals;
    uint64_t count;
} runs;

enum { KEY = 3 };

/* Runs of up to 2 * length items; length 0: one run. */
static runs make_runs(const subject *s, uint64_t n, int exclusive, uint64_t length)
{
    runs made = {.items = make_list(s, n, exclusive)};
    const uint32_t bytes = made.items.bytes;
    random_source random = {n + length};
    unsigned char total[MOST_BYTES];
    made.keys = allocate((n + 1) * KEY);
    made.run_keys = allocate((n + 1) * KEY);
    made.totals = allocate((n + 1) * bytes);
    for (uint64_t i = 0; i < n; i++) {
        const unsigned char *const item = made.items.items + i * bytes;
        unsigned char *const expected = made.items.expected + i * bytes;
        const int begins = i == 0 || (length != 0 && random_below(&random, length) == 0);
        made.count += (uint64_t)begins;
        memcpy(made.keys + i * KEY, &made.count, KEY);
        if (begins)
            memcpy(total, s->identity, sizeof total);
        memcpy(expected, total, bytes);
        s->combine(total, item);
        if (!exclusive)
            memcpy(expected, total, bytes);
        memcpy(made.run_keys + (made.count - 1) * KEY, &made.count, KEY);
        memcpy(made.totals + (made.count - 1) * bytes, total, bytes);
    }
    return made;
}

static void free_runs(runs *l)
{
    free_list(&l->items);
    free(l->keys);
    free(l->run_keys);
    free(l->totals);
}

/* In temp of the caller's, which begins at no multiple of the items' size. */
static void check_scan_by_key(const rig *r, dmm_scan_by_key *scan, const runs *l)
{
    const uint64_t n = l->items.n, bytes = n * l->items.bytes;
    uint64_t temp_bytes = 0;
    REQUIRE_OK(dmm_scan_by_key_temp_bytes(&temp_bytes, scan, n));
    zone keys = zone_create(r, l->keys, n * KEY, KEY), temp = zone_create(r, NULL, temp_bytes, 256);
    zone in = zone_create(r, l->items.items, bytes, l->items.bytes);
    zone out = zone_create(r, NULL, bytes, 0);
    const dmm_scan_by_key_args args = {.keys_in = zone_span(&keys),
        .in = zone_span(&in),
        .out = n % 2 ? zone_span(&in) : zone_span(&out),
        .temp = temp_bytes != 0 ? zone_span(&temp) : DMM_NONE};
    REQUIRE_OK(dmm_scan_by_key_enqueue(scan, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE(zone_holds(r, n % 2 ? &in : &out, l->items.expected));
    REQUIRE(zone_intact(r, &in) && zone_intact(r, &out) && zone_intact(r, &temp));
    zone_free(&keys);
    zone_free(&temp);
    zone_free(&in);
    zone_free(&out);
}

static void check_reduce_by_key(const rig *r, dmm_reduce_by_key *reduce, const runs *l)
{
    const uint64_t n = l->items.n, bytes = l->items.bytes;
    uint64_t temp_bytes = 0, count = 0;
    unsigned char *const got_keys = allocate(n * KEY), *const got = allocate(n * bytes);
    REQUIRE_OK(dmm_reduce_by_key_temp_bytes(&temp_bytes, reduce, n));
    zone keys = zone_create(r, l->keys, n * KEY, 0), temp = zone_create(r, NULL, temp_bytes, 256);
    zone in = zone_create(r, l->items.items, n * bytes, 0);
    zone out = zone_create(r, NULL, n * bytes, bytes), runs_out = zone_create(r, NULL, 8, 8);
    zone keys_out = zone_create(r, NULL, n * KEY, KEY);
    const dmm_reduce_by_key_args args = {.keys_in = zone_span(&keys),
        .in = zone_span(&in),
        .keys_out = zone_span(&keys_out),
        .out = zone_span(&out),
        .runs_out = zone_span(&runs_out),
        .temp = temp_bytes != 0 ? zone_span(&temp) : DMM_NONE};
    REQUIRE_OK(dmm_reduce_by_key_enqueue(reduce, r->queue, &args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &keys_out, got_keys);
    zone_read(r, &out, got);
    zone_read(r, &runs_out, &count);
    REQUIRE(count == l->count && memcmp(got, l->totals, count * bytes) == 0);
    REQUIRE(memcmp(got_keys, l->run_keys, count * KEY) == 0);
    REQUIRE(zone_intact(r, &keys_out) && zone_intact(r, &out) && zone_intact(r, &temp));
    zone *const all[] = {&keys, &temp, &in, &out, &runs_out, &keys_out};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        zone_free(all[i]);
    free(got_keys);
    free(got);
}

static void check_runs(rig *r, const subject *s, dmm_tuning tuning, int exclusive)
{
    static const uint64_t sizes[] = {1000, 0, 1, 65, 63, 8191, 4097}, lengths[] = {7, 0, 300, 1};
    const dmm_scan_by_key_desc desc = {.type = s->type,
        .exclusive = exclusive,
        .key_bytes = KEY,
        .tuning = tuning,
        .own = &s->own};
    const dmm_reduce_by_key_desc of_runs = {
        .type = s->type, .key_bytes = KEY, .tuning = tuning, .own = &s->own};
    dmm_scan_by_key *scan = NULL;
    dmm_reduce_by_key *reduce = NULL;
    REQUIRE_OK(dmm_scan_by_key_create(&scan, r->ctx, &desc));
    REQUIRE_OK(dmm_reduce_by_key_create(&reduce, r->ctx, &of_runs));
    for (size_t i = 0; i < by_size(2, 7, 7); i++)
        for (size_t k = 0; k < by_size(1, 2, 4); k++) {
            test_note("by key: %s, form %u, n=%llu, runs of %llu", s->name, (unsigned)tuning.form,
                (unsigned long long)sizes[i], (unsigned long long)lengths[(i + k) % 4]);
            runs l = make_runs(s, sizes[i], exclusive, lengths[(i + k) % 4]);
            check_scan_by_key(r, scan, &l);
            check_reduce_by_key(r, reduce, &l);
            free_runs(&l);
        }
    dmm_scan_by_key_free(scan);
    dmm_reduce_by_key_free(reduce);
}

static void operators_combine_runs_in_order(void **state)
{
    static const dmm_tuning forms[] = {
        GPU(16, 4), CPU_BY(4, 64), GPU(32, 1), CPU_BY(8, 64), GPU(16, 3)};
    (void)state;
    for (size_t k = 0; k < by_size(1, NUM_SUBJECTS, NUM_SUBJECTS); k++)
        for (size_t f = k % 2; f < by_size(1, k % 2 + 1, 5); f++) {
            static rig r;
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            check_runs(&r, &subjects[k], forms[f], (int)((k + f) % 2));
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
        cmocka_unit_test(operators_combine_runs_in_order),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests_name("operator", tests, NULL, NULL);
}
