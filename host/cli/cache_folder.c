/* SPDX-License-Identifier: MIT */
/* Finds the user's cache folder, by the XDG Base Directory Specification. */
#include "cache_folder.h"

#include <stdio.h>
#include <stdlib.h>

#include "option.h"

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
