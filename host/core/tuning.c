/* SPDX-License-Identifier: MIT */
/*
 * Settings by name, and the choice of form, u, E and tile from device facts.
 */
#include "core/tuning.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/size.h"
#include "../../cl/map.clh"

typedef struct setting {
    const char *name;
    uint32_t least, most;
    int power_of_two;
    const char *words; /* "gpu cpu": the first word is 1, the second 2; NULL: a number */
    size_t offset;     /* a parameter's offset in dmm_tuning; unused for facts */
} setting;

/* Largest group that kernels can be compiled for (cl/common.clh). */
enum { MOST_U = 1024 };

/* Facts first, then fields of dmm_tuning. */
static const setting settings[] = {
    {"banks", 4, 128, 1, NULL, 0},
    {"bank_bytes", 4, 8, 1, NULL, 0},
    {"lanes", 1, 1024, 1, NULL, 0},
    {"sync_width", 1, 1, 0, NULL, 0},
    {"local_bytes", 1024, 1u << 30, 0, NULL, 0},
    {"max_group", 1, 1u << 16, 0, NULL, 0},
    {"units", 1, 1u << 16, 0, NULL, 0},
    {"launch_items", 1024, UINT32_MAX, 0, NULL, 0},
    {"form", 1, 2, 0, "gpu cpu", offsetof(dmm_tuning, form)},
    {"u", 4, MOST_U, 1, NULL, offsetof(dmm_tuning, u)},
    {"E", 1, 32, 0, NULL, offsetof(dmm_tuning, E)},
    {"tile", 64, 1u << 24, 1, NULL, offsetof(dmm_tuning, tile)},
    {"search", 1, 2, 0, "cf plain", offsetof(dmm_tuning, search)},
};

static const setting *setting_named(const char *name)
{
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

/* Returns the position, from 1, of a word in "one two"; 0 if it is not there. */
static uint32_t word_number(const char *words, const char *word)
{
    const size_t bytes = strlen(word);
    uint32_t number = 1;
    for (const char *at = words; *at != '\0'; number++) {
        const size_t step = strcspn(at, " ");
        if (step == bytes && strncmp(at, word, bytes) == 0)
            return number;
        at += step + (at[step] == ' ');
    }
    return 0;
}

/* Returns the value of `text`; 0, which no setting allows, if it is not valid. */
static uint32_t parse_value(const setting *s, const char *text)
{
    char *end = NULL;
    if (s->words != NULL)
        return word_number(s->words, text);
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < s->least || value > s->most)
        return 0;
    return !s->power_of_two || dmm_is_power_of_two(value) ? (uint32_t)value : 0;
}

dmm_status dmm_setting_parse(
    const char *name, const char *text, uint32_t *value, char *allowed, size_t allowed_bytes)
{
    const setting *s = setting_named(name);
    if (s == NULL)
        return DMM_BAD_VALUE;
    *value = parse_value(s, text);
    if (*value == 0 && s->words != NULL)
        snprintf(allowed, allowed_bytes, "must be one of: %s", s->words);
    else if (*value == 0)
        snprintf(allowed, allowed_bytes, "must be a %s from %u to %u",
            s->power_of_two ? "power of two" : "whole number", s->least, s->most);
    return *value != 0 ? DMM_OK : DMM_BAD_SETTING;
}

void dmm_setting_store(dmm_tuning *tuning, const char *name, uint32_t value)
{
    _Static_assert(sizeof(dmm_form) == sizeof value && sizeof(dmm_tile_search) == sizeof value,
        "enums have 32 bits");
    memcpy((char *)tuning + setting_named(name)->offset, &value, sizeof value);
}

char *dmm_setting_split(char *text)
{
    char *const equals = strchr(text, '=');
    if (equals == NULL)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static void log_names(const dmm_log *log, const char *name)
{
    char known[512] = "";
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        strcat(known, " ");
        strcat(known, settings[i].name);
    }
    dmm_log_line(log, "unknown setting '%s'; known are:%s", name, known);
}

