/* SPDX-License-Identifier: MIT */
/*
 * Steps of a radix sort: a pass per digit (cl/radix/radix.clh), enqueued without reading data back;
 * or one launch if one group can hold all items. The CPU form first divides long inputs by their
 * top bits. radix_plan.c has the numbers of passes and groups.
 */
#include "cl/radix/radix_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/sort/lists.h"
#include "primitives/sort/radix_plan.h"

/* A call and its lists; `c` holds the numbers that all launches share, then those that differ. */
typedef struct radix_run {
    const dmm_radix *radix;
    const dmm_call *call;
    dmm_lists lists;
    dmm_span counts, count;
    uint64_t counted_groups; /* by the caller */
    dmm_radix_call c;
} radix_run;

static radix_run begin(const dmm_radix *radix, const dmm_call *call)
{
    const dmm_item_layout *const item = &radix->layout;
    const dmm_radix_args *const args = call->args;
    const uint64_t first = call->sizes.first, n = call->sizes.n;
    const int values_only = args->counts.buffer != NULL;
    const dmm_lists lists =
        dmm_lists_of(call, item, (dmm_item_spans){args->items.keys_in, args->items.values_in},
            (dmm_item_spans){args->items.keys_out, args->items.values_out});
    const dmm_u32 in_place =
        dmm_spans_equal(lists.in.keys, lists.out.keys) ||
        (lists.in.values.buffer != NULL && dmm_spans_equal(lists.in.values, lists.out.values));
    const dmm_span counts = values_only ? args->counts : call->regions[RADIX_COUNTS];
    const dmm_radix_call c = {.in = dmm_list_from(item, lists.in, first),
        .out = dmm_list_from(item, lists.out, first),
        .spare = dmm_list_from(item, lists.spare, first),
        .counts_at = dmm_span_items(counts, item->index_bytes),
        .state_at = dmm_span_items(call->regions[RADIX_STATE], sizeof(dmm_u32)),
        .count_at = dmm_span_items(args->items.count, DMM_COUNT_BYTES),
        .scratch_at = dmm_span_items(call->regions[RADIX_SCRATCH], sizeof(dmm_u64)),
        .first = first,
        .end = first + n,
        .range = n,
        .groups = 1,
        .begin_bit = radix->begin_bit,
        .end_bit = radix->end_bit,
        .whole_lines = (dmm_u32)dmm_radix_writes_lines(radix, n),
        .values_only = (dmm_u32)values_only,
        .stamp = values_only ? args->stamp : dmm_radix_stamp(),
        .in_place = in_place};
    return (radix_run){radix, call, lists, counts, args->items.count, args->groups, c};
}

static dmm_status launch(const radix_run *r, cl_kernel kernel, uint64_t groups)
{
    const dmm_lists *const l = &r->lists;
    return dmm_call_launch(r->call, kernel,
        DMM_BUFFERS(l->in.keys.buffer, l->in.values.buffer, l->out.keys.buffer,
            l->out.values.buffer, l->spare.keys.buffer, l->spare.values.buffer, r->counts.buffer,
            r->call->regions[RADIX_STATE].buffer, r->call->regions[RADIX_SCRATCH].buffer,
            r->count.buffer),
        &r->c, sizeof r->c, (dmm_grid){0, groups, r->radix->p.u});
}

/* Enqueues a pass: counts, scans and moves by its bits. */
static dmm_status one_pass(const radix_run *r)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r->radix;
    const uint64_t num_counts = (uint64_t)r->c.groups << (r->c.end_bit - r->c.begin_bit);
    if (!r->c.values_only) {
        TRY(launch(r, radix->count, r->c.groups));
        TRY(dmm_scan_counts(
            radix->scan, r->call, r->counts, num_counts, r->call->regions[RADIX_SCAN]));
    }
    TRY(launch(r, radix->scatter, r->c.groups));
out:
    return status;
}

/* Returns the list that the first pass that moves anything writes. In place, this is not the
 * output, which is still read. Otherwise the last of `passes` passes ends in the output, if all of
 * them move. */
static dmm_u32 leave_input_for(const radix_run *r, uint32_t passes)
{
    return r->c.in_place || passes % 2 == 0 ? DMM_IN_SPARE : DMM_IN_OUTPUT;
}

