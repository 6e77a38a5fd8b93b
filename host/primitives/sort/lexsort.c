/* SPDX-License-Identifier: MIT */
/*
 * dmm_lexsort: groups of columns as numbers, stable sorts of rows by them from the last group on,
 * then the arrays by the rows' numbers. Beside one column, arrays may move along instead.
 */
#include <dmm/lexsort.h>
#include <dmm/sort.h>

#include "cl/lexsort_call.clh"
#include "core/check.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/columns.h"
#include "primitives/items.h"
#include "primitives/order.h"
#include "primitives/sort/along.h"
#include "primitives/words.h"

enum { DEFAULT_BYTES = 4, NUMBER_BITS = 64 };

/* Columns first .. end - 1, sorted at once. */
typedef struct group {
    uint32_t first, end;
    uint32_t bytes; /* size of the sort's keys */
    int packed;     /* they are numbers; otherwise the items of one column */
    dmm_sort *sort; /* sorts keys and row numbers; a part */
    dmm_take *take; /* takes one column's items, for what is not packed; a part */
} group;

struct dmm_lexsort {
    dmm_object object;
    dmm_lexsort_desc desc;
    group groups[DMM_MAX_COLUMNS]; /* in the order of columns */
    uint32_t num_groups;
    dmm_take *keys, *values; /* parts; values NULL: none */
    dmm_along along;
    cl_kernel pack, unpack;
};

static int is_number(const dmm_order *order)
{
    return order->less == NULL && order->type != DMM_ITEM;
}

static uint32_t bits_of(const dmm_order *order)
{
    return is_number(order) ? 8 * dmm_type_bytes(order->type) : NUMBER_BITS + 1;
}

/* ---- Creation -------------------------------------------------------------------------------- */

static dmm_status check_desc(const dmm_lexsort_desc *desc, const dmm_device *device)
{
    if (desc->num_keys > DMM_MAX_COLUMNS)
        return dmm_refuse(DMM_BAD_VALUE, "num_keys: is %u, must be 1 to %d",
            (unsigned)desc->num_keys, DMM_MAX_COLUMNS);
    if (desc->num_values > DMM_MAX_COLUMNS)
        return dmm_refuse(DMM_BAD_VALUE, "num_values: is %u, must be at most %d",
            (unsigned)desc->num_values, DMM_MAX_COLUMNS);
    if (desc->row_bytes != 4 && desc->row_bytes != 8)
        return dmm_refuse(
            DMM_BAD_VALUE, "row_bytes: is %u, must be 4 or 8", (unsigned)desc->row_bytes);
    for (uint32_t k = 0; k < desc->num_keys; k++) {
        const dmm_status status = dmm_order_check(&desc->keys[k], device);
        if (status != DMM_OK)
            return status;
    }
    return DMM_OK;
}

/* Divides the columns into groups, each as long as it fits, from the last one on. */
static void make_groups(dmm_lexsort *lexsort)
{
    const dmm_order *const keys = lexsort->desc.keys;
    group made[DMM_MAX_COLUMNS];
    uint32_t count = 0;
    for (uint32_t end = lexsort->desc.num_keys, first; end > 0; end = first) {
        uint32_t bits = bits_of(&keys[end - 1]);
        for (first = end - 1; first > 0 && bits + bits_of(&keys[first - 1]) <= NUMBER_BITS; first--)
            bits += bits_of(&keys[first - 1]);
        /* what is sorted first, and alone, is read from the caller's array */
        const int packed = bits <= NUMBER_BITS && (count != 0 || end - first > 1);
        made[count++] = (group){.first = first,
            .end = end,
            .packed = packed,
            .bytes = !packed     ? dmm_order_key_bytes(&keys[first])
                     : bits > 32 ? 8
                                 : 4};
    }
    lexsort->num_groups = count;
    for (uint32_t g = 0; g < count; g++)
        lexsort->groups[g] = made[count - 1 - g];
}

static dmm_status limit(dmm_lexsort *lexsort, const void *part)
{
    const uint64_t most = ((const dmm_object *)part)->max_n;
    if (most < lexsort->object.max_n)
        lexsort->object.max_n = most;
    return DMM_OK;
}

