/* SPDX-License-Identifier: MIT */
/*
 * Where the command's own parts are.
 */
#ifndef DMM_CLI_PLACE_H
#define DMM_CLI_PLACE_H

#include <stddef.h>

enum { CLI_PATH_BYTES = 4096 };

/* The folder that the running command stands in; "" where the system does not say. */
void cli_own_folder(char out[CLI_PATH_BYTES]);

#endif
