/* SPDX-License-Identifier: MIT */
/* Amounts of memory, from the files of /proc. */
#ifndef DMM_TESTS_MEMORY_H
#define DMM_TESTS_MEMORY_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Returns the number in KiB after `name`, such as "VmRSS:"; 0 if there is no such file or line. */
static inline uint64_t memory_kib(const char *path, const char *name)
{
    char line[128];
    uint64_t kib = 0;
    FILE *const file = fopen(path, "r");
    while (file != NULL && kib == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            (void)sscanf(line + strlen(name), "%" SCNu64, &kib);
    if (file != NULL)
        fclose(file);
    return kib;
}

#endif
