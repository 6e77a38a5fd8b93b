/* SPDX-License-Identifier: MIT */
/* dmm sort --memory: the command's files as callbacks of dmm_sort_stream. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/sort_stream.h>
#include <dmm/version.h>

#include "flow.h"
#include "progress.h"
#include "sort_large.h"
#include "system/system.h"

enum { JOB_BYTES = 3 * CLI_PATH_BYTES, NAME_BYTES = 2 * CLI_PATH_BYTES, SUMS = 8 };

typedef struct large {
    cli_flow flow;
    const cli_sort_request *o;
    dmm_sort_stream_plan plan;
    uint64_t run_items; /* no more than there are; 0: not known */
    char job[JOB_BYTES];
    cli_fingerprint sum; /* fingerprint of what has been read, for --check and --resume */
    /* The same at the end of each run, of the last SUMS ones: a run is read up to 3 runs before it
     * is stored. */
    cli_fingerprint sums[SUMS];
} large;

static cli_fingerprint *sum_at(large *l, uint64_t items)
{
    return &l->sums[(items - 1) / l->plan.run_items % SUMS];
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    large *const l = user;
    const dmm_status status = cli_flow_read(&l->flow, keys, values, most, count, "keys");
    if (status != DMM_OK)
        return status;
    if ((l->o->check || l->o->resume) && *count != 0) {
        const cli_array k = cli_view(&l->flow.keys.like, keys, *count);
        const cli_array v = cli_view(&l->flow.values.like, values, *count);
        cli_add_fingerprint(&l->sum, &k, values ? &v : NULL);
        *sum_at(l, l->flow.items) = l->sum;
    }
    cli_flow_moves(&l->flow, *count * cli_flow_item_bytes(&l->flow));
    return DMM_OK;
}

static dmm_status stored(void *user, uint64_t items)
{
    large *const l = user;
    cli_scratch *const scratch = &l->flow.scratch;
    return cli_job_record(&scratch->job, scratch->fd, items, sum_at(l, items), &l->flow.writes)
               ? DMM_OK
               : CLI_STOPPED;
}

static dmm_sort_stream_desc describe(const large *l)
{
    dmm_sort_stream_desc desc = {.value_bytes = l->flow.values.like.item_bytes,
        .guarantee = l->o->guarantee,
        .memory_bytes = l->o->memory_bytes,
        .run_items = l->run_items};
    desc.order.type = l->flow.keys.like.type;
    desc.order.descending = l->o->descending;
    desc.order.less = l->o->less;
    return desc;
}

static bool check_status(large *l, dmm_status status, cli_error *error)
{
    if (cli_flow_check(&l->flow, status, l->o->input, false, error))
        return true;
    if (status == DMM_BUILD_FAILED && l->o->less)
        return cli_fail(error, CLI_MISTAKE, "--less", "is not OpenCL C over a and b: see above");
    return false;
}

/* Appends what identifies an input: its path, place, size and time of change. */
static void name_input(large *l, const cli_source *source)
{
    char *const path = realpath(source->path, NULL);
    const size_t used = strlen(l->job);
    const struct stat *const info = &source->info;
    snprintf(l->job + used, sizeof l->job - used,
        "input %s %" PRIuMAX " %" PRIuMAX " %" PRIdMAX " %" PRIdMAX ".%09ld\n",
        path ? path : source->path, (uintmax_t)info->st_dev, (uintmax_t)info->st_ino,
        (intmax_t)info->st_size, (intmax_t)info->st_mtim.tv_sec, info->st_mtim.tv_nsec);
    free(path);
}

/* The job: whatever the content of its scratch file depends on. */
static bool name_job(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    snprintf(l->job, sizeof l->job,
        "dmm sort " DMM_VERSION "\ntype %s %d\nvalues %u\nruns %" PRIu64 " %" PRIu64 "\nless %s\n",
        dmm_type_name(l->flow.keys.like.type), o->descending, l->flow.values.like.item_bytes,
        l->plan.run_items, l->plan.block_items, o->less ? o->less : "");
    name_input(l, &l->flow.keys);
    if (o->values)
        name_input(l, &l->flow.values);
    return !o->resume || strlen(l->job) + 1 < sizeof l->job ||
           cli_fail(
               error, CLI_MISTAKE, "--resume", "the names of the files, or --less, are too long");
}

/*
 * Names the files of the job after the user and the output, or, for standard output, the input:
 * another job of the same output takes them over, so that no job leaves them for ever.
 */
