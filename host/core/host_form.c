/* SPDX-License-Identifier: MIT */
/*
 * The _host form of any primitive: host arrays in, host arrays out.
 */
#include <string.h>

#include "core/check.h"
#include "core/object.h"
#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/trace.h"
#include "core/transfer.h"

_Thread_local int dmm_host_is_part;

/* A _host call: its ports and their buffers. */
typedef struct host_form {
    dmm_context *ctx;
    const dmm_host_array *arrays;
    dmm_port ports[DMM_MAX_PORTS];
    size_t num_ports;
    cl_mem buffers[DMM_MAX_PORTS]; /* owned; NULL: shared with a pair, or none */
    char *wrapped[DMM_MAX_PORTS];  /* the caller's array that the buffer is; NULL: a copy */
} host_form;

/* True if the call has this span: it is required, or optional and given an array. Further inputs of
 * a map have none. */
static int is_present(const host_form *form, size_t i)
{
    const dmm_host_array *const array = &form->arrays[i];
    const dmm_port *const port = &form->ports[i];
    return port->item_bytes != 0 && (!port->optional || array->from != NULL || array->to != NULL);
}

static dmm_status check_arrays(const host_form *form)
{
    for (size_t i = 0; i < form->num_ports; i++) {
        const dmm_port *const port = &form->ports[i];
        const dmm_host_array *const array = &form->arrays[i];
        const void *const needed = port->access == DMM_READ ? array->from : array->to;
        if (is_present(form, i) && port->n != 0 && needed == NULL)
            return dmm_refuse(DMM_NULL_ARGUMENT, "%s: is NULL", port->name);
    }
    return DMM_OK;
}

/* True if port i may be written in the caller's array: a call without a report writes all of it. */
static int may_write(const host_form *form, size_t i)
{
    for (size_t j = 0; j < form->num_ports; j++)
        if (form->ports[j].report)
            return 0;
    return form->arrays[i].kept == NULL;
}

/* Returns the index of the read span whose buffer port i shares, or i. */
static size_t owner_of(const host_form *form, size_t i)
{
    for (size_t j = 0; j < i && form->ports[i].pair != 0; j++)
        if (form->ports[j].pair == form->ports[i].pair && is_present(form, j) &&
            (form->wrapped[j] == NULL ||
                (form->wrapped[j] == form->arrays[i].to && may_write(form, i))))
            return j;
    return i;
}

/* True if `bytes` bytes at `a` and the items of a port at `b` overlap. */
static int overlap(const char *a, uint64_t bytes, const char *b, const dmm_port *port)
{
    return b != NULL && a < b + dmm_size_mul(port->n, port->item_bytes) && b < a + bytes;
}

/* Returns the array that the buffer of port i can be, without a copy; NULL: none. On a CPU, inputs
 * are read and outputs written where they are, unless they overlap or are not aligned. */
static char *array_to_wrap(const host_form *form, size_t i)
{
    const dmm_host_array *const array = &form->arrays[i];
    const dmm_port *const port = &form->ports[i];
    const int written = port->access == DMM_WRITE;
    char *const first = written ? array->to : (char *)(uintptr_t)array->from;
    const uint64_t bytes = dmm_size_mul(port->n, port->item_bytes);
    const size_t alignment = port->item_bytes & (0 - port->item_bytes);
    if (form->ctx->device.kind != DMM_KIND_CPU || first == NULL ||
        (uintptr_t)first % alignment != 0)
        return NULL;
    if (written && (array->from != NULL || !may_write(form, i)))
        return NULL;
    for (size_t j = 0; j < form->num_ports; j++)
        if (overlap(first, bytes, form->wrapped[j], &form->ports[j]) ||
            (written && overlap(first, bytes, form->arrays[j].from, &form->ports[j])))
            return NULL;
    return first;
}

