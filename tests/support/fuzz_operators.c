/* SPDX-License-Identifier: MIT */
/*
 * Operators that are drawn: products of one to eight monoids, some of which do not commute, over
 * fields of 4 or 8 bytes; by themselves and behind a map that is drawn, in reductions and scans of
 * lists, of segments, and along the axes of views.
 */
#include "support/fuzz.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/dmm.h>

#include "support/fuzz_integers.h"
#include "support/items.h"

enum { MOST_FIELDS = 8, MOST_TEXT = 8192, MOST_ITEM = 64, POINTS = 8 };

/* The monoids. AFFINE: maps x -> m*x + c, in two fields; POINTS_MAP: maps of 8 points, 3 bits each;
 * LAST, FIRST: the last or first number that is not 0. */
typedef enum monoid { SUM, LARGEST, LEAST, XOR, LAST, FIRST, POINTS_MAP, AFFINE, MONOIDS } monoid;

/* An operator: fields of `width` bytes, and the monoid of each; AFFINE stands at both of its. */
typedef struct operation {
    uint32_t width, fields;
    monoid kinds[MOST_FIELDS];
    int begins[MOST_FIELDS]; /* 1 but in the second field of AFFINE */
    uint64_t factors[MOST_FIELDS];
    char item[MOST_TEXT], combine[MOST_TEXT], identity[MOST_TEXT], map[MOST_TEXT];
    dmm_operator own;
} operation;

static uint64_t mask_of(const operation *o)
{
    return o->width == 4 ? UINT32_MAX : UINT64_MAX;
}

static __attribute__((format(printf, 2, 3))) void add(char *text, const char *format, ...)
{
    const size_t at = strlen(text);
    va_list values;
    va_start(values, format);
    const int more = vsnprintf(text + at, MOST_TEXT - at, format, values);
    va_end(values);
    REQUIRE(more >= 0 && at + (size_t)more < MOST_TEXT);
}

static uint64_t identity_of(const operation *o, uint32_t f)
{
    uint64_t map = 0;
    for (uint64_t p = 0; p < POINTS; p++)
        map |= p << (3 * p);
    return o->kinds[f] == LEAST        ? mask_of(o)
           : o->kinds[f] == POINTS_MAP ? map
           : o->kinds[f] == AFFINE     ? (uint64_t)o->begins[f]
                                       : 0;
}

/* Appends the text of a field of `a` combined with `b`. */
static void add_field(operation *o, uint32_t f)
{
    char *const t = o->combine;
    switch (o->kinds[f]) {
    case SUM:
        add(t, "a.f%u + b.f%u", f, f);
        break;
    case LARGEST:
    case LEAST:
        add(t, "%s(a.f%u, b.f%u)", o->kinds[f] == LEAST ? "min" : "max", f, f);
        break;
    case XOR:
        add(t, "a.f%u ^ b.f%u", f, f);
        break;
    case LAST:
        add(t, "b.f%u != 0 ? b.f%u : a.f%u", f, f, f);
        break;
    case FIRST:
        add(t, "a.f%u != 0 ? a.f%u : b.f%u", f, f, f);
        break;
    case POINTS_MAP:
        for (uint32_t p = 0; p < POINTS; p++)
            add(t, "%s(b.f%u >> 3 * (a.f%u >> %u & 7) & 7) << %u", p != 0 ? " | " : "", f, f, 3 * p,
                3 * p);
        break;
    default:
        if (o->begins[f])
            add(t, "a.f%u * b.f%u", f, f);
        else
            add(t, "b.f%u * a.f%u + b.f%u", f - 1, f, f);
    }
}

