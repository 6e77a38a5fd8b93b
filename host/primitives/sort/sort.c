/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort: a table of methods and the choice of one, which is a part and does the work.
 */
#include "primitives/sort/sort.h"

#include "core/check.h"
#include "core/refuse.h"
#include "primitives/items.h"
#include "primitives/order.h"

/* The methods. Their descriptions and args are those of the sort. NULL: none of that number. */
static const dmm_class *const methods[] = {
    [DMM_SORT_MERGE] = &dmm_merge_sort_class,
    [DMM_SORT_RADIX] = &dmm_radix_sort_class,
    [DMM_SORT_NETWORK] = &dmm_network_sort_class,
};

static dmm_status check_bits(const dmm_sort_desc *desc)
{
    const dmm_bits bits = desc->bits;
    if (bits.begin == 0 && bits.end == 0)
        return DMM_OK;
    if (desc->order.type > DMM_I64 || desc->order.less != NULL ||
        (desc->method != DMM_SORT_AUTO && desc->method != DMM_SORT_RADIX))
        return dmm_refuse(DMM_UNSUPPORTED,
            "bits: need unsigned or signed integers without less, and the method auto or radix");
    if (bits.begin > bits.end || bits.end > 8 * dmm_type_bytes(desc->order.type))
        return dmm_refuse(DMM_BAD_VALUE, "bits: from %u to %u are not bits of %s",
            (unsigned)bits.begin, (unsigned)bits.end, dmm_type_name(desc->order.type));
    return DMM_OK;
}

/* Returns the method for a description. */
static dmm_sort_method method_of(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int by_bits = desc->bits.end != 0; /* merge compares whole keys */
    /* the CPU form uses no local memory */
    const int keeps_guarantee = !desc->guarantee || dmm_context_is_cpu(ctx, &desc->tuning);
    const int allowed = desc->order.less == NULL && desc->order.type != DMM_ITEM && keeps_guarantee;
    if (desc->method != DMM_SORT_AUTO)
        return desc->method;
    return by_bits || (allowed && dmm_radix_sort_is_faster(desc, ctx)) ? DMM_SORT_RADIX
                                                                       : DMM_SORT_MERGE;
}

dmm_status dmm_sort_by(dmm_sort *sort, const dmm_class *method)
{
    dmm_status status = DMM_OK;
    if (sort->desc.map != NULL)
        return dmm_sort_mapped_by(sort, method);
    TRY(dmm_object_part(sort, &sort->by, method, &sort->desc)); /* checks the order */
    sort->object.max_n = sort->by->max_n;
out:
    return status;
}

static dmm_status sort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_sort *const sort = object;
    const size_t method = (size_t)sort->desc.method;
    FAIL_IF(method >= sizeof methods / sizeof *methods,
        dmm_refuse(DMM_BAD_VALUE, "method: %d is no dmm_sort_method", (int)method));
    FAIL_IF(method != DMM_SORT_AUTO && methods[method] == NULL,
        dmm_refuse(DMM_BAD_VALUE, "method: %d is one of libdmm-lab", (int)method));
    TRY(check_bits(&sort->desc));
    sort->method = method_of(&sort->desc, sort->object.ctx);
    TRY(dmm_sort_by(sort, methods[sort->method]));
out:
    return status;
}

size_t dmm_sort_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_sort *const sort = object;
    const dmm_object *const by = sort->by;
    const uint64_t n = sizes->n;
    const uint32_t key = dmm_order_key_bytes(&sort->desc.order);
    const uint32_t value = sort->desc.value_bytes;
    const dmm_port list[] = {
        {DMM_READS(dmm_sort_args, keys_in, n, key), .pair = 1},
        {DMM_READS(dmm_sort_args, values_in, n, sort->desc.argsort ? 0 : value), .pair = 2},
        {DMM_WRITES(dmm_sort_args, keys_out, n, key), .pair = 1},
        {DMM_WRITES(dmm_sort_args, values_out, n, value), .pair = 2},
        {DMM_READS_COUNT(dmm_sort_args)},
    };
    return by->class->ports != NULL ? by->class->ports(by, args, sizes, ports)
                                    : DMM_PORTS(ports, list);
}

/* Temp and steps are those of the method, in the same call. */
void dmm_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_object *const by = ((const dmm_sort *)object)->by;
    by->class->lay_out(by, call);
}

dmm_status dmm_sort_steps(const void *object, dmm_call *call)
{
    const dmm_object *const by = ((const dmm_sort *)object)->by;
    return by->class->steps(by, call);
}

const dmm_class dmm_sort_class = {
    DMM_SORT_CLASS,
    .init = sort_init,
};

dmm_status dmm_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_sort_class, desc);
}

void dmm_sort_free(dmm_sort *sort)
{
    dmm_object_free(sort);
}

dmm_sort_method dmm_sort_chosen(const dmm_sort *sort)
{
    return sort != NULL ? sort->method : DMM_SORT_AUTO;
}

dmm_status dmm_sort_temp_bytes(uint64_t *out, const dmm_sort *sort, uint64_t n)
{
    return dmm_object_temp_bytes(out, sort, (dmm_sizes){.n = n});
}

dmm_status dmm_sort_enqueue(dmm_sort *sort, cl_command_queue queue, const dmm_sort_args *args,
    uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    const dmm_sizes sizes = {.n = n};
    return dmm_object_enqueue(sort, queue, args, sizes, num_wait, wait, event);
}

dmm_status dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n)
{
    dmm_sort_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = keys}, {.from = values}, {.to = keys}, {.to = values}};
    return dmm_object_host(ctx, &dmm_sort_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
