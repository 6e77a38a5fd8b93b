/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_partition.
 */
#ifndef DMM_PRIMITIVES_PARTITION_H
#define DMM_PRIMITIVES_PARTITION_H

#include <dmm/partition.h>

#include "primitives/classes.h"
#include "primitives/mapping_store.h"
#include "primitives/pack/pack.h"
#include "primitives/sort/radix.h"

struct dmm_partition {
    dmm_object object;
    dmm_partition_desc desc;
    uint32_t item_bytes, label_bytes, bucket_bytes;
    const dmm_tile_by *tile_by; /* as in dmm_radix_desc */
    dmm_item_layout layout;     /* layout of the data that buckets are computed from */
    dmm_parameters p;
    cl_kernel bucket, judge, offsets;
    /* Ways to move: two buckets of the GPU form by packing, all others by sorts by bucket; values:
     * NULL if there are none */
    dmm_pack *pack;
    dmm_radix *items, *values;
    int by_digits; /* `items` sorts by bits of the items themselves, and moves the values, too */
    /* If one pass moves everything: number of buckets, rounded up, that are counted while they are
     * found; else 0 */
    uint32_t count_rows;
    dmm_word_layout item_words, value_words; /* of what is copied: dmm_partition_moves_once */
    dmm_scan *scan;                          /* scans these counts; CPU form only */
    dmm_mapping_store store;
};

/* Spans of temp for a move, and who has counted the buckets. */
typedef struct dmm_partition_moves {
    dmm_span items, values;       /* those of the call, or their copies */
    dmm_span buckets;             /* of the items; or their labels */
    dmm_span sorted;              /* for the same, sorted */
    dmm_span wrong;               /* what packing judges: cl/partition.cl */
    dmm_span verdict;             /* number of items to move; unless they are packed */
    dmm_span chain, values_chain; /* cleared as far as is needed */
    dmm_span counts;              /* as in dmm_radix_args, as `stamp` */
    dmm_span temp;                /* dmm_partition_move_bytes */
    uint64_t groups, range;       /* shares of the groups */
    uint32_t stamp;
} dmm_partition_moves;

/* True if the GPU form packs the items of two buckets. */
int dmm_partition_packs(const dmm_partition *partition);

/* Returns 1 if the buckets that are found are stored: what moves the items may read labels as wide
 * as buckets, bits, or an expression of items alone, again. */
int dmm_partition_stores_buckets(const dmm_partition *partition);

/* Returns 1 if packing, or one chained pass, moves items: in place it reads a copy, which is made
 * as the buckets are found. */
int dmm_partition_moves_once(const dmm_partition *partition);

/* Returns the chains of a call of n items: those of the sorts of items and of values. */
dmm_radix_chain dmm_partition_chain(const dmm_partition *partition, uint64_t n);
dmm_radix_chain dmm_partition_values_chain(const dmm_partition *partition, uint64_t n);

/* Returns what moves, items or values: those of the call, or, in place, their copies. */
dmm_span dmm_partition_items(const dmm_partition *partition, const dmm_call *call, size_t copy);
dmm_span dmm_partition_values(const dmm_partition *partition, const dmm_call *call, size_t copy);

/* Creates what moves the items, and sets count_rows; moves the items and values of a call. */
dmm_status dmm_partition_build_moves(dmm_partition *partition);
uint64_t dmm_partition_move_bytes(const dmm_partition *partition, dmm_sizes sizes);
dmm_status dmm_partition_move(
    const dmm_partition *partition, const dmm_call *call, const dmm_partition_moves *m);

/* The init of a class of partitions whose passes sort their tiles so. */
dmm_status dmm_partition_by_tiles(dmm_partition *partition, const dmm_tile_by *tile_by);

/* What classes of partitions share: all but init. */
#define DMM_PARTITION_CLASS                                                                   \
    DMM_CLASS(dmm_partition), .word = "partition", .desc_taken = 1, .args_taken = 1,          \
                              .ports = dmm_partition_ports, .lay_out = dmm_partition_lay_out, \
                              .steps = dmm_partition_steps
size_t dmm_partition_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS]);
void dmm_partition_lay_out(const void *object, dmm_call *call);
dmm_status dmm_partition_steps(const void *object, dmm_call *call);

/* The _host form of such a class. */
dmm_status dmm_partition_host_of(dmm_context *ctx, const dmm_class *class,
    const dmm_partition_desc *desc, const dmm_partition_host_args *host, size_t n);

/* Returns the number of items of `by` that a call of n items reads. */
uint64_t dmm_partition_by_items(const dmm_partition *partition, uint64_t n);

#endif
