/* SPDX-License-Identifier: MIT */
/*
 * The steps of dmm_partition: find buckets, count them, move items and values, find offsets.
 */
#include "cl/partition_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/partition.h"

enum {
    BUCKETS, /* bucket numbers */
    SORTED,  /* the same, sorted */
    WRONG,   /* a position per group */
    VERDICT, /* number of items to move; true if outputs may be written */
    COUNTS,
    SCAN,
    RADIX
};

static uint64_t count_groups(const dmm_partition *partition, uint64_t n)
{
    const uint64_t steps = dmm_size_div_up(n, partition->p.u * partition->p.E);
    return steps < partition->p.most_groups ? steps : partition->p.most_groups;
}

static uint64_t radix_bytes(const dmm_radix *radix, dmm_sizes sizes)
{
    uint64_t bytes = 0;
    if (radix != NULL && dmm_object_temp_bytes(&bytes, radix, sizes) != DMM_OK)
        bytes = UINT64_MAX;
    return bytes;
}

void dmm_partition_lay_out(const void *object, dmm_call *call)
{
    const dmm_partition *const partition = object;
    const uint64_t n = call->sizes.n;
    const uint64_t items = radix_bytes(partition->items, call->sizes);
    const uint64_t values = radix_bytes(partition->values, call->sizes);
    const uint64_t groups = partition->p.cpu ? partition->p.most_groups
                                             : DMM_RADIX_OWN_ROWS + count_groups(partition, n);
    const uint64_t counts = (uint64_t)partition->count_rows * groups;
    const uint64_t kept =
        partition->p.cpu && counts != 0 ? dmm_radix_kept_counts(partition->count_rows, groups) : 0;
    const uint32_t index_bytes = partition->layout.index_bytes;
    dmm_call_region(call, BUCKETS, n, partition->bucket_bytes);
    dmm_call_region(call, SORTED, n, partition->bucket_bytes);
    dmm_call_region(call, WRONG, count_groups(partition, n), index_bytes);
    dmm_call_region(call, VERDICT, 2, sizeof(dmm_u64));
    dmm_call_region(call, COUNTS, dmm_size_add(counts, kept), index_bytes);
    dmm_call_part_region(call, SCAN, partition->scan, (dmm_sizes){.n = counts});
    dmm_call_region(call, RADIX, items > values ? items : values, 1);
}

/* Shares of the groups: whole steps; or those of the radix passes, if the CPU form counts buckets
 * while they are found. */
typedef struct partition_shares {
    uint64_t groups, range;
    int counts;
} partition_shares;

static partition_shares share(const dmm_partition *partition, uint64_t n)
{
    const dmm_radix_shares radix = dmm_radix_share(partition->items, n);
    const uint64_t most = count_groups(partition, n), step = partition->p.u * partition->p.E;
    const uint64_t range =
        most == 0 ? step : dmm_size_div_up(dmm_size_div_up(n, most), step) * step;
    if (partition->count_rows != 0 && radix.groups != 0)
        return (partition_shares){radix.groups, radix.range, 1};
    return (partition_shares){dmm_size_div_up(n, range), range,
        partition->count_rows != 0 && dmm_radix_takes_rows(partition->items, n)};
}

/* counts: DMM_NONE if buckets are not counted while they are found. */
static dmm_partition_call numbers_of(
    const dmm_partition *partition, const dmm_call *call, partition_shares shares, dmm_span counts)
{
    const dmm_partition_args *const args = call->args;
    const dmm_span *const regions = call->regions;
    const uint64_t first = call->sizes.first;
    const uint32_t word = sizeof(dmm_u64), bucket = partition->bucket_bytes;
    const uint32_t index_bytes = partition->layout.index_bytes;
    const int labels = partition->desc.by == DMM_PARTITION_BY_LABELS;
    return (dmm_partition_call){.items = dmm_list_from(&partition->layout,
                                    (dmm_item_spans){args->items_in, args->values_in}, first),
        .by_at = dmm_span_items(args->by, dmm_partition_by_bytes(partition)) - (labels ? first : 0),
        .buckets_at = dmm_span_items(regions[BUCKETS], bucket) - first,
        .sorted_at = dmm_span_items(regions[SORTED], bucket),
        .wrong_at = dmm_span_items(regions[WRONG], index_bytes),
        .counts_at = dmm_span_items(counts, index_bytes) +
                     (partition->p.cpu ? 0 : DMM_RADIX_OWN_ROWS * partition->count_rows),
        .firsts_at = dmm_span_items(counts, index_bytes),
        .verdict_at = dmm_span_items(regions[VERDICT], word),
        .report_at = dmm_span_items(args->report, word),
        .offsets_at = dmm_span_items(args->offsets, word),
        .count_at = dmm_span_items(args->count, DMM_COUNT_BYTES),
        .first = first,
        .end = first + call->sizes.n,
        .range = shares.range,
        .groups = (dmm_u32)shares.groups,
        .stride = partition->p.cpu ? (dmm_u32)shares.groups : 1,
        .code = DMM_BAD_DATA,
        .stamp = dmm_radix_stamp()};
}