static dmm_status build_group(dmm_lexsort *lexsort, uint32_t g)
{
    dmm_status status = DMM_OK;
    const dmm_lexsort_desc *const desc = &lexsort->desc;
    group *const own = &lexsort->groups[g];
    const int is_first = g == lexsort->num_groups - 1; /* in time */
    const dmm_order numbers = {.type = own->bytes == 8 ? DMM_U64 : DMM_U32};
    const dmm_sort_desc sort = {.order = own->packed ? numbers : desc->keys[own->first],
        .value_bytes = desc->row_bytes,
        .argsort = is_first,
        .guarantee = desc->guarantee,
        .max_n = desc->max_n,
        .tuning = desc->tuning};
    const dmm_take_desc take = {.num_columns = 1,
        .item_bytes = {own->bytes},
        .row_bytes = desc->row_bytes,
        .max_n = desc->max_n};
    TRY(dmm_object_part(lexsort, &own->sort, &dmm_sort_class, &sort));
    TRY(limit(lexsort, own->sort));
    if (!own->packed && !is_first)
        TRY(dmm_object_part(lexsort, &own->take, &dmm_take_class, &take));
out:
    return status;
}

static dmm_status build_kernels(dmm_lexsort *lexsort)
{
    static const dmm_tuning no_tuning = {.form = DMM_FORM_DEFAULT};
    dmm_status status = DMM_OK;
    dmm_context *const ctx = lexsort->object.ctx;
    const dmm_footprint footprint = {.item_bytes = sizeof(cl_ulong), .word = "lexsort"};
    dmm_options options = {.bytes = 0};
    dmm_parameters p;
    cl_program program = NULL;
    const dmm_program_desc text = {.root = "cl/lexsort.cl", .options = &options, .prelude = ""};
    TRY(dmm_context_choose(&p, ctx, &no_tuning, &footprint));
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", lexsort->desc.row_bytes);
    TRY(dmm_programs_get(&ctx->programs, &text, &program));
    TRY(dmm_object_kernel(lexsort, program, "dmm_lexsort_pack", DMM_LEXSORT_U, &lexsort->pack));
    TRY(dmm_object_kernel(lexsort, program, "dmm_lexsort_unpack", DMM_LEXSORT_U, &lexsort->unpack));
out:
    return status;
}

static dmm_status build_takes(dmm_lexsort *lexsort)
{
    dmm_status status = DMM_OK;
    const dmm_lexsort_desc *const desc = &lexsort->desc;
    dmm_take_desc keys = {
        .num_columns = desc->num_keys, .row_bytes = desc->row_bytes, .max_n = desc->max_n};
    dmm_take_desc values = {
        .num_columns = desc->num_values, .row_bytes = desc->row_bytes, .max_n = desc->max_n};
    for (uint32_t c = 0; c < DMM_MAX_COLUMNS; c++) {
        keys.item_bytes[c] = c < desc->num_keys ? dmm_order_key_bytes(&desc->keys[c]) : 0;
        values.item_bytes[c] = desc->value_bytes[c];
        if (c < desc->num_values && desc->value_bytes[c] > DMM_MAX_ITEM_BYTES)
            return dmm_refuse(DMM_BAD_VALUE, "value_bytes[%u]: is %u, must be 1 to %d", (unsigned)c,
                (unsigned)desc->value_bytes[c], DMM_MAX_ITEM_BYTES);
    }
    TRY(dmm_object_part(lexsort, &lexsort->keys, &dmm_take_class, &keys));
    TRY(limit(lexsort, lexsort->keys));
    if (desc->num_values == 0)
        goto out;
    TRY(dmm_object_part(lexsort, &lexsort->values, &dmm_take_class, &values));
    TRY(limit(lexsort, lexsort->values));
out:
    return status;
}

static dmm_status lexsort_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_lexsort *const lexsort = object;
    dmm_lexsort_desc *const desc = &lexsort->desc;
    desc->row_bytes = desc->row_bytes != 0 ? desc->row_bytes : DEFAULT_BYTES;
    desc->num_keys = desc->num_keys != 0 ? desc->num_keys : 1;
    for (uint32_t c = 0; c < DMM_MAX_COLUMNS; c++)
        if (desc->value_bytes[c] == 0)
            desc->value_bytes[c] = DEFAULT_BYTES;
    TRY(check_desc(desc, &lexsort->object.ctx->device));
    lexsort->object.max_n = UINT64_MAX;
    make_groups(lexsort);
    TRY(build_takes(lexsort));
    for (uint32_t g = 0; g < lexsort->num_groups; g++)
        TRY(build_group(lexsort, g));
    TRY(dmm_along_init(&lexsort->along, lexsort, desc));
    TRY(build_kernels(lexsort));
