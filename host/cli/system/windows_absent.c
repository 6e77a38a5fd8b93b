/* SPDX-License-Identifier: MIT */
/* Windows: the subcommands that are not built, and where drivers are registered. */
#include "commands.h"
#include "core/opencl.h"
#include "icd.h"
#include "option.h"

static int refuse(const char *why)
{
    cli_error error = {0};
    cli_fail(&error, CLI_MISTAKE, NULL, "is not part of the command for Windows: %s", why);
    return cli_finish(&error);
}

int dmm_cli_meter(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return refuse("it uses Oclgrind; run it on Linux or in WSL");
}

int dmm_cli_bench(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return refuse("run the benchmarks on Linux or in WSL; dmm demo measures a sort here");
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
                 "named in the registry, below HKEY_LOCAL_MACHINE\\SOFTWARE\\Khronos\\OpenCL\\"
                 "Vendors.\n"
                 "Install one:\n"
                 "  a GPU    the current driver of NVIDIA, AMD or Intel\n"
                 "  any CPU  Intel's CPU Runtime for OpenCL Applications\n");
}
