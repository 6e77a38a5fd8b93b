/* SPDX-License-Identifier: MIT */
/* dmm partition --memory: the command's files as callbacks of dmm_partition_stream. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/partition_stream.h>

#include "flow.h"
#include "partition_large.h"
#include "progress.h"

typedef struct large {
    cli_flow flow;
    const cli_partition_request *o;
    dmm_partition_stream_desc desc;
    dmm_partition_stream_plan plan;
    cli_source labels;
    cli_array splitters, offsets;
    cli_output offsets_out;
} large;

static dmm_status read_items(
    void *user, void *items, void *values, void *labels, uint64_t most, uint64_t *count)
{
    large *const l = user;
    const dmm_status status = cli_flow_read(&l->flow, items, values, most, count, "items");
    if (status == DMM_OK && labels &&
        !cli_flow_beside(&l->flow, &l->labels, labels, *count, "labels", "items"))
        return CLI_STOPPED;
    cli_flow_moves(&l->flow, *count * cli_flow_item_bytes(&l->flow));
    return status;
}

static bool check_status(large *l, dmm_status status, const dmm_report *report, cli_error *error)
{
    const cli_partition_request *const o = l->o;
    if (status == DMM_BAD_DATA)
        return cli_fail(error, CLI_MISTAKE, o->labels ? o->labels : o->input,
            "item %" PRIu64 " (from 0) has no bucket: K is %u", report->position,
            l->desc.partition.ways);
    if (cli_flow_check(&l->flow, status, o->input, false, error))
        return true;
    if (status == DMM_BUILD_FAILED && o->expression)
        return cli_fail(
            error, CLI_MISTAKE, "--expr", "is not OpenCL C over key, i and value: see above");
    return false;
}

bool cli_choose_labels(
    dmm_partition_desc *desc, const cli_array *labels, const char *path, cli_error *error)
{
    desc->label_bytes = labels->item_bytes;
    return labels->type == DMM_U8 || labels->type == DMM_U16 || labels->type == DMM_U32 ||
           cli_fail(error, CLI_MISTAKE, path, "labels are u8, u16 or u32, not %s",
               dmm_type_name(labels->type));
}

bool cli_read_splitters(
    cli_array *out, const cli_partition_request *o, dmm_type type, cli_error *error)
{
    if (!cli_read_keys(out, o->splitters, type, error))
        return false;
    return out->count == o->ways - 1 ||
           cli_fail(error, CLI_MISTAKE, o->splitters, "there are %zu splitters, not K - 1 = %llu",
               out->count, (unsigned long long)o->ways - 1);
}

static bool open_labels(large *l, cli_error *error)
{
    const char *const path = l->o->labels;
    const bool says = cli_format_of(path) == CLI_NPY;
    if (!cli_open_keys(&l->labels, path, says ? DMM_ITEM : DMM_U32, error) ||
        !cli_choose_labels(&l->desc.partition, &l->labels.like, path, error))
        return false;
    return !l->labels.is_counted || !l->flow.keys.is_counted ||
           l->labels.like.count == l->flow.keys.like.count ||
           cli_fail(error, CLI_MISTAKE, path, "there are %zu labels for %zu items",
               l->labels.like.count, l->flow.keys.like.count);
}

static bool open_inputs(large *l, cli_error *error)
{
    const cli_partition_request *const o = l->o;
    dmm_partition_desc *const desc = &l->desc.partition;
    if (!cli_flow_open(&l->flow, o->input, o->type, o->values, o->value_bytes, "items", error))
        return false;
    desc->order.type = l->flow.keys.like.type;
    desc->order.descending = o->descending;
    desc->value_bytes = l->flow.values.like.item_bytes;
    l->desc.memory_bytes = o->memory_bytes;
    return cli_check_text("--expr", o->expression, "key", desc->order.type, error) &&
           (!o->labels || open_labels(l, error)) &&
           (!o->splitters || cli_read_splitters(&l->splitters, o, desc->order.type, error)) &&
           cli_make_array(&l->offsets, DMM_U64, 0, (size_t)o->ways + 1, error);
}

static bool open_outputs(large *l, cli_error *error)
{
    const char *const *const out = l->o->out;
    cli_pair *const pair = &l->flow.drain.output;
    if (!cli_open_pair(pair, out[CLI_PART_ITEMS], out[CLI_PART_VALUES], error))
        return false;
    if (!out[CLI_PART_OFFSETS])
        return true;
    if (!cli_open_output(&l->offsets_out, out[CLI_PART_OFFSETS], error))
        return false;
    const bool is_same = cli_same_output(&pair->keys, &l->offsets_out) ||
                         (pair->values.name && cli_same_output(&pair->values, &l->offsets_out));
    return !is_same || cli_fail(error, CLI_MISTAKE, out[CLI_PART_OFFSETS],
                           "each output needs a file of its own");
}

static bool plan(large *l, cli_error *error)
{
    const cli_partition_request *const o = l->o;
    const dmm_status status = dmm_partition_stream_plan_host(
        &l->plan, l->flow.session.context, &l->desc, l->flow.keys.estimate);
    if (status == DMM_BAD_VALUE)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for such items");
    if (!check_status(l, status, NULL, error))
        return false;
    l->desc.run_items = cli_flow_run_items(&l->flow, l->plan.run_items);
    if (l->plan.store_bytes == 0 && l->flow.keys.is_counted)
        return true;
    return cli_open_scratch(
               &l->flow.scratch, o->scratch, o->out[CLI_PART_ITEMS], NULL, NULL, error) &&
           cli_check_space(&l->flow.scratch, l->plan.store_bytes, o->out[CLI_PART_ITEMS],
               l->flow.keys.estimate * cli_flow_item_bytes(&l->flow), error);
}

static bool partition(large *l, cli_error *error)
{
    dmm_report report = {.code = DMM_OK};
    const dmm_partition_stream_args args = {.user = l,
        .read = read_items,
        .write = cli_flow_write_all,
        .store = cli_flow_store,
        .load = cli_flow_load,
        .splitters = l->splitters.data,
        .offsets_out = l->offsets.data,
        .report_out = &report};
    const uint64_t known = l->flow.keys.is_counted ? l->flow.keys.like.count : 0;
    cli_progress_start(
        "partitioning", 2 * known * cli_flow_item_bytes(&l->flow) + l->plan.store_bytes);
    const dmm_status status = dmm_partition_stream_host(l->flow.session.context, &l->desc, &args);
    return check_status(l, status, &report, error) && cli_flow_end(&l->flow, error) &&
           cli_source_end(&l->labels, error);
}

static bool commit(large *l, cli_error *error)
{
    cli_output *outputs[CLI_PART_FILES];
    int count = 0;
    outputs[count++] = &l->flow.drain.output.keys;
    if (l->o->out[CLI_PART_VALUES])
        outputs[count++] = &l->flow.drain.output.values;
    if (l->o->out[CLI_PART_OFFSETS])
        outputs[count++] = &l->offsets_out;
    return cli_drain_end(&l->flow.drain, NULL, error) &&
           (!l->o->out[CLI_PART_OFFSETS] || cli_write_array(&l->offsets_out, &l->offsets, error)) &&
           cli_commit_outputs(outputs, count, error);
}

bool cli_partition_large(
    const cli_partition_request *o, const dmm_partition_desc *desc, cli_error *error)
{
    large l = {.flow = CLI_FLOW_INIT,
        .o = o,
        .desc = {.partition = *desc},
        .labels = CLI_SOURCE_INIT,
        .offsets_out = CLI_OUTPUT_INIT};
    const bool ok = open_inputs(&l, error) && open_outputs(&l, error) &&
                    cli_open_session(&l.flow.session, error) && plan(&l, error) &&
                    partition(&l, error) && commit(&l, error);
    cli_close_flow(&l.flow, ok);
    cli_close_output(&l.offsets_out);
    cli_close_source(&l.labels);
    cli_free_array(&l.splitters);
    cli_free_array(&l.offsets);
    return ok;
}
