/* SPDX-License-Identifier: MIT */
/* A command: dmm, or another one of the same parts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cl/workarounds.clh"
#include "commands.h"
#include "error.h"
#include "leftover.h"

/* DMM_PROGRAM: the name of a cli_program, from the build. */
extern const cli_program DMM_PROGRAM;

/*
 * Opens each closed standard stream on /dev/null, in the direction in which it is not used: reading
 * or writing it then fails, and no file gets its descriptor.
 */
static void open_streams(void)
{
    static const int directions[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    /* open() returns the least free descriptor: `stream`, because those below are open */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", directions[stream]) != stream)
            _exit(1); /* no /dev/null: a file would get the descriptor */
}

/* Describes a machine without /sys to PoCL, unless the user does (cl/workarounds.clh). */
static void describe_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char text[96];
    if (access(DMM_HWLOC_LOOKS_IN, F_OK) == 0 || pages < 1 || processors < 1)
        return;
    snprintf(text, sizeof text, DMM_HWLOC_MACHINE, (long long)pages * page_bytes, processors);
    setenv(DMM_HWLOC_VARIABLE, text, 0);
}

/* The first three calls come in this order, before a file is opened, OpenCL is called or a thread
 * is started. */
int main(int argc, char **argv)
{
    cli_error error = {0};
    open_streams();
    describe_machine();
    cli_leftover_watch();
    int exit_code = cli_run(&DMM_PROGRAM, argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_code == CLI_OK) {
        cli_fail_errno(&error, "standard output", "cannot write");
        exit_code = cli_finish(&error);
    }
    return exit_code;
}
