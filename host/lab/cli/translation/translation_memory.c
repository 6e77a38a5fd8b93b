/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "translation.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

static const uint64_t huge_bytes = UINT64_C(2) << 20;

/* Returns the bytes of a mapping that lie in huge pages, by /proc/self/smaps; below 0: not
 * known. */
static double huge_of(const void *mapping)
{
    char line[512], start[32];
    double kilobytes = -1;
    bool inside = false;
    FILE *maps = fopen("/proc/self/smaps", "r");
    snprintf(start, sizeof start, "%08" PRIxPTR "-", (uintptr_t)mapping);
    while (maps && fgets(line, sizeof line, maps)) {
        uint64_t got;
        if (strncmp(line, start, strlen(start)) == 0)
            inside = true;
        else if (inside && sscanf(line, "AnonHugePages: %" SCNu64, &got) == 1) {
            kilobytes = (double)got;
            break;
        }
    }
    if (maps)
        fclose(maps);
    return kilobytes < 0 ? kilobytes : kilobytes * 1024;
}

/* Whole huge pages, one of them to align the start: a mapping of its own in the system's list. */
bool translation_map(translation_memory *out, uint64_t bytes, translation_pages pages)
{
    const uint64_t whole = (bytes + huge_bytes - 1) / huge_bytes * huge_bytes;
    *out = (translation_memory){.mapped_bytes = whole + huge_bytes, .huge = -1};
    void *mapping = mmap(NULL, (size_t)out->mapped_bytes, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return false;
    out->mapping = mapping;
    const uint64_t skipped = (huge_bytes - (uintptr_t)mapping % huge_bytes) % huge_bytes;
    out->words = (uint64_t *)(void *)((char *)mapping + skipped);
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
    /* the whole mapping: the system cuts one in two where advice ends */
    madvise(mapping, (size_t)out->mapped_bytes,
        pages == TRANSLATION_2M ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)pages;
#endif
    memset(out->words, 1, (size_t)whole);
    out->huge = huge_of(mapping);
    out->huge = out->huge < 0 ? out->huge : out->huge / (double)whole;
    return true;
}

void translation_unmap(translation_memory *memory)
{
    if (memory->mapping)
        munmap(memory->mapping, (size_t)memory->mapped_bytes);
    *memory = (translation_memory){0};
}
