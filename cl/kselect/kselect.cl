/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of selection (cl/kselect/kselect.clh), in a launch a digit, between one that clears
 * what they count in and one that moves the selected items.
 * Pass       each group of dmm_kselect_count finds the digit of the pass before in its counts, to
 *            which no group adds any more: none waits for another. It counts the next digits of the
 *            candidates in its range of the list, adds them to those of the other groups, and may
 *            move these candidates, in any order, to the next list.
 * Keep       dmm_kselect_keep finds the last digit and packs, of the whole input, the items before
 *            the rank, and the first of those that tie with it, as cl/pack does: in input order.
 * State      group 0 of pass p writes what follows from the digits before p.
 * Cost       the input's keys are read three times, the lists' once. A tile that moves takes a scan
 *            over the group.
 * Layout     ranks: cl/pack/pack_sums.clh. columns: cl/columns.clh. sums: cl/before.clh.
 * Claim      conflict-free, as these are; digits, and a list's next place, are read by all at once.
 */
#include "cl/kselect/kselect_pack.clh"
#include "cl/pack/pack_sums.clh"
#define DMM_COLUMN_BINS (1 << DMM_DIGIT_BITS)
#include "cl/columns.clh"

#define DMM_KSELECT_WORDS DMM_KSELECT_PASS_WORDS(DMM_DIGIT_BITS, DMM_INDEX_BYTES)

/* Arguments of all kernels. */
typedef struct dmm_kselect {
    dmm_items in, out;
    global dmm_key *first_list, *second_list;
    global uint *counts; /* DMM_KSELECT_WORDS for each pass; then the chain */
    global ulong *state; /* DMM_KSELECT_STATE_WORDS for each pass; then four of dmm_kselect_keep */
    dmm_index first, n;  /* the input has positions first .. first + n - 1 */
    dmm_index rank;      /* in the input: 0 <= rank < n */
    uint groups, pass, passes;
} dmm_kselect;

#define DMM_KSELECT_PARAMETERS                                                                    \
    global dmm_key *keys_in, global dmm_value *values_in, global dmm_key *keys_out,              \
        global dmm_value *values_out, global dmm_key *keys_a, global dmm_key *keys_b,            \
        global uint *counts, global ulong *state, const dmm_kselect_call c

#define DMM_KSELECT_ARGUMENTS                                                                     \
    {                                                                                            \
        dmm_list_of(keys_in, values_in, c.in), dmm_list_of(keys_out, values_out, c.out),         \
        keys_a + (c.a.keys + c.first), keys_b + (c.b.keys + c.first), counts + c.counts_at,      \
        state + c.state_at, (dmm_index)c.first, (dmm_index)(c.end - c.first),                    \
        (dmm_index)c.rank, c.groups, c.pass, c.passes                                            \
    }

/* The list that holds the candidates. */
typedef struct dmm_candidates {
    uint where;      /* DMM_KSELECT_IN_ */
    dmm_index count; /* items of the list */
    dmm_index rank;  /* among the candidates, of the item at the rank */
    dmm_code prefix; /* its digits so far */
} dmm_candidates;

/* A digit of the item at the rank. */
typedef struct dmm_kselect_digit {
    uint digit;
    dmm_index before, count; /* candidates with a lower one; with this one */
} dmm_kselect_digit;

/* What groups keep in local memory. */
typedef struct dmm_kselect_local {
    local dmm_word *sums; /* 2u */
    local dmm_kselect_digit *digit;
    local uint *place; /* in the next list, of a tile's candidates */
    uint t;
} dmm_kselect_local;

/* Returns the lowest bit of a pass's digit; the next pass's digit ends there. */
DMM_INLINE uint dmm_kselect_low(dmm_kselect s, uint pass)
{
    return DMM_KSELECT_LOW(DMM_KEY_BITS, s.passes - pass, s.passes);
}

DMM_INLINE uint dmm_kselect_high(dmm_kselect s, uint pass)
{
    return DMM_KSELECT_HIGH(DMM_KEY_BITS, s.passes - pass, s.passes);
}

/* Returns the list by what the digits before `pass` are. */
DMM_INLINE dmm_candidates dmm_kselect_read(dmm_kselect s, uint pass)
{
    global const ulong *const words = s.state + pass * DMM_KSELECT_STATE_WORDS;
    dmm_candidates list = {DMM_KSELECT_IN_INPUT, s.n, s.rank, 0};
    dmm_index most = s.n;
    if (pass == 0)
        return list;
    if (words[0] == DMM_KSELECT_IN_FIRST || words[0] == DMM_KSELECT_IN_SECOND)
        list.where = (uint)words[0];
    for (uint i = 0; i < list.where; i++)
        most /= DMM_KSELECT_SHRINK;
    list.count = min((dmm_index)words[1], most);
    list.rank = (dmm_index)words[2];
    list.prefix = (dmm_code)words[3];
    return list;
}

