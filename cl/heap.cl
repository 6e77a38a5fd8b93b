/* SPDX-License-Identifier: MIT */
/*
 * The steps of a call on a bucket heap, between which the host enqueues sorts and scans:
 * begin (one work-item) checks the call and says which entries are resolved, none if a driver has
 * lost it; gather lists them and
 * writes extracted items out; sort by key, stable, so oldest first; combine applies the signals of
 * a key; scan, compact: candidates for the buckets; sort by priority; place fills the buckets;
 * scan, emit: what remains becomes signals of the next level, and the levels' numbers change.
 * Bounds     no number that an earlier launch was to write leads out of the heap or temp.
 * Cost       each kernel reads and writes an entry once; gather and place in random order
 * Claim      no local memory
 * Source     as include/dmm/heap.h
 */
#include "cl/heap.clh"

DMM_INLINE void dmm_heap_clear(global dmm_heap_levels *levels)
{
    for (uint i = 0; i < DMM_HEAP_MOST_LEVELS; i++) {
        levels->bucket[i] = 0;
        levels->signals[i] = 0;
        levels->is_open[i] = 1;
        levels->limit[i] = 0;
    }
}

/* Lists the parts of the entries: those of levels deepest .. 0, and `input` items of the call. */
DMM_INLINE void dmm_heap_parts(const dmm_heap_view v, const dmm_heap_call c, ulong input)
{
    ulong at = 0;
    uint part = 0;
    for (uint i = (uint)c.deepest + 1; i-- > 0;) {
        v.work->first[part++] = at;
        at +=
            v.levels->bucket[i] - (i == 0 && c.ask.op == DMM_HEAP_DOES_EXTRACT ? v.work->take : 0);
        v.work->first[part++] = at;
        at += i == 0 ? input : v.levels->signals[i];
    }
    v.work->first[part] = at;
    v.work->items = at;
    v.work->passed = c.deepest + 1 < c.levels ? v.levels->signals[c.deepest + 1] : 0;
    v.work->below = 0;
    for (uint i = (uint)c.deepest + 1; i < c.levels; i++)
        v.work->below |= v.levels->bucket[i] + v.levels->signals[i] != 0;
}

DMM_KERNEL(1)
void dmm_heap_begin(global uchar *heap, global uchar *temp, global ulong *count,
    global ulong *report, global const ulong *given, const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong n = dmm_heap_given(given, c.ask);
    const int takes = c.ask.op == DMM_HEAP_DOES_EXTRACT || c.ask.op == DMM_HEAP_DOES_PEEK;
    const int gives = c.ask.op == DMM_HEAP_DOES_UPDATE || c.ask.op == DMM_HEAP_DOES_DELETE;
    const ulong status = dmm_heap_check(&v.levels->head, c.ask, n, report);
    const int stops = status != 0 && status != c.ask.too_large;
    if (c.ask.op == DMM_HEAP_DOES_CLEAR)
        dmm_heap_clear(v.levels);
    v.work->runs = (ulong)!stops;
    v.work->items = 0;
    v.work->candidates = 0;
    v.work->take = takes && !stops ? min(n, v.levels->bucket[0]) : 0;
    if (count != 0)
        count[c.ask.count_at] = v.work->take;
    if (stops || c.ask.op == DMM_HEAP_DOES_CLEAR || c.ask.op == DMM_HEAP_DOES_PEEK)
        return;
    dmm_heap_parts(v, c, gives && status == 0 ? n : 0);
    if (c.ask.op == DMM_HEAP_DOES_UPDATE && status == 0)
        v.levels->head.held += n;
    if (c.ask.op == DMM_HEAP_DOES_EXTRACT)
        v.levels->head.held -= v.work->take;
    if (c.ask.op != DMM_HEAP_DOES_SIZE)
        v.levels->head.turn++;
}

/* Copies entry y of level i's bucket or buffer to place x. */
DMM_INLINE void dmm_heap_copy(
    const dmm_heap_view v, const dmm_heap_call c, uint i, int is_signal, ulong y, dmm_index x)
{
    if (is_signal) {
        const ulong from = DMM_HEAP_SIGNALS(c.ask.bulk, i) + y;
        v.keys[x] = v.signal_keys[from];
        v.priorities[x] = v.signal_priorities[from];
        v.kinds[x] = v.signal_kinds[from];
    } else {
        const ulong from = DMM_HEAP_BUCKETS(c.ask.bulk, i) + y +
                           (i == 0 && c.ask.op == DMM_HEAP_DOES_EXTRACT ? v.work->take : 0);
        v.keys[x] = v.bucket_keys[from];
        v.priorities[x] = v.bucket_priorities[from];
        v.kinds[x] = DMM_HEAP_VALUE;
    }
}

