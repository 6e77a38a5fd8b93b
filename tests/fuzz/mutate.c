/* SPDX-License-Identifier: MIT */
/*
 * mutate FOLDER [SEED [TIMES]]: runs a harness of libFuzzer on every file of the corpus, and on
 * TIMES mutants of each: bytes changed, cut out, doubled, swapped for numbers that headers go wrong
 * by. Prints the seed; a crash's input is left in the file mutant.bin.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

enum { MOST_BYTES = 1 << 16, USUAL_TIMES = 400 };

static uint8_t original[MOST_BYTES], mutant[2 * MOST_BYTES];

static size_t mutate(random_source *random, size_t bytes)
{
    static const uint64_t odd[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000u, UINT32_MAX,
        (uint64_t)1 << 32, INT64_MAX, (uint64_t)1 << 63, UINT64_MAX};
    memcpy(mutant, original, bytes);
    for (uint64_t left = 1 + random_below(random, 6); left > 0 && bytes > 1; left--) {
        const size_t at = 1 + (size_t)random_below(random, bytes - 1);
        const size_t most = bytes - at, part = 1 + (size_t)random_below(random, most);
        const uint64_t number = odd[random_below(random, sizeof odd / sizeof *odd)];
        switch (random_below(random, 5)) {
        case 0:
            mutant[at] = (uint8_t)random_next(random);
            break;
        case 1:
            mutant[at] ^= (uint8_t)(1u << random_below(random, 8));
            break;
        case 2:
            memcpy(mutant + at, &number, most < 8 ? most : 8);
            break;
        case 3:
            memmove(mutant + at, mutant + at + part, most - part);
            bytes -= part;
            break;
        default:
            if (bytes + part > sizeof mutant)
                break;
            memmove(mutant + at + part, mutant + at, most);
            bytes += part;
        }
    }
    return bytes;
}

static void run(const uint8_t *data, size_t bytes)
{
    FILE *const file = fopen("mutant.bin", "wb");
    if (file != NULL) {
        fwrite(data, 1, bytes, file);
        fclose(file);
    }
    LLVMFuzzerTestOneInput(data, bytes);
}

int main(int argc, char **argv)
{
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const uint64_t times = argc > 3 ? strtoull(argv[3], NULL, 10) : USUAL_TIMES;
    random_source random = {seed};
    unsigned long long inputs = 0;
    DIR *const folder = argc > 1 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "mutate: no folder of inputs\n");
        return 1;
    }
    printf("seed %llu\n", (unsigned long long)seed);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        FILE *const file = entry->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (file == NULL)
            continue;
        const size_t bytes = fread(original, 1, sizeof original, file);
        fclose(file);
        run(original, bytes);
        for (uint64_t i = 0; i < times; i++, inputs++)
            run(mutant, mutate(&random, bytes));
    }
    closedir(folder);
    remove("mutant.bin");
    printf("%llu mutants\n", inputs);
    return inputs == 0 && times != 0;
}
