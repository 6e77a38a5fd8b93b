/* SPDX-License-Identifier: MIT */
/*
 * dmm_permute: a check, then the move; a gather by tiles is a scatter by the inverse permutation.
 */
#include "primitives/permute/permute.h"

#include <time.h>

#include "cl/hash.clh"
#include "cl/permute/permute_call.clh"
#include "core/check.h"
#include "core/os.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/temp.h"

/* A call of the checker. */
typedef struct checked_call {
    dmm_span index, report;
    dmm_span bad;     /* u32; 0 afterwards if the positions are a permutation */
    dmm_span scratch; /* check_bytes long */
    uint64_t n;
} checked_call;

enum { DEFAULT_BYTES = 4 };

/* Returns 64 random bits, never 0: the system's; if it has none, from the clock and addresses, with
 * a log line. */
static uint64_t fresh_seed(const dmm_log *log)
{
    uint64_t seed = 0;
    if (!dmm_os_random(&seed, sizeof seed)) {
        dmm_log_line(log, "dmm: the system has no random numbers: seeding from the clock");
        seed = dmm_mix(dmm_mix((uint64_t)time(NULL)) + dmm_mix((uint64_t)clock()) +
                       (uintptr_t)&seed + (uintptr_t)log);
    }
    return seed != 0 ? seed : 1;
}

static dmm_status check_desc(const dmm_permute_desc *desc)
{
    if (desc->index_bytes != 4 && desc->index_bytes != 8)
        return dmm_refuse(
            DMM_BAD_VALUE, "index_bytes: must be 4 or 8, is %u", (unsigned)desc->index_bytes);
    if ((unsigned)desc->direction > DMM_DIRECTION_GATHER)
        return dmm_refuse(DMM_BAD_VALUE, "direction: %d is no dmm_direction", (int)desc->direction);
    if ((unsigned)desc->method > DMM_PERMUTE_RANDOMIZED)
        return dmm_refuse(DMM_BAD_VALUE, "method: %d is no dmm_permute_method", (int)desc->method);
    return DMM_OK;
}

/*
 * Spreading was measured to be faster than the plain kernel if items outgrow the caches; a plain
 * gather is faster than computing the inverse. The GPU form has not been measured on a GPU.
 */
static dmm_permute_method method_of(const dmm_permute_desc *desc, const dmm_context *ctx)
{
    if (desc->method != DMM_PERMUTE_AUTO)
        return desc->method;
    return dmm_context_is_cpu(ctx, &desc->tuning) && desc->direction == DMM_DIRECTION_SCATTER
               ? DMM_PERMUTE_SCATTER
               : DMM_PERMUTE_PLAIN;
}