DMM_KERNEL(DMM_U)
void dmm_heap_gather(global uchar *heap, global uchar *temp, global const dmm_id *keys_in,
    global const dmm_key *priorities_in, global dmm_id *keys_out, global dmm_key *priorities_out,
    const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong items = dmm_heap_items(v, c), take = min(v.work->take, c.ask.n);
    const int deletes = c.ask.op == DMM_HEAP_DOES_DELETE;
    DMM_HEAP_EACH(x, max(items, take), c.groups)
    {
        if (x < take) {
            keys_out[c.ask.keys_out_at + x] = v.bucket_keys[x];
            priorities_out[c.ask.priorities_out_at + x] = v.bucket_priorities[x];
        }
        if (x < items) {
            uint part = 0;
            while (part < 2 * c.deepest + 1 && x >= v.work->first[part + 1])
                part++;
            const ulong y = x - v.work->first[part];
            const uint i = (uint)c.deepest - part / 2;
            if (part != 2 * c.deepest + 1) {
                dmm_heap_copy(v, c, i, part % 2 != 0, y, x);
            } else {
                v.keys[x] = keys_in[c.ask.keys_in_at + y];
                v.priorities[x] = deletes ? 0 : priorities_in[c.ask.priorities_in_at + y];
                v.kinds[x] = deletes ? DMM_HEAP_DROP : DMM_HEAP_LOWER;
            }
        }
    }
}

/* Entries of a key, oldest first, as one. */
typedef struct dmm_heap_sum {
    uint kind;  /* without distinction of VALUE and RESET: RESET */
    int voids;  /* a DROP must go deeper than the resolved levels */
    int covers; /* a VALUE was there: entries that follow need no DROP below */
    dmm_key priority;
} dmm_heap_sum;

DMM_INLINE void dmm_heap_apply(dmm_heap_sum *sum, uint kind, dmm_key priority)
{
    if (kind == DMM_HEAP_VALUE)
        sum->covers = 1;
    else
        sum->voids |= !sum->covers;
    if (kind != DMM_HEAP_LOWER) {
        sum->kind = kind == DMM_HEAP_DROP ? DMM_HEAP_DROP : DMM_HEAP_RESET;
        sum->priority = priority;
    } else if (sum->kind == DMM_HEAP_NONE || sum->kind == DMM_HEAP_DROP) {
        sum->kind = sum->kind == DMM_HEAP_NONE ? DMM_HEAP_LOWER : DMM_HEAP_RESET;
        sum->priority = priority;
    } else if (dmm_code_less(dmm_encode(priority), dmm_encode(sum->priority))) {
        sum->priority = priority;
    }
}

/* flags[x] = 1 for the first entry of a key that may go into a bucket. */
DMM_KERNEL(DMM_U)
void dmm_heap_combine(global uchar *heap, global uchar *temp, const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong items = dmm_heap_items(v, c);
    const int is_open = v.levels->is_open[c.deepest] != 0;
    const dmm_code limit = dmm_encode((dmm_key)v.levels->limit[c.deepest]);
    DMM_HEAP_EACH(x, items, c.groups)
    {
        dmm_heap_sum sum = {DMM_HEAP_NONE, 0, 0, 0};
        const dmm_id key = v.keys[x];
        if (x == 0 || v.keys[x - 1] != key)
            for (dmm_index y = x; y < items && v.keys[y] == key; y++) {
                const uint entry = dmm_heap_entry(c, v.order[y]);
                dmm_heap_apply(&sum, v.kinds[entry], v.priorities[entry]);
            }
        if (sum.kind == DMM_HEAP_RESET && !sum.voids)
            sum.kind = DMM_HEAP_VALUE;
        else if (sum.kind == DMM_HEAP_DROP && !sum.voids)
            sum.kind = DMM_HEAP_NONE;
        v.merged[x] = sum.priority;
        v.merged_kinds[x] = (uchar)sum.kind;
        v.flags[x] = sum.kind != DMM_HEAP_NONE && sum.kind != DMM_HEAP_DROP &&
                     (is_open || !dmm_code_less(limit, dmm_encode(sum.priority)));
    }
}