DMM_INLINE void dmm_kselect_write(dmm_kselect s, uint pass, dmm_candidates list)
{
    global ulong *const words = s.state + pass * DMM_KSELECT_STATE_WORDS;
    words[0] = list.where;
    words[1] = list.count;
    words[2] = list.rank;
    words[3] = list.prefix;
}

/* Returns the count of a digit. Its upper half, if it has one, is behind all lower ones. */
DMM_INLINE dmm_index dmm_kselect_counted(global const uint *counts, uint digit)
{
#if DMM_INDEX_BYTES == 8
    return (ulong)counts[DMM_COLUMN_BINS + digit] << 32 | counts[digit];
#else
    return counts[digit];
#endif
}

/* Adds to the count of a digit; stores it if the group is the only one. */
DMM_INLINE void dmm_kselect_add(dmm_kselect s, uint digit, dmm_index more)
{
    global uint *const counts = s.counts + s.pass * DMM_KSELECT_WORDS;
    const uint lower = (uint)more;
    uint old = 0;
    if (s.groups == 1)
        counts[digit] = lower;
    else if (lower != 0)
        old = atomic_add(&counts[digit], lower);
#if DMM_INDEX_BYTES == 8
    const uint upper = (uint)(more >> 32) + (old > ~lower);
    if (s.groups == 1)
        counts[DMM_COLUMN_BINS + digit] = upper;
    else if (upper != 0)
        atomic_add(&counts[DMM_COLUMN_BINS + digit], upper);
#endif
}

/* Returns the total of all work-items before t. */
DMM_INLINE dmm_index dmm_kselect_before(dmm_kselect_local mem, dmm_index own)
{
#if DMM_INDEX_BYTES == 8
    dmm_index before = 0;
    for (uint bit = 0; bit < 64; bit += 22) /* totals of 22 bits of up to 1024 work-items */
        before += (dmm_index)dmm_group_before(mem.sums, mem.t, (uint)(own >> bit) & 0x3fffff, 0)
                  << bit;
    return before;
#else
    return dmm_group_before(mem.sums, mem.t, own, 0);
#endif
}

/* Returns the number of a pass's digits. */
DMM_INLINE uint dmm_kselect_digits(dmm_kselect s, uint pass)
{
    return 1u << (dmm_kselect_high(s, pass) - dmm_kselect_low(s, pass));
}

/* Stores a digit, field by field: a structure would go through private memory. */
DMM_INLINE void dmm_kselect_put(
    local dmm_kselect_digit *to, uint digit, dmm_index before, dmm_index count)
{
    to->digit = digit;
    to->before = before;
    to->count = count;
}

/* Finds the digit of a pass in its counts; with 0 digits, all candidates stay. Returns the list
 * that holds the candidates from then on: the next one if they move. */
