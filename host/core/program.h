/* SPDX-License-Identifier: MIT */
/*
 * Programs from the embedded sources: built once for each (root, options, prelude) of a context,
 * and kept in the context and, if it has one, in its cache folder. Program text = prelude + root
 * file with its includes.
 */
#ifndef DMM_CORE_PROGRAM_H
#define DMM_CORE_PROGRAM_H

#include <stdatomic.h>
#include <stddef.h>

#include "core/cache.h"
#include "core/embedded.h"
#include "core/log.h"
#include "core/options.h"
#include "core/os.h"

typedef struct dmm_program_entry dmm_program_entry;

typedef struct dmm_programs {
    dmm_mutex mutex;     /* guards the list */
    dmm_condition built; /* signalled when a program of the list is built or has left it */
    dmm_program_entry *first;
    cl_context context;
    cl_device_id device;
    dmm_log log;
    dmm_cache cache;
    uint32_t lanes;     /* lanes of the device */
    atomic_uint most_u; /* largest group that all kernels so far run in; 0: no kernel has a limit */
    int own_builtins;   /* builds with cl/builtins.clh (cl/workarounds.clh) */
    char identity
        [1024]; /* what else a compiled program depends on: library version, device, driver */
} dmm_programs;

typedef struct dmm_program_desc {
    const char *root; /* an embedded program: "cl/sort/sort.cl" */
    const dmm_options *options;
    const char *prelude;         /* the caller's item declaration and order; "" for none */
    const dmm_embedded *sources; /* the table that has the root; NULL: dmm_embedded_sources */
} dmm_program_desc;

/* cache_folder: see <dmm/cache.h>; NULL: none. */
dmm_status dmm_programs_init(
    dmm_programs *programs, const dmm_device *device, const char *cache_folder);
/* released: also releases the programs, which a child process must not. */
void dmm_programs_destroy(dmm_programs *programs, int released);

/* Borrowed: valid as long as the programs. DMM_BUILD_FAILED after logging the build log. Without a
 * device: NULL. */
dmm_status dmm_programs_get(dmm_programs *programs, const dmm_program_desc *desc, cl_program *out);

/* Creates a kernel, which the caller releases. DMM_BAD_PARAMETERS: the device cannot run it in
 * groups of u; then most_u is lowered to what it can. */
dmm_status dmm_programs_kernel(
    dmm_programs *programs, cl_program program, const char *name, uint32_t u, cl_kernel *out);

/* True if the status says that the device cannot build or run these kernels: it may run others. */
int dmm_programs_are_unfit(dmm_status status);

#endif
