/* SPDX-License-Identifier: MIT */
/* Checks layouts of files on the host, by the layout's function alone. */
#include "layouts.h"

#include <string.h>

#include "judge.h"

enum { MOST_B = 65535 };

bool cli_check_layout(const cli_layout *layout, cli_error *error)
{
    return (layout->B >= 1 && layout->B <= MOST_B) ||
           cli_fail(error, CLI_MISTAKE, "--node", "must be from 1 to %d", MOST_B);
}

bool cli_judge_layout(const cli_array *keys, const cli_layout *layout, bool descending,
    const char *path, cli_error *error)
{
    const dmm_layout_kind kind = (dmm_layout_kind)layout->kind;
    const char *const from = keys->data;
    cli_array sorted = {.count = 0};
    size_t at = 0;
    if (!cli_make_alike(&sorted, keys, keys->count, error))
        return false;
    for (size_t i = 0; i < keys->count; i++)
        memcpy((char *)sorted.data + i * keys->item_bytes,
            from + dmm_layout_index(kind, (uint32_t)layout->B, keys->count, i) * keys->item_bytes,
            keys->item_bytes);
    const bool ordered = cli_is_ordered(&sorted, descending, &at);
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
