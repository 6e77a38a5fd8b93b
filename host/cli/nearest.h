/* SPDX-License-Identifier: MIT */
/* The word of a list that a misspelt one may mean. */
#ifndef DMM_CLI_NEAREST_H
#define DMM_CLI_NEAREST_H

#include <stddef.h>

typedef struct cli_nearest {
    const char *given;
    size_t length;    /* length of `given` */
    size_t distance;  /* distance of `word`, or the first that is too far */
    const char *word; /* NULL: none is near */
} cli_nearest;

/* Begins the search for the first `length` characters of `given`. */
cli_nearest cli_nearest_to(const char *given, size_t length);
/* Keeps the word if it is nearer than those before. */
void cli_nearest_try(cli_nearest *best, const char *word);

#endif
