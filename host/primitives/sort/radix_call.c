/* SPDX-License-Identifier: MIT */
/*
 * Steps of a radix sort: a pass per digit (cl/radix/radix.clh), enqueued without reading data back;
 * or one launch if one group can hold all items. The CPU form first divides long inputs by their
 * top bits. First what a sort of n items takes: passes, shares of the groups, regions of temp.
 */
#include "primitives/sort/radix.h"

#include "cl/lines_call.clh"
#include "cl/radix/radix_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/sort/lists.h"

/* Regions of temp. */
enum { RADIX_COUNTS = DMM_OWN_REGIONS, RADIX_STATE, RADIX_SCRATCH, RADIX_SCAN };

/* In the CPU form, digits are short for few items, because each pass reads all bins. */
enum { CPU_SHORT_DIGIT_BITS = 8, CPU_FEW_ITEMS = 1 << 12 };
/* Size from which a list outgrows the caches; the CPU form then writes whole lines. */
enum { CPU_CACHED_BYTES = 1 << 22 };
/* A work-item of the CPU form sorts a tile by itself. Longer inputs are first split into buckets by
 * their top bits: enough to occupy every compute unit, about a tile each for uniform keys. A bucket
 * of more than CPU_MOST_TILES tiles would not fit the cache and would keep one unit busy alone: in
 * that case passes over all digits follow. */
enum { CPU_BUCKETS_PER_UNIT = 4, CPU_MOST_TILES = 8 };
/* Inputs of at most so many tiles are not divided: each unit sorts a part, and the parts are
 * merged, in fewer launches: of each, a second unit misses the first 20 us or so. On two units of
 * an EPYC under PoCL 3.1 this took, of 2^17, 2^18, 2^19 and 2^20 u32 keys, 0.8, 0.8, 1.0 and 1.2 of
 * the time of a division. */
enum { CPU_PARTS_TILES = 16 };
enum { MAX_PASSES = 1 + 8, PASS_BITS = 4 }; /* a division, and 64 bits, 8 at a time */

/* Items of a launch of a chained pass: its counts have 30 bits, and two sets of its rows fit caches
 * of tens of megabytes. */
enum { MOST_CHAINED_ITEMS = 1 << 26 };
/* Words of the state before the rows, as in cl/radix/radix_chain.clh. */
enum { CHAIN_ROWS = 4 };

uint32_t dmm_radix_passes(const dmm_radix *radix)
{
    const uint32_t bits = radix->end_bit - radix->begin_bit;
    return bits != 0 ? (uint32_t)dmm_size_div_up(bits, radix->p.digit) : 1;
}

/* Returns the most tiles of a launch of a chained pass over n items. */
static uint64_t chained_tiles(const dmm_radix *radix, uint64_t n)
{
    const uint64_t limit = radix->object.ctx->device.launch_items.value;
    const uint64_t most = limit != 0 && limit < MOST_CHAINED_ITEMS ? limit : MOST_CHAINED_ITEMS;
    const uint64_t tiles = dmm_size_div_up(n, radix->p.tile);
    const uint64_t most_tiles = most / radix->p.tile;
    return most_tiles == 0 ? 1 : tiles < most_tiles ? tiles : most_tiles;
}

uint64_t dmm_radix_most_counts(const dmm_radix *radix, uint64_t groups)
{
    return dmm_size_mul(groups, (uint64_t)1 << radix->p.digit);
}

uint64_t dmm_radix_kept_counts(uint64_t bins, uint64_t groups)
{
    return dmm_size_mul(groups, DMM_KEPT_WORDS(bins));
}

uint32_t dmm_radix_stamp(void)
{
    return dmm_call_number() << PASS_BITS;
}

/* Returns an upper bound, monotone in n, of the groups of a call. */
static uint64_t most_groups(const dmm_radix *radix, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, radix->p.tile);
    return tiles < radix->p.most_groups ? tiles : radix->p.most_groups;
}

/* Returns the number of passes over n items by `bits` bits. */
static uint32_t count_passes(const dmm_radix *radix, uint64_t n, uint32_t bits)
{
    const int few = radix->p.cpu && n < CPU_FEW_ITEMS;
    return (uint32_t)dmm_size_div_up(bits, few ? CPU_SHORT_DIGIT_BITS : radix->p.digit);
}

