/* SPDX-License-Identifier: MIT */
/*
 * Merge passes over global memory: pairs of sorted lists become one list each.
 * Positions  a pass sees n items in pairs of `span` items from position 0: A the first `run` of a
 *            pair, B the rest. Item x of A lies at a[x], item x of B at b[x]: a sort pass gives one
 *            buffer twice, a merge of two spans shifts b by na. A tile is T consecutive positions
 *            of the output.
 * dmm_merge_partition: the split of each tile's first diagonal, one work-item a tile.
 * Cost       log2(run) probes of global memory a tile
 * Claim      conflict-free: no local memory
 * Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", ICS 2012, DOI 10.1145/2304576.2304621
 */

/* DMM_PARTITION_U: work-items a group of dmm_merge_partition. */
#if !defined(DMM_PARTITION_U) || DMM_PARTITION_U < 1
#error "DMM_PARTITION_U must be at least 1"
#endif

/* The pair that position x lies in; behind all items, an empty one. */
typedef struct dmm_pair {
    dmm_index first; /* where A begins */
    dmm_index na, nb;
} dmm_pair;

DMM_INLINE dmm_pair dmm_pair_of(dmm_index x, dmm_index n, dmm_index run, dmm_index span)
{
    dmm_pair pair;
    pair.first = x / span * span;
    const dmm_index left = DMM_MINUS(n, pair.first);
    pair.na = min(run, left);
    pair.nb = min(span, left) - pair.na;
    return pair;
}

/* How many of the first `diagonal` merged items are of A: of a[0..na) and b[0..nb). */
DMM_INLINE dmm_index dmm_merge_search(global const dmm_key *a, dmm_index na,
    global const dmm_key *b, dmm_index nb, dmm_index diagonal)
{
    dmm_index lo = DMM_MINUS(diagonal, nb), hi = min(diagonal, na);
    while (lo < hi) {
        const dmm_index mid = lo + (hi - lo) / 2;
        if (dmm_code_less(dmm_encode(b[diagonal - 1 - mid]), dmm_encode(a[mid])))
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

#if !DMM_SEGMENTED

DMM_KERNEL(DMM_PARTITION_U)
void dmm_merge_partition(global const dmm_key *a_keys, ulong a_keys_at,
    global const dmm_key *b_keys, ulong b_keys_at, global dmm_index *splits, ulong splits_at,
    dmm_index n, dmm_index run, dmm_index span, dmm_index first_tile, dmm_index tiles,
    DMM_COUNT_PARAMETERS)
{
    const dmm_index q = (dmm_index)get_global_id(0);
    if (q >= tiles)
        return;
    const dmm_index x = (first_tile + q) * DMM_TILE;
    const dmm_index end = dmm_counted_end(count_in, count_in_at, first_tile * DMM_TILE, n);
    const dmm_pair pair = dmm_pair_of(x, end, run, span);
    splits[splits_at + q] = dmm_merge_search(a_keys + a_keys_at + pair.first, pair.na,
        b_keys + b_keys_at + pair.first + pair.na, pair.nb, x - pair.first);
}

#endif

/* What a tile merges: positions of its parts of A and B, and how many items of each. */
typedef struct dmm_parts {
    dmm_index first; /* position of the tile's first output */
    dmm_index a, b;
    uint na, nb;
} dmm_parts;

/* Holds for any splits that dmm_merge_partition can write, even for a wrong order: no part leaves
 * its list. */
DMM_INLINE dmm_parts dmm_parts_of(dmm_index tile, global const dmm_index *splits, dmm_index n,
    dmm_index run, dmm_index span, dmm_index first_tile)
{
    dmm_parts parts;
    parts.first = tile * DMM_TILE;
    const dmm_pair pair = dmm_pair_of(parts.first, n, run, span);
    const dmm_index diagonal = parts.first - pair.first;
    const dmm_index left = DMM_MINUS(pair.na + pair.nb, diagonal);
    const uint count = (uint)min((dmm_index)DMM_TILE, left);
    const dmm_index split = splits[tile - first_tile];
    const dmm_index next = count == left ? pair.na : splits[tile - first_tile + 1];
    parts.a = pair.first + split;
    parts.b = pair.first + pair.na + diagonal - split;
    parts.na = (uint)min(DMM_MINUS(next, split), (dmm_index)count);
    parts.nb = count - parts.na;
    return parts;
}
