/* SPDX-License-Identifier: MIT */
#include "sorted.h"

#include "judge.h"

bool cli_read_sorted(
    cli_array *keys, const char *name, dmm_type type, bool descending, cli_error *error)
{
    size_t at = 0;
    if (!cli_read_keys(keys, name, type, error))
        return false;
    return cli_check_order(keys, descending, &at) ||
           cli_fail(error, CLI_MISTAKE, name,
               "it is not sorted: key %zu (from 0) is out of order; see dmm sort", at);
}

bool cli_check_type(
    const cli_array *a, const cli_array *b, const char *name, const char *other, cli_error *error)
{
    return a->type == b->type || cli_fail(error, CLI_MISTAKE, name,
                                     "it holds %s, the %s file %s; text can be "
                                     "read as either with -t",
                                     dmm_type_name(b->type), other, dmm_type_name(a->type));
}
