/* SPDX-License-Identifier: MIT */
/*
 * Work-group collectives: functions without bank conflicts for the caller's own kernels. Returns
 * their OpenCL C text, which precedes the kernels in a program: sorts, merges, set operations,
 * scans, reductions, compactions, exchanges, transposes, permutations, ranks and histograms of the
 * items that a work-group, or a sub-group, has in registers.
 *
 * Example, a kernel that sorts each row of 2048 numbers:
 *
 *     dmm_group_desc desc = {.kind = DMM_GROUP_SORT, .name = "row", .u = 256, .E = 8};
 *     char *text = NULL;
 *     if (dmm_group_source(&text, &desc) == DMM_OK) ... clCreateProgramWithSource of two texts:
 *
 *     kernel __attribute__((reqd_work_group_size(256, 1, 1)))
 *     void sort_rows(global uint *rows)
 *     {
 *         local row_room_word room[ROW_ROOM_WORDS];
 *         uint r[8];
 *         rows += get_group_id(0) * 2048;
 *         row_load(r, rows, 2048, 0, room);
 *         row_sort(r, 2048, room);
 *         row_store(rows, r, 2048, room);
 *     }
 *
 * Names        all that a text defines begins with `name` and _, its macros with the name in
 *              capitals: texts of several names may be in one program
 * Devices      any OpenCL C 1.2, also offline: `dmm group` prints the text, and share/dmm/group of
 *              an installation has files to include. Neither a library nor a context is needed
 * Bank claim   conflict-free on any items, labels and flags, with any operator or `less`, for
 *              `banks` banks: docs/proofs.md has the sections that the text names. The library's
 *              kernels are made of the same functions
 * Cost         as the text says for each function
 * Source       as the text says
 */
#ifndef DMM_GROUP_H
#define DMM_GROUP_H

#include <dmm/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a text has, with the name `x`: the functions of cl/group/group_<kind>.clh, with x_ in place
 * of dmm_. x_item is an item; x_room_word and X_ROOM_WORDS are the local memory that they need.
 *   all with items  x_load, x_store, x_load_stripes, x_store_stripes, x_to_blocks, x_to_stripes;
 *          x_keep, x_keep_blocks, x_part (compaction and partition by flags)
 *   items  x_transpose, x_transpose_back (with `columns`); x_permute (by a plan); with an operator
 *          x_reduce, x_scan_inclusive, x_scan_exclusive, x_scan_after
 *   sort   x_sort, x_sort_from (with the places that items came from), x_merge, x_merge_from,
 *          x_path (merge path), x_run_starts, x_unique; with `positions`, `less` or `zero_equal`
 *          x_set_union, x_set_intersection, x_set_difference, x_set_symmetric_difference
 *   count  x_bins_clear, x_bins_add, x_bins_sum, x_bins_of (a histogram)
 *   radix  x_rank (by a digit), x_sort_bits, x_sort_bits_from
 *   lanes  of a sub-group whose lanes exchange data, without local memory: x_load, x_store,
 *          x_load_stripes, x_store_stripes, x_to_blocks, x_to_stripes, x_from_lane, x_places (of
 *          flagged items), x_rank; with an operator x_reduce, x_scan_inclusive, x_scan_exclusive,
 *          x_scan_after; of numbers or by `less` x_sort, x_sort_from
 */
typedef enum dmm_group_kind {
    DMM_GROUP_ITEMS = 0,
    DMM_GROUP_SORT = 1,
    DMM_GROUP_COUNT = 2,
    DMM_GROUP_RADIX = 3,
    DMM_GROUP_LANES = 4
} dmm_group_kind;

typedef struct dmm_group_desc {
    dmm_group_kind kind;
    const char *name;        /* a C identifier of at most 32 characters, not all capitals */
    dmm_order order;         /* items: type, item, item_bytes alone; radix: numbers; sort: all */
    const dmm_operator *own; /* items, lanes: combine and identity, over items of `order`; NULL:
                                none */
    int positions;           /* sort, radix, lanes: the _from functions give the places */
    uint32_t bins;           /* count: 1 to 256; a bank_bytes-th of them words a work-item. radix,
                                lanes: values of a digit of x_rank, a power of two from 2 to 128,
                                or to u; 0: 16 */
    uint32_t u;              /* work-items a group, a power of two, at least `banks`; 0: 256. lanes:
                                of a sub-group, dmm_device.sync_width, 4 to 64; 0: 32 */
    uint32_t E;              /* items a work-item; 1 to 32; 0: 8. lanes: a power of two, at most u;
                                0: 4 */
    uint32_t banks;          /* as of dmm_device.banks; 0: 32. lanes: not used */
    uint32_t bank_bytes;     /* 4 or 8; 0: 4 */
    uint64_t columns;        /* items: of the matrix of u*E items that x_transpose turns; these or
                                its rows are a multiple of banks; 0: none */
    uint64_t lanes;          /* items, radix: of a sub-group, dmm_device.sync_width, 4 to 64 and at
                                most u, if x_reduce, x_scan_* and, from `banks` lanes on,
                                x_sort_bits are to exchange data by them; 0: they are not */
    uint64_t reserved[2];    /* 0 */
} dmm_group_desc;

/* Writes the text to *out, which dmm_group_source_free frees. Expressions are compiled with the
 * kernels: a compiler's message about them names the field and its line, about the kernels the
 * lines of "kernel". Errors: DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_UNSUPPORTED (reserved),
 * DMM_OUT_OF_MEMORY; then *out is NULL. */
DMM_API dmm_status dmm_group_source(char **out, const dmm_group_desc *desc);
/* Frees a text; NULL: nothing. */
DMM_API void dmm_group_source_free(char *text);

/* Writes the u*E words that x_permute of the text of `desc` needs, for the permutation that moves
 * the item at position i of a group's striped items to index[i], a permutation of 0 .. u*E - 1. E
 * must be a power of two. Cost: log2 of u*E / banks steps an item, on the host. Errors:
 * DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_BAD_DATA (no permutation), DMM_OUT_OF_MEMORY. */
DMM_API dmm_status dmm_group_moves(
    uint32_t *moves_out, const dmm_group_desc *desc, const uint64_t *index);

#ifdef __cplusplus
}
#endif

#endif
