/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "meter/meter.h"
#include "table_meter.h"

enum { MOST_ARGUMENTS = 16, LATENCY = 100, GROUPS = 1 };

static void add(table_metered *out, const meter_readings *readings)
{
    *out = (table_metered){0};
    for (size_t k = 0; k < readings->num_kernels; k++) {
        const meter_kernel *const kernel = &readings->kernels[k];
        if (!kernel->chosen)
            continue;
        out->steps += (double)kernel->local.steps;
        out->passes += (double)kernel->local.passes;
        out->conflicts += (double)kernel->local.conflicts;
        out->pem_blocks += (double)kernel->costs.pem_transfers;
        out->launches += (double)kernel->launches;
    }
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *const line = &readings->lines[i];
        if (line->local || !readings->kernels[line->kernel].chosen)
            continue;
        *(line->kind == DMM_MODEL_READ ? &out->reads : &out->writes) += (double)line->tally.passes;
    }
}

static bool check(const meter_readings *readings, const meter_end *end, cli_error *error)
{
    if (end->signal || end->exit_status)
        return cli_fail(error, CLI_DEVICE, "meter", "the metered command failed");
    return (readings->begun && readings->num_kernels > 0) ||
           cli_fail(error, CLI_DEVICE, "meter", "the metered command ran no kernel");
}

bool table_meter(table_metered *out, const char *program, const char *const *arguments, FILE *input,
    const char *kernels, cli_error *error)
{
    char path[CLI_PATH_BYTES + 16], folder[CLI_PATH_BYTES], name[32];
    char *command[MOST_ARGUMENTS + 3] = {path};
    size_t used = 1;
    meter_readings readings = {0};
    meter_end end;
    cli_own_folder(folder);
    snprintf(path, sizeof path, "%s/%s", folder, program);
    for (; *arguments; arguments++)
        command[used++] = (char *)(uintptr_t)*arguments;
    if (input) {
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(input));
        command[used] = name;
    }
    const meter_order order = {.engine = METER_OCLGRIND,
        .machine = {.local = {.banks = 32, .lanes = 32, .word_bytes = 4},
            .segment_bytes = 32,
            .resident = GROUPS,
            .latency = LATENCY},
        .pattern = kernels,
        .program = command};
    if (input && fflush(input) != 0)
        return cli_fail_errno(error, "temporary file", "cannot write");
    const bool done = meter_run(&readings, &end, &order, error) && check(&readings, &end, error);
    if (done)
        add(out, &readings);
    meter_readings_free(&readings);
    return done;
}