/* CPU form: returns the number of top bits to divide n items by; 0: no division. */
static uint32_t count_top_bits(const dmm_radix *radix, uint64_t n)
{
    const uint32_t most = radix->p.digit;
    const uint64_t least_buckets = radix->object.ctx->device.units.value * CPU_BUCKETS_PER_UNIT;
    uint32_t bits = 0;
    if (!radix->p.cpu || radix->end_bit - radix->begin_bit <= most)
        return 0;
    while (bits < most && (n >> bits > radix->p.tile || 1u << bits < least_buckets))
        bits++;
    return bits;
}

/* CPU form: returns log2 of the parts that n items are sorted in, and merged; 0: one. */
static uint32_t count_halvings(const dmm_radix *radix, uint64_t n)
{
    const uint64_t units = radix->object.ctx->device.units.value;
    const uint32_t bits = radix->end_bit - radix->begin_bit;
    uint32_t halvings = 0;
    if (!radix->p.cpu || bits <= radix->p.digit || bits != 8 * radix->layout.key_bytes ||
        n > CPU_PARTS_TILES * (uint64_t)radix->p.tile)
        return 0;
    while ((uint64_t)2 << halvings <= units && n >> halvings > radix->p.tile)
        halvings++;
    return halvings;
}

/* CPU form: returns the most items of a bucket that a work-item sorts by itself. */
static uint64_t most_in_bucket(const dmm_radix *radix)
{
    return CPU_MOST_TILES * (uint64_t)radix->p.tile;
}

/* True if one work-group sorts everything in one launch. */
static int is_alone(const dmm_radix *radix, uint64_t n)
{
    return n <= radix->p.tile && radix->end_bit > radix->begin_bit;
}

/* CPU form: true if whole lines are written. */
static int writes_lines(const dmm_radix *radix, uint64_t n)
{
    const uint32_t item_bytes = radix->layout.key_bytes + radix->layout.moved_bytes;
    return radix->p.cpu && n >= CPU_CACHED_BYTES / item_bytes;
}

/* Returns the bytes of scratch per digit and group: a line (CPU form), the next place (GPU
 * form by columns). */
static uint32_t scratch_bytes(const dmm_radix *radix, uint64_t n)
{
    const uint32_t key = radix->layout.key_bytes, moved = radix->layout.moved_bytes;
    if (!radix->p.cpu)
        return radix->chained ? 0 : radix->layout.index_bytes;
    return writes_lines(radix, n) ? DMM_LINE_BYTES / (key > moved ? key : moved) * (key + moved)
                                  : 0;
}

void dmm_radix_lay_out(const void *object, dmm_call *call)
{
    const dmm_radix *const radix = object;
    const dmm_item_layout *const item = &radix->layout;
    const dmm_radix_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const int started = radix->is_started && dmm_radix_takes_starts(radix, n);
    const int alone = started || is_alone(radix, n); /* without lists and counts of its own */
    const uint64_t groups = alone ? 0 : most_groups(radix, n), passes = dmm_radix_passes(radix);
    const uint64_t rows = radix->chained && groups != 0 ? 2 * chained_tiles(radix, n) : 0;
    const uint64_t states = radix->chained ? CHAIN_ROWS : MAX_PASSES;
    const uint64_t counts = dmm_radix_most_counts(
        radix, radix->chained && groups != 0 ? passes + 2 + passes * groups : groups);
    const uint64_t kept =
        radix->p.cpu ? dmm_radix_kept_counts((uint64_t)1 << radix->p.digit, groups) : 0;
    dmm_lists_lay_out(call, item, n > 0 && (radix->p.cpu || !alone),
        args == NULL || dmm_spans_equal(args->items.values_in, args->items.values_out));
    dmm_call_region(call, RADIX_COUNTS, dmm_size_add(counts, kept), item->index_bytes);
    dmm_call_region(call, RADIX_STATE,
        counts != 0 ? states + dmm_radix_most_counts(radix, rows) : 0, sizeof(dmm_u32));
    dmm_call_region(call, RADIX_SCRATCH, counts, scratch_bytes(radix, n));
    dmm_call_part_region(call, RADIX_SCAN, radix->scan, (dmm_sizes){.n = counts});
}

