/* SPDX-License-Identifier: MIT */
/*
 * Explains why OpenCL finds no device, or not all: looks where loaders look, without loading
 * anything.
 */
#ifndef DMM_CLI_ICD_H
#define DMM_CLI_ICD_H

#include <stdio.h>

/* Prints what was searched, what is there, and what to install. */
void cli_explain_no_device(FILE *out);

/* Prints the folder of .icd files, and what each names. */
void cli_list_drivers(FILE *out);

/* Prints how to register drivers that are on this machine but not registered; mostly nothing. */
void cli_explain_missing_drivers(FILE *out);

#endif
