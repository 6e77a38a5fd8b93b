/* SPDX-License-Identifier: MIT */
/* The command's folders. */
#ifndef DMM_CLI_PLACE_H
#define DMM_CLI_PLACE_H

#include <stddef.h>

enum { CLI_PATH_BYTES = 4096 };

/* The folder that the running command stands in; "" where the system does not say. */
void cli_own_folder(char out[CLI_PATH_BYTES]);

/* The folder of compiled programs: --cache, or dmm in $XDG_CACHE_HOME or ~/.cache; NULL: there is
 * no such place, or --cache ''. Valid until the next call. */
const char *cli_cache_folder(void);

#endif
