/* SPDX-License-Identifier: MIT */
/*
 * The GPU form of radix sort (cl/radix.clh): a group handles its range a tile of T items at a time.
 * Scatter    the tile is sorted by the digit in local memory; then items of one digit lie side by
 *            side and leave in runs. By rank, four bits a step: a step counts each work-item's
 *            items in its own column, scans the 16*u counters and exchanges the items. By split
 *            (DMM_SPLIT), one bit a step: zeros go upward from the tile's beginning, ones downward
 *            from its end.
 * Cost       a pass reads each item twice and writes it once
 * Layout     tile: cl/tile.clh, between splits position x at address x. columns[row][t]: word row*u
 *            + t. ranks and goals: position x at address rho(x).
 * Claim      conflict-free but for dmm_radix_exchange, which is `measured`. Columns: bank t mod w.
 *            Raking: runs of 17 words, odd, so that w of them begin in different banks. Stripes and
 *            blocks: as cl/tile.clh. Neighbours: w consecutive words. Counting: cl/columns.clh.
 *            Split: of w consecutive positions from a multiple of w, those with bit 0 fill banks
 *            upward, the others downward, and they meet (docs/proofs.md).
 * Source     P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA
 *            2015, DOI 10.1007/978-3-662-48350-3_2, Corollary 1 (columns)
 */

/* A step sorts by this many bits; DMM_RAKE words of the counters are one work-item's to scan. */
#define DMM_STEP_BITS 4
#define DMM_STEP_BINS (1 << DMM_STEP_BITS)
#define DMM_RAKE      (DMM_STEP_BINS + 1)

/* DMM_SPLIT: 1 where tiles are sorted by split. Words beside the tile: counters, or each item's
 * rank. */
#if !defined(DMM_SPLIT) || DMM_SPLIT > 1
#error "DMM_SPLIT must be 0 or 1"
#endif
#define DMM_COLUMN_WORDS (DMM_SPLIT ? DMM_TILE : DMM_STEP_BINS * DMM_U)

/* Where an item goes to: positions, at least as wide as a bank. */
#if DMM_INDEX_BYTES < DMM_BANK_BYTES
typedef dmm_word dmm_goal;
#else
typedef dmm_index dmm_goal;
#endif
#define DMM_W_GOAL DMM_W_OF(DMM_INDEX_BYTES)

/* A group's local memory, and the work-item's number in it. */
typedef struct dmm_radix_room {
    dmm_tile tile;
    local dmm_word *columns; /* DMM_COLUMN_WORDS */
    local dmm_word *sums;    /* 2 * u */
    uint t;
} dmm_radix_room;

#define DMM_DECLARE_RADIX_ROOM(room)                         \
    DMM_DECLARE_TILE(dmm_room_tile);                         \
    local dmm_word dmm_room_columns[DMM_COLUMN_WORDS];       \
    local dmm_word dmm_room_sums[2 * DMM_U];                 \
    const dmm_radix_room room = {dmm_room_tile, dmm_room_columns, dmm_room_sums, \
        (uint)get_local_id(0)}

#if DMM_SPLIT

/* Position of the item that work-item t holds in register j. */
#define DMM_HELD(t, j) ((t) + (j) * DMM_U)

DMM_INLINE uint dmm_rank_address(uint x)
{
    return dmm_rho(x, DMM_W, DMM_E, DMM_GCD(DMM_W, DMM_E));
}

/* Of the items' bits, in columns, to how many zeros are before each; returns how many there are. */
DMM_INLINE uint dmm_radix_rank_bits(dmm_radix_room room)
{
    uint own = 0;
    for (uint j = 0; j < DMM_E; j++)
        own += 1 - (uint)room.columns[dmm_rank_address(room.t * DMM_E + j)];
    uint zeros = dmm_group_before(room.sums, room.t, own, 0);
    for (uint j = 0; j < DMM_E; j++) {
        local dmm_word *word = &room.columns[dmm_rank_address(room.t * DMM_E + j)];
        const uint zero = 1 - (uint)*word;
        *word = zeros;
        zeros += zero;
    }
    if (room.t == DMM_U - 1)
        room.sums[0] = zeros;
    barrier(CLK_LOCAL_MEM_FENCE); /* ranks and total stored | read by others */
    return (uint)room.sums[0];
}

