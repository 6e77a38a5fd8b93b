/* SPDX-License-Identifier: MIT */
/*
 * Packing for dmm_unique, dmm_select and, as a part, dmm_partition: kept items move, in order, side
 * by side. The GPU form moves by a chained scan, but a split by the counts that it is given; the
 * CPU form counts, and moves.
 */
#ifndef DMM_PRIMITIVES_PACK_H
#define DMM_PRIMITIVES_PACK_H

#include "cl/pack/pack_call.clh"
#include "primitives/classes.h"
#include "primitives/mapping.h"
#include "primitives/words.h"

enum { DMM_POSITION_BYTES = 8 };

typedef struct dmm_pack_desc {
    uint32_t by; /* DMM_PACK_RUNS, _FLAGS or _EXPRESSION */
    uint32_t item_bytes;
    uint32_t value_bytes; /* 0: none */
    uint64_t max_n;
    dmm_tuning tuning;
    const dmm_map *map;  /* NULL: none */
    int second;          /* the prelude declares dmm_select_second, for a second list */
    int behind;          /* other items go behind the kept ones, the last one first */
    int split;           /* GPU form: other items go before the kept ones, which an earlier step of
                           the call has counted; rest and rest_values are out and values_out */
    int in_place;        /* outputs may equal inputs: by way of temp; not with split */
    const char *prelude; /* of a part, as in dmm_pack_init; NULL: "" */
    uint64_t reserved[4];
} dmm_pack_desc;

/* First field of primitives that pack. */
typedef struct dmm_pack {
    dmm_object object;
    dmm_pack_desc what;
    dmm_mapping mapping;
    dmm_parameters p;
    dmm_word_layout items, values;
    dmm_lanes_by lanes_by; /* GPU form: how lanes exchange data; none: items are ranked by sums */
    cl_kernel keep;
    cl_kernel back;  /* in place */
    cl_kernel clear; /* GPU form */
    cl_kernel count; /* CPU form */
} dmm_pack;

/* Of a split: what was counted, in ranges of the items, and what is told. */
typedef struct dmm_pack_judged {
    dmm_span ranges; /* positions and numbers of kept items, as in cl/pack/pack.clh */
    uint32_t num_ranges;
    uint64_t range;   /* items of each */
    dmm_span offsets; /* 3 u64: where each list begins, and the end */
    dmm_span report;  /* a dmm_report, or none */
} dmm_pack_judged;

/* The spans of a call; none where it has no such span. */
typedef struct dmm_pack_spans {
    dmm_span items, values, flags;
    dmm_span out, values_out, rest, rest_values, second, second_values;
    dmm_span positions, kept, seconds, count;
    dmm_pack_judged judged;
    const dmm_span *further;
    dmm_span temp; /* of a part */
} dmm_pack_spans;

/* Returns the bytes of an item of the input. */
static inline uint32_t dmm_pack_in_bytes(const dmm_pack *pack)
{
    return dmm_mapping_in(&pack->mapping, pack->what.item_bytes);
}

/* For dmm_class.init; `what` and `mapping` are set. prelude: declares dmm_select_where for
 * _EXPRESSION, dmm_item and the map's texts with a map; otherwise "". */
dmm_status dmm_pack_init(dmm_pack *pack, const char *prelude);
void dmm_pack_lay_out(const void *pack, dmm_call *call);
dmm_status dmm_pack_steps(const dmm_pack *pack, const dmm_call *call, const dmm_pack_spans *spans);

/* Returns the tiles of a launch whose counts are chained: counts have 30 bits. */
uint64_t dmm_chained_tiles(const dmm_context *ctx, uint64_t tile);

/* Packing as a part of another object, without a map. */
extern const dmm_class dmm_pack_class;

#endif
