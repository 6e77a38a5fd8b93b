/* SPDX-License-Identifier: MIT */
/*
 * Calls: argument checks, in order; temp; the chain of steps.
 */
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "core/check.h"
#include "core/object.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/trace.h"

static dmm_status check_sizes(const dmm_object *object, const dmm_sizes *sizes)
{
    if (object->class->check != NULL)
        return object->class->check(object, sizes);
    return dmm_object_check_n(object, sizes->n);
}

dmm_status dmm_object_check_n(const void *object, uint64_t n)
{
    const uint64_t most = ((const dmm_object *)object)->max_n;
    if (n <= most)
        return DMM_OK;
    return dmm_refuse(DMM_TOO_LARGE,
        "n: is %llu, more than %llu (max_n of the description, or what can be indexed)",
        (unsigned long long)n, (unsigned long long)most);
}

dmm_status dmm_object_temp_bytes(uint64_t *out, const void *object, dmm_sizes sizes)
{
    dmm_status status = DMM_OK;
    const dmm_object *const o = object;
    dmm_call call = {.sizes = sizes};
    dmm_refuse_begin();
    if (out == NULL || o == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(check_sizes(o, &sizes));
    o->class->lay_out(o, &call);
    *out = call.temp.bytes;
    FAIL_IF(*out == UINT64_MAX, DMM_TOO_LARGE);
out:
    return dmm_refuse_end(status, &o->ctx->log, o->class->name);
}

void dmm_call_region(dmm_call *call, size_t name, uint64_t count, uint64_t item_bytes)
{
    assert(name < DMM_MAX_REGIONS);
    call->regions[name].offset_bytes = dmm_temp_region(&call->temp, count, item_bytes);
}

void dmm_call_part_region(dmm_call *call, size_t name, const void *part, dmm_sizes sizes)
{
    uint64_t bytes = 0;
    if (part != NULL && dmm_object_temp_bytes(&bytes, part, sizes) != DMM_OK)
        bytes = UINT64_MAX;
    dmm_call_region(call, name, bytes, 1);
}

/* Turns the offsets of regions into spans of `temp`. */
static void place_regions(dmm_call *call, dmm_span temp)
{
    for (size_t i = 0; i < DMM_MAX_REGIONS; i++) {
        call->regions[i].buffer = temp.buffer;
        call->regions[i].offset_bytes += temp.offset_bytes;
    }
}

static dmm_span span_of(const void *args, size_t at)
{
    dmm_span span;
    memcpy(&span, (const char *)args + at, sizeof span);
    return span;
}

/* Returns a port's span. */
static dmm_span span_of_port(const void *args, const dmm_port *port)
{
    const dmm_span *further = NULL;
    if (port->further == 0)
        return span_of(args, port->at);
    memcpy(&further, (const char *)args + port->at, sizeof further);
    return further != NULL ? further[port->further - 1] : DMM_NONE;
}

/* The ports of a call. */
typedef struct call_ports {
    dmm_port list[DMM_MAX_PORTS];
    size_t count;
} call_ports;

static call_ports ports_of(const dmm_object *object, const dmm_call *call)
{
    call_ports ports = {.count = 0};
    ports.count = object->class->ports(object, call->args, &call->sizes, ports.list);
    return ports;
}

/* Returns the number of launches of each step, by the items of the call's largest span. */
static uint64_t launches_of(const dmm_object *object, const call_ports *ports)
{
    const uint64_t most = object->ctx->device.launch_items.value;
    uint64_t n = 0;
    for (size_t i = 0; i < ports->count; i++)
        n = ports->list[i].n > n ? ports->list[i].n : n;
    return most != 0 && n > most ? dmm_size_div_up(n, most) : 1;
}

/* Checks each span that the call has, in order; then all pairs of them and temp for overlaps. */
static dmm_status check_spans(
    const dmm_object *object, const dmm_call *call, const call_ports *ports)
{
    dmm_status status = DMM_OK;
    dmm_used_span spans[DMM_MAX_PORTS + 1];
    size_t used = 0;
    for (size_t i = 0; i < ports->count; i++) {
        const dmm_port *const p = &ports->list[i];
        const dmm_span span = span_of_port(call->args, p);
        if (p->item_bytes == 0 || (p->optional && span.buffer == NULL))
            continue;
        TRY(dmm_check_span(p->name, span, p->n, p->item_bytes));
        spans[used++] = (dmm_used_span){
            p->name, span, dmm_size_mul(p->n, p->item_bytes), p->access == DMM_WRITE, p->pair};
    }
    spans[used++] = (dmm_used_span){
        "temp", span_of(call->args, object->class->temp_at), call->temp.bytes, .is_written = 1};
    TRY(dmm_check_used_spans(spans, used));
out:
    return status;
}

dmm_status dmm_object_enqueue(void *object, cl_command_queue queue, const void *args,
    dmm_sizes sizes, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_chain chain = {.queue = queue, .num_wait = num_wait, .wait = wait};
    return dmm_object_enqueue_chain(object, chain, args, sizes, event);
}

dmm_status dmm_object_enqueue_chain(
    void *object, dmm_chain chain, const void *args, dmm_sizes sizes, cl_event *event)
{
    dmm_status status = DMM_OK;
    const dmm_object *const o = object;
    if (event != NULL)
        *event = NULL;
    dmm_refuse_begin();
    if (o == NULL)
        return DMM_NULL_ARGUMENT;
    dmm_call call = {.args = args, .sizes = sizes, .chain = &chain};
    int has_begun = 0;
    TRY(dmm_context_check_runs(o->ctx));
    TRY(dmm_check_queue(chain.queue, o->ctx->cl, o->ctx->device.id));
    FAIL_IF(args == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "args: is NULL"));
    TRY(check_sizes(o, &sizes));
    TRY(dmm_check_wait(chain.num_wait, chain.wait));
    TRY(dmm_check_reserved(args, o->class->args_bytes, o->class->args_taken));
    o->class->lay_out(o, &call);
    const call_ports ports = ports_of(o, &call);
    TRY(check_spans(o, &call, &ports));
    has_begun = 1;
    TRY(dmm_temp_acquire(&call.temp, o->ctx->cl, span_of(args, o->class->temp_at)));
    place_regions(&call, call.temp.span);
    call.launches = launches_of(o, &ports);
    TRY(o->class->steps(o, &call));
out:
    if (has_begun)
        status = dmm_chain_end(&chain, status, event);
    dmm_temp_release(&call.temp);
    return dmm_refuse_end(status, &o->ctx->log, o->class->name);
}

