/* SPDX-License-Identifier: MIT */
/* Runs parts of work on threads of their own. */
#include "core/os.h"
#include "parallel.h"

size_t cli_part_bytes = 1 << 20;

size_t cli_parts_of(size_t bytes)
{
    const size_t processors = dmm_os_processors(), most = bytes / cli_part_bytes + 1;
    size_t parts = processors < CLI_MOST_PARTS ? processors : CLI_MOST_PARTS;
    parts = parts < most ? parts : most;
    return parts > 0 ? parts : 1;
}

typedef struct job {
    void (*run)(void *user, size_t part);
    void *user;
    size_t part;
} job;

static void run_job(void *user)
{
    const job *const j = user;
    j->run(j->user, j->part);
}

void cli_run_parts(size_t parts, void (*run)(void *user, size_t part), void *user)
{
    dmm_thread threads[CLI_MOST_PARTS];
    job jobs[CLI_MOST_PARTS];
    int started[CLI_MOST_PARTS] = {0};
    for (size_t i = 1; i < parts; i++) {
        jobs[i] = (job){run, user, i};
        started[i] = dmm_thread_start(&threads[i], run_job, &jobs[i]);
    }
    run(user, 0);
    for (size_t i = 1; i < parts; i++)
        if (started[i])
            dmm_thread_join(&threads[i]);
        else
            run(user, i);
}