out:
    return status;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static size_t lexsort_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_lexsort_desc *const desc = &((const dmm_lexsort *)object)->desc;
    const uint64_t n = sizes->n;
    size_t count = 0;
    for (uint32_t c = 0; c < desc->num_keys; c++)
        ports[count++] =
            DMM_COLUMN_READ(dmm_lexsort_args, keys_in, c, n, dmm_order_key_bytes(&desc->keys[c]));
    for (uint32_t c = 0; c < desc->num_values; c++)
        ports[count++] = DMM_COLUMN_READ(dmm_lexsort_args, values_in, c, n, desc->value_bytes[c]);
    for (uint32_t c = 0; c < desc->num_keys; c++) {
        ports[count] =
            DMM_COLUMN_WRITE(dmm_lexsort_args, keys_out, c, n, dmm_order_key_bytes(&desc->keys[c]));
        ports[count++].optional = 1;
    }
    for (uint32_t c = 0; c < desc->num_values; c++)
        ports[count++] = DMM_COLUMN_WRITE(dmm_lexsort_args, values_out, c, n, desc->value_bytes[c]);
    ports[count++] =
        (dmm_port){DMM_WRITES(dmm_lexsort_args, rows_out, n, desc->row_bytes), .optional = 1};
    ports[count++] = (dmm_port){DMM_READS_COUNT(dmm_lexsort_args)};
    (void)args;
    return count;
}

enum { NUMBERS, ROWS, SORT };

/* A region of items may begin in the middle of one: it has one more. */
static void lexsort_lay_out(const void *object, dmm_call *call)
{
    const dmm_lexsort *const lexsort = object;
    const dmm_lexsort_args *const args = call->args;
    const uint64_t n = call->sizes.n;
    uint64_t sort_bytes = dmm_along_temp_bytes(&lexsort->along, n);
    uint32_t widest = 0;
    for (uint32_t g = 0; g < lexsort->num_groups; g++) {
        uint64_t bytes = 0;
        const group *const own = &lexsort->groups[g];
        if (dmm_object_temp_bytes(&bytes, own->sort, (dmm_sizes){.n = n}) != DMM_OK)
            bytes = UINT64_MAX;
        sort_bytes = bytes > sort_bytes ? bytes : sort_bytes;
        widest = own->bytes > widest ? own->bytes : widest;
    }
    const int own_rows = args == NULL || args->rows_out.buffer == NULL;
    dmm_call_region(call, NUMBERS, n != 0 ? dmm_size_add(n, 1) : 0, widest);
    dmm_call_region(call, ROWS, own_rows ? n : 0, lexsort->desc.row_bytes);
    dmm_call_region(call, SORT, sort_bytes, 1);
}

/* What a call of a part has in common. */
typedef struct table {
    const dmm_lexsort *lexsort;
    const dmm_call *call;
    const dmm_lexsort_args *args;
    dmm_span rows;
} table;

static dmm_span numbers_of(const table *t, const group *g)
{
    return dmm_call_items(t->call, NUMBERS, g->bytes);
}

/* Returns the numbers of a launch for column k of a group. */
static dmm_lexsort_call column_of(const table *t, const group *g, uint32_t k)
{
    const dmm_order *const order = &t->lexsort->desc.keys[k];
    const uint32_t bytes = dmm_type_bytes(order->type);
    const uint64_t all = UINT64_MAX >> (64 - 8 * bytes), sign = (uint64_t)1 << (8 * bytes - 1);
    const int is_float = dmm_is_float(order->type), is_signed = dmm_is_signed(order->type);
    const uint32_t mantissa = bytes == 2 ? 10 : bytes == 4 ? 23 : 52;
    const uint64_t nans = is_float ? ((uint64_t)1 << mantissa) - 1 : 0;
    dmm_lexsort_call c = {.numbers_at = dmm_span_items(numbers_of(t, g), g->bytes),
        .rows_at = dmm_span_items(t->rows, t->lexsort->desc.row_bytes),
        .count_at = dmm_span_items(t->args->count, DMM_COUNT_BYTES),
        .n = t->call->sizes.n,
        .flip = (is_float || is_signed ? sign : 0) ^ (order->descending ? all : 0),
        .mirror = is_float ? all ^ sign : 0,
        .rotate = nans,
        .zero = order->zero_equal ? sign - nans : 0,
        .bytes = bytes,
        .wide = g->bytes == 8,
        .continues = k > g->first};
    for (uint32_t later = k + 1; later < g->end; later++)
        c.shift += 8 * dmm_type_bytes(t->lexsort->desc.keys[later].type);
    return c;
}

