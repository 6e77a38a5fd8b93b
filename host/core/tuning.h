/* SPDX-License-Identifier: MIT */
/*
 * Settings (NAME=VALUE text) and the pure function from device facts to kernel parameters.
 */
#ifndef DMM_CORE_TUNING_H
#define DMM_CORE_TUNING_H

#include <dmm/types.h>

#include "core/device.h"
#include "core/log.h"

/* Applies "NAME=VALUE,..." to the facts and the tuning. NULL or "" applies nothing.
 * DMM_BAD_SETTING, with a log line that says which name or value and what is allowed. */
dmm_status dmm_settings_apply(
    const char *text, dmm_device *device, dmm_tuning *tuning, const dmm_log *log);

/* Parses the value of a setting. DMM_BAD_VALUE: no such name; DMM_BAD_SETTING: no such value, and
 * `allowed` (allowed_bytes long) lists the values. */
dmm_status dmm_setting_parse(
    const char *name, const char *text, uint32_t *value, char *allowed, size_t allowed_bytes);

/* Splits NAME=VALUE and returns VALUE; NULL if the text has another form. */
char *dmm_setting_split(char *text);

/* Stores a value that was parsed under the name of a parameter. */
void dmm_setting_store(dmm_tuning *tuning, const char *name, uint32_t value);

/* Merges two tunings: a field of `weak` stands where that of `strong` is 0. */
dmm_tuning dmm_tuning_over(const dmm_tuning *strong, const dmm_tuning *weak);

/* True if this tuning selects the CPU form on the device. */
int dmm_tuning_is_cpu(const dmm_tuning *tuning, const dmm_device *device);

/* What a primitive keeps in local memory, and its defaults. */
typedef struct dmm_footprint {
    uint32_t item_bytes;     /* bytes of an item in global memory */
    uint32_t local_bytes;    /* local bytes per item of a tile */
    uint32_t group_bytes;    /* local bytes per work-item beside the tile */
    uint32_t fixed_bytes;    /* local bytes of a group, whatever its size */
    uint32_t planes;         /* planes of a tile, of DMM_TILE_WORDS (cl/map.clh) words */
    uint32_t plane_bytes;    /* bytes of these words */
    uint32_t cpu_E;          /* default E of the CPU form; 0: the general default */
    uint32_t cpu_tile_bytes; /* default bytes of a tile's items in the CPU form; 0: likewise */
    uint32_t gpu_u, gpu_E;   /* default maxima of the GPU form; 0: likewise */
    uint32_t cpu_digit, gpu_digit; /* default bits of a digit */
    uint32_t lone_bytes;           /* local bytes per work-item in kernels without a tile */
    uint32_t most_tile;            /* largest tile of the GPU form, a power of two; 0: any tile */
    int guarantee;                 /* conflict-free kernels only */
    const char *word;              /* its name in tuning files; NULL: it has no rows */
} dmm_footprint;

typedef struct dmm_parameters {
    int cpu;              /* CPU form: u = 1, a work-item handles a tile alone, no local memory */
    uint32_t u;           /* work-items per group */
    uint32_t E;           /* items per work-item in registers */
    uint32_t tile;        /* T, items a group handles at once; u*E in the GPU form */
    uint32_t most_groups; /* largest number of groups of one launch: a few per compute unit */
    int plain_search;
    uint32_t digit; /* bits of a digit */
    uint64_t from;  /* item count from which a tuning file prefers the second method; 0: none */
} dmm_parameters;

/* most_groups of a launch without parameters of its own. */
uint32_t dmm_most_groups(const dmm_device *device, int cpu);

/*
 * Chooses and checks parameters: fields of the tuning that are not 0 stand, the rest follows from
 * the facts. DMM_BAD_VALUE (form, search); DMM_BAD_PARAMETERS, with a log line that says why.
 */
dmm_status dmm_parameters_choose(dmm_parameters *out, const dmm_device *device,
    const dmm_tuning *tuning, const dmm_footprint *footprint, const dmm_log *log);

#endif
