/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort_devices: devices sort parts into a copy of the arrays, then splitters are found among
 * samples, then devices search for them, and merge ranges back into the caller's arrays. A thread
 * for each device takes the next part, list or range when it has finished one.
 */
#include <dmm/sort_devices.h>

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/context.h"
#include "core/object.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/order.h"
#include "primitives/stream/aside.h"
#include "primitives/stream/devices.h"

enum {
    MOST_CONTEXTS = 1024,
    MOST_PARTS = 1 << 12,
    PARTS_A_DEVICE = 4,
    LEAST_PART = 1 << 16,
    MOST_VALUE = 256
};

/* A thread's work. */
typedef struct worker {
    dmm_devices_call *call;
    uint32_t device;
    dmm_aside aside;
} worker;

/* Reports tasks that have ended to the first context; parts and ranges are as many. */
static void report(const dmm_devices_call *c, uint64_t ended)
{
    const dmm_context *const first = c->contexts[0];
    if (first->progress != NULL)
        first->progress(first->progress_user, ended, 2 * c->parts);
}

/* Takes tasks until none is left, or one has failed. */
static dmm_status work(void *user)
{
    worker *const w = user;
    dmm_devices_call *const c = w->call;
    for (;;) {
        dmm_mutex_lock(&c->lock);
        const uint64_t i = c->status == DMM_OK ? c->next++ : c->parts;
        dmm_mutex_unlock(&c->lock);
        if (i >= c->parts)
            return DMM_OK;
        dmm_host_is_part = 1;
        const dmm_status status = c->task(c, w->device, i);
        dmm_host_is_part = 0;
        dmm_mutex_lock(&c->lock);
        if (c->status == DMM_OK)
            c->status = status;
        if (c->status == DMM_OK && c->task != dmm_devices_find_ends)
            report(c, ++c->ended);
        dmm_mutex_unlock(&c->lock);
    }
}

/* Runs a task for each part on all devices, and waits for them. */
static dmm_status run_all(dmm_devices_call *c, worker *workers,
    dmm_status (*task)(dmm_devices_call *c, uint32_t device, uint64_t i))
{
    c->next = 0;
    c->task = task;
    for (uint32_t d = 1; d < c->num_contexts; d++)
        dmm_aside_start(&workers[d].aside, NULL, work, &workers[d]);
    work(&workers[0]);
    for (uint32_t d = 1; d < c->num_contexts; d++)
        dmm_aside_wait(&workers[d].aside);
    return c->status;
}

static dmm_status check(const dmm_devices_call *c)
{
    dmm_status status = DMM_OK;
    TRY(dmm_check_reserved(c->desc, sizeof *c->desc, 0));
    FAIL_IF(c->desc->value_bytes > MOST_VALUE || c->num_contexts == 0, DMM_BAD_VALUE);
    FAIL_IF(c->num_contexts > MOST_CONTEXTS, DMM_TOO_LARGE);
    for (uint32_t d = 0; d < c->num_contexts; d++) {
        FAIL_IF(c->contexts[d] == NULL, DMM_NULL_ARGUMENT);
        TRY(dmm_order_check(&c->desc->order, &c->contexts[d]->device));
    }
    FAIL_IF(
        c->n != 0 && (c->in.keys == NULL || (c->desc->value_bytes != 0) != (c->in.values != NULL)),
        DMM_NULL_ARGUMENT);
out:
    return status;
}

static dmm_status choose_parts(dmm_devices_call *c)
{
    const uint32_t widest = c->key_bytes > c->value_bytes ? c->key_bytes : c->value_bytes;
    const uint64_t share = dmm_size_div_up(c->n, (uint64_t)PARTS_A_DEVICE * c->num_contexts);
    c->part = c->desc->part_items;
    if (c->part == 0) {
        c->part = share > LEAST_PART ? share : LEAST_PART;
        for (uint32_t d = 0; d < c->num_contexts; d++) {
            /* a range is larger than a part, and temp is about as large as the items */
            const uint64_t most = c->contexts[d]->device.max_buffer.value / widest / 2;
            c->part = c->part < most ? c->part : most;
        }
    }
    c->parts = dmm_size_div_up(c->n, c->part);
    return c->parts <= MOST_PARTS ? DMM_OK : DMM_TOO_LARGE;
}

static dmm_status allocate(dmm_devices_call *c)
{
    const uint64_t splitters = c->parts - 1;
    c->sorted.keys = malloc((size_t)c->n * c->key_bytes);
    c->sorted.values = c->value_bytes != 0 ? malloc((size_t)c->n * c->value_bytes) : NULL;
    c->splitters = malloc((size_t)(splitters * c->key_bytes));
    c->at = calloc((size_t)splitters, sizeof *c->at);
    c->ends = calloc((size_t)(c->parts * splitters), sizeof *c->ends);
    return c->sorted.keys == NULL || (c->value_bytes != 0 && c->sorted.values == NULL) ||
                   c->splitters == NULL || c->at == NULL || c->ends == NULL
               ? DMM_OUT_OF_MEMORY
               : DMM_OK;
}

static dmm_status sort_parts(dmm_devices_call *c)
{
    dmm_status status = DMM_OK;
    worker *const workers = calloc(c->num_contexts, sizeof *workers);
    const int has_lock = dmm_mutex_init(&c->lock);
    FAIL_IF(workers == NULL || !has_lock, DMM_OUT_OF_MEMORY);
    for (uint32_t d = 0; d < c->num_contexts; d++)
        workers[d] = (worker){.call = c, .device = d};
    TRY(allocate(c));
    report(c, 0);
    TRY(run_all(c, workers, dmm_devices_sort_part));
    TRY(dmm_devices_choose_splitters(c));
    TRY(run_all(c, workers, dmm_devices_find_ends));
    TRY(run_all(c, workers, dmm_devices_merge_range));
out:
    if (has_lock)
        dmm_mutex_destroy(&c->lock);
    free(workers);
    free(c->sorted.keys);
    free(c->sorted.values);
    free(c->splitters);
    free(c->at);
    free(c->ends);
    return status;
}

dmm_status dmm_sort_devices_host(dmm_context *const *contexts, uint32_t num_contexts,
    const dmm_sort_devices_desc *desc, void *keys, void *values, size_t n,
    dmm_sort_devices_share *shares_out)
{
    dmm_status status = DMM_OK;
    dmm_devices_call c = {.desc = desc,
        .contexts = contexts,
        .num_contexts = num_contexts,
        .n = n,
        .in = {keys, values}};
    dmm_refuse_begin();
    if (contexts == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(check(&c));
    c.key_bytes = dmm_order_key_bytes(&desc->order);
    c.value_bytes = desc->value_bytes;
    FAIL_IF((c.shares = calloc(num_contexts, sizeof *c.shares)) == NULL, DMM_OUT_OF_MEMORY);
    TRY(choose_parts(&c));
    if (c.parts > 1) {
        TRY(sort_parts(&c));
    } else {
        const dmm_sort_desc sort = dmm_devices_sort_of(&c);
        c.shares[0].sorted_items = n;
        TRY(dmm_sort_host(contexts[0], &sort, keys, values, n));
    }
    if (shares_out != NULL)
        memcpy(shares_out, c.shares, num_contexts * sizeof *shares_out);
out:
    free(c.shares);
    return status;
}
