/* SPDX-License-Identifier: MIT */
/* dmm sort --memory: the command's files as callbacks of dmm_sort_stream. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/sort_stream.h>
#include <dmm/version.h>

#include "drain.h"
#include "progress.h"
#include "scratch.h"
#include "session.h"
#include "sort_large.h"
#include "source.h"

/* What callbacks return after they have filled an error. */
enum { STOPPED = 1 << 20, JOB_BYTES = 3 * CLI_PATH_BYTES };

typedef struct large {
    const cli_sort_request *o;
    cli_session session;
    cli_source keys, values;
    cli_drain drain;
    cli_scratch scratch;
    dmm_sort_stream_plan plan;
    char job[JOB_BYTES], folder[CLI_PATH_BYTES];
    uint64_t items;          /* read, or stored by an earlier call */
    atomic_ullong moved;     /* bytes, of the bar */
    cli_error reads, writes; /* of the two threads that callbacks run on */
    cli_fingerprint sum;     /* of what has been read, for --check */
} large;

static uint64_t item_bytes(const large *l)
{
    return (uint64_t)l->keys.like.item_bytes + l->values.like.item_bytes;
}

static void moves(large *l, uint64_t bytes)
{
    cli_progress_step(atomic_fetch_add(&l->moved, bytes) + bytes);
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    large *const l = user;
    uint64_t found = 0;
    if (!cli_source_read(&l->keys, keys, most, count, &l->reads))
        return STOPPED;
    l->items += *count;
    /* At the end of the keys, the values end, too. */
    if (values && !cli_source_read(&l->values, values, *count != 0 ? *count : 1, &found, &l->reads))
        return STOPPED;
    if (values && found != *count) {
        cli_fail(&l->reads, CLI_MISTAKE, l->values.path, "it holds %s values than there are keys",
            found < *count ? "fewer" : "more");
        return STOPPED;
    }
    if (l->o->check && *count != 0) {
        const cli_array k = cli_view(&l->keys.like, keys, *count);
        const cli_array v = cli_view(&l->values.like, values, *count);
        cli_add_fingerprint(&l->sum, &k, values ? &v : NULL);
    }
    moves(l, *count * item_bytes(l));
    return DMM_OK;
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    large *const l = user;
    l->drain.items = l->items; /* all have been read when the first are written */
    moves(l, count * item_bytes(l));
    return cli_drain_write(&l->drain, keys, values, count, &l->writes) ? DMM_OK : STOPPED;
}

static dmm_status store(void *user, uint64_t at, const void *data, uint64_t bytes)
{
    large *const l = user;
    moves(l, bytes);
    return cli_scratch_write(&l->scratch, at, data, bytes, &l->writes) ? DMM_OK : STOPPED;
}

static dmm_status load(void *user, uint64_t at, void *data, uint64_t bytes)
{
    large *const l = user;
    return cli_scratch_read(&l->scratch, at, data, bytes, &l->reads) ? DMM_OK : STOPPED;
}

static dmm_status stored(void *user, uint64_t items)
{
    large *const l = user;
    return cli_scratch_record(&l->scratch, items, &l->writes) ? DMM_OK : STOPPED;
}

static dmm_sort_stream_desc describe(const large *l)
{
    dmm_sort_stream_desc desc = {.value_bytes = l->values.like.item_bytes,
        .guarantee = l->o->guarantee,
        .memory_bytes = l->o->memory_bytes};
    desc.order.type = l->keys.like.type;
    desc.order.descending = l->o->descending;
    desc.order.less = l->o->less;
    return desc;
}

static bool check_status(large *l, dmm_status status, cli_error *error)
{
    if (status == STOPPED) {
        *error = l->reads.exit_code != 0 ? l->reads : l->writes;
        return false;
    }
    if (cli_check(&l->session, status, l->o->input, error))
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
        dmm_type_name(l->keys.like.type), o->descending, l->values.like.item_bytes,
        l->plan.run_items, l->plan.block_items, o->less ? o->less : "");
    name_input(l, &l->keys);
    if (o->values)
        name_input(l, &l->values);
    return !o->resume || strlen(l->job) + 1 < sizeof l->job ||
           cli_fail(
               error, CLI_MISTAKE, "--resume", "the names of the files, or --less, are too long");
}

