/* SPDX-License-Identifier: MIT */
/* The dmm command. */
#include <stdio.h>

#include "commands.h"
#include "error.h"
#include "leftover.h"
#include "startup.h"

int main(int argc, char **argv)
{
    cli_error error = {0};
    cli_open_streams();
    cli_describe_machine();
    cli_leftover_watch();
    int exit_code = cli_run(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_code == CLI_OK) {
        cli_fail_errno(&error, "standard output", "cannot write");
        exit_code = cli_finish(&error);
    }
    return exit_code;
}
