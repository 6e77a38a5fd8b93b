/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind full */
/*
 * Fused input along an axis: reductions, scans, with an output expression, and sorts of what a map
 * makes of a matrix or a view of a wider one, over forms, against the same on the host.
 */
#include "support/require.h"

#include <dmm/axis.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/items.h"
#include "support/mapped_case.h"

enum { COLS = 13, GAP = 3, WORKS = 6 }; /* three works, two axes */

static const dmm_tuning forms[] = {GPU(16, 4), CPU_BY(4, 64)};

/* A call, and what must be in its outputs. */
typedef struct lines {
    dmm_axis_desc desc;
    dmm_map map;
    uint64_t rows, in_stride, out_stride;
    uint32_t bytes; /* of an item that is written */
    int in_place;
    uint64_t items; /* of the outputs */
    unsigned char *out;
    uint64_t *positions; /* sort */
} lines;

static uint64_t place(const lines *l, uint64_t stride, uint64_t line, uint64_t j)
{
    return l->desc.axis == 0 ? j * stride + line : line * stride + j;
}

/* Sorts the positions in a line by the items there, the lower position first. */
static void sort_line(
    const lines *l, const inputs *in, uint64_t line, uint64_t length, uint64_t *positions)
{
    for (uint64_t i = 0; i < length; i++) {
        const uint64_t item = number_at(in->made, in->made_bytes, place(l, l->in_stride, line, i));
        uint64_t at = i;
        for (; at > 0; at--) {
            const uint64_t before = place(l, l->in_stride, line, positions[at - 1]);
            if (number_at(in->made, in->made_bytes, before) <= item)
                break;
            positions[at] = positions[at - 1];
        }
        positions[at] = i;
    }
}

static void expect(lines *l, const inputs *in, uint64_t line)
{
    const uint64_t length = l->desc.axis == 0 ? l->rows : COLS;
    const uint64_t mask = UINT64_MAX >> (64 - 8 * in->made_bytes);
    uint64_t *const sorted = allocate(length * sizeof *sorted), total = 0;
    if (l->desc.work == DMM_AXIS_SORT)
        sort_line(l, in, line, length, sorted);
    for (uint64_t j = 0; j < length; j++) {
        const uint64_t from = place(l, l->in_stride, line, j);
        const uint64_t to = place(l, l->out_stride, line, j), before = total;
        total = (total + number_at(in->made, in->made_bytes, from)) & mask;
        uint64_t result =
            (l->desc.exclusive ? before : total) + (l->map.out != NULL ? 3 * from : 0);
        if (l->desc.work == DMM_AXIS_SORT) {
            const uint64_t best = place(l, l->in_stride, line, sorted[j]);
            result = number_at(in->made, in->made_bytes, best);
            l->positions[to] = sorted[j];
        }
        if (l->desc.work != DMM_AXIS_REDUCE)
            memcpy(l->out + to * l->bytes, &result, l->bytes);
    }
    if (l->desc.work == DMM_AXIS_REDUCE)
        memcpy(l->out + line * l->bytes, &total, l->bytes);
    free(sorted);
}

static lines make_lines(const subject *s, const inputs *in, size_t work, uint64_t gap)
{
    lines l = {.desc = {.work = (dmm_axis_work)(work / 2),
                   .axis = work % 2 != 0,
                   .order = {.type = s->type}},
        .map = s->map,
        .in_stride = COLS + gap,
        .bytes = in->made_bytes};
    const int reduces = l.desc.work == DMM_AXIS_REDUCE, sorts = l.desc.work == DMM_AXIS_SORT;
    l.rows = in->n / l.in_stride;
    if (l.desc.work == DMM_AXIS_SCAN) {
        l.desc.exclusive = s->map.further != 1;
        if (s->map.further > 0) {
            l.map.out = "(ulong)total + 3 * i";
            l.map.result.type = DMM_U64;
            l.bytes = 8;
        }
    }
    l.desc.value_bytes = sorts ? 8 : 0;
    l.desc.argsort = sorts;
    l.in_place = !reduces && l.bytes == in->bytes[0];
    l.out_stride = l.in_place ? l.in_stride : COLS + 2 * gap;
    l.items = reduces      ? (l.desc.axis == 0 ? COLS : l.rows)
              : l.in_place ? in->n
                           : l.rows * l.out_stride;
    l.out = allocate(l.items * l.bytes);
    l.positions = allocate(l.items * 8);
    if (l.in_place)
        memcpy(l.out, in->in[0], l.items * l.bytes);
    return l;
}

