/* SPDX-License-Identifier: MIT */
/*
 * A merge sort as textbooks have it, for the bank meter: tiles of T = U*E keys in local memory at
 * plain addresses, list A first and B behind it; split points by binary search on the merge path;
 * each work-item then merges its E keys one by one from where they lie.
 * Source: O. Green, R. McColl, D. Bader, "GPU Merge Path", ICS 2012, DOI 10.1145/2304576.2304621.
 */
#define T (U * E)

/* How many of the first k merged keys are A's, of lists of na and nb keys, na + nb >= k. */
#define MERGE_PATH_SEARCH(name, space)                                                   \
    static uint name(space const uint *a, uint na, space const uint *b, uint nb, uint k) \
    {                                                                                    \
        uint lo = max(k, nb) - nb, hi = min(k, na);                                      \
        while (lo < hi) {                                                                \
            const uint mid = (lo + hi) / 2;                                              \
            const uint x = a[mid];                                                       \
            if (x <= b[k - 1 - mid])                                                     \
                lo = mid + 1;                                                            \
            else                                                                         \
                hi = mid;                                                                \
        }                                                                                \
        return lo;                                                                       \
    }
MERGE_PATH_SEARCH(split_local, local)
MERGE_PATH_SEARCH(split_global, global)

/* Merges E keys of the lists at a and b in `tile`, up to a_end and b_end, into registers. */
static void merge_keys(local const uint *tile, uint a, uint a_end, uint b, uint b_end, uint r[E])
{
    uint x = tile[min(a, T - 1u)], y = tile[min(b, T - 1u)];
    for (uint j = 0; j < E; j++) {
        const bool takes_a = b >= b_end || (a < a_end && x <= y);
        r[j] = takes_a ? x : y;
        a += takes_a;
        b += !takes_a;
        const uint next = tile[min(takes_a ? a : b, T - 1u)]; /* the gather */
        x = takes_a ? next : x;
        y = takes_a ? y : next;
    }
}

static void sort_keys(uint r[E])
{
    for (uint i = 1; i < E; i++)
        for (uint j = i; j > 0; j--) {
            const uint x = r[j - 1], y = r[j];
            r[j - 1] = min(x, y);
            r[j] = max(x, y);
        }
}

static void store_keys(local uint *tile, uint t, const uint r[E])
{
    barrier(CLK_LOCAL_MEM_FENCE); /* tile read | overwritten */
    for (uint j = 0; j < E; j++)
        tile[t * E + j] = r[j]; /* the store */
    barrier(CLK_LOCAL_MEM_FENCE); /* tile stored | read */
}

static void drain(local const uint *tile, global uint *out, uint t)
{
    for (uint i = 0; i < E; i++)
        out[t + i * U] = tile[t + i * U];
}

kernel __attribute__((reqd_work_group_size(U, 1, 1)))
void textbook_sort_tile(global const uint *in, global uint *out)
{
    local uint tile[T];
    const uint t = get_local_id(0), first = get_group_id(0) * T;
    uint r[E];
    for (uint i = 0; i < E; i++)
        tile[t + i * U] = in[first + t + i * U];
    barrier(CLK_LOCAL_MEM_FENCE); /* tile loaded | read in blocks */
    for (uint j = 0; j < E; j++)
        r[j] = tile[t * E + j];
    sort_keys(r);
    for (uint lists = 1; lists < U; lists *= 2) {
        const uint length = lists * E, a = t / (2 * lists) * 2 * length, b = a + length;
        const uint k = t * E - a;
        store_keys(tile, t, r);
        const uint from_a = split_local(tile + a, length, tile + b, length, k);
        merge_keys(tile, a + from_a, b, b + k - from_a, b + length, r);
    }
    store_keys(tile, t, r);
    drain(tile, out + first, t);
}

/* Merges pairs of lists of `run` keys, one tile of the output a group. */
kernel __attribute__((reqd_work_group_size(U, 1, 1)))
void textbook_merge_tile(global const uint *in, global uint *out, uint run)
{
    local uint tile[T];
    const uint t = get_local_id(0), first = get_group_id(0) * T, pair = first / (2 * run) * 2 * run;
    global const uint *a = in + pair, *b = a + run;
    const uint k = first - pair;
    const uint from = split_global(a, run, b, run, k), to = split_global(a, run, b, run, k + T);
    const uint na = to - from;
    uint r[E];
    for (uint i = 0; i < E; i++) {
        const uint x = t + i * U;
        tile[x] = x < na ? a[from + x] : b[k - from + x - na];
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* parts loaded | searched and merged */
    const uint split = split_local(tile, na, tile + na, T - na, t * E);
    merge_keys(tile, split, na, na + t * E - split, T, r);
    store_keys(tile, t, r);
    drain(tile, out + first, t);
}
