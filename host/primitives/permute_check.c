/* SPDX-License-Identifier: MIT */
/*
 * Is an array of positions a permutation? Five launches, of which most do nothing if it is.
 */
#include "core/check.h"
#include "core/size.h"
#include "core/temp.h"
#include "primitives/order.h"
#include "primitives/permute.h"

dmm_status dmm_permute_checker_init(dmm_permute_checker *out, dmm_context *ctx,
    uint32_t index_bytes, uint32_t position_bytes, int check)
{
    dmm_status status = DMM_OK;
    dmm_programs *programs = &ctx->programs;
    dmm_options options = {.bytes = 0};
    const dmm_parameters p = {.u = 1, .E = 1, .tile = 1};
    const dmm_program_desc desc = {
        .root = "cl/permute/permute_check.cl", .options = &options, .prelude = ""};
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    cl_program program = NULL;
    out->index_bytes = index_bytes;
    out->owner_bytes = position_bytes;
    out->max_groups = dmm_most_groups(&ctx->device, 0);
    dmm_parameters_define(&options, &p, &ctx->device);
    dmm_options_define(&options, "DMM_INDEX_BYTES", position_bytes);
    dmm_options_define(&options, "DMM_PLACE_BYTES", index_bytes);
    dmm_options_define(&options, "DMM_PLAIN_U", u);
    dmm_options_define(&options, "DMM_CHECKED", check != 0);
    TRY(dmm_programs_get(programs, &desc, &program));
    TRY(dmm_programs_kernel(programs, program, "dmm_permute_tell", 1, &out->tell));
    if (!check)
        goto out;
    TRY(dmm_programs_kernel(programs, program, "dmm_permute_clear", u, &out->clear));
    TRY(dmm_programs_kernel(programs, program, "dmm_permute_mark", u, &out->mark));
    TRY(dmm_programs_kernel(programs, program, "dmm_permute_own", u, &out->own));
    TRY(dmm_programs_kernel(programs, program, "dmm_permute_find", u, &out->find));
out:
    return status;
}

void dmm_permute_checker_destroy(dmm_permute_checker *checker)
{
    const cl_kernel kernels[] = {
        checker->clear, checker->mark, checker->own, checker->find, checker->tell};
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        if (kernels[i] != NULL)
            clReleaseKernel(kernels[i]);
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

static dmm_status launch(const dmm_permute_checker *checker, dmm_chain *chain, cl_kernel kernel,
    const dmm_permute_checking *call, cl_uint what, dmm_grid grid)
{
    const check_layout l = lay_out(checker, call->n);
    const uint64_t scratch = call->scratch.offset_bytes;
    const cl_ulong index_at = dmm_span_items(call->index, checker->index_bytes);
    const cl_ulong bits_at = (scratch + l.bits) / sizeof(cl_uint);
    const cl_ulong owners_at = (scratch + l.owners) / sizeof(cl_uint);
    const cl_ulong found_at = (scratch + l.found) / sizeof(cl_uint);
    const cl_ulong bad_at = dmm_span_items(call->bad, sizeof(cl_uint));
    const cl_ulong report_at = dmm_span_items(call->report, sizeof(cl_uint));
    const cl_ulong n = call->n, range = dmm_size_div_up(n, checker->max_groups);
    const cl_uint groups = (cl_uint)(n != 0 ? dmm_size_div_up(n, range) : 0);
    const dmm_arg args[] = {DMM_ARG_SPAN(call->index, index_at),
        DMM_ARG_SPAN(call->scratch, bits_at), DMM_ARG_SPAN(call->scratch, owners_at),
        DMM_ARG_SPAN(call->scratch, found_at), DMM_ARG_SPAN(call->bad, bad_at),
        DMM_ARG_SPAN(call->report, report_at), DMM_ARG(n), DMM_ARG(range), DMM_ARG(groups),
        DMM_ARG(what)};
    if (kernel == checker->find)
        grid.groups = groups;
    return dmm_chain_launch(chain, kernel, args, sizeof args / sizeof *args, grid);
}

dmm_status dmm_permute_check(
    const dmm_permute_checker *checker, dmm_chain *chain, const dmm_permute_checking *call)
{
    dmm_status status = DMM_OK;
    const uint32_t u = DMM_PERMUTE_PLAIN_U;
    const uint64_t most = call->n > checker->max_groups ? call->n : checker->max_groups;
    const dmm_grid one = {0, 1, 1}, all = {0, dmm_size_div_up(call->n, u), u};
    const dmm_grid clearing = {0, dmm_size_div_up(most, u), u};
    if (checker->mark != NULL && call->n != 0) {
        TRY(launch(checker, chain, checker->clear, call, 0, clearing));
        TRY(launch(checker, chain, checker->mark, call, 0, all));
        if (checker->owner_bytes == 8)
            TRY(launch(checker, chain, checker->own, call, 1, all));
        TRY(launch(checker, chain, checker->own, call, 0, all));
        TRY(launch(checker, chain, checker->find, call, 0, all));
    }
    TRY(launch(checker, chain, checker->tell, call, DMM_BAD_DATA, one));
out:
    return status;
}
