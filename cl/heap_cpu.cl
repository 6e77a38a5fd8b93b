/* SPDX-License-Identifier: MIT */
/*
 * The CPU form of dmm_heap: a call is one launch of one work-item. A table has the items
 * (cl/heap_table.clh), and sorted runs of entries their order (cl/heap_runs.clh): an entry counts
 * if the table has it, so a lowered or deleted item leaves its old entry behind. When the runs have
 * no space left, the table's items become one run.
 * Cost       an item of an update is looked up, sorted with its call's and merged into longer runs;
 *            an item that is taken is merged and looked up
 * Bounds     no number in a heap's memory leads out of the heap or temp
 * Claim      no local memory
 */
#include "cl/heap_runs.clh"

#if DMM_U != 1
#error "the CPU form has one work-item a group"
#endif

/* Items that are looked up between the load of an item's slot and its own search. */
enum { DMM_HEAP_AHEAD = 16 };

typedef struct dmm_heap_memory {
    dmm_table table;
    dmm_stack stack;
    global dmm_entry *kept; /* the items that a PEEK shows */
} dmm_heap_memory;

DMM_INLINE dmm_heap_memory dmm_heap_memory_of(
    global uchar *heap, global uchar *temp, const dmm_heap_cpu_call c)
{
    global dmm_entry *const spare = (global dmm_entry *)(temp + c.temp_at);
    global dmm_entry *const lists = spare + c.ask.room;
    const dmm_heap_memory m = {{(global dmm_entry *)(heap + c.table_at), (uint)c.slots},
        {(global dmm_heap_runs *)(heap + c.ask.heap_at), (global dmm_entry *)(heap + c.entries_at),
            c.slots, spare, {lists, lists + c.ask.bulk}},
        lists + 2 * c.ask.bulk};
    return m;
}

/* Makes all items one run. */
DMM_INLINE void dmm_heap_rebuild(const dmm_heap_memory m, ulong room)
{
    ulong n = 0;
    for (uint x = 0; x <= m.table.size && n < room; x++) {
        const dmm_entry entry = m.table.slots[x];
        m.stack.entries[n] = entry;
        n += (DMM_ENTRY_KEY(entry) == DMM_FREE) == (x == m.table.size);
    }
    dmm_entries_sort(m.stack.entries, n, m.stack.spare);
    m.stack.runs->count = 0;
    dmm_stack_push(m.stack, n);
}

/* Inserts items, or lowers their priorities. */
DMM_INLINE void dmm_heap_update(
    const dmm_heap_memory m, global const dmm_id *keys, global const dmm_key *priorities, ulong n)
{
    global dmm_entry *const to = m.stack.entries + dmm_stack_end(m.stack);
    ulong added = 0;
    for (ulong x = 0; x < n; x++) {
        const dmm_id key = keys[x];
        dmm_table_prefetch(m.table, keys[min(x + DMM_HEAP_AHEAD, n - 1)]);
        const dmm_code code = dmm_encode(priorities[x]);
        const uint slot = dmm_table_find(m.table, key);
        const int is_there = dmm_table_has(m.table, slot, key);
        if (is_there && DMM_ENTRY_CODE(m.table.slots[slot]) <= code)
            continue;
        m.stack.runs->head.held += (ulong)!is_there;
        m.table.slots[slot] = to[added++] = DMM_ENTRY(code, key);
    }
    dmm_entries_sort(to, added, m.stack.spare);
    dmm_stack_push(m.stack, added);
}

DMM_INLINE void dmm_heap_delete(const dmm_heap_memory m, global const dmm_id *keys, ulong n)
{
    for (ulong x = 0; x < n; x++) {
        dmm_table_prefetch(m.table, keys[min(x + DMM_HEAP_AHEAD, n - 1)]);
        const uint slot = dmm_table_find(m.table, keys[x]);
        if (dmm_table_has(m.table, slot, keys[x])) {
            dmm_table_remove(m.table, slot);
            m.stack.runs->head.held--;
        }
    }
}

