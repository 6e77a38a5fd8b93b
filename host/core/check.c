/* SPDX-License-Identifier: MIT */
/*
 * The checks of arguments that all calls share.
 */
#include "core/check.h"

#include <string.h>

#include "core/opencl.h"
#include "core/size.h"

dmm_status dmm_check_queue(cl_command_queue queue, cl_context context, cl_device_id device)
{
    dmm_status status = DMM_OK;
    cl_context queue_context = NULL;
    cl_device_id queue_device = NULL;
    FAIL_IF(queue == NULL, DMM_NULL_ARGUMENT);
    TRY(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_context, &queue_context, NULL));
    TRY(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL));
    FAIL_IF(queue_context != context || queue_device != device, DMM_WRONG_QUEUE);
out:
    return status;
}

dmm_status dmm_check_wait(cl_uint num_wait, const cl_event *wait)
{
    return (num_wait == 0) == (wait == NULL) ? DMM_OK : CL_INVALID_EVENT_WAIT_LIST;
}

dmm_status dmm_check_reserved(const void *fields, size_t bytes, size_t taken)
{
    static const uint64_t none[DMM_RESERVED_WORDS] = {0};
    const size_t left = sizeof none - taken * sizeof none[0];
    const char *const last = (const char *)fields + bytes - left;
    return memcmp(last, none, left) == 0 ? DMM_OK : DMM_UNSUPPORTED;
}

dmm_status dmm_check_span(dmm_span span, uint64_t n, uint32_t item_bytes)
{
    dmm_status status = DMM_OK;
    size_t buffer_bytes = 0;
    if (n == 0)
        goto out;
    FAIL_IF(span.buffer == NULL, DMM_NULL_ARGUMENT);
    FAIL_IF(span.offset_bytes % item_bytes != 0, DMM_MISALIGNED);
    TRY(clGetMemObjectInfo(span.buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL));
    FAIL_IF(dmm_size_add(span.offset_bytes, dmm_size_mul(n, item_bytes)) > buffer_bytes,
        DMM_SPAN_TOO_SMALL);
out:
    return status;
}

/* Resolves a sub-buffer to its parent. */
static dmm_span resolved(dmm_span span)
{
    cl_mem parent = NULL;
    size_t origin = 0;
    if (clGetMemObjectInfo(
            span.buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL) == CL_SUCCESS &&
        parent != NULL &&
        clGetMemObjectInfo(span.buffer, CL_MEM_OFFSET, sizeof origin, &origin, NULL) == CL_SUCCESS)
        return (dmm_span){parent, span.offset_bytes + origin};
    return span;
}

static int overlap(const dmm_used_span *a, const dmm_used_span *b)
{
    if (a->span.buffer == NULL || b->span.buffer == NULL || a->bytes == 0 || b->bytes == 0)
        return 0;
    const dmm_span x = resolved(a->span), y = resolved(b->span);
    return x.buffer == y.buffer && x.offset_bytes < dmm_size_add(y.offset_bytes, b->bytes) &&
           y.offset_bytes < dmm_size_add(x.offset_bytes, a->bytes);
}

int dmm_spans_equal(dmm_span a, dmm_span b)
{
    return a.buffer == b.buffer && a.offset_bytes == b.offset_bytes;
}

dmm_status dmm_check_used_spans(const dmm_used_span *spans, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const dmm_used_span *const a = &spans[i], *const b = &spans[j];
            const int in_place = a->pair != 0 && a->pair == b->pair &&
                                 a->is_written != b->is_written &&
                                 dmm_spans_equal(a->span, b->span);
            if ((a->is_written || b->is_written) && !in_place && overlap(a, b))
                return DMM_OVERLAP;
        }
    return DMM_OK;
}
