/* SPDX-License-Identifier: MIT */
/*
 * The search: one parameter after the other, from small values to large ones; stops after two
 * clearly slower values in a row. The winner must win again, alternating with the default.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "tune.h"

enum { TRIAL_SECONDS = 60, QUICK_SECONDS = 20, CONFIRMATIONS = 6, FEW_SIZES = 1, MOST_SIZES = 3 };
/* In hundredths: less than this is noise; that much slower ends a row of values. */
enum { LEAST_GAIN = 103, CLEARLY_SLOWER = 110 };

static const uint32_t *values_of(const tune_search *s, const trial_parameter *parameter)
{
    return s->thorough ? parameter->all : parameter->few;
}

static const trial_parameter *const *parameters_of(const tune_search *s, const trial_word *word)
{
    return s->cpu ? word->cpu : word->gpu;
}

/* Returns a value in the parameter's unit; 0: not for this device. */
static uint32_t value_for(
    const tune_search *s, const char *name, uint32_t item_bytes, uint32_t value)
{
    uint32_t items = 1;
    if (strcmp(name, "u") == 0)
        return value < s->device->banks.value || value > s->device->max_group.value ? 0 : value;
    if (strcmp(name, "tile") != 0)
        return value;
    while (items < value / item_bytes)
        items *= 2;
    return items < 64 ? 0 : items;
}

static bool write_candidate(const tune_search *s, const char *body, cli_error *error)
{
    FILE *const file = fopen(s->candidate, "w");
    if (file == NULL)
        return cli_fail_errno(error, s->candidate, "cannot write");
    fprintf(file, "dmm tuning 1\nany\n%s\n", body);
    return fclose(file) == 0 || cli_fail_errno(error, s->candidate, "cannot write");
}

static tune_outcome run(
    const tune_search *s, const tune_found *f, uint64_t items, uint64_t enough_ns, uint64_t *ns)
{
    char bytes_text[16], items_text[24], enough_text[24];
    const char *const operands[] = {
        "trial", f->word, bytes_text, items_text, s->thorough ? "15" : "5", enough_text, NULL};
    tune_output output;
    snprintf(bytes_text, sizeof bytes_text, "%u", (unsigned)f->item_bytes);
    snprintf(items_text, sizeof items_text, "%" PRIu64, items);
    snprintf(enough_text, sizeof enough_text, "%" PRIu64, enough_ns);
    const tune_outcome outcome =
        tune_child(s->candidate, operands, s->thorough ? TRIAL_SECONDS : QUICK_SECONDS, &output);
    if (outcome == TUNE_OK && sscanf(output.text, "trial %" SCNu64, ns) != 1)
        return TUNE_CRASHED;
    return outcome;
}

void tune_row(
    const tune_search *s, const tune_found *f, const char *settings, char text[TUNE_WHAT_BYTES])
{
    text[0] = '\0';
    if (settings[0] != '\0')
        snprintf(text, TUNE_WHAT_BYTES, "tune    %s %u form=%s%s", f->word, (unsigned)f->item_bytes,
            s->cpu ? "cpu" : "gpu", settings);
}

/* Runs a trial with these settings, or returns the recorded one unless `afresh`. enough_ns: see
 * trial.h. */
static bool try_items(tune_search *s, const tune_found *f, uint64_t items, const char *settings,
    uint64_t enough_ns, bool afresh, tune_trial *out, cli_error *error)
{
    char row[TUNE_WHAT_BYTES];
    tune_row(s, f, settings, row);
    *out = (tune_trial){.outcome = TUNE_NO_TIME};
    snprintf(out->what, sizeof out->what, "%s %u %" PRIu64 " %.150s", f->word,
        (unsigned)f->item_bytes, items, row);
    if (!afresh && tune_record_find(&s->record, out))
        return true;
    if (s->deadline_ns != 0 && tune_now_ns() > s->deadline_ns) {
        s->ended_early = true;
        return true;
    }
    if (!write_candidate(s, row, error))
        return false;
    out->outcome = run(s, f, items, enough_ns, &out->ns);
    return afresh || tune_record_add(&s->record, out, error);
}

static bool try_settings(
    tune_search *s, tune_found *f, const char *settings, tune_trial *out, cli_error *error)
{
    const uint64_t enough = f->best_ns / 100 * CLEARLY_SLOWER;
    const bool ok = try_items(s, f, f->items, settings, enough, false, out, error);
    f->trials += out->outcome != TUNE_NO_TIME;
    f->is_cut = f->is_cut || out->outcome == TUNE_NO_TIME;
    f->failed +=
        out->outcome == TUNE_WRONG || out->outcome == TUNE_CRASHED || out->outcome == TUNE_HUNG;
    cli_progress_step(++s->done);
    return ok;
}

/* Tries all values of one parameter, with the parameters chosen so far. */
static bool sweep(tune_search *s, tune_found *f, const trial_parameter *parameter, cli_error *error)
{
    char settled[TUNE_SETTINGS_BYTES], settings[TUNE_SETTINGS_BYTES];
    uint64_t best_of_sweep = UINT64_MAX;
    unsigned slower = 0;
    strcpy(settled, f->settings);
    for (const uint32_t *value = values_of(s, parameter); *value != 0; value++) {
        const uint32_t v = value_for(s, parameter->name, f->item_bytes, *value);
        tune_trial tried = {.outcome = TUNE_MISFIT};
        if (v == 0 || slower == 2) {
            cli_progress_step(++s->done);
            continue;
        }
        snprintf(settings, sizeof settings, "%.70s %s=%u", settled, parameter->name, (unsigned)v);
        if (!try_settings(s, f, settings, &tried, error))
            return false;
        if (tried.outcome != TUNE_OK)
            continue;
        slower = tried.ns / CLEARLY_SLOWER > best_of_sweep / 100 ? slower + 1 : 0;
        best_of_sweep = tried.ns < best_of_sweep ? tried.ns : best_of_sweep;
        if (tried.ns < f->best_ns) {
            f->best_ns = tried.ns;
            strcpy(f->settings, settings);
        }
    }
    return true;
}

