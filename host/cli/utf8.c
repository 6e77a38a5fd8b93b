/* SPDX-License-Identifier: MIT */
/* The Unicode Standard, table 3-7: well-formed UTF-8 byte sequences. */
#include "utf8.h"

size_t cli_utf8_bytes(const char *text)
{
    static const struct {
        unsigned char first, last, least, most; /* ranges of byte 0 and of byte 1 */
        size_t bytes;
    } rows[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    const unsigned char *const at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (at[0] < rows[i].first || at[0] > rows[i].last)
            continue;
        if (at[1] < rows[i].least || at[1] > rows[i].most)
            return 0;
        for (size_t k = 2; k < rows[i].bytes; k++)
            if (at[k] < 0x80 || at[k] > 0xBF)
                return 0;
        return rows[i].bytes;
    }
    return 0;
}