dmm_status dmm_call_run(const dmm_call *call, const void *part, const void *args, dmm_sizes sizes)
{
    const dmm_object *const o = part;
    dmm_call inner = {
        .args = args, .sizes = sizes, .chain = call->chain, .launches = call->launches};
    o->class->lay_out(o, &inner);
    place_regions(&inner, span_of(args, o->class->temp_at));
    if (o->class->ports != NULL) { /* a method of a primitive has none of its own */
        const call_ports ports = ports_of(o, &inner);
        inner.launches = launches_of(o, &ports);
    }
    return o->class->steps(o, &inner);
}

uint32_t dmm_call_number(void)
{
    static atomic_uint numbers;
    return atomic_fetch_add(&numbers, 1) + 1;
}

dmm_span dmm_call_items(const dmm_call *call, size_t name, uint32_t item_bytes)
{
    return dmm_span_at(call->regions[name], 0, item_bytes);
}

dmm_status dmm_call_launch(const dmm_call *call, cl_kernel kernel, const cl_mem *buffers,
    size_t num_buffers, const void *numbers, size_t numbers_bytes, dmm_grid grid)
{
    dmm_arg args[DMM_MAX_PORTS + DMM_MAX_REGIONS + 1];
    assert(num_buffers < sizeof args / sizeof *args);
    for (size_t i = 0; i < num_buffers; i++)
        args[i] = (dmm_arg){sizeof *buffers, &buffers[i]};
    args[num_buffers] = (dmm_arg){numbers_bytes, numbers};
    return dmm_call_launch_args(call, kernel, args, num_buffers + 1, grid);
}

dmm_status dmm_call_launch_args(
    const dmm_call *call, cl_kernel kernel, const dmm_arg *args, size_t num_args, dmm_grid grid)
{
    dmm_status status = DMM_OK;
    dmm_trace *const trace = call->chain->trace;
    const uint64_t each =
        dmm_trace_groups(trace, grid.groups, dmm_size_div_up(grid.groups, call->launches));
    for (uint64_t done = 0; done < grid.groups; done += each) {
        const uint64_t left = grid.groups - done;
        const dmm_grid part = {grid.first_group + done, left < each ? left : each, grid.u};
        TRY(dmm_chain_launch(call->chain, kernel, args, (cl_uint)num_args, part));
        dmm_trace_add(trace, done + part.groups, grid.groups);
    }
out:
    return status;
}