static void draw(operation *o, uint32_t most_fields)
{
    *o = (operation){.width = fuzz_coin() ? 4 : 8};
    const uint32_t most = 1 + (uint32_t)fuzz_below(most_fields);
    while (o->fields < most) {
        const monoid next = (monoid)fuzz_below(MONOIDS - (most - o->fields < 2));
        o->begins[o->fields] = 1;
        o->kinds[o->fields++] = next;
        if (next == AFFINE)
            o->kinds[o->fields++] = AFFINE;
    }
    const char *const of = o->width == 4 ? "uint" : "ulong";
    add(o->item, "typedef struct {");
    add(o->combine, "(dmm_item){");
    add(o->identity, "(dmm_item){");
    add(o->map, "(dmm_item){");
    for (uint32_t f = 0; f < o->fields; f++) {
        const char *const comma = f + 1 < o->fields ? ",\n " : "}";
        o->factors[f] = 1 + fuzz_below(1000);
        add(o->item, " %s f%u;", of, f);
        add_field(o, f);
        add(o->combine, "%s", comma);
        add(o->identity, "(%s)%lluul%s", of, (unsigned long long)identity_of(o, f), comma);
        add(o->map, "(%s)((item * %lluul + i) %s)%s", of, (unsigned long long)o->factors[f],
            o->kinds[f] == POINTS_MAP ? "& 0xffffff" : "% 37", comma);
    }
    add(o->item, " } dmm_item;");
    o->own = (dmm_operator){.item_bytes = o->fields * o->width,
        .item = o->item,
        .combine = o->combine,
        .identity = o->identity,
        .exact = fuzz_coin()};
}

static uint64_t part(const operation *o, const unsigned char *item, uint32_t f)
{
    return integer_get(item, f, o->width);
}

/* Sets an item to what the map makes of a number at a position. */
static void map_item(const operation *o, unsigned char *to, uint64_t number, uint64_t at)
{
    for (uint32_t f = 0; f < o->fields; f++) {
        const uint64_t sum = number * o->factors[f] + at;
        integer_put(to, f, o->width, o->kinds[f] == POINTS_MAP ? sum & 0xffffff : sum % 37);
    }
}

static void put_identity(const operation *o, unsigned char *to)
{
    for (uint32_t f = 0; f < o->fields; f++)
        integer_put(to, f, o->width, identity_of(o, f));
}

/* a = a combined with b. */
static void combine(const operation *o, unsigned char *a, const unsigned char *b)
{
    unsigned char made[MOST_ITEM];
    for (uint32_t f = 0; f < o->fields; f++) {
        const uint64_t x = part(o, a, f), y = part(o, b, f);
        uint64_t out = 0;
        switch (o->kinds[f]) {
        case SUM:
            out = x + y;
            break;
        case LARGEST:
            out = x > y ? x : y;
            break;
        case LEAST:
            out = x < y ? x : y;
            break;
        case XOR:
            out = x ^ y;
            break;
        case LAST:
            out = y != 0 ? y : x;
            break;
        case FIRST:
            out = x != 0 ? x : y;
            break;
        case POINTS_MAP:
            for (uint32_t p = 0; p < POINTS; p++)
                out |= (y >> (3 * (x >> 3 * p & 7)) & 7) << 3 * p;
            break;
        default:
            out = o->begins[f] ? x * y : part(o, b, f - 1) * x + y;
        }
        integer_put(made, f, o->width, out);
    }
    memcpy(a, made, o->own.item_bytes);
}

/* Folds `count` items, `step` apart, from `first` on; out: their scan as far apart as out_step
 * says, or NULL. Leaves the total in `total`. */
static void fold(const operation *o, const unsigned char *in, uint64_t count, uint64_t step,
    unsigned char *out, uint64_t out_step, int exclusive, unsigned char *total)
{
    const uint32_t bytes = o->own.item_bytes;
    put_identity(o, total);
    for (uint64_t i = 0; i < count; i++) {
        if (out != NULL && exclusive)
            memcpy(out + i * out_step * bytes, total, bytes);
        combine(o, total, in + i * step * bytes);
        if (out != NULL && !exclusive)
            memcpy(out + i * out_step * bytes, total, bytes);
    }
}

/* Returns n items, those of the map; *numbers: what the map reads. */
static unsigned char *make_items(const operation *o, uint64_t n, uint32_t **numbers)
{
    unsigned char *const items = allocate(n * o->own.item_bytes);
    uint32_t *const read = allocate(n * sizeof *read);
    for (uint64_t i = 0; i < n; i++) {
        read[i] = (uint32_t)fuzz_below(fuzz_coin() ? 4 : UINT32_MAX);
        map_item(o, items + i * o->own.item_bytes, read[i], i);
    }
    *numbers = read;
    return items;
}

static void note(const operation *o, const char *what, uint64_t n)
{
    test_note("%s of n=%llu items by %s", what, (unsigned long long)n, o->combine);
}

