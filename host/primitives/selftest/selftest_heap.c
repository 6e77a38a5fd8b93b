/* SPDX-License-Identifier: MIT */
/*
 * The self-test's check of heaps.
 */
#include <stdlib.h>

#include <dmm/heap.h>

#include "core/check.h"
#include "primitives/selftest/selftest.h"

enum { BULKS = 7 };

/* Inserts all items in so many bulks, deletes half of each bulk and inserts it again, and then
 * takes all: they come in sorted order. */
static dmm_status heap_by(dmm_trial *t, uint64_t bulks)
{
    dmm_status status = DMM_OK;
    const uint64_t bulk = t->n / bulks + 1;
    const dmm_heap_desc desc = {.priority = t->type, .bulk = bulk, .capacity = t->n + 1};
    uint64_t bytes = 0, taken = 0;
    dmm_heap_host_args args = {.op = DMM_HEAP_CLEAR};
    dmm_trial_expect_sorted(t, 0, t->n);
    dmm_trial_expect_no_origins(t);
    for (uint64_t i = 0; i < t->n; i++)
        t->spare[i] = (uint32_t)i;
    TRY(dmm_heap_bytes(&bytes, &desc));
    FAIL_IF((args.heap = calloc((size_t)bytes, 1)) == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_heap_host(t->ctx, &desc, &args, 0));
    for (uint64_t call = 0; call < 3 * bulks; call++, args.turn++) {
        const uint64_t first = call / 3 * bulk, left = t->n > first ? t->n - first : 0;
        args.op = call % 3 == 1 ? DMM_HEAP_DELETE : DMM_HEAP_UPDATE;
        args.keys_in = t->spare + first;
        args.priorities_in = t->input + first * t->bytes;
        const uint64_t all = left < bulk ? left : bulk;
        TRY(dmm_heap_host(t->ctx, &desc, &args, (size_t)(call % 3 == 0 ? all : all / 2)));
    }
    args.op = DMM_HEAP_EXTRACT;
    args.count_out = &taken;
    for (uint64_t first = 0; first < t->n; first += taken, args.turn++) {
        const uint64_t left = t->n - first;
        args.keys_out = t->spare;
        args.priorities_out = t->answer + first * t->bytes;
        TRY(dmm_heap_host(t->ctx, &desc, &args, (size_t)(left < bulk ? left : bulk)));
        FAIL_IF(taken == 0, DMM_WRONG_RESULT);
    }
out:
    free(args.heap);
    return status;
}

static dmm_status heap_of_one_bulk(dmm_trial *t)
{
    return heap_by(t, 1);
}

static dmm_status heap(dmm_trial *t)
{
    return heap_by(t, BULKS);
}

const dmm_check dmm_heap_checks[] = {
    {"heap, one bulk", heap_of_one_bulk, U32, 0},
    {"heap", heap, U32 | F32, 0},
    {0},
};
