/* SPDX-License-Identifier: MIT */
/* Keys and values as two output files that appear together. */
#include "pair.h"

bool cli_open_pair(cli_pair *out, const char *keys, const char *values, cli_error *error)
{
    if (!cli_open_output(&out->keys, keys, error))
        return false;
    if (!values)
        return true;
    if (!cli_open_output(&out->values, values, error))
        return false;
    return !cli_same_output(&out->keys, &out->values) ||
           cli_fail(
               error, CLI_MISTAKE, out->values.shown, "keys and values need files of their own");
}

bool cli_write_pair(
    cli_pair *pair, const cli_array *keys, const cli_array *values, cli_error *error)
{
    cli_output *const outputs[] = {&pair->keys, &pair->values};
    bool has_values = pair->values.name;
    return cli_write_array(&pair->keys, keys, error) &&
           (!has_values || cli_write_array(&pair->values, values, error)) &&
           cli_commit_outputs(outputs, has_values ? 2 : 1, error);
}

void cli_close_pair(cli_pair *pair)
{
    cli_close_output(&pair->keys);
    cli_close_output(&pair->values);
}
