/* SPDX-License-Identifier: MIT */
/*
 * What commands have in common whose files go through callbacks of a stream of the library. A
 * cli_flow is the first member of a command's own struct, so that `user` of a callback is both.
 */
#ifndef DMM_CLI_FLOW_H
#define DMM_CLI_FLOW_H

#include <stdatomic.h>

#include "drain.h"
#include "scratch.h"
#include "session.h"
#include "source.h"

/* What callbacks return after they have filled an error. */
enum { CLI_STOPPED = 1 << 20 };

typedef struct cli_flow {
    cli_session session;
    cli_source keys, values; /* open or not */
    cli_drain drain;
    cli_scratch scratch;
    uint64_t items;          /* read, or stored by an earlier call */
    atomic_ullong moved;     /* bytes, of the bar */
    cli_error reads, writes; /* errors of the two threads that run callbacks */
} cli_flow;

#define CLI_FLOW_INIT                                                                    \
    {                                                                                    \
        .session = CLI_SESSION_INIT, .keys = CLI_SOURCE_INIT, .values = CLI_SOURCE_INIT, \
        .drain = CLI_DRAIN_INIT, .scratch = CLI_SCRATCH_INIT                             \
    }

/* Opens keys and, unless the path is NULL, as many values; `what`: what keys are called. */
bool cli_flow_open(cli_flow *f, const char *keys, dmm_type type, const char *values,
    uint64_t value_bytes, const char *what, cli_error *error);
/* Returns the bytes of a key and its value. */
uint64_t cli_flow_item_bytes(const cli_flow *f);
/* Returns the items of a run of a plan, or of the input if that has fewer: no more memory is taken
 * than the items need. */
uint64_t cli_flow_run_items(const cli_flow *f, uint64_t planned);
/* Adds bytes to the bar. */
void cli_flow_moves(cli_flow *f, uint64_t bytes);

/* Reads from another source as many as `items` of `what`; at the end of those, these end, too. */
bool cli_flow_beside(
    cli_flow *f, cli_source *source, void *to, uint64_t items, const char *names, const char *what);
/* Reads keys and values. */
dmm_status cli_flow_read(
    cli_flow *f, void *keys, void *values, uint64_t most, uint64_t *count, const char *what);

/* Callbacks. */
dmm_status cli_flow_write(void *user, const void *keys, const void *values, uint64_t count);
/* Writes items of a stream that reads all before it writes the first, and moves the bar. */
dmm_status cli_flow_write_all(void *user, const void *keys, const void *values, uint64_t count);
dmm_status cli_flow_store(void *user, uint64_t at, const void *data, uint64_t bytes);
dmm_status cli_flow_load(void *user, uint64_t at, void *data, uint64_t bytes);

/* True if the call succeeded; may_be_small: of items beyond --memory. */
bool cli_flow_check(
    cli_flow *f, dmm_status status, const char *path, bool may_be_small, cli_error *error);
/* Closes the inputs, which have been read; fails if one has changed meanwhile. */
bool cli_flow_end(cli_flow *flow, cli_error *error);
/* Closes everything; is_done: the scratch file is not needed again. */
void cli_close_flow(cli_flow *f, bool is_done);

#endif
