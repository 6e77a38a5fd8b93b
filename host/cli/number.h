/* SPDX-License-Identifier: MIT */
/* One number between its text and its bytes. */
#ifndef DMM_CLI_NUMBER_H
#define DMM_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dmm/types.h>

enum { CLI_NUMBER_CHARS = 32 }; /* the longest text that cli_print_number makes is shorter */

typedef enum cli_number_status {
    CLI_NUMBER_OK,
    CLI_NOT_A_NUMBER,
    CLI_NOT_WHOLE,   /* a number, but no whole one, where the type is of whole numbers */
    CLI_OUT_OF_RANGE /* the type cannot hold it */
} cli_number_status;

bool cli_is_float(dmm_type type);
bool cli_is_signed(dmm_type type); /* an integer type with negative numbers */

/* A sign and digits. `*at` moves behind them; behind the whole text there is a NUL. Of a number
 * beyond 64 bits CLI_OUT_OF_RANGE; of one with a point or exponent, nan or inf CLI_NOT_WHOLE. */
cli_number_status cli_parse_whole(const char **at, bool *negative, uint64_t *magnitude);

/* Stores it as an item of an integer type. */
cli_number_status cli_store_whole(void *item, dmm_type type, bool negative, uint64_t magnitude);

/* A decimal number with point and exponent, nan, inf or infinity, stored as an item of a float
 * type. What is too small for the type is rounded to its zero or its subnormals. */
cli_number_status cli_parse_float(const char **at, void *item, dmm_type type);

/* Any number, whatever its type, as item of `type`. */
cli_number_status cli_parse_number(const char **at, void *item, dmm_type type);

/* The fewest digits that read back as the same item; returns the length. */
size_t cli_print_number(char out[CLI_NUMBER_CHARS], const void *item, dmm_type type);

#endif
