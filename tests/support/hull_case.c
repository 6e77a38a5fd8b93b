/* SPDX-License-Identifier: MIT */
/* Building hulls, laying out a call's buffers, and judging its result. */
#include "support/hull_case.h"
#include "support/items.h"

#include <stdlib.h>
#include <string.h>

#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 512 };

dmm_hull_desc hull_desc_of(const hull_setup *setup)
{
    dmm_hull_desc desc = {.coordinates = setup->type == DMM_F64 ? DMM_HULL_F64 : DMM_HULL_F32};
    desc.two_arrays = setup->two_arrays;
    desc.index_bytes = setup->index_bytes;
    desc.collinear = setup->k.collinear;
    desc.part = setup->k.part;
    desc.max_n = setup->max_n;
    desc.tuning = setup->tuning;
    return desc;
}

static const char *setup_text(const hull_setup *s)
{
    static const char *const parts[] = {"whole", "lower", "upper"};
    static char text[128];
    snprintf(text, sizeof text, "hull %s %s%s%s, form=%d u=%u E=%u tile=%u", dmm_type_name(s->type),
        parts[s->k.part], s->k.collinear ? " collinear" : "", s->two_arrays ? " two arrays" : "",
        (int)s->tuning.form, s->tuning.u, s->tuning.E, s->tuning.tile);
    return text;
}

dmm_hull *hull_build(rig *r, const hull_setup *setup)
{
    dmm_hull *hull = NULL;
    const dmm_hull_desc desc = hull_desc_of(setup);
    test_note("building a %s", setup_text(setup));
    REQUIRE_OK(rig_log_failure(r, dmm_hull_create(&hull, r->ctx, &desc)));
    return hull;
}

static void note_case(const hull_setup *setup, const hull_case *c)
{
    test_note("%s, n=%llu, %s, seed=%llu, sets=%llu, offset_items=%llu%s", setup_text(setup),
        (unsigned long long)c->n, cloud_name(c->points), (unsigned long long)c->seed,
        (unsigned long long)c->sets, (unsigned long long)c->offset_items,
        c->temp_given ? ", temp given" : "");
}

/* n numbers from those that are `stride` apart, as the type has them. */
static void *numbers(dmm_type type, const double *from, uint64_t n, size_t stride)
{
    unsigned char *const out = allocate(n * dmm_type_bytes(type));
    for (uint64_t i = 0; i < n; i++) {
        const double wide = from[i * stride];
        const float narrow = (float)wide;
        if (type == DMM_F32)
            memcpy(out + 4 * i, &narrow, 4);
        else
            memcpy(out + 8 * i, &wide, 8);
    }
    return out;
}

static zone numbers_zone(
    const hull_run *run, const double *from, uint64_t n, size_t stride, uint32_t per_item)
{
    const uint64_t bytes = dmm_type_bytes(run->setup->type);
    void *const items = numbers(run->setup->type, from, n, stride);
    const zone z = zone_create(run->r, items, n * bytes, run->c->offset_items * per_item * bytes);
    free(items);
    return z;
}

/* Cuts, in order; some sets are empty, and some have half of what is left. */
static uint64_t *cut(uint64_t n, uint64_t sets, random_source *random)
{
    uint64_t *const starts = allocate((sets + 1) * sizeof *starts);
    starts[0] = sets != 0 ? random_below(random, 2) * (n / 50) : 0;
    for (uint64_t s = 1; s <= sets; s++) {
        const uint64_t left = n - starts[s - 1], even = left / (sets - s + 1);
        const uint64_t count = s % 5 == 0   ? 0
                               : s % 9 == 2 ? left / 2
                                            : random_below(random, even * 2 + 1);
        starts[s] = starts[s - 1] + (count < left ? count : left);
    }
    return starts;
}

