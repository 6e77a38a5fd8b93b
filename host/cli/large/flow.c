/* SPDX-License-Identifier: MIT */
/* Sources, drain and scratch file of a stream as callbacks. */
#include "flow.h"

#include "progress.h"

bool cli_flow_open(cli_flow *f, const char *keys, dmm_type type, const char *values,
    uint64_t value_bytes, const char *what, cli_error *error)
{
    if (!cli_open_keys(&f->keys, keys, type, error) ||
        (values && !cli_open_values(&f->values, values, value_bytes, error)))
        return false;
    f->drain.keys = f->keys.like;
    f->drain.values = f->values.like;
    return !f->values.is_counted || !f->keys.is_counted ||
           f->values.like.count == f->keys.like.count ||
           cli_fail(error, CLI_MISTAKE, values, "it holds %zu values for %zu %s",
               f->values.like.count, f->keys.like.count, what);
}

uint64_t cli_flow_item_bytes(const cli_flow *f)
{
    return (uint64_t)f->keys.like.item_bytes + f->values.like.item_bytes;
}

uint64_t cli_flow_run_items(const cli_flow *f, uint64_t planned)
{
    const uint64_t all =
        f->keys.is_counted && f->keys.like.count > 0 ? f->keys.like.count : planned;
    return all < planned ? all : planned;
}

void cli_flow_moves(cli_flow *f, uint64_t bytes)
{
    cli_progress_step(atomic_fetch_add(&f->moved, bytes) + bytes);
}

bool cli_flow_beside(
    cli_flow *f, cli_source *source, void *to, uint64_t items, const char *names, const char *what)
{
    uint64_t done = 0, got = 1;
    for (; done < items && got != 0; done += got)
        if (!cli_source_read(
                source, (char *)to + done * source->like.item_bytes, items - done, &got, &f->reads))
            return false;
    if (items == 0 && !cli_source_read(source, to, 1, &done, &f->reads))
        return false;
    return done == items ||
           cli_fail(&f->reads, CLI_MISTAKE, source->path, "it holds %s %s than there are %s",
               done < items ? "fewer" : "more", names, what);
}

dmm_status cli_flow_read(
    cli_flow *f, void *keys, void *values, uint64_t most, uint64_t *count, const char *what)
{
    if (!cli_source_read(&f->keys, keys, most, count, &f->reads) ||
        (values && !cli_flow_beside(f, &f->values, values, *count, "values", what)))
        return CLI_STOPPED;
    f->items += *count;
    return DMM_OK;
}

dmm_status cli_flow_write(void *user, const void *keys, const void *values, uint64_t count)
{
    cli_flow *const f = user;
    return cli_drain_write(&f->drain, keys, values, count, &f->writes) ? DMM_OK : CLI_STOPPED;
}

dmm_status cli_flow_write_all(void *user, const void *keys, const void *values, uint64_t count)
{
    cli_flow *const f = user;
    f->drain.items = f->items;
    cli_flow_moves(f, count * cli_flow_item_bytes(f));
    return cli_flow_write(f, keys, values, count);
}

dmm_status cli_flow_store(void *user, uint64_t at, const void *data, uint64_t bytes)
{
    cli_flow *const f = user;
    cli_flow_moves(f, bytes);
    return cli_scratch_write(&f->scratch, at, data, bytes, &f->writes) ? DMM_OK : CLI_STOPPED;
}

dmm_status cli_flow_load(void *user, uint64_t at, void *data, uint64_t bytes)
{
    cli_flow *const f = user;
    return cli_scratch_read(&f->scratch, at, data, bytes, &f->reads) ? DMM_OK : CLI_STOPPED;
}

bool cli_flow_check(
    cli_flow *f, dmm_status status, const char *path, bool may_be_small, cli_error *error)
{
    if (status == CLI_STOPPED) {
        *error = f->reads.exit_code != 0 ? f->reads : f->writes;
        return false;
    }
    if (status == DMM_BAD_VALUE && may_be_small)
        return cli_fail(error, CLI_MISTAKE, "--memory", "is too small for such items");
    return cli_check(&f->session, status, path, error);
}

bool cli_flow_end(cli_flow *f, cli_error *error)
{
    return cli_source_end(&f->keys, error) && cli_source_end(&f->values, error);
}

void cli_close_flow(cli_flow *f, bool is_done)
{
    cli_close_scratch(&f->scratch, is_done);
    cli_close_pair(&f->drain.output);
    cli_close_session(&f->session);
    cli_close_source(&f->keys);
    cli_close_source(&f->values);
}