/* Lists the candidates. flags[x] = 1 for entries that go to the next level. */
DMM_KERNEL(DMM_U)
void dmm_heap_compact(global uchar *heap, global uchar *temp, const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong items = dmm_heap_items(v, c);
    DMM_HEAP_EACH(x, items, c.groups)
    {
        const uint rank = min(v.ranks[x], (uint)x), kind = v.merged_kinds[x];
        if (x + 1 == items)
            v.work->candidates = rank + v.flags[x];
        if (v.flags[x]) {
            v.priorities[rank] = v.merged[x];
            v.order[rank] = x;
        } else {
            v.flags[x] = kind == DMM_HEAP_DROP ? (uint)v.work->below : kind != DMM_HEAP_NONE;
        }
    }
}

/* Fills the buckets with the least candidates, which leave a DROP for older entries below. */
DMM_KERNEL(DMM_U)
void dmm_heap_place(global uchar *heap, global uchar *temp, const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong space = DMM_HEAP_BUCKETS(c.ask.bulk, c.deepest + 1);
    DMM_HEAP_EACH(r, min(v.work->candidates, c.entries), c.groups)
    {
        const uint x = dmm_heap_entry(c, v.order[dmm_heap_entry(c, v.places[r])]);
        v.flags[x] = 1;
        if (r < space) {
            v.bucket_keys[r] = v.keys[x];
            v.bucket_priorities[r] = v.priorities[r];
            v.flags[x] = v.merged_kinds[x] != DMM_HEAP_VALUE && v.work->below;
            v.merged_kinds[x] = DMM_HEAP_DROP;
        }
    }
}

/* Stores the numbers of the levels after the call, and the size. */
DMM_INLINE void dmm_heap_end(
    const dmm_heap_view v, const dmm_heap_call c, ulong emitted, global ulong *count)
{
    const uint deepest = (uint)c.deepest;
    const ulong space = DMM_HEAP_BUCKETS(c.ask.bulk, deepest + 1);
    const ulong live = min(v.work->candidates, space);
    if (v.work->candidates > space) {
        v.levels->is_open[deepest] = 0;
        v.levels->limit[deepest] = v.priorities[space - 1];
    }
    for (uint i = 0; i <= deepest; i++) {
        const ulong first = DMM_HEAP_BUCKETS(c.ask.bulk, i),
                    end = DMM_HEAP_BUCKETS(c.ask.bulk, i + 1);
        v.levels->bucket[i] = min(live, end) - min(live, first);
        v.levels->signals[i] = 0;
        if (i < deepest) {
            const int is_full = live > end;
            v.levels->is_open[i] = is_full ? 0 : v.levels->is_open[deepest];
            v.levels->limit[i] = is_full ? v.priorities[end - 1] : v.levels->limit[deepest];
        }
    }
    if (deepest + 1 < c.levels)
        v.levels->signals[deepest + 1] = min(v.work->passed + emitted, dmm_heap_space(c));
    else
        v.levels->head.held = live;
    if (c.ask.op == DMM_HEAP_DOES_SIZE)
        count[c.ask.count_at] = live;
}

DMM_KERNEL(DMM_U)
void dmm_heap_emit(
    global uchar *heap, global uchar *temp, global ulong *count, const dmm_heap_call c)
{
    const dmm_heap_view v = dmm_heap_view_of(heap, temp, c);
    const ulong items = dmm_heap_items(v, c);
    const ulong to = DMM_HEAP_SIGNALS(c.ask.bulk, c.deepest + 1), last = dmm_heap_space(c) - 1;
    const int passes = c.deepest + 1 < c.levels;
    DMM_HEAP_EACH(x, items, c.groups)
    {
        if (passes && v.flags[x]) {
            const ulong at = to + min(v.work->passed + v.ranks[x], last);
            v.signal_keys[at] = v.keys[x];
            v.signal_priorities[at] = v.merged[x];
            v.signal_kinds[at] = v.merged_kinds[x];
        }
    }
    if (DMM_GROUP == 0 && get_local_id(0) == 0 && v.work->runs)
        dmm_heap_end(
            v, c, passes && items > 0 ? v.ranks[items - 1] + v.flags[items - 1] : 0, count);
}
