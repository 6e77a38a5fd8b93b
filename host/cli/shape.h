/* SPDX-License-Identifier: MIT */
/* The shape of a matrix that a file holds row after row: --shape ROWS,COLUMNS. */
#ifndef DMM_CLI_SHAPE_H
#define DMM_CLI_SHAPE_H

#include <dmm/transpose.h>

#include "error.h"

/* Reads "R,C"; fails where the text is NULL or has another form. */
bool cli_parse_shape(dmm_matrices *out, const char *text, cli_error *error);
/* Fails if a matrix of that shape has not so many items. */
bool cli_check_shape(const dmm_matrices *shape, size_t count, const char *input, cli_error *error);

#endif