static dmm_grid grid_of(const table *t)
{
    return (dmm_grid){0, dmm_size_div_up(t->call->sizes.n, DMM_LEXSORT_U), DMM_LEXSORT_U};
}

/* Writes the keys of a group's sort into NUMBERS; is_first: rows have not been sorted yet. */
static dmm_status make_numbers(const table *t, const group *g, int is_first)
{
    dmm_status status = DMM_OK;
    if (!g->packed) {
        const dmm_take_args args = {.rows = t->rows,
            .in = {t->args->keys_in[g->first]},
            .out = {numbers_of(t, g)},
            .count = t->args->count};
        const dmm_sizes sizes = {
            .n = t->call->sizes.n, .m = t->call->sizes.n, .l = t->call->sizes.n};
        return dmm_call_run(t->call, g->take, &args, sizes);
    }
    for (uint32_t k = g->first; k < g->end; k++) {
        const dmm_span column = t->args->keys_in[k];
        dmm_lexsort_call c = column_of(t, g, k);
        c.column_at = dmm_span_items(column, c.bytes);
        TRY(dmm_call_launch(t->call, t->lexsort->pack,
            DMM_BUFFERS(column.buffer, numbers_of(t, g).buffer, is_first ? NULL : t->rows.buffer,
                t->args->count.buffer),
            &c, sizeof c, grid_of(t)));
    }
out:
    return status;
}

static dmm_status sort_by(const table *t, const group *g, int is_first)
{
    dmm_status status = DMM_OK;
    const int reads_column = is_first && !g->packed;
    if (!reads_column)
        TRY(make_numbers(t, g, is_first));
    const dmm_span numbers = numbers_of(t, g);
    const int is_last = g == &t->lexsort->groups[0] && !g->packed;
    const dmm_span wanted = t->args->keys_out[g->first];
    const dmm_sort_args args = {.keys_in = reads_column ? t->args->keys_in[g->first] : numbers,
        .values_in = is_first ? DMM_NONE : t->rows,
        .keys_out = is_last && wanted.buffer != NULL ? wanted : numbers,
        .values_out = t->rows,
        .temp = t->call->regions[SORT],
        .count = t->args->count};
    TRY(dmm_call_run(t->call, g->sort, &args, (dmm_sizes){.n = t->call->sizes.n}));
out:
    return status;
}

/* True if the sorted numbers hold every bit of a column: ties of zeros lose one. */
static int is_in_numbers(const table *t, const group *g, uint32_t k)
{
    return g->packed && k < g->end && !t->lexsort->desc.keys[k].zero_equal;
}

/* Writes the columns and arrays that are wanted, when rows and the first group's numbers are
 * sorted. */
static dmm_status write_table(const table *t)
{
    dmm_status status = DMM_OK;
    const dmm_lexsort *const lexsort = t->lexsort;
    const group *const g = &lexsort->groups[0];
    const uint64_t n = t->call->sizes.n;
    const dmm_sizes sizes = {.n = n, .m = n, .l = n};
    dmm_take_args keys = {.rows = t->rows, .count = t->args->count};
    dmm_take_args values = keys;
    for (uint32_t k = 0; k < lexsort->desc.num_keys; k++) {
        const dmm_span out = t->args->keys_out[k];
        keys.in[k] = t->args->keys_in[k];
        if (out.buffer == NULL || (k == g->first && !g->packed)) /* the sort has written it */
            continue;
        if (!is_in_numbers(t, g, k)) {
            keys.out[k] = out;
            continue;
        }
        dmm_lexsort_call c = column_of(t, g, k);
        c.column_at = dmm_span_items(out, c.bytes);
        TRY(dmm_call_launch(t->call, lexsort->unpack,
            DMM_BUFFERS(out.buffer, numbers_of(t, g).buffer, t->args->count.buffer), &c, sizeof c,
            grid_of(t)));
    }
    TRY(dmm_call_run(t->call, lexsort->keys, &keys, sizes));
    memcpy(values.in, t->args->values_in, sizeof values.in);
    memcpy(values.out, t->args->values_out, sizeof values.out);
    if (lexsort->values != NULL)
        TRY(dmm_call_run(t->call, lexsort->values, &values, sizes));
out:
    return status;
}