/* Runs dmm_reduce or dmm_scan, with or without the map. */
static void run_list(const operation *o, dmm_tuning t, int scans)
{
    const dmm_map map = {.expression = o->map};
    const int mapped = fuzz_coin(), exclusive = fuzz_coin();
    const uint32_t bytes = o->own.item_bytes;
    const dmm_reduce_desc rd = {
        .type = DMM_ITEM, .tuning = t, .own = &o->own, .map = mapped ? &map : NULL};
    const dmm_scan_desc sd = {.type = DMM_ITEM,
        .exclusive = exclusive,
        .tuning = t,
        .own = &o->own,
        .map = mapped ? &map : NULL};
    dmm_reduce *reduce = NULL;
    dmm_scan *scan = NULL;
    note(o, scans ? "scan" : "reduction", 0);
    if (scans)
        REQUIRE_BUILT(dmm_scan_create(&scan, fuzz.r.ctx, &sd));
    else
        REQUIRE_BUILT(dmm_reduce_create(&reduce, fuzz.r.ctx, &rd));
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const uint64_t n = fuzz_size(), results = scans ? n : 1;
        uint32_t *numbers = NULL;
        unsigned char *const items = make_items(o, n, &numbers),
                             total[MOST_ITEM], *const out = allocate(results * bytes);
        fuzz_call c;
        note(o, scans ? "scan" : "reduction", n);
        fold(o, items, n, 1, scans ? out : NULL, 1, exclusive, total);
        if (!scans)
            memcpy(out, total, bytes);
        fuzz_call_begin(&c);
        const dmm_span in = mapped ? fuzz_in(&c, numbers, n, 4) : fuzz_in(&c, items, n, bytes);
        const dmm_span to = fuzz_out(&c, out, results, results, bytes);
        const dmm_scan_args sa = {.in = in, .out = to};
        const dmm_reduce_args ra = {.in = in, .out = to};
        REQUIRE_OK(scans ? dmm_scan_enqueue(scan, c.r->queue, &sa, n, 0, NULL, NULL)
                         : dmm_reduce_enqueue(reduce, c.r->queue, &ra, n, 0, NULL, NULL));
        fuzz_call_end(&c);
        free(numbers);
        free(items);
        free(out);
    }
    dmm_scan_free(scan);
    dmm_reduce_free(reduce);
}

/* Returns offsets of `segments` segments that cover n items, among them empty ones. */
static uint32_t *make_offsets(uint64_t n, uint64_t segments)
{
    uint32_t *const offsets = allocate((segments + 1) * sizeof *offsets);
    for (uint64_t s = 1; s <= segments; s++) {
        const uint64_t next = offsets[s - 1] + fuzz_below(2 * n / segments + 2);
        offsets[s] = (uint32_t)(s == segments || next > n ? n : next);
    }
    return offsets;
}

static void run_segments(const operation *o, dmm_tuning t, int scans)
{
    const uint32_t bytes = o->own.item_bytes;
    const int exclusive = fuzz_coin();
    const dmm_reduce_segmented_desc rd = {.type = DMM_ITEM, .tuning = t, .own = &o->own};
    const dmm_scan_segmented_desc sd = {
        .type = DMM_ITEM, .exclusive = exclusive, .tuning = t, .own = &o->own};
    dmm_reduce_segmented *reduce = NULL;
    dmm_scan_segmented *scan = NULL;
    note(o, scans ? "scan of segments" : "totals of segments", 0);
    if (scans)
        REQUIRE_BUILT(dmm_scan_segmented_create(&scan, fuzz.r.ctx, &sd));
    else
        REQUIRE_BUILT(dmm_reduce_segmented_create(&reduce, fuzz.r.ctx, &rd));
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const uint64_t n = fuzz_size(), m = 1 + fuzz_below(fuzz_coin() ? 4 : n + 2);
        uint32_t *numbers = NULL, *const offsets = make_offsets(n, m);
        unsigned char *const items = make_items(o, n, &numbers),
                             total[MOST_ITEM], *const out = allocate((scans ? n : m) * bytes);
        fuzz_call c;
        note(o, scans ? "scan of segments" : "totals of segments", n);
        for (uint64_t s = 0; s < m; s++) {
            fold(o, items + offsets[s] * (size_t)bytes, offsets[s + 1] - offsets[s], 1,
                scans ? out + offsets[s] * (size_t)bytes : NULL, 1, exclusive, total);
            if (!scans)
                memcpy(out + s * bytes, total, bytes);
        }
        fuzz_call_begin(&c);
        const dmm_span in = fuzz_in(&c, items, n, bytes), at = fuzz_in(&c, offsets, m + 1, 4);
        const dmm_span to = fuzz_out(&c, out, scans ? n : m, scans ? n : m, bytes);
        const dmm_scan_segmented_args sa = {.in = in, .offsets = at, .out = to};
        const dmm_reduce_segmented_args ra = {.in = in, .offsets = at, .out = to};
        REQUIRE_OK(
            scans ? dmm_scan_segmented_enqueue(scan, c.r->queue, &sa, n, m, 0, NULL, NULL)
                  : dmm_reduce_segmented_enqueue(reduce, c.r->queue, &ra, n, m, 0, NULL, NULL));
        fuzz_call_end(&c);
        free(numbers);
        free(offsets);
        free(items);
        free(out);
    }
    dmm_scan_segmented_free(scan);
    dmm_reduce_segmented_free(reduce);
}

