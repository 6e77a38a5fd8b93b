/* SPDX-License-Identifier: MIT */
/* Scratch files that a later process goes on with. */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* flock */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

enum { MOST_TRIES = 100, LINE_BYTES = 192, PIECE_BYTES = 1 << 20 };

/* A line of the state: a part of the scratch file, and all items up to its end. */
typedef struct record {
    uint64_t items, at, bytes, value;
    cli_fingerprint sum;
} record;

static const char prefix[] = ".dmm-sort-", state_suffix[] = ".state";

/* Returns FOLDER/.dmm-sort-HASH and a suffix; NULL: out of memory. */
static char *name_in(const char *folder, const char *name, const char *suffix)
{
    const size_t bytes = strlen(folder) + strlen(suffix) + 32;
    char *const path = malloc(bytes);
    cli_checksum sum = {0};
    cli_checksum_add(&sum, name, strlen(name));
    if (path)
        snprintf(
            path, bytes, "%s/%s%016" PRIx64 "%s", folder, prefix, cli_checksum_value(&sum), suffix);
    return path;
}

/* Opens or creates one's own regular file. */
static bool open_own(const char *path, int *fd, cli_error *error)
{
    struct stat info;
    *fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (*fd < 0) {
        const char *const reason = strerror(errno);
        return cli_fail(error, CLI_MISTAKE, path, "cannot open this file of the job: %s%s", reason,
            lstat(path, &info) == 0 ? "; remove it, or name another folder with --scratch" : "");
    }
    if (fstat(*fd, &info) != 0)
        return cli_fail_errno(error, path, "cannot open this file of the job");
    return (S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink <= 1) ||
           cli_fail(error, CLI_MISTAKE, path,
               "is not a regular file of your own with one name: remove it, or name another folder "
               "with --scratch");
}

/* Opens and locks the scratch file. One that a process has just finished has lost its name. */
static bool open_locked(const cli_job *job, int *fd, cli_error *error)
{
    struct stat info;
    for (int try = 0; try < MOST_TRIES; try++) {
        if (!open_own(job->path, fd, error))
            return false;
        if (flock(*fd, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? cli_fail(error, CLI_MISTAKE, job->path,
                                              "another process works on this job")
                                        : cli_fail_errno(error, job->path, "cannot lock it");
        if (fstat(*fd, &info) == 0 && info.st_nlink != 0)
            return true;
        close(*fd);
        *fd = -1;
    }
    return cli_fail(error, CLI_MISTAKE, job->path, "other processes remove it again and again");
}

/* Formats a line, with the checksum of what precedes it and of itself. */
static void format_line(char out[LINE_BYTES], const record *r, const cli_checksum *before)
{
    cli_checksum sum = *before;
    const int length = snprintf(out, LINE_BYTES,
        "part %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64,
        r->items, r->at, r->bytes, r->value, r->sum.a, r->sum.b);
    cli_checksum_add(&sum, out, (uint64_t)length);
    snprintf(
        out + length, LINE_BYTES - (size_t)length, " %016" PRIx64 "\n", cli_checksum_value(&sum));
}

/* True if the scratch file holds the part. */
static bool holds(int fd, const record *r, char *piece)
{
    cli_checksum sum = {0};
    while (sum.bytes < r->bytes) {
        const uint64_t left = r->bytes - sum.bytes;
        const ssize_t got = pread(fd, piece, (size_t)(left < PIECE_BYTES ? left : PIECE_BYTES),
            (off_t)(r->at + sum.bytes));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        cli_checksum_add(&sum, piece, (uint64_t)got);
    }
    return cli_checksum_value(&sum) == r->value;
}

/* Reads the lines of the state as far as they are true; *end: of the scratch file, then. */
static void read_lines(cli_job *job, FILE *file, int fd, char *piece, uint64_t *end)
{
    char line[LINE_BYTES], expected[LINE_BYTES];
    record r;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line,
                "part %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64 " %" SCNx64 " %" SCNx64,
                &r.items, &r.at, &r.bytes, &r.value, &r.sum.a, &r.sum.b) != 6)
            return;
        format_line(expected, &r, &job->written);
        if (strcmp(line, expected) != 0)
            return;
        job->has_lost =
            r.at < *end || r.items <= job->items || r.bytes == 0 || !holds(fd, &r, piece);
        if (job->has_lost)
            return;
        cli_checksum_add(&job->written, line, strlen(line));
        job->items = r.items;
        job->sum = r.sum;
        *end = r.at + r.bytes;
    }
}

