/* SPDX-License-Identifier: MIT */
/*
 * A dmm_context binds the library to one OpenCL context and device and owns the programs built for
 * it.
 *
 * Threads: several may share a context, and create, call and free objects of their own at the
 * same time. An object belongs to one thread at a time: a second one costs little, because programs
 * are shared. If two threads enqueue with one object at once, a kernel may run with arguments of
 * both calls: their outputs are undefined, a buffer of either call may be written anywhere within
 * it, and no error is returned.
 *
 * Processes: in a child that fork made, a context of the parent and its objects can only be freed,
 * which releases the host's memory and nothing of OpenCL. Creating and calling objects return
 * DMM_UNSUPPORTED there. Whether a child can create a context of its own depends on the driver,
 * most of which do not survive fork: fork before the first call of OpenCL, or exec.
 *
 * Without a device: a context of recorded facts answers what depends on them alone, on a machine
 * without OpenCL, too. So a build step or a planner asks for the bytes of temp on another machine's
 * GPU, and learns there whether a description is right:
 *
 *     dmm_device facts = {.name = "planned", .units = {132}, .local_bytes = {49152}};
 *     dmm_context_create(&ctx, &(dmm_context_desc){.facts = &facts, .tuning = ""});
 *     dmm_sort_create(&sort, ctx, &desc);
 *     dmm_sort_temp_bytes(&bytes, sort, n);
 *
 * Creating objects checks all of their descriptions but the caller's OpenCL C (`less`, `where`),
 * and compiles nothing. Calls, the _host functions, dmm_context_selftest and
 * dmm_permutation_plan_save return DMM_UNSUPPORTED. The bytes are those of a device with these
 * facts and tuning rows, unless its compiler limits the groups of a kernel below u (the log says
 * so).
 */
#ifndef DMM_CONTEXT_H
#define DMM_CONTEXT_H

#include <dmm/device.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_context dmm_context;

/* Receives one line of text (no newline): build logs, and choices with their reasons. */
typedef void (*dmm_log_function)(void *user, const char *line);

/* Receives how far a _host call is: its kernels have done so much of their work, in parts of which
 * each large kernel has as many. total 0: not known, because the call reads results on its way, as
 * dmm_paths does. */
typedef void (*dmm_progress_function)(void *user, uint64_t done, uint64_t total);

typedef struct dmm_context_desc {
    cl_context context;  /* retained; NULL: a new one for the device */
    cl_device_id device; /* NULL: the context's only device, or the one that device_text names */
    const char *device_text; /* see dmm_device_find; NULL: $DMM_DEVICE, or the best device */
    /* "NAME=VALUE,...": facts (banks, lanes, ...) and parameters (form, u, E, tile, search); a
     * description's tuning takes precedence. The library reads no DMM_SET: a program that obeys it,
     * as the command does, passes getenv("DMM_SET") */
    const char *set;
    /* folder for compiled programs, see <dmm/cache.h>; NULL: none. Unused if the driver caches
     * programs itself, unless cache_always */
    const char *cache;
    int cache_always;
    const char *tuning;   /* a tuning file, see <dmm/tuning.h>; "": none; NULL: $DMM_TUNING, or the
                             user's */
    dmm_log_function log; /* NULL: none. May be called from any thread that uses the context */
    void *log_user;
    /* ignores DMM_DEVICE, DMM_TUNING, DMM_TUNING_FOLDER, the user's files and what `dmm meter` sets
     * (DMM_METER_SET): this description is complete */
    int ignore_environment;
    /* in place of a device: its facts, from dmm_context_device on its machine or by hand; copied.
     * `platform`, `id` and the sources are not read. A value 0 is the default (of a GPU of that
     * vendor), a kind 0 a GPU. `set` and tuning files apply as to a device. context, device and
     * device_text are NULL then. NULL: a device */
    const dmm_device *facts;
    /* called by the thread of a _host call: when its kernels are enqueued (`done` is 0), and as
     * they run; large ones take several launches then. Not called by the streams, whose own
     * callbacks say how far they are; dmm_sort_devices calls that of the first context, from any of
     * its threads, one at a time. NULL: none */
    dmm_progress_function progress;
    void *progress_user;
    uint64_t reserved[1]; /* 0 */
} dmm_context_desc;

/* Creates a context; desc may be NULL: the best device. The first call in a process that needs
 * OpenCL finds it: in the library $DMM_OPENCL_LIBRARY if set, else in the process, else as
 * libOpenCL.so.1. Errors: DMM_NO_PLATFORM (the log says what is missing), DMM_NO_DEVICE,
 * DMM_BAD_VALUE (a context of several devices and none named; facts with a device, or outside their
 * range), DMM_BAD_SETTING, DMM_UNSUPPORTED
 * (reserved words), DMM_OUT_OF_MEMORY, OpenCL's. */
DMM_API dmm_status dmm_context_create(dmm_context **out, const dmm_context_desc *desc);
/* Frees a context; objects created from it must be freed first. NULL is fine. */
DMM_API void dmm_context_free(dmm_context *ctx);

/* Return what the context owns, valid as long as it. The queue is in order; the _host functions use
 * it. Without a device, the OpenCL context and the queue are NULL. */
DMM_API const dmm_device *dmm_context_device(const dmm_context *ctx);
DMM_API cl_context dmm_context_cl(const dmm_context *ctx);
DMM_API cl_command_queue dmm_context_queue(const dmm_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
