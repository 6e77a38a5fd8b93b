/* SPDX-License-Identifier: MIT */
/* Manual pages in man(7), the language of groff and mandoc. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <dmm/version.h>

#include "manual.h"

/* Prints text with the formatter's commands escaped; `quoted text` becomes bold. */
static void print_text(const char *text, size_t length)
{
    bool bold = false;
    for (size_t i = 0; i < length; i++) {
        const bool line_begins = i == 0 || text[i - 1] == '\n';
        if (line_begins && (text[i] == '.' || text[i] == '\''))
            fputs("\\&", stdout);
        switch (text[i]) {
        case '\\':
            fputs("\\e", stdout);
            break;
        case '-':
            fputs("\\-", stdout);
            break;
        case '\'':
            fputs("\\(aq", stdout);
            break;
        case '^':
            fputs("\\(ha", stdout);
            break;
        case '~':
            fputs("\\(ti", stdout);
            break;
        case '`':
            bold = !bold;
            fputs(bold ? "\\fB" : "\\fR", stdout);
            break;
        default:
            putchar(text[i]);
        }
    }
}

static void print(const char *text)
{
    print_text(text, strlen(text));
}

static void print_upper(const char *text)
{
    for (; *text; text++)
        if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(toupper((unsigned char)*text));
}

/* Prints lines of text filled, and lines that begin with a blank unchanged. */
static void print_lines(const char *text)
{
    bool table = false;
    while (*text) {
        const size_t length = strcspn(text, "\n");
        if ((*text == ' ') != table) {
            table = !table;
            puts(table ? ".nf" : ".fi\n.PP");
        }
        print_text(text, length);
        putchar('\n');
        text += length + (text[length] == '\n');
    }
    if (table)
        puts(".fi");
}

static void print_option(const cli_option *option)
{
    puts(".TP");
    if (option->letter)
        printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    print(option->name);
    fputs("\\fR", stdout);
    if (option->argument) {
        fputs(" \\fI", stdout);
        print(option->argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_lines(option->help);
}

static void print_options(const char *title, const cli_option *options, size_t count)
{
    if (count > 0)
        printf(".SH %s\n", title);
    for (size_t i = 0; i < count; i++)
        print_option(&options[i]);
}

/* Prints a reference to the page of a program, or of its command. */
static void print_page(const char *program, const char *name)
{
    fputs("\\fB", stdout);
    print(program);
    printf("%s%s\\fR(1)", name ? "\\-" : "", name ? name : "");
}

static void print_commands(const cli_command *commands)
{
    puts(".SH COMMANDS");
    for (const cli_command *command = commands; command->name; command++) {
        puts(".TP");
        print_page(manual_program->name, command->name);
        putchar('\n');
        print_lines(command->about);
    }
}

/* Lists the other pages, the program's own and dmm(1) first. */
static void print_see_also(const char *name)
{
    const char *const program = manual_program->name;
    const bool is_dmm = strcmp(program, "dmm") == 0;
    printf(".SH SEE ALSO\n.ad l\n");
    if (name)
        print_page(program, NULL);
    if (!is_dmm) {
        fputs(name ? ",\n" : "", stdout);
        print_page("dmm", NULL);
    }
    bool is_first = is_dmm && !name;
    for (const cli_command *command = manual_program->commands; command->name; command++)
        if (!name || strcmp(command->name, name) != 0) {
            fputs(is_first ? "" : ",\n", stdout);
            print_page(program, command->name);
            is_first = false;
        }
    putchar('\n');
}

/* Prints the description after the name: the commands table's; for the program the first sentence,
 * without its capital and its full stop. */
static void print_about(const cli_syntax *syntax)
{
    const cli_command *command = manual_program->commands;
    const char *name = cli_global.command, *rest = syntax->about + 1;
    while (name && command->name && strcmp(command->name, name) != 0)
        command++;
    if (name) {
        print(command->about);
    } else {
        putchar(tolower((unsigned char)syntax->about[0]));
        print_text(rest, strcspn(rest, "."));
    }
    putchar('\n');
}

void manual_page(const cli_syntax *syntax)
{
    const char *const program = manual_program->name, *const name = cli_global.command;
    const char *const dash = name ? "\\-" : "", *const command = name ? name : "";
    printf(".\\\" SPDX-License-Identifier: MIT\n.\\\" Generated from the tables of --help.\n.TH ");
    print_upper(program);
    fputs(dash, stdout);
    print_upper(command);
    printf(" 1 \"\" \"dmm %s\" \"dmm\"\n.nh\n.SH NAME\n", DMM_VERSION);
    print(program);
    printf("%s%s \\- ", dash, command);
    print_about(syntax);
    printf(".SH SYNOPSIS\n\\fB");
    print(program);
    printf("%s%s\\fR ", name ? " " : "", command);
    print_lines(syntax->synopsis);
    puts(".SH DESCRIPTION");
    print_lines(syntax->about);
    if (syntax->commands)
        print_commands(syntax->commands);
    if (syntax->examples) {
        puts(".SH EXAMPLES");
        print_lines(syntax->examples);
    }
    print_options("OPTIONS", syntax->options, syntax->num_options);
    print_options("OPTIONS OF EVERY COMMAND", cli_global_options, CLI_NUM_GLOBAL);
    for (const cli_section *part = syntax->epilogue; part && part->title; part++) {
        fputs(".SH ", stdout);
        print_upper(part->title);
        putchar('\n');
        print_lines(part->text);
    }
    print_see_also(name);
}
