/* SPDX-License-Identifier: MIT */
/*
 * dmm_take: a gather for each array, by kernels that arrays of one item size share.
 */
#include <dmm/take.h>

#include "core/check.h"
#include "core/refuse.h"
#include "primitives/classes.h"
#include "primitives/columns.h"
#include "primitives/items.h"
#include "primitives/words.h"

enum { DEFAULT_BYTES = 4 };

/* One array: its items are the values of gathers (primitives/items.h). */
typedef struct column {
    dmm_item_layout layout;
    cl_kernel gather;
} column;

struct dmm_take {
    dmm_object object;
    dmm_take_desc desc;
    column columns[DMM_MAX_COLUMNS];
};

static dmm_status check_desc(const dmm_take_desc *desc)
{
    if (desc->num_columns > DMM_MAX_COLUMNS)
        return dmm_refuse(DMM_BAD_VALUE, "num_columns: is %u, must be 1 to %d",
            (unsigned)desc->num_columns, DMM_MAX_COLUMNS);
    if (desc->row_bytes != 4 && desc->row_bytes != 8)
        return dmm_refuse(
            DMM_BAD_VALUE, "row_bytes: is %u, must be 4 or 8", (unsigned)desc->row_bytes);
    return DMM_OK;
}

static dmm_status build(dmm_take *take, uint32_t c)
{
    column *const own = &take->columns[c];
    own->layout = (dmm_item_layout){.value_bytes = take->desc.item_bytes[c],
        .moved_bytes = take->desc.row_bytes,
        .by_position = 1};
    return dmm_values_kernel(take, &own->layout, &own->gather);
}

static dmm_status take_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_take *const take = object;
    dmm_take_desc *const desc = &take->desc;
    dmm_word_layout words;
    desc->row_bytes = desc->row_bytes != 0 ? desc->row_bytes : DEFAULT_BYTES;
    desc->num_columns = desc->num_columns != 0 ? desc->num_columns : 1;
    TRY(check_desc(desc));
    take->object.max_n = UINT64_MAX;
    for (uint32_t c = 0; c < desc->num_columns; c++) {
        if (desc->item_bytes[c] == 0)
            desc->item_bytes[c] = DEFAULT_BYTES;
        FAIL_IF(desc->item_bytes[c] > DMM_MAX_ITEM_BYTES,
            dmm_refuse(DMM_BAD_VALUE, "item_bytes[%u]: is %u, must be 1 to %d", (unsigned)c,
                (unsigned)desc->item_bytes[c], DMM_MAX_ITEM_BYTES));
        TRY(dmm_word_layout_init(
            &words, &take->object.ctx->device, desc->item_bytes[c], desc->max_n));
        take->object.max_n = words.max_n < take->object.max_n ? words.max_n : take->object.max_n;
        TRY(build(take, c));
    }
out:
    return status;
}

/* Sizes: n numbers of m rows, of which l are in `in`. */
static dmm_status take_check(const void *object, const dmm_sizes *sizes)
{
    const uint64_t n = sizes->n, rows = sizes->m;
    if (n != 0 && (rows == 0 || sizes->l > rows))
        return dmm_refuse(DMM_BAD_VALUE, "rows: there are %llu, rows_a is %llu",
            (unsigned long long)rows, (unsigned long long)sizes->l);
    return dmm_object_check_n(object, n);
}

static size_t take_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_take *const take = object;
    const dmm_take_desc *const desc = &take->desc;
    const uint64_t n = sizes->n, rows = n != 0 ? sizes->m : 0, in_a = n != 0 ? sizes->l : 0;
    size_t count = 0;
    ports[count++] = (dmm_port){DMM_READS(dmm_take_args, rows, n, desc->row_bytes)};
    for (uint32_t c = 0; c < desc->num_columns; c++) {
        const uint32_t bytes = desc->item_bytes[c];
        ports[count++] = DMM_COLUMN_READ(dmm_take_args, in, c, in_a, bytes);
        ports[count++] = DMM_COLUMN_READ(dmm_take_args, in_b, c, rows - in_a, bytes);
        ports[count++] = DMM_COLUMN_WRITE(dmm_take_args, out, c, n, bytes);
    }
    ports[count++] = (dmm_port){DMM_READS_COUNT(dmm_take_args)};
    (void)args;
    return count;
}

static void take_lay_out(const void *object, dmm_call *call)
{
    (void)object;
    (void)call;
}

static dmm_status take_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_take *const take = object;
    const dmm_take_args *const args = call->args;
    const uint64_t n = call->sizes.n, rows = call->sizes.m, in_a = call->sizes.l;
    for (uint32_t c = 0; c < take->desc.num_columns && n != 0; c++) {
        const dmm_gathering g = {.positions = args->rows,
            .a = args->in[c],
            .b = args->in_b[c].buffer != NULL ? args->in_b[c] : args->in[c],
            .out = args->out[c],
            .na = in_a,
            .nb = rows - in_a,
            .n = n,
            .count = args->count};
        if (args->out[c].buffer != NULL) /* in a call of another primitive it may be none */
            TRY(dmm_values_gather(call, take->columns[c].gather, &take->columns[c].layout, &g));
    }
out:
    return status;
}

const dmm_class dmm_take_class = {
    DMM_CLASS(dmm_take),
    .word = "take",
    .init = take_init,
    .check = take_check,
    .ports = take_ports,
    .lay_out = take_lay_out,
    .steps = take_steps,
};

static dmm_sizes sizes_of(uint64_t n, uint64_t rows, const dmm_take_args *args)
{
    return (dmm_sizes){
        .n = n, .m = rows, .l = args == NULL || args->rows_a == 0 ? rows : args->rows_a};
}

dmm_status dmm_take_create(dmm_take **out, dmm_context *ctx, const dmm_take_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_take_class, desc);
}

void dmm_take_free(dmm_take *take)
{
    dmm_object_free(take);
}

dmm_status dmm_take_temp_bytes(uint64_t *out, const dmm_take *take, uint64_t n)
{
    return dmm_object_temp_bytes(out, take, sizes_of(n, 1, NULL));
}

dmm_status dmm_take_enqueue(dmm_take *take, cl_command_queue queue, const dmm_take_args *args,
    uint64_t n, uint64_t rows, cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return dmm_object_enqueue(take, queue, args, sizes_of(n, rows, args), num_wait, wait, event);
}

dmm_status dmm_take_host(dmm_context *ctx, const dmm_take_desc *desc, const void *numbers, size_t n,
    const void *items, size_t rows, void *out)
{
    dmm_take_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = numbers}, {.from = items}, {.to = NULL}, {.to = out}};
    if (desc != NULL && desc->num_columns > 1)
        return dmm_refuse(DMM_BAD_VALUE, "num_columns: is %u, host arrays are taken one by one",
            (unsigned)desc->num_columns);
    return dmm_object_host(ctx, &dmm_take_class, desc, &args, sizes_of(n, rows, NULL), arrays);
}
