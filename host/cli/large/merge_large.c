/* SPDX-License-Identifier: MIT */
/* dmm merge --memory: the command's files as callbacks of dmm_merge_stream. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <dmm/merge_stream.h>

#include "flow.h"
#include "merge_large.h"
#include "progress.h"

enum { OUT = 2, OTHER_FILES = 64 };

/* An input. */
typedef struct list {
    cli_source keys, values;
    char last[CLI_KEY_BYTES]; /* key that has been loaded */
} list;

typedef struct merging {
    cli_flow flow;
    const cli_merge_request *o;
    list *lists;
    uint64_t *items; /* items of each list */
    bool rests;      /* there are more files than can be open at once */
    cli_fingerprint sum;
} merging;

static bool read_at(merging *m, cli_source *source, uint64_t at, void *items, uint64_t count)
{
    uint64_t got = 0;
    cli_error *const error = &m->flow.reads;
    const bool ok =
        cli_source_skip(source, at, error) && cli_source_read(source, items, count, &got, error);
    if (m->rests)
        cli_source_rest(source);
    return ok;
}

static dmm_status load_key(void *user, uint64_t i, uint64_t at, void *key)
{
    merging *const m = user;
    return read_at(m, &m->lists[i].keys, at, key, 1) ? DMM_OK : CLI_STOPPED;
}

/* Checks that the keys of a list are sorted, those before them included. */
static bool check_list(merging *m, list *l, uint64_t first, const cli_array *keys)
{
    size_t at = 0;
    return cli_follows(l->last, first == 0, keys, m->o->descending, &at) ||
           cli_fail(&m->flow.reads, CLI_MISTAKE, l->keys.path,
               "it is not sorted: key %" PRIu64 " (from 0) is out of order; see dmm sort",
               first + at);
}

static dmm_status load(
    void *user, uint64_t i, uint64_t first, uint64_t count, void *keys, void *values)
{
    merging *const m = user;
    list *const l = &m->lists[i];
    if (!read_at(m, &l->keys, first, keys, count) ||
        (values && !read_at(m, &l->values, first, values, count)))
        return CLI_STOPPED;
    const cli_array k = cli_view(&m->flow.drain.keys, keys, count);
    const cli_array v = cli_view(&m->flow.drain.values, values, count);
    if (m->o->check)
        cli_add_fingerprint(&m->sum, &k, values ? &v : NULL);
    return check_list(m, l, first, &k) ? DMM_OK : CLI_STOPPED;
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    merging *const m = user;
    cli_progress_step(m->flow.drain.written);
    return cli_flow_write(&m->flow, keys, values, count);
}

static bool open_keys(merging *m, size_t i, cli_error *error)
{
    const cli_merge_request *const o = m->o;
    cli_source *const keys = &m->lists[i].keys;
    if (!cli_open_keys(keys, o->names[i], o->type, error))
        return false;
    if (!cli_source_skips(keys))
        return cli_fail(
            error, CLI_MISTAKE, o->names[i], "with --memory, only .npy and .bin files are merged");
    if (i == 0)
        m->flow.drain.keys = keys->like;
    if (keys->like.type != m->flow.drain.keys.type)
        return cli_fail(error, CLI_MISTAKE, o->names[i], "it holds %s, the first file %s",
            dmm_type_name(keys->like.type), dmm_type_name(m->flow.drain.keys.type));
    if (m->rests)
        cli_source_rest(keys);
    m->items[i] = keys->like.count;
    m->flow.drain.items += m->items[i];
    return true;
}

static bool open_values(merging *m, size_t i, cli_error *error)
{
    const cli_merge_request *const o = m->o;
    cli_source *const values = &m->lists[i].values;
    if (!o->values[OUT])
        return true;
    if (!cli_open_values(values, o->values[i], o->value_bytes, error))
        return false;
    if (!cli_source_skips(values) || values->like.count != m->items[i])
        return cli_fail(error, CLI_MISTAKE, o->values[i],
            "it holds %zu values for %" PRIu64 " keys", values->like.count, m->items[i]);
    if (m->rests)
        cli_source_rest(values);
    if (i == 0)
        m->flow.drain.values = values->like;
    return values->like.item_bytes == m->flow.drain.values.item_bytes ||
           cli_fail(error, CLI_MISTAKE, o->values[i], "its values have %u bytes, those of A %u",
               values->like.item_bytes, m->flow.drain.values.item_bytes);
}

static bool merge(merging *m, cli_error *error)
{
    const cli_merge_request *const o = m->o;
    dmm_sort_stream_desc desc = {
        .value_bytes = m->flow.drain.values.item_bytes, .memory_bytes = o->memory_bytes};
    const dmm_merge_stream_args args = {.user = m,
        .lists = o->num_names,
        .items = m->items,
        .key = load_key,
        .load = load,
        .write = write_items};
    desc.order.type = m->flow.drain.keys.type;
    desc.order.descending = o->descending;
    cli_progress_items("merging", m->flow.drain.items);
    const dmm_status status = dmm_merge_stream_host(m->flow.session.context, &desc, &args);
    if (status == DMM_BAD_VALUE || status == DMM_TOO_LARGE)
        return cli_fail(
            error, CLI_MISTAKE, "--memory", "is too small for %zu such files", o->num_names);
    bool ok = cli_flow_check(&m->flow, status, NULL, false, error);
    for (size_t i = 0; ok && i < o->num_names; i++)
        ok = cli_source_end(&m->lists[i].keys, error) && cli_source_end(&m->lists[i].values, error);
    return ok && cli_drain_commit(&m->flow.drain, &m->sum, error);
}

static bool run(merging *m, cli_error *error)
{
    const cli_merge_request *const o = m->o;
    m->lists = calloc(o->num_names, sizeof *m->lists);
    m->items = calloc(o->num_names, sizeof *m->items);
    if (!m->lists || !m->items)
        return cli_fail_memory(error, o->names[0], o->num_names * sizeof *m->lists);
    const long most_files = sysconf(_SC_OPEN_MAX);
    m->rests = most_files >= 0 && o->num_names + OTHER_FILES > (size_t)most_files;
    for (size_t i = 0; i < o->num_names; i++)
        m->lists[i] = (list){.keys = CLI_SOURCE_INIT, .values = CLI_SOURCE_INIT};
    for (size_t i = 0; i < o->num_names; i++)
        if (!open_keys(m, i, error) || !open_values(m, i, error))
            return false;
    const uint64_t item = (uint64_t)m->flow.drain.keys.item_bytes + m->flow.drain.values.item_bytes;
    return cli_check_room(o->keys[OUT], m->flow.drain.items * item, error) &&
           cli_open_pair(&m->flow.drain.output, o->keys[OUT], o->values[OUT], error) &&
           cli_open_session(&m->flow.session, error) && merge(m, error);
}

bool cli_merge_large(const cli_merge_request *o, cli_error *error)
{
    merging m = {.flow = CLI_FLOW_INIT, .o = o};
    m.flow.drain.descending = o->descending;
    m.flow.drain.checks = o->check;
    const bool ok = run(&m, error);
    cli_close_flow(&m.flow, ok);
    for (size_t i = 0; m.lists && m.items && i < o->num_names; i++) {
        cli_close_source(&m.lists[i].keys);
        cli_close_source(&m.lists[i].values);
    }
    free(m.lists);
    free(m.items);
    return ok;
}
