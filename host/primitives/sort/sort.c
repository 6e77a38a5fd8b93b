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

/*
 * Least max_n at which auto takes radix in the CPU form, where it was measured to be faster than
 * merge. Processor time of merge over that of radix, random keys, PoCL 3.1 on two cores of an AMD
 * EPYC, 2026-11-21. u32: 0.9 (n = 2^11), 1.4 (2^14), 1.1 (2^16), 1.3 (2^20), 1.4 (2^22); with u32
 * values 1.1, 1.9, 2.6, 3.6, 3.2; u64: 1.0 (2^12), 1.1 (2^14), 1.4 (2^16), 1.8 (2^20), 1.9 (2^22);
 * with u32 values 1.0, 1.1, 1.5, 1.9, 1.7.
 */
enum { RADIX_ITEMS = 1 << 12 };

/*
 * GPU form: radix from 2^(13 + bytes of a key) items on; a byte costs about a pass. From a
 * simulated V100 (docs/records/speed.md), in cycles of a multiprocessor per key: merge
 * 2.5 + 1.1 * log2(n / 2^12) (u32) and 4.0 + 2.5 * log2(n / 2^11) (u64); radix by ballots 7.4 for
 * 4 bytes (2^17 keys). By columns, radix takes 14: auto takes merge.
 */
enum { GPU_RADIX_LOG_ITEMS = 13 };

/* Returns the least max_n at which auto takes radix where no tuning row says so. */
static uint64_t default_from(const dmm_sort_desc *desc, const dmm_context *ctx, int cpu)
{
    if (cpu)
        return RADIX_ITEMS;
    return ctx->device.sync_width.value > 1
               ? (uint64_t)1 << (GPU_RADIX_LOG_ITEMS + dmm_type_bytes(desc->order.type))
               : UINT64_MAX;
}

static int radix_is_faster(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int cpu = dmm_context_is_cpu(ctx, &desc->tuning);
    const uint32_t moved =
        desc->value_bytes < DMM_MAX_MOVED_BYTES ? desc->value_bytes : DMM_MAX_MOVED_BYTES;
    const dmm_tuning_row *const row = dmm_tuning_rows_find(&ctx->rows, "sort",
        dmm_type_bytes(desc->order.type) + moved, cpu ? DMM_FORM_CPU : DMM_FORM_GPU);
    const uint64_t from = row != NULL && row->from != 0 ? row->from : default_from(desc, ctx, cpu);
    return from != UINT64_MAX && (desc->max_n == 0 || desc->max_n >= from);
}

/* Returns the method for a description. */
static dmm_sort_method method_of(const dmm_sort_desc *desc, const dmm_context *ctx)
{
    const int by_bits = desc->bits.end != 0; /* merge compares whole keys */
    const int allowed =
        desc->order.less == NULL && desc->order.type != DMM_ITEM && !desc->guarantee;
    if (desc->method != DMM_SORT_AUTO)
        return desc->method;
    return by_bits || (allowed && radix_is_faster(desc, ctx)) ? DMM_SORT_RADIX : DMM_SORT_MERGE;
}

dmm_status dmm_sort_by(dmm_sort *sort, const dmm_class *method)
{
    dmm_status status = DMM_OK;
    const dmm_sort_desc *const desc = &sort->desc;
    dmm_sort_desc of_keys = *desc;
    of_keys.map = NULL;
    TRY(dmm_object_part(sort, &sort->by, method, &of_keys)); /* checks the order */
    TRY(dmm_mapping_store_init(sort, &sort->store, desc->map, &desc->order, desc->max_n));
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
    const uint64_t n = sizes->n;
    const uint32_t key = dmm_order_key_bytes(&sort->desc.order);
    const uint32_t value = sort->desc.value_bytes;
    const uint32_t in = dmm_mapping_in(&sort->store.mapping, key);
    const uint8_t pair = in == key;
    const dmm_port list[] = {
        {DMM_READS(dmm_sort_args, keys_in, n, in), .pair = pair},
        {DMM_READS(dmm_sort_args, values_in, n, sort->desc.argsort ? 0 : value), .pair = 2},
        {DMM_WRITES(dmm_sort_args, keys_out, n, key), .pair = pair},
        {DMM_WRITES(dmm_sort_args, values_out, n, value), .pair = 2},
        {DMM_READS_COUNT(dmm_sort_args)},
    };
    (void)args;
    return dmm_mapping_ports(
        &sort->store.mapping, offsetof(dmm_sort_args, further), n, ports, DMM_PORTS(ports, list));
}

/* Temp and steps are those of the method, in the same call. */
void dmm_sort_lay_out(const void *object, dmm_call *call)
{
    const dmm_object *const by = ((const dmm_sort *)object)->by;
    by->class->lay_out(by, call);
}

dmm_status dmm_sort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_sort *const sort = object;
    const dmm_sort_args *const args = call->args;
    const dmm_mapping_store_spans spans = {
        args->keys_in, args->keys_out, args->count, args->further};
    dmm_sort_args mapped = *args;
    dmm_call of_keys = *call;
    if (sort->store.mapping.inputs == 0)
        return sort->by->class->steps(sort->by, call);
    mapped.keys_in = args->keys_out;
    of_keys.args = &mapped;
    TRY(dmm_mapping_store_run(&sort->store, call, &spans));
    TRY(sort->by->class->steps(sort->by, &of_keys));
out:
    return status;
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
