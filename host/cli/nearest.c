/* SPDX-License-Identifier: MIT */
/* Distances between words. */
#include <string.h>

#include "nearest.h"

enum { MOST_CHARS = 24 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns how many characters to insert, delete, replace or exchange with their neighbour make b of
 * a; both have at most MOST_CHARS. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[MOST_CHARS + 1][MOST_CHARS + 1];
    for (size_t i = 0; i <= a_length; i++)
        rows[i][0] = i;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t j = 1; j <= b_length; j++) {
            const size_t kept = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i][j] = least(kept, least(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
        }
    return rows[a_length][b_length];
}

cli_nearest cli_nearest_to(const char *given, size_t length)
{
    return (cli_nearest){given, length, length / 3 + 1 + (length > 1), NULL};
}

void cli_nearest_try(cli_nearest *best, const char *word)
{
    const size_t length = strlen(word);
    if (best->length > MOST_CHARS || length > MOST_CHARS)
        return;
    const size_t away = distance(best->given, best->length, word, length);
    if (away < best->distance && away < length) {
        best->distance = away;
        best->word = word;
    }
}
