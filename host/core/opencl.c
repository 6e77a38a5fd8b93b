/* SPDX-License-Identifier: MIT */
/*
 * Finds OpenCL's functions: all in the library that the variable DMM_OPENCL_LIBRARY names, if it is
 * set. Otherwise each in the process first (linked, preloaded, or in the program's libraries), so
 * that recorders and simulators see dmm's calls; then in a loader that is already in the process,
 * such as the one inside Python's pyopencl; then in the system's loader. The library is never
 * closed: drivers keep threads.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "core/opencl.h"

#include <stddef.h>

#if !defined(DMM_OPENCL_LOAD)

const char *dmm_opencl_failure(void)
{
    return NULL;
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#if defined(__ELF__)
#include <link.h>
#endif

#include "core/os.h"

#if defined(_WIN32)
#define HOW_TO_INSTALL                                                              \
    "install the driver of a device, which brings OpenCL.dll, or set the variable " \
    "DMM_OPENCL_LIBRARY to the path of an OpenCL library"
#else
#define HOW_TO_INSTALL                                                                        \
    "install OpenCL's loader (Debian: ocl-icd-libopencl1) and a driver, or set the variable " \
    "DMM_OPENCL_LIBRARY to the path of an OpenCL library"
#endif

typedef void (*any_function)(void);

/* A function's name, and the function itself if the linker or the dynamic linker has found it. */
typedef struct known_function {
    const char *name;
    any_function linked;
} known_function;

#if defined(__ELF__)
#define WEAK(name)   extern __typeof__(name) name __attribute__((weak));
DMM_OPENCL_FUNCTIONS(WEAK)
#define LINKED(name) (any_function) name
#else
#define LINKED(name) NULL
#endif

#define ROW(name) {#name, LINKED(name)},
static const known_function known[] = {DMM_OPENCL_FUNCTIONS(ROW)};

enum { NUM_FUNCTIONS = sizeof known / sizeof known[0], PATH_BYTES = 4096 };

static union {
    dmm_opencl_functions by_name;
    any_function by_index[NUM_FUNCTIONS];
} functions;
_Static_assert(sizeof functions.by_name == sizeof functions.by_index, "one pointer a function");

static dmm_once once = DMM_ONCE_INIT;
static char failure[PATH_BYTES + 1024]; /* "": none */

/* The system's loader, by the names that it may have. */
static const char *const loaders[] = {
#if defined(__APPLE__)
    "/System/Library/Frameworks/OpenCL.framework/OpenCL",
#elif defined(_WIN32)
    "OpenCL.dll",
#else
    "libOpenCL.so.1",
    "libOpenCL.so",
#endif
};

#if defined(_WIN32)
/* A process has one OpenCL.dll, so none is looked for but that: LoadLibrary finds it if it is
 * loaded. Without a folder in its path a library is not taken from the current folder. */
enum { RTLD_LAZY = 0, RTLD_LOCAL = 0, RTLD_GLOBAL = 0 };

