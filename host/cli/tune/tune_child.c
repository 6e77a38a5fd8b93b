/* SPDX-License-Identifier: MIT */
/* Runs a part of `dmm tune` in its own process, which a driver may crash or hang. */
#include <time.h>

#include "option.h"
#include "system/system.h"
#include "tune.h"

enum { MAX_WORDS = 30 };

uint64_t tune_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const char *tune_outcome_name(tune_outcome outcome)
{
    static const char *const names[] = {
        "ok", "refused", "wrong", "crashed", "hung", "not tried", "no process"};
    return names[outcome];
}

static tune_outcome outcome_of(cli_run_end end, int exit_code)
{
    switch (end) {
    case CLI_RUN_HUNG:
        return TUNE_HUNG;
    case CLI_RUN_CRASHED:
        return TUNE_CRASHED;
    case CLI_RUN_NONE:
        return TUNE_NO_CHILD;
    default:
        return exit_code == CLI_OK             ? TUNE_OK
               : exit_code == CLI_CHECK_FAILED ? TUNE_WRONG
                                               : TUNE_MISFIT;
    }
}

tune_outcome tune_child(
    const char *tuning, const char *const *operands, unsigned seconds, tune_output *out)
{
    const char *words[MAX_WORDS] = {"--tuning", tuning};
    size_t count = 2;
    int exit_code = 0;
    const struct {
        const char *name, *value;
    } globals[] = {
        {"--device", cli_global.device}, {"--set", cli_global.set}, {"--cache", cli_global.cache}};
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
        if (globals[i].value != NULL) {
            words[count++] = globals[i].name;
            words[count++] = globals[i].value;
        }
    words[count++] = "tune";
    for (; *operands != NULL && count < MAX_WORDS - 1; operands++)
        words[count++] = *operands;
    const cli_self self = {words, seconds, !cli_global.verbose, out->text, sizeof out->text};
    const cli_run_end end = cli_run_self(&self, &out->bytes, &exit_code);
    return outcome_of(end, exit_code);
}
