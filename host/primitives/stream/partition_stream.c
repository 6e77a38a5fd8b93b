/* SPDX-License-Identifier: MIT */
/*
 * dmm_partition_stream: dmm_partition of run after run. While the device works on one, the next is
 * read, and the one before is stored; pieces.c gathers the stored runs.
 */
#include <dmm/partition_stream.h>

#include <stdlib.h>

#include "core/check.h"
#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"
#include "core/transfer.h"
#include "primitives/partition.h"
#include "primitives/stream/pieces.h"
#include "primitives/stream/pipeline.h"

/* Has the largest max_n: an expression may see positions beyond 2^31. */
static const uint64_t any_position = UINT64_MAX / 4;

typedef struct splitting {
    dmm_pieces p;
    dmm_partition *partition;
    uint32_t label_bytes;   /* 0: no labels */
    uint64_t run;           /* items */
    uint64_t next, started; /* items of the run loaded last, of all that came before it */
    dmm_array_pair in, out; /* as read; in buckets */
    dmm_reader reader;
    char *labels;
    dmm_buffer_pair from[MOST_SETS], on[MOST_SETS];
    uint64_t counts[MOST_SETS];                   /* items of `from` */
    cl_mem labels_on[MOST_SETS], splitters, temp; /* NULL: none */
    cl_mem offsets[MOST_SETS], reports[MOST_SETS];
    uint64_t put; /* items of `out` that are stored or written aside */
    int is_only;
    dmm_aside aside;
} splitting;

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    const splitting *const f = user;
    const uint64_t held = (uint64_t)((char *)keys - f->in.keys) / f->p.s.key_bytes;
    char *const labels = f->label_bytes != 0 ? f->labels + held * f->label_bytes : NULL;
    return f->p.args->read(f->p.args->user, keys, values, labels, most, count);
}

static dmm_status load(void *user, int *is_left)
{
    splitting *const f = user;
    f->next = 0;
    const dmm_status status = dmm_reader_fill(&f->reader, &f->p.s, &f->in, f->run, &f->next);
    *is_left = f->next != 0;
    return status;
}

static dmm_status upload(void *user, const dmm_turn *turn)
{
    splitting *const f = user;
    const uint32_t set = turn->set;
    const dmm_status status =
        dmm_stream_upload(&f->p.s, turn->transfers, &f->in, &f->from[set], f->next);
    f->counts[set] = f->next;
    return status != DMM_OK || f->label_bytes == 0
               ? status
               : dmm_write(turn->transfers, f->labels_on[set], f->labels, f->next * f->label_bytes);
}

static dmm_status start(void *user, const dmm_turn *turn, cl_event *done)
{
    splitting *const f = user;
    const uint32_t set = turn->set;
    const int sees_positions = f->partition->desc.by == DMM_PARTITION_BY_EXPRESSION;
    const dmm_sizes sizes = {.n = f->counts[set], .first = sees_positions ? f->started : 0};
    const dmm_partition_args args = {.items_in = {f->from[set].keys, 0},
        .values_in = {f->from[set].values, 0},
        .by = {f->label_bytes != 0 ? f->labels_on[set] : f->splitters, 0},
        .items_out = {f->on[set].keys, 0},
        .values_out = {f->on[set].values, 0},
        .offsets_out = {f->offsets[set], 0},
        .report_out = {f->reports[set], 0},
        .temp = {f->temp, 0}};
    f->started += f->counts[set];
    return dmm_object_enqueue(f->partition, f->p.s.ctx->queue, &args, sizes, 0, NULL, done);
}

static dmm_status put_run(void *user)
{
    splitting *const f = user;
    const dmm_partition_stream_args *const args = f->p.args;
    return f->is_only ? args->write(args->user, f->out.keys, f->out.values, f->put)
                      : dmm_pieces_store(&f->p, f->p.result.runs - 1, &f->out, f->put);
}

/* Reads the device's report: an item without a bucket ends the call. */
static dmm_status check_report(const splitting *f, const dmm_turn *turn)
{
    dmm_report report = {.code = DMM_OK};
    const dmm_status status =
        dmm_read(turn->transfers, f->reports[turn->set], &report, sizeof report);
    if (status != DMM_OK)
        return status;
    if (report.code != DMM_OK)
        report.position += f->p.result.items;
    if (f->p.args->report_out != NULL)
        *f->p.args->report_out = report;
    return (dmm_status)report.code;
}