static dmm_status apply_one(char *text, dmm_device *device, dmm_tuning *tuning, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    char allowed[128];
    uint32_t value = 0;
    const char *const given = dmm_setting_split(text);
    if (given == NULL) {
        dmm_log_line(log, "setting '%s' is not of the form NAME=VALUE", text);
        return DMM_BAD_SETTING;
    }
    status = dmm_setting_parse(text, given, &value, allowed, sizeof allowed);
    if (status == DMM_BAD_VALUE) {
        log_names(log, text);
        return DMM_BAD_SETTING;
    }
    dmm_fact *fact = dmm_device_fact_named(device, text);
    if (status != DMM_OK)
        dmm_log_line(log, "setting %s=%s: %s", text, given, allowed);
    else if (fact != NULL)
        *fact = (dmm_fact){value, DMM_SOURCE_OVERRIDE};
    else
        dmm_setting_store(tuning, text, value);
    return status;
}

dmm_status dmm_settings_apply(
    const char *text, dmm_device *device, dmm_tuning *tuning, const dmm_log *log)
{
    dmm_status status = DMM_OK;
    char *copy = NULL;
    if (text == NULL)
        return DMM_OK;
    FAIL_IF((copy = malloc(strlen(text) + 1)) == NULL, DMM_OUT_OF_MEMORY);
    strcpy(copy, text);
    for (char *at = copy; *at != '\0';) {
        const size_t bytes = strcspn(at, ",");
        char *next = at + bytes + (at[bytes] == ',');
        at[bytes] = '\0';
        if (bytes != 0)
            TRY(apply_one(at, device, tuning, log));
        at = next;
    }
out:
    free(copy);
    return status;
}

dmm_tuning dmm_tuning_over(const dmm_tuning *strong, const dmm_tuning *weak)
{
    return (dmm_tuning){
        .form = strong->form != DMM_FORM_DEFAULT ? strong->form : weak->form,
        .u = strong->u != 0 ? strong->u : weak->u,
        .E = strong->E != 0 ? strong->E : weak->E,
        .tile = strong->tile != 0 ? strong->tile : weak->tile,
        .search = strong->search != DMM_TILE_SEARCH_DEFAULT ? strong->search : weak->search,
    };
}

/* A tile and its spare list, half a megabyte together, fit the second-level cache of the CPUs
 * measured. */
enum { CPU_TILE_BYTES = 1 << 18, CPU_LEAST_TILE = 256, CPU_E = 8 };
/* What a tile may take by default: 4096 keys of 4 bytes with their positions, padded. Two groups
 * share a compute unit of 96 KiB then. */
enum { GPU_TILE_BYTES = 40960, GPU_U = 256, GPU_E = 16 };
/* Enough groups a compute unit to hide memory latency (GPU), or to even out its interruptions
 * (CPU). */
enum { GPU_GROUPS_PER_UNIT = 8, CPU_GROUPS_PER_UNIT = 4 };

static dmm_status choose_cpu(
    dmm_parameters *p, const dmm_tuning *tuning, const dmm_footprint *f, const dmm_log *log)
{
    const uint32_t tile_bytes = f->cpu_tile_bytes != 0 ? f->cpu_tile_bytes : CPU_TILE_BYTES;
    uint32_t tile = CPU_LEAST_TILE;
    while (tile < tile_bytes / f->item_bytes)
        tile *= 2;
    p->u = 1;
    p->E = tuning->E != 0 ? tuning->E : f->cpu_E != 0 ? f->cpu_E : CPU_E;
    p->tile = tuning->tile != 0 ? tuning->tile : tile;
    if (!dmm_is_power_of_two(p->tile) || !dmm_is_power_of_two(p->E) || p->E > 32 ||
        p->tile < p->E) {
        dmm_log_line(log, "CPU form: E=%u and tile=%u must be powers of two, E <= 32, E <= tile",
            p->E, p->tile);
        return DMM_BAD_PARAMETERS;
    }
    return DMM_OK;
}

/* Returns the words of a padded plane. A plane's words may be wider than a bank. */
static uint64_t plane_words(
    const dmm_device *device, const dmm_footprint *f, uint64_t u, uint64_t E)
{
    const uint64_t bank_bytes = device->bank_bytes.value, banks = device->banks.value;
    const uint64_t w = f->plane_bytes > bank_bytes ? banks * bank_bytes / f->plane_bytes : banks;
    const uint64_t lowest = E & (~E + 1), d = lowest < w ? lowest : w;
    return DMM_TILE_WORDS(u, w, E, d);
}

static uint64_t local_needed(
    const dmm_device *device, const dmm_footprint *f, uint64_t u, uint64_t E)
{
    const uint64_t words = f->planes != 0 ? plane_words(device, f, u, E) : 0;
    return words * f->planes * f->plane_bytes + u * E * f->local_bytes + u * f->group_bytes +
           f->fixed_bytes;
}

