/* SPDX-License-Identifier: MIT */
/* Texts, line by line. */
#include <string.h>

#include "lines.h"

size_t cli_count_newlines(const char *at, const char *end)
{
    enum { BLOCK = 64 };
    size_t lines = 0;
    for (; end - at >= BLOCK; at += BLOCK) {
        unsigned char here = 0; /* a block has few: compilers count it in vectors */
        for (int i = 0; i < BLOCK; i++)
            here = (unsigned char)(here + (at[i] == '\n'));
        lines += here;
    }
    for (; at < end; at++)
        lines += *at == '\n';
    return lines;
}

bool cli_check_piece(
    const char *text, size_t bytes, size_t lines, const char *path, cli_error *error)
{
    const char *const nul = memchr(text, '\0', bytes);
    return !nul || cli_fail(error, CLI_MISTAKE, path, "line %zu holds a NUL byte: it is no text",
                       lines + cli_count_newlines(text, nul) + 1);
}

bool cli_begin_text(const char **text, size_t *bytes, const char *path, cli_error *error)
{
    static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};
    const size_t mark = sizeof byte_order_mark;
    if (*bytes >= mark && memcmp(*text, byte_order_mark, mark) == 0) {
        *text += mark;
        *bytes -= mark;
    }
    return cli_check_piece(*text, *bytes, 0, path, error);
}

bool cli_open_lines(cli_lines *out, char *text, size_t bytes, const char *path, cli_error *error)
{
    const char *begin = text;
    if (!cli_begin_text(&begin, &bytes, path, error))
        return false;
    *out = (cli_lines){text + (begin - text), text + (begin - text) + bytes, 0};
    return true;
}

char *cli_next_line(cli_lines *l)
{
    char *const line = l->at;
    if (line == l->end)
        return NULL;
    char *const newline = memchr(line, '\n', (size_t)(l->end - line));
    char *const end = newline ? newline : l->end;
    l->at = newline ? newline + 1 : l->end;
    l->line++;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}