/* Creates kernels, which `object` owns. Without `check` a call writes the report only. */
static dmm_status checker_init(dmm_permute_checker *out, void *object, uint32_t index_bytes,
    uint32_t position_bytes, int check)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    dmm_options options = {.bytes = 0};
    const dmm_parameters p = {.u = 1, .E = 1, .tile = 1};
    const dmm_program_desc desc = {
        .root = "cl/permute/permute_check.cl", .options = &options, .prelude = ""};
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    cl_program program = NULL;
    out->index_bytes = index_bytes;
    out->owner_bytes = position_bytes;
    out->max_groups = dmm_most_groups(&ctx->device, 0);
    dmm_options_parameters(&options, &p, &ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", position_bytes);
    dmm_options_define(&options, "DMM_PLACE_BYTES", index_bytes);
    dmm_options_define(&options, "DMM_CHECKED", check != 0);
    TRY(dmm_programs_get(&ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(object, program, "dmm_permute_tell", 1, &out->tell));
    if (!check)
        goto out;
    TRY(dmm_object_kernel(object, program, "dmm_permute_clear", u, &out->clear));
    TRY(dmm_object_kernel(object, program, "dmm_permute_mark", u, &out->mark));
    TRY(dmm_object_kernel(object, program, "dmm_permute_own", u, &out->own));
    TRY(dmm_object_kernel(object, program, "dmm_permute_find", u, &out->find));
out:
    return status;
}

typedef struct check_layout {
    dmm_temp temp;
    uint64_t bits, owners, found;
} check_layout;

static check_layout lay_out(const dmm_permute_checker *checker, uint64_t n)
{
    check_layout l = {.bits = 0};
    if (checker->mark == NULL)
        return l;
    l.bits = dmm_temp_region(&l.temp, dmm_size_div_up(n, 32), sizeof(cl_uint));
    l.owners = dmm_temp_region(&l.temp, n, checker->owner_bytes);
    l.found = dmm_temp_region(&l.temp, checker->max_groups, sizeof(cl_uint));
    return l;
}

/* Returns the bytes of scratch; 0 without a check; monotone in n. */
static uint64_t check_bytes(const dmm_permute_checker *checker, uint64_t n)
{
    return lay_out(checker, n).temp.bytes;
}

static dmm_status launch(const dmm_permute_checker *checker, const dmm_call *call, cl_kernel kernel,
    const checked_call *checking, int upper, dmm_grid grid)
{
    const check_layout l = lay_out(checker, checking->n);
    const uint64_t scratch = checking->scratch.offset_bytes, n = checking->n;
    const cl_mem buffer = checking->scratch.buffer;
    const uint64_t range = dmm_size_div_up(n, checker->max_groups);
    const dmm_permute_check_call c = {
        .index_at = dmm_span_items(checking->index, checker->index_bytes),
        .bits_at = (scratch + l.bits) / sizeof(cl_uint),
        .owners_at = (scratch + l.owners) / sizeof(cl_uint),
        .found_at = (scratch + l.found) / sizeof(cl_uint),
        .bad_at = dmm_span_items(checking->bad, sizeof(cl_uint)),
        .report_at = dmm_span_items(checking->report, sizeof(cl_uint)),
        .n = n,
        .range = range,
        .groups = (cl_uint)(n != 0 ? dmm_size_div_up(n, range) : 0),
        .code = DMM_BAD_DATA,
        .upper = upper != 0};
    if (kernel == checker->find)
        grid.groups = c.groups;
    return dmm_call_launch(call, kernel,
        DMM_BUFFERS(checking->index.buffer, buffer, buffer, buffer, checking->bad.buffer,
            checking->report.buffer),
        &c, sizeof c, grid);
}

/* Checks that an array of positions is a permutation: five launches, most of which return at once
 * if it is. */
static dmm_status find_fault(
    const dmm_permute_checker *checker, const dmm_call *call, const checked_call *checking)
{
    dmm_status status = DMM_OK;
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const uint64_t n = checking->n, most = n > checker->max_groups ? n : checker->max_groups;
    const dmm_grid one = {0, 1, 1}, all = {0, dmm_size_div_up(n, u), u};
    const dmm_grid clearing = {0, dmm_size_div_up(most, u), u};
    if (checker->mark != NULL && n != 0) {
        TRY(launch(checker, call, checker->clear, checking, 0, clearing));
        TRY(launch(checker, call, checker->mark, checking, 0, all));
        if (checker->owner_bytes == 8)
            TRY(launch(checker, call, checker->own, checking, 1, all));
        TRY(launch(checker, call, checker->own, checking, 0, all));
        TRY(launch(checker, call, checker->find, checking, 0, all));
    }
    TRY(launch(checker, call, checker->tell, checking, 0, one));
out:
    return status;
}

static dmm_status permute_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_permute *const permute = object;
    dmm_permute_desc *const desc = &permute->desc;
    desc->item_bytes = desc->item_bytes != 0 ? desc->item_bytes : DEFAULT_BYTES;
    desc->index_bytes = desc->index_bytes != 0 ? desc->index_bytes : DEFAULT_BYTES;
    if (desc->method == DMM_PERMUTE_RANDOMIZED && desc->seed == 0)
        desc->seed = fresh_seed(&permute->object.ctx->log);
    const uint32_t item_bytes = desc->item_bytes, index_bytes = desc->index_bytes;
    const dmm_permute_method method = method_of(desc, permute->object.ctx);
    TRY(check_desc(desc));
    permute->inverts = desc->direction == DMM_DIRECTION_GATHER && method != DMM_PERMUTE_PLAIN;
    TRY(dmm_permute_mover_init(&permute->items, permute, desc, item_bytes, method));
    permute->object.max_n = permute->items.words.max_n;
    if (permute->inverts) {
        TRY(dmm_permute_mover_init(&permute->positions, permute, desc, index_bytes, method));
        if (permute->object.max_n > permute->positions.words.max_n)
            permute->object.max_n = permute->positions.words.max_n;
    }
    TRY(checker_init(
        &permute->checker, permute, index_bytes, permute->items.words.index_bytes, desc->check));
out:
    return status;
}