static int is_tile(const dmm_footprint *f, uint64_t tile)
{
    return f->most_tile == 0 || (dmm_is_power_of_two(tile) && tile <= f->most_tile);
}

static dmm_status check_gpu(
    const dmm_parameters *p, const dmm_device *device, const dmm_footprint *f, const dmm_log *log)
{
    const uint64_t banks = device->banks.value, local = device->local_bytes.value;
    const uint64_t tile = local_needed(device, f, p->u, p->E),
                   alone = (uint64_t)p->u * f->lone_bytes;
    const uint64_t needed = tile > alone ? tile : alone;
    const uint64_t max_group = device->max_group.value,
                   most_u = max_group < MOST_U ? max_group : MOST_U;
    if (!dmm_is_power_of_two(p->u) || p->u < banks || p->u > most_u || p->E > 32)
        dmm_log_line(log,
            "u=%u, E=%u: u must be a power of two from %u (banks) to %u (max_group, at most %u), "
            "E at most 32",
            p->u, p->E, (unsigned)banks, (unsigned)most_u, (unsigned)MOST_U);
    else if (!is_tile(f, p->tile))
        dmm_log_line(log, "u=%u, E=%u: a tile must be a power of two, at most %u items", p->u, p->E,
            f->most_tile);
    else if (needed > local)
        dmm_log_line(log,
            "u=%u, E=%u: a group takes %llu bytes of local memory, the device has %llu", p->u, p->E,
            (unsigned long long)needed, (unsigned long long)local);
    else
        return DMM_OK;
    return DMM_BAD_PARAMETERS;
}

static dmm_status choose_gpu(dmm_parameters *p, const dmm_device *device, const dmm_tuning *tuning,
    const dmm_footprint *f, const dmm_log *log)
{
    const uint64_t banks = device->banks.value, local = device->local_bytes.value;
    const uint64_t comfortable = local < GPU_TILE_BYTES ? local : GPU_TILE_BYTES;
    uint64_t u = f->gpu_u != 0 ? f->gpu_u : GPU_U, E = f->gpu_E != 0 ? f->gpu_E : GPU_E;
    while (u > banks && (u > device->max_group.value || u * f->lone_bytes > local))
        u /= 2;
    u = tuning->u != 0 ? tuning->u : u > banks ? u : banks;
    while (E > 1 && local_needed(device, f, u, E) > comfortable)
        E /= 2;
    while (tuning->u == 0 && u > banks && local_needed(device, f, u, E) > local)
        u /= 2;
    p->u = (uint32_t)u;
    p->E = tuning->E != 0 ? tuning->E : (uint32_t)E;
    p->tile = p->u * p->E;
    return check_gpu(p, device, f, log);
}

int dmm_tuning_is_cpu(const dmm_tuning *tuning, const dmm_device *device)
{
    return tuning->form == DMM_FORM_DEFAULT ? device->kind == DMM_KIND_CPU
                                            : tuning->form == DMM_FORM_CPU;
}

uint32_t dmm_most_groups(const dmm_device *device, int cpu)
{
    const int per_unit = cpu ? CPU_GROUPS_PER_UNIT : GPU_GROUPS_PER_UNIT;
    return (uint32_t)device->units.value * (uint32_t)per_unit;
}

dmm_status dmm_parameters_choose(dmm_parameters *out, const dmm_device *device,
    const dmm_tuning *tuning, const dmm_footprint *footprint, const dmm_log *log)
{
    if (tuning->form > DMM_FORM_CPU || tuning->search > DMM_TILE_SEARCH_PLAIN)
        return DMM_BAD_VALUE;
    *out = (dmm_parameters){
        .cpu = dmm_tuning_is_cpu(tuning, device),
        .plain_search = tuning->search == DMM_TILE_SEARCH_PLAIN,
        .digit = dmm_tuning_is_cpu(tuning, device) ? footprint->cpu_digit : footprint->gpu_digit,
    };
    out->most_groups = dmm_most_groups(device, out->cpu);
    const dmm_status status = out->cpu ? choose_cpu(out, tuning, footprint, log)
                                       : choose_gpu(out, device, tuning, footprint, log);
    if (status == DMM_OK)
        dmm_log_line(log, "parameters: form=%s u=%u E=%u tile=%u search=%s",
            out->cpu ? "cpu" : "gpu", out->u, out->E, out->tile,
            out->plain_search ? "plain" : "cf");
    return status;
}
