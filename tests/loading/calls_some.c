/* SPDX-License-Identifier: MIT */
/*
 * calls_some [LIBRARY]: a program that creates a context by OpenCL's functions, with which it is
 * linked, gives it to dmm, and sorts. Opens LIBRARY first, as Python opens a module: another loader
 * in the process.
 */
#include <dlfcn.h>
#include <stdio.h>

#include <dmm/dmm.h>

int main(int argc, char **argv)
{
    uint32_t keys[] = {3, 1, 2};
    cl_platform_id platform = NULL;
    cl_device_id device = NULL;
    char name[256] = "";
    dmm_context_desc ours = {.ignore_environment = 1};
    const dmm_sort_desc desc = {0};
    dmm_context *context = NULL;
    if (argc > 1 && dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL)
        return 1;
    clGetPlatformIDs(1, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    ours.context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    dmm_status status = dmm_context_create(&context, &ours);
    if (status == DMM_OK)
        status = dmm_sort_host(context, &desc, keys, NULL, 3);
    printf("%s: %u %u %u\n", status == DMM_OK ? name : dmm_status_string(status), keys[0], keys[1],
        keys[2]);
    dmm_context_free(context);
    return 0;
}