/* Splits the tile, of which work-item t holds items t, t + u, ..., by one bit. */
DMM_INLINE void dmm_radix_split(dmm_radix_room room, dmm_reg r[DMM_E], dmm_digit bit)
{
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        room.columns[dmm_rank_address(DMM_HELD(room.t, i))] = dmm_code_digit(r[i].code, bit);
    /* bits stored, items and total read | read in blocks, overwritten */
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint zeros = dmm_radix_rank_bits(room);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = DMM_HELD(room.t, i);
        const uint rank = (uint)room.columns[dmm_rank_address(x)];
        const uint to = dmm_split_address(x, dmm_code_digit(r[i].code, bit), rank, DMM_TILE);
        room.tile.codes[to] = r[i].code;
#if DMM_TIES
        room.tile.positions[to] = r[i].pos;
#endif
    }
    /* items stored by bit, ranks read | read in stripes, overwritten */
    barrier(CLK_LOCAL_MEM_FENCE);
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint from = dmm_split_read(DMM_HELD(room.t, i), zeros, DMM_TILE);
        r[i].code = (dmm_code)room.tile.codes[from];
#if DMM_TIES
        r[i].pos = (uint)room.tile.positions[from];
#endif
    }
}

/* Sorts the tile by bits begin .. begin + bits - 1 of the codes; then work-item t holds block t. */
DMM_INLINE void dmm_radix_sort_tile(dmm_radix_room room, dmm_reg r[DMM_E], uint begin, uint bits)
{
    for (uint low = 0; low < bits; low++) {
        const dmm_digit bit = {begin + low, 1};
        dmm_radix_split(room, r, bit);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* items read | overwritten */
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++)
        dmm_tile_put(room.tile, DMM_HELD(room.t, i), r[i]);
    barrier(CLK_LOCAL_MEM_FENCE); /* stripes stored | read in blocks */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j] = dmm_tile_get(room.tile, room.t * DMM_E + j);
}

#else

/* Position of the item that work-item t holds in register j. */
#define DMM_HELD(t, j) ((t) * DMM_E + (j))

/* Counters of all columns, row by row, become the totals of those before them. */
DMM_INLINE void dmm_radix_scan_columns(dmm_radix_room room)
{
    const uint first = min(room.t * DMM_RAKE, (uint)(DMM_STEP_BINS * DMM_U));
    const uint end = min(first + DMM_RAKE, (uint)(DMM_STEP_BINS * DMM_U));
    uint own = 0;
    for (uint c = first; c < end; c++)
        own += (uint)room.columns[c];
    uint before = dmm_group_before(room.sums, room.t, own, 0);
    for (uint c = first; c < end; c++) {
        const uint here = (uint)room.columns[c];
        room.columns[c] = before;
        before += here;
    }
}

/* Moves each register to its rank in the tile, and reads the work-item's block back. */
DMM_INLINE void dmm_radix_exchange(dmm_radix_room room, dmm_reg r[DMM_E], const uint rank[DMM_E])
{
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_tile_put(room.tile, rank[j], r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* items stored by rank | read in blocks */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        r[j] = dmm_tile_get(room.tile, room.t * DMM_E + j);
}

/* Sorts the tile, of which work-item t holds block t, by at most DMM_STEP_BITS bits of the
 * codes. */
DMM_INLINE void dmm_radix_step(dmm_radix_room room, dmm_reg r[DMM_E], dmm_digit digit)
{
    uint rank[DMM_E];
    for (uint d = 0; d < DMM_STEP_BINS; d++)
        room.columns[d * DMM_U + room.t] = 0;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        local dmm_word *counter = &room.columns[dmm_code_digit(r[j].code, digit) * DMM_U + room.t];
        rank[j] = (uint)*counter;
        *counter = rank[j] + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* columns counted, blocks read | raked, overwritten */
    dmm_radix_scan_columns(room);
    barrier(CLK_LOCAL_MEM_FENCE); /* columns scanned | read by their owners */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        rank[j] += (uint)room.columns[dmm_code_digit(r[j].code, digit) * DMM_U + room.t];
    dmm_radix_exchange(room, r, rank);
}

/* Sorts the tile by bits begin .. begin + bits - 1 of the codes. */
DMM_INLINE void dmm_radix_sort_tile(dmm_radix_room room, dmm_reg r[DMM_E], uint begin, uint bits)
{
    for (uint low = 0; low < bits; low += DMM_STEP_BITS) {
        const dmm_digit step = {begin + low, (1u << min(bits - low, (uint)DMM_STEP_BITS)) - 1};
        dmm_radix_step(room, r, step);
    }
}

#endif

/* Loads `count` items into the tile and each work-item's own into its registers; behind them,
 * padding. */
DMM_INLINE void dmm_radix_load(dmm_radix_room room, dmm_items from, dmm_index first, uint count,
    dmm_reg r[DMM_E])
{
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = room.t + i * DMM_U;
        if (x < count)
            dmm_tile_put_code(room.tile, x, dmm_encode(from.keys[first + x]));
        else
            dmm_tile_put_code(room.tile, x, DMM_CODE_MAX);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* stripes stored | read in blocks, or as they were */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = DMM_HELD(room.t, j);
        r[j].code = dmm_tile_code(room.tile, x);
#if DMM_TIES
        r[j].pos = x;
#endif
    }
}

