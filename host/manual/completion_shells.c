/* SPDX-License-Identifier: MIT */
/* The completions of zsh and fish: whole files, from the tables of --help. */
#include <stdio.h>
#include <string.h>

#include "manual.h"

/* Prints the first line of a text within single quotes. `special`: characters that get a backslash.
 * A single quote ends the quotation, is printed, and opens it again. */
static void print_quoted(const char *text, const char *special)
{
    const size_t length = strcspn(text, "\n");
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\'')
            fputs("'\\''", stdout);
        else if (text[i] != '`')
            printf("%s%c", strchr(special, text[i]) ? "\\" : "", text[i]);
    }
}

/* Prints the words of a choice, or the types, with blanks between them. */
static void print_words(const char *argument)
{
    if (strcmp(argument, "TYPE") == 0) {
        for (dmm_type type = DMM_U32; type < DMM_ITEM; type++)
            printf("%s%s", type != DMM_U32 ? " " : "", dmm_type_name(type));
        return;
    }
    for (; *argument; argument++)
        putchar(*argument == '|' ? ' ' : *argument);
}

static bool has_words(const char *argument)
{
    return strcmp(argument, "TYPE") == 0 || strchr(argument, '|');
}

static bool is_file(const char *argument)
{
    static const char *const names[] = {
        "FILE", "OUTPUT", "KEYS", "COUNTS", "FOLDER", "PROGRAM", "INPUT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(argument, names[i]) == 0)
            return true;
    return false;
}

static bool is_device(const char *argument)
{
    return strncmp(argument, "DEVICE", 6) == 0;
}

static const char zsh_special[] = "[]:\\", fish_special[] = "\\";

/* Prints one specification for _arguments. */
static void print_zsh_option(const cli_option *o)
{
    const char *const equals = o->argument ? "=" : "", *const plus = o->argument ? "+" : "";
    fputs("        ", stdout);
    if (o->letter)
        printf(
            "'(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter, plus, o->name, equals);
    else
        printf("'--%s%s[", o->name, equals);
    print_quoted(o->help, zsh_special);
    putchar(']');
    if (o->argument && has_words(o->argument)) {
        printf(":%s:(", strchr(o->argument, '|') ? o->name : "type");
        print_words(o->argument);
        putchar(')');
    } else if (o->argument) {
        putchar(':');
        print_quoted(o->argument, zsh_special);
        printf(":%s", is_device(o->argument)               ? "_dmm_devices"
                      : strcmp(o->argument, "FOLDER") == 0 ? "_files -/"
                      : is_file(o->argument)               ? "_files"
                                                           : " ");
    }
    puts("' \\");
}

static void print_zsh_options(const cli_syntax *syntax)
{
    for (size_t i = 0; i < syntax->num_options; i++)
        print_zsh_option(&syntax->options[i]);
    for (size_t i = 0; i < CLI_NUM_GLOBAL; i++)
        print_zsh_option(&cli_global_options[i]);
}

static void begin_zsh(const cli_syntax *syntax)
{
    const char *const program = manual_program->name;
    printf("#compdef %s\n# SPDX-License-Identifier: MIT\n# Generated from the tables of --help.\n\n"
           "_dmm_devices() {\n"
           "    local -a devices\n"
           "    devices=(${(f)\"$(dmm devices 2>/dev/null | sed -nE 's/^([0-9]+): (.*) "
           "\\([a-zA-Z]+\\)$/\\1:\\2/p')\"})\n"
           "    _describe device devices\n}\n\n"
           "local curcontext=$curcontext state line ret=1\n"
           "local -a commands\n"
           "_arguments -C \\\n",
        program);
    print_zsh_options(syntax);
    printf("        '1:command:->command' '*::argument:->argument' && ret=0\n"
           "case $state in\n    (command)\n        commands=(\n");
    for (const cli_command *command = manual_program->commands; command->name; command++) {
        printf("            '%s:", command->name);
        print_quoted(command->about, zsh_special);
        puts("'");
    }
    printf("        )\n        _describe command commands && ret=0 ;;\n"
           "    (argument)\n        case $words[1] in\n");
}

void manual_zsh(const cli_syntax *syntax)
{
    const char *const name = cli_global.command;
    if (!name) {
        begin_zsh(syntax);
        return;
    }
    printf("    (%s) _arguments -S \\\n", name);
    print_zsh_options(syntax);
    puts(strcmp(name, "meter") == 0
             ? "        '(-)1:program:_command_names -e' '*::argument:_normal' && ret=0 ;;"
         : syntax->max_operands > 0 ? "        '*:file:_files' && ret=0 ;;"
                                    : "        && ret=0 ;;");
}

void manual_zsh_end(void)
{
    puts("        esac ;;\nesac\nreturn ret");
}

static void print_fish_option(const cli_option *o, const char *command)
{
    printf("complete -c %s ", manual_program->name);
    if (command)
        printf("-n '__fish_seen_subcommand_from %s' ", command);
    if (o->letter)
        printf("-s %c ", o->letter);
    printf("-l %s ", o->name);
    if (o->argument && has_words(o->argument)) {
        fputs("-x -a '", stdout);
        print_words(o->argument);
        fputs("' ", stdout);
    } else if (o->argument && is_device(o->argument)) {
        fputs("-x -a '(__dmm_devices)' ", stdout);
    } else if (o->argument) {
        fputs(is_file(o->argument) ? "-r -F " : "-x ", stdout);
    }
    fputs("-d '", stdout);
    print_quoted(o->help, fish_special);
    puts("'");
}

void manual_fish(const cli_syntax *syntax)
{
    const char *const program = manual_program->name, *const name = cli_global.command;
    if (!name) {
        printf("# SPDX-License-Identifier: MIT\n# Generated from the tables of --help.\n"
               "function __dmm_devices\n"
               "    dmm devices 2>/dev/null |\n"
               "        string replace -rf '^([0-9]+): (.*) \\([a-zA-Z]+\\)$' '$1\\t$2'\n"
               "end\n"
               "complete -c %s -n __fish_use_subcommand -f\n",
            program);
        for (size_t i = 0; i < CLI_NUM_GLOBAL; i++)
            print_fish_option(&cli_global_options[i], NULL);
        for (const cli_command *command = manual_program->commands; command->name; command++) {
            printf("complete -c %s -n __fish_use_subcommand -a %s -d '", program, command->name);
            print_quoted(command->about, fish_special);
            puts("'");
        }
    }
    for (size_t i = 0; i < syntax->num_options; i++)
        print_fish_option(&syntax->options[i], name);
}
