/* SPDX-License-Identifier: MIT */
/*
 * What a radix sort of n items takes: passes, shares of the groups, regions of temp. radix_call.c
 * has the steps.
 */
#include "primitives/sort/radix_plan.h"

#include "cl/lines_call.clh"
#include "cl/radix/radix_call.clh"
#include "core/size.h"

/* In the CPU form, digits are short for few items, because each pass reads all bins. */
enum { CPU_SHORT_DIGIT_BITS = 8, CPU_FEW_ITEMS = 1 << 12 };
/* Size from which a list outgrows the caches; the CPU form then writes whole lines. */
enum { CPU_CACHED_BYTES = 1 << 24 };
/* A work-item of the CPU form sorts a tile by itself. Longer inputs are first split into buckets by
 * their top bits: enough to occupy every compute unit, about a tile each for uniform keys. A bucket
 * of more than CPU_MOST_TILES tiles would not fit the cache and would keep one unit busy alone: in
 * that case passes over all digits follow. */
enum { CPU_BUCKETS_PER_UNIT = 4, CPU_MOST_TILES = 8 };
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

uint64_t dmm_radix_chained_tiles(const dmm_radix *radix, uint64_t n)
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

uint32_t dmm_radix_count_passes(const dmm_radix *radix, uint64_t n, uint32_t bits)
{
    const int few = radix->p.cpu && n < CPU_FEW_ITEMS;
    return (uint32_t)dmm_size_div_up(bits, few ? CPU_SHORT_DIGIT_BITS : radix->p.digit);
}

uint32_t dmm_radix_top_bits(const dmm_radix *radix, uint64_t n)
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

uint64_t dmm_radix_most_in_bucket(const dmm_radix *radix)
{
    return CPU_MOST_TILES * (uint64_t)radix->p.tile;
}

int dmm_radix_is_alone(const dmm_radix *radix, uint64_t n)
{
    return n <= radix->p.tile && radix->end_bit > radix->begin_bit;
}

int dmm_radix_writes_lines(const dmm_radix *radix, uint64_t n)
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
    return dmm_radix_writes_lines(radix, n)
               ? DMM_LINE_BYTES / (key > moved ? key : moved) * (key + moved)
               : 0;
}

void dmm_radix_lay_out(const void *object, dmm_call *call)
{
    const dmm_radix *const radix = object;
    const dmm_item_layout *const item = &radix->layout;
    const dmm_radix_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    const int alone = dmm_radix_is_alone(radix, n);
    const uint64_t groups = alone ? 0 : most_groups(radix, n), passes = dmm_radix_passes(radix);
    const uint64_t rows = radix->chained && groups != 0 ? 2 * dmm_radix_chained_tiles(radix, n) : 0;
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

dmm_radix_shares dmm_radix_groups(const dmm_radix *radix, uint64_t n)
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
        radix->p.cpu && bits <= radix->p.digit && dmm_radix_count_passes(radix, n, bits) == 1;
    return one_pass && n > radix->p.tile ? dmm_radix_groups(radix, n) : (dmm_radix_shares){0, 0};
}

int dmm_radix_takes_rows(const dmm_radix *radix, uint64_t n)
{
    return radix->chained && dmm_radix_passes(radix) == 1 && !dmm_radix_is_alone(radix, n);
}
