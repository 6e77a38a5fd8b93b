/* SPDX-License-Identifier: MIT */
/*
 * Runs a network on the device, in parts of some million comparators: while one part runs, the next
 * one is made and planned. Memory does not grow with the network.
 */
#include <stdlib.h>
#include <string.h>

#include <dmm/network.h>

#include "core/opencl.h"
#include "network.h"

enum { PART_COMPARATORS = 1 << 22, PART_STEPS = 1 << 16 };

/* Steps that make up a part. */
typedef struct part {
    dmm_comparator *pairs;
    uint64_t *ends;
    uint64_t num_pairs, steps;
} part;

/* The runs of two parts: the one that was enqueued last, and the one before it. */
typedef struct running {
    dmm_network *network;
    cl_event done;
} running;

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Returns the bits of the key that no key of the type comes after. */
static uint64_t last_key(dmm_type type, bool descending)
{
    const unsigned bits = 8 * dmm_type_bytes(type);
    const uint64_t all = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const unsigned mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    switch (type) {
    case DMM_I8:
    case DMM_I16:
    case DMM_I32:
    case DMM_I64:
        return descending ? sign : all ^ sign;
    case DMM_F16:
    case DMM_F32:
    case DMM_F64: { /* the NaN with the least bits but the infinity's, of either sign */
        const uint64_t infinity = (sign - 1) >> mantissa << mantissa;
        return (descending ? 0 : sign) | (infinity + 1);
    }
    default:
        return descending ? 0 : all;
    }
}

/* Copies the keys, and appends last keys up to `n`. */
static bool pad(
    cli_array *out, const cli_array *keys, uint64_t n, bool descending, cli_error *error)
{
    const uint64_t last = last_key(keys->type, descending);
    if (!cli_make_alike(out, keys, (size_t)n, error))
        return false;
    memcpy(out->data, keys->data, keys->count * keys->item_bytes);
    for (uint64_t i = keys->count; i < n; i++) /* little-endian, as OpenCL devices are */
        memcpy((char *)out->data + i * keys->item_bytes, &last, keys->item_bytes);
    return true;
}

/* True if all keys from `first` on are the last key. */
static bool is_padding(const cli_array *keys, uint64_t first, bool descending)
{
    const uint64_t last = last_key(keys->type, descending);
    uint64_t i = first;
    while (i < keys->count &&
           memcmp((const char *)keys->data + i * keys->item_bytes, &last, keys->item_bytes) == 0)
        i++;
    return i == keys->count;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* Collects the next steps; none after the last one. */
static void collect(part *p, dmm_model_network *network)
{
    dmm_model_network_step step;
    p->num_pairs = p->steps = 0;
    while (p->num_pairs < PART_COMPARATORS && p->steps < PART_STEPS &&
           dmm_model_network_next(&step, network)) {
        for (uint64_t i = 0; i < step.count; i++)
            p->pairs[p->num_pairs++] = (dmm_comparator){step.pairs[i].low, step.pairs[i].high};
        p->ends[p->steps++] = p->num_pairs;
    }
}

static dmm_status finish(running *r)
{
    const dmm_status status = r->done ? clWaitForEvents(1, &r->done) : DMM_OK;
    if (r->done)
        clReleaseEvent(r->done);
    dmm_network_free(r->network);
    *r = (running){.network = NULL};
    return status;
}

/* Runs the parts one after the other, in place. */
static dmm_status run_parts(dmm_context *ctx, const dmm_network_desc *like, dmm_span keys,
    uint64_t n, dmm_model_network *network, part *p, network_run_info *info)
{
    const dmm_network_args args = {.keys_in = keys, .keys_out = keys};
    running before = {.network = NULL}, now = {.network = NULL};
    dmm_status status = DMM_OK;
    dmm_model_network_rewind(network);
    for (collect(p, network); status == DMM_OK && p->steps != 0; collect(p, network)) {
        dmm_network_desc desc = *like;
        desc.pairs = p->pairs;
        desc.ends = p->ends;
        desc.steps = p->steps;
        status = dmm_network_create(&now.network, ctx, &desc);
        info->launches += dmm_network_launches(now.network);
        const dmm_status ended = finish(&before);
        status = status == DMM_OK ? ended : status;
        if (status == DMM_OK)
            status = dmm_network_enqueue(
                now.network, dmm_context_queue(ctx), &args, n, 0, NULL, &now.done);
        if (status == DMM_OK)
            status = clFlush(dmm_context_queue(ctx));
        before = now;
        now = (running){.network = NULL};
    }
    const dmm_status ended = finish(&before);
    dmm_model_network_rewind(network);
    return status == DMM_OK ? ended : status;
}

static dmm_status run_on_device(dmm_context *ctx, cli_array *keys, const dmm_network_desc *like,
    dmm_model_network *network, part *p, network_run_info *info)
{
    const size_t bytes = keys->count * keys->item_bytes;
    const cl_command_queue queue = dmm_context_queue(ctx);
    dmm_status status = DMM_OK;
    const cl_mem buffer = clCreateBuffer(
        dmm_context_cl(ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, keys->data, &status);
    if (status != DMM_OK)
        return status;
    const dmm_span span = {buffer, 0};
    status = run_parts(ctx, like, span, keys->count, network, p, info);
    if (status == DMM_OK)
        status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, keys->data, 0, NULL, NULL);
    clReleaseMemObject(buffer);
    return status;
}

bool network_run(network_run_info *info, cli_session *session, cli_array *keys,
    dmm_model_network *network, bool descending, cli_error *error)
{
    const uint64_t wires = dmm_model_network_wires(network), count = keys->count;
    const uint64_t n = (count + wires - 1) / wires * wires;
    const size_t most = PART_COMPARATORS + wires / 2 + 1;
    const dmm_network_desc like = {
        .order = {.type = keys->type, .descending = descending}, .wires = (uint32_t)wires};
    cli_array padded = {.data = NULL};
    part p = {malloc(most * sizeof *p.pairs), malloc(PART_STEPS * sizeof *p.ends), 0, 0};
    bool ran = count == 0;
    *info = (network_run_info){.rows = n / wires};
    if (!p.pairs || !p.ends) {
        cli_fail_memory(error, "--run", most * sizeof *p.pairs);
    } else if (count != 0 && pad(&padded, keys, n, descending, error)) {
        const dmm_status status =
            run_on_device(session->context, &padded, &like, network, &p, info);
        ran = cli_check(session, status, "--run", error);
        if (ran && !is_padding(&padded, count, descending))
            ran = cli_fail(error, CLI_CHECK_FAILED, "--run",
                "the network does not bring the greatest keys, which fill up its wires, to its "
                "end");
        memcpy(keys->data, padded.data, count * keys->item_bytes);
    }
    cli_free_array(&padded);
    free(p.pairs);
    free(p.ends);
    return ran;
}
