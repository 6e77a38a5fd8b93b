/* SPDX-License-Identifier: MIT */
/* Points of the plane from and to files: x and y of a point in one row. */
#ifndef DMM_CLI_POINTS_H
#define DMM_CLI_POINTS_H

#include "array.h"

/*
 * Reads points: an .npy array of shape (n, 2) of any number type, or text with two numbers a line,
 * separated by a comma, a semicolon or spaces. The first line may be a heading: text that does not
 * begin with a number. The array has 2n numbers: f32 as they are, all others as f64;
 * whole numbers that f64 cannot hold are refused.
 */
bool cli_read_points(cli_array *out, const char *path, cli_error *error);

/* Writes 2n numbers as rows of two. */
bool cli_write_points(cli_output *output, const cli_array *points, cli_error *error);

/* Draws 2n numbers as points, thinned out if there are many, and the hull through `count` of them.
 * `whole`: closed. */
bool cli_draw_hull(cli_output *output, const cli_array *points, const uint64_t *hull, size_t count,
    bool whole, cli_error *error);

#endif
