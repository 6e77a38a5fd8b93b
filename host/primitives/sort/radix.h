/* SPDX-License-Identifier: MIT */
/*
 * Radix sort as an internal object: method radix of dmm_sort, and the passes of dmm_partition and
 * dmm_permute.
 */
#ifndef DMM_PRIMITIVES_RADIX_H
#define DMM_PRIMITIVES_RADIX_H

#include <dmm/sort.h>

#include "core/device.h"
#include "primitives/scan.h"
#include "primitives/items.h"

/* How the GPU form sorts a tile by a digit. */
typedef enum dmm_tile_by {
    DMM_TILE_BY_RANK,  /* by ballots where lanes can exchange data, otherwise by columns */
    DMM_TILE_BY_SPLIT, /* a bit at a time, without bank conflicts */
    DMM_TILE_BY_ROUTE, /* by rank, items moved by a matrix plan; GPU form only */
    DMM_TILE_BY_BLOCKS /* by rank, whole blocks are written; GPU form only, keys with values */
} dmm_tile_by;

typedef struct dmm_radix_desc {
    dmm_order order;      /* no `less` */
    uint32_t value_bytes; /* as in dmm_sort_desc, like the other fields */
    int argsort;
    dmm_bits bits;
    dmm_tile_by tile_by;
    int guarantee;
    uint64_t max_n;
    dmm_tuning tuning;
    uint64_t reserved[4];
} dmm_radix_desc;

/*
 * sizes.m: items that need be in order, the first; 0: all.
 * counts: the caller may have counted the digits, for all digits of the keys' bits. Then one pass
 * moves the values, and no keys are written. DMM_NONE: the call counts.
 * CPU form   if dmm_radix_share has groups: counts of these shares as in cl/radix/counts.clh,
 *            scanned exclusively, with this stamp (dmm_radix_stamp)
 * GPU form   if dmm_radix_takes_rows: counts[DMM_RADIX_OWN_ROWS + group][digit] of `groups` groups
 *            of any shares. The call sets counts[0][digit] to the first place of each digit.
 */
typedef struct dmm_radix_args {
    dmm_sort_args items;
    dmm_span counts;
    uint32_t stamp;
    uint64_t groups;
    uint64_t reserved[4];
} dmm_radix_args;

enum { DMM_RADIX_OWN_ROWS = 3 };

typedef struct dmm_radix {
    dmm_object object;
    dmm_radix_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    dmm_lanes_by lanes_by;       /* how lanes exchange data; none unless tiles are sorted by rank */
    uint32_t begin_bit, end_bit; /* bits of codes to sort by */
    int chained;                 /* passes are chained (cl/radix/radix_chain.clh) */
    cl_kernel count, scatter, copy, alone;
    cl_kernel digits, starts, pass; /* chained: instead of count and scatter */
    cl_kernel buckets;              /* CPU form only */
    cl_kernel gather;               /* NULL where values move themselves */
    dmm_scan *scan;                 /* of counts; NULL if chained */
} dmm_radix;

extern const dmm_class dmm_radix_class;

/* Group g has items g*range .. (g + 1)*range - 1. */
typedef struct dmm_radix_shares {
    uint64_t groups, range;
} dmm_radix_shares;

/* Returns the shares for which a caller may count n items; no groups: it may not. */
dmm_radix_shares dmm_radix_share(const dmm_radix *radix, uint64_t n);

/* True if the caller may count n items for a chained pass. */
int dmm_radix_takes_rows(const dmm_radix *radix, uint64_t n);

/* Returns the passes of a sort that does not divide; at least 1. */
uint32_t dmm_radix_passes(const dmm_radix *radix);

/* Returns the most counts of a pass of that many groups. */
uint64_t dmm_radix_most_counts(const dmm_radix *radix, uint64_t groups);

/* CPU form: returns what the groups keep of up to so many counts each; and the stamp of a call. */
uint64_t dmm_radix_kept_counts(uint64_t bins, uint64_t groups);
uint32_t dmm_radix_stamp(void);
void dmm_radix_lay_out(const void *object, dmm_call *call);
dmm_status dmm_radix_steps(const void *object, dmm_call *call);

#endif