/* Reads the state: none of it if it is that of another job. */
static bool read_state(cli_job *job, int fd, uint64_t *end, cli_error *error)
{
    const size_t length = strlen(job->text);
    char *const piece = malloc(PIECE_BYTES > length ? PIECE_BYTES : length);
    const int copy = dup(job->state_fd);
    FILE *const file = copy >= 0 ? fdopen(copy, "r") : NULL;
    if (!file && copy >= 0)
        close(copy);
    const bool ok = piece && file;
    if (ok && fread(piece, 1, length, file) == length && memcmp(piece, job->text, length) == 0) {
        cli_checksum_add(&job->written, job->text, length);
        read_lines(job, file, fd, piece, end);
    }
    if (file)
        fclose(file);
    free(piece);
    return ok || cli_fail_memory(error, job->state, PIECE_BYTES);
}

static bool append(cli_job *job, const char *text, cli_error *error)
{
    const size_t length = strlen(text);
    for (size_t done = 0; done < length;) {
        const ssize_t put =
            pwrite(job->state_fd, text + done, length - done, (off_t)(job->written.bytes + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return cli_fail_errno(error, job->state, "cannot record the state of the scratch file");
        done += (size_t)put;
    }
    cli_checksum_add(&job->written, text, length);
    return true;
}

bool cli_job_open(cli_job *job, const char *folder, const char *name, int *fd, cli_error *error)
{
    uint64_t end = 0;
    job->path = name_in(folder, name, "");
    job->state = name_in(folder, name, state_suffix);
    if (!job->path || !job->state)
        return cli_fail_memory(error, folder, strlen(folder));
    if (!open_locked(job, fd, error) || !open_own(job->state, &job->state_fd, error) ||
        !read_state(job, *fd, &end, error))
        return false;
    if (ftruncate(job->state_fd, (off_t)job->written.bytes) != 0)
        return cli_fail_errno(error, job->state, "cannot write");
    if (ftruncate(*fd, (off_t)end) != 0)
        return cli_fail_errno(error, job->path, "cannot write");
    return job->written.bytes != 0 || append(job, job->text, error);
}

void cli_job_wrote(cli_job *job, uint64_t at, const void *data, uint64_t bytes)
{
    if (at != job->at + job->part.bytes) {
        job->at = at;
        job->part = (cli_checksum){0};
    }
    cli_checksum_add(&job->part, data, bytes);
}

bool cli_job_record(
    cli_job *job, int fd, uint64_t items, const cli_fingerprint *sum, cli_error *error)
{
    char line[LINE_BYTES];
    const record r = {items, job->at, job->part.bytes, cli_checksum_value(&job->part), *sum};
    format_line(line, &r, &job->written);
    if (fdatasync(fd) != 0)
        return cli_fail_errno(error, job->path, "cannot write");
    if (!append(job, line, error))
        return false;
    job->at += job->part.bytes;
    job->part = (cli_checksum){0};
    job->items = items;
    return fdatasync(job->state_fd) == 0 || cli_fail_errno(error, job->state, "cannot write");
}

void cli_job_close(cli_job *job, bool is_done)
{
    if (is_done && job->state_fd >= 0) {
        unlink(job->state);
        unlink(job->path);
    }
    if (job->state_fd >= 0)
        close(job->state_fd);
    free(job->path);
    free(job->state);
    *job = (cli_job)CLI_JOB_INIT;
}

bool cli_is_job_name(const char *name)
{
    const size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    const char *const end = name + length + strspn(name + length, "0123456789abcdef-");
    return *end == '\0' || strcmp(end, state_suffix) == 0;
}

char *cli_job_scratch(const char *path)
{
    char *const scratch = strdup(path);
    const size_t length = strlen(path), suffix = strlen(state_suffix);
    if (scratch && length > suffix && strcmp(path + length - suffix, state_suffix) == 0)
        scratch[length - suffix] = '\0';
    return scratch;
}
