/* SPDX-License-Identifier: MIT */
/* Data of the bash completion: two lists for each command, by "PROGRAM COMMAND", which
 * host/manual/dmm.bash reads. */
#include <stdio.h>
#include <string.h>

#include "manual.h"

static void print_names(const cli_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (options[i].letter)
            printf("-%c ", options[i].letter);
        printf("--%s ", options[i].name);
    }
}

/* Prints lines "-o:OUTPUT" for options with an argument, as --help names it. */
static void print_arguments(const cli_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const cli_option *option = &options[i];
        if (option->argument && option->letter)
            printf("-%c:%s\n", option->letter, option->argument);
        if (option->argument)
            printf("--%s:%s\n", option->name, option->argument);
    }
}

/* Prints what the lists of a program begin with. */
static void print_program(const cli_program *program)
{
    printf("# SPDX-License-Identifier: MIT\n# Generated from the tables of --help.\n"
           "complete -o bashdefault -o default -F _dmm %s\n"
           "declare -gA _dmm_commands _dmm_options _dmm_arguments\n_dmm_commands['%s']='",
        program->name, program->name);
    for (const cli_command *command = program->commands; command->name; command++)
        printf("%s ", command->name);
    printf("'\n_dmm_types='");
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++)
        printf("%s ", dmm_type_name(type));
    printf("'\n");
}

void manual_completion(const cli_syntax *syntax)
{
    const char *const program = manual_program->name, *const name = cli_global.command;
    const char *const blank = name ? " " : "", *const command = name ? name : "";
    if (!name)
        print_program(manual_program);
    printf("_dmm_options['%s%s%s']='", program, blank, command);
    print_names(syntax->options, syntax->num_options);
    print_names(cli_global_options, CLI_NUM_GLOBAL);
    printf("'\n_dmm_arguments['%s%s%s']='", program, blank, command);
    print_arguments(syntax->options, syntax->num_options);
    print_arguments(cli_global_options, CLI_NUM_GLOBAL);
    printf("'\n");
}
