/* SPDX-License-Identifier: MIT */
/* The layout of a file of keys, as options name it, and its check. */
#ifndef DMM_CLI_LAYOUTS_H
#define DMM_CLI_LAYOUTS_H

#include <dmm/layout.h>

#include "array.h"

typedef struct cli_layout {
    unsigned kind; /* a dmm_layout_kind */
    uint64_t B;
    bool checked; /* an index file says so, and its checksums are right */
} cli_layout;

#define CLI_LAYOUT_KINDS "sorted|bst|btree|veb|mveb"
/* Not given. */
#define CLI_LAYOUT_INIT               \
    {                                 \
        UINT32_MAX, UINT64_MAX, false \
    }

/* True if the options are valid. */
bool cli_check_layout(const cli_layout *layout, cli_error *error);

/* Replaces options that were not given: `kind`, B of 16. */
void cli_fill_layout(cli_layout *layout, unsigned kind);

/* Reads keys in a layout. An index file says which; options that were given must agree with it.
 * Other files have the layout of the options, or `kind`. type: as for cli_read_keys. */
bool cli_read_layout(cli_array *out, cli_layout *layout, bool *descending, unsigned kind,
    dmm_type type, const char *path, cli_error *error);

/* True if the keys, taken from their layout, are in order; otherwise fails for the file. */
bool cli_judge_layout(const cli_array *keys, const cli_layout *layout, bool descending,
    const char *path, cli_error *error);

#endif
