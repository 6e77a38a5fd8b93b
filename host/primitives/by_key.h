/* SPDX-License-Identifier: MIT */
/*
 * The chained kernels of dmm_scan_by_key, dmm_reduce_by_key and dmm_run_length
 * (cl/by_key_chain.clh): the GPU form, if dmm_scan_can_chain.
 */
#ifndef DMM_PRIMITIVES_BY_KEY_H
#define DMM_PRIMITIVES_BY_KEY_H

#include "cl/by_key_call.clh"
#include "primitives/classes.h"
#include "primitives/lanes.h"
#include "primitives/mapping.h"
#include "primitives/runs.h"
#include "primitives/scan.h"
#include "primitives/words.h"

typedef struct dmm_by_key {
    cl_kernel clear, chained; /* NULL: this call is not chained */
    dmm_item_layout layout;   /* layout of items */
    dmm_word_layout keys;
    dmm_mapping mapping; /* of items */
    dmm_parameters p;
    dmm_lanes_by lanes_by;
    uint32_t what, count_bits; /* what: DMM_BY_KEY_SCAN, ... */
    uint32_t out_bytes;
    uint64_t max_n;
} dmm_by_key;

/* What a class wants of it. */
typedef struct dmm_by_key_desc {
    uint32_t what;
    dmm_scan_desc items; /* type, operator, exclusive, map; max_n and tuning */
    uint32_t key_bytes;
    int heads; /* keys are flags of heads */
} dmm_by_key_desc;

/* For init: builds the kernels if such items can be chained in this form; else *by stays empty. */
dmm_status dmm_by_key_init(void *object, dmm_by_key *by, const dmm_by_key_desc *desc);
/* Lays out the region of that name. */
void dmm_by_key_lay_out(const dmm_by_key *by, dmm_call *call, size_t region);
/* spans: those that a scan lacks are DMM_NONE. */
dmm_status dmm_by_key_steps(
    const dmm_by_key *by, const dmm_call *call, const dmm_runs_spans *spans, size_t region);

#endif
