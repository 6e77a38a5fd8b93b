/* SPDX-License-Identifier: MIT */
/*
 * Ranks of sorted queries by merging them with the keys: the rank of a query is the number of keys
 * that come before it in the merged list. A group merges its queries with the keys from the rank of
 * its first query to that of its last one, tile by tile.
 * Fallback   a group whose queries are not sorted, or lie between too many keys, searches for each
 *            of them: every query has its result, and no group reads many keys
 * Tile       DMM_TILE items of the merged list: na keys, then nb queries, in local memory. Each
 *            work-item merges E of them, from a split of its own on, and puts a query's rank among
 *            the tile's keys beside it:
 *                codes [ na keys | nb queries ]   ranks [ nb ]
 *            In the CPU form a work-item merges its range in global memory
 * Positions  of 8 bytes (DMM_INDEX_BYTES): keys and queries are counted together
 * Ties       a query comes before the keys that equal it, for upper bounds behind them
 * Cost       reads each key at most once and each query twice; 2*log2(n) probes a range and
 *            log2(DMM_TILE) a tile
 * Claim      measured; in the CPU form no local memory
 * Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", ICS 2012, DOI 10.1145/2304576.2304621
 */
#include "cl/common.clh"
#include "cl/group.clh"
#include "cl/order.clh"
#include "cl/search/search.clh"
#include "cl/search/search_call.clh"
#include "cl/sort/merge_search.clh"

#if DMM_TREE != DMM_TREE_SORTED
#error "DMM_TREE must be sorted"
#endif
/* Keys a query, at most, of a merge. More of them take longer than log2(n) probes. */
#define DMM_MERGE_KEYS 32

/* The lists, from a position on. */
typedef struct dmm_lists {
    global const dmm_key *keys, *queries;
    ulong n, m;
} dmm_lists;

/* Returns how many of the first `diagonal` items of the merged list are keys. */
DMM_INLINE ulong dmm_keys_before(dmm_lists l, ulong diagonal, int upper)
{
    return upper ? dmm_merge_search(l.keys, l.n, l.queries, l.m, diagonal)
                 : diagonal - dmm_merge_search(l.queries, l.m, l.keys, l.n, diagonal);
}

/* Returns the lists without the first `a` keys and `b` queries. */
DMM_INLINE dmm_lists dmm_lists_behind(dmm_lists l, ulong a, ulong b)
{
    l.keys += a;
    l.queries += b;
    l.n -= a;
    l.m -= b;
    return l;
}