/* Returns the folder of a path, or of temporary files for standard output. */
static void find_folder(char out[CLI_PATH_BYTES], const char *path)
{
    const char *const slash = strrchr(path, '/'), *const temporary = getenv("TMPDIR");
    if (strcmp(path, "-") == 0)
        snprintf(out, CLI_PATH_BYTES, "%s", temporary && temporary[0] ? temporary : "/tmp");
    else if (slash)
        snprintf(out, CLI_PATH_BYTES, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        snprintf(out, CLI_PATH_BYTES, ".");
}

static bool open_scratch(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    const bool is_file = strcmp(o->output, "-") != 0;
    const uint64_t output_bytes = l->keys.estimate * item_bytes(l);
    char output_folder[CLI_PATH_BYTES];
    find_folder(output_folder, o->output);
    find_folder(l->folder, o->scratch ? "" : o->output);
    if (l->plan.store_bytes == 0 && l->keys.is_counted)
        return true;
    if (!cli_open_scratch(
            &l->scratch, o->scratch ? o->scratch : l->folder, o->resume ? l->job : NULL, error) ||
        !cli_check_space(
            &l->scratch, l->plan.store_bytes, is_file ? output_folder : NULL, output_bytes, error))
        return false;
    l->items = l->scratch.items;
    if (l->items == 0)
        return true;
    fprintf(stderr, "dmm: sort: goes on behind %" PRIu64 " of %" PRIu64 " keys\n", l->items,
        (uint64_t)l->keys.like.count);
    return cli_source_skip(&l->keys, l->items, error) &&
           (!o->values || cli_source_skip(&l->values, l->items, error));
}

static bool sort(large *l, cli_error *error)
{
    const dmm_sort_stream_desc desc = describe(l);
    const dmm_sort_stream_args args = {.user = l,
        .read = read_items,
        .write = write_items,
        .store = store,
        .load = load,
        .stored = stored,
        .stored_items = l->items};
    const uint64_t known = l->keys.is_counted ? l->keys.like.count : 0;
    cli_progress_start("sorting", 2 * known * item_bytes(l) + l->plan.store_bytes);
    atomic_store(&l->moved, 2 * l->items * item_bytes(l));
    const dmm_status status = dmm_sort_stream_host(l->session.context, &desc, &args);
    return check_status(l, status, error) && cli_drain_commit(&l->drain, &l->sum, error);
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
    if (o->check && o->resume)
        return cli_fail(error, CLI_MISTAKE, "--check",
            "is not offered with --resume: keys of earlier calls are not read again");
    return true;
}

static bool run(large *l, cli_error *error)
{
    const cli_sort_request *const o = l->o;
    if (!check_options(l, error) || !cli_open_keys(&l->keys, o->input, o->type, error) ||
        (o->values && !cli_open_values(&l->values, o->values, o->value_bytes, error)))
        return false;
    if (l->values.is_counted && l->keys.is_counted && l->values.like.count != l->keys.like.count)
        return cli_fail(error, CLI_MISTAKE, o->values, "it holds %zu values for %zu keys",
            l->values.like.count, l->keys.like.count);
    if (o->resume && (!cli_source_skips(&l->keys) || (o->values && !cli_source_skips(&l->values))))
        return cli_fail(error, CLI_MISTAKE, "--resume", "needs .npy or .bin files");
    if (!cli_open_pair(&l->drain.output, o->output, o->values_out, error) ||
        !cli_open_session(&l->session, error))
        return false;
    l->drain.keys = l->keys.like;
    l->drain.values = l->values.like;
    l->drain.descending = o->descending;
    l->drain.checks = o->check;
    const dmm_sort_stream_desc desc = describe(l);
    const dmm_status status =
        dmm_sort_stream_plan_host(&l->plan, l->session.context, &desc, l->keys.estimate);
    if (status == DMM_BAD_VALUE)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for such items");
    return check_status(l, status, error) && name_job(l, error) && open_scratch(l, error) &&
           sort(l, error);
}

bool cli_sort_large(const cli_sort_request *o, cli_error *error)
{
    large *const l = calloc(1, sizeof *l);
    if (!l)
        return cli_fail_memory(error, o->input, sizeof *l);
    *l = (large){.o = o,
        .session = CLI_SESSION_INIT,
        .keys = CLI_SOURCE_INIT,
        .values = CLI_SOURCE_INIT,
        .drain = CLI_DRAIN_INIT,
        .scratch = CLI_SCRATCH_INIT};
    const bool ok = run(l, error);
    cli_close_scratch(&l->scratch, ok);
    cli_close_pair(&l->drain.output);
    cli_close_session(&l->session);
    cli_close_source(&l->keys);
    cli_close_source(&l->values);
    free(l);
    return ok;
}
