/* SPDX-License-Identifier: MIT */
/* Folders: the command's own by /proc, the cache by the XDG Base Directory Specification. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option.h"
#include "place.h"

void cli_own_folder(char out[CLI_PATH_BYTES])
{
    ssize_t bytes = readlink("/proc/self/exe", out, CLI_PATH_BYTES - 1);
    out[bytes < 0 ? 0 : bytes] = '\0';
    char *slash = strrchr(out, '/');
    if (slash)
        *slash = '\0';
}

const char *cli_cache_folder(void)
{
    static char path[4000];
    const char *const base = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const int own = base != NULL && base[0] == '/';
    if (cli_global.cache != NULL)
        return cli_global.cache[0] != '\0' ? cli_global.cache : NULL;
    if (!own && (home == NULL || home[0] != '/'))
        return NULL;
    snprintf(path, sizeof path, "%s%s", own ? base : home, own ? "/dmm" : "/.cache/dmm");
    return path;
}
