/* SPDX-License-Identifier: MIT */
/*
 * Searches of many queries in a sorted array, binary, or in a layout (search_tree.clh). A group
 * owns a range of the queries; a work-item searches E of them at a time, step by step: their probes
 * are independent loads.
 * Search     the rank lies in base .. base + length. A step probes the key in the middle and halves
 *            length, by one number for all queries: after floor(log2(n)) + 1 steps it is 0.
 * Top        the keys that steps 0 .. DMM_TOP_LEVELS - 1 can probe, in local memory by level:
 *            node j of level k is word 2^k - 1 + j. Bit i of j, counted from the top, says whether
 *            step i went up.
 * Cost       floor(log2(n)) + 1 probes a query, DMM_TOP_LEVELS of them in local memory
 * Claim      measured; without a top: no local memory
 * Source     D. Knuth, The Art of Computer Programming 3, section 6.2.1, Algorithm U
 * Differs    from Algorithm U: the sizes of steps are computed and not tabled.
 */
#include "cl/common.clh"
#include "cl/order.clh"
#include "cl/search/search.clh"
#include "cl/search/search_call.clh"
#include "cl/search/search_tree.clh"

#if DMM_TOP_LEVELS > 0 && DMM_TREE != DMM_TREE_SORTED
#error "DMM_TOP_LEVELS must be 0 in layouts"
#endif

#define DMM_TOP_NODES ((1u << DMM_TOP_LEVELS) - 1)

#if DMM_TOP_LEVELS
/* Loads the keys of the first levels of n keys; returns the number of levels. */
DMM_INLINE uint dmm_top_load(local dmm_code *top, global const dmm_key *keys, dmm_index n)
{
    for (uint node = (uint)get_local_id(0); node < DMM_TOP_NODES; node += DMM_U) {
        const uint level = 31 - clz(node + 1), j = node + 1 - (1u << level);
        dmm_index base = 0, length = n;
        for (uint k = 0; k < level; k++) {
            base += j >> (level - 1 - k) & 1 ? dmm_half(length) : 0;
            length /= 2;
        }
        if (length > 0)
            top[node] = dmm_encode(keys[base + dmm_half(length) - 1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* top stored | probed */
    uint levels = 0;
    for (dmm_index length = n; length > 0 && levels < DMM_TOP_LEVELS; length /= 2)
        levels++;
    return levels;
}
#endif

/* Computes the ranks of E queries. */
DMM_INLINE void dmm_search_ranks(global const dmm_key *keys, dmm_tree tree,
    local const dmm_code *top, uint levels, const dmm_code query[DMM_E], int upper,
    dmm_index base[DMM_E])
{
#if DMM_TREE != DMM_TREE_SORTED
    dmm_tree_ranks(keys, tree, query, upper, base);
#else
    dmm_index length = (dmm_index)tree.n;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        base[i] = 0;
#if DMM_TOP_LEVELS
    uint node[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        node[i] = 0;
    for (uint k = 0; k < levels; k++, length /= 2) {
        const dmm_index step = dmm_half(length);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            const uint behind = (uint)dmm_is_behind(query[i], top[node[i]], upper);
            base[i] += behind ? step : 0;
            node[i] = 2 * node[i] + 1 + behind;
        }
    }
#endif
    for (; length > 0; length /= 2) {
        const dmm_index step = dmm_half(length);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            const dmm_code key = dmm_encode(keys[base[i] + step - 1]);
            base[i] += dmm_is_behind(query[i], key, upper) ? step : 0;
        }
    }
#endif
}

/* Measured. */
DMM_KERNEL(DMM_U)
void dmm_search_queries(global const dmm_key *keys, global const dmm_key *queries,
    global dmm_rank *out, global dmm_rank *ends, global const ulong *count, const dmm_search_call c)
{
    const dmm_tree tree = dmm_tree_of(DMM_TREE, DMM_TREE_B, c.n);
    const ulong all = dmm_search_count(count, c);
    const ulong first = min((ulong)DMM_GROUP * c.range, all), end = min(first + c.range, all);
    local const dmm_code *top = 0;
    uint levels = 0;
    keys += c.keys_at;
    queries += c.queries_at;
    out += c.out_at;
#if DMM_TOP_LEVELS
    local dmm_code nodes[DMM_TOP_NODES];
    levels = dmm_top_load(nodes, keys, (dmm_index)c.n);
    top = nodes;
#endif
    for (ulong at = first; at < end; at += DMM_U * DMM_E) {
        dmm_code query[DMM_E];
        dmm_index rank[DMM_E];
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) /* past the last query: the last one again */
            query[i] = dmm_encode(queries[min(at + get_local_id(0) + i * DMM_U, end - 1)]);
        dmm_search_ranks(keys, tree, top, levels, query, DMM_FIND == DMM_FIND_UPPER, rank);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            const ulong x = at + get_local_id(0) + i * DMM_U;
            if (x < end)
                out[x] = dmm_search_answer(keys, tree, query[i], rank[i]);
        }
#if DMM_FIND == DMM_FIND_RANGE
        dmm_search_ranks(keys, tree, top, levels, query, 1, rank);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            const ulong x = at + get_local_id(0) + i * DMM_U;
            if (x < end)
                ends[c.ends_at + x] = (dmm_rank)rank[i];
        }
#endif
    }
}