static void name_files(const large *l, char name[NAME_BYTES])
{
    const char *const target = l->flow.drain.output.keys.target;
    const char *const path = target ? target : l->o->input, *const slash = cli_last_slash(path);
    char folder[CLI_PATH_BYTES];
    snprintf(
        folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    char *const real = realpath(folder, NULL);
    snprintf(name, NAME_BYTES, "%ju %d %s/%s", (uintmax_t)geteuid(), target != NULL,
        real ? real : folder, slash ? slash + 1 : path);
    free(real);
}

static bool open_scratch(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (l->plan.store_bytes == 0 && l->flow.keys.is_counted)
        return true;
    const cli_job *const job = &l->flow.scratch.job;
    char name[NAME_BYTES];
    name_files(l, name);
    if (!cli_open_scratch(
            &l->flow.scratch, o->scratch, o->output, o->resume ? l->job : NULL, name, error) ||
        !cli_check_space(&l->flow.scratch, l->plan.store_bytes, o->output,
            l->flow.keys.estimate * cli_flow_item_bytes(&l->flow), error))
        return false;
    l->flow.items = job->items;
    l->sum = job->sum;
    if (job->has_lost)
        fprintf(stderr,
            "dmm: sort: %s: has changed or been cut off: what it lost is sorted again\n",
            job->path);
    if (l->flow.items == 0)
        return true;
    fprintf(stderr, "dmm: sort: goes on behind %" PRIu64 " of %" PRIu64 " keys\n", l->flow.items,
        (uint64_t)l->flow.keys.like.count);
    return cli_source_skip(&l->flow.keys, l->flow.items, error) &&
           (!o->values || cli_source_skip(&l->flow.values, l->flow.items, error));
}

static bool sort(large *l, cli_error *error)
{
    const dmm_sort_stream_desc desc = describe(l);
    const dmm_sort_stream_args args = {.user = l,
        .read = read_items,
        .write = cli_flow_write_all,
        .store = cli_flow_store,
        .load = cli_flow_load,
        .stored = l->o->resume ? stored : NULL,
        .stored_items = l->flow.items};
    const uint64_t known = l->flow.keys.is_counted ? l->flow.keys.like.count : 0;
    cli_progress_bytes("sorting", 2 * known * cli_flow_item_bytes(&l->flow) + l->plan.store_bytes);
    atomic_store(&l->flow.moved, 2 * l->flow.items * cli_flow_item_bytes(&l->flow));
    const dmm_status status = dmm_sort_stream_host(l->flow.session.context, &desc, &args);
    return check_status(l, status, error) && cli_flow_end(&l->flow, error) &&
           cli_drain_commit(&l->flow.drain, &l->sum, error);
}

static bool check_options(const large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (o->argsort)
        return cli_fail(error, CLI_MISTAKE, "--argsort", "is not offered with --memory");
    if (o->method != 0)
        return cli_fail(error, CLI_MISTAKE, "--method", "is not offered with --memory");
    if (o->check && o->less)
        return cli_fail(
            error, CLI_MISTAKE, "--check", "is not offered with --memory and --less together");
    return true;
}

static bool run(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (!check_options(l, error) ||
        !cli_flow_open(&l->flow, o->input, o->type, o->values, o->value_bytes, "keys", error) ||
        !cli_check_text("--less", o->less, "a", l->flow.keys.like.type, error))
        return false;
    if (o->resume &&
        (!cli_source_skips(&l->flow.keys) || (o->values && !cli_source_skips(&l->flow.values))))
        return cli_fail(error, CLI_MISTAKE, "--resume", "needs .npy or .bin files");
    if (!cli_open_pair(&l->flow.drain.output, o->output, o->values_out, error) ||
        !cli_open_session(&l->flow.session, error))
        return false;
    l->flow.drain.descending = o->descending;
    l->flow.drain.checks = o->check;
    if (o->resume) /* before the scratch file is removed */
        l->flow.drain.output.keys.syncs = l->flow.drain.output.values.syncs = true;
    const dmm_sort_stream_desc desc = describe(l);
    const dmm_status status =
        dmm_sort_stream_plan_host(&l->plan, l->flow.session.context, &desc, l->flow.keys.estimate);
    if (status == DMM_BAD_VALUE)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for such items");
    l->run_items = cli_flow_run_items(&l->flow, l->plan.run_items);
    return check_status(l, status, error) && name_job(l, error) && open_scratch(l, error) &&
           sort(l, error);
}

bool cli_sort_large(const cli_sort_request *o, cli_error *error)
{
    large *const l = calloc(1, sizeof *l);
    if (!l)
        return cli_fail_memory(error, o->input, sizeof *l);
    *l = (large){.flow = CLI_FLOW_INIT, .o = o};
    const bool ok = run(l, error);
    cli_close_flow(&l->flow, ok);
    free(l);
    return ok;
}