static bool is_faster(uint64_t a, uint64_t b)
{
    return a < b / LEAST_GAIN * 100;
}

/* Measures winner and default alternately, so that other load slows both down, and each goes first
 * equally often. The winner must win every time, which happens by chance in 1 of 64 cases. */
static bool confirm(tune_search *s, tune_found *f, cli_error *error)
{
    uint64_t best = UINT64_MAX, usual = UINT64_MAX;
    bool wins = is_faster(f->best_ns, f->default_ns);
    for (int i = 0; i < CONFIRMATIONS && wins; i++) {
        tune_trial pair[2]; /* default and winner */
        for (int k = 0; k < 2; k++) {
            const int which = (i + k) % 2;
            if (!try_items(
                    s, f, f->items, which == 0 ? "" : f->settings, 0, true, &pair[which], error))
                return false;
            f->is_cut = f->is_cut || pair[which].outcome == TUNE_NO_TIME;
        }
        wins = pair[0].outcome == TUNE_OK && pair[1].outcome == TUNE_OK &&
               is_faster(pair[1].ns, pair[0].ns);
        usual = pair[0].ns < usual ? pair[0].ns : usual;
        best = pair[1].ns < best ? pair[1].ns : best;
    }
    if (wins && is_faster(best, usual)) {
        f->best_ns = best;
        f->default_ns = usual;
        return true;
    }
    f->settings[0] = '\0';
    f->best_ns = f->default_ns;
    return true;
}

static bool find_one(tune_search *s, tune_found *f, const trial_word *word, cli_error *error)
{
    tune_trial usual;
    if (!try_settings(s, f, "", &usual, error))
        return false;
    f->outcome = usual.outcome;
    if (usual.outcome != TUNE_OK)
        return true;
    f->default_ns = f->best_ns = usual.ns;
    for (const trial_parameter *const *at = parameters_of(s, word); *at != NULL; at++)
        if (!sweep(s, f, *at, error))
            return false;
    return confirm(s, f, error);
}

/* True if `wanted` names the word, or all of its kind: "sort" names "sort.merge", "" everything. */
static bool names(const char *wanted, const char *word)
{
    const size_t bytes = strlen(wanted);
    return bytes == 0 ||
           (strncmp(word, wanted, bytes) == 0 && (word[bytes] == '\0' || word[bytes] == '.'));
}

bool tune_has_word(const char *wanted)
{
    const trial_word *word = trial_words;
    while (word->word != NULL && !names(wanted, word->word))
        word++;
    return word->word != NULL;
}

/* Returns how many sizes of the word are tried. */
static size_t sizes_of(const tune_search *s, const trial_word *word)
{
    const size_t most = s->thorough ? MOST_SIZES : FEW_SIZES;
    size_t sizes = 0;
    while (sizes < most && word->sizes[sizes] != 0)
        sizes++;
    return sizes;
}

/* Tunes one size of every word, so that an interrupted search has some results for all. */
static bool find_size(tune_search *s, size_t number, cli_error *error)
{
    for (const trial_word *word = trial_words; word->word != NULL; word++) {
        if (!names(s->word, word->word) || number >= sizes_of(s, word))
            continue;
        tune_found *const f = &s->found[s->num_found++];
        *f = (tune_found){
            .word = word->word, .item_bytes = word->sizes[number], .items = s->items, .best_ns = 0};
        if (!find_one(s, f, word, error))
            return false;
    }
    return true;
}

static uint64_t count_trials(const tune_search *s)
{
    uint64_t count = 0;
    for (const trial_word *word = trial_words; word->word != NULL; word++) {
        uint64_t each = 1;
        for (const trial_parameter *const *at = parameters_of(s, word); *at != NULL; at++)
            for (const uint32_t *value = values_of(s, *at); *value != 0; value++)
                each++;
        count += names(s->word, word->word) ? each * sizes_of(s, word) : 0;
    }
    return count;
}

/* ---- Radix from which size on ---------------------------------------------------------------- */

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
        if (!try_items(s, pair[i % 2], (uint64_t)1 << bits, pair[i % 2]->settings, 0, i > 1, &tried,
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

static bool find_crossover(tune_search *s, uint32_t item_bytes, cli_error *error)
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

/* Finds the least items for which radix is faster than merge, for each size, and appends them to
 * the results. */
static bool find_crossovers(tune_search *s, cli_error *error)
{
    const uint32_t sizes[] = {4, 8, 16};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!find_crossover(s, sizes[i], error))
            return false;
    return true;
}

bool tune_find(tune_search *s, cli_error *error)
{
    s->total = count_trials(s);
    cli_progress_start("tuning", s->total);
    for (size_t number = 0; number < MOST_SIZES; number++)
        if (!find_size(s, number, error))
            return false;
    return find_crossovers(s, error);
}
