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

bool cli_read_sorted_rows(cli_array *keys, cli_table *table, const char *name, dmm_type type,
    const cli_columns *columns, bool *descending, cli_error *error)
{
    size_t at = 0;
    if (!cli_read_column(table, name, type, columns, descending, error))
        return false;
    *keys = table->keys[0].numbers;
    table->keys[0].numbers = (cli_array){.count = 0};
    return cli_check_order(keys, *descending, &at) ||
           cli_fail(error, CLI_MISTAKE, name,
               "its rows are not sorted: row %zu (from 0) is out of order in column %s; see dmm "
               "sort --key",
               at, table->keys[0].name);
}

bool cli_check_alike(const cli_table *a, const cli_table *b, cli_error *error)
{
    const size_t columns_a = a->items.columns ? a->items.columns : a->csv.columns;
    const size_t columns_b = b->items.columns ? b->items.columns : b->csv.columns;
    if (!a->items.columns != !b->items.columns || columns_a != columns_b)
        return cli_fail(error, CLI_MISTAKE, b->path, "it has %zu columns%s, but %s has %zu%s",
            columns_b, b->items.columns ? " of an .npy" : "", a->path, columns_a,
            a->items.columns ? " of an .npy" : "");
    return true;
}
