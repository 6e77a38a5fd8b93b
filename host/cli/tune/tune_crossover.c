/* SPDX-License-Identifier: MIT */
/* Finds the least number of items for which radix is faster than merge, by bisection, each with the
 * parameters that were found for it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"
#include "tune.h"

/* Powers of two; the default of auto in the CPU form (<dmm/sort.h>). */
enum { LEAST_BITS = 10, MOST_BITS = 24, CPU_DEFAULT_BITS = 12, TURNS = 3 };

static const tune_found *found_for(const tune_search *s, const char *word, uint32_t item_bytes)
{
    for (size_t i = 0; i < s->num_found; i++)
        if (s->found[i].item_bytes == item_bytes && strcmp(s->found[i].word, word) == 0)
            return &s->found[i];
    return NULL;
}

static bool time_one(tune_search *s, const tune_found *f, unsigned bits, bool afresh,
    tune_trial *out, cli_error *error)
{
    char body[TUNE_BODY_BYTES] = "";
    if (f->settings[0] != '\0')
        snprintf(body, sizeof body, "tune %s %u form=%s%s", f->word, (unsigned)f->item_bytes,
            s->cpu ? "cpu" : "gpu", f->settings);
    return tune_try(s, f->word, f->item_bytes, (uint64_t)1 << bits, body, 0, afresh, out, error);
}

/* Compares both in turn, the best time of each. *out: 1 if radix is faster, 0 if not, -1 if
 * unknown. */
static bool is_radix_faster(tune_search *s, const tune_found *merge, const tune_found *radix,
    unsigned bits, int *out, cli_error *error)
{
    uint64_t merge_ns = UINT64_MAX, radix_ns = UINT64_MAX;
    *out = -1;
    for (int i = 0; i < TURNS; i++) {
        tune_trial a, b;
        if (!time_one(s, merge, bits, i != 0, &a, error) ||
            !time_one(s, radix, bits, i != 0, &b, error))
            return false;
        if (a.outcome != TUNE_OK || b.outcome != TUNE_OK)
            return true;
        merge_ns = a.ns < merge_ns ? a.ns : merge_ns;
        radix_ns = b.ns < radix_ns ? b.ns : radix_ns;
    }
    *out = radix_ns < merge_ns;
    return true;
}

/* Finds the least power of two; `most` + 1: none; UINT32_MAX: unknown. */
static bool find_bits(tune_search *s, const tune_found *merge, const tune_found *radix,
    unsigned most, unsigned *out, cli_error *error)
{
    unsigned low = LEAST_BITS, high = most + 1; /* radix is faster from `high` on, or never */
    int faster = 0;
    *out = UINT32_MAX;
    if (!is_radix_faster(s, merge, radix, most, &faster, error))
        return false;
    if (faster < 0)
        return true;
    while (faster == 1 && low < high) {
        const unsigned middle = (low + high) / 2;
        int here = 0;
        if (!is_radix_faster(s, merge, radix, middle, &here, error))
            return false;
        if (here < 0)
            return true;
        low = here ? low : middle + 1;
        high = here ? middle : high;
    }
    *out = high;
    return true;
}

static bool find_size(tune_search *s, uint32_t item_bytes, cli_error *error)
{
    const tune_found *const merge = found_for(s, "sort.merge", item_bytes);
    const tune_found *const radix = found_for(s, "sort.radix", item_bytes);
    unsigned most = LEAST_BITS, bits = UINT32_MAX;
    if (merge == NULL || radix == NULL || merge->outcome != TUNE_OK || radix->outcome != TUNE_OK)
        return true;
    while (most < MOST_BITS && (uint64_t)2 << most <= s->items)
        most++;
    if (!find_bits(s, merge, radix, most, &bits, error) || bits == UINT32_MAX)
        return error->text[0] == '\0';
    const bool is_default = s->cpu ? bits == CPU_DEFAULT_BITS : bits > most;
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
