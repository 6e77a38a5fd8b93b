/* SPDX-License-Identifier: MIT */
/*
 * Searches of many queries by teams of DMM_TEAM work-items: a team searches E queries at a time in
 * a sorted array, by a (DMM_TEAM + 1)-ary search, or in a B-tree, node by node.
 * Search     the rank of a query is one of length + 1 numbers from `base` on. A step divides them
 *            into DMM_TEAM + 1 parts of at most `step`; lane l probes the last key of part l. The
 *            lanes whose key comes before the query are counted. length is the same for all queries
 * Count      by a ballot of cl/lanes.clh; without it through local memory: flags[l] of lane l, two
 *            copies by turns, in which all lanes of a team look for the first 0
 * Top        the keys that the first steps can probe, in local memory: DMM_TEAM (B-tree: B)
 *            consecutive words a node, level by level
 * Cost       log(n + 1) / log(DMM_TEAM + 1) steps and, without lanes, as many barriers; B-tree: a
 *            step probes consecutive keys
 * Claim      measured
 * Source     T. Kaldewey, J. Hagen, A. Di Blas, E. Sedlar, "Parallel Search on Video Cards",
 *            HotPar 2009 (p-ary search)
 */
#include "cl/common.clh"
#include "cl/order.clh"
#include "cl/search/search.clh"
#include "cl/search/search_call.clh"
#include "cl/search/search_exchange.clh"

/* DMM_TEAM: work-items that search a query together; a power of two. */
#if !defined(DMM_TEAM) || DMM_TEAM < 2 || DMM_TEAM > DMM_U || (DMM_TEAM & (DMM_TEAM - 1))
#error "DMM_TEAM must be a power of two from 2 to DMM_U"
#endif
#if DMM_TREE != DMM_TREE_SORTED && DMM_TREE != DMM_TREE_BTREE
#error "DMM_TREE must be sorted or a B-tree"
#endif
#if DMM_TREE == DMM_TREE_BTREE && DMM_TREE_B > DMM_TEAM && DMM_TOP_LEVELS > 0
#error "DMM_TOP_LEVELS must be 0 where a node takes several steps"
#endif

/* DMM_TOP_KEYS: keys of the levels in local memory. */
#if !defined(DMM_TOP_KEYS) || (DMM_TOP_KEYS == 0) != (DMM_TOP_LEVELS == 0)
#error "DMM_TOP_KEYS must be the number of keys of DMM_TOP_LEVELS levels"
#endif

#if defined(DMM_LANES_BY) && DMM_TEAM > DMM_LANES
#error "DMM_TEAM must be at most DMM_LANES"
#endif

#define DMM_NODE_KEYS (DMM_TREE == DMM_TREE_SORTED ? DMM_TEAM : DMM_TREE_B)
#define DMM_TEAMS     (DMM_U / DMM_TEAM)
#define DMM_MEMBER    (DMM_LOCAL % DMM_TEAM)

/* A group's local memory. */
typedef struct dmm_searchers {
    local const dmm_code *top;
    local uint *flags; /* 2 * DMM_E * DMM_U */
    uint turn;
} dmm_searchers;

/* Counts, for E queries, the members of the team with a flag. Members before one with a flag have
 * one, too. */
DMM_INLINE void dmm_team_count(const uint flag[DMM_E], uint count[DMM_E], dmm_searchers *s)
{
#ifdef DMM_LANES_BY
    const uint first = dmm_lane() / DMM_TEAM * DMM_TEAM;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const dmm_lanes alike = dmm_agreeing_lanes(flag[i], 1);
        const dmm_lanes with = flag[i] ? alike : ~alike;
        count[i] = (uint)popcount(with >> first & DMM_ALL_LANES >> (DMM_LANES - DMM_TEAM));
    }
    (void)s;
#else
    local uint *const flags = s->flags + s->turn * DMM_E * DMM_U;
    s->turn ^= 1;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        flags[i * DMM_U + DMM_LOCAL] = flag[i];
    barrier(CLK_LOCAL_MEM_FENCE); /* flags stored | read; the other copy: read | stored next */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        local const uint *const own = flags + i * DMM_U + DMM_LOCAL / DMM_TEAM * DMM_TEAM;
        uint before = 0;
        for (uint length = DMM_TEAM; length > 0; length /= 2) {
            const uint part = length - length / 2;
            before += own[before + part - 1] ? part : 0;
        }
        count[i] = before;
    }
