/* SPDX-License-Identifier: MIT */
/*
 * Kernels of a partition beside the radix sort by bucket numbers, or the packing by them.
 * Bucket     every group owns a range of the items: dmm_partition_bucket finds their buckets and
 *            the first item of the range that has none. Items are taken u*E at a time, so that one
 *            splitter read serves E items. Groups that count in local memory take such steps in
 *            turn instead: ranges side by side would be read from few banks of memory.
 * Judge      dmm_partition_judge finds the first of these, reports it, and says how many items may
 *            be moved. A group that has all items judges by itself.
 * Counts     where one pass of the sort moves all, dmm_partition_bucket counts the buckets of each
 *            range as well, for that pass: in the CPU form while they are in the cache; in the GPU
 *            form in local memory, but not where passes are not chained (`guarantee`). There the
 *            judge adds them up, and stores where each bucket begins.
 * Packed     of two buckets, dmm_partition_bucket counts the second one's items, range by range;
 *            cl/pack judges, and moves the items, by their buckets as flags, or by labels or an
 *            expression, which it reads again.
 * Moved      before a chained pass dmm_partition_bucket clears the chain; before that, or cl/pack,
 *            it copies items that are to be moved in place: what moves them reads the copy. Buckets
 *            are not stored if labels, or bits of the items, serve as the pass' digits.
 * Offsets    elsewhere dmm_partition_offsets searches each bucket's beginning among the sorted
 *            bucket numbers, or takes it from the scanned counts.
 * Cost       items or labels are read once and buckets written at most once; K * log2(n) reads for
 *            the offsets, or, before a chained pass, K for each group
 * Claim      dmm_partition_bucket is `measured` if it counts in local memory, where words are
 *            accessed by bucket; otherwise conflict-free, like dmm_partition_judge: words are read
 *            one a step (broadcast), or w consecutive ones, and written w consecutive ones a step.
 *            The offsets use no local memory. Up to 64 splitters are read by all work-items at
 *            once.
 */
#include "cl/bucket.clh"
#include "cl/group.clh"
#include "cl/radix/counts.clh"

#define DMM_PARTITION_STEP (DMM_U * DMM_E)

/* 1 if items are copied as they are read for their buckets. */
#define DMM_COPIES_KEYS (DMM_MOVES_ONCE && DMM_BY != DMM_BY_LABELS && DMM_WORDS == 1)

/* Copies one of a step's items that has been read. */
DMM_INLINE void dmm_partition_copy_key(dmm_bucketing p, dmm_key key, dmm_index x)
{
#if DMM_COPIES_KEYS
    union {
        dmm_key key;
        dmm_value_word word;
    } item;
    item.key = key;
    if (p.copying.items_copy != 0)
        p.copying.items_copy[x] = item.word;
#endif
}

/* Finds the buckets of items first + t, first + t + u, ... of `count`; returns the greatest. With
 * DMM_PACKS adds them up, in *seconds. is_full: count is u*E. */