/* Returns the groups of a pass over n > 0 items. */
static dmm_radix_shares share_of(const dmm_radix *radix, uint64_t n)
{
    uint64_t range = dmm_size_div_up(n, most_groups(radix, n));
    if (!radix->p.cpu)
        range = dmm_size_div_up(range, radix->p.tile) * radix->p.tile;
    return (dmm_radix_shares){dmm_size_div_up(n, range), range};
}

dmm_radix_shares dmm_radix_share(const dmm_radix *radix, uint64_t n)
{
    const uint32_t bits = radix->end_bit - radix->begin_bit;
    const int one_pass =
        radix->p.cpu && bits <= radix->p.digit && count_passes(radix, n, bits) == 1;
    return one_pass && n > radix->p.tile ? share_of(radix, n) : (dmm_radix_shares){0, 0};
}

int dmm_radix_takes_starts(const dmm_radix *radix, uint64_t n)
{
    return radix->chained && dmm_radix_passes(radix) == 1 && !is_alone(radix, n);
}

dmm_radix_chain dmm_radix_chain_of(const dmm_radix *radix, uint64_t n)
{
    const uint64_t rows = dmm_radix_most_counts(radix, chained_tiles(radix, n));
    return dmm_radix_takes_starts(radix, n)
               ? (dmm_radix_chain){CHAIN_ROWS + 2 * rows, CHAIN_ROWS + rows}
               : (dmm_radix_chain){0, 0};
}

/* A call and its lists; `c` holds the numbers that all launches share, then those that differ. */
typedef struct radix_run {
    const dmm_radix *radix;
    const dmm_call *call;
    dmm_lists lists;
    dmm_span counts, state, count;
    int counted; /* by the caller */
    dmm_radix_call c;
} radix_run;

static radix_run begin(const dmm_radix *radix, const dmm_call *call)
{
    const dmm_item_layout *const item = &radix->layout;
    const dmm_radix_args *const args = call->args;
    const uint64_t first = call->sizes.first, n = call->sizes.n;
    const int counted = args->counts.buffer != NULL;
    const dmm_lists lists =
        dmm_lists_of(call, item, (dmm_item_spans){args->items.keys_in, args->items.values_in},
            (dmm_item_spans){args->items.keys_out, args->items.values_out});
    const dmm_u32 in_place =
        dmm_spans_equal(lists.in.keys, lists.out.keys) ||
        (lists.in.values.buffer != NULL && dmm_spans_equal(lists.in.values, lists.out.values));
    const dmm_span counts = counted ? args->counts : call->regions[RADIX_COUNTS];
    const dmm_span state = counted && radix->chained ? args->chain : call->regions[RADIX_STATE];
    const dmm_radix_call c = {.in = dmm_list_from(item, lists.in, first),
        .out = dmm_list_from(item, lists.out, first),
        .spare = dmm_list_from(item, lists.spare, first),
        .counts_at = dmm_span_items(counts, item->index_bytes),
        .state_at = dmm_span_items(state, sizeof(dmm_u32)),
        .count_at = dmm_span_items(args->items.count, DMM_COUNT_BYTES),
        .scratch_at = dmm_span_items(call->regions[RADIX_SCRATCH], sizeof(dmm_u64)),
        .first = first,
        .end = first + n,
        .range = n,
        .groups = 1,
        .begin_bit = radix->begin_bit,
        .end_bit = radix->end_bit,
        .whole_lines = (dmm_u32)writes_lines(radix, n),
        .values_only = counted && !args->moves_keys,
        .stamp = counted ? args->stamp : dmm_radix_stamp(),
        .in_place = in_place};
    return (radix_run){radix, call, lists, counts, state, args->items.count, counted, c};
}

