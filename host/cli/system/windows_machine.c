/* SPDX-License-Identifier: MIT */
/* Windows: the machine, and where OpenCL drivers are registered. */
#include <inttypes.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "core/opencl.h"
#include "icd.h"
#include "system.h"

#define VENDORS "SOFTWARE\\Khronos\\OpenCL\\Vendors"
/* Below it is a key for each display adapter: 0000, 0001, ... */
#define ADAPTERS "SYSTEM\\CurrentControlSet\\Control\\Class\\{4d36e968-e325-11ce-bfc1-08002be10318}"

/* Reads a text about this version of Windows; false: there is none. */
static bool read_version(const char *value, char *text, size_t bytes)
{
    DWORD size = (DWORD)bytes;
    return RegGetValueA(HKEY_LOCAL_MACHINE, "SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion",
               value, RRF_RT_REG_SZ, NULL, text, &size) == ERROR_SUCCESS;
}

void cli_system_name(char *text, size_t bytes)
{
    char build[32] = "", name[96] = "Windows";
    SYSTEM_INFO system;
    GetNativeSystemInfo(&system);
    read_version("ProductName", name, sizeof name);
    read_version("CurrentBuild", build, sizeof build);
    snprintf(text, bytes, "%s, build %s, %s", name, build,
        system.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_AMD64   ? "x86_64"
        : system.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64"
                                                                        : "x86");
}

uint64_t cli_memory_bytes(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? memory.ullTotalPhys : 0;
}

/* Prints the values of VENDORS, whose names are libraries. Returns how many there are. */
static unsigned list_vendors(FILE *out)
{
    HKEY key;
    char name[1024];
    unsigned found = 0;
    if (RegOpenKeyExA(HKEY_LOCAL_MACHINE, VENDORS, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return 0;
    for (;; found++) {
        DWORD length = sizeof name, type = REG_NONE, is_off = 1, bytes = sizeof is_off;
        const LSTATUS status =
            RegEnumValueA(key, found, name, &length, NULL, &type, (BYTE *)&is_off, &bytes);
        if (status == ERROR_NO_MORE_ITEMS)
            break;
        fprintf(out, "  %s%s\n", status == ERROR_SUCCESS ? name : "a value that cannot be read",
            status == ERROR_SUCCESS && type == REG_DWORD && is_off == 0 ? ""
                                                                        : "  is not used: not 0");
    }
    RegCloseKey(key);
    return found;
}

/* Prints the library that each display adapter names. Returns how many do. */
static unsigned list_adapters(FILE *out)
{
    unsigned found = 0;
    for (unsigned i = 0; i < 64; i++) {
        char key[sizeof ADAPTERS + 8], library[1024];
        DWORD bytes = sizeof library;
        snprintf(key, sizeof key, ADAPTERS "\\%04u", i);
        if (RegGetValueA(HKEY_LOCAL_MACHINE, key, "OpenCLDriverName",
                RRF_RT_REG_SZ | RRF_RT_REG_MULTI_SZ, NULL, library, &bytes) != ERROR_SUCCESS)
            continue;
        fprintf(out, "  %s\n", library);
        found++;
    }
    return found;
}

void cli_list_drivers(FILE *out)
{
    fprintf(out, "drivers, by the registry:\n");
    if (list_vendors(out) + list_adapters(out) == 0)
        fprintf(out, "  none\n");
}

void cli_explain_missing_drivers(FILE *out)
{
    (void)out;
}

void cli_explain_no_device(FILE *out)
{
    if (dmm_opencl_failure() != NULL) {
        fprintf(out, "%s\n", dmm_opencl_failure());
        return;
    }
    fprintf(out, "No OpenCL device was found. OpenCL.dll asks the drivers of the display adapters, "
                 "and those\n"
                 "named in the registry, below HKEY_LOCAL_MACHINE\\" VENDORS ".\n"
                 "Install one:\n"
                 "  a GPU    the current driver of NVIDIA, AMD or Intel\n"
                 "  any CPU  Intel's CPU Runtime for OpenCL Applications\n");
}
