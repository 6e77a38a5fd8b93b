/* SPDX-License-Identifier: MIT */
/* What the fuzzer draws, and its families of calls. */
#ifndef DMM_TESTS_FUZZ_H
#define DMM_TESTS_FUZZ_H

#include "support/kind.h"
#include "support/rig.h"
#include "support/sort_case.h"
#include "support/zone.h"

enum { FUZZ_CALLS = 12, FUZZ_MOST_ITEMS = 20000 };

/* One description: its randomness, its rig, and the rig by which queue its calls go. */
typedef struct fuzz_state {
    random_source random;
    uint64_t calls;
    rig r, other;
} fuzz_state;

extern fuzz_state fuzz;

uint64_t fuzz_below(uint64_t bound);
int fuzz_coin(void);
#define FUZZ_ONE_OF(list) ((list)[fuzz_below(sizeof(list) / sizeof *(list))])

/* Returns the rig's queue in order or, half of the time where there is one, out of order. */
const rig *fuzz_queue(void);
/* Returns parameters of either form, for so many banks. */
dmm_tuning fuzz_tuning(uint32_t banks);
/* Returns few or many items, and often about the multiples of something. */
uint64_t fuzz_size(void);
/* Shortens columns, so that a tile of such items takes at most half of the local memory. */
void fuzz_fit(dmm_tuning *t, uint32_t item_bytes);
/* Returns any type, order and values. */
sort_setup fuzz_items(dmm_tuning t);

/* The spans of a call, between red zones at any offset, and what must be in them after it. */
typedef struct fuzz_call {
    const rig *r;
    size_t count;
    struct {
        zone z;
        const void *expected; /* `written` bytes; behind them the zone is as it was made */
        uint64_t written;
        int is_input;  /* all of the zone is `expected` */
        int is_packed; /* behind `written` it is undefined */
    } spans[48];
    void *copy; /* to be freed */
    uint64_t number;
} fuzz_call;

/* Begins a call, whose spans are judged where it lies: it is not to be moved. */
void fuzz_call_begin(fuzz_call *c);
/* Return the span of `n` items; none for none. The first `written` are to be `expected`, and the
 * others what they were. */
dmm_span fuzz_in(fuzz_call *c, const void *items, uint64_t n, uint64_t item_bytes);
dmm_span fuzz_out(
    fuzz_call *c, const void *expected, uint64_t n, uint64_t written, uint64_t item_bytes);
/* The others are undefined. */
dmm_span fuzz_packed(
    fuzz_call *c, const void *expected, uint64_t n, uint64_t written, uint64_t item_bytes);
dmm_span fuzz_in_place(fuzz_call *c, const void *items, const void *expected, uint64_t n,
    uint64_t written, uint64_t item_bytes);
/* Returns a span for temp, or none, which leaves it to dmm. */
dmm_span fuzz_temp(fuzz_call *c, uint64_t bytes);
/* Returns the span of a number of items on the device, of which n are to be used: n, or more if
 * that is at_most; none, now and then, if n is at_most. */
dmm_span fuzz_count(fuzz_call *c, uint64_t n, uint64_t at_most);
/* Waits for the call, and judges the spans. */
void fuzz_call_end(fuzz_call *c);

/* Families: a description, and calls of it. */
void fuzz_counted(dmm_tuning t); /* with their numbers of items on the device */
void fuzz_keyed(dmm_tuning t);   /* by runs of equal keys, likewise */
void fuzz_columns(dmm_tuning t); /* arrays side by side, histograms by edges, marked runs */
void fuzz_segmented(dmm_tuning t);
void fuzz_operators(dmm_tuning t); /* operators that are drawn, in lists, segments and axes */
void fuzz_network(dmm_tuning t);
void fuzz_set_stream(dmm_tuning t); /* and unique */
void fuzz_merge_stream(dmm_tuning t);
void fuzz_partition_stream(dmm_tuning t);
void fuzz_maps(dmm_tuning t);      /* computed input */
void fuzz_map_lines(dmm_tuning t); /* likewise, of rows, runs and axes */
void fuzz_moves(dmm_tuning t);     /* sets, lists, shuffles, layouts, matrices, plans */

#endif
