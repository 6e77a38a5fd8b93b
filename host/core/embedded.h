/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL sources of cl/, as they were when the library was built. The table behind this header
 * is generated (cmake/embed.cmake); it is in name order and ends with an entry whose name is NULL.
 */
#ifndef DMM_CORE_EMBEDDED_H
#define DMM_CORE_EMBEDDED_H

#include <stddef.h>

typedef struct dmm_embedded {
    const char *name; /* as seen from the source tree: "cl/sort.cl" */
    const char *text; /* ends with a NUL */
    size_t bytes;     /* without that NUL */
} dmm_embedded;

extern const dmm_embedded dmm_embedded_sources[];

#endif
