/* SPDX-License-Identifier: MIT */
#include "primitives/lanes.h"

#include "core/check.h"
#include "core/context.h"
#include "core/log.h"
#include "core/opencl.h"

dmm_lanes_by dmm_lanes_of(const dmm_context *ctx, const dmm_tuning *tuning)
{
    return ctx->device.sync_width.value > 1 && !dmm_context_is_cpu(ctx, tuning)
               ? dmm_device_lanes_by(&ctx->device)
               : DMM_LANES_BY_NONE;
}

void dmm_lanes_define(dmm_options *options, dmm_lanes_by by, const dmm_device *device)
{
    if (by == DMM_LANES_BY_NONE)
        return;
    dmm_options_define(options, "DMM_LANES_BY", by);
    dmm_options_define(options, "DMM_LANES", device->sync_width.value);
}

/* True if sub-groups of that many work-items may be meant by a multiple that a driver prefers: the
 * width itself; where kernels ask for a width, Intel's driver doubles it for pairs of units. */
static int is_width(dmm_lanes_by by, uint64_t width, size_t multiple)
{
    return by == DMM_LANES_BY_KHR ? multiple % width == 0 : multiple == width;
}

dmm_status dmm_lanes_kernel(
    void *object, dmm_lanes_by by, cl_program program, const char *name, uint32_t u, cl_kernel *out)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const uint64_t width = ctx->device.sync_width.value;
    size_t multiple = 0;
    TRY(dmm_object_kernel(object, program, name, u, out));
    if (by == DMM_LANES_BY_NONE || dmm_context_is_offline(ctx) ||
        clGetKernelWorkGroupInfo(*out, ctx->programs.device,
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple,
            NULL) != CL_SUCCESS ||
        is_width(by, width, multiple))
        goto out;
    dmm_log_line(&ctx->log, "%s: compiled for sub-groups of %u, not %u: not used", name,
        (unsigned)multiple, (unsigned)width);
    status = DMM_BAD_PARAMETERS;
out:
    return status;
}
