/* SPDX-License-Identifier: MIT */
/*
 * Every function that can fail returns a dmm_status: 0 is success, a negative number is an OpenCL
 * code passed through unchanged, a positive one is ours. Our numbers are pinned: they never change.
 */
#ifndef DMM_STATUS_H
#define DMM_STATUS_H

#include <dmm/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int dmm_status;

enum {
    DMM_OK = 0,
    DMM_NULL_ARGUMENT = 1,   /* a pointer or span that must be given is missing */
    DMM_BAD_VALUE = 2,       /* a field or argument is outside its documented range */
    DMM_NO_PLATFORM = 3,     /* no OpenCL library or platform is installed */
    DMM_NO_DEVICE = 4,       /* there are platforms, but no device that fits the request */
    DMM_OUT_OF_MEMORY = 5,   /* the host could not allocate */
    DMM_BUILD_FAILED = 6,    /* a kernel did not compile; the log callback has the build log */
    DMM_TEMP_TOO_SMALL = 7,  /* the temp span holds fewer bytes than *_temp_bytes says */
    DMM_TOO_LARGE = 8,       /* more items than the object was created for or can index */
    DMM_OVERLAP = 9,         /* spans overlap, and are not equal input and output */
    DMM_WRONG_QUEUE = 10,    /* the queue is of another context or device */
    DMM_MISALIGNED = 11,     /* offset_bytes is not a multiple of what the header asks */
    DMM_SPAN_TOO_SMALL = 12, /* a buffer ends before offset_bytes + n items */
    DMM_UNSUPPORTED = 13,    /* the device or the method cannot do this combination */
    DMM_BAD_PARAMETERS = 14, /* the tuning parameters do not fit each other or the device */
    DMM_BAD_SETTING = 15,    /* a NAME=VALUE setting has an unknown name or a bad value */
    DMM_BAD_DATA = 16,       /* the data on the device are not what the header asks for */
    DMM_WRONG_RESULT = 17,   /* the device's result differs from the host's */
    DMM_NOT_FINITE = 18,     /* a coordinate is a NaN or infinite */
    DMM_BAD_FILE = 19        /* a file cannot be read or written, or is not what it should be */
};

/* Returns a sentence that names the code and says what to do. Never NULL; static storage. */
DMM_API const char *dmm_status_string(dmm_status status);

/* Returns what this thread's last call said of the argument that it refused, if it returned
 * `status`: "dmm_sort: values_out: ends ...". Otherwise as dmm_status_string. The context's log has
 * the same text. Valid until the thread's next call of dmm. */
DMM_API const char *dmm_error_text(dmm_status status);

#ifdef __cplusplus
}
#endif

#endif
