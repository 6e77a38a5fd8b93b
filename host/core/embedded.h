/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL programs of cl/, embedded at build time (cmake/embed.cmake): each .cl file with what
 * it includes, cl/builtins.clh, cl/shuffle.clh and cl/layout.clh. The last entry has a NULL name.
 */
#ifndef DMM_CORE_EMBEDDED_H
#define DMM_CORE_EMBEDDED_H

#include <stddef.h>

typedef struct dmm_embedded {
    const char *name; /* as seen from the source tree: "cl/sort/sort.cl" */
    const char *text; /* without `#line 1` for the file itself; ends with a NUL */
    size_t bytes;     /* without that NUL */
} dmm_embedded;

extern const dmm_embedded dmm_embedded_sources[];

#endif
