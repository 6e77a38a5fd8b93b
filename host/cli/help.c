/* SPDX-License-Identifier: MIT */
/* Prints --help. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "option.h"

enum { HELP_COLUMN = 27 };

static void print_option(const cli_option *option)
{
    int used = option->letter ? printf("  -%c, --%s", option->letter, option->name)
                              : printf("      --%s", option->name);
    if (option->argument)
        used += printf(" %s", option->argument);
    if (used + 2 > HELP_COLUMN) {
        putchar('\n');
        used = 0;
    }
    for (const char *line = option->help; line;) {
        const char *next = strchr(line, '\n');
        int length = next ? (int)(next - line) : (int)strlen(line);
        printf("%*s%.*s\n", HELP_COLUMN - used, "", length, line);
        used = 0;
        line = next ? next + 1 : NULL;
    }
}

void cli_print_help(const cli_syntax *syntax)
{
    const char *command = cli_global.command;
    printf("Usage: %s%s%s%s%s\n\n%s\n\n", cli_global.program, command ? " " : "",
        command ? command : "", syntax->synopsis[0] ? " " : "", syntax->synopsis, syntax->about);
    if (syntax->examples)
        printf("Examples:\n%s\n", syntax->examples);
    for (size_t i = 0; i < syntax->num_options; i++)
        print_option(&syntax->options[i]);
    if (syntax->num_options > 0 && command)
        printf("\nOptions of every command:\n");
    for (size_t i = 0; i < CLI_NUM_GLOBAL; i++)
        print_option(&cli_global_options[i]);
    if (syntax->commands)
        printf("\nCommands (`%s help COMMAND` explains one):\n", cli_global.program);
    for (const cli_command *next = syntax->commands; next && next->name; next++)
        printf("  %-13s%s\n", next->name, next->about);
    for (const cli_section *part = syntax->epilogue; part && part->title; part++)
        printf("\n%s:\n%s\n", part->title, part->text);
}

#define ARRAYS                                                                               \
    "  .npy         a NumPy array of one dimension, of two with --key; bool, datetime64\n"   \
    "               and timedelta64 are the integers that they are, and keep their type\n"   \
    "  .bin         raw little-endian items; needs -t\n"                                     \
    "  .txt .csv    one decimal number a line, also nan and inf; empty lines are skipped.\n" \
    "               Columns: --key, where a command has it\n"                                \
    "  -            standard input (once), text or .npy, or output, as text; --format npy\n" \
    "               or bin for others\n"                                                     \
    "  .parquet .arrow  in Python, by the package dmm_cl\n"
#define DETAILS                                                                              \
    "Text without -t is read as i64 if all numbers are whole (u64 if necessary), and\n"      \
    "as f64 otherwise; a number that the type cannot hold is an error. Floats are written\n" \
    "with the fewest digits that read back as the same value.\n"                             \
    "An output is written to a temporary file and renamed at the end, so it may be the\n"    \
    "input, and a failure leaves the old file unchanged."
#define TYPES                                                                                      \
    {                                                                                              \
        "Types", "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, or NumPy's names, such as float32.\n" \
                 "Floats: -0 before +0, nan last."                                                 \
    }

const cli_section cli_file_formats[] = {{"Files", ARRAYS DETAILS}, TYPES, {NULL, NULL}};

const cli_section cli_index_formats[] = {
    {"Files", ARRAYS
        "  .index       keys and their layout, type and checksums: what dmm layout writes for\n"
        "               dmm search, and dmm layout --back\n" DETAILS},
    TYPES, {NULL, NULL}};
