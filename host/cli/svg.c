/* SPDX-License-Identifier: MIT */
/* Pages, and the head and the texts of pictures. */
#include <stdarg.h>
#include <stdlib.h>

#include "svg.h"
#include "system/system.h"
#include "utf8.h"

enum { TEXT_BYTES = 512 };

bool cli_open_page(cli_page *page, cli_error *error)
{
    *page = (cli_page){0};
    page->file = cli_open_memory(&page->text, &page->bytes);
    return page->file || cli_fail_memory(error, NULL, BUFSIZ);
}

void cli_drop_page(cli_page *page)
{
    cli_close_memory(page->file, &page->text, &page->bytes);
    free(page->text);
}

bool cli_write_page(cli_page *page, cli_output *output, cli_error *error)
{
    const bool whole = cli_close_memory(page->file, &page->text, &page->bytes);
    const bool written = whole ? cli_write(output, page->text, page->bytes, error)
                               : cli_fail_memory(error, output->shown, page->bytes);
    free(page->text);
    return written;
}

bool cli_save_page(cli_page *page, const char *path, cli_error *error)
{
    cli_output output = CLI_OUTPUT_INIT, *const outputs[] = {&output};
    const bool opened = cli_open_output(&output, path, error);
    if (!opened)
        cli_drop_page(page);
    const bool saved =
        opened && cli_write_page(page, &output, error) && cli_commit_outputs(outputs, 1, error);
    cli_close_output(&output);
    return saved;
}

void cli_svg_begin(FILE *out, double width, double height, const char *more)
{
    fprintf(out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
        "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\"%s%s>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
        width, height, width, height, more[0] ? " " : "", more);
}

void cli_svg_escaped(FILE *out, const char *text, size_t columns)
{
    for (size_t bytes; *text && columns > 0; text += bytes != 0 ? bytes : 1, columns--) {
        bytes = cli_utf8_bytes(text);
        if (bytes == 0 || ((unsigned char)*text < 0x20 && *text != '\t'))
            fputs("&#xFFFD;", out);
        else if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else
            fprintf(out, "%.*s", (int)bytes, text);
    }
}

void cli_svg_text(FILE *out, double x, double y, const char *more, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(out, "<text x=\"%.6g\" y=\"%.6g\"%s%s>", x, y, more[0] ? " " : "", more);
    cli_svg_escaped(out, text, sizeof text);
    fputs("</text>\n", out);
}
