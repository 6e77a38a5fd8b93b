/* SPDX-License-Identifier: MIT */
/*
 * Transposing m x n matrices in place, by C2R: columns are rotated, so that no two items of a row
 * have their goals in one column; then the items of each row go to their goals' columns, and those
 * of each column to their goals' rows.
 * Cost       reads and writes each item twice in each pass: by way of a scratch of a row, or of
 *            DMM_SLICE columns, a group
 * Claim      conflict-free: no local memory
 * Source     B. Catanzaro, A. Keller, M. Garland, "A Decomposition for In-place Matrix
 *            Transposition", PPoPP 2014, DOI 10.1145/2555243.2555253, algorithm 1
 */

/* DMM_SLICE: columns that move together. */
#if !defined(DMM_SLICE) || DMM_SLICE < 1
#error "DMM_SLICE must be at least 1"
#endif

/* c = gcd(m, n), a = m / c, b = n / c; work: rows or slices of all matrices. */
#define DMM_PLACE_PARAMETERS                                                                \
    global dmm_value_word *items, ulong items_at, global dmm_value_word *scratch,           \
        ulong scratch_at, dmm_index m, dmm_index n, dmm_index a, dmm_index b, ulong work,   \
        ulong groups, ulong scratch_words

#define DMM_PLACE_GROUP (get_global_id(0) / DMM_U)

/* Row by row: item j of row i, of row (i + j / b) mod m of the input, goes to its column. */
DMM_KERNEL(DMM_U)
void dmm_transpose_rows(DMM_PLACE_PARAMETERS)
{
    scratch += scratch_at + DMM_PLACE_GROUP * scratch_words;
    for (ulong w = DMM_PLACE_GROUP; w < work; w += groups) {
        global dmm_value_word *row = items + (items_at + w * n * DMM_WORDS);
        const dmm_index i = (dmm_index)(w % m);
        for (dmm_index j = (dmm_index)get_local_id(0); j < n; j += DMM_U) {
            const dmm_index goal = ((i + j / b) % m + j * m) % n;
            for (uint k = 0; k < DMM_WORDS; k++)
                scratch[goal * DMM_WORDS + k] = row[j * DMM_WORDS + k];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* scratch filled, row read | read by others, overwritten */
        for (dmm_index j = (dmm_index)get_local_id(0); j < n * DMM_WORDS; j += DMM_U)
            row[j] = scratch[j];
        barrier(CLK_GLOBAL_MEM_FENCE); /* scratch read | overwritten by the next row */
    }
}

/* A slice of columns: row r of column q gets what row `source` of it holds. */
DMM_INLINE dmm_index dmm_rotated(dmm_index r, dmm_index q, dmm_index m, dmm_index b)
{
    return (r + q / b) % m;
}

DMM_INLINE dmm_index dmm_shuffled(dmm_index r, dmm_index q, dmm_index m, dmm_index n, dmm_index a)
{
    return (q + r * n + m - r / a) % m;
}

DMM_KERNEL(DMM_U)
void dmm_transpose_columns(DMM_PLACE_PARAMETERS, uint rotates)
{
    const dmm_index slices = (n - 1) / DMM_SLICE + 1;
    scratch += scratch_at + DMM_PLACE_GROUP * scratch_words;
    for (ulong w = DMM_PLACE_GROUP; w < work; w += groups) {
        const dmm_index q0 = (dmm_index)(w % slices) * DMM_SLICE;
        const dmm_index width = min((dmm_index)DMM_SLICE, n - q0);
        global dmm_value_word *matrix = items + (items_at + w / slices * m * n * DMM_WORDS);
        for (dmm_index x = (dmm_index)get_local_id(0); x < m * DMM_SLICE; x += DMM_U) {
            const dmm_index r = x / DMM_SLICE, q = q0 + x % DMM_SLICE;
            if (q >= n)
                continue;
            const dmm_index from = rotates ? dmm_rotated(r, q, m, b) : dmm_shuffled(r, q, m, n, a);
            for (uint k = 0; k < DMM_WORDS; k++)
                scratch[x * DMM_WORDS + k] = matrix[(from * n + q) * DMM_WORDS + k];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* scratch filled, slice read | read, overwritten */
        for (dmm_index x = (dmm_index)get_local_id(0); x < m * DMM_SLICE; x += DMM_U) {
            const dmm_index r = x / DMM_SLICE, c = x % DMM_SLICE;
            for (uint k = 0; k < DMM_WORDS && c < width; k++)
                matrix[(r * n + q0 + c) * DMM_WORDS + k] = scratch[x * DMM_WORDS + k];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); /* scratch read | overwritten by the next slice */
    }
}
