/* SPDX-License-Identifier: MIT */
/*
 * Radix sort as an internal object: method radix of dmm_sort, and the passes of dmm_partition and
 * dmm_permute.
 */
#ifndef DMM_PRIMITIVES_RADIX_H
#define DMM_PRIMITIVES_RADIX_H

#include <dmm/sort.h>

#include "core/device.h"
#include "core/options.h"
#include "primitives/scan_part.h"
#include "primitives/items.h"

typedef struct dmm_radix dmm_radix;

/* How the GPU form sorts a tile by a digit: a row, beside its own code. */
typedef struct dmm_tile_by {
    const char *root;                   /* the program; NULL: passes are chained */
    const struct dmm_embedded *sources; /* as in dmm_program_desc */
    const char *scatter;                /* the kernel of a pass that is not chained */
    /* Adds the local memory of a tile. */
    void (*add)(const dmm_radix *radix, dmm_footprint *footprint);
    /* Defines what its kernels need beside those of every radix sort. */
    dmm_status (*define)(const dmm_radix *radix, dmm_options *options);
} dmm_tile_by;

/* By rank: by ballots where lanes exchange data, else by columns. By split: a bit at a time. */
extern const dmm_tile_by dmm_tile_by_rank, dmm_tile_by_split;

typedef struct dmm_radix_desc {
    dmm_order order;      /* no `less` */
    uint32_t value_bytes; /* as in dmm_sort_desc, like the other fields */
    int argsort;
    dmm_bits bits;
    const dmm_tile_by *tile_by; /* NULL: by rank; under `guarantee` by split */
    int guarantee;
    uint64_t max_n;
    dmm_tuning tuning;
    uint64_t reserved[4];
} dmm_radix_desc;

/*
 * sizes.m: only the first m items must be sorted; 0: all.
 * counts: the caller may have counted the digits, for all digits of the keys' bits. Then one pass
 * moves the values, and no keys are written unless moves_keys. DMM_NONE: the call counts.
 * CPU form   if dmm_radix_share has groups: counts of these shares as in cl/radix/counts.clh,
 *            scanned exclusively, with this stamp (dmm_radix_stamp)
 * GPU form   if is_started and dmm_radix_takes_starts: counts[0][digit], the first place of each
 *            digit, of DMM_RADIX_START_ROWS rows; and a chain (dmm_radix_chain_of), cleared.
 *            values_out is not values_in.
 */
typedef struct dmm_radix_args {
    dmm_sort_args items;
    dmm_span counts;
    dmm_span chain;
    uint32_t stamp;
    int moves_keys;
    uint64_t reserved[4];
} dmm_radix_args;

enum { DMM_RADIX_START_ROWS = 3 };

struct dmm_radix {
    dmm_object object;
    dmm_radix_desc desc;
    dmm_item_layout layout;
    dmm_parameters p;
    const dmm_tile_by *tile_by;
    dmm_lanes_by lanes_by;       /* how lanes exchange data; none unless tiles are sorted by rank */
    uint32_t begin_bit, end_bit; /* bits of codes to sort by */
    int chained;                 /* passes are chained (cl/radix/radix_chain.clh) */
    int is_started;              /* calls bring starts if dmm_radix_takes_starts; set by owners */
    cl_kernel count, scatter, copy, alone;
    cl_kernel digits, starts, pass; /* chained: instead of count and scatter */
    cl_kernel buckets, merge;       /* CPU form only */
    cl_kernel gather;               /* NULL where values move themselves */
    dmm_scan *scan;                 /* scans counts; NULL if chained */
};

extern const dmm_class dmm_radix_class;

/* Group g has items g*range .. (g + 1)*range - 1. */
typedef struct dmm_radix_shares {
    uint64_t groups, range;
} dmm_radix_shares;

/* Returns the shares for which a caller may count n items; no groups: it may not. */
dmm_radix_shares dmm_radix_share(const dmm_radix *radix, uint64_t n);

/* True if the caller may bring the starts of n items, for one chained pass. */
int dmm_radix_takes_starts(const dmm_radix *radix, uint64_t n);

/* Words of 4 bytes of the chain of n items: of all, and of those that the caller clears. None if it
 * may not bring starts. */
typedef struct dmm_radix_chain {
    uint64_t words, cleared;
} dmm_radix_chain;

dmm_radix_chain dmm_radix_chain_of(const dmm_radix *radix, uint64_t n);

/* Returns the passes of a sort that does not divide; at least 1. */
uint32_t dmm_radix_passes(const dmm_radix *radix);

/* Returns the most counts of a pass of that many groups. */
uint64_t dmm_radix_most_counts(const dmm_radix *radix, uint64_t groups);

/* CPU form: returns what the groups keep of up to so many counts each; and the stamp of a call. */
uint64_t dmm_radix_kept_counts(uint64_t bins, uint64_t groups);
uint32_t dmm_radix_stamp(void);

/* For rows of dmm_tile_by. Adds the local memory for sorting a tile in steps: for each work-item
 * two sums and a counter for each value of a step's bits. */
void dmm_radix_add_steps(const dmm_radix *radix, dmm_footprint *footprint, uint32_t step_bits);
void dmm_radix_define_steps(dmm_options *options, int splits, uint32_t step_bits);

/* Bits of a step by rank. */
enum { DMM_STEP_BITS_BY_RANK = 4 };

void dmm_radix_lay_out(const void *object, dmm_call *call);
dmm_status dmm_radix_steps(const void *object, dmm_call *call);

#endif
