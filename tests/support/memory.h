/* SPDX-License-Identifier: MIT */
/* Amounts of memory, from the files of /proc and the allocator. */
#ifndef DMM_TESTS_MEMORY_H
#define DMM_TESTS_MEMORY_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

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

/* Returns the bytes that malloc has handed out, in all arenas; 0 before glibc 2.33. */
static inline uint64_t memory_heap(void)
{
#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/* Returns how many shared objects the process has mapped. */
static inline uint64_t memory_objects(void)
{
    char line[1024];
    uint64_t count = 0;
    FILE *const file = fopen("/proc/self/maps", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count += strstr(line, " r-xp ") != NULL && strstr(line, ".so") != NULL;
    if (file != NULL)
        fclose(file);
    return count;
}

#endif
