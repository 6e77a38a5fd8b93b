/* SPDX-License-Identifier: MIT */
/* Writes two lists side by side. */
#include "columns.h"
#include "number.h"
#include "progress.h"

enum { REPORT_EVERY = 1 << 16 };

bool cli_write_columns(cli_output *output, const cli_array *a, const cli_array *b, cli_error *error)
{
    cli_progress_items("writing", a->count);
    for (size_t i = 0; i < a->count; i++) {
        char *const line = cli_write_room(output, 2 * CLI_NUMBER_CHARS + 2, error);
        if (!line)
            return false;
        size_t length = cli_print_number(line, (const char *)a->data + i * a->item_bytes, a->type);
        line[length++] = ' ';
        length +=
            cli_print_number(line + length, (const char *)b->data + i * b->item_bytes, b->type);
        line[length++] = '\n';
        cli_written(output, length);
        if (i % REPORT_EVERY == 0)
            cli_progress_step(i);
    }
    return true;
}
