/* SPDX-License-Identifier: MIT */
/* The table of subcommands, and the command line: global options, then a subcommand. */
#include <stdio.h>
#include <string.h>

#include <dmm/version.h>

#include "commands.h"
#include "nearest.h"
#include "option.h"

const cli_command cli_commands[] = {
    {"demo", dmm_cli_demo, "sort random keys on the best device and check the result"},
    {"devices", dmm_cli_devices, "list OpenCL devices and their facts"},
    {"doctor", dmm_cli_doctor, "check this machine in ten seconds, and say what to do"},
    {"selftest", dmm_cli_selftest, "check every primitive on the device against the host"},
    {"sort", dmm_cli_sort, "sort the numbers of a file"},
    {"merge", dmm_cli_merge, "merge sorted files"},
    {"set", dmm_cli_set, "union, intersection, difference of sorted files"},
    {"unique", dmm_cli_unique, "write the first of equal neighbours, as uniq"},
    {"count", dmm_cli_count, "count equal neighbours, as uniq -c"},
    {"shuffle", dmm_cli_shuffle, "write the numbers of a file in random order"},
    {"sample", dmm_cli_sample, "write a random sample of the numbers of a file"},
    {"permute", dmm_cli_permute, "write the numbers of a file in a given order"},
    {"transpose", dmm_cli_transpose, "transpose a matrix"},
    {"layout", dmm_cli_layout, "write a sorted file as a search tree"},
    {"search", dmm_cli_search, "search for the numbers of a file among sorted keys"},
    {"partition", dmm_cli_partition, "move the numbers of a file into buckets"},
    {"select", dmm_cli_select, "write the numbers of a file for which a condition holds"},
    {"topk", dmm_cli_topk, "select the smallest or largest numbers of a file"},
    {"nth", dmm_cli_nth, "select the number at a rank or a quantile"},
    {"median", dmm_cli_median, "select the median of a file"},
    {"reduce", dmm_cli_reduce, "add up the numbers of a file, or those of each key"},
    {"scan", dmm_cli_scan, "write the running sums of a file, or maxima, minima"},
    {"histogram", dmm_cli_histogram, "count the numbers of a file in bins"},
    {"hull", dmm_cli_hull, "find the convex hull of the points of a file"},
    {"paths", dmm_cli_paths, "find shortest paths in a graph"},
    {"group", dmm_cli_group, "print functions of work-groups for the kernels of other programs"},
    {"worst", dmm_cli_worst, "write the worst input of a plain merge sort for bank conflicts"},
    {"meter", dmm_cli_meter, "count the bank conflicts of an OpenCL program"},
    {"bench", dmm_cli_bench, "benchmark every primitive, and peers, on the device"},
    {"tune", dmm_cli_tune, "find the parameters that are fast on a device"},
    {"cache", dmm_cli_cache, "show or clear the cache of compiled programs"},
    {NULL, NULL, NULL},
};

static const cli_section sections[] = {
    {"Environment",
        "  DMM_DEVICE       the device, if --device is not given\n"
        "  DMM_SET          settings, as in --set\n"
        "  DMM_TUNING       a tuning file, as in --tuning; read by any program that uses dmm\n"
        "  DMM_TUNING_FOLDER  folder of installed tuning files (default: share/dmm/tuning.d)\n"
        "  XDG_CONFIG_HOME  folder of the user's tuning file, dmm/tuning (default: ~/.config)\n"
        "  XDG_CACHE_HOME   folder that contains the cache of compiled programs (default: "
        "~/.cache)"},
    {"Exit status", "  0   done\n"
                    "  1   a mistake in the command line or in a file\n"
                    "  2   OpenCL or memory failed\n"
                    "  3   --check or selftest found a wrong result\n"
                    "  4   meter --fail-on-conflict found a conflict"},
    {NULL, NULL},
};

const cli_program cli_dmm = {.name = "dmm",
    .about = "Sorting and more in OpenCL, without bank conflicts, on any vendor's device.",
    .commands = cli_commands,
    .sections = sections};

static const cli_command *find(const cli_command *command, const char *name)
{
    while (command->name && strcmp(command->name, name) != 0)
        command++;
    return command->name ? command : NULL;
}

/* Returns the command that other programs call `name`; NULL: none. */
static const char *other_name(const char *name)
{
    static const char *const names[][2] = {{"sum", "reduce"}, {"add", "reduce"}, {"max", "reduce"},
        {"min", "reduce"}, {"cumsum", "scan"}, {"prefix", "scan"}, {"uniq", "unique"},
        {"head", "topk"}, {"filter", "select"}, {"where", "select"}, {"quantile", "nth"},
        {"percentile", "nth"}, {"test", "selftest"}, {"union", "set"}, {"join", "merge"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

/* Fails with the command that `name` may mean. */
static bool refuse(const cli_program *program, const char *name, cli_error *error)
{
    cli_nearest best = cli_nearest_to(name, strlen(name));
    for (const cli_command *command = program->commands; command->name; command++)
        cli_nearest_try(&best, command->name);
    for (const cli_command *command = program->commands; command->name; command++)
        if (strlen(name) > 2 && strncmp(command->name, name, strlen(name)) == 0)
            best.word = command->name;
    if (other_name(name) && find(program->commands, other_name(name)))
        best.word = other_name(name);
    return cli_fail(error, CLI_MISTAKE, NULL, "no command '%.40s': %s%s%s", name,
        best.word ? "did you mean '" : "see ", best.word ? best.word : program->name,
        best.word ? "'?" : " --help");
}

/* Runs a command. */
static int run(const cli_program *program, int argc, char **argv)
{
    cli_error error = {0};
    const cli_command *const chosen = find(program->commands, argv[0]);
    if (!chosen) {
        refuse(program, argv[0], &error);
        return cli_finish(&error);
    }
    cli_global.command = chosen->name;
    return chosen->run(argc, argv);
}

/* Prints the program's help, or a command's. */
static int help(const cli_program *program, const cli_syntax *syntax, int argc, char **argv)
{
    char option[] = "--help", *call[] = {argc > 0 ? argv[0] : NULL, option, NULL};
    if (argc > 0 && argv[0][0] != '-')
        return run(program, 2, call);
    cli_global.show_help(syntax);
    return CLI_OK;
}

int cli_run(const cli_program *program, int argc, char **argv)
{
    cli_error error = {0};
    bool version_wanted = false;
    char **operands = NULL;
    int num_operands = 0;
    const cli_option options[] = {
        {'V', "version", CLI_FLAG, &version_wanted, NULL, "print the version"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] COMMAND [ARGUMENT...]",
        .about = program->about,
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = argc,
        .command_follows = true,
        .commands = program->commands,
        .epilogue = program->sections};
    cli_global.program = program->name;
    if (!cli_parse(&syntax, argc, argv, &operands, &num_operands, &error))
        return cli_finish(&error);
    if (version_wanted) {
        printf("%s %s\n", program->name, DMM_VERSION);
        return CLI_OK;
    }
    if (num_operands == 0) {
        cli_global.show_help(&syntax);
        fflush(stdout);
        cli_fail(&error, CLI_MISTAKE, NULL, "a command is missing: one of those above");
        return cli_finish(&error);
    }
    if (strcmp(operands[0], "help") == 0)
        return help(program, &syntax, num_operands - 1, operands + 1);
    return run(program, num_operands, operands);
}
