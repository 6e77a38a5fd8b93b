/* SPDX-License-Identifier: MIT */
/* dmm cache: shows the cache of compiled programs, or removes it; and what killed calls left. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include <dmm/cache.h>

#include "session.h"
#include "commands.h"
#include "option.h"
#include "remains.h"

static bool show(const char *folder, cli_error *error)
{
    uint64_t programs = 0, bytes = 0;
    if (dmm_cache_usage(folder, &programs, &bytes) != DMM_OK)
        return cli_fail(error, CLI_MISTAKE, folder, "this folder cannot be read");
    printf("folder    %s\nprograms  %" PRIu64 "\nbytes     %" PRIu64 "\n", folder, programs, bytes);
    return true;
}

static bool clear_folder(const char *folder, cli_error *error)
{
    const dmm_status status = dmm_cache_clear(folder);
    return status == DMM_OK || cli_fail(error, CLI_MISTAKE, folder,
                                   status == DMM_BAD_FILE ? "not all programs could be removed"
                                                          : "this folder cannot be read");
}

int dmm_cli_cache(int argc, char **argv)
{
    cli_error error = {0};
    bool info = false, clear = false;
    char **operands = NULL;
    int num_operands = 0;
    const cli_option options[] = {
        {0, "info", CLI_FLAG, &info, NULL,
            "print the number of programs, their bytes and the folder, or the\n"
            "files of FOLDERs (default)"},
        {0, "clear", CLI_FLAG, &clear, NULL, "remove the programs, or the files of FOLDERs"},
    };
    const cli_syntax syntax = {.synopsis = "[--info|--clear] [FOLDER]...",
        .about = "The command keeps compiled programs for later calls, on devices whose driver "
                 "does not\n"
                 "keep them by itself; with --cache FOLDER on all.\n"
                 "\n"
                 "With FOLDERs: the files that calls which were killed have left there. A line for "
                 "each:\n"
                 "its kind, bytes and path. --clear removes the kinds `output` (not finished: the "
                 "next\n"
                 "call with this output removes it, too) and `job` (sort --resume would go on with "
                 "it);\n"
                 "`whole` may be the only whole output of its call: move it to its name, or remove "
                 "it.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .max_operands = INT_MAX};
    if (!cli_parse(&syntax, argc, argv, &operands, &num_operands, &error))
        return cli_finish(&error);
    const char *const folder = cli_cache_folder();
    if (info && clear)
        cli_fail(&error, CLI_MISTAKE, NULL, "--info and --clear exclude each other");
    else if (num_operands > 0)
        for (int i = 0; i < num_operands && error.exit_code == 0; i++)
            (clear ? cli_remove_remains : cli_list_remains)(operands[i], &error);
    else if (folder == NULL)
        cli_fail(&error, CLI_MISTAKE, NULL, "there is no cache folder: give --cache FOLDER");
    else if (clear)
        clear_folder(folder, &error);
    else
        show(folder, &error);
    return cli_finish(&error);
}
