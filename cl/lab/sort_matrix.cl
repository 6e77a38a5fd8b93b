/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_matrix: sorts each tile of T items by itself, as a matrix of w rows and m = T / w
 * columns, a row a bank.
 * Cost       DMM_STEPS times: a network on E items, exchanges with other work-items of the row or
 *            of the column, a turn. No address depends on an item. Every item is read and written
 *            once in global memory.
 * Layout     cl/lab/matrix.clh
 * Claim      conflict-free: a warp stores and loads its own column, or as in cl/lab/matrix.clh
 * Source     P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs", ESA
 *            2015, DOI 10.1007/978-3-662-48350-3_2, section 2
 * Differs    several warps share a row, and sort it by K. Batcher's network; ties are broken by
 *            position, so that padding is last. docs/matrix.md has the rest.
 */
#define DMM_ONE_LIST     1
#define DMM_LOADS_BLOCKS 0 /* ties are broken by position, so padding is last */
#include "cl/lab/matrix.clh"
#include "cl/sort/merge_pass.clh"
#include "cl/sort/sort.clh"

/* Sorts rows. Each work-item has its own items ascending; in a descending row the work-items have
 * the items from last to first. */
DMM_INLINE void dmm_matrix_sort_rows(dmm_tile tile, dmm_reg r[DMM_E], uint t, uint step)
{
    const int falls = dmm_matrix_falls(dmm_cell_of(t).row, step);
    dmm_sort_registers(r);
    for (uint span = 1; span < 1u << DMM_STEP_LOG_SPAN(step); span *= 2) {
        for (uint d = 2 * span - 1; d > 0; d = d > span ? span / 2 : d / 2)
            dmm_matrix_exchange(tile, r, t, d * DMM_W_KEY, d == 2 * span - 1, falls);
        dmm_merge_registers(r);
    }
    DMM_UNROLL
    for (uint j = 0; j < DMM_E / 2; j++) {
        const dmm_reg x = r[j], y = r[DMM_E - 1 - j];
        r[j] = dmm_choose(falls, y, x);
        r[DMM_E - 1 - j] = dmm_choose(falls, x, y);
    }
}

/* Stores the tile column after column. In place, so every value is read before any is written. */
DMM_INLINE void dmm_matrix_store(dmm_reg r[DMM_E], dmm_items in, dmm_items out, dmm_index first,
    uint count, uint t)
{
    const dmm_cell own = dmm_cell_of(t);
    dmm_value moved[DMM_E];
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = dmm_matrix_address(own.row, own.first + j);
        if (x < count) {
            out.keys[first + x] = dmm_decode(r[j].code);
            moved[j] = dmm_sort_value(in, first + dmm_reg_position(r[j]));
        }
    }
    if (!DMM_VALUE_BYTES)
        return;
    barrier(CLK_GLOBAL_MEM_FENCE); /* values read | overwritten */
    DMM_UNROLL
    for (uint j = 0; j < DMM_E; j++) {
        const uint x = dmm_matrix_address(own.row, own.first + j);
        if (x < count)
            out.values[first + x] = moved[j];
    }
}

/* The spare list is unused here: scratch of the CPU form of other methods. Conflict-free: Rows. */
DMM_KERNEL(DMM_U)
void dmm_sort_matrix(global dmm_key *keys_in, global dmm_value *values_in,
    global dmm_key *keys_out, global dmm_value *values_out, global dmm_key *keys_spare,
    global dmm_value *values_spare, global const ulong *count_in, const dmm_sort_call c)
{
    DMM_DECLARE_TILE(tile);
    const dmm_items in = dmm_list_of(keys_in, values_in, c.in);
    const dmm_items out = dmm_list_of(keys_out, values_out, c.out);
    const uint t = (uint)get_local_id(0);
    const dmm_index first = DMM_GROUP * DMM_TILE;
    const dmm_index end =
        dmm_counted_end(count_in, c.count_at, (dmm_index)c.first, (dmm_index)c.end);
    const uint count = (uint)min((dmm_index)DMM_TILE, DMM_MINUS(end, first));
    dmm_reg r[DMM_E];
    dmm_load_items(tile, r, in, first, count, t);
    barrier(CLK_GLOBAL_MEM_FENCE); /* in place, keys read | overwritten */
    for (uint i = 0; i < DMM_STEPS; i++) {
        if (DMM_STEP_BY_COLUMNS(dmm_matrix_plan[i]))
            dmm_matrix_sort_columns(tile, r, t, dmm_matrix_plan[i]);
        else
            dmm_matrix_sort_rows(tile, r, t, dmm_matrix_plan[i]);
        dmm_matrix_turn_groups(tile, r, t, dmm_matrix_plan[i]);
    }
    dmm_matrix_store(r, in, out, first, count, t);
}
