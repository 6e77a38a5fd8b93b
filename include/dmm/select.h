/* SPDX-License-Identifier: MIT */
/*
 * The items for which a condition holds, side by side: an OpenCL C expression over an item and its
 * position, or a flag for each item. With their values, their positions, and their number, which
 * stays on the device.
 *
 *     dmm_select *select = NULL;
 *     dmm_select_desc desc = {.type = DMM_I32, .where = "x > 0"};
 *     dmm_status status = dmm_select_create(&select, ctx, &desc);
 *     dmm_select_args args = {.items_in = in, .items_out = out, .selected_out = number};
 *     if (status == DMM_OK)
 *         status = dmm_select_enqueue(select, queue, &args, n, 0, NULL, &event);
 *     dmm_select_free(select);
 *
 * Order          as in the input; the others, if they are wanted, in a span of their own, too, or
 *                behind the selected ones in reverse
 * Three ways     with `second` an item goes to one of three lists, in the same launches
 * In place       with `in_place`, by way of temp; otherwise outputs are apart from inputs, which
 *                stay untouched
 * Cost           GPU form: two launches; each item (or flag) is read once, and what moves is read
 *                and written once. CPU form: items (or flags) are read twice
 * Bank claim     dmm_pack_keep: `conflict-free`, whatever the expression; dmm_pack_clear and the
 *                CPU form use no local memory
 *                In place, what is kept is read and written once more
 * Temp           4 bytes a tile, 8 with `second` (CPU form: a few counts a compute unit); in place
 *                also the items and values
 * Source         as <dmm/unique.h>
 */
#ifndef DMM_SELECT_H
#define DMM_SELECT_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * where    an integer, not 0 for the items to select, over `x`, an item, of the OpenCL C type of
 *          `type` (DMM_F16: its bits, <dmm/types.h>) or the type dmm_item, and `i`, its position, a
 *          ulong: "x.age >= 18 && i % 2 == 0". With a map also over `y`, `z` and `w`, its further
 *          inputs; x is what the map gives. It may be evaluated several times for an item. Messages
 *          about a mistake, in the context's log, call its first line select.where:1
 * item     OpenCL C text that declares the type dmm_item, of item_bytes bytes, as in dmm_order
 */
typedef struct dmm_select_desc {
    dmm_type type;
    uint32_t item_bytes;  /* DMM_ITEM only: 1 to 256 */
    const char *item;     /* DMM_ITEM with `where` or a map only */
    const char *where;    /* NULL: items are selected by flags */
    uint32_t value_bytes; /* a value that moves with each item: 1 to 256 bytes; 0: items alone */
    uint64_t max_n;       /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;    /* as for dmm_unique */
    const dmm_map *map;   /* <dmm/map.h>: gives the items; NULL: they are those of items_in */
    const char *second;   /* as `where`, of the items for which that does not hold: a second list.
                             NULL: none */
    uint32_t rest_behind; /* 1: items_out (values_out) gets all items: the selected ones, and then
                             the rest, its last item first; needs no `second` */
    uint32_t in_place;    /* 1: items_out may equal items_in, and values_out values_in */
    uint64_t reserved[1]; /* 0 */
} dmm_select_desc;

/* Where the items go for which `second` holds; any but the number may be none. */
typedef struct dmm_select_second {
    dmm_span items_out;
    dmm_span values_out;
    dmm_span selected_out; /* one uint64_t: their number */
} dmm_select_second;

/* Spans have space for n items. Any overlap is DMM_OVERLAP, but for `in_place`. */
typedef struct dmm_select_args {
    dmm_span items_in;      /* none is allowed by flags, if no item is to move */
    dmm_span values_in;     /* none for items alone */
    dmm_span flags;         /* uint8_t: an item with a flag that is not 0 is selected; only without
                               `where` */
    dmm_span items_out;     /* the selected items; none: not wanted */
    dmm_span values_out;    /* their values; none: not wanted */
    dmm_span positions_out; /* uint64_t: their positions in the input; none: not wanted */
    dmm_span rest_out;      /* the other items; none: not wanted */
    dmm_span rest_values_out;
    dmm_span selected_out; /* one uint64_t: number of selected items, usable as `count` of a later
                              call */
    dmm_span temp;
    dmm_span count;                      /* as in dmm_sort_args */
    const dmm_span *further;             /* as in dmm_scan_args */
    const dmm_select_second *second_out; /* the list of `second`; only read by the call */
    uint64_t reserved[2];                /* 0 */
} dmm_select_args;

/* Built for one context and one description; for one thread at a time. */
typedef struct dmm_select dmm_select;

/* Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE; DMM_BAD_PARAMETERS; DMM_UNSUPPORTED (`where` of f64
 * without double); DMM_BUILD_FAILED: `item` or `where` is no OpenCL C (see the context's log);
 * DMM_OUT_OF_MEMORY; OpenCL's. On failure *out is NULL. */
DMM_API dmm_status dmm_select_create(
    dmm_select **out, dmm_context *ctx, const dmm_select_desc *desc);
/* Monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_select_temp_bytes(uint64_t *out, const dmm_select *select, uint64_t n);
/* Errors and events as dmm_sort_enqueue. n = 0 writes the number 0. */
DMM_API dmm_status dmm_select_enqueue(dmm_select *select, cl_command_queue queue,
    const dmm_select_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event);
/* NULL is fine. */
DMM_API void dmm_select_free(dmm_select *select);

/* Host arrays of n items each. */
typedef struct dmm_select_host_args {
    const void *items;    /* the same array may be an output, as for values */
    const void *values;   /* NULL for items alone */
    const uint8_t *flags; /* NULL with `where` */
    void *items_out;      /* outputs: NULL: not wanted */
    void *values_out;
    uint64_t *positions_out;
    void *rest_out;
    void *rest_values_out;
} dmm_select_host_args;

/* Selects from host arrays, writes the number of selected items to *selected_out, and blocks. Items
 * of an output after its last one are undefined. Errors as above. */
DMM_API dmm_status dmm_select_host(dmm_context *ctx, const dmm_select_desc *desc,
    const dmm_select_host_args *args, size_t n, size_t *selected_out);

#ifdef __cplusplus
}
#endif

#endif
