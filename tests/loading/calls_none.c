/* SPDX-License-Identifier: MIT */
/*
 * calls_none [LIBRARY]: a program that embeds dmm and calls no function of OpenCL. Opens LIBRARY as
 * Python opens a module, then prints the platform of the best device, or why there is none.
 */
#include <dlfcn.h>
#include <stdio.h>

#include <dmm/dmm.h>

static void print_line(void *user, const char *line)
{
    (void)user;
    printf("log: %s\n", line);
}

int main(int argc, char **argv)
{
    const dmm_context_desc desc = {.log = print_line, .ignore_environment = 1};
    dmm_device device;
    dmm_context *context = NULL;
    if (argc > 1 && dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) == NULL) {
        printf("cannot open %s\n", argv[1]);
        return 1;
    }
    const dmm_status status = dmm_device_find(&device, NULL);
    printf("%s\n", status == DMM_OK ? device.platform_name : dmm_status_string(status));
    if (dmm_context_create(&context, &desc) != status)
        printf("a context, but no device\n");
    dmm_context_free(context);
    return 0;
}
