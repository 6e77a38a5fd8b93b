/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_matrix: sorts each tile of T items by itself, as a matrix of w rows and m = T / w
 * columns, a row a bank.
 * Cost       DMM_STEPS times: a network on E items, exchanges with other work-items of the row or
 *            of the column, a turn. No address depends on an item. Every item is read and written
 *            once in global memory.
 * Layout     row i, column j at j*w + i of each plane. Work-item t has E neighbouring columns of
 *            row t mod w: those of a row belong to all warps.
 * Claim      conflict-free. A warp has an item in each row: it stores and loads its own column, or
 *            its columns with rows exchanged (a bit of the row's number flipped; turned:
 *            cl/map.clh).
 * Parameters DMM_PLAN: what is done, a number a step, made by host/primitives/sort_matrix.c
 * Source     P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA
 *            2015, DOI 10.1007/978-3-662-48350-3_2, section 2
 * Differs    several warps share a row, and sort it by K. Batcher's network; ties are broken by
 *            position, so that padding is last. docs/matrix.md has the rest.
 */

#if DMM_E & (DMM_E - 1)
#error "DMM_E must be a power of two"
#endif
/* DMM_PLAN: the steps, separated by commas. */
#if !defined(DMM_PLAN)
#error "DMM_PLAN must be given"
#endif

constant uint dmm_matrix_plan[] = {DMM_PLAN};
#define DMM_STEPS (sizeof dmm_matrix_plan / sizeof *dmm_matrix_plan)

/* The parts of a step: rows of an odd number of the bits `falling` descend; 2^log_span work-items
 * sort together, of a row or of a column; then groups of 2^log_turned rows turn. */
#define DMM_STEP_FALLING(step)     ((step) & 255)
#define DMM_STEP_LOG_SPAN(step)    ((step) >> 8 & 15)
#define DMM_STEP_BY_COLUMNS(step)  ((step) >> 12 & 1)
#define DMM_STEP_LOG_TURNED(step)  ((step) >> 13 & 15)
#define DMM_STEP_TO_COLUMNS(step)  ((step) >> 17 & 1)

#define DMM_COLUMNS (DMM_TILE / DMM_W_KEY)

/* Where a work-item is: it has columns first .. first + E - 1 of a row. */
typedef struct dmm_cell {
    uint row, first;
} dmm_cell;

DMM_INLINE dmm_cell dmm_cell_of(uint t)
{
    const dmm_cell cell = {t % DMM_W_KEY, t / DMM_W_KEY * DMM_E};
    return cell;
}

DMM_INLINE uint dmm_matrix_address(uint row, uint column)
{
    return column * DMM_W_KEY + row;
}

DMM_INLINE dmm_reg dmm_matrix_get(dmm_tile tile, uint address)
{
    dmm_reg r;
    r.code = dmm_tile_code_at(tile, address);
#if DMM_TIES
    r.pos = (uint)tile.positions[address];
#endif
    return r;
}

DMM_INLINE void dmm_matrix_put(dmm_tile tile, uint address, dmm_reg r)
{
    dmm_tile_put_code_at(tile, address, r.code);
#if DMM_TIES
    tile.positions[address] = r.pos;
#endif
}

/* The first of two items, or the last. Both work-items ask with the same two, in the same order:
 * whatever the caller's `less` is, one gets one and one the other. */
DMM_INLINE dmm_reg dmm_matrix_kept(dmm_reg own, dmm_reg other, int first)
{
    dmm_reg x = dmm_choose(first, own, other), y = dmm_choose(first, other, own);
    dmm_compare_exchange(&x, &y);
    return dmm_choose(first, x, y);
}

/* Work-items t and t ^ d compare their items; mirrored: the first with the last. */
DMM_INLINE void dmm_matrix_exchange(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint d, int mirrored,
    int falls)
{
    const dmm_cell own = dmm_cell_of(t), other = dmm_cell_of(t ^ d);
    const int first = (t < (t ^ d)) != falls;

    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++)
        dmm_matrix_put(tile, dmm_matrix_address(own.row, own.first + j), r[j]);
    barrier(CLK_LOCAL_MEM_FENCE); /* items stored | read by partners */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint column = other.first + (mirrored ? DMM_E - 1 - j : j);
        r[j] = dmm_matrix_kept(r[j], dmm_matrix_get(tile, dmm_matrix_address(other.row, column)),
            first);
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* items read | overwritten */
}

/* Where a row falls, its work-items have its items from the last one to the first, but each has its
 * own rising. */