/* Reduces or scans along an axis of a view. */
static void run_axis(const operation *o, dmm_tuning t, int scans)
{
    const uint32_t bytes = o->own.item_bytes;
    const dmm_axis_desc d = {.work = scans ? DMM_AXIS_SCAN : DMM_AXIS_REDUCE,
        .axis = fuzz_coin(),
        .order = {.type = DMM_ITEM},
        .exclusive = scans && fuzz_coin(),
        .own = &o->own,
        .tuning = t};
    dmm_axis *axis = NULL;
    note(o, "axis", 0);
    REQUIRE_BUILT(dmm_axis_create(&axis, fuzz.r.ctx, &d));
    for (int i = 0; i < FUZZ_CALLS; i++, fuzz.calls++) {
        const uint64_t size = fuzz_size(), one = 1 + fuzz_below(fuzz_coin() ? 9 : 300);
        const uint64_t rows = fuzz_coin() ? one : size / one, cols = rows == one ? size / one : one;
        const uint64_t wide = cols + (fuzz_coin() ? 0 : fuzz_below(9));
        const uint64_t n = rows != 0 && cols != 0 ? (rows - 1) * wide + cols : 0;
        const uint64_t lines = d.axis == 0 ? cols : rows, length = d.axis == 0 ? rows : cols;
        const uint64_t results = scans ? rows * cols : lines;
        uint32_t *numbers = NULL;
        unsigned char *const items = make_items(o, n, &numbers),
                             total[MOST_ITEM], *const out = allocate(results * bytes);
        fuzz_call c;
        note(o, d.axis == 0 ? "axis 0" : "axis 1", n);
        for (uint64_t s = 0; s < lines; s++) {
            const uint64_t in_at = d.axis == 0 ? s : s * wide, at = d.axis == 0 ? s : s * cols;
            fold(o, items + in_at * bytes, length, d.axis == 0 ? wide : 1,
                scans ? out + at * bytes : NULL, d.axis == 0 ? cols : 1, d.exclusive, total);
            if (!scans)
                memcpy(out + s * bytes, total, bytes);
        }
        fuzz_call_begin(&c);
        const dmm_axis_args args = {.in = fuzz_in(&c, items, n, bytes),
            .out = fuzz_out(&c, out, results, results, bytes),
            .in_stride = wide};
        REQUIRE_OK(dmm_axis_enqueue(axis, c.r->queue, &args, rows, cols, 0, NULL, NULL));
        fuzz_call_end(&c);
        free(numbers);
        free(items);
        free(out);
    }
    dmm_axis_free(axis);
}

void fuzz_operators(dmm_tuning t)
{
    static void (*const forms[])(const operation *o, dmm_tuning t, int scans) = {
        run_list, run_segments, run_axis};
    operation *const o = allocate(sizeof *o);
    /* in the GPU form, without its optimiser, PoCL's stack may overflow with large items */
    draw(o, t.form == DMM_FORM_GPU ? 3 : MOST_FIELDS);
    fuzz_fit(&t, 2 * o->own.item_bytes);
    FUZZ_ONE_OF(forms)(o, t, fuzz_coin());
    free(o);
}
