/* SPDX-License-Identifier: MIT */
/* The layout of a file of keys, as options name it, and its check. */
#ifndef DMM_CLI_LAYOUTS_H
#define DMM_CLI_LAYOUTS_H

#include <dmm/layout.h>

#include "array.h"

typedef struct cli_layout {
    unsigned kind; /* a dmm_layout_kind */
    uint64_t B;
} cli_layout;

#define CLI_LAYOUT_KINDS "sorted|bst|btree|veb|mveb"
#define CLI_LAYOUT_INIT      \
    {                        \
        DMM_LAYOUT_BTREE, 16 \
    }

bool cli_check_layout(const cli_layout *layout, cli_error *error);

/* True if the keys, taken from their layout, are in order; otherwise fails for the file. */
bool cli_judge_layout(const cli_array *keys, const cli_layout *layout, bool descending,
    const char *path, cli_error *error);

#endif