DMM_INLINE uint dmm_partition_step(dmm_bucketing p, global dmm_bucket *out, dmm_index first,
    uint count, int is_full, uint t, dmm_index *seconds)
{
    const dmm_index x = first + (is_full || t < count ? t : 0);
    const dmm_bucketing own = dmm_bucketing_from(p, x);
    uint bucket[DMM_E], most = 0;
    dmm_key keys[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) /* past the last item: the first one again */
        keys[j] = DMM_BUCKET_KEY(own, is_full || t + j * DMM_U < count ? j * DMM_U : 0);
#if DMM_BY == DMM_BY_SPLITTERS
    dmm_code codes[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        codes[j] = dmm_encode(keys[j]);
    dmm_count_splitters(bucket, codes, p.by);
#else
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        bucket[j] =
            dmm_bucket_at(own, keys[j], is_full || t + j * DMM_U < count ? j * DMM_U : 0);
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        if (is_full || t + j * DMM_U < count) {
            if (DMM_STORES_BUCKETS)
                out[x + j * DMM_U] = (dmm_bucket)bucket[j];
            dmm_partition_copy_key(p, keys[j], x + j * DMM_U);
            most = max(most, bucket[j]);
#if DMM_PACKS
            *seconds += bucket[j];
#endif
#if DMM_COUNTS_LOCALLY
            atomic_inc(&p.counters[min(bucket[j], DMM_COUNT_ROWS - 1u)]);
#endif
        }
    return DMM_BY == DMM_BY_SPLITTERS ? 0 : most;
}

/* Returns the first of a step's items without a bucket. */
DMM_INLINE dmm_index dmm_partition_find(dmm_bucketing p, dmm_index first, uint t)
{
    dmm_index x = first + t;
    while (dmm_bucket_at(p, DMM_BUCKET_KEY(p, x), x) < DMM_WAYS)
        x += DMM_U;
    return x;
}

/* Copies a step's items that are not copied as they are read, and their values. */
DMM_INLINE void dmm_partition_copy(dmm_bucketing p, dmm_index first, uint count, uint t)
{
#if DMM_MOVES_ONCE
    if (DMM_COPIES_KEYS)
        p.copying.items_copy = 0;
    dmm_copy_step(p.copying, first, count, t);
#endif
}

/* Returns where the next step of a group begins, or x_end: behind the one at x, or, where groups
 * take steps in turn, `groups` steps further. */
DMM_INLINE dmm_index dmm_partition_next(dmm_index x, dmm_index x_end, uint groups)
{
#if DMM_COUNTS_LOCALLY
    return x + min(groups * (dmm_index)DMM_PARTITION_STEP, x_end - x);
#else
    return x + DMM_PARTITION_STEP;
#endif
}

/* Finds the buckets of a group's steps from x to x_end. Returns the first of the work-item's items
 * without a bucket, or `end`. seconds: as in dmm_partition_step. */
DMM_INLINE dmm_index dmm_partition_part(dmm_bucketing p, global dmm_bucket *buckets, dmm_index x,
    dmm_index x_end, uint groups, dmm_index end, uint t, dmm_index *seconds)
{
    dmm_index bad = end;
    /* without comparisons, full steps become vector instructions, or have E loads in flight */
    for (; bad == end && x_end - x >= DMM_PARTITION_STEP;
         x = dmm_partition_next(x, x_end, groups)) {
        if (dmm_partition_step(p, buckets, x, DMM_PARTITION_STEP, 1, DMM_U == 1 ? 0 : t, seconds) >=
            DMM_WAYS)
            bad = dmm_partition_find(p, x, DMM_U == 1 ? 0 : t);
        dmm_partition_copy(p, x, DMM_PARTITION_STEP, t);
    }
    for (; bad == end && x < x_end; x = dmm_partition_next(x, x_end, groups)) {
        const uint count = (uint)min((dmm_index)DMM_PARTITION_STEP, x_end - x);
        if (dmm_partition_step(p, buckets, x, count, 0, t, seconds) >= DMM_WAYS)
            bad = dmm_partition_find(p, x, t);
        dmm_partition_copy(p, x, count, t);
    }
    return bad;
}

#if DMM_COUNT_ROWS && DMM_U == 1

/* Buckets that are counted at a time, while they are in the cache. */
#define DMM_COUNT_PART 4096

/* Even and odd items use separate rows: see dmm_radix_tally. Of two buckets, items are counted by
 * adding their numbers. */
DMM_INLINE void dmm_partition_tally(global const dmm_bucket *buckets, uint count,
    dmm_index even[DMM_COUNT_ROWS], dmm_index odd[DMM_COUNT_ROWS])
{
    if (DMM_COUNT_ROWS == 2) {
        uint ones = 0;
        for (uint i = 0; i < count; i++)
            ones += buckets[i];
        even[0] += count - ones;
        even[DMM_COUNT_ROWS - 1] += ones;
        return;
    }
    DMM_UNROLL_4
    for (uint i = 0; i + 1 < count; i += 2) {
        even[buckets[i]]++;
        odd[buckets[i + 1]]++;
    }
    if (count % 2 != 0)
        even[buckets[count - 1]]++;
}

/* As dmm_partition_part; also counts the buckets, for a pass that trusts these counts if all items
 * have one. */
DMM_INLINE dmm_index dmm_partition_count(dmm_bucketing p, global dmm_bucket *buckets, dmm_index x,
    dmm_index x_end, dmm_index end, global dmm_index *counts, uint groups, uint stamp)
{
    dmm_index even[DMM_COUNT_ROWS], odd[DMM_COUNT_ROWS], bad = end;
    for (uint b = 0; b < DMM_COUNT_ROWS; b++)
        even[b] = odd[b] = 0;
    for (; bad == end && x < x_end; x += min((dmm_index)DMM_COUNT_PART, x_end - x)) {
        const uint count = (uint)min((dmm_index)DMM_COUNT_PART, x_end - x);
        bad = dmm_partition_part(p, buckets, x, x + count, 1, end, 0, 0);
        if (bad == end)
            dmm_partition_tally(buckets + x, count, even, odd);
    }
    for (uint b = 0; b < DMM_COUNT_ROWS; b++)
        even[b] += odd[b];
    dmm_counts_put(counts, DMM_COUNT_ROWS, groups, even, bad == end ? stamp : ~stamp);
    return bad;
}

#endif

/* Clears words k, k + step, ... of a chain. */
DMM_INLINE void dmm_partition_clear(global uint *words, dmm_chain_at at, ulong k, ulong step)
{
    for (; k < at.words; k += step)
        words[at.at + k] = 0;
}

/* Stores the number of items to move, and reports the first one without a bucket: bad, or `end`. */
DMM_INLINE void dmm_partition_tell(global ulong *report, global ulong *verdict,
    const dmm_partition_call c, dmm_index end, dmm_index bad)
{
    const dmm_index first = (dmm_index)c.first;
    verdict[c.verdict_at] = bad == end ? end - first : 0;
    verdict[c.verdict_at + 1] = bad == end;
    if (report != 0) {
        report[c.report_at] = bad == end ? 0 : c.code;
        report[c.report_at + 1] = bad == end ? 0 : bad - first;
    }
}

/* wrong[group] = first of the group's items without a bucket, or `end`; with DMM_PACKS
 * wrong[groups + group] = items of the second bucket, or DMM_PACK_WRONG if there is such an item.
 * counts: or none; in the CPU form as in cl/radix/counts.clh, in the GPU form
 * counts[group][bucket]. One group alone judges, too, unless cl/pack or dmm_partition_judge does.
 * Measured; conflict-free under guarantee: Sums. */
DMM_KERNEL(DMM_U)
void dmm_partition_bucket(global dmm_key *items, global dmm_value *values,
    global const dmm_by *by, global dmm_bucket *buckets, global dmm_index *wrong,
    global dmm_index *counts, global uint *chain, global void *copy, global void *values_copy,
    global ulong *report, global ulong *verdict, global const ulong *count_in,
    const dmm_partition_call c)
{
    local dmm_index words[DMM_U];
#if DMM_COUNTS_LOCALLY
    local uint counters[DMM_COUNT_ROWS];
#endif
    const dmm_bucketing p = {
        dmm_list_of(items, values, c.items),
        by + c.by_at,
        0,
#if DMM_COUNTS_LOCALLY
        counters,
#endif
#if DMM_MOVES_ONCE
        {(global const dmm_value_word *)items + c.copied.from,
            DMM_COPY_AT(dmm_value_word, copy, c.copied.to),
            (global const dmm_carried *)values + c.carried.from,
            DMM_COPY_AT(dmm_carried, values_copy, c.carried.to)},
#endif
    };
    const uint t = (uint)get_local_id(0);
    const dmm_index first = (dmm_index)c.first;
    const dmm_index end = dmm_counted_end(count_in, c.count_at, first, (dmm_index)c.end);
#if DMM_COUNTS_LOCALLY
    const dmm_index x = min(first + DMM_GROUP * DMM_PARTITION_STEP, end), own_end = end;
#else
    const dmm_index range = (dmm_index)c.range, x = min(first + DMM_GROUP * range, end);
    const dmm_index own_end = x + min(range, end - x);
#endif
    dmm_index bad, seconds = 0;

    buckets += c.buckets_at;
#if DMM_COUNTS_LOCALLY
    for (uint b = t; b < DMM_COUNT_ROWS; b += DMM_U)
        counters[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* counters cleared | counted by others */
#elif DMM_COUNT_ROWS
    if (counts != 0)
        bad = dmm_partition_count(
            p, buckets, x, own_end, end, counts + c.counts_at, c.groups, c.stamp);
    else
#endif
        bad = dmm_partition_part(p, buckets, x, own_end, c.groups, end, t, &seconds);
#if DMM_PACKS
    seconds = bad == end ? seconds : DMM_PACK_WRONG;
    DMM_GROUP_FOLD(words, t, seconds, DMM_PACK_JOIN);
    if (seconds == DMM_PACK_WRONG)
#endif
        DMM_GROUP_FOLD(words, t, bad, min);
#if DMM_MOVES_ONCE
    const ulong k = DMM_GROUP * DMM_U + t, step = (ulong)c.groups * DMM_U;
    dmm_partition_clear(chain, c.chain, k, step);
    dmm_partition_clear(chain, c.values_chain, k, step);
#else
    if (t == 0 && c.groups == 1)
        dmm_partition_tell(report, verdict, c, end, bad);
#endif
    if (t == 0) {
        wrong[c.wrong_at + DMM_GROUP] = bad;
#if DMM_PACKS
        wrong[c.wrong_at + c.groups + DMM_GROUP] = seconds;
#endif
    }
#if DMM_COUNTS_LOCALLY
    /* the fold's barriers: buckets counted | read by others */
    for (uint b = t; counts != 0 && b < DMM_COUNT_ROWS; b += DMM_U)
        counts[c.counts_at + DMM_GROUP * DMM_COUNT_ROWS + b] = counters[b];
#endif
}

#if DMM_COUNTS_LOCALLY

/* Groups whose counts are added up side by side. */
#define DMM_SLICES (DMM_U > DMM_COUNT_ROWS ? DMM_U / DMM_COUNT_ROWS : 1)

/* Stores where each bucket begins: for the chained pass, in the first row, and for the caller, if
 * all items have a bucket. sums: DMM_SLICES * DMM_COUNT_ROWS. */
DMM_INLINE void dmm_partition_begin(global dmm_index *counts, global ulong *offsets,
    const dmm_partition_call c, local dmm_index *sums, uint t, int all_have)
{
    for (uint x = t; x < DMM_SLICES * DMM_COUNT_ROWS; x += DMM_U) {
        global const dmm_index *const own = counts + c.counts_at + x % DMM_COUNT_ROWS;
        dmm_index sum = 0;
        _Pragma("unroll 8") for (uint g = x / DMM_COUNT_ROWS; g < c.groups; g += DMM_SLICES)
            sum += own[g * DMM_COUNT_ROWS];
        sums[x] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* sums stored | read by others */
    for (uint b = t; b < DMM_COUNT_ROWS; b += DMM_U)
        for (uint s = 1; s < DMM_SLICES; s++)
            sums[b] += sums[s * DMM_COUNT_ROWS + b];
    barrier(CLK_LOCAL_MEM_FENCE); /* totals stored | read by others */
    for (uint b = t; b <= DMM_COUNT_ROWS; b += DMM_U) {
        dmm_index before = 0;
        DMM_UNROLL_4
        for (uint e = 0; e < DMM_COUNT_ROWS; e++) /* one word for all: broadcast */
            before += e < b ? sums[e] : 0;
        if (b < DMM_COUNT_ROWS)
            counts[c.firsts_at + b] = before;
        if (b <= DMM_WAYS && all_have)
            offsets[c.offsets_at + b] = before;
    }
}

#endif

/* One group: judges what several groups have found.
 * Conflict-free: Sums. */
DMM_KERNEL(DMM_U)
void dmm_partition_judge(global const dmm_index *wrong, global dmm_index *counts,
    global ulong *report, global ulong *verdict, global ulong *offsets,
    global const ulong *count_in, const dmm_partition_call c)
{
    local dmm_index words[DMM_U];
    const uint t = (uint)get_local_id(0);
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    dmm_index bad = end;
    for (uint g = t; g < c.groups; g += DMM_U)
        bad = min(bad, wrong[c.wrong_at + g]);
    DMM_GROUP_FOLD(words, t, bad, min);
#if DMM_COUNTS_LOCALLY
    local dmm_index sums[DMM_SLICES * DMM_COUNT_ROWS];
    dmm_partition_begin(counts, offsets, c, sums, t, bad == end);
#endif
    if (t == 0)
        dmm_partition_tell(report, verdict, c, end, bad);
}

/* Returns the number of bucket numbers below b, of `end` sorted ones. */
DMM_INLINE ulong dmm_partition_search(global const dmm_bucket *sorted, ulong end, uint b)
{
    ulong before = 0;
    while (before < end) {
        const ulong mid = (before + end) / 2;
        if (sorted[mid] < b)
            before = mid + 1;
        else
            end = mid;
    }
    return before;
}

/* offsets[b] = number of items with a bucket below b, 0 <= b <= K. firsts: these numbers, one
 * in `stride` words, after the scan of counts; or none. */
DMM_KERNEL(DMM_OFFSETS_U)
void dmm_partition_offsets(global const dmm_bucket *sorted, global const ulong *verdict,
    global ulong *offsets, global const dmm_index *firsts, const dmm_partition_call c)
{
    const uint b = (uint)get_global_id(0);
    const ulong n = min(verdict[c.verdict_at], c.end - c.first);
    if (b > DMM_WAYS || !verdict[c.verdict_at + 1])
        return;
    if (firsts == 0)
        offsets[c.offsets_at + b] = dmm_partition_search(sorted + c.sorted_at, n, b);
    else
        offsets[c.offsets_at + b] = b < DMM_WAYS ? firsts[c.firsts_at + b * (ulong)c.stride] : n;
}
