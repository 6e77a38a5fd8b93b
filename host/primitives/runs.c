/* SPDX-License-Identifier: MIT */
/*
 * Counts the runs that begin in each group's range, and writes them; one group only writes.
 */
#include "primitives/runs.h"

#include "cl/runs_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "primitives/scan.h"

enum { COUNTS, HEADS };

dmm_status dmm_runs_build(
    void *object, dmm_runs *runs, dmm_options *options, const char *prelude, int lengths)
{
    dmm_status status = DMM_OK;
    dmm_context *const ctx = ((dmm_object *)object)->ctx;
    const dmm_program_desc desc = {
        .root = "cl/runs_cpu.cl", .options = options, .prelude = prelude};
    cl_program program = NULL;
    dmm_options_parameters(options, &runs->p, &ctx->device);
    dmm_options_define(options, "DMM_WORD_BYTES", runs->keys.word_bytes);
    dmm_options_define(options, "DMM_WORDS", runs->keys.words);
    dmm_options_define(options, "DMM_RUN_LENGTHS", lengths != 0);
    dmm_mapping_define(options, &runs->mapping);
    TRY(dmm_programs_get(&ctx->programs, &desc, &program));
    TRY(dmm_object_kernel(object, program, "dmm_runs_count", runs->p.u, &runs->count));
    TRY(dmm_object_kernel(object, program, "dmm_runs_write", runs->p.u, &runs->write));
out:
    return status;
}

/* Returns an upper bound, monotone in n, of the groups for n items. */
static uint64_t most_groups(const dmm_runs *runs, uint64_t n)
{
    const uint64_t tiles = dmm_size_div_up(n, runs->p.tile);
    return tiles == 0 ? 1 : tiles < runs->p.most_groups ? tiles : runs->p.most_groups;
}

void dmm_runs_lay_out(const dmm_runs *runs, dmm_call *call, size_t region)
{
    const uint64_t groups = most_groups(runs, call->sizes.n);
    dmm_call_region(call, region + COUNTS, groups, runs->keys.index_bytes);
    dmm_scan_region(call, region + HEADS, groups, runs->total_bytes);
}

dmm_status dmm_runs_steps(
    const dmm_runs *runs, const dmm_call *call, const dmm_runs_spans *spans, size_t region)
{
    dmm_status status = DMM_OK;
    const uint64_t n = call->sizes.n, range = dmm_size_div_up(n, most_groups(runs, n));
    const uint64_t groups = n != 0 ? dmm_size_div_up(n, range) : 1;
    const uint32_t word = runs->keys.word_bytes, total = runs->total_bytes;
    const dmm_span counts = call->regions[region + COUNTS],
                   heads = dmm_call_items(call, region + HEADS, total);
    const dmm_grid grid = {0, groups, runs->p.u};
    const dmm_further further = {spans->further, 0};
    const dmm_runs_call c = {.keys_at = dmm_span_items(spans->keys_in, word),
        .in_at = dmm_span_items(spans->in, dmm_mapping_in(&runs->mapping, total)),
        .keys_out_at = dmm_span_items(spans->keys_out, word),
        .out_at = dmm_span_items(spans->out, total),
        .heads_at = dmm_span_items(heads, total),
        .counts_at = dmm_span_items(counts, runs->keys.index_bytes),
        .runs_at = dmm_span_items(spans->runs_out, DMM_COUNT_BYTES),
        .count_at = dmm_span_items(spans->count, DMM_COUNT_BYTES),
        .n = n,
        .range = range,
        .groups = groups};
    if (groups > 1)
        TRY(dmm_mapping_launch(&runs->mapping, call, further, runs->count,
            DMM_BUFFERS(spans->keys_in.buffer, spans->in.buffer, heads.buffer, counts.buffer,
                spans->count.buffer),
            &c, sizeof c, grid));
    TRY(dmm_mapping_launch(&runs->mapping, call, further, runs->write,
        DMM_BUFFERS(spans->keys_in.buffer, spans->in.buffer, spans->keys_out.buffer,
            spans->out.buffer, heads.buffer, counts.buffer, spans->runs_out.buffer,
            spans->count.buffer),
        &c, sizeof c, grid));
out:
    return status;
}