DMM_INLINE void dmm_matrix_sort(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint step)
{
    const uint all = 1u << DMM_STEP_LOG_SPAN(step);
    const int rows = !DMM_STEP_BY_COLUMNS(step);
    const uint unit = rows ? DMM_W_KEY : 1; /* from one of them to the next */
    const int falls = (int)dmm_is_odd(dmm_cell_of(t).row, DMM_STEP_FALLING(step));
    if (rows)
        dmm_sort_registers(r);
    for (uint span = 1; span < all; span *= 2) {
        for (uint d = 2 * span - 1; d > 0; d = d > span ? span / 2 : d / 2)
            dmm_matrix_exchange(tile, r, t, d * unit, rows && d == 2 * span - 1, falls);
        if (rows)
            dmm_merge_registers(r);
    }
}

/* In a step all work-items of a warp store the same column, and load the same column. */
DMM_INLINE void dmm_matrix_turn(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint step)
{
    const dmm_cell own = dmm_cell_of(t);
    const uint log_g = DMM_STEP_LOG_TURNED(step), to_columns = DMM_STEP_TO_COLUMNS(step);
    const uint within = own.row & ((1u << log_g) - 1), group = own.row - within;
    const int reversed = !DMM_STEP_BY_COLUMNS(step) && dmm_is_odd(own.row, DMM_STEP_FALLING(step));

    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint p = dmm_turn_number(within, own.first + j, log_g, DMM_COLUMNS, to_columns);
        dmm_matrix_put(tile, dmm_matrix_address(group + dmm_turn_row(p, log_g, DMM_COLUMNS),
            dmm_turn_column(p, log_g, DMM_COLUMNS)), dmm_choose(reversed, r[DMM_E - 1 - j], r[j]));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* matrix stored | loaded turned */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint p = dmm_turn_number(within, own.first + j, log_g, DMM_COLUMNS, !to_columns);
        r[j] = dmm_matrix_get(tile, dmm_matrix_address(group + dmm_turn_row(p, log_g, DMM_COLUMNS),
            dmm_turn_column(p, log_g, DMM_COLUMNS)));
    }
    barrier(CLK_LOCAL_MEM_FENCE); /* matrix loaded | overwritten */
}

/* Any work-item may begin with any item. */
DMM_INLINE void dmm_matrix_load(dmm_reg r[DMM_E], dmm_items in, dmm_index first, uint count, uint t)
{
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = t + j * DMM_U;
#if DMM_KEY_KIND != DMM_KIND_LESS
        r[j].code = x < count ? dmm_encode(in.keys[first + x]) : DMM_CODE_MAX;
#else
        r[j].code = dmm_encode(in.keys[x < count ? first + x : first]);
#endif
#if DMM_TIES
        r[j].pos = x < count ? x : DMM_PAD + x;
#endif
    }
}

/* Column after column. In place, so every value is read before any is written. */
DMM_INLINE void dmm_matrix_store(dmm_reg r[DMM_E], dmm_items in, dmm_items out, dmm_index first,
    uint count, uint t)
{
    const dmm_cell own = dmm_cell_of(t);
#if DMM_VALUE_BYTES
    dmm_value moved[DMM_E];
#endif
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = dmm_matrix_address(own.row, own.first + j);
        if (x < count) {
            out.keys[first + x] = dmm_decode(r[j].code);
#if DMM_VALUE_BYTES && DMM_SORT_POSITIONS
            moved[j] = (dmm_value)(first + r[j].pos);
#elif DMM_VALUE_BYTES
            moved[j] = in.values[first + r[j].pos];
#endif
        }
    }
#if DMM_VALUE_BYTES
    barrier(CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = dmm_matrix_address(own.row, own.first + j);
        if (x < count)
            out.values[first + x] = moved[j];
    }
#endif
}

/* The spare list is scratch of the CPU form of other methods. */
DMM_KERNEL(DMM_U)
void dmm_sort_matrix(global dmm_key *keys_in, ulong keys_in_at, global dmm_value *values_in,
    ulong values_in_at, global dmm_key *keys_out, ulong keys_out_at, global dmm_value *values_out,
    ulong values_out_at, global dmm_key *keys_spare, ulong keys_spare_at,
    global dmm_value *values_spare, ulong values_spare_at, dmm_index n, DMM_COUNT_PARAMETERS)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items in = dmm_items_at(keys_in, keys_in_at, values_in, values_in_at);
    const dmm_items out = dmm_items_at(keys_out, keys_out_at, values_out, values_out_at);
    const uint t = (uint)get_local_id(0);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end = dmm_counted_end(count_in, count_in_at, DMM_FIRST_GROUP * DMM_TILE, n);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
    dmm_matrix_load(r, in, first, count, t);
    barrier(CLK_GLOBAL_MEM_FENCE); /* in place, keys read | overwritten */
    for (uint i = 0; i < DMM_STEPS; i++) {
        dmm_matrix_sort(tile, r, t, dmm_matrix_plan[i]);
        dmm_matrix_turn(tile, r, t, dmm_matrix_plan[i]);
    }
    dmm_matrix_store(r, in, out, first, count, t);
}
