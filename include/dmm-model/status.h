/* SPDX-License-Identifier: MIT */
/*
 * Every function of libdmm-model that can fail returns a dmm_model_status: 0 is success. The
 * numbers are those of dmm_status in <dmm/status.h>, and they never change: a program that uses
 * both libraries can handle both with the same code.
 */
#ifndef DMM_MODEL_STATUS_H
#define DMM_MODEL_STATUS_H

#include <dmm-model/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int dmm_model_status;

enum {
    DMM_MODEL_OK = 0,
    DMM_MODEL_NULL_ARGUMENT = 1, /* a required pointer is NULL */
    DMM_MODEL_BAD_VALUE = 2,     /* a field or argument is outside its documented range */
    DMM_MODEL_OUT_OF_MEMORY = 5, /* malloc failed */
    DMM_MODEL_TOO_LARGE = 8,     /* more items than the function documents */
    DMM_MODEL_UNSUPPORTED = 13,  /* the method cannot handle this shape */
    DMM_MODEL_BAD_DATA = 16      /* the items are not what the header asks for */
};

/* Returns a sentence that describes the status. Never NULL; static storage. */
DMM_MODEL_API const char *dmm_model_status_string(dmm_model_status status);

#ifdef __cplusplus
}
#endif

#endif
