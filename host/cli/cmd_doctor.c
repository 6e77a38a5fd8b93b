/* SPDX-License-Identifier: MIT */
/* dmm doctor: what a report about a machine needs, in ten seconds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/device.h>
#include <dmm/version.h>

#include "choice.h"
#include "commands.h"
#include "core/opencl.h"
#include "core/os.h"
#include "icd.h"
#include "methods.h"
#include "option.h"
#include "system/system.h"

static void print_machine(void)
{
    char system[192] = "";
    cli_system_name(system, sizeof system);
    printf("dmm %s; %s; %u processors, %.1f GB\n", DMM_VERSION, system, dmm_os_processors(),
        1e-9 * (double)cli_memory_bytes());
}

/* Prints the variables that change what dmm does. */
static void print_variables(void)
{
    static const char *const names[] = {"DMM_DEVICE", "DMM_SET", "DMM_TUNING", "DMM_OPENCL_LIBRARY",
        "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES", "POCL_DEVICES",
        "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (getenv(names[i]))
            printf("%s=%s\n", names[i], getenv(names[i]));
}

static uint64_t fact_of(const dmm_device *device, const char *wanted)
{
    const char *name;
    const dmm_fact *fact;
    for (size_t i = 0; (fact = dmm_device_fact(device, i, &name)); i++)
        if (strcmp(name, wanted) == 0)
            return fact->value;
    return 0;
}

static void print_device(const dmm_device *device, size_t index)
{
    cl_ulong memory = 0, largest = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
    printf("device %zu: %s (%s)\n", index, device->name, dmm_device_kind_name(device->kind));
    printf("  %s, %s, driver %s\n", device->platform_name, device->version, device->driver);
    printf("  %.1f GB, largest buffer %.1f GB, local %" PRIu64 " KiB, groups of %" PRIu64
           ", %" PRIu64 " banks, %" PRIu64 " lanes\n",
        1e-9 * (double)memory, 1e-9 * (double)largest, fact_of(device, "local_bytes") / 1024,
        fact_of(device, "max_group"), fact_of(device, "banks"), fact_of(device, "lanes"));
}

/* Prints the facts, in the child: a driver may end the process. */
static bool print_facts(cli_error *error)
{
    dmm_device *devices = NULL;
    size_t count = 0;
    printf("dmm doctor: paste all of this into a report\n\n");
    print_machine();
    print_variables();
    cli_list_drivers(stdout);
    fflush(stdout);
    const dmm_status status = dmm_device_list(&devices, &count);
    if (!dmm_opencl_failure())
        printf("OpenCL's loader was found\n");
    for (size_t i = 0; status == DMM_OK && i < count; i++)
        print_device(&devices[i], i);
    dmm_device_list_free(devices);
    if (status != DMM_OK) {
        cli_explain_no_device(stdout);
        return cli_fail(error, CLI_DEVICE, NULL, "%s", dmm_status_string(status));
    }
    const bool ok = cli_print_choice(error);
    cli_explain_missing_drivers(stdout);
    if (ok)
        printf("\nThe self-test's first checks:\n");
    fflush(stdout);
    return ok;
}

int dmm_cli_doctor(int argc, char **argv)
{
    cli_error error = {0};
    const cli_syntax syntax = {.synopsis = "",
        .about =
            "Checks this machine in about ten seconds: the OpenCL loader and its drivers, the\n"
            "devices and their sizes, which one dmm uses, and the first checks of dmm selftest,\n"
            "on that device. Says what to do where something is missing, and prints one block to\n"
            "paste into a report."};
    if (cli_parse_some(&syntax, argc, argv, NULL, 0, &error))
        cli_selftest_quick(print_facts, &error);
    return cli_finish(&error);
}
