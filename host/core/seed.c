/* SPDX-License-Identifier: MIT */
#include "core/seed.h"

#include <stdio.h>
#include <time.h>

static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t dmm_fresh_seed(const dmm_log *log)
{
    uint64_t seed = 0;
    FILE *file = fopen("/dev/urandom", "rb");
    if (file != NULL) {
        setvbuf(file, NULL, _IONBF, 0); /* takes 8 bytes, not a buffer full */
        if (fread(&seed, sizeof seed, 1, file) != 1)
            seed = 0;
        fclose(file);
    }
    if (seed == 0) {
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        dmm_log_line(log, "dmm: /dev/urandom cannot be read: a seed is of the clock");
        seed = mixed(mixed((uint64_t)now.tv_nsec + (uint64_t)now.tv_sec * 1000000000u) +
                     (uintptr_t)&seed + (uintptr_t)log);
    }
    return seed != 0 ? seed : 1;
}
