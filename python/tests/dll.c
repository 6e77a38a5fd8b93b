/* SPDX-License-Identifier: MIT */
/*
 * dll FILE <NAMES: loads libdmm.dll from a wheel for Windows as ctypes does, finds each function of
 * NAMES, one a line, and sorts and sums by those that it needs, on the best device.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include <dmm/dmm.h>

enum { N = 100000 };

/* Declares NAME as the function of that name in the library. */
#define FUNCTION(name)                                           \
    __typeof__(name) *name##_ = NULL;                            \
    const FARPROC name##_found = GetProcAddress(library, #name); \
    memcpy(&name##_, &name##_found, sizeof name##_)

static int work(HMODULE library)
{
    FUNCTION(dmm_context_create);
    FUNCTION(dmm_context_free);
    FUNCTION(dmm_sort_host);
    FUNCTION(dmm_scan_host);
    FUNCTION(dmm_error_text);
    static uint32_t keys[N];
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create_(&ctx, NULL);
    for (uint32_t i = 0; i < N; i++)
        keys[i] = i * 2654435761u;
    if (status == DMM_OK)
        status = dmm_sort_host_(ctx, &(dmm_sort_desc){.order.type = DMM_U32}, keys, NULL, N);
    for (size_t i = 1; i < N && status == DMM_OK; i++)
        status = keys[i - 1] <= keys[i] ? DMM_OK : DMM_WRONG_RESULT;
    for (size_t i = 0; i < N; i++)
        keys[i] = 1;
    if (status == DMM_OK)
        status = dmm_scan_host_(ctx, &(dmm_scan_desc){.type = DMM_U32}, keys, N);
    if (status == DMM_OK && keys[N - 1] != N)
        status = DMM_WRONG_RESULT;
    if (status != DMM_OK)
        fprintf(stderr, "dll: %s\n", dmm_error_text_(status));
    dmm_context_free_(ctx);
    return status != DMM_OK;
}

int main(int argc, char **argv)
{
    char name[256];
    int found = 0;
    const HMODULE library = argc == 2 ? LoadLibraryA(argv[1]) : NULL;
    if (library == NULL) {
        fprintf(stderr, "dll: %s cannot be loaded\n",
            argc == 2 ? argv[1] : "usage: dll FILE <NAMES, as it");
        return 1;
    }
    for (; scanf("%255s", name) == 1; found++)
        if (GetProcAddress(library, name) == NULL) {
            fprintf(stderr, "dll: %s has no %s\n", argv[1], name);
            return 1;
        }
    if (work(library) != 0)
        return 1;
    printf("%d functions found; sorted and summed %d items\n", found, N);
    return 0;
}
