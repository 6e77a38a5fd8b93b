/* SPDX-License-Identifier: MIT */
/* Standard streams, and memory and processors in the words of hwloc. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "startup.h"

void cli_open_streams(void)
{
    static const int directions[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    /* open() takes the least free descriptor: `stream`, since those below are open. */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", directions[stream]) != stream)
            _exit(1); /* no /dev/null: a file would get the descriptor */
}

void cli_describe_machine(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char text[96];
    if (access("/sys/devices/system/cpu", F_OK) == 0 || pages < 1 || processors < 1)
        return;
    snprintf(
        text, sizeof text, "node:1(memory=%lld) pu:%ld", (long long)pages * page_bytes, processors);
    setenv("HWLOC_SYNTHETIC", text, 0);
}
