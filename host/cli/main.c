/* SPDX-License-Identifier: MIT */
/* The dmm command: global options, then a subcommand. */
#include <stdio.h>
#include <string.h>

#include <dmm/version.h>

#include "commands.h"
#include "leftover.h"
#include "option.h"

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} command;

static const command commands[] = {
    {"demo", dmm_cli_demo, "sort random keys on the best device and check the result"},
    {"devices", dmm_cli_devices, "list OpenCL devices and what is known of them"},
    {"selftest", dmm_cli_selftest, "check every primitive on the device against the host"},
    {"sort", dmm_cli_sort, "sort the numbers of a file"},
    {"merge", dmm_cli_merge, "merge two sorted files"},
    {"shuffle", dmm_cli_shuffle, "write the numbers of a file in random order"},
    {"sample", dmm_cli_sample, "write a random sample of the numbers of a file"},
    {"permute", dmm_cli_permute, "write the numbers of a file in a given order"},
    {"transpose", dmm_cli_transpose, "transpose a matrix"},
    {"partition", dmm_cli_partition, "move the numbers of a file into buckets"},
    {"topk", dmm_cli_topk, "select the smallest or largest numbers of a file"},
    {"hull", dmm_cli_hull, "find the convex hull of the points of a file"},
    {"worst", dmm_cli_worst, "write the input that costs a plain merge sort most bank conflicts"},
    {"meter", dmm_cli_meter, "count the bank conflicts of any OpenCL program"},
    {"cache", dmm_cli_cache, "show or remove what is kept of compiled programs"},
};

enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_commands(void)
{
    printf("\nCommands (each with its own --help):\n");
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].about);
    printf(
        "\nExit status: 0 done, 1 a mistake in the call or in a file, 2 OpenCL or memory failed,\n"
        "3 --check found the result wrong, 4 meter --fail-on-conflict found one.\n");
}

static const command *find(const char *name)
{
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int run(int argc, char **argv)
{
    cli_error error = {0};
    bool version_wanted = false;
    char **operands = NULL;
    int num_operands = 0;
    const cli_option options[] = {
        {0, "version", CLI_FLAG, &version_wanted, NULL, "print the version"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] COMMAND [ARGUMENT...]",
        .about = "Sorting and more in OpenCL, without bank conflicts, on any vendor's device.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = argc,
        .command_follows = true,
        .epilogue = print_commands};
    if (!cli_parse(&syntax, argc, argv, &operands, &num_operands, &error))
        return cli_finish(&error);
    if (version_wanted) {
        printf("dmm %s\n", DMM_VERSION);
        return CLI_OK;
    }
    if (num_operands == 0) {
        cli_fail(&error, CLI_MISTAKE, NULL, "a command is missing: see dmm --help");
        return cli_finish(&error);
    }
    const command *chosen = find(operands[0]);
    if (!chosen) {
        cli_fail(&error, CLI_MISTAKE, NULL, "no command '%.40s': see dmm --help", operands[0]);
        return cli_finish(&error);
    }
    cli_global.command = chosen->name;
    return chosen->run(num_operands, operands);
}

int main(int argc, char **argv)
{
    cli_error error = {0};
    cli_leftover_watch();
    int exit_code = run(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_code == CLI_OK) {
        cli_fail_errno(&error, "standard output", "cannot write");
        exit_code = cli_finish(&error);
    }
    return exit_code;
}