static void check(rig *r, const subject *s, dmm_tuning tuning, const inputs *in, size_t work)
{
    dmm_axis *axis = NULL;
    for (uint64_t gap = 0; gap <= GAP; gap += GAP) {
        lines l = make_lines(s, in, work, gap);
        l.desc.map = &l.map;
        l.desc.tuning = tuning;
        device_inputs d = upload(r, in);
        zone out = zone_create(r, l.out, l.in_place ? 0 : l.items * l.bytes, 3 * l.bytes);
        zone places = zone_create(r, l.positions, l.desc.argsort ? l.items * 8 : 0, 8);
        for (uint64_t line = 0; line < (l.desc.axis == 0 ? COLS : l.rows); line++)
            expect(&l, in, line);
        const dmm_axis_args args = {.in = zone_span(&d.in[0]),
            .out = zone_span(l.in_place ? &d.in[0] : &out),
            .values_out = l.desc.argsort ? zone_span(&places) : DMM_NONE,
            .in_stride = gap != 0 ? l.in_stride : 0,
            .out_stride = gap != 0 && l.desc.work != DMM_AXIS_REDUCE ? l.out_stride : 0,
            .further = d.further};
        if (axis == NULL)
            REQUIRE_OK(rig_log_failure(r, dmm_axis_create(&axis, r->ctx, &l.desc)));
        REQUIRE_OK(dmm_axis_enqueue(axis, r->queue, &args, l.rows, COLS, 0, NULL, NULL));
        REQUIRE_OK(clFinish(r->queue));
        REQUIRE(zone_holds(r, l.in_place ? &d.in[0] : &out, l.out));
        REQUIRE(!l.desc.argsort || zone_holds(r, &places, l.positions));
        zone_free(&out);
        zone_free(&places);
        release(r, &d, in, l.in_place);
        free(l.out);
        free(l.positions);
    }
    dmm_axis_free(axis);
}

/* Each subject in one form by default, and for a third of the works. */
static void mapped_lines_are_those_of_the_host(void **state)
{
    (void)state;
    for (size_t k = 0; k < NUM_SUBJECTS; k++)
        for (size_t f = k % 2; f < by_size(k % 2 + 1, k % 2 + 1, 2); f++) {
            static rig r;
            const subject *const s = &subjects[k];
            rig_open(&r, k % 2 ? "banks=8,units=3" : "banks=16,units=2");
            inputs in = make_inputs(s, by_size(250, 3001, 3001), k);
            for (size_t w = by_size(k % 3, k % 3, 0); w < WORKS; w += by_size(3, 3, 1)) {
                test_note("%s, form %zu, work %zu, axis %zu", s->name, f, w / 2, w % 2);
                check(&r, s, forms[f], &in, w);
            }
            free_inputs(&in);
            rig_close(&r);
        }
}

/* Where the greatest item of each column is, by the operator that is given, and sums of halves. */
static void operators_take_maps(void **state)
{
    enum { ROWS = 3, WIDE = 4 };
    static const float items[ROWS * WIDE] = {1, 9, 4, 4, 8, 2, 7, 4, 3, 9, 5, 4};
    static const uint64_t at[WIDE] = {4, 1, 6, 3};
    static const uint16_t halves[4] = {0x3c00, 0x4000, 0xc000, 0x4400}; /* 1, 2, -2, 4 */
    static const dmm_map widen = {.item = {DMM_F16, 0}, .expression = "dmm_from_half(item)"};
    static rig r;
    dmm_operator own;
    dmm_map map;
    dmm_placed found[WIDE];
    float sums[2] = {0};
    (void)state;
    rig_open(&r, "banks=8,units=3");
    REQUIRE_OK(dmm_operator_given(&own, &map, DMM_OPERATOR_ARGMAX, DMM_F32));
    const dmm_axis_desc greatest = {.order = {.type = DMM_ITEM}, .own = &own, .map = &map};
    REQUIRE_OK(
        rig_log_failure(&r, dmm_axis_host(r.ctx, &greatest, items, NULL, ROWS, WIDE, found)));
    for (int col = 0; col < WIDE; col++) /* of equal ones the first */
        REQUIRE(found[col].at == at[col]);
    const dmm_axis_desc sum = {.axis = 1, .order = {.type = DMM_F32}, .map = &widen};
    REQUIRE_OK(rig_log_failure(&r, dmm_axis_host(r.ctx, &sum, halves, NULL, 2, 2, sums)));
    REQUIRE(sums[0] == 3 && sums[1] == 2);
    const dmm_map emits = {.out = "total"};
    const dmm_axis_desc wrong = {.map = &emits}, sort = {.work = DMM_AXIS_SORT, .map = &emits};
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_axis_host(r.ctx, &wrong, items, NULL, 1, 2, sums));
    REQUIRE(strstr(r.log, "map.out") != NULL);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_axis_host(r.ctx, &sort, items, NULL, 1, 2, sums));
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapped_lines_are_those_of_the_host),
        cmocka_unit_test(operators_take_maps),
    };
    return cmocka_run_group_tests_name("mapped_axis", tests, NULL, NULL);
}
