/* SPDX-License-Identifier: MIT */
/* dmm set --memory: the command's files as callbacks of dmm_set_stream. */
#include <inttypes.h>

#include <dmm/set_stream.h>

#include "flow.h"
#include "progress.h"
#include "set_large.h"
#include "sorted.h"

enum { A, B };

typedef struct combining {
    cli_flow flow;
    const cli_set_request *o;
    cli_source lists[2];
    uint64_t read[2]; /* items */
    char last[2][CLI_KEY_BYTES];
} combining;

static dmm_status read_keys(
    void *user, uint32_t i, void *keys, void *values, uint64_t most, uint64_t *count)
{
    combining *const c = user;
    size_t at = 0;
    (void)values;
    if (!cli_source_read(&c->lists[i], keys, most, count, &c->flow.reads))
        return CLI_STOPPED;
    const cli_array piece = cli_view(&c->lists[i].like, keys, *count);
    if (*count != 0 && !cli_follows(c->last[i], c->read[i] == 0, &piece, c->o->descending, &at)) {
        cli_fail(&c->flow.reads, CLI_MISTAKE, c->o->inputs[i],
            "it is not sorted: key %" PRIu64 " (from 0) is out of order; see dmm sort",
            c->read[i] + at);
        return CLI_STOPPED;
    }
    c->read[i] += *count;
    cli_progress_step(c->read[A] + c->read[B]);
    return DMM_OK;
}

static bool combine(combining *c, cli_error *error)
{
    dmm_set_stream_desc desc = {.op = c->o->op, .memory_bytes = c->o->memory_bytes};
    const dmm_set_stream_args args = {.user = c, .read = read_keys, .write = cli_flow_write};
    desc.order.type = c->flow.drain.keys.type;
    desc.order.descending = c->o->descending;
    cli_progress_items("combining", c->lists[A].estimate + c->lists[B].estimate);
    const dmm_status status = dmm_set_stream_host(c->flow.session.context, &desc, &args);
    return cli_flow_check(&c->flow, status, NULL, true, error) &&
           cli_source_end(&c->lists[A], error) && cli_source_end(&c->lists[B], error) &&
           cli_drain_commit(&c->flow.drain, NULL, error);
}

static bool run(combining *c, cli_error *error)
{
    const cli_set_request *const o = c->o;
    for (int i = A; i <= B; i++)
        if (!cli_open_keys(&c->lists[i], o->inputs[i], o->type, error))
            return false;
    c->flow.drain.keys = c->lists[A].like;
    return cli_check_type(&c->lists[A].like, &c->lists[B].like, o->inputs[B], "other", error) &&
           cli_open_pair(&c->flow.drain.output, o->output, NULL, error) &&
           cli_make_rewind(&c->flow.drain.output, error) &&
           cli_open_session(&c->flow.session, error) && combine(c, error);
}

bool cli_set_large(const cli_set_request *o, cli_error *error)
{
    combining c = {.flow = CLI_FLOW_INIT, .o = o, .lists = {CLI_SOURCE_INIT, CLI_SOURCE_INIT}};
    c.flow.drain.descending = o->descending;
    const bool ok = run(&c, error);
    cli_close_flow(&c.flow, ok);
    cli_close_source(&c.lists[A]);
    cli_close_source(&c.lists[B]);
    return ok;
}
