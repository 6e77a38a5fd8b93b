/* SPDX-License-Identifier: MIT */
#include <dmm-model/status.h>

const char *dmm_model_status_string(dmm_model_status status)
{
    switch (status) {
    case DMM_MODEL_OK:
        return "success";
    case DMM_MODEL_NULL_ARGUMENT:
        return "a required pointer is NULL";
    case DMM_MODEL_BAD_VALUE:
        return "a field or argument is outside the range that its header documents";
    case DMM_MODEL_OUT_OF_MEMORY:
        return "the host is out of memory";
    case DMM_MODEL_TOO_LARGE:
        return "more items than the function documents";
    case DMM_MODEL_UNSUPPORTED:
        return "the method cannot handle this shape";
    case DMM_MODEL_BAD_DATA:
        return "the items are not what the header asks for";
    default:
        return "not a status of libdmm-model";
    }
}