/* Stores a run aside; the only one is written instead. */
static dmm_status finish(void *user, const dmm_turn *turn)
{
    dmm_status status = DMM_OK;
    splitting *const f = user;
    const uint32_t set = turn->set;
    uint64_t *row = NULL;
    cl_event copied = NULL;
    const uint64_t count = f->counts[set];
    const uint32_t ways = f->p.ways;
    f->is_only = f->p.result.runs == 0 && f->next == 0;
    TRY(check_report(f, turn));
    TRY(dmm_pieces_append(&f->p, &row));
    TRY(dmm_read(turn->transfers, f->offsets[set], row, (ways + (uint64_t)1) * sizeof *row));
    for (uint32_t b = 0; b < ways; b++)
        FAIL_IF(row[b] > row[b + 1], DMM_WRONG_RESULT);
    FAIL_IF(row[0] != 0 || row[ways] != count, DMM_WRONG_RESULT);
    if (f->is_only && f->p.args->offsets_out != NULL)
        dmm_pieces_offsets(&f->p, f->p.args->offsets_out);
    f->p.result.items += count;
    f->put = count;
    TRY(dmm_stream_download(&f->p.s, turn->transfers, &f->on[set], &f->out, count, &copied));
    dmm_aside_start(&f->aside, copied, put_run, f);
out:
    return status;
}

/* Returns the bytes of arrays and buffers for runs of so many items: of items and values two arrays
 * and two buffers of each set; labels; splitters, offsets, temp. */
static dmm_status bytes_of_run(const void *user, uint64_t items, uint64_t *out)
{
    const splitting *const f = user;
    const dmm_status status = dmm_partition_temp_bytes(out, f->partition, items);
    const uint64_t item = (uint64_t)f->p.s.key_bytes + f->p.s.value_bytes;
    const uint64_t sets = f->p.s.sets;
    const uint64_t fixed = f->p.ways * (8 * sets + f->p.s.key_bytes);
    const uint64_t each = (2 + 2 * sets) * item + (1 + sets) * f->label_bytes;
    *out = dmm_size_add(
        dmm_size_mul(items, each), dmm_size_add(dmm_stream_temp(&f->p.s, *out), fixed));
    return status;
}

/* Creates the object, for the largest runs that the memory allows. */
static dmm_status size(splitting *f, const dmm_partition_stream_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_partition_desc partition = desc->partition;
    uint64_t memory = 0;
    const uint32_t type = dmm_type_bytes(partition.order.type);
    const uint32_t key = type != 0 ? type : partition.order.item_bytes;
    const uint64_t item = (uint64_t)key + partition.value_bytes;
    FAIL_IF(key == 0, DMM_BAD_VALUE);
    TRY(dmm_stream_memory(f->p.s.ctx, desc->memory_bytes, &memory));
    f->p.s.key_bytes = key;
    f->p.s.value_bytes = partition.value_bytes;
    f->p.s.sets = dmm_stream_sets(f->p.s.ctx, &partition.tuning);
    const uint64_t buffer = dmm_stream_buffer_items(&f->p.s);
    const uint64_t most = desc->run_items != 0 ? desc->run_items : memory / (4 * item);
    FAIL_IF(desc->run_items > buffer, DMM_TOO_LARGE);
    partition.max_n = partition.by == DMM_PARTITION_BY_EXPRESSION ? any_position : most + 1;
    TRY(dmm_partition_create(&f->partition, f->p.s.ctx, &partition));
    f->p.ways = f->partition->desc.ways;
    f->label_bytes = partition.by == DMM_PARTITION_BY_LABELS ? f->partition->label_bytes : 0;
    f->run = desc->run_items;
    TRY(dmm_stream_largest(most < buffer ? most : buffer, memory, bytes_of_run, f, &f->run));
    f->p.plan.run_items = f->run;
    f->p.plan.window_items = desc->window_items != 0 ? desc->window_items : memory / (2 * item);
    FAIL_IF(f->p.plan.window_items == 0, DMM_BAD_VALUE);
out:
    return status;
}

