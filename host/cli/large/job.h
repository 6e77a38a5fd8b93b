/* SPDX-License-Identifier: MIT */
/*
 * What a later process needs to go on with a scratch file: a state file beside it. That begins with
 * the text of the job; each line behind it records a part of the scratch file with its checksum. A
 * line is believed if all that precedes it is, if it has the checksum of the state file up to
 * itself, and if the scratch file holds the part. So neither file can be cut off, torn, lost or
 * exchanged without notice.
 */
#ifndef DMM_CLI_JOB_H
#define DMM_CLI_JOB_H

#include "checksum.h"
#include "judge.h"

typedef struct cli_job {
    const char *text;     /* names the job, its input and its sizes; borrowed; NULL: none */
    char *path, *state;   /* names of the two files; owned */
    int state_fd;         /* -1: none */
    cli_checksum written; /* checksum of the state file */
    uint64_t items;       /* items of the recorded parts */
    cli_fingerprint sum;  /* fingerprint of these items */
    uint64_t at;          /* first byte of the part that is being written */
    cli_checksum part;    /* checksum of its written bytes */
    bool has_lost;        /* the state file recorded more than the scratch file holds */
} cli_job;

#define CLI_JOB_INIT   \
    {                  \
        .state_fd = -1 \
    }

/* Opens, creates and locks both files in `folder`, and reads the state: job->items, job->sum. What
 * is not recorded is cut off. `name` tells jobs apart that may be under way at once; a job takes
 * over the files of another one of the same name. Refuses what is not a regular file of one's own
 * with one name, without following links or waiting. *fd: the scratch file. */
bool cli_job_open(cli_job *job, const char *folder, const char *name, int *fd, cli_error *error);
/* Adds what has been written at a position: parts are written from their beginning to their end. */
void cli_job_wrote(cli_job *job, uint64_t at, const void *data, uint64_t bytes);
/* Records that what has been written since the last record completes `items` items of the job,
 * `sum`: for good, also after a power failure. */
bool cli_job_record(
    cli_job *job, int fd, uint64_t items, const cli_fingerprint *sum, cli_error *error);
/* Closes the state file; is_done: removes both. CLI_JOB_INIT is fine. */
void cli_job_close(cli_job *job, bool is_done);

/* True for the names of the files of jobs, and of scratch files that were to lose theirs. */
bool cli_is_job_name(const char *name);
/* Returns the path of the scratch file, which has the lock, of a file of a job; NULL: out of
 * memory. */
char *cli_job_scratch(const char *path);

#endif
