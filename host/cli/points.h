/* SPDX-License-Identifier: MIT */
/* Points of the plane from and to files: x and y of a point in one row. */
#ifndef DMM_CLI_POINTS_H
#define DMM_CLI_POINTS_H

#include "array.h"

/*
 * Reads points: an .npy array of shape (n, 2) of any number type, or text with two numbers a line,
 * apart by a comma, a semicolon or spaces. The first line may be a heading: text without NUL that
 * does not begin with a number. The array has 2n numbers: f32 as they are, all others as f64; whole
 * numbers that f64 cannot hold are refused.
 */
bool cli_read_points(cli_array *out, const char *path, cli_error *error);

/* Writes 2n numbers as rows of two. */
bool cli_write_points(cli_output *output, const cli_array *points, cli_error *error);

#endif
