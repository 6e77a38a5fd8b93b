/* SPDX-License-Identifier: MIT */
/*
 * dmm_layout: a launch for each pass of the plan, twice if there are values.
 */
#include <dmm/layout.h>

#include <string.h>

#include "cl/layout.clh"
#include "core/check.h"
#include "core/embedded.h"
#include "core/refuse.h"
#include "core/size.h"
#include "primitives/classes.h"
#include "primitives/layout/layout_plan.h"
#include "primitives/words.h"

enum { DEFAULT_ITEM_BYTES = 4, MOST_B = 65535 };
/* Bytes of a tile in the CPU form, work-items and items a work-item in the GPU form. */
enum { CPU_TILE_BYTES = 1 << 14, GPU_U = 256, GPU_E = 16 };
enum { SCRATCH };

/* Items, or their values: the kernels move one or the other. */
typedef struct moved {
    dmm_word_layout words;
    cl_kernel swap, columns, tiles; /* NULL where there are no values */
} moved;

struct dmm_layout {
    dmm_object object;
    dmm_layout_desc desc;
    dmm_parameters p;
    dmm_layout_way way;
    moved items, values;
};

/* These are the functions of the kernels: both compile cl/layout.clh. */
uint64_t dmm_layout_index(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t rank)
{
    return dmm_tree_index(dmm_tree_of((dmm_u32)kind, B, n), rank);
}

uint64_t dmm_layout_rank(dmm_layout_kind kind, uint32_t B, uint64_t n, uint64_t place)
{
    return dmm_tree_rank(dmm_tree_of((dmm_u32)kind, B, n), place);
}

const char *dmm_layout_source(void)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (strcmp(source->name, "cl/layout.clh") != 0)
        source++;
    return source->text;
}

static dmm_status check_desc(const dmm_layout_desc *desc)
{
    if ((unsigned)desc->kind > DMM_LAYOUT_MVEB)
        return dmm_refuse(DMM_BAD_VALUE, "kind: %d is no layout", (int)desc->kind);
    if ((unsigned)desc->method > DMM_LAYOUT_HYBRID)
        return dmm_refuse(DMM_BAD_VALUE, "method: %d is no dmm_layout_method", (int)desc->method);
    if (desc->method == DMM_LAYOUT_HYBRID && desc->kind != DMM_LAYOUT_BST)
        return dmm_refuse(DMM_BAD_VALUE, "method: hybrid is for the kind DMM_LAYOUT_BST");
    if (desc->B > MOST_B)
        return dmm_refuse(DMM_BAD_VALUE, "B: is %u, at most %d", (unsigned)desc->B, MOST_B);
    return DMM_OK;
}

/* Returns the way, with the tile as large as B-trees need. */
static dmm_layout_way way_of(const dmm_layout *layout)
{
    const dmm_layout_desc *const desc = &layout->desc;
    dmm_layout_way way = {desc->kind, desc->B, desc->method, layout->p.tile};
    if (way.method == DMM_LAYOUT_AUTO)
        way.method =
            way.kind == DMM_LAYOUT_BST && !layout->p.cpu ? DMM_LAYOUT_HYBRID : DMM_LAYOUT_CYCLES;
    if (way.B == 0)
        way.B = (uint32_t)layout->object.ctx->device.banks.value;
    if (way.tile < DMM_LAYOUT_LEAST_TILE)
        way.tile = DMM_LAYOUT_LEAST_TILE;
    if (way.kind == DMM_LAYOUT_BTREE && way.tile < 2 * ((uint64_t)way.B + 1))
        way.tile = 2 * ((uint64_t)way.B + 1);
    return way;
}

