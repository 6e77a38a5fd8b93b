/* SPDX-License-Identifier: MIT */
/*
 * Device buffers between red zones: guard bytes before the payload (as many as its offset) and
 * after it. With small sizes nothing follows the payload, so that a simulator sees an access past
 * its end.
 */
#ifndef DMM_TESTS_ZONE_H
#define DMM_TESTS_ZONE_H

#include <dmm/types.h>

#include "support/rig.h"

typedef struct zone {
    cl_mem buffer;
    uint64_t offset_bytes; /* the payload's */
    uint64_t bytes;        /* the payload's */
    uint64_t total_bytes;
} zone;

/* The payload is copied from `from`; NULL leaves it filled with guard bytes. */
zone zone_create(const rig *r, const void *from, uint64_t bytes, uint64_t offset_bytes);
void zone_free(zone *z);
dmm_span zone_span(const zone *z);

/* Blocks. */
void zone_write(const rig *r, const zone *z, const void *from);
void zone_read(const rig *r, const zone *z, void *to);
/* True if all guard bytes are unchanged. */
int zone_intact(const rig *r, const zone *z);
/* True if the payload equals these bytes and the guards are intact. */
int zone_holds(const rig *r, const zone *z, const void *expected);
/* True if the payload from this byte on, and the guards, are as zone_create with from = NULL left
 * them. */
int zone_kept(const rig *r, const zone *z, uint64_t first);
/* True if all of it, including the payload, is as zone_create with from = NULL left it. */
int zone_untouched(const rig *r, const zone *z);

#endif