DMM_INLINE uint dmm_goal_address(uint x)
{
    return dmm_rho(x, DMM_W_GOAL, DMM_E, DMM_GCD(DMM_W_GOAL, DMM_E));
}

/*
 * Where the items of a sorted tile go: the next place of their digit, and behind it in order. A run
 * begins where the digit changes; it begins at `head` for the item at x, which goes x - head places
 * behind the digit's next. Whoever holds the item behind a run moves its digit's next place on; for
 * the last run, who holds its last item.
 */
DMM_INLINE void dmm_radix_goals(dmm_radix_room room, const dmm_reg r[DMM_E], dmm_digit digit,
    uint count, global dmm_index *places, local dmm_goal *goals)
{
    const uint x0 = room.t * DMM_E, last = dmm_code_digit(r[DMM_E - 1].code, digit);
    room.sums[room.t] = last;
    barrier(CLK_LOCAL_MEM_FENCE); /* last digits stored | read by the neighbour */
    const uint left = room.t > 0 ? (uint)room.sums[room.t - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE); /* last digits read | overwritten */
    uint heads = 0, before = left;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint d = dmm_code_digit(r[j].code, digit);
        heads = d != before ? x0 + j : heads;
        before = d;
    }
    const uint head0 = dmm_group_before(room.sums, room.t, heads, 1);

    uint head = head0, d = left;
    dmm_index next = places[d];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = x0 + j, own = dmm_code_digit(r[j].code, digit);
        if (own != d || x == 0) {
            head = x;
            d = own;
            next = places[d];
        }
        goals[dmm_goal_address(x)] = next + (x - head);
    }
    /* goals stored, places read | read, moved on */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    head = head0;
    d = left;
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = x0 + j, own = dmm_code_digit(r[j].code, digit);
        if (own != d && x > 0 && x < count)
            places[d] += x - head;
        if (own != d || x == 0) {
            head = x;
            d = own;
        }
        if (x + 1 == count)
            places[d] += count - head;
    }
}

/* Moves one tile of `count` items from position `first` on. */
DMM_INLINE void dmm_radix_move_tile(dmm_radix_room room, dmm_items from, uint source, dmm_items to,
    dmm_index first, uint count, dmm_digit digit, global dmm_index *places, local dmm_goal *goals)
{
    dmm_reg r[DMM_E];
    dmm_radix_load(room, from, first, count, r);
    dmm_radix_sort_tile(room, r, digit.shift, popcount(digit.mask));
    dmm_radix_goals(room, r, digit, count, places, goals);
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = room.t + i * DMM_U;
        if (x < count) {
            const dmm_index goal = (dmm_index)goals[dmm_goal_address(x)];
            to.keys[goal] = dmm_decode(dmm_tile_code(room.tile, x));
#if DMM_VALUE_BYTES
            to.values[goal] =
                dmm_radix_value(from, source, first + dmm_tile_position(room.tile, x));
#endif
        }
    }
    /* tile read, places moved | overwritten, read */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

