/* SPDX-License-Identifier: MIT */
/*
 * The output of a stream: pieces of keys and values in sorted order, written as they come, and
 * checked if asked for.
 */
#ifndef DMM_CLI_DRAIN_H
#define DMM_CLI_DRAIN_H

#include "judge.h"

typedef struct cli_drain {
    cli_pair output;
    cli_array keys, values; /* what the items are like; values.item_bytes 0: none */
    bool descending, checks;
    uint64_t items; /* result; if other than `written`, the files can be rewound */
    uint64_t written;
    cli_fingerprint sum; /* fingerprint of what has been written, if it checks */
    char last[8];        /* key */
} cli_drain;

#define CLI_DRAIN_INIT          \
    {                           \
        .output = CLI_PAIR_INIT \
    }

/* Returns a view of some items. */
cli_array cli_view(const cli_array *like, const void *items, uint64_t count);

enum { CLI_KEY_BYTES = 8 };

/* True if the next keys of a list, at least one, are sorted, the one before them included, which is
 * `last` unless they are the first. If not, *at is the first that is out of order. Keeps the last
 * one. */
bool cli_follows(
    char last[CLI_KEY_BYTES], bool are_first, const cli_array *keys, bool descending, size_t *at);

/* Writes the next items; before the first ones, what precedes all drain->items items. `values`
 * NULL: none. With drain->checks, CLI_CHECK_FAILED if a key is less than the one before it. */
bool cli_drain_write(
    cli_drain *drain, const void *keys, const void *values, uint64_t count, cli_error *error);
/* After the last items: judges that they are those of `expected`, if it checks, and completes what
 * precedes them. */
bool cli_drain_end(cli_drain *drain, const cli_fingerprint *expected, cli_error *error);
/* The same, and moves the files to their names. */
bool cli_drain_commit(cli_drain *drain, const cli_fingerprint *expected, cli_error *error);

#endif
