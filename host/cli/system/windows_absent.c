/* SPDX-License-Identifier: MIT */
/* Windows: the subcommands that are not built. */
#include <string.h>

#include "commands.h"
#include "option.h"

/* Fails, but for --help. */
static int refuse(const char *why, int argc, char **argv)
{
    cli_error error = {0};
    const cli_syntax syntax = {.synopsis = "", .about = why};
    const bool asks = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (!asks || cli_parse_some(&syntax, argc, argv, NULL, 0, &error))
        cli_fail(&error, CLI_MISTAKE, NULL, "%s", why);
    return cli_finish(&error);
}

int dmm_cli_meter(int argc, char **argv)
{
    return refuse(
        "is not part of the command for Windows: it uses Oclgrind; run it on Linux or in WSL", argc,
        argv);
}

int dmm_cli_bench(int argc, char **argv)
{
    return refuse(
        "is not part of the command for Windows; run it on Linux or in WSL, or dmm demo here", argc,
        argv);
}
