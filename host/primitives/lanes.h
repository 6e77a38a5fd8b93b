/* SPDX-License-Identifier: MIT */
/*
 * Kernels whose lanes exchange data (cl/lanes.clh): for init.
 */
#ifndef DMM_PRIMITIVES_LANES_H
#define DMM_PRIMITIVES_LANES_H

#include "core/device.h"
#include "core/object.h"
#include "core/options.h"

/* Returns how lanes exchange data in the GPU form; none: they do not, or this is the CPU form. */
dmm_lanes_by dmm_lanes_of(const dmm_context *ctx, const dmm_tuning *tuning);

/* Defines what cl/lanes.clh needs, unless `by` is none. */
void dmm_lanes_define(dmm_options *options, dmm_lanes_by by, const dmm_device *device);

/* As dmm_object_kernel, for a kernel whose lanes exchange data, unless `by` is none.
 * DMM_BAD_PARAMETERS (dmm_programs_are_unfit) if the driver compiled it for sub-groups of another
 * width than the device reported. */
dmm_status dmm_lanes_kernel(void *object, dmm_lanes_by by, cl_program program, const char *name,
    uint32_t u, cl_kernel *out);

#endif