DMM_INLINE dmm_candidates dmm_kselect_judge(
    dmm_kselect s, uint pass, uint digits, dmm_candidates list, dmm_kselect_local mem)
{
    global const uint *const counts = s.counts + pass * DMM_KSELECT_WORDS;
    const uint share = (digits + DMM_U - 1) / DMM_U; /* neighbours */
    const uint first = min(mem.t * share, digits), end = min(first + share, digits);
    dmm_index own = 0;
    if (mem.t == 0) /* no digits, or a driver has lost counts */
        dmm_kselect_put(mem.digit, 0, 0, list.count);
    for (uint digit = first; digit < end; digit++)
        own += dmm_kselect_counted(counts, digit);
    dmm_index before = dmm_kselect_before(mem, own); /* its barriers: stored | overwritten */
    for (uint digit = first; digit < end; digit++) {
        const dmm_index count = dmm_kselect_counted(counts, digit);
        if (before <= list.rank && list.rank - before < count)
            dmm_kselect_put(mem.digit, digit, before, count);
        before += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* digit stored | read by all */
    const dmm_index count = mem.digit->count;
    list.prefix |= (dmm_code)mem.digit->digit << dmm_kselect_low(s, pass);
    list.rank -= mem.digit->before;
    /* the last list would be of no use; a group alone has the input in its cache */
    if (s.groups > 1 && pass + 2 < s.passes && count <= list.count / DMM_KSELECT_SHRINK &&
        count <= DMM_KSELECT_MOST_MOVED) {
        list.where = list.where == DMM_KSELECT_IN_FIRST ? DMM_KSELECT_IN_SECOND
                                                        : DMM_KSELECT_IN_FIRST;
        list.count = count;
    }
    return list;
}

DMM_INLINE global dmm_key *dmm_kselect_keys(dmm_kselect s, uint where)
{
    return where == DMM_KSELECT_IN_FIRST    ? s.first_list
           : where == DMM_KSELECT_IN_SECOND ? s.second_list
                                            : s.in.keys + s.first;
}

/* Returns the items of this group: whole tiles, except in the last group. */
DMM_INLINE dmm_range dmm_kselect_range(dmm_kselect s, dmm_index n)
{
    const dmm_index tiles = n / DMM_TILE + (n % DMM_TILE != 0);
    const dmm_index range = (tiles / s.groups + (tiles % s.groups != 0)) * DMM_TILE;
    dmm_range own;
    own.first = min(DMM_GROUP * range, n);
    own.end = own.first + min(range, n - own.first);
    return own;
}

/* What a pass counts: digits in bits low .. high - 1 of codes with this prefix. */
typedef struct dmm_kselect_field {
    dmm_code prefix;
    uint low, high;
} dmm_kselect_field;

/* Loads a tile of the `left` keys, and counts the digits of its candidates. Returns which of the
 * work-item's items these are, a bit an item. */
DMM_INLINE uint dmm_kselect_count_tile(local dmm_word *columns, uint t, dmm_kselect_field field,
    global const dmm_key *keys, uint left, dmm_key batch[DMM_E])
{
    uint marks = 0;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) /* loads in flight */
        batch[i] = keys[min(t + i * DMM_U, left - 1)];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const dmm_code code = dmm_kselect_code(batch[i]);
        const dmm_code above = code & dmm_bits_from(field.high);
        if (above == field.prefix && t + i * DMM_U < left) {
            dmm_columns_add(columns, t, (uint)((code ^ above) >> field.low));
            marks |= 1u << i;
        }
    }
    return marks;
}

/* Moves the candidates of a tile to a list of `end` places. */
DMM_INLINE void dmm_kselect_take(dmm_kselect s, dmm_kselect_local mem, const dmm_key batch[DMM_E],
    uint marks, global dmm_key *list, dmm_index end)
{
    global uint *const taken = s.counts + (s.pass + 1) * DMM_KSELECT_WORDS - 1;
    const uint own = (uint)popcount(marks), before = dmm_group_before(mem.sums, mem.t, own, 0);
    if (mem.t == DMM_U - 1)
        *mem.place = atomic_add(taken, before + own);
    barrier(CLK_LOCAL_MEM_FENCE); /* place stored | read by all */
    uint place = *mem.place + before;
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        if (marks >> i & 1) {
            if (place < end)
                list[place] = batch[i];
            place++;
        }
}

/* Finds the digit of the pass before, writes the state, and counts the digits of this group's
 * candidates. */
DMM_INLINE void dmm_kselect_count_own(
    dmm_kselect s, local dmm_word *columns, dmm_kselect_local mem)
{
    const uint t = mem.t, last = DMM_MINUS(s.pass, 1u);
    const uint digits = s.pass != 0 ? dmm_kselect_digits(s, last) : 0;
    const dmm_candidates from = dmm_kselect_read(s, last);
    const dmm_candidates to = dmm_kselect_judge(s, last, digits, from, mem);
    const dmm_kselect_field field = {
        to.prefix, dmm_kselect_low(s, s.pass), dmm_kselect_high(s, s.pass)};
    const dmm_range own = dmm_kselect_range(s, from.count);
    const dmm_index step = DMM_COLUMN_TILES * DMM_TILE;
    global dmm_key *const list = dmm_kselect_keys(s, to.where);
    dmm_index totals[DMM_OWN_BINS];

    if (DMM_GROUP == 0 && t == 0)
        dmm_kselect_write(s, s.pass, to);
    dmm_columns_clear(columns, t, totals);
    for (dmm_index part = own.first; part < own.end; part += min(step, own.end - part)) {
        global const dmm_key *const keys = dmm_kselect_keys(s, from.where) + part;
        const uint size = (uint)min(step, own.end - part);
        const uint moving = to.where != from.where ? size : 0; /* DMM_END_OF_BLOCK: no `if` */
        dmm_key batch[DMM_E];
        uint tile = 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* columns cleared | counted */
        for (; tile < moving; tile += DMM_TILE) {
            const uint marks =
                dmm_kselect_count_tile(columns, t, field, keys + tile, size - tile, batch);
            dmm_kselect_take(s, mem, batch, marks, list, to.count);
        }
        for (; tile < size; tile += DMM_TILE)
            dmm_kselect_count_tile(columns, t, field, keys + tile, size - tile, batch);
        barrier(CLK_LOCAL_MEM_FENCE); /* columns counted | added up and cleared by rows */
        dmm_columns_sum(columns, t, totals, size < own.end - part);
    }
    for (uint i = 0; i < DMM_OWN_BINS; i++)
        if (dmm_columns_bin(t, i) < 1u << (field.high - field.low))
            dmm_kselect_add(s, dmm_columns_bin(t, i), totals[i]);
}

