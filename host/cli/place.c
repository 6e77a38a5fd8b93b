/* SPDX-License-Identifier: MIT */
/* Asks the system for the command's own folder. */
#include <string.h>
#include <unistd.h>

#include "place.h"

void cli_own_folder(char out[CLI_PATH_BYTES])
{
    ssize_t bytes = readlink("/proc/self/exe", out, CLI_PATH_BYTES - 1);
    out[bytes < 0 ? 0 : bytes] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
}