static dmm_status lexsort_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_lexsort *const lexsort = object;
    const dmm_lexsort_args *const args = call->args;
    const dmm_span rows = args->rows_out.buffer != NULL
                              ? args->rows_out
                              : dmm_call_items(call, ROWS, lexsort->desc.row_bytes);
    const table t = {lexsort, call, args, rows};
    const dmm_span keys_out =
        args->keys_out[0].buffer != NULL ? args->keys_out[0] : numbers_of(&t, &lexsort->groups[0]);
    if (call->sizes.n == 0)
        goto out;
    if (args->rows_out.buffer == NULL && dmm_along_is_faster(&lexsort->along, call->sizes.n))
        return dmm_along_steps(&lexsort->along, call, keys_out, call->regions[SORT]);
    for (uint32_t g = lexsort->num_groups; g > 0; g--)
        TRY(sort_by(&t, &lexsort->groups[g - 1], g == lexsort->num_groups));
    TRY(write_table(&t));
out:
    return status;
}

const dmm_class dmm_lexsort_class = {
    DMM_CLASS(dmm_lexsort),
    .word = "lexsort",
    .init = lexsort_init,
    .ports = lexsort_ports,
    .lay_out = lexsort_lay_out,
    .steps = lexsort_steps,
};

dmm_status dmm_lexsort_create(dmm_lexsort **out, dmm_context *ctx, const dmm_lexsort_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_lexsort_class, desc);
}

void dmm_lexsort_free(dmm_lexsort *lexsort)
{
    dmm_object_free(lexsort);
}

uint32_t dmm_lexsort_sorts(const dmm_lexsort *lexsort)
{
    return lexsort != NULL ? lexsort->num_groups : 0;
}

dmm_status dmm_lexsort_temp_bytes(uint64_t *out, const dmm_lexsort *lexsort, uint64_t n)
{
    return dmm_object_temp_bytes(out, lexsort, (dmm_sizes){.n = n});
}

dmm_status dmm_lexsort_enqueue(dmm_lexsort *lexsort, cl_command_queue queue,
    const dmm_lexsort_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(lexsort, queue, args, (dmm_sizes){.n = n}, num_wait, wait, event);
}

dmm_status dmm_lexsort_host(
    dmm_context *ctx, const dmm_lexsort_desc *desc, const dmm_lexsort_host_args *args, size_t n)
{
    dmm_lexsort_args spans = {.temp = DMM_NONE};
    dmm_host_array arrays[DMM_MAX_PORTS] = {{.from = NULL}};
    size_t count = 0;
    if (desc == NULL || args == NULL)
        return DMM_NULL_ARGUMENT;
    /* wrong numbers are refused when the object is created, before these arrays are looked at */
    const uint32_t named = desc->num_keys != 0 ? desc->num_keys : 1;
    const uint32_t keys = named % (DMM_MAX_COLUMNS + 1);
    const uint32_t values = desc->num_values % (DMM_MAX_COLUMNS + 1);
    for (uint32_t c = 0; c < keys; c++)
        arrays[count++].from = args->keys[c];
    for (uint32_t c = 0; c < values; c++)
        arrays[count++].from = args->values[c];
    for (uint32_t c = 0; c < keys; c++)
        arrays[count++].to = args->keys_out[c];
    for (uint32_t c = 0; c < values; c++)
        arrays[count++].to = args->values_out[c];
    arrays[count].to = args->rows_out;
    return dmm_object_host(ctx, &dmm_lexsort_class, desc, &spans, (dmm_sizes){.n = n}, arrays);
}
