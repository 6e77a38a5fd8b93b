/* SPDX-License-Identifier: MIT */
/*
 * The OpenCL programs of cl/, as they were when the library was built: each .cl file with what it
 * includes, and cl/shuffle.clh. The table is generated (cmake/embed.cmake); it ends with an entry
 * whose name is NULL.
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
