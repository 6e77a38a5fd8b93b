/* SPDX-License-Identifier: MIT */
/* The device that a command would take. */
#ifndef DMM_CLI_CHOICE_H
#define DMM_CLI_CHOICE_H

#include "error.h"

/* Prints two lines: which device, why, and whether it is supported and tuned. */
bool cli_print_choice(cli_error *error);

#endif
