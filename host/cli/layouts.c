/* SPDX-License-Identifier: MIT */
/* Reads keys in a layout; checks layouts of files on the host, by the layout's function alone. */
#include "layouts.h"

#include <string.h>

#include "index_file.h"
#include "judge.h"
#include "progress.h"

enum { MOST_B = 65535, DEFAULT_B = 16 };
static const cli_layout not_given = CLI_LAYOUT_INIT;

bool cli_check_layout(const cli_layout *layout, cli_error *error)
{
    return (layout->B >= 1 && layout->B <= MOST_B) || layout->B == not_given.B ||
           cli_fail(error, CLI_MISTAKE, "--node", "must be from 1 to %d", MOST_B);
}

void cli_fill_layout(cli_layout *layout, unsigned kind)
{
    if (layout->kind == not_given.kind)
        layout->kind = kind;
    if (layout->B == not_given.B)
        layout->B = DEFAULT_B;
}

/* Fails unless the options agree with the header of an index file. */
static bool check_options(const cli_layout *given, const cli_layout *found, bool reversed,
    bool descending, const char *path, cli_error *error)
{
    static const char *const names[] = {"sorted", "bst", "btree", "veb", "mveb"};
    if (given->kind != not_given.kind && given->kind != found->kind)
        return cli_fail(error, CLI_MISTAKE, path, "its header says layout %s, not %s",
            names[found->kind], names[given->kind]);
    if (given->B != not_given.B && found->kind == DMM_LAYOUT_BTREE && given->B != found->B)
        return cli_fail(error, CLI_MISTAKE, path, "its header says nodes of %llu keys, not %llu",
            (unsigned long long)found->B, (unsigned long long)given->B);
    return !reversed || descending ||
           cli_fail(error, CLI_MISTAKE, path, "its header says smallest first, not --reverse");
}

bool cli_read_layout(cli_array *out, cli_layout *layout, bool *descending, unsigned kind,
    dmm_type type, const char *path, cli_error *error)
{
    const cli_layout given = *layout;
    const bool reversed = *descending;
    if (!cli_is_index(path)) {
        cli_fill_layout(layout, kind);
        return cli_read_keys(out, path, type, error);
    }
    if (!cli_read_index(out, layout, descending, path, error))
        return false;
    if (type != DMM_ITEM && type != out->type)
        return cli_fail(error, CLI_MISTAKE, path, "it holds %s, but -t says %s",
            dmm_type_name(out->type), dmm_type_name(type));
    return check_options(&given, layout, reversed, *descending, path, error);
}

bool cli_judge_layout(const cli_array *keys, const cli_layout *layout, bool descending,
    const char *path, cli_error *error)
{
    const dmm_layout_kind kind = (dmm_layout_kind)layout->kind;
    const char *const from = keys->data;
    cli_array sorted = {.count = 0};
    size_t at = 0;
    if (layout->checked)
        return true;
    if (!cli_make_alike(&sorted, keys, keys->count, error))
        return false;
    cli_progress_items("gathering", keys->count);
    for (size_t i = 0; i < keys->count; i++) {
        memcpy((char *)sorted.data + i * keys->item_bytes,
            from + dmm_layout_index(kind, (uint32_t)layout->B, keys->count, i) * keys->item_bytes,
            keys->item_bytes);
        cli_progress_step(i);
    }
    const bool ordered = cli_check_order(&sorted, descending, &at);
    cli_free_array(&sorted);
    if (ordered)
        return true;
    if (kind == DMM_LAYOUT_SORTED)
        return cli_fail(error, CLI_MISTAKE, path,
            "it is not sorted: key %zu (from 0) is out of order; see dmm sort", at);
    return cli_fail(error, CLI_MISTAKE, path,
        "it is not in this layout: key %llu (from 0) is out of order; see dmm layout",
        (unsigned long long)dmm_layout_index(kind, (uint32_t)layout->B, keys->count, at));
}