#endif
}

/* Counts the keys before each of E queries among `length` sorted keys from key at[i] of n on. */
DMM_INLINE void dmm_team_search(global const dmm_key *keys, dmm_index n, const dmm_index at[DMM_E],
    const dmm_index all, dmm_index length, const dmm_code query[DMM_E], int upper,
    dmm_index base[DMM_E], dmm_searchers *s)
{
    while (length > 0) {
        const dmm_index step = length / (DMM_TEAM + 1) + 1, own = (DMM_MEMBER + 1) * step - 1;
        uint flag[DMM_E], count[DMM_E];
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            const dmm_index within = base[i] + own, place = at[i] + within;
            flag[i] = within < all && place < n &&
                      dmm_is_behind(query[i], dmm_encode(keys[place]), upper);
        }
        dmm_team_count(flag, count, s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            base[i] += count[i] * step;
        length = step - 1;
    }
}

#if DMM_TREE == DMM_TREE_SORTED

/* Returns the place of key `member` of a node, node < span, which is the last key of a part. span:
 * nodes of its level. The digits of its number to the base DMM_TEAM + 1 are the parts above. */
DMM_INLINE dmm_index dmm_top_place(dmm_index n, uint node, uint span, uint member)
{
    dmm_index place = 0, length = n;
    while (span > 1) {
        span /= DMM_TEAM + 1;
        place += node / span * (length / (DMM_TEAM + 1) + 1);
        length /= DMM_TEAM + 1;
        node %= span;
    }
    return place + (member + 1) * (length / (DMM_TEAM + 1) + 1) - 1;
}