static dmm_status open_buffers(splitting *f)
{
    dmm_status status = DMM_OK;
    const dmm_stream *const s = &f->p.s;
    const uint64_t labels = dmm_size_mul(f->run, f->label_bytes);
    const uint64_t splitters = dmm_partition_by_items(f->partition, 0);
    uint64_t temp = 0;
    TRY(dmm_partition_temp_bytes(&temp, f->partition, f->run));
    TRY(dmm_stream_arrays(s, f->run, &f->in));
    TRY(dmm_stream_arrays(s, f->run, &f->out));
    FAIL_IF(labels >= SIZE_MAX, DMM_OUT_OF_MEMORY);
    f->labels = labels != 0 ? malloc((size_t)labels) : NULL;
    FAIL_IF(labels != 0 && f->labels == NULL, DMM_OUT_OF_MEMORY);
    TRY(dmm_upload(s->ctx, f->p.args->splitters, splitters * s->key_bytes, &f->splitters));
    TRY(dmm_stream_buffer_sets(s, f->run, f->from));
    TRY(dmm_stream_buffer_sets(s, f->run, f->on));
    for (uint32_t i = 0; i < s->sets; i++) {
        TRY(dmm_upload(s->ctx, NULL, labels, &f->labels_on[i]));
        TRY(dmm_upload(s->ctx, NULL, (f->p.ways + (uint64_t)1) * sizeof(uint64_t), &f->offsets[i]));
        TRY(dmm_upload(s->ctx, NULL, sizeof(dmm_report), &f->reports[i]));
    }
    TRY(dmm_upload(s->ctx, NULL, temp, &f->temp));
out:
    return status;
}

/* Releases what the runs needed, so that the windows may have it. NULL and twice are fine. */
static void close_buffers(splitting *f)
{
    cl_mem *const buffers[] = {&f->splitters, &f->temp, &f->labels_on[0], &f->labels_on[1],
        &f->offsets[0], &f->offsets[1], &f->reports[0], &f->reports[1]};
    dmm_aside_wait(&f->aside);
    dmm_stream_free_arrays(&f->in);
    dmm_stream_free_arrays(&f->out);
    dmm_stream_free_buffer_sets(f->from);
    dmm_stream_free_buffer_sets(f->on);
    free(f->labels);
    f->labels = NULL;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) {
        if (*buffers[i] != NULL)
            clReleaseMemObject(*buffers[i]);
        *buffers[i] = NULL;
    }
}

dmm_status dmm_partition_stream_plan_host(dmm_partition_stream_plan *out, dmm_context *ctx,
    const dmm_partition_stream_desc *desc, uint64_t n)
{
    dmm_status status = DMM_OK;
    splitting f = {.p = {.s = {.ctx = ctx}}};
    dmm_refuse_begin();
    if (out == NULL || ctx == NULL || desc == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    FAIL_IF(desc->partition.map != NULL,
        dmm_refuse(DMM_UNSUPPORTED, "partition.map: streams take no map"));
    TRY(size(&f, desc));
    f.p.plan.runs = dmm_size_div_up(n, f.run);
    f.p.plan.store_bytes = f.p.plan.runs > 1 ? dmm_pieces_bytes(&f.p, n) : 0;
    FAIL_IF(f.p.plan.store_bytes == UINT64_MAX, DMM_TOO_LARGE);
    *out = f.p.plan;
out:
    dmm_partition_free(f.partition);
    return status;
}

dmm_status dmm_partition_stream_host(
    dmm_context *ctx, const dmm_partition_stream_desc *desc, const dmm_partition_stream_args *args)
{
    dmm_status status = DMM_OK;
    splitting f = {.p = {.s = {.ctx = ctx}, .args = args}};
    dmm_refuse_begin();
    if (ctx == NULL || desc == NULL || args == NULL || args->read == NULL || args->write == NULL ||
        args->store == NULL || args->load == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_check_reserved(desc, sizeof *desc, 0));
    FAIL_IF(desc->partition.map != NULL,
        dmm_refuse(DMM_UNSUPPORTED, "partition.map: streams take no map"));
    TRY(dmm_check_reserved(args, sizeof *args, 0));
    f.reader = (dmm_reader){.user = &f, .read = read_items};
    TRY(size(&f, desc));
    FAIL_IF(
        args->splitters == NULL && dmm_partition_by_items(f.partition, 0) != 0, DMM_NULL_ARGUMENT);
    if (args->report_out != NULL)
        *args->report_out = (dmm_report){.code = DMM_OK};
    TRY(open_buffers(&f));
    const dmm_pipeline pipeline = {ctx, f.p.s.sets, &f.aside, &f, load, upload, start, finish};
    TRY(dmm_pipeline_run(&pipeline));
    close_buffers(&f);
    if (args->offsets_out != NULL)
        dmm_pieces_offsets(&f.p, args->offsets_out);
    if (!f.is_only && f.p.result.runs != 0)
        TRY(dmm_pieces_gather(&f.p));
    if (args->result_out != NULL)
        *args->result_out = f.p.result;
out:
    close_buffers(&f);
    dmm_partition_free(f.partition);
    free(f.p.starts);
    return status;
}