/* Takes the n least items, or all, and returns their number. */
DMM_INLINE ulong dmm_heap_extract(
    const dmm_heap_memory m, global dmm_id *keys, global dmm_key *priorities, ulong n, int keeps)
{
    ulong taken = 0;
    while (taken < n && m.stack.runs->count > 0) {
        const dmm_entries least = dmm_stack_take(m.stack, n - taken);
        for (ulong x = 0; x < least.n; x++) {
            const dmm_entry entry = least.first[x];
            const dmm_entry later = least.first[min(x + DMM_HEAP_AHEAD, least.n - 1)];
            dmm_table_prefetch(m.table, DMM_ENTRY_KEY(later));
            const dmm_id key = DMM_ENTRY_KEY(entry);
            const uint slot = dmm_table_find(m.table, key);
            if (!dmm_table_has(m.table, slot, key) ||
                DMM_ENTRY_CODE(m.table.slots[slot]) != DMM_ENTRY_CODE(entry))
                continue;
            dmm_table_remove(m.table, slot);
            keys[taken] = key;
            priorities[taken] = dmm_decode(DMM_ENTRY_CODE(entry));
            if (keeps)
                m.kept[taken] = entry;
            taken++;
        }
    }
    m.stack.runs->head.held -= min(m.stack.runs->head.held, taken);
    return taken;
}

/* Puts the n items that a PEEK has taken back, as a run. */
DMM_INLINE void dmm_heap_put_back(const dmm_heap_memory m, ulong n)
{
    for (ulong x = 0; x < n; x++)
        m.table.slots[dmm_table_find(m.table, DMM_ENTRY_KEY(m.kept[x]))] = m.kept[x];
    dmm_entries_copy(m.kept, n, m.stack.entries + dmm_stack_end(m.stack));
    dmm_stack_push(m.stack, n);
    m.stack.runs->head.held += n;
}

DMM_KERNEL(DMM_U)
void dmm_heap_alone(global uchar *heap, global uchar *temp, global const dmm_id *keys_in,
    global const dmm_key *priorities_in, global dmm_id *keys_out, global dmm_key *priorities_out,
    global ulong *count, global ulong *report, global const ulong *given, const dmm_heap_cpu_call c)
{
    const dmm_heap_memory m = dmm_heap_memory_of(heap, temp, c);
    const ulong n = dmm_heap_given(given, c.ask);
    const int adds = c.ask.op == DMM_HEAP_DOES_UPDATE || c.ask.op == DMM_HEAP_DOES_PEEK;
    const ulong status = dmm_heap_check(&m.stack.runs->head, c.ask, n, report);
    ulong counted = 0;
    if (c.ask.op == DMM_HEAP_DOES_CLEAR) {
        m.stack.runs->count = 0;
        dmm_table_clear(m.table);
    } else if (status == 0 || status == c.ask.too_large) {
        dmm_stack_bound(m.stack);
        m.stack.runs->head.held = min(m.stack.runs->head.held, c.ask.room);
        m.stack.runs->head.turn += c.ask.op != DMM_HEAP_DOES_SIZE && c.ask.op != DMM_HEAP_DOES_PEEK;
        if (adds && dmm_stack_end(m.stack) + n > c.slots)
            dmm_heap_rebuild(m, c.ask.room);
        if (c.ask.op == DMM_HEAP_DOES_UPDATE && status == 0)
            dmm_heap_update(
                m, keys_in + c.ask.keys_in_at, priorities_in + c.ask.priorities_in_at, n);
        else if (c.ask.op == DMM_HEAP_DOES_DELETE)
            dmm_heap_delete(m, keys_in + c.ask.keys_in_at, n);
        else if (c.ask.op == DMM_HEAP_DOES_EXTRACT || c.ask.op == DMM_HEAP_DOES_PEEK)
            counted = dmm_heap_extract(m, keys_out + c.ask.keys_out_at,
                priorities_out + c.ask.priorities_out_at, n, c.ask.op == DMM_HEAP_DOES_PEEK);
        else if (c.ask.op == DMM_HEAP_DOES_SIZE)
            counted = m.stack.runs->head.held;
        if (c.ask.op == DMM_HEAP_DOES_PEEK)
            dmm_heap_put_back(m, counted);
    }
    if (count != 0)
        count[c.ask.count_at] = counted;
}
