/* SPDX-License-Identifier: MIT */
/*
 * The build options of a program: the numbers that its kernels are compiled with.
 */
#ifndef DMM_CORE_OPTIONS_H
#define DMM_CORE_OPTIONS_H

#include <stddef.h>

#include "core/tuning.h"

enum { DMM_OPTIONS_LIST = 64 }; /* most numbers of one list */

/* "-cl-std=CL1.2 -D NAME=VALUE ..."; begins as {.bytes = 0}. */
typedef struct dmm_options {
    char text[2048];
    size_t bytes;
} dmm_options;

void dmm_options_define(dmm_options *options, const char *name, uint64_t value);
/* Defines a name as several numbers, separated by commas; 0 < count <= DMM_OPTIONS_LIST. */
void dmm_options_define_list(
    dmm_options *options, const char *name, const uint32_t *values, uint32_t count);

/* Defines what cl/common.clh needs: the parameters and the banks. */
void dmm_options_parameters(
    dmm_options *options, const dmm_parameters *p, const dmm_device *device);

#endif