/* Loads the first levels of the search. */
DMM_INLINE void dmm_top_load(local dmm_code *top, global const dmm_key *keys, dmm_tree tree)
{
    const dmm_index n = (dmm_index)tree.n;
    uint first = 0, span = 1;
    for (uint k = 0; k < DMM_TOP_LEVELS; k++) {
        const uint count = span * DMM_TEAM;
        for (uint x = DMM_LOCAL; x < count; x += DMM_U) {
            const dmm_index place = dmm_top_place(n, x / DMM_TEAM, span, x % DMM_TEAM);
            if (place < n)
                top[first + x] = dmm_encode(keys[place]);
        }
        first += count;
        span *= DMM_TEAM + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* top stored | probed */
}

/* Computes the ranks of E queries of the team. */
DMM_INLINE void dmm_team_ranks(global const dmm_key *keys, dmm_tree tree,
    const dmm_code query[DMM_E], int upper, dmm_index base[DMM_E], dmm_searchers *s)
{
    const dmm_index n = (dmm_index)tree.n;
    dmm_index length = n, at[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        base[i] = at[i] = 0;
#if DMM_TOP_LEVELS
    uint node[DMM_E], flag[DMM_E], count[DMM_E], first = 0, span = 1;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        node[i] = 0;
    for (uint k = 0; k < DMM_TOP_LEVELS && length > 0; k++) {
        const dmm_index step = length / (DMM_TEAM + 1) + 1, own = (DMM_MEMBER + 1) * step - 1;
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            flag[i] =
                base[i] + own < n &&
                dmm_is_behind(query[i], s->top[first + node[i] * DMM_TEAM + DMM_MEMBER], upper);
        dmm_team_count(flag, count, s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            base[i] += count[i] * step;
            node[i] = node[i] * (DMM_TEAM + 1) + count[i];
        }
        first += span * DMM_TEAM;
        span *= DMM_TEAM + 1;
        length = step - 1;
    }
#endif
    dmm_team_search(keys, n, at, n, length, query, upper, base, s);
}

#else

/* Returns the keys of the first levels of a B-tree that are in local memory. */
DMM_INLINE dmm_index dmm_top_keys(dmm_tree tree)
{
    dmm_index first = 0;
    for (uint k = 0; k < DMM_TOP_LEVELS && first < tree.full; k++)
        first += (first + 1) * DMM_NODE_KEYS;
    return first;
}

/* Loads the first levels of a B-tree. */
DMM_INLINE void dmm_top_load(local dmm_code *top, global const dmm_key *keys, dmm_tree tree)
{
    const uint count = (uint)dmm_top_keys(tree);
    for (uint x = DMM_LOCAL; x < count; x += DMM_U)
        top[x] = dmm_encode(keys[x]);
    barrier(CLK_LOCAL_MEM_FENCE); /* top stored | probed */
}

/* Computes the ranks of E queries of the team. */
DMM_INLINE void dmm_team_ranks(global const dmm_key *keys, dmm_tree tree,
    const dmm_code query[DMM_E], int upper, dmm_index j[DMM_E], dmm_searchers *s)
{
    const dmm_index n = (dmm_index)tree.n, full = (dmm_index)tree.full, leaves = n - full;
    dmm_index first = 0, at[DMM_E], before[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        j[i] = 0;
#if DMM_TOP_LEVELS
    for (const dmm_index end = dmm_top_keys(tree); first < end;
         first += (first + 1) * DMM_NODE_KEYS) {
        uint flag[DMM_E], count[DMM_E];
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            flag[i] = DMM_MEMBER < DMM_NODE_KEYS &&
                      dmm_is_behind(query[i],
                          s->top[first + j[i] * DMM_NODE_KEYS + DMM_MEMBER % DMM_NODE_KEYS], upper);
        dmm_team_count(flag, count, s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            j[i] = j[i] * (DMM_NODE_KEYS + 1) + count[i];
    }
#endif
    for (; first < full; first += (first + 1) * DMM_NODE_KEYS) {
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) {
            at[i] = first + j[i] * DMM_NODE_KEYS;
            before[i] = 0;
        }
        dmm_team_search(keys, n, at, DMM_NODE_KEYS, DMM_NODE_KEYS, query, upper, before, s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            j[i] = j[i] * (DMM_NODE_KEYS + 1) + before[i];
    }
    /* j keys of the levels above come before the query, and all leaves before the j-th */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const dmm_index begin = (dmm_index)min((ulong)j[i] * DMM_NODE_KEYS, (ulong)leaves);
        at[i] = full + begin;
        j[i] += begin;
        before[i] = 0;
    }
    dmm_team_search(
        keys, n, at, DMM_NODE_KEYS, leaves > 0 ? DMM_NODE_KEYS : 0, query, upper, before, s);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        j[i] += before[i];
}

#endif

/* Measured. */
DMM_KERNEL_LANES(DMM_U)
void dmm_search_teams(global const dmm_key *keys, global const dmm_key *queries,
    global dmm_rank *out, global dmm_rank *ends, global const ulong *count, const dmm_search_call c)
{
    const dmm_tree tree = dmm_tree_of(DMM_TREE, DMM_TREE_B, c.n);
    const ulong all = dmm_search_count(count, c);
    const ulong begin = min((ulong)DMM_GROUP * c.range, all), end = min(begin + c.range, all);
    const uint team = DMM_LOCAL / DMM_TEAM * DMM_E;
    dmm_searchers s = {0, 0, 0};
    keys += c.keys_at;
    queries += c.queries_at;
    out += c.out_at;
#ifndef DMM_LANES_BY
    local uint flags[2 * DMM_E * DMM_U];
    s.flags = flags;
#endif
#if DMM_TOP_LEVELS
    local dmm_code nodes[DMM_TOP_KEYS];
    dmm_top_load(nodes, keys, tree);
    s.top = nodes;
#endif
    for (ulong at = begin; at < end; at += DMM_TEAMS * DMM_E) {
        dmm_code query[DMM_E];
        dmm_index rank[DMM_E];
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++) /* past the last query: the last one again */
            query[i] = dmm_encode(queries[min(at + team + i, end - 1)]);
        dmm_team_ranks(keys, tree, query, DMM_FIND == DMM_FIND_UPPER, rank, &s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            if (DMM_MEMBER == i % DMM_TEAM && at + team + i < end)
                out[at + team + i] = dmm_search_answer(keys, tree, query[i], rank[i]);
#if DMM_FIND == DMM_FIND_RANGE
        dmm_team_ranks(keys, tree, query, 1, rank, &s);
        DMM_UNROLL
        for (uint i = 0; i < DMM_E; i++)
            if (DMM_MEMBER == i % DMM_TEAM && at + team + i < end)
                ends[c.ends_at + at + team + i] = (dmm_rank)rank[i];
#endif
    }
}
