/* SPDX-License-Identifier: MIT */
/*
 * Diagnoses an OpenCL installation from files and variables: the loader reads the .icd files of one
 * folder, each of which names a driver's library. ocl-icd and Khronos' loader differ in the
 * variables that move the folder (see the manuals libOpenCL(7) of ocl-icd, and the README of
 * OpenCL-ICD-Loader).
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/opencl.h"
#include "icd.h"

enum { PATH_BYTES = 4096, LINE_BYTES = 512 };

static const char usual_folder[] = "/etc/OpenCL/vendors";

/* Returns the folder of .icd files, which either variable moves; ocl-icd's may also name one .icd
 * file, or a library. */
static const char *vendor_folder(void)
{
    const char *moved = getenv("OCL_ICD_VENDORS");
    if (!moved || !*moved)
        moved = getenv("OPENCL_VENDOR_PATH");
    return moved && *moved ? moved : usual_folder;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* True if `name` is a file in a folder that loaders usually search; `found` gets its path. */
static bool find_library(char found[PATH_BYTES], const char *name)
{
    static const char *const folders[] = {
        "/usr/lib/x86_64-linux-gnu",
        "/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/lib64",
        "/usr/lib",
        "/lib",
        "/usr/local/lib",
        "/usr/local/nvidia/lib64",
        "/usr/local/nvidia/lib",
        "/usr/local/cuda/lib64",
        "/usr/lib/wsl/lib",
        "/opt/rocm/lib",
    };
    const char *path = getenv("LD_LIBRARY_PATH");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(found, PATH_BYTES, "%s/%s", folders[i], name);
        if (access(found, F_OK) == 0)
            return true;
    }
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        snprintf(found, PATH_BYTES, "%.*s/%s", length, path, name);
        if (length > 0 && access(found, F_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Reads the library that an .icd file names: its first line, without trailing spaces. */
static bool read_icd(char line[LINE_BYTES], const char *path)
{
    FILE *file = fopen(path, "r");
    bool ok = file && fgets(line, LINE_BYTES, file);
    if (file)
        fclose(file);
    if (ok)
        line[strcspn(line, " \t\r\n")] = '\0';
    return ok && line[0];
}

typedef void (*icd_visitor)(void *user, const char *path, const char *library);

/* Visits the .icd files of the folder; library "": unreadable or empty. Returns their number. */
static int visit_icds(icd_visitor visit, void *user)
{
    const char *folder = vendor_folder();
    char path[PATH_BYTES], library[LINE_BYTES];
    int count = 0;
    DIR *entries = opendir(folder);
    if (!entries) {
        if (!ends_with(folder, ".icd"))
            return 0;
        visit(user, folder, read_icd(library, folder) ? library : "");
        return 1;
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (!ends_with(entry->d_name, ".icd"))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        visit(user, path, read_icd(library, path) ? library : "");
        count++;
    }
    closedir(entries);
    return count;
}

/* True if the library that an .icd file names is there. */
static bool is_library(char found[PATH_BYTES], const char *library)
{
    snprintf(found, PATH_BYTES, "%s", library);
    return strchr(library, '/') ? access(library, F_OK) == 0 : find_library(found, library);
}

static void list_icd(void *user, const char *path, const char *library)
{
    char found[PATH_BYTES];
    fprintf(user, "  %s names %s%s\n", path, library[0] ? library : "nothing",
        library[0] && is_library(found, library) ? "" : ", which was not found");
}

void cli_list_drivers(FILE *out)
{
    fprintf(out, "drivers, by %s:\n", vendor_folder());
    if (visit_icds(list_icd, out) == 0)
        fprintf(out, "  no .icd file\n");
}

static void print_icd(void *user, const char *path, const char *library)
{
    FILE *out = user;
    char found[PATH_BYTES];
    bool is_path = strchr(library, '/');
    bool is_there = is_library(found, library);
    if (!library[0])
        fprintf(out, "    %s  cannot be read, or is empty\n", path);
    else if (!is_there)
        fprintf(
            out, "    %s  names %s, which was not found: reinstall that driver\n", path, library);
    else
        fprintf(out, "    %s  names %s%s%s, which is there but gives no device\n", path, library,
            is_path ? "" : " = ", is_path ? "" : found);
}

typedef struct search {
    const char *part;
    bool found;
} search;

static void look_for_part(void *user, const char *path, const char *library)
{
    search *s = user;
    (void)path;
    s->found = s->found || strstr(library, s->part);
}

static bool is_registered(const char *part)
{
    search s = {part, strstr(vendor_folder(), part) != NULL};
    visit_icds(look_for_part, &s);
    return s.found;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Explains NVIDIA containers: the driver's library is there, its .icd file is not. */
static void explain_nvidia(FILE *out)
{
    char found[PATH_BYTES];
    if (is_registered("nvidia"))
        return;
    if (find_library(found, "libnvidia-opencl.so.1"))
        fprintf(out,
            "NVIDIA's OpenCL driver is here (%s), but no .icd file names it, as is\n"
            "usual in containers. Register it, as root:\n"
            "    mkdir -p %s && echo libnvidia-opencl.so.1 > %s/nvidia.icd\n"
            "or, without root: echo libnvidia-opencl.so.1 > ~/nvidia.icd, and set\n"
            "OCL_ICD_VENDORS to the path of that file.\n",
            found, usual_folder, usual_folder);
    else if (exists("/dev/nvidiactl"))
        fprintf(out, "There is an NVIDIA GPU (/dev/nvidiactl), but not its OpenCL driver,\n"
                     "libnvidia-opencl.so.1. In a container: start it with\n"
                     "NVIDIA_DRIVER_CAPABILITIES=compute,utility. Else install the package\n"
                     "nvidia-opencl-icd (Debian) or libnvidia-compute-NNN (Ubuntu).\n");
}

static void explain_permission(FILE *out, const char *device, const char *group)
{
    if (exists(device) && access(device, R_OK | W_OK) != 0)
        fprintf(out,
            "%s may not be used by this user: usermod -a -G %s \"$USER\", then log in again.\n",
            device, group);
}

void cli_explain_missing_drivers(FILE *out)
{
    explain_nvidia(out);
    explain_permission(out, "/dev/dri/renderD128", "render");
    explain_permission(out, "/dev/kfd", "render");
}

static void print_variable(FILE *out, const char *name)
{
    const char *value = getenv(name);
    if (value)
        fprintf(out, "  %s=%s\n", name, value);
}

void cli_explain_no_device(FILE *out)
{
    if (dmm_opencl_failure() != NULL) {
        fprintf(out, "%s\n", dmm_opencl_failure());
        return;
    }
    fprintf(out, "No OpenCL device was found. Searched:\n");
    print_variable(out, "OCL_ICD_VENDORS");
    print_variable(out, "OPENCL_VENDOR_PATH");
    print_variable(out, "OCL_ICD_FILENAMES");
    fprintf(out, "  %s%s\n", vendor_folder(), exists(vendor_folder()) ? "" : " (does not exist)");
    if (visit_icds(print_icd, out) == 0)
        fprintf(out, "    no .icd file: no OpenCL driver is installed there\n");
    fprintf(out, "Install one (Debian, Ubuntu):\n"
                 "  any CPU      apt install pocl-opencl-icd\n"
                 "  NVIDIA GPU   apt install nvidia-opencl-icd\n"
                 "  Intel GPU    apt install intel-opencl-icd\n"
                 "  AMD GPU      apt install mesa-opencl-icd, or AMD's ROCm\n");
    cli_explain_missing_drivers(out);
}
