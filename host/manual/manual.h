/* SPDX-License-Identifier: MIT */
/*
 * The manual pages and the completion of a program, dmm or dmm-mpi, from the tables that --help is
 * printed from. A program of the build, not of the package: it calls every command with --help and
 * shows what they would show in another form.
 */
#ifndef DMM_MANUAL_MANUAL_H
#define DMM_MANUAL_MANUAL_H

#include "cli/commands.h"
#include "cli/option.h"

/* The program whose manual it is, by the build. */
extern const cli_program *const manual_program;

/* Prints a page of manual section 1, in man(7). */
void manual_page(const cli_syntax *syntax);

/* Prints one command's options as words of bash. */
void manual_completion(const cli_syntax *syntax);
void manual_zsh(const cli_syntax *syntax);
void manual_fish(const cli_syntax *syntax);
/* Prints what ends the file of zsh. */
void manual_zsh_end(void);

#endif
