/* SPDX-License-Identifier: MIT */
/*
 * Checks that an array of positions is a permutation: five launches, most of which return at once
 * if it is.
 */
#include "cl/permute/permute_call.clh"
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/permute/permute.h"

dmm_status dmm_permute_checker_init(dmm_permute_checker *out, void *object, uint32_t index_bytes,
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

uint64_t dmm_permute_check_bytes(const dmm_permute_checker *checker, uint64_t n)
{
    return lay_out(checker, n).temp.bytes;
}

static dmm_status launch(const dmm_permute_checker *checker, const dmm_call *call, cl_kernel kernel,
    const dmm_permute_checking *checking, int upper, dmm_grid grid)
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

dmm_status dmm_permute_check(
    const dmm_permute_checker *checker, const dmm_call *call, const dmm_permute_checking *checking)
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
