/* SPDX-License-Identifier: MIT */
/* `dmm meter --check`: what each engine of the meter needs, and what of that is there. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "meter.h"

#define BUILD_IT "missing: install the package dmm-meter, or build dmm with "

/* Prints a part and where it is, or what to do. */
static bool tell(FILE *out, const char *part, const char *found, const char *remedy)
{
    fprintf(out, "  %-34s %s\n", part, found ? found : remedy);
    return found != NULL;
}

/* Prints what the rewriter, which lies beside the layer, says of its parts. False: one is
 * missing. */
static bool check_rewriter(FILE *out, const char *layer)
{
    char command[2 * METER_PATH_BYTES], line[METER_PATH_BYTES] = "";
    const char *slash = strrchr(layer, '/');
    int folder = (int)(slash ? slash - layer : 0);
    snprintf(command, sizeof command, "%.*s/dmm-meter-rewrite", folder, layer);
    bool there = folder != 0 && !strchr(layer, '\'') && access(command, X_OK) == 0;
    if (!tell(out, "its command dmm-meter-rewrite", there ? command : NULL,
            BUILD_IT "LLVM's headers"))
        return false;
    snprintf(command, sizeof command, "'%.*s/dmm-meter-rewrite' --check 2>&1", folder, layer);
    FILE *answer = popen(command, "r");
    if (!answer)
        return false;
    while (fgets(line, sizeof line, answer)) {
        line[strcspn(line, "\n")] = '\0';
        char *tab = strchr(line, '\t');
        if (tab)
            *tab = '\0';
        tell(out, line, tab ? tab + 1 : "", NULL);
    }
    return pclose(answer) == 0;
}

bool meter_check(FILE *out, meter_engine engine)
{
    char path[METER_PATH_BYTES];
    fprintf(out, "oclgrind: runs kernels in a simulator of OpenCL 1.2\n");
    bool simulated =
        tell(out, "the command oclgrind", meter_find_program(path, "oclgrind") ? path : NULL,
            "missing: install the package oclgrind (Debian 12, Ubuntu 24.04; Debian 13 has none)");
    cli_error unused = {0};
    simulated &= tell(out, "the meter's plugin",
        meter_find_engine(path, METER_OCLGRIND, &unused) ? path : NULL,
        BUILD_IT "liboclgrind-dev and llvm-14-dev");
    fprintf(out, "driver: instruments kernels built from source or SPIR-V, on any OpenCL driver\n");
    const char *layer = meter_find_engine(path, METER_DRIVER, &unused) ? path : NULL;
    bool driven = tell(out, "the meter's layer", layer, BUILD_IT "llvm-19-dev (14 to 21)");
    driven = driven && check_rewriter(out, layer);
    fprintf(out, "chosen: %s, which %s\n", engine == METER_OCLGRIND ? "oclgrind" : "driver",
        (engine == METER_OCLGRIND ? simulated : driven) ? "has all it needs" : "lacks a part");
    return engine == METER_OCLGRIND ? simulated : driven;
}

meter_engine meter_usual_engine(void)
{
    char path[METER_PATH_BYTES];
    cli_error unused = {0};
    const char *name = getenv("DMM_METER_ENGINE");
    if (name && *name)
        return strcmp(name, "driver") == 0 ? METER_DRIVER : METER_OCLGRIND;
    if (meter_find_program(path, "oclgrind") && meter_find_engine(path, METER_OCLGRIND, &unused))
        return METER_OCLGRIND;
    return meter_find_engine(path, METER_DRIVER, &unused) ? METER_DRIVER : METER_OCLGRIND;
}