DMM_KERNEL(DMM_U)
void dmm_radix_scatter(DMM_RADIX_PARAMETERS)
{
    DMM_DECLARE_RADIX_ROOM(room);
    local dmm_goal goals[DMM_TILE];
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const dmm_range own = dmm_radix_range(r);
    const uint source = dmm_radix_source(r, pass);
    const dmm_items from = dmm_radix_list(r, source);
    const uint target = dmm_radix_shared(r, from, digit) ? source : dmm_radix_target(r, source);
    const dmm_index stop = target == source ? own.first : own.end;
    dmm_items to = dmm_radix_list(r, target);
    global dmm_index *places = (global dmm_index *)r.scratch + DMM_GROUP * DMM_BINS;

    to.keys += r.first;
    to.values += r.first;
    if (DMM_GROUP == 0 && room.t == 0)
        r.state[pass] = target;
    for (uint d = room.t; d <= digit.mask; d += DMM_U)
        places[d] = r.counts[(dmm_index)d * groups + DMM_GROUP];
    barrier(CLK_GLOBAL_MEM_FENCE); /* places copied | read by others */
    for (dmm_index x = own.first; x < stop; x += DMM_TILE)
        dmm_radix_move_tile(room, from, source, to, x, (uint)min((dmm_index)DMM_TILE, stop - x),
            digit, places, goals);
}

DMM_KERNEL(DMM_U)
void dmm_radix_count(DMM_RADIX_PARAMETERS)
{
    local dmm_word columns[DMM_ROWS * DMM_U];
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_digit digit = dmm_digit_of(r);
    const dmm_range own = dmm_radix_range(r);
    const dmm_items from = dmm_radix_list(r, dmm_radix_source(r, pass));
    const uint t = (uint)get_local_id(0);
    const dmm_index step = DMM_BYTE_TILES * DMM_TILE;
    dmm_index totals[DMM_OWN_BINS];

    dmm_columns_clear(columns, t, totals);
    for (dmm_index part = own.first; part < own.end; part += step) {
        const dmm_index part_end = part + min(step, own.end - part);
        for (dmm_index x = part + t; x < part_end; x += DMM_U)
            dmm_columns_add(columns, t, dmm_key_digit(from.keys[x], digit));
        barrier(CLK_LOCAL_MEM_FENCE); /* columns counted | added up and cleared by rows */
        dmm_columns_empty(columns, t, totals);
        barrier(CLK_LOCAL_MEM_FENCE); /* columns cleared | counted again */
    }
    for (uint i = 0; i < DMM_OWN_BINS; i++) {
        const uint d = dmm_columns_bin(t, i);
        if (d <= digit.mask)
            r.counts[(dmm_index)d * groups + DMM_GROUP] = totals[i];
    }
}

/* Brings a range from where it is into the output, unless it is there. */
DMM_KERNEL(DMM_U)
void dmm_radix_settle(DMM_RADIX_PARAMETERS)
{
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const dmm_range own = dmm_radix_range(r);
    dmm_radix_finish(r, dmm_radix_source(r, pass), own.first + (uint)get_local_id(0), own.end,
        DMM_U);
}

/* One group sorts at most T items, all digits in local memory. In place, so that all is read before
 * it is written. */
DMM_KERNEL(DMM_U)
void dmm_radix_alone(DMM_RADIX_PARAMETERS)
{
    DMM_DECLARE_RADIX_ROOM(room);
    const dmm_radix r = DMM_RADIX_ARGUMENTS;
    const uint count = (uint)(r.end - first);
    dmm_reg regs[DMM_E];

    dmm_radix_load(room, r.in, first, count, regs);
    dmm_radix_sort_tile(room, regs, begin_bit, end_bit - begin_bit);
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_E];
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = room.t + i * DMM_U;
        if (x < count)
            moved[i] = dmm_radix_value(r.in, DMM_IN_INPUT, first + dmm_tile_position(room.tile, x));
    }
    barrier(CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
#endif
    DMM_UNROLL
    for (uint i = 0; i < DMM_E; i++) {
        const uint x = room.t + i * DMM_U;
        if (x < count) {
            r.out.keys[first + x] = dmm_decode(dmm_tile_code(room.tile, x));
#if DMM_VALUE_BYTES
            r.out.values[first + x] = moved[i];
#endif
        }
    }
}
