/* SPDX-License-Identifier: MIT */
/* Names and texts of others in JSON and SVG, which are UTF-8. */
#ifndef DMM_CLI_UTF8_H
#define DMM_CLI_UTF8_H

#include <stddef.h>

/* Returns the bytes of the UTF-8 character that a text, which ends with NUL, begins with: 1 to 4; 0
 * if that is none. */
size_t cli_utf8_bytes(const char *text);

#endif
