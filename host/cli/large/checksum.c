/* SPDX-License-Identifier: MIT */
/* Checksums. */
#include <string.h>

#include "checksum.h"

/* A bijection of each argument: one word that differs is always noticed. */
static uint64_t chain(uint64_t words, uint64_t word)
{
    const uint64_t x = (words ^ word) * 0x9E3779B97F4A7C15u + 1;
    return x ^ x >> 32;
}

void cli_checksum_add(cli_checksum *s, const void *data, uint64_t bytes)
{
    const char *at = data, *const end = at + bytes;
    for (uint64_t held = s->bytes % 8; at < end; held = 0) {
        const uint64_t left = (uint64_t)(end - at), space = 8 - held;
        if (left < space) {
            memcpy((char *)&s->rest + held, at, (size_t)left);
            break;
        }
        if (held != 0) {
            memcpy((char *)&s->rest + held, at, (size_t)space);
            s->words = chain(s->words, s->rest);
            s->rest = 0;
        } else {
            uint64_t word;
            memcpy(&word, at, sizeof word);
            s->words = chain(s->words, word);
        }
        at += space;
    }
    s->bytes += bytes;
}

uint64_t cli_checksum_value(const cli_checksum *s)
{
    return chain(chain(s->words, s->rest), s->bytes);
}
