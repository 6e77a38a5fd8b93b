/* SPDX-License-Identifier: MIT */
/* `dmm meter --check`: what each engine of the meter needs, and what of that is there. */
#include <string.h>

#include "meter.h"

/* Prints a part and where it is, or what to do. */
static bool tell(FILE *out, const char *part, const char *found, const char *remedy)
{
    fprintf(out, "  %-32s %s\n", part, found ? found : remedy);
    return found != NULL;
}

/* Asks the rewriter, which lies beside the layer, for its clang. False: one of them is missing. */
static bool check_rewriter(FILE *out, const char *layer)
{
    char command[2 * METER_PATH_BYTES], line[METER_PATH_BYTES] = "";
    const char *slash = layer ? strrchr(layer, '/') : NULL;
    if (!slash || strchr(layer, '\''))
        return false;
    snprintf(command, sizeof command, "'%.*s/dmm-meter-rewrite' --check 2>&1", (int)(slash - layer),
        layer);
    FILE *answer = popen(command, "r");
    if (!answer)
        return false;
    if (!fgets(line, sizeof line, answer))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    bool found = pclose(answer) == 0;
    tell(out, "clang, by dmm-meter-rewrite", line, NULL);
    return found;
}

bool meter_check(FILE *out, meter_engine engine)
{
    char path[METER_PATH_BYTES];
    fprintf(out, "oclgrind: runs kernels in a simulator of OpenCL 1.2\n");
    bool simulated =
        tell(out, "the command oclgrind", meter_find_program(path, "oclgrind") ? path : NULL,
            "missing: install the package oclgrind");
    cli_error unused = {0};
    simulated &= tell(out, "the meter's plugin",
        meter_find_engine(path, METER_OCLGRIND, &unused) ? path : NULL,
        "missing: install dmm-meter, or build dmm with liboclgrind-dev and llvm-14-dev");
    fprintf(out,
        "driver: instruments kernels that a program builds from source, on any OpenCL driver\n");
    const char *layer = meter_find_engine(path, METER_DRIVER, &unused) ? path : NULL;
    bool driven = tell(out, "the meter's layer", layer,
        "missing: install dmm-meter, or build dmm with liboclgrind-dev and llvm-14-dev");
    driven &= check_rewriter(out, layer);
    return engine == METER_OCLGRIND ? simulated : driven;
}
