/* SPDX-License-Identifier: MIT */
/*
 * The internals of dmm_sort_devices: a call, and its tasks.
 */
#ifndef DMM_PRIMITIVES_DEVICES_H
#define DMM_PRIMITIVES_DEVICES_H

#include <dmm/sort.h>
#include <dmm/sort_devices.h>

#include "core/os.h"

/* Keys and values (or NULL) on the host. */
typedef struct dmm_devices_items {
    char *keys, *values;
} dmm_devices_items;

typedef struct dmm_devices_call {
    const dmm_sort_devices_desc *desc;
    dmm_context *const *contexts;
    uint32_t num_contexts;
    uint32_t key_bytes, value_bytes;
    uint64_t n, part;             /* items, and those of each part but the last */
    uint64_t parts;               /* and ranges */
    dmm_devices_items in, sorted; /* the caller's arrays; sorted parts, owned */
    char *splitters;              /* parts - 1 keys; owned */
    uint64_t *at;                 /* position of each splitter among the sorted parts; owned */
    uint64_t *ends; /* one row a part: the end of each range in it, except the last; owned */
    dmm_sort_devices_share *shares; /* one a context; owned */
    dmm_mutex lock;                 /* guards the next three fields */
    uint64_t next;                  /* task: part, list or range */
    uint64_t ended;                 /* tasks that sort or merge */
    dmm_status status;
    dmm_status (*task)(struct dmm_devices_call *call, uint32_t device, uint64_t i);
} dmm_devices_call;

/* Returns the description of the sort of a part. */
dmm_sort_desc dmm_devices_sort_of(const dmm_devices_call *c);

/* Tasks of a part or range: copy and sort a part; find the ends of its pieces; merge a range. */
dmm_status dmm_devices_sort_part(dmm_devices_call *c, uint32_t device, uint64_t i);
dmm_status dmm_devices_find_ends(dmm_devices_call *c, uint32_t device, uint64_t i);
dmm_status dmm_devices_merge_range(dmm_devices_call *c, uint32_t device, uint64_t r);

/* Chooses parts - 1 splitters, after all parts are sorted. */
dmm_status dmm_devices_choose_splitters(dmm_devices_call *c);

#endif
