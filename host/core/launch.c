/* SPDX-License-Identifier: MIT */
/*
 * Launch chains.
 */
#include "core/launch.h"

#include "core/check.h"
#include "core/opencl.h"
#include "core/size.h"
#include "core/trace.h"

/* Returns CL_INVALID_EVENT if a driver enqueued a step without an event: the next step would not
 * wait for it. */
static dmm_status append(dmm_chain *chain, dmm_status status, cl_event next)
{
    if (status == DMM_OK && next == NULL) {
        clFinish(chain->queue);
        return CL_INVALID_EVENT;
    }
    if (status == DMM_OK)
        dmm_chain_advance(chain, next);
    return status;
}

void dmm_chain_advance(dmm_chain *chain, cl_event next)
{
    if (chain->last != NULL)
        dmm_trace_keep(chain->trace, chain->last);
    chain->last = next;
}

dmm_status dmm_chain_launch(
    dmm_chain *chain, cl_kernel kernel, const dmm_arg *args, cl_uint num_args, dmm_grid grid)
{
    dmm_status status = DMM_OK;
    const uint64_t items = dmm_size_mul(dmm_size_add(grid.first_group, grid.groups), grid.u);
    const size_t offset = (size_t)(grid.first_group * grid.u);
    const size_t global = (size_t)(grid.groups * grid.u), local = grid.u;
    const int first = chain->last == NULL;
    cl_event next = NULL;

    if (grid.groups == 0)
        goto out;
    FAIL_IF(items >= SIZE_MAX, DMM_TOO_LARGE);
    for (cl_uint i = 0; i < num_args; i++)
        TRY(clSetKernelArg(kernel, i, args[i].bytes, args[i].value));
    status = clEnqueueNDRangeKernel(chain->queue, kernel, 1, &offset, &global, &local,
        first ? chain->num_wait : 1, first ? chain->wait : &chain->last, &next);
    status = append(chain, status, next);
out:
    return status;
}

dmm_status dmm_chain_copy(dmm_chain *chain, dmm_span from, dmm_span to, uint64_t bytes)
{
    const int first = chain->last == NULL;
    cl_event next = NULL;
    const dmm_status status = clEnqueueCopyBuffer(chain->queue, from.buffer, to.buffer,
        (size_t)from.offset_bytes, (size_t)to.offset_bytes, (size_t)bytes,
        first ? chain->num_wait : 1, first ? chain->wait : &chain->last, &next);
    return append(chain, status, next);
}

dmm_status dmm_chain_fill(dmm_chain *chain, dmm_span to, uint32_t word, uint64_t bytes)
{
    const int first = chain->last == NULL;
    cl_event next = NULL;
    const dmm_status status =
        clEnqueueFillBuffer(chain->queue, to.buffer, &word, sizeof word, (size_t)to.offset_bytes,
            (size_t)bytes, first ? chain->num_wait : 1, first ? chain->wait : &chain->last, &next);
    return append(chain, status, next);
}

dmm_status dmm_chain_read(const dmm_chain *chain, dmm_span from, void *to, uint64_t bytes)
{
    const int first = chain->last == NULL;
    dmm_trace_wait_within(chain->trace);
    return clEnqueueReadBuffer(chain->queue, from.buffer, CL_TRUE, (size_t)from.offset_bytes,
        (size_t)bytes, to, first ? chain->num_wait : 1, first ? chain->wait : &chain->last, NULL);
}

dmm_status dmm_chain_end(dmm_chain *chain, dmm_status status, cl_event *event)
{
    cl_event marker = NULL;
    if (status == DMM_OK && chain->last == NULL && (event != NULL || chain->num_wait != 0)) {
        status = clEnqueueMarkerWithWaitList(chain->queue, chain->num_wait, chain->wait, &marker);
        status = append(chain, status, marker);
    }
    if (event != NULL)
        *event = NULL;
    if (chain->last == NULL)
        return status;
    if (status == DMM_OK && event != NULL) {
        *event = chain->last;
        chain->last = NULL;
        return DMM_OK;
    }
    if (status != DMM_OK)
        clWaitForEvents(1, &chain->last);
    dmm_chain_advance(chain, NULL);
    return status;
}
