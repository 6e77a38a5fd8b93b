/* SPDX-License-Identifier: MIT */
/* Windows: the subcommands that are not built. */
#include "commands.h"
#include "option.h"

static int refuse(const char *why)
{
    cli_error error = {0};
    cli_fail(&error, CLI_MISTAKE, NULL, "is not part of the command for Windows: %s", why);
    return cli_finish(&error);
}

int dmm_cli_meter(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return refuse("it uses Oclgrind; run it on Linux or in WSL");
}

int dmm_cli_bench(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return refuse("run the benchmarks on Linux or in WSL; dmm demo measures a sort here");
}
