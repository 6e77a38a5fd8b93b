/* SPDX-License-Identifier: MIT */
/* A command: dmm, or another one of the same parts. */
#include <stdio.h>

#include "commands.h"
#include "error.h"
#include "leftover.h"
#include "system/system.h"

/* DMM_PROGRAM: the name of a cli_program, from the build. */
extern const cli_program DMM_PROGRAM;

/* The first two calls come in this order, before a file is opened, OpenCL is called or a thread
 * is started. */
int main(int argc, char **argv)
{
    cli_error error = {0};
    cli_system_start();
    cli_leftover_watch();
    int exit_code = cli_run(&DMM_PROGRAM, argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_code == CLI_OK) {
        cli_fail_errno(&error, "standard output", "cannot write");
        exit_code = cli_finish(&error);
    }
    return exit_code;
}