static dmm_status build(dmm_layout *layout, moved *m, uint32_t item_bytes)
{
    dmm_status status = DMM_OK;
    const dmm_device *const device = &layout->object.ctx->device;
    const uint32_t u = layout->p.u;
    dmm_options options = {.bytes = 0};
    const dmm_program_desc desc = {.root = "cl/layout.cl", .options = &options, .prelude = ""};
    cl_program program = NULL;
    TRY(dmm_word_layout_init(&m->words, device, item_bytes, layout->desc.max_n));
    if (m->words.max_n < layout->object.max_n)
        layout->object.max_n = m->words.max_n;
    dmm_options_parameters(&options, &layout->p, device);
    dmm_word_define(&options, &m->words);
    TRY(dmm_programs_get(&layout->object.ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(layout, program, "dmm_layout_swap", u, &m->swap));
    TRY(dmm_object_kernel(layout, program, "dmm_layout_columns", u, &m->columns));
    TRY(dmm_object_kernel(layout, program, "dmm_layout_tiles", u, &m->tiles));
out:
    return status;
}

static dmm_status layout_init(void *object)
{
    dmm_status status = DMM_OK;
    dmm_layout *const layout = object;
    dmm_layout_desc *const desc = &layout->desc;
    desc->item_bytes = desc->item_bytes != 0 ? desc->item_bytes : DEFAULT_ITEM_BYTES;
    TRY(check_desc(desc));
    const dmm_footprint footprint = {.item_bytes = desc->item_bytes,
        .cpu_tile_bytes = CPU_TILE_BYTES,
        .gpu_u = GPU_U,
        .gpu_E = GPU_E,
        .word = "layout"};
    TRY(dmm_context_choose(&layout->p, layout->object.ctx, &desc->tuning, &footprint));
    layout->way = way_of(layout);
    layout->object.max_n = UINT64_MAX;
    TRY(build(layout, &layout->items, desc->item_bytes));
    if (desc->value_bytes != 0)
        TRY(build(layout, &layout->values, desc->value_bytes));
out:
    return status;
}

static size_t layout_ports(
    const void *object, const void *args, const dmm_sizes *sizes, dmm_port ports[DMM_MAX_PORTS])
{
    const dmm_layout_desc *const desc = &((const dmm_layout *)object)->desc;
    const dmm_port list[] = {
        {DMM_WRITES(dmm_layout_args, items, sizes->n, desc->item_bytes)},
        {DMM_WRITES(dmm_layout_args, values, sizes->n, desc->value_bytes)},
    };
    (void)args;
    return DMM_PORTS(ports, list);
}

/* A tile for each group that a launch may have. */
static void layout_lay_out(const void *object, dmm_call *call)
{
    const dmm_layout *const layout = object;
    const dmm_layout_desc *const desc = &layout->desc;
    const uint64_t n = call->sizes.n, tile = n < layout->way.tile ? n : layout->way.tile;
    const uint32_t most =
        desc->item_bytes > desc->value_bytes ? desc->item_bytes : desc->value_bytes;
    dmm_call_region(call, SCRATCH, dmm_size_mul(tile, layout->p.most_groups), most);
}

/* Enqueues a pass on the items or on their values. */
static dmm_status launch(const dmm_layout *layout, const dmm_call *call, const moved *m,
    dmm_span span, const dmm_layout_pass *pass)
{
    const uint64_t segments = dmm_layout_segments(pass), most = layout->p.most_groups;
    const uint32_t words = m->words.words;
    const dmm_span scratch = call->regions[SCRATCH];
    dmm_layout_call c = {.items_at = dmm_span_items(span, m->words.word_bytes),
        .scratch_at = dmm_span_items(scratch, m->words.word_bytes),
        .scratch_words = pass->len * words,
        .pass = *pass};
    c.pass.back = layout->desc.back != 0;
    cl_kernel kernel = m->swap;
    uint64_t least = layout->p.cpu ? 1 : layout->p.u;
    c.work = segments * pass->len;
    if (pass->move == DMM_PASS_COLUMNS) {
        kernel = m->columns;
        c.work = segments * dmm_size_div_up(pass->len * words, DMM_LAYOUT_BATCH);
        least = 1;
    } else if (pass->move >= DMM_PASS_SPLIT) {
        kernel = m->tiles;
        c.work = segments;
        least = 1;
    }
    c.range = dmm_size_div_up(c.work, most);
    c.range = c.range < least ? least : c.range;
    const dmm_grid grid = {0, dmm_size_div_up(c.work, c.range), layout->p.u};
    if (kernel != m->tiles)
        return dmm_call_launch(call, kernel, DMM_BUFFERS(span.buffer), &c, sizeof c, grid);
    return dmm_call_launch(
        call, kernel, DMM_BUFFERS(span.buffer, scratch.buffer), &c, sizeof c, grid);
}

static dmm_status layout_steps(const void *object, dmm_call *call)
{
    dmm_status status = DMM_OK;
    const dmm_layout *const layout = object;
    const dmm_layout_args *const args = call->args;
    dmm_layout_plan plan;
    TRY(dmm_layout_plan_make(&plan, &layout->way, call->sizes.n));
    for (size_t i = 0; i < plan.count; i++) {
        const dmm_layout_pass *const pass =
            &plan.passes[layout->desc.back ? plan.count - 1 - i : i];
        TRY(launch(layout, call, &layout->items, args->items, pass));
        if (layout->values.swap != NULL)
            TRY(launch(layout, call, &layout->values, args->values, pass));
    }
out:
    dmm_layout_plan_free(&plan);
    return status;
}

const dmm_class dmm_layout_class = {
    DMM_CLASS(dmm_layout),
    .word = "layout",
    .init = layout_init,
    .ports = layout_ports,
    .lay_out = layout_lay_out,
    .steps = layout_steps,
};

dmm_status dmm_layout_create(dmm_layout **out, dmm_context *ctx, const dmm_layout_desc *desc)
{
    return dmm_object_create(out, ctx, &dmm_layout_class, desc);
}

void dmm_layout_free(dmm_layout *layout)
{
    dmm_object_free(layout);
}

dmm_status dmm_layout_temp_bytes(uint64_t *out, const dmm_layout *layout, uint64_t n)
{
    return dmm_object_temp_bytes(out, layout, (dmm_sizes){.n = n});
}

dmm_status dmm_layout_enqueue(dmm_layout *layout, cl_command_queue queue,
    const dmm_layout_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait,
    cl_event *event)
{
    return dmm_object_enqueue(layout, queue, args, (dmm_sizes){.n = n}, num_wait, wait, event);
}

dmm_status dmm_layout_host(
    dmm_context *ctx, const dmm_layout_desc *desc, void *items, void *values, size_t n)
{
    dmm_layout_args args = {.temp = DMM_NONE};
    const dmm_host_array arrays[DMM_MAX_PORTS] = {
        {.from = items, .to = items}, {.from = values, .to = values}};
    return dmm_object_host(ctx, &dmm_layout_class, desc, &args, (dmm_sizes){.n = n}, arrays);
}
