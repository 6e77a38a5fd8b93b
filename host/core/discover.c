/* SPDX-License-Identifier: MIT */
/*
 * The devices of this machine, best first, and the choice of one by index or name.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/device.h"
#include "core/opencl.h"

enum { MAX_PLATFORMS = 64, MAX_PLATFORM_DEVICES = 64 };

/* Sorts devices by kind; stable, so devices of one kind keep the drivers' order. */
static void sort_by_kind(dmm_device *devices, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && devices[j - 1].kind > devices[j].kind; j--) {
            const dmm_device moved = devices[j];
            devices[j] = devices[j - 1];
            devices[j - 1] = moved;
        }
}

/* Appends the platform's devices. Skips a platform that returns an error. */
static dmm_status append_platform(dmm_device **list, size_t *count, cl_platform_id platform)
{
    cl_device_id ids[MAX_PLATFORM_DEVICES];
    cl_uint found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_PLATFORM_DEVICES, ids, &found) !=
            CL_SUCCESS ||
        found == 0)
        return DMM_OK;
    found = found < MAX_PLATFORM_DEVICES ? found : MAX_PLATFORM_DEVICES;
    dmm_device *longer = realloc(*list, (*count + found) * sizeof **list);
    if (longer == NULL)
        return DMM_OUT_OF_MEMORY;
    *list = longer;
    for (cl_uint i = 0; i < found; i++)
        if (dmm_device_describe(&longer[*count], ids[i]) == DMM_OK)
            (*count)++;
    return DMM_OK;
}

dmm_status dmm_device_list(dmm_device **out, size_t *count)
{
    dmm_status status = DMM_OK;
    cl_platform_id platforms[MAX_PLATFORMS];
    cl_uint num_platforms = 0;
    dmm_device *list = NULL;
    size_t found = 0;

    if (out == NULL || count == NULL)
        return DMM_NULL_ARGUMENT;
    status = clGetPlatformIDs(MAX_PLATFORMS, platforms, &num_platforms);
    /* -1001: the loader found no platform; others say so with a count of zero. */
    FAIL_IF(status == -1001 || (status == DMM_OK && num_platforms == 0), DMM_NO_PLATFORM);
    FAIL_IF(status != DMM_OK, status);
    num_platforms = num_platforms < MAX_PLATFORMS ? num_platforms : MAX_PLATFORMS;
    for (cl_uint i = 0; i < num_platforms; i++)
        TRY(append_platform(&list, &found, platforms[i]));
    FAIL_IF(found == 0, DMM_NO_DEVICE);
    sort_by_kind(list, found);
out:
    if (status != DMM_OK) {
        free(list);
        list = NULL;
        found = 0;
    }
    *out = list;
    *count = found;
    return status;
}

void dmm_device_list_free(dmm_device *devices)
{
    free(devices);
}

static int contains(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (
            part[i] != '\0' && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (part[i] == '\0')
            return 1;
    }
    return 0;
}

static const dmm_device *pick(const dmm_device *devices, size_t count, const char *text)
{
    char *end = NULL;
    if (text == NULL || *text == '\0')
        return &devices[0];
    if (isdigit((unsigned char)*text)) {
        const unsigned long index = strtoul(text, &end, 10);
        if (*end == '\0')
            return index < count ? &devices[index] : NULL;
    }
    for (size_t i = 0; i < count; i++)
        if (contains(devices[i].name, text) || contains(devices[i].platform_name, text))
            return &devices[i];
    return NULL;
}

dmm_status dmm_device_find(dmm_device *out, const char *text)
{
    dmm_status status = DMM_OK;
    dmm_device *devices = NULL;
    size_t count = 0;

    if (out == NULL)
        return DMM_NULL_ARGUMENT;
    TRY(dmm_device_list(&devices, &count));
    const dmm_device *picked = pick(devices, count, text);
    FAIL_IF(picked == NULL, DMM_NO_DEVICE);
    *out = *picked;
out:
    dmm_device_list_free(devices);
    return status;
}
