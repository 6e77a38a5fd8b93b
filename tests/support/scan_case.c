/* SPDX-License-Identifier: MIT */
/* Building scans, laying out a call's buffers, and judging its result. */
#include "support/items.h"
#include "support/scan_case.h"

#include <stdlib.h>
#include <string.h>

#include "support/require.h"

enum { TEMP_OFFSET_BYTES = 512 };

dmm_scan_desc scan_desc_of(const scan_setup *setup)
{
    dmm_scan_desc desc = {0};
    desc.type = setup->k.type;
    desc.op = setup->k.op;
    desc.exclusive = setup->k.exclusive;
    desc.max_n = setup->max_n;
    desc.tuning = setup->tuning;
    return desc;
}

static const char *kind_text(const scan_kind *k)
{
    static const char *const ops[] = {"sum", "max", "min"};
    static char text[32];
    snprintf(text, sizeof text, "%s %s%s", dmm_type_name(k->type), ops[k->op],
        k->exclusive ? " exclusive" : "");
    return text;
}

dmm_scan *scan_build(rig *r, const scan_setup *setup)
{
    dmm_scan *scan = NULL;
    const dmm_scan_desc desc = scan_desc_of(setup);
    test_note("building a scan, %s", kind_text(&setup->k));
    REQUIRE_OK(rig_log_failure(r, dmm_scan_create(&scan, r->ctx, &desc)));
    return scan;
}

static void note_case(const scan_setup *setup, const scan_case *c)
{
    const dmm_tuning *const t = &setup->tuning;
    test_note("scan %s, form=%d u=%u E=%u tile=%u, n=%llu, %s, seed=%llu%s, offset_items=%llu%s",
        kind_text(&setup->k), (int)t->form, t->u, t->E, t->tile, (unsigned long long)c->n,
        shape_name(c->input), (unsigned long long)c->seed, c->in_place ? ", in place" : "",
        (unsigned long long)c->offset_items, c->temp_given ? ", temp given" : "");
}

scan_run scan_prepare(
    const rig *r, const dmm_scan *scan, const scan_setup *setup, const scan_case *c)
{
    scan_run run = {.r = r, .setup = setup, .c = c};
    const uint64_t item = dmm_type_bytes(setup->k.type), bytes = c->n * item;
    const kind k = kind_named(dmm_type_name(setup->k.type));
    random_source random = {c->seed};
    uint64_t temp_bytes = 0;
    note_case(setup, c);
    run.items = allocate(bytes);
    kind_fill(&k, c->input, run.items, c->n, &random);
    run.in = zone_create(r, run.items, bytes, c->offset_items * item);
    run.out = c->in_place ? run.in : zone_create(r, NULL, bytes, c->offset_items * item);
    run.args.in = zone_span(&run.in);
    run.args.out = zone_span(&run.out);
    REQUIRE_OK(dmm_scan_temp_bytes(&temp_bytes, scan, c->n));
    if (c->temp_given && temp_bytes != 0) {
        run.temp = zone_create(r, NULL, temp_bytes, TEMP_OFFSET_BYTES);
        run.args.temp = zone_span(&run.temp);
    }
    return run;
}

void scan_finish(scan_run *run)
{
    const uint64_t bytes = run->c->n * dmm_type_bytes(run->setup->k.type);
    void *const result = allocate(bytes);
    note_case(run->setup, run->c);
    REQUIRE(zone_intact(run->r, &run->in));
    REQUIRE(zone_intact(run->r, &run->out));
    if (run->temp.buffer != NULL)
        REQUIRE(zone_intact(run->r, &run->temp));
    if (!run->c->in_place)
        REQUIRE(zone_holds(run->r, &run->in, run->items));
    zone_read(run->r, &run->out, result);
    REQUIRE_VERDICT(scan_judge(&run->setup->k, run->items, result, run->c->n));
    free(result);
    if (!run->c->in_place)
        zone_free(&run->out);
    zone_free(&run->in);
    zone_free(&run->temp);
    free(run->items);
}

void scan_check(const rig *r, dmm_scan *scan, const scan_setup *setup, const scan_case *c)
{
    cl_event done = NULL;
    scan_run run = scan_prepare(r, scan, setup, c);
    REQUIRE_OK(dmm_scan_enqueue(scan, r->queue, &run.args, c->n, 0, NULL, &done));
    REQUIRE_OK(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    scan_finish(&run);
}
