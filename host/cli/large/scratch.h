/* SPDX-License-Identifier: MIT */
/*
 * A scratch file. Its name is removed as soon as it is open, so nothing is left of it however the
 * process ends; or it belongs to a job, and a later process can go on with it (job.h).
 */
#ifndef DMM_CLI_SCRATCH_H
#define DMM_CLI_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"
#include "session.h"

typedef struct cli_scratch {
    char folder[CLI_PATH_BYTES];
    int fd;      /* -1: none */
    cli_job job; /* job.text NULL: none */
} cli_scratch;

#define CLI_SCRATCH_INIT              \
    {                                 \
        .fd = -1, .job = CLI_JOB_INIT \
    }

/* Opens the file in `folder`; NULL: in that of `output`, or of temporary files for standard output.
 * job, name: as of cli_job_open; NULL: the file belongs to no job. */
bool cli_open_scratch(cli_scratch *out, const char *folder, const char *output, const char *job,
    const char *name, cli_error *error);
/* Checks that the folder has `bytes` bytes free, beside those that the file has; `output`, which
 * takes output_bytes, may be on the same file system. */
bool cli_check_space(const cli_scratch *scratch, uint64_t bytes, const char *output,
    uint64_t output_bytes, cli_error *error);
/* Checks that the folder of `output`, unless that is standard output, has `bytes` bytes free. */
bool cli_check_room(const char *output, uint64_t bytes, cli_error *error);
bool cli_scratch_write(
    cli_scratch *scratch, uint64_t at, const void *data, uint64_t bytes, cli_error *error);
bool cli_scratch_read(
    const cli_scratch *scratch, uint64_t at, void *data, uint64_t bytes, cli_error *error);
/* Closes the file; the job is done: nothing is left. CLI_SCRATCH_INIT is fine. */
void cli_close_scratch(cli_scratch *scratch, bool is_done);

#endif