/* Divides by the top bits and sorts the buckets, unless the device finds one too large. */
static dmm_status divide(radix_run r, uint32_t bits)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r.radix;
    const uint32_t middle_bit = radix->end_bit - bits;
    r.c.passes = dmm_radix_count_passes(radix, r.call->sizes.n, middle_bit - radix->begin_bit);
    r.c.from_input = leave_input_for(&r, 1 + r.c.passes);
    r.c.begin_bit = middle_bit;
    r.c.most = dmm_radix_most_in_bucket(radix);
    TRY(one_pass(&r));
    r.c.pass = 1;
    r.c.begin_bit = radix->begin_bit;
    r.c.end_bit = middle_bit;
    r.c.buckets = 1u << bits;
    r.c.most = r.call->sizes.m != 0 ? r.call->sizes.m : r.call->sizes.n;
    TRY(launch(&r, radix->buckets, r.c.buckets));
out:
    return status;
}

/* Enqueues chained passes, one after the other; each in parts, of which the next one begins where
 * this one ends. */
static dmm_status chained_passes(radix_run r)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r.radix;
    const uint64_t n = r.call->sizes.n, rows = dmm_radix_chained_tiles(radix, n);
    const uint64_t part = rows * radix->p.tile;
    const uint32_t bits = radix->end_bit - radix->begin_bit;
    dmm_call call = *r.call; /* parts replace launch_items */
    r.c.rows = (dmm_u32)rows;
    if (!r.c.values_only)
        TRY(launch(&r, radix->digits, r.c.groups));
    TRY(launch(&r, radix->starts, r.c.passes + (r.c.values_only ? r.c.groups : 0)));
    call.launches = 1;
    r.call = &call;
    for (uint32_t p = 0; p < r.c.passes; p++, r.c.pass++) {
        r.c.begin_bit = radix->begin_bit + bits * p / r.c.passes;
        r.c.end_bit = radix->begin_bit + bits * (p + 1) / r.c.passes;
        for (r.c.part = 0; r.c.part < n; r.c.part += part, r.c.turn ^= 1) {
            const uint64_t rest = n - r.c.part, items = rest < part ? rest : part;
            r.c.groups = (dmm_u32)dmm_size_div_up(items, radix->p.tile);
            r.c.carries = rest > part;
            TRY(launch(&r, radix->pass, r.c.groups));
        }
    }
out:
    return status;
}

/* True if the last chained pass may leave items elsewhere than in the output. */
static int chained_needs_copy(const radix_run *r)
{
    const dmm_item_spans *const in = &r->lists.in, *out = &r->lists.out;
    const int whole = dmm_spans_equal(in->keys, out->keys) &&
                      (out->values.buffer == NULL || dmm_spans_equal(in->values, out->values));
    return r->c.passes == 0 || (r->c.in_place && (r->c.passes % 2 != 0 || !whole));
}

/* Enqueues all passes, after a division if there is one. */
static dmm_status all_passes(radix_run r)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r.radix;
    const uint64_t n = r.call->sizes.n;
    const uint32_t bits = radix->end_bit - radix->begin_bit,
                   top_bits = dmm_radix_top_bits(radix, n);
    const uint32_t passes = r.c.passes;
    const dmm_radix_shares shares = dmm_radix_groups(radix, n);
    r.c.range = shares.range;
    r.c.groups = (dmm_u32)(radix->chained && r.c.values_only ? r.counted_groups : shares.groups);
    if (top_bits != 0) {
        TRY(divide(r, top_bits));
        if (n <= dmm_radix_most_in_bucket(radix)) /* no bucket can be too large */
            goto out;
        r.c.pass = 1;
        r.c.stamp++;
    }
    for (uint32_t p = 0; p < passes && !radix->chained; p++, r.c.pass++, r.c.stamp++) {
        r.c.begin_bit = radix->begin_bit + bits * p / passes;
        r.c.end_bit = radix->begin_bit + bits * (p + 1) / passes;
        TRY(one_pass(&r));
    }
    if (radix->chained && passes != 0) {
        TRY(chained_passes(r));
        r.c.pass = passes;
    }
    r.c.groups = (dmm_u32)shares.groups; /* a caller's counts may be of fewer groups */
    if (!radix->chained || chained_needs_copy(&r))
        TRY(launch(&r, radix->copy, r.c.groups));
out:
    return status;
}

dmm_status dmm_radix_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = object;
    const dmm_sort_args *const items = &((const dmm_radix_args *)call->args)->items;
    const uint64_t n = call->sizes.n;
    radix_run r = begin(radix, call);
    if (n == 0)
        goto out;
    r.c.passes = dmm_radix_count_passes(radix, n, radix->end_bit - radix->begin_bit);
    r.c.from_input = leave_input_for(&r, r.c.passes);
    TRY(dmm_radix_is_alone(radix, n) ? launch(&r, radix->alone, 1) : all_passes(r));
    TRY(dmm_lists_fetch(
        call, radix->gather, &radix->layout, items->values_in, items->values_out, items->count));
out:
    return status;
}
