/* SPDX-License-Identifier: MIT */
/* Finds the least number of items for which radix is faster than merge, by bisection, each with the
 * parameters that were found for it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"
#include "tune.h"

/* Powers of two. The defaults of auto (<dmm/sort.h>): in the CPU form, and for keys of no bytes in
 * the GPU form where lanes exchange data; never: where they do not. */
enum { LEAST_BITS = 10, MOST_BITS = 24, TURNS = 3 };
enum { CPU_DEFAULT_BITS = 12, GPU_DEFAULT_BITS = 13, NEVER_BITS = 64 };

const tune_found *tune_found_for(const tune_search *s, const char *word, uint32_t item_bytes)
{
    for (size_t i = 0; i < s->num_found; i++)
        if (s->found[i].item_bytes == item_bytes && strcmp(s->found[i].word, word) == 0)
            return &s->found[i];
    return NULL;
}

/* Compares both in turn, the best time of each. Returns 1 if radix is faster, 0 if not; -1 if that
 * is unknown, or after an error. */
static int is_radix_faster(
    tune_search *s, const tune_found *const pair[2], unsigned bits, cli_error *error)
{
    uint64_t best[2] = {UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < 2 * TURNS; i++) {
        tune_trial tried;
        if (!tune_try(s, pair[i % 2], (uint64_t)1 << bits, pair[i % 2]->settings, 0, i > 1, &tried,
                error) ||
            tried.outcome != TUNE_OK)
            return -1;
        best[i % 2] = tried.ns < best[i % 2] ? tried.ns : best[i % 2];
    }
    return best[1] < best[0];
}

/* Finds the least power of two from which radix is faster; `most` + 1: none; 0: unknown. */
static unsigned find_bits(
    tune_search *s, const tune_found *const pair[2], unsigned most, cli_error *error)
{
    unsigned low = LEAST_BITS, high = most + 1; /* radix is faster from `high` on, or never */
    unsigned at = most;
    while (low < high) {
        const int faster = is_radix_faster(s, pair, at, error);
        if (faster < 0)
            return 0;
        if (!faster && at == most)
            return most + 1;
        low = faster ? low : at + 1;
        high = faster ? at : high;
        at = (low + high) / 2;
    }
    return high;
}

/* Returns the power of two from which auto takes radix without a row. */
static unsigned default_bits(const tune_search *s, uint32_t item_bytes)
{
    const unsigned key_bytes = item_bytes > 4 ? item_bytes / 2 : item_bytes; /* as in trials */
    const bool exchanges = s->device->sync_width.value > 1;
    return s->cpu ? CPU_DEFAULT_BITS : exchanges ? GPU_DEFAULT_BITS + key_bytes : NEVER_BITS;
}

static bool find_size(tune_search *s, uint32_t item_bytes, cli_error *error)
{
    const tune_found *const pair[2] = {
        tune_found_for(s, "sort.merge", item_bytes), tune_found_for(s, "sort.radix", item_bytes)};
    unsigned most = LEAST_BITS;
    if (pair[0] == NULL || pair[1] == NULL || pair[0]->outcome != TUNE_OK ||
        pair[1]->outcome != TUNE_OK)
        return true;
    while (most < MOST_BITS && (uint64_t)2 << most <= s->items)
        most++;
    const unsigned bits = find_bits(s, pair, most, error);
    if (bits == 0)
        return error->text[0] == '\0';
    const unsigned usual = default_bits(s, item_bytes);
    const bool is_default = bits == usual || (bits > most && usual > most);
    tune_found *const f = &s->found[s->num_found++];
    *f = (tune_found){.word = "sort", .item_bytes = item_bytes, .items = s->items};
    if (!is_default && bits > most)
        strcpy(f->settings, " from=never");
    else if (!is_default)
        snprintf(f->settings, sizeof f->settings, " from=%" PRIu64, (uint64_t)1 << bits);
    return true;
}

bool tune_find_crossovers(tune_search *s, cli_error *error)
{
    const uint32_t sizes[] = {4, 8, 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!find_size(s, sizes[i], error))
            return false;
    return true;
}