static dmm_status launch(const radix_run *r, cl_kernel kernel, uint64_t groups)
{
    const dmm_lists *const l = &r->lists;
    return dmm_call_launch(r->call, kernel,
        DMM_BUFFERS(l->in.keys.buffer, l->in.values.buffer, l->out.keys.buffer,
            l->out.values.buffer, l->spare.keys.buffer, l->spare.values.buffer, r->counts.buffer,
            r->state.buffer, r->call->regions[RADIX_SCRATCH].buffer, r->count.buffer),
        &r->c, sizeof r->c, (dmm_grid){0, groups, r->radix->p.u});
}

/* Enqueues a pass: counts, scans and moves by its bits. */
static dmm_status one_pass(const radix_run *r)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r->radix;
    const uint64_t num_counts = (uint64_t)r->c.groups << (r->c.end_bit - r->c.begin_bit);
    if (!r->counted) {
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
    r.c.passes = count_passes(radix, r.call->sizes.n, middle_bit - radix->begin_bit);
    r.c.from_input = leave_input_for(&r, 1 + r.c.passes);
    r.c.begin_bit = middle_bit;
    r.c.most = most_in_bucket(radix);
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
    const uint64_t n = r.call->sizes.n, rows = chained_tiles(radix, n);
    const uint64_t part = rows * radix->p.tile;
    const uint32_t bits = radix->end_bit - radix->begin_bit;
    dmm_call call = *r.call; /* parts replace launch_items */
    r.c.rows = (dmm_u32)rows;
    if (!r.counted) {
        TRY(launch(&r, radix->digits, r.c.groups));
        TRY(launch(&r, radix->starts, r.c.passes));
    }
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

/* Sorts 2^halvings parts, each by one work-item, and merges them, from the spare list to the output
 * or back: the last merge ends in the output. */
static dmm_status sort_parts(radix_run r, uint32_t halvings)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r.radix;
    const uint64_t n = r.call->sizes.n;
    const uint64_t range = dmm_size_div_up(n, (uint64_t)1 << halvings);
    radix_run back = r; /* its output is the spare list */
    back.lists.out = r.lists.spare;
    back.lists.spare = r.lists.out;
    back.c.out = r.c.spare;
    back.c.spare = r.c.out;
    back.c.from_input = r.c.in_place || r.c.passes % 2 != 0 ? DMM_IN_OUTPUT : DMM_IN_SPARE;
    r.c.range = back.c.range = range;
    TRY(launch(halvings % 2 ? &back : &r, radix->alone, dmm_size_div_up(n, range)));
    while (halvings-- > 0) {
        radix_run *const to = halvings % 2 ? &back : &r;
        const uint64_t pairs = dmm_size_div_up(n, 2 * r.c.range);
        to->c.range = r.c.range;
        to->c.groups = (dmm_u32)dmm_size_div_up(radix->p.most_groups, pairs);
        TRY(launch(to, radix->merge, pairs * to->c.groups));
        r.c.range *= 2;
    }
out:
    return status;
}

/* Enqueues all passes, after a division if there is one. */
static dmm_status all_passes(radix_run r)
{
    dmm_status status = DMM_OK;
    const dmm_radix *const radix = r.radix;
    const uint64_t n = r.call->sizes.n;
    const uint32_t bits = radix->end_bit - radix->begin_bit, top_bits = count_top_bits(radix, n);
    const uint32_t passes = r.c.passes;
    const dmm_radix_shares shares = share_of(radix, n);
    r.c.range = shares.range;
    r.c.groups = (dmm_u32)shares.groups;
    if (top_bits != 0) {
        TRY(divide(r, top_bits));
        if (n <= most_in_bucket(radix)) /* no bucket can be too large */
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
    r.c.passes = count_passes(radix, n, radix->end_bit - radix->begin_bit);
    r.c.from_input = leave_input_for(&r, r.c.passes);
    const uint32_t halvings = r.counted ? 0 : count_halvings(radix, n);
    TRY(is_alone(radix, n) ? launch(&r, radix->alone, 1)
        : halvings != 0    ? sort_parts(r, halvings)
                           : all_passes(r));
    TRY(dmm_lists_fetch(
        call, radix->gather, &radix->layout, items->values_in, items->values_out, items->count));
out:
    return status;
}