static dmm_status find_buckets(const dmm_partition *partition, const dmm_call *call,
    const dmm_partition_call *c, dmm_span counts)
{
    dmm_status status = DMM_OK;
    const dmm_partition_args *const args = call->args;
    const cl_mem wrong = call->regions[WRONG].buffer;
    TRY(dmm_call_launch(call, partition->bucket,
        DMM_BUFFERS(args->items_in.buffer, args->values_in.buffer, args->by.buffer,
            call->regions[BUCKETS].buffer, wrong, counts.buffer, args->count.buffer),
        c, sizeof *c, (dmm_grid){0, c->groups, partition->p.u}));
    TRY(dmm_call_launch(call, partition->judge,
        DMM_BUFFERS(wrong, args->report.buffer, call->regions[VERDICT].buffer, args->count.buffer),
        c, sizeof *c, (dmm_grid){0, 1, partition->p.u}));
out:
    return status;
}

/* Moves items, or values, by bucket; uses the counts if this radix sort takes them. */
static dmm_status move(const dmm_radix *radix, const dmm_call *call, const dmm_partition_call *c,
    dmm_span counts, dmm_span in, dmm_span out)
{
    const dmm_radix_shares shares = dmm_radix_share(radix, call->sizes.n);
    const int same = shares.groups == c->groups && shares.range == c->range;
    const dmm_radix_args args = {.items = {.keys_in = call->regions[BUCKETS],
                                     .values_in = in,
                                     .keys_out = call->regions[SORTED],
                                     .values_out = out,
                                     .temp = call->regions[RADIX],
                                     .count = call->regions[VERDICT]},
        .counts = same || dmm_radix_takes_rows(radix, call->sizes.n) ? counts : DMM_NONE,
        .stamp = c->stamp,
        .groups = c->groups};
    return dmm_call_run(call, radix, &args, call->sizes);
}

static dmm_status find_offsets(const dmm_partition *partition, const dmm_call *call,
    const dmm_partition_call *c, dmm_span counts)
{
    const dmm_partition_args *const args = call->args;
    const uint64_t offsets = partition->desc.ways + (uint64_t)1;
    return dmm_call_launch(call, partition->offsets,
        DMM_BUFFERS(call->regions[SORTED].buffer, call->regions[VERDICT].buffer,
            args->offsets.buffer, counts.buffer),
        c, sizeof *c, (dmm_grid){0, dmm_size_div_up(offsets, DMM_OFFSETS_U), DMM_OFFSETS_U});
}

dmm_status dmm_partition_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_partition *const partition = object;
    const dmm_partition_args *const args = call->args;
    const partition_shares shares = share(partition, call->sizes.n);
    const dmm_span counts = shares.counts ? call->regions[COUNTS] : DMM_NONE;
    const uint64_t num_counts = partition->count_rows * shares.groups;
    const dmm_partition_call c = numbers_of(partition, call, shares, counts);
    TRY(find_buckets(partition, call, &c, counts));
    if (shares.counts && partition->scan != NULL)
        TRY(dmm_scan_counts(partition->scan, call, counts, num_counts, call->regions[SCAN]));
    TRY(move(partition->items, call, &c, counts, args->items_in, args->items_out));
    if (partition->values != NULL)
        TRY(move(partition->values, call, &c, counts, args->values_in, args->values_out));
    TRY(find_offsets(partition, call, &c, counts));
out:
    return status;
}