/* Creates the buffers, fills them, and writes their spans into `args`. */
static dmm_status copy_in(host_form *form, void *args)
{
    dmm_status status = DMM_OK;
    for (size_t i = 0; i < form->num_ports; i++) {
        const dmm_port *const port = &form->ports[i];
        const size_t owner = owner_of(form, i);
        const uint64_t bytes = dmm_size_mul(port->n, port->item_bytes);
        if (!is_present(form, i) || port->further != 0)
            continue;
        if (owner == i && (form->wrapped[i] = array_to_wrap(form, i)) != NULL)
            TRY(dmm_wrap(form->ctx, form->wrapped[i], bytes, &form->buffers[i]));
        else if (owner == i)
            TRY(dmm_upload(form->ctx, form->arrays[i].from, bytes, &form->buffers[i]));
        const dmm_span span = {form->buffers[owner], 0};
        memcpy((char *)args + port->at, &span, sizeof span);
    }
out:
    return status;
}

static dmm_status copy_out(const host_form *form, size_t i)
{
    const dmm_port *const port = &form->ports[i];
    const dmm_host_array *const array = &form->arrays[i];
    const uint64_t n = array->kept != NULL ? *array->kept : port->n;
    if (port->access != DMM_WRITE || array->to == NULL || !is_present(form, i))
        return DMM_OK;
    if (n > port->n) /* the device's count; the host's array holds no more than port->n */
        return DMM_WRONG_RESULT;
    return dmm_download(
        form->ctx, form->buffers[owner_of(form, i)], array->to, n * port->item_bytes, NULL);
}

/* Copies out the report, then the counts that other arrays' lengths depend on, then those
 * arrays. */
static dmm_status copy_all_out(const host_form *form)
{
    dmm_status status = DMM_OK;
    for (size_t i = 0; i < form->num_ports; i++)
        if (form->ports[i].report && is_present(form, i)) {
            TRY(copy_out(form, i));
            TRY((dmm_status)((const dmm_report *)form->arrays[i].to)->code);
        }
    for (int dependent = 0; dependent < 2; dependent++)
        for (size_t i = 0; i < form->num_ports; i++)
            if (!form->ports[i].report && (form->arrays[i].kept != NULL) == dependent)
                TRY(copy_out(form, i));
out:
    return status;
}

dmm_status dmm_object_host(dmm_context *ctx, const dmm_class *class, const void *desc, void *args,
    dmm_sizes sizes, const dmm_host_array arrays[DMM_MAX_PORTS])
{
    dmm_status status = DMM_OK;
    uint64_t temp_bytes = 0;
    dmm_object *object = NULL;
    host_form form = {.ctx = ctx, .arrays = arrays};
    cl_event done = NULL;
    dmm_trace trace = {.progress = NULL};
    dmm_chain chain = {.num_wait = 0};
    TRY(dmm_object_create(&object, ctx, class, desc));
    TRY(dmm_refuse_end(dmm_context_check_runs(ctx), &ctx->log, class->name));
    TRY(dmm_object_temp_bytes(&temp_bytes, object, sizes)); /* judges the sizes */
    form.num_ports = class->ports(object, args, &sizes, form.ports);
    TRY(dmm_refuse_end(check_arrays(&form), &ctx->log, class->name));
    TRY(copy_in(&form, args));
    trace = dmm_trace_begin(ctx->progress, ctx->progress_user, &ctx->device);
    chain = (dmm_chain){
        .queue = ctx->queue, .trace = ctx->progress != NULL && !dmm_host_is_part ? &trace : NULL};
    TRY(dmm_object_enqueue_chain(object, chain, args, sizes, &done));
    dmm_trace_wait(chain.trace);
    TRY(clWaitForEvents(1, &done));
    dmm_trace_end(chain.trace);
    TRY(copy_all_out(&form));
out:
    dmm_wait_and_release(done);
    dmm_trace_free(&trace);
    for (size_t i = 0; i < form.num_ports; i++)
        if (form.buffers[i] != NULL)
            clReleaseMemObject(form.buffers[i]);
    dmm_object_free(object);
    return status;
}