/* Returns the number of keys before a query. */
DMM_INLINE ulong dmm_rank_in(global const dmm_key *keys, ulong n, dmm_code query, int upper)
{
    ulong lo = 0, hi = n;
    while (lo < hi) {
        const ulong mid = lo + (hi - lo) / 2;
        if (dmm_is_behind(query, dmm_encode(keys[mid]), upper))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* True if a work-item finds two queries of first .. last - 1 out of order. */
DMM_INLINE int dmm_sees_disorder(dmm_lists l, ulong first, ulong last)
{
    int seen = 0;
    for (ulong i = first + 1 + DMM_LOCAL; i < last; i += DMM_U)
        seen |= dmm_code_less(dmm_encode(l.queries[i]), dmm_encode(l.queries[i - 1]));
    return seen;
}

/* Searches for queries first .. last - 1 one by one. */
DMM_INLINE void dmm_search_each(
    dmm_lists l, ulong first, ulong last, int upper, global dmm_rank *out)
{
    const dmm_tree tree = dmm_tree_of(DMM_TREE_SORTED, 1, l.n);
    for (ulong i = first + DMM_LOCAL; i < last; i += DMM_U) {
        const dmm_code query = dmm_encode(l.queries[i]);
        out[i] = dmm_search_answer(l.keys, tree, query, dmm_rank_in(l.keys, l.n, query, upper));
    }
}

#if DMM_U == 1

#define DMM_MERGE_LOCAL
#define DMM_MERGE_PASS

/* Merges all queries from b on, with the keys from a on. */
DMM_INLINE void dmm_merge_range(
    dmm_lists l, ulong a, ulong b, ulong items, int upper, global dmm_rank *out)
{
    while (b < l.m) {
        const dmm_code query = dmm_encode(l.queries[b]);
        const dmm_code key = a < l.n ? dmm_encode(l.keys[a]) : query;
        const int behind = a < l.n && dmm_is_behind(query, key, upper);
#if DMM_FIND == DMM_FIND_CONTAINS
        out[b] = a < l.n && !behind && !dmm_code_less(query, key);
#else
        out[b] = (dmm_rank)a; /* stays when the query has passed */
#endif
        a += (ulong)behind;
        b += (ulong)!behind;
    }
}

#else

/* Parameters of the tile, and their arguments. */
#define DMM_MERGE_LOCAL , local dmm_code *codes, local uint *ranks
#define DMM_MERGE_PASS  , codes, ranks

/* Returns how many of the first `diagonal` items of a merged tile are keys. */
DMM_INLINE uint dmm_tile_split(
    local const dmm_code *codes, uint na, uint nb, uint diagonal, int upper)
{
    uint lo = DMM_MINUS(diagonal, nb), hi = min(diagonal, na);
    while (lo < hi) {
        const uint mid = lo + (hi - lo) / 2;
        if (dmm_is_behind(codes[na + diagonal - 1 - mid], codes[mid], upper))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Writes the ranks of the queries of a tile among its keys. */
DMM_INLINE void dmm_tile_merge(
    local const dmm_code *codes, local uint *ranks, uint na, uint nb, int upper)
{
    const uint first = min(DMM_LOCAL * DMM_E, na + nb), end = min(first + DMM_E, na + nb);
    uint a = dmm_tile_split(codes, na, nb, first, upper), b = first - a;
    for (uint x = first; x < end; x++) {
        const int key = b == nb || (a < na && dmm_is_behind(codes[na + b], codes[a], upper));
        if (key)
            a++;
        else
            ranks[b++] = a;
    }
}

/* Merges `items` items from key a and query b on. All work-items find the same splits. */
DMM_INLINE void dmm_merge_range(
    dmm_lists l, ulong a, ulong b, ulong items, int upper, global dmm_rank *out DMM_MERGE_LOCAL)
{
    const dmm_tree tree = dmm_tree_of(DMM_TREE_SORTED, 1, l.n);
    for (; items > 0; items -= min(items, (ulong)DMM_TILE)) {
        const uint tile = (uint)min(items, (ulong)DMM_TILE);
        const uint na = (uint)dmm_keys_before(dmm_lists_behind(l, a, b), tile, upper);
        const uint nb = tile - na;
        for (uint x = DMM_LOCAL; x < tile; x += DMM_U)
            codes[x] = dmm_encode(x < na ? l.keys[a + x] : l.queries[b + (x - na)]);
        barrier(CLK_LOCAL_MEM_FENCE); /* codes stored | merged */
        dmm_tile_merge(codes, ranks, na, nb, upper);
        barrier(CLK_LOCAL_MEM_FENCE); /* ranks stored | read; codes merged | stored next */
        for (uint x = DMM_LOCAL; x < nb; x += DMM_U)
            out[b + x] = dmm_search_answer(l.keys, tree, codes[na + x], a + min(ranks[x], na));
        barrier(CLK_LOCAL_MEM_FENCE); /* codes and ranks read | stored by the next tile */
        a += na;
        b += nb;
    }
}

#endif

/* Finds the results of queries first .. last - 1, a group's; sorted: they are. */
DMM_INLINE void dmm_merge_queries(dmm_lists l, ulong first, ulong last, int sorted, int upper,
    global dmm_rank *out DMM_MERGE_LOCAL)
{
    l.m = last;
    const ulong a = dmm_rank_in(l.keys, l.n, dmm_encode(l.queries[first]), upper);
    const ulong end = dmm_rank_in(l.keys, l.n, dmm_encode(l.queries[last - 1]), upper);
    if (sorted && a <= end && end - a <= DMM_MERGE_KEYS * (last - first))
        dmm_merge_range(l, a, first, end - a + (last - first), upper, out DMM_MERGE_PASS);
    else
        dmm_search_each(l, first, last, upper, out);
}

/* Measured. */
DMM_KERNEL(DMM_U)
void dmm_search_merge(global const dmm_key *keys, global const dmm_key *queries,
    global dmm_rank *out, global dmm_rank *ends, global const ulong *count, const dmm_search_call c)
{
    const dmm_lists l = {keys + c.keys_at, queries + c.queries_at, c.n, dmm_search_count(count, c)};
    const ulong first = min(DMM_GROUP * c.range, l.m), last = min(first + c.range, l.m);
    int sorted = !dmm_sees_disorder(l, first, last);
#if DMM_U > 1
    local dmm_code codes[DMM_TILE];
    local uint ranks[DMM_TILE];
    DMM_GROUP_FOLD(ranks, DMM_LOCAL, sorted, min);
#endif
    if (first < last) {
        dmm_merge_queries(
            l, first, last, sorted, DMM_FIND == DMM_FIND_UPPER, out + c.out_at DMM_MERGE_PASS);
#if DMM_FIND == DMM_FIND_RANGE
        dmm_merge_queries(l, first, last, sorted, 1, ends + c.ends_at DMM_MERGE_PASS);
#endif
    }
}
