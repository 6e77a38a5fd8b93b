/* SPDX-License-Identifier: MIT */
/* Where the command keeps compiled programs. */
#ifndef DMM_CLI_CACHE_FOLDER_H
#define DMM_CLI_CACHE_FOLDER_H

/* --cache, or dmm in $XDG_CACHE_HOME or ~/.cache; NULL: there is no such place, or --cache ''. Valid until
 * the next call. */
const char *cli_cache_folder(void);

#endif