static void *dlopen(const char *path, int unused)
{
    (void)unused;
    if (path == NULL)
        return NULL;
    return (void *)LoadLibraryExA(
        path, NULL, strpbrk(path, "/\\") != NULL ? 0 : LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
}

static void *dlsym(void *library, const char *name)
{
    const FARPROC function = GetProcAddress((HMODULE)library, name);
    void *found = NULL;
    memcpy(&found, &function, sizeof found);
    return found;
}

static const char *dlerror(void)
{
    static char text[40];
    snprintf(text, sizeof text, "error %lu of Windows", (unsigned long)GetLastError());
    return text;
}
#endif

/* Finds the functions that are still missing in a library. */
static void find_in(void *library)
{
    for (size_t i = 0; i < NUM_FUNCTIONS && library != NULL; i++) {
        void *const found = functions.by_index[i] == NULL ? dlsym(library, known[i].name) : NULL;
        if (found != NULL)
            memcpy(&functions.by_index[i], &found, sizeof found);
    }
}

/* Returns the name of a function that is missing, or NULL. */
static const char *missing(void)
{
    for (size_t i = 0; i < NUM_FUNCTIONS; i++)
        if (functions.by_index[i] == NULL)
            return known[i].name;
    return NULL;
}

#if defined(__ELF__)
/* Copies the path of a library of the process to `out`, if it is a loader by its name: packages of
 * Python rename it to libOpenCL-5519dec5.so.1.0.0, for instance. */
static int see_library(struct dl_phdr_info *info, size_t bytes, void *out)
{
    const char *const slash = strrchr(info->dlpi_name, '/');
    const char *const name = slash != NULL ? slash + 1 : info->dlpi_name;
    const size_t stem = strlen("libOpenCL");
    (void)bytes;
    if (strncmp(name, "libOpenCL", stem) != 0 || (name[stem] != '.' && name[stem] != '-') ||
        strlen(info->dlpi_name) >= PATH_BYTES)
        return 0;
    strcpy(out, info->dlpi_name);
    return 1;
}

/* Returns a loader that is already in the process, or NULL. */
static void *loader_of_process(void)
{
    char path[PATH_BYTES];
    return dl_iterate_phdr(see_library, path) ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}
#else
static void *loader_of_process(void)
{
    return NULL;
}
#endif

/* Opens the system's loader. If a preloaded library has some of the functions, others of that kind
 * may look for the next one: the loader is then visible to all, as if it were linked. */
static void *open_loader(void)
{
    int scope = RTLD_LOCAL;
    void *library = NULL;
    for (size_t i = 0; i < NUM_FUNCTIONS; i++)
        if (functions.by_index[i] != NULL)
            scope = RTLD_GLOBAL;
    for (size_t i = 0; i < sizeof loaders / sizeof loaders[0] && library == NULL; i++)
        library = dlopen(loaders[i], RTLD_LAZY | scope);
    return library;
}

/* Finds the functions of the process, of a loader in it, or of the system's loader. */
static void find_without_variable(void)
{
    for (size_t i = 0; i < NUM_FUNCTIONS; i++)
        functions.by_index[i] = known[i].linked;
    find_in(dlopen(NULL, RTLD_LAZY));
    if (missing() == NULL)
        return;
    void *library = loader_of_process();
    if (library == NULL)
        library = open_loader();
    find_in(library);
    if (library == NULL)
        snprintf(failure, sizeof failure, "OpenCL is not installed: %s was not found: %s",
            loaders[0], HOW_TO_INSTALL);
    else if (missing() != NULL)
        snprintf(failure, sizeof failure,
            "the OpenCL loader of this system has no %s, a function of OpenCL 1.2: %s", missing(),
            HOW_TO_INSTALL);
}

static void find_in_named(const char *path)
{
    void *const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const char *const reason = library == NULL ? dlerror() : NULL;
    find_in(library);
    if (library == NULL)
        snprintf(failure, sizeof failure,
            "DMM_OPENCL_LIBRARY=%s cannot be loaded: %s: give the path of an OpenCL library, or "
            "unset the variable",
            path, reason != NULL ? reason : "no reason given");
    else if (missing() != NULL)
        snprintf(failure, sizeof failure,
            "DMM_OPENCL_LIBRARY=%s has no %s, a function of OpenCL 1.2: give the path of an OpenCL "
            "library, or unset the variable",
            path, missing());
}

static cl_int CL_API_CALL find_no_platform(cl_uint n, cl_platform_id *ids, cl_uint *found)
{
    (void)n;
    (void)ids;
    if (found != NULL)
        *found = 0;
    return CL_SUCCESS;
}

static void load(void)
{
    const char *const path = getenv("DMM_OPENCL_LIBRARY");
    if (path != NULL && path[0] != '\0')
        find_in_named(path);
    else
        find_without_variable();
    if (failure[0] == '\0')
        return;
    memset(&functions, 0, sizeof functions);
    functions.by_name.clGetPlatformIDs = find_no_platform;
}

const dmm_opencl_functions *dmm_opencl(void)
{
    dmm_once_run(&once, load);
    return &functions.by_name;
}

const char *dmm_opencl_failure(void)
{
    dmm_once_run(&once, load);
    return failure[0] != '\0' ? failure : NULL;
}

#endif
