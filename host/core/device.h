/* SPDX-License-Identifier: MIT */
/* Facts of one device. The only code that knows vendors is behind this header. */
#ifndef DMM_CORE_DEVICE_H
#define DMM_CORE_DEVICE_H

#include <dmm/device.h>

/* Asks the driver for every fact; what it does not know is taken from the vendor's row or assumed.
 */
dmm_status dmm_device_describe(dmm_device *out, cl_device_id id);

/* Does the driver keep compiled programs by itself? Or, a simulator, need their source? */
int dmm_device_keeps_programs(const dmm_device *device);

/* The fact of that name, to be overridden; NULL if there is none. */
dmm_fact *dmm_device_fact_named(dmm_device *device, const char *name);

#endif
