/* SPDX-License-Identifier: MIT */
/*
 * Layout, allocation and release of a call's temporary memory.
 */
#include "core/temp.h"

#include "core/check.h"
#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"

uint64_t dmm_temp_region(dmm_temp *temp, uint64_t count, uint64_t item_bytes)
{
    const uint64_t offset = temp->bytes;
    const uint64_t bytes = dmm_size_mul(count, item_bytes);
    const uint64_t padded = dmm_size_add(bytes, DMM_TEMP_ALIGN - 1) / DMM_TEMP_ALIGN;
    temp->bytes = dmm_size_add(offset, bytes == UINT64_MAX ? bytes : padded * DMM_TEMP_ALIGN);
    return offset;
}

dmm_status dmm_temp_acquire(dmm_temp *temp, cl_context context, dmm_span given)
{
    dmm_status status = DMM_OK;
    size_t buffer_bytes = 0;
    temp->span = given;
    temp->owned = 0;
    if (temp->bytes == 0)
        goto out;
    if (given.buffer == NULL) {
        FAIL_IF(temp->bytes >= SIZE_MAX, DMM_TOO_LARGE);
        temp->span.buffer =
            clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)temp->bytes, NULL, &status);
        temp->span.offset_bytes = 0;
        if (status == DMM_OK && temp->span.buffer == NULL)
            status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        temp->owned = status == DMM_OK;
        goto out;
    }
    FAIL_IF(given.offset_bytes % DMM_TEMP_ALIGN != 0,
        dmm_refuse(DMM_MISALIGNED, "temp: offset_bytes is %llu, no multiple of %d",
            (unsigned long long)given.offset_bytes, DMM_TEMP_ALIGN));
    TRY(clGetMemObjectInfo(given.buffer, CL_MEM_SIZE, sizeof buffer_bytes, &buffer_bytes, NULL));
    FAIL_IF(dmm_size_add(given.offset_bytes, temp->bytes) > buffer_bytes,
        dmm_refuse(DMM_TEMP_TOO_SMALL,
            "temp: a buffer of %llu bytes, needs %llu from offset %llu on (see its *_temp_bytes)",
            (unsigned long long)buffer_bytes, (unsigned long long)temp->bytes,
            (unsigned long long)given.offset_bytes));
out:
    return status;
}

void dmm_temp_release(dmm_temp *temp)
{
    if (temp->owned)
        clReleaseMemObject(temp->span.buffer);
    temp->owned = 0;
}
