/* SPDX-License-Identifier: MIT */
/*
 * The checks of arguments that all calls share.
 */
#include "core/check.h"

#include <string.h>

#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"

#define WIDE(number) ((unsigned long long)(number))

dmm_status dmm_check_queue(cl_command_queue queue, cl_context context, cl_device_id device)
{
    dmm_status status = DMM_OK;
    cl_context queue_context = NULL;
    cl_device_id queue_device = NULL;
    FAIL_IF(queue == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "queue: is NULL"));
    TRY(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_context, &queue_context, NULL));
    TRY(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL));
    FAIL_IF(queue_context != context,
        dmm_refuse(DMM_WRONG_QUEUE,
            "queue: is of another cl_context than the object's dmm_context: set .context in the "
            "dmm_context_desc to the queue's context"));
    FAIL_IF(queue_device != device,
        dmm_refuse(DMM_WRONG_QUEUE,
            "queue: is of another device than the object's dmm_context: set .device in the "
            "dmm_context_desc to the queue's device"));
out:
    return status;
}

dmm_status dmm_check_wait(cl_uint num_wait, const cl_event *wait)
{
    if ((num_wait == 0) == (wait == NULL))
        return DMM_OK;
    return dmm_refuse(CL_INVALID_EVENT_WAIT_LIST, "wait: is %s, but num_wait is %u",
        wait == NULL ? "NULL" : "not NULL", (unsigned)num_wait);
}

dmm_status dmm_check_reserved(const void *fields, size_t bytes, size_t taken)
{
    static const uint64_t none[DMM_RESERVED_WORDS] = {0};
    const size_t left = sizeof none - taken * sizeof none[0];
    const char *const last = (const char *)fields + bytes - left;
    if (memcmp(last, none, left) == 0)
        return DMM_OK;
    return dmm_refuse(DMM_UNSUPPORTED,
        "reserved: is not 0: begin with {0}, or use the version of dmm that has this field");
}

dmm_status dmm_check_span(const char *name, dmm_span span, uint64_t n, uint32_t item_bytes)
{
    dmm_status status = DMM_OK;
    size_t buffer_bytes = 0;
    if (n == 0)
        goto out;
    const uint64_t at = span.offset_bytes, bytes = dmm_size_mul(n, item_bytes);
    FAIL_IF(span.buffer == NULL,
        dmm_refuse(DMM_NULL_ARGUMENT, "%s: no buffer, needs %llu bytes", name, WIDE(bytes)));
    FAIL_IF(at % item_bytes != 0,
        dmm_refuse(DMM_MISALIGNED, "%s: offset_bytes is %llu, no multiple of %u", name, WIDE(at),
            (unsigned)item_bytes));
    status = clGetMemObjectInfo(span.buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL);
    FAIL_IF(
        status != DMM_OK, dmm_refuse(status, "%s: buffer: %s", name, dmm_status_string(status)));
    FAIL_IF(dmm_size_add(at, bytes) > buffer_bytes,
        dmm_refuse(DMM_SPAN_TOO_SMALL, "%s: %llu bytes from offset %llu, needs %llu more", name,
            WIDE(at < buffer_bytes ? buffer_bytes - at : 0), WIDE(at),
            WIDE(bytes - (at < buffer_bytes ? buffer_bytes - at : 0))));
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
                return dmm_refuse(DMM_OVERLAP, "%s: shares bytes with %s%s", a->name, b->name,
                    a->pair != 0 && a->pair == b->pair && a->is_written != b->is_written
                        ? ": make them equal or apart"
                        : "");
        }
    return DMM_OK;
}
