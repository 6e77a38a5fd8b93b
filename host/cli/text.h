/* SPDX-License-Identifier: MIT */
/* Arrays as text: one number a line. */
#ifndef DMM_CLI_TEXT_H
#define DMM_CLI_TEXT_H

#include "array.h"

/* Parses a whole text, which ends with NUL. `type` DMM_ITEM: i64, u64 or f64, see
 * cli_file_formats. */
bool cli_parse_text(cli_array *out, const char *text, size_t bytes, dmm_type type, const char *path,
    cli_error *error);

/* Writes a number a line, or a row of array->columns. */
bool cli_write_text(cli_output *output, const cli_array *array, cli_error *error);

/* As above, for pieces of a longer text, without the progress bar: whole lines, whose type is
 * out->type and which end with NUL, into out->data, which has space for a number a line; *lines is
 * the number of lines before, and is advanced. */
bool cli_parse_lines(cli_array *out, const char *text, size_t bytes, size_t *lines,
    const char *path, cli_error *error);
bool cli_write_lines(
    cli_output *output, const cli_array *array, size_t first, size_t end, cli_error *error);

enum { CLI_EXCERPT_CHARS = 32 };

/* Copies the beginning of a line for a message; non-printable characters become '?'. */
void cli_excerpt(char shown[CLI_EXCERPT_CHARS + 1], const char *line, const char *end);

#endif