#define DMM_DECLARE_KSELECT_LOCAL(mem, words, thread)                                            \
    local dmm_kselect_digit dmm_kselect_found;                                                   \
    local uint dmm_kselect_taken;                                                                \
    const dmm_kselect_local mem = {words, &dmm_kselect_found, &dmm_kselect_taken, thread}

/* Clears the counts and the chain. */
DMM_KERNEL(DMM_U)
void dmm_kselect_clear(DMM_KSELECT_PARAMETERS)
{
    const ulong words = c.passes * DMM_KSELECT_WORDS + DMM_KSELECT_CHAIN_WORDS(c.tiles);
    for (ulong x = get_global_id(0); x < words; x += (ulong)c.groups * DMM_U)
        counts[c.counts_at + x] = 0;
}

/* Conflict-free: Counters, Sums. */
DMM_KERNEL(DMM_U)
void dmm_kselect_count(DMM_KSELECT_PARAMETERS)
{
    local dmm_word columns[DMM_COUNTER_WORDS];
    local dmm_word sums[2 * DMM_U];
    DMM_DECLARE_KSELECT_LOCAL(mem, sums, (uint)get_local_id(0));
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    dmm_kselect_count_own(s, columns, mem);
}

/* Moves the selected items of a tile. first, last: tiles of the launch, which is the turn-th. */
DMM_INLINE void dmm_kselect_keep_tile(
    dmm_kselect s, dmm_kselect_local mem, dmm_pack_local pack, dmm_pack_link link, uint turn)
{
    const dmm_candidates list = dmm_kselect_read(s, s.passes - 1);
    const dmm_candidates found = dmm_kselect_judge(
        s, s.passes - 1, dmm_kselect_digits(s, s.passes - 1), list, mem);
    const dmm_pack_view view = {s.in, s.out, s.first, found.prefix, found.rank + 1,
        DMM_ONLY_LAST ? 1 : s.rank + 1, s.n};
    global ulong *const turns = s.state + s.passes * DMM_KSELECT_STATE_WORDS;
    dmm_pack_places from = {0, 0};
    if (link.first != 0) {
        from.kept = (dmm_index)turns[2 * turn];
        from.second = (dmm_index)turns[2 * turn + 1];
    }
    const ulong x0 = min((ulong)link.tile * DMM_TILE, view.end);
    const dmm_pack_places next = dmm_pack_tile(
        view, pack, x0, (uint)min((ulong)DMM_TILE, view.end - x0), link, from);
    if (link.tile == link.last && mem.t == DMM_U - 1) {
        turns[2 * (turn ^ 1)] = next.kept;
        turns[2 * (turn ^ 1) + 1] = next.second;
    }
}

/* Each group moves the selected items of a tile.
 * Conflict-free: Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_kselect_keep(DMM_KSELECT_PARAMETERS)
{
    DMM_DECLARE_PACK_LOCAL(pack);
    DMM_DECLARE_KSELECT_LOCAL(mem, pack.sums, pack.t);
    local uint taken;
    const dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    global uint *const chain = s.counts + s.passes * DMM_KSELECT_WORDS;
    if (mem.t == 0)
        taken = atomic_inc(chain);
    barrier(CLK_LOCAL_MEM_FENCE); /* tile stored | read by others */
    const dmm_pack_link link = {
        chain + 1, chain + 1 + c.tiles, min(taken, c.last_tile), c.first_tile, c.last_tile};
    dmm_kselect_keep_tile(s, mem, pack, link, c.turn);
}

/* All passes over one tile. Conflict-free: Counters, Sums, Tiles in stripes and in blocks. */
DMM_KERNEL(DMM_U)
void dmm_kselect_alone(DMM_KSELECT_PARAMETERS)
{
    local dmm_word columns[DMM_COUNTER_WORDS];
    DMM_DECLARE_PACK_LOCAL(pack);
    DMM_DECLARE_KSELECT_LOCAL(mem, pack.sums, pack.t);
    dmm_kselect s = DMM_KSELECT_ARGUMENTS;
    for (s.pass = 0; s.pass < s.passes; s.pass++) {
        dmm_kselect_count_own(s, columns, mem);
        /* columns added up, digit read, state and counts written | cleared, overwritten, read */
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    const dmm_pack_link link = {s.counts, s.counts, 0, 0, 0};
    dmm_kselect_keep_tile(s, mem, pack, link, 0);
}
