/* SPDX-License-Identifier: MIT */
/*
 * A dmm_context binds the library to one OpenCL context and device and owns the programs built for
 * it. Several threads may share one; the primitives created from it belong to one thread at a time.
 */
#ifndef DMM_CONTEXT_H
#define DMM_CONTEXT_H

#include <dmm/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_context dmm_context;

/* Receives one line of text (no newline): build logs, what was chosen and why. */
typedef void (*dmm_log_function)(void *user, const char *line);

typedef struct dmm_context_desc {
    cl_context context;  /* retained; NULL: a new one for the device */
    cl_device_id device; /* NULL: the context's only device, or the one that device_text names */
    const char *device_text; /* see dmm_device_find; NULL: $DMM_DEVICE, or the best device */
    const char *set;   /* "NAME=VALUE,...": facts (banks, lanes, ...) and parameters (form, u, E,
                             tile, search); stronger than the environment's DMM_SET, weaker than
                             a descriptor's tuning */
    const char *cache; /* a folder for compiled programs, see <dmm/cache.h>; NULL: none. Unused
                             where the driver keeps them by itself, unless cache_always */
    int cache_always;
    const char *tuning;   /* a tuning file, see <dmm/tuning.h>; "": none; NULL: $DMM_TUNING, or the
                             user's */
    dmm_log_function log; /* NULL: none. May be called from any thread that uses the context */
    void *log_user;
    int ignore_environment; /* reads no DMM_DEVICE, DMM_SET, DMM_TUNING and no file of the user's:
                               what is used stands in this description alone */
    uint64_t reserved[4];   /* 0 */
} dmm_context_desc;

/* desc may be NULL: the best device. Errors: DMM_NO_PLATFORM, DMM_NO_DEVICE, DMM_BAD_VALUE (a
 * context of several devices and none named), DMM_BAD_SETTING, DMM_UNSUPPORTED (reserved words),
 * DMM_OUT_OF_MEMORY, OpenCL's. */
DMM_API dmm_status dmm_context_create(dmm_context **out, const dmm_context_desc *desc);
/* Objects created from the context must be freed first. NULL is fine. */
DMM_API void dmm_context_free(dmm_context *ctx);

/* Borrowed: valid as long as the context. The queue is in order; the _host functions use it. */
DMM_API const dmm_device *dmm_context_device(const dmm_context *ctx);
DMM_API cl_context dmm_context_cl(const dmm_context *ctx);
DMM_API cl_command_queue dmm_context_queue(const dmm_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
