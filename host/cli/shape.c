/* SPDX-License-Identifier: MIT */
#include "shape.h"

#include <inttypes.h>
#include <stdlib.h>

bool cli_parse_shape(dmm_matrices *out, const char *text, cli_error *error)
{
    char *end = NULL;
    if (!text)
        return cli_fail(error, CLI_MISTAKE, "--shape", "must be given");
    const unsigned long long rows = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    const char *cols = end && *end == ',' ? end + 1 : "";
    if (*cols < '0' || *cols > '9')
        return cli_fail(error, CLI_MISTAKE, "--shape", "'%.40s' is not ROWS,COLUMNS", text);
    *out = (dmm_matrices){rows, strtoull(cols, &end, 10), 1};
    return *end == '\0' ||
           cli_fail(error, CLI_MISTAKE, "--shape", "'%.40s' is not ROWS,COLUMNS", text);
}

bool cli_check_shape(const dmm_matrices *shape, size_t count, const char *input, cli_error *error)
{
    const uint64_t rows = shape->rows, cols = shape->cols;
    const bool fits =
        rows == 0 || cols == 0 ? count == 0 : count % rows == 0 && count / rows == cols;
    return fits || cli_fail(error, CLI_MISTAKE, input,
                       "it holds %zu items, not %" PRIu64 " x %" PRIu64, count, rows, cols);
}
