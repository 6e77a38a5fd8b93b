/* SPDX-License-Identifier: MIT */
/*
 * Kernels of method quick of dmm_lab_sort beside its parts: the sample, the pivots among the sorted
 * sample, and the positions for argsort; and those that divide the buckets of a level again.
 * Cost       reads and writes each item taken once, a level reads each item twice and writes it
 *            once; no local memory (conflict-free)
 */
#include "cl/lab/pivots_call.clh"
#include "cl/values.clh"

/* Returns a random number of 32 bits. */
DMM_INLINE uint dmm_pivots_random(uint i)
{
    uint x = (i + 1) * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Returns the item of stratum i of `picks` that is taken, of all > 0 items. */
DMM_INLINE ulong dmm_pivots_place(ulong i, ulong picks, ulong all)
{
    const ulong low = i * (all / picks) + i * (all % picks) / picks, size = all / picks;
    return min(low + (size > 0 ? dmm_pivots_random((uint)i) % size : 0), all - 1);
}

/* out[i] = an item, 0 <= i < picks; zeros if there are no items. */
DMM_KERNEL(DMM_U)
void dmm_pivots_pick(global const dmm_key *in, global dmm_key *restrict out,
    global const ulong *count, const dmm_pivots_call c)
{
    const ulong i = get_global_id(0);
    const ulong all = dmm_counted_end(count, c.count_at, 0, (dmm_index)c.n);
    dmm_key key = {0};
    if (i >= c.picks)
        return;
    if (all != 0)
        key =
            in[c.in_at + (c.stride != 0 ? (i + 1) * c.stride : dmm_pivots_place(i, c.picks, all))];
    out[c.out_at + i] = key;
}

/* out[i] = first + i, 0 <= i < n. */
DMM_KERNEL(DMM_U)
void dmm_pivots_positions(global dmm_value *out, const dmm_pivots_call c)
{
    const ulong i = get_global_id(0);
    if (i < c.n)
        out[c.out_at + i] = (dmm_value)(c.first + i);
}

/*
 * One more level: buckets of more items than a chunk are divided, all at once. A work-item takes a
 * chunk of the items, which meets at most two such buckets, and counts how many of its items go
 * where. Cells of a bucket, `ways` rows of one cell for each chunk that it meets, come one after
 * the other, so the prefix sums of all cells are places.
 */
typedef struct dmm_quick_bucket {
    ulong begin, end;
    ulong cell, chunks; /* its first cell; chunks that it meets */
    int divides;
} dmm_quick_bucket;

/* Returns a bucket; of wrong offsets, an empty one. */
DMM_INLINE dmm_quick_bucket dmm_quick_bucket_of(
    global const ulong *offsets, ulong s, const dmm_quick_call c)
{
    const ulong end = min(offsets[c.offsets_at + s + 1], c.n);
    const ulong begin = min(offsets[c.offsets_at + s], end);
    dmm_quick_bucket b = {begin, end, 0, 0, end - begin > c.chunk};
    if (b.divides) {
        b.cell = (begin / c.chunk + s) * c.ways;
        b.chunks = (end - 1) / c.chunk - begin / c.chunk + 1;
    }
    return b;
}

/* Returns the bucket of position x: the last one that begins there or before. */
DMM_INLINE ulong dmm_quick_find(global const ulong *offsets, ulong x, const dmm_quick_call c)
{
    ulong low = 0, high = c.buckets;
    while (high - low > 1) {
        const ulong middle = (low + high) / 2;
        if (offsets[c.offsets_at + middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A work-item's way through its chunk, x to end - 1: bucket s is that of x. */
typedef struct dmm_quick_walk {
    ulong x, end, s;
    dmm_quick_bucket bucket;
} dmm_quick_walk;

DMM_INLINE dmm_quick_walk dmm_quick_begin(global const ulong *offsets, const dmm_quick_call c)
{
    dmm_quick_walk w;
    w.x = get_global_id(0) * c.chunk;
    w.end = min(min(offsets[c.offsets_at + c.buckets], c.n), w.x + c.chunk);
    w.s = dmm_quick_find(offsets, w.x, c);
    w.bucket = dmm_quick_bucket_of(offsets, w.s, c);
    return w;
}

/* Goes to the bucket of x. */
DMM_INLINE void dmm_quick_follow(
    dmm_quick_walk *w, global const ulong *offsets, const dmm_quick_call c)
{
    while (w->x >= w->bucket.end && w->s + 1 < c.buckets)
        w->bucket = dmm_quick_bucket_of(offsets, ++w->s, c);
}

/* Returns how many pivots of bucket s are not after a key. */
DMM_INLINE ulong dmm_quick_way(
    global const dmm_key *pivots, ulong s, dmm_key key, const dmm_quick_call c)
{
    const dmm_code code = dmm_encode(key);
    ulong low = 0, high = c.ways - 1;
    while (low < high) {
        const ulong middle = (low + high) / 2;
        if (dmm_code_less(code, dmm_encode(pivots[c.pivots_at + s * c.ways + middle])))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Returns the cell of an item at x that goes to way j. */
DMM_INLINE ulong dmm_quick_cell(dmm_quick_bucket b, ulong x, ulong j, const dmm_quick_call c)
{
    return min(b.cell + j * b.chunks + x / c.chunk - b.begin / c.chunk, c.cells - 1);
}

/* Takes pivots from a bucket, and sorts them: a work-item a bucket. */
DMM_KERNEL(DMM_U)
void dmm_quick_pivots(global const dmm_key *in, global dmm_key *restrict pivots,
    global const ulong *offsets, const dmm_quick_call c)
{
    const ulong s = get_global_id(0);
    if (s >= c.buckets)
        return;
    const dmm_quick_bucket b = dmm_quick_bucket_of(offsets, s, c);
    global dmm_key *const own = pivots + c.pivots_at + s * c.ways;
    if (!b.divides)
        return;
    for (ulong i = 0; i + 1 < c.ways; i++) {
        const dmm_key key =
            in[c.in_at + b.begin + dmm_pivots_place(i, c.ways - 1, b.end - b.begin)];
        const dmm_code code = dmm_encode(key);
        ulong at = i;
        for (; at > 0 && dmm_code_less(code, dmm_encode(own[at - 1])); at--)
            own[at] = own[at - 1];
        own[at] = key;
    }
}

/* Counts the items of a chunk by cells, which were cleared. */
DMM_KERNEL(DMM_U)
void dmm_quick_count(global const dmm_key *in, global const dmm_key *pivots,
    global const ulong *offsets, global dmm_index *counts, const dmm_quick_call c)
{
    for (dmm_quick_walk w = dmm_quick_begin(offsets, c); w.x < w.end; w.x++) {
        dmm_quick_follow(&w, offsets, c);
        if (w.bucket.divides) {
            const ulong way = dmm_quick_way(pivots, w.s, in[c.in_at + w.x], c);
            counts[c.counts_at + dmm_quick_cell(w.bucket, w.x, way, c)]++;
        }
    }
}

/* Stores where the buckets begin that those of the level are divided into. */
DMM_KERNEL(DMM_U)
void dmm_quick_offsets(global const ulong *offsets, global const dmm_index *ranks,
    global ulong *restrict offsets_out, const dmm_quick_call c)
{
    const ulong x = get_global_id(0), s = x / c.ways, j = x % c.ways;
    if (x > c.buckets * c.ways)
        return;
    ulong at = offsets[c.offsets_at + min(s, c.buckets)];
    if (s < c.buckets) {
        const dmm_quick_bucket b = dmm_quick_bucket_of(offsets, s, c);
        if (b.divides)
            at += ranks[c.ranks_at + min(b.cell + j * b.chunks, c.cells)] -
                  ranks[c.ranks_at + min(b.cell, c.cells)];
        else if (j > 0)
            at = offsets[c.offsets_at + s + 1];
    }
    offsets_out[c.offsets_out_at + x] = at;
}

/* Moves the items of a chunk; those of buckets that are not divided stay at their positions. Counts
 * go down to zero. */
DMM_KERNEL(DMM_U)
void dmm_quick_move(global const dmm_key *in, global const uchar *values_in,
    global dmm_key *restrict out, global uchar *restrict values_out, global const dmm_key *pivots,
    global const ulong *offsets, global dmm_index *counts, global const dmm_index *ranks,
    const dmm_quick_call c)
{
    for (dmm_quick_walk w = dmm_quick_begin(offsets, c); w.x < w.end; w.x++) {
        const dmm_key key = in[c.in_at + w.x];
        ulong to = w.x;
        dmm_quick_follow(&w, offsets, c);
        if (w.bucket.divides) {
            const ulong way = dmm_quick_way(pivots, w.s, key, c);
            const ulong cell = dmm_quick_cell(w.bucket, w.x, way, c);
            to = min(w.bucket.begin + ranks[c.ranks_at + cell + 1] - counts[c.counts_at + cell] -
                         ranks[c.ranks_at + min(w.bucket.cell, c.cells)],
                c.n - 1);
            counts[c.counts_at + cell]--;
        }
        out[c.out_at + to] = key;
        for (ulong i = 0; i < c.value_bytes; i++)
            values_out[c.values_out_at + to * c.value_bytes + i] =
                values_in[c.values_in_at + w.x * c.value_bytes + i];
    }
}
