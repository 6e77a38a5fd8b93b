/* SPDX-License-Identifier: MIT */
/* Facts of one device. Only host/core/device.c has code for particular vendors. */
#ifndef DMM_CORE_DEVICE_H
#define DMM_CORE_DEVICE_H

#include <dmm/device.h>

/* Queries every fact; the vendor's row or a default stands in for a query that fails. */
dmm_status dmm_device_describe(dmm_device *out, cl_device_id id);

/* Fills `out` from facts that were recorded, with defaults for values of 0; out->id is NULL.
 * DMM_BAD_VALUE: a fact outside its range. */
dmm_status dmm_device_complete(dmm_device *out, const dmm_device *facts);

/* Ways in which the lanes of a sub-group exchange data: the numbers of cl/lanes.clh. */
typedef enum dmm_lanes_by {
    DMM_LANES_BY_NONE,
    DMM_LANES_BY_KHR,
    DMM_LANES_BY_PTX,
    DMM_LANES_BY_AMDGCN
} dmm_lanes_by;

/* Returns the way of a device, whose sync_width is then the number of lanes, unless it was set. */
dmm_lanes_by dmm_device_lanes_by(const dmm_device *device);

/* True if compiled programs are not to be cached: the driver caches them itself, or it is a
 * simulator and needs their source. */
int dmm_device_keeps_programs(const dmm_device *device);

/* Returns the fact of that name; NULL if there is none. */
dmm_fact *dmm_device_fact_named(dmm_device *device, const char *name);

#endif
