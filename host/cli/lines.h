/* SPDX-License-Identifier: MIT */
/*
 * The text files of every command, line by line: numbers, points, graphs, networks. A text may
 * begin with a byte order mark. It holds no NUL, so that parsers of C strings see all of it.
 */
#ifndef DMM_CLI_LINES_H
#define DMM_CLI_LINES_H

#include <stddef.h>

#include "error.h"

/* Skips a byte order mark, and fails if the text holds a NUL. */
bool cli_begin_text(const char **text, size_t *bytes, const char *path, cli_error *error);
/* Fails if a piece of a text holds a NUL; `lines` come before it. */
bool cli_check_piece(
    const char *text, size_t bytes, size_t lines, const char *path, cli_error *error);

typedef struct cli_lines {
    char *at, *end;
    size_t line; /* number of the line returned last, from 1 */
} cli_lines;

/* Begins a whole text as cli_begin_text does; a byte may follow it. */
bool cli_open_lines(cli_lines *out, char *text, size_t bytes, const char *path, cli_error *error);
/* Returns the next line, ended with a NUL in place of "\n" or "\r\n"; NULL at the end. */
char *cli_next_line(cli_lines *lines);

size_t cli_count_newlines(const char *at, const char *end);

#endif