hull_run hull_prepare(const rig *r, const dmm_hull *hull, const hull_setup *setup,
    const hull_case *c, const plane_point *given)
{
    hull_run run = {.r = r, .setup = setup, .c = c};
    random_source random = {c->seed};
    uint64_t temp_bytes = 0;
    const uint32_t index = setup->index_bytes != 0 ? setup->index_bytes : 4;
    note_case(setup, c);
    run.cloud = allocate(c->n * sizeof *run.cloud);
    if (given != NULL)
        memcpy(run.cloud, given, (size_t)c->n * sizeof *given);
    else
        cloud_fill(c->points, setup->type, run.cloud, c->n, &random);
    if (setup->two_arrays) {
        run.points = numbers_zone(&run, &run.cloud->x, c->n, 2, 1);
        run.ys = numbers_zone(&run, &run.cloud->y, c->n, 2, 1);
        run.args.ys = zone_span(&run.ys);
    } else
        run.points = numbers_zone(&run, &run.cloud->x, 2 * c->n, 1, 2);
    run.starts = cut(c->n, c->sets, &random);
    for (uint64_t s = 0; c->triples && s <= c->sets; s++)
        run.starts[s] = 3 * s;
    run.hull = zone_create(r, NULL, c->n * index, c->offset_items * index);
    run.count = zone_create(r, NULL, (c->sets + 1) * 8, c->offset_items * 8);
    run.report = zone_create(r, NULL, sizeof(dmm_report), c->offset_items * 8);
    if (c->sets != 0) {
        run.starts_zone = zone_create(r, run.starts, (c->sets + 1) * 8, c->offset_items * 8);
        run.args.starts = zone_span(&run.starts_zone);
    }
    run.args.sets = c->sets;
    run.args.points = zone_span(&run.points);
    run.args.hull_out = zone_span(&run.hull);
    run.args.count_out = zone_span(&run.count);
    run.args.report_out = zone_span(&run.report);
    REQUIRE_OK(dmm_hull_temp_bytes(&temp_bytes, hull, c->n, c->sets));
    if (c->temp_given) {
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
        run.args.temp = zone_span(&run.temp);
    }
    return run;
}

/* The output's indices as 64 bits, counted from the first point of a set. */
static uint64_t *read_hull(const hull_run *run)
{
    const uint64_t n = run->c->n;
    const int narrow = run->setup->index_bytes != 8;
    unsigned char *const bytes = allocate(n * 8);
    uint64_t *const out = allocate(n * 8);
    zone_read(run->r, &run->hull, bytes);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t small = 0;
        if (narrow)
            memcpy(&small, bytes + 4 * i, 4);
        else
            memcpy(&out[i], bytes + 8 * i, 8);
        out[i] = narrow ? small : out[i];
    }
    free(bytes);
    return out;
}

/* Indices of a set count from the first point of all. */
static const char *judge_set(
    const hull_run *run, uint64_t first, uint64_t end, uint64_t *hull, uint64_t count)
{
    if (count > end - first)
        return "more vertices than points";
    for (uint64_t i = 0; i < count; i++) {
        if (hull[i] < first || hull[i] >= end)
            return "a vertex of another set";
        hull[i] -= first;
    }
    return hull_judge(&run->setup->k, run->cloud + first, end - first, hull, count);
}

static void judge_result(const hull_run *run)
{
    dmm_report report;
    uint64_t *const counts = allocate((run->c->sets + 1) * 8), *const hull = read_hull(run);
    zone_read(run->r, &run->report, &report);
    zone_read(run->r, &run->count, counts);
    REQUIRE(report.code == DMM_OK && report.detail == 0 && report.position == 0);
    if (run->c->sets == 0)
        REQUIRE_VERDICT(judge_set(run, 0, run->c->n, hull, counts[0]));
    else
        REQUIRE(counts[0] == 0);
    for (uint64_t s = 0; s < run->c->sets; s++) {
        REQUIRE(counts[s + 1] >= counts[s] && counts[s + 1] <= run->c->n);
        REQUIRE_VERDICT(judge_set(
            run, run->starts[s], run->starts[s + 1], hull + counts[s], counts[s + 1] - counts[s]));
    }
    free(counts);
    free(hull);
}

void hull_finish(hull_run *run)
{
    const zone *const zones[] = {&run->points, &run->ys, &run->starts_zone, &run->hull, &run->count,
        &run->report, &run->temp};
    note_case(run->setup, run->c);
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++)
        if (zones[i]->buffer != NULL)
            REQUIRE(zone_intact(run->r, zones[i]));
    if (!run->c->unjudged)
        judge_result(run);
    zone_free(&run->points);
    zone_free(&run->ys);
    zone_free(&run->starts_zone);
    zone_free(&run->hull);
    zone_free(&run->count);
    zone_free(&run->report);
    zone_free(&run->temp);
    free(run->cloud);
    free(run->starts);
}

void hull_check(const rig *r, dmm_hull *hull, const hull_setup *setup, const hull_case *c,
    const plane_point *given)
{
    cl_event done = NULL;
    hull_run run = hull_prepare(r, hull, setup, c, given);
    REQUIRE_OK(dmm_hull_enqueue(hull, r->queue, &run.args, c->n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    hull_finish(&run);
}
