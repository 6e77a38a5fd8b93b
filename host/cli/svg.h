/* SPDX-License-Identifier: MIT */
/*
 * What all pictures have in common: a page that is written to memory and then whole to a file, the
 * head of an SVG file, and its texts. The shapes are each picture's own.
 */
#ifndef DMM_CLI_SVG_H
#define DMM_CLI_SVG_H

#include <stdio.h>

#include "output.h"

typedef struct cli_page {
    FILE *file; /* print to this */
    char *text;
    size_t bytes;
} cli_page;

bool cli_open_page(cli_page *page, cli_error *error);
void cli_drop_page(cli_page *page);
/* Writes the page to an output, and frees it. */
bool cli_write_page(cli_page *page, cli_output *output, cli_error *error);
/* The same to a file, which appears complete or not at all. */
bool cli_save_page(cli_page *page, const char *path, cli_error *error);

/* Prints the head of a picture and its white ground. more: attributes of all that follows. The
 * caller ends it with </svg>. */
void cli_svg_begin(FILE *out, double width, double height, const char *more);
/* Prints a text as printf does, escaped and of fewer than 512 bytes. more: its attributes. */
void cli_svg_text(FILE *out, double x, double y, const char *more, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;
/* Prints at most `columns` characters of a text. What XML does not allow becomes the replacement
 * character. */
void cli_svg_escaped(FILE *out, const char *text, size_t columns);

#endif