static size_t permute_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_permute_desc *const desc = &((const dmm_permute *)object)->desc;
    const uint64_t n = sizes->n, words = sizeof(dmm_report) / sizeof(uint64_t);
    const dmm_port list[] = {
        {DMM_READS(dmm_permute_args, index, n, desc->index_bytes)},
        {DMM_READS(dmm_permute_args, in, n, desc->item_bytes), .pair = 1},
        {DMM_WRITES(dmm_permute_args, out, n, desc->item_bytes), .pair = 1},
        {DMM_WRITES(dmm_permute_args, report_out, words, sizeof(uint64_t)),
            .optional = !desc->check, .report = 1},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

/* FLAG: u32, 0 for a permutation; REPORT: scratch if the caller passed none; SCRATCH: of each mover
 * in turn. */
enum { FLAG, REPORT, CHECK, INVERSE, NUMBERS, SCRATCH };

/* Returns the move of the items, and of positions to compute the inverse; without regions. */
static dmm_permute_move items_move(const dmm_permute *permute, const dmm_call *call)
{
    const dmm_permute_args *const args = call->args;
    return (dmm_permute_move){.index = args->index,
        .in = args->in,
        .out = args->out,
        .seed = permute->desc.seed,
        .n = call->sizes.n,
        .gather = permute->desc.direction == DMM_DIRECTION_GATHER && !permute->inverts};
}

/* Returns the bytes of scratch for the larger of both moves. The move that computes the inverse is
 * not in place. */
static uint64_t scratch_bytes(const dmm_permute *permute, const dmm_call *call)
{
    const uint64_t n = call->sizes.n;
    uint64_t items = 0, positions = 0;
    if (n == 0)
        return 0;
    if (call->args == NULL) {
        items = dmm_permute_most_bytes(&permute->items, n);
        positions = permute->inverts ? dmm_permute_most_bytes(&permute->positions, n) : 0;
    } else {
        dmm_permute_move move = items_move(permute, call);
        items = dmm_permute_move_bytes(&permute->items, &move);
        move.out = DMM_NONE;
        positions = permute->inverts ? dmm_permute_move_bytes(&permute->positions, &move) : 0;
    }
    return items > positions ? items : positions;
}

static void permute_lay_out(const void *object, dmm_call *call)
{
    const dmm_permute *const permute = object;
    const uint64_t n = call->sizes.n, positions = permute->inverts ? n : 0;
    const uint32_t index_bytes = permute->desc.index_bytes;
    dmm_call_region(call, FLAG, n != 0, sizeof(cl_uint));
    dmm_call_region(call, REPORT, n != 0, sizeof(dmm_report));
    dmm_call_region(call, CHECK, check_bytes(&permute->checker, n), 1);
    dmm_call_region(call, INVERSE, positions, index_bytes);
    dmm_call_region(call, NUMBERS, positions, index_bytes);
    dmm_call_region(call, SCRATCH, scratch_bytes(permute, call), 1);
}

/* Writes the report and, with desc.check, the flag. */
static dmm_status check_positions(
    const dmm_permute *permute, const dmm_call *call, const dmm_permute_move *items)
{
    const checked_call checking = {.index = items->index,
        .report = items->report,
        .bad = items->bad,
        .scratch = call->regions[CHECK],
        .n = items->n};
    return find_fault(&permute->checker, call, &checking);
}

/* Computes the inverse: scatters the numbers 0 .. n - 1. */
static dmm_status invert(
    const dmm_permute *permute, const dmm_call *call, const dmm_permute_move *items)
{
    dmm_status status = DMM_OK;
    dmm_permute_move move = *items;
    move.in = call->regions[NUMBERS];
    move.out = call->regions[INVERSE];
    TRY(dmm_permute_number(&permute->positions, call, move.in, move.n));
    TRY(dmm_permute_move_items(&permute->positions, call, &move));
out:
    return status;
}

static dmm_status permute_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_permute *const permute = object;
    const dmm_permute_args *const args = call->args;
    const int reports = args->report_out.buffer != NULL;
    dmm_permute_move items = items_move(permute, call);
    items.bad = call->regions[FLAG];
    items.report = reports ? args->report_out : call->regions[REPORT];
    items.scratch = call->regions[SCRATCH];
    if (reports || (permute->items.tiles != NULL && items.n != 0)) /* tiles count their rounds */
        TRY(check_positions(permute, call, &items));
    if (items.n == 0)
        goto out;
    if (permute->inverts) {
        TRY(invert(permute, call, &items));
        items.index = call->regions[INVERSE];
    }
    TRY(dmm_permute_move_items(&permute->items, call, &items));
out:
    return status;
}

const dmm_class dmm_permute_class = {
    DMM_CLASS(dmm_permute),
    .word = "permute",
    .init = permute_init,
    .ports = permute_ports,
    .lay_out = permute_lay_out,
    .steps = permute_steps,
};

dmm_status dmm_permute_create(dmm_permute **out, dmm_context *ctx, const dmm_permute_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_permute_class, desc);
}

void dmm_permute_free(dmm_permute *permute)
{
    dmm_object_free(permute);
}

dmm_status dmm_permute_temp_bytes(uint64_t *out, const dmm_permute *permute, uint64_t n)
{
    return dmm_object_temp_bytes(out, permute, (dmm_sizes){.n = n});
}

dmm_status dmm_permute_enqueue(dmm_permute *permute, cl_command_queue queue,
    const dmm_permute_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(permute, queue, args, (dmm_sizes){.n = n}, num_wait, wait, event);
}

dmm_status dmm_permute_host(dmm_context *ctx, const dmm_permute_desc *desc, const void *index,
    void *items, size_t n, dmm_report *report_out)
{
    dmm_report found = {0};
    dmm_permute_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = index}, {.from = items}, {.to = items}, {.to = &found}};
    const dmm_status status =
        dmm_object_host(ctx, &dmm_permute_class, desc, &args, (dmm_sizes){.n = n}, arrays);
    if (report_out != NULL && (status == DMM_OK || found.code != DMM_OK))
        *report_out = found;
    return status;
}
