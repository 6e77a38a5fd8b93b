/* SPDX-License-Identifier: MIT */
/* The texts of --help, printed from the tables of options. */
#ifndef DMM_CLI_HELP_H
#define DMM_CLI_HELP_H

#include "option.h"

enum { CLI_NUM_GLOBAL = 6 };

/* --device, --set, --cache, --verbose, --help. */
extern const cli_option cli_global_options[CLI_NUM_GLOBAL];

void cli_print_help(const cli_syntax *syntax);

/* Epilogue of the commands that read arrays: which files they know. */
extern const cli_section cli_file_formats[];

#endif
