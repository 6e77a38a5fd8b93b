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

/* The value of a setting by its name and text. DMM_BAD_VALUE: there is no such name;
 * DMM_BAD_SETTING: not such a value, and `allowed` (of that many bytes) says which are. */
dmm_status dmm_setting_parse(
    const char *name, const char *text, uint32_t *value, char *allowed, size_t allowed_bytes);

/* Stores a value that was parsed under the name of a parameter. */
void dmm_setting_store(dmm_tuning *tuning, const char *name, uint32_t value);

/* Fields of `strong` where they are given, else those of `weak`. */
dmm_tuning dmm_tuning_over(const dmm_tuning *strong, const dmm_tuning *weak);

/* Is the CPU form chosen? */
int dmm_tuning_is_cpu(const dmm_tuning *tuning, const dmm_device *device);

/* What a primitive keeps in local memory for each item of a tile, and what suits it on CPUs. */
typedef struct dmm_footprint {
    uint32_t item_bytes;     /* of the item in global memory */
    uint32_t local_bytes;    /* of all that a tile holds per item */
    uint32_t group_bytes;    /* of what a group holds per work-item */
    uint32_t cpu_E;          /* E of the CPU form where the tuning says none; 0: the default */
    uint32_t cpu_tile_bytes; /* a tile's items of the CPU form, likewise */
    uint32_t gpu_u, gpu_E;   /* the most of the GPU form, likewise */
    uint32_t cpu_digit, gpu_digit; /* bits of a digit, likewise */
    uint32_t lone_bytes;           /* local memory a work-item of a kernel that holds no tile */
    uint32_t most_tile;            /* of the GPU form, whose tiles are then powers of two; 0: any */
    int guarantee;                 /* conflict-free kernels only */
    const char *word; /* which rows of tuning files speak of it; see core/tuning_rows.h */
} dmm_footprint;

typedef struct dmm_parameters {
    int cpu; /* CPU form: u = 1, E = 1 tile of `tile` items, no local memory */
    uint32_t u;
    uint32_t E;
    uint32_t tile;        /* T: items a group handles at once; u*E in the GPU form */
    uint32_t most_groups; /* that share the items of one launch: a few a compute unit */
    int plain_search;
    uint32_t digit; /* bits of a digit */
    uint64_t from;  /* the least items for the second method where a tuning file says so, or 0 */
} dmm_parameters;

/* The same for a launch that no tuning governs. */
uint32_t dmm_most_groups(const dmm_device *device, int cpu);

/*
 * Chooses and checks parameters: what the tuning gives stands; the rest comes from the facts. w:
 * banks as the widest plane of an item sees them. DMM_BAD_VALUE (form, search); DMM_BAD_PARAMETERS,
 * with a log line that says why.
 */
dmm_status dmm_parameters_choose(dmm_parameters *out, const dmm_device *device,
    const dmm_tuning *tuning, const dmm_footprint *footprint, const dmm_log *log);

#endif
