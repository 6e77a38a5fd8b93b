/* SPDX-License-Identifier: MIT */
/*
 * Facts of an OpenCL device, with the source of each.
 */
#ifndef DMM_DEVICE_H
#define DMM_DEVICE_H

#include <stddef.h>

#include <dmm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sources of a fact, from the strongest to the weakest. */
typedef enum dmm_source {
    DMM_SOURCE_OVERRIDE = 1, /* the caller's NAME=VALUE (dmm_context_desc.set), or the meter's */
    DMM_SOURCE_FILE = 2,     /* a tuning file */
    DMM_SOURCE_QUERY = 3,    /* asked of the driver; brought into the range that kernels can use */
    DMM_SOURCE_PROBE = 4,    /* measured */
    DMM_SOURCE_TABLE = 5,    /* table of the vendor's devices */
    DMM_SOURCE_DEFAULT = 6   /* assumed */
} dmm_source;

typedef struct dmm_fact {
    uint64_t value;
    dmm_source source;
} dmm_fact;

typedef enum dmm_device_kind {
    DMM_KIND_GPU = 1,
    DMM_KIND_ACCELERATOR = 2,
    DMM_KIND_CPU = 3,
    DMM_KIND_SIMULATOR = 4
} dmm_device_kind;

typedef struct dmm_device {
    cl_platform_id platform;
    cl_device_id id;
    dmm_device_kind kind;
    char platform_name[128];
    char name[128];
    char vendor[128];
    char driver[128];
    char version[128];
    dmm_fact banks;       /* banks of local memory, a power of two, 4 to 128 */
    dmm_fact bank_bytes;  /* width of a bank's word, 4 or 8 */
    dmm_fact lanes;       /* work-items scheduled in lock-step: affects speed only */
    dmm_fact sync_width;  /* lanes that exchange data by instructions of a sub-group; 1: none */
    dmm_fact local_bytes; /* local memory a group may use */
    dmm_fact max_group;   /* largest work-group */
    dmm_fact units;       /* compute units that have a local memory each */
    dmm_fact max_buffer;  /* bytes of the largest buffer */
    dmm_fact unified;     /* 1: host and device share memory */
    dmm_fact fp64;        /* 1: double is supported in kernels */
    /* A step of a call with more items takes several launches, so that none takes too long: systems
     * reset GPUs that draw the screen after some seconds without an answer. 0: no limit */
    dmm_fact launch_items;
} dmm_device;

/* Returns the i-th fact of a device and its name, i from 0; NULL past the last one. */
DMM_API const dmm_fact *dmm_device_fact(const dmm_device *device, size_t i, const char **name);
DMM_API const char *dmm_source_name(dmm_source source);
DMM_API const char *dmm_device_kind_name(dmm_device_kind kind);

/*
 * Lists all devices of all platforms, best first: GPUs, accelerators, CPUs, simulators. Release the
 * array with dmm_device_list_free. DMM_NO_PLATFORM: there is no platform; DMM_NO_DEVICE: no
 * platform has a device.
 */
DMM_API dmm_status dmm_device_list(dmm_device **out, size_t *count);
DMM_API void dmm_device_list_free(dmm_device *devices);

/*
 * Finds the device that `text` names: an index into dmm_device_list, or part of the name of the
 * device or its platform (ignoring case; the best of several). NULL or "": the best device.
 */
DMM_API dmm_status dmm_device_find(dmm_device *out, const char *text);

#ifdef __cplusplus
}
#endif

#endif
