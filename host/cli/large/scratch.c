/* SPDX-License-Identifier: MIT */
/* Scratch files. */
#define _GNU_SOURCE /* O_TMPFILE */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"
#include "system/system.h"

enum { MOST_NAMES = 100, MOST_AT_ONCE = 1 << 24, SPACE_BLOCK = 512 };

static bool open_nameless(cli_scratch *s, cli_error *error)
{
#ifdef O_TMPFILE /* has never a name; file systems and kernels without it fail */
    s->fd = open(s->folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (s->fd >= 0)
        return true;
#endif
    for (int try = 0; try < MOST_NAMES; try++) {
        char path[CLI_PATH_BYTES + 64];
        snprintf(path, sizeof path, "%s/.dmm-sort-%ld-%d", s->folder, (long)getpid(), try);
        s->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        const int reason = errno;
        if (s->fd >= 0)
            unlink(path);
        errno = reason;
        if (s->fd >= 0)
            return true;
        if (reason != EEXIST)
            break;
    }
    return cli_fail_errno(error, s->folder, "cannot create a scratch file");
}

/* Returns the folder of a path, or of temporary files for standard output. */
static void find_folder(char out[CLI_PATH_BYTES], const char *path)
{
    const char *const slash = cli_last_slash(path);
    if (strcmp(path, "-") == 0)
        snprintf(out, CLI_PATH_BYTES, "%s", cli_temporary_folder());
    else if (slash)
        snprintf(out, CLI_PATH_BYTES, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        snprintf(out, CLI_PATH_BYTES, ".");
}

bool cli_open_scratch(cli_scratch *s, const char *folder, const char *output, const char *job,
    const char *name, cli_error *error)
{
    *s = (cli_scratch)CLI_SCRATCH_INIT;
    if (folder)
        snprintf(s->folder, sizeof s->folder, "%s", folder);
    else
        find_folder(s->folder, output);
    s->job.text = job;
    return job ? cli_job_open(&s->job, s->folder, name, &s->fd, error) : open_nameless(s, error);
}

bool cli_check_room(const char *output, uint64_t bytes, cli_error *error)
{
    cli_space space;
    char folder[CLI_PATH_BYTES];
    find_folder(folder, output);
    if (strcmp(output, "-") == 0 || !cli_space_left(folder, &space))
        return true; /* unknown: a write will tell */
    const uint64_t free_bytes = space.bytes;
    return bytes <= free_bytes ||
           cli_fail(error, CLI_MISTAKE, folder, "%.3f GiB are free, but the output takes %.3f GiB",
               (double)free_bytes / (1 << 30), (double)bytes / (1 << 30));
}

bool cli_check_space(const cli_scratch *s, uint64_t bytes, const char *output,
    uint64_t output_bytes, cli_error *error)
{
    cli_space space, other;
    struct stat info;
    char folder[CLI_PATH_BYTES];
    if (!cli_space_left(s->folder, &space) || fstat(s->fd, &info) != 0)
        return true; /* unknown: a write will tell */
    find_folder(folder, output);
    const uint64_t free_bytes = space.bytes;
    const uint64_t there = (uint64_t)info.st_blocks * SPACE_BLOCK;
    const bool is_file = strcmp(output, "-") != 0 && cli_space_left(folder, &other);
    const bool is_one = is_file && other.file_system == space.file_system;
    const uint64_t needed = (bytes > there ? bytes - there : 0) + (is_one ? output_bytes : 0);
    if (needed > free_bytes)
        return cli_fail(error, CLI_MISTAKE, s->folder,
            "%.3f GiB are free, but the scratch file takes %.3f GiB%s: name another folder with "
            "--scratch",
            (double)free_bytes / (1 << 30), (double)needed / (1 << 30),
            is_one && output_bytes ? " with the output, which is on the same file system" : "");
    return is_one || cli_check_room(output, output_bytes, error);
}

bool cli_scratch_write(
    cli_scratch *s, uint64_t at, const void *data, uint64_t bytes, cli_error *error)
{
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t left = bytes - done;
        const ssize_t put = pwrite(s->fd, (const char *)data + done,
            (size_t)(left < MOST_AT_ONCE ? left : MOST_AT_ONCE), (off_t)(at + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return cli_fail_errno(error, s->folder, "cannot write the scratch file");
        done += (uint64_t)put;
    }
    if (s->job.text)
        cli_job_wrote(&s->job, at, data, bytes);
    return true;
}

bool cli_scratch_read(
    const cli_scratch *s, uint64_t at, void *data, uint64_t bytes, cli_error *error)
{
    for (uint64_t done = 0; done < bytes;) {
        const uint64_t left = bytes - done;
        const ssize_t got = pread(s->fd, (char *)data + done,
            (size_t)(left < MOST_AT_ONCE ? left : MOST_AT_ONCE), (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail_errno(error, s->folder, "cannot read the scratch file");
        if (got == 0)
            return cli_fail(error, CLI_MISTAKE, s->job.path ? s->job.path : s->folder,
                "the scratch file has been cut off while it was in use");
        done += (uint64_t)got;
    }
    return true;
}

void cli_close_scratch(cli_scratch *s, bool is_done)
{
    cli_job_close(&s->job, is_done);
    if (s->fd >= 0)
        close(s->fd);
    *s = (cli_scratch)CLI_SCRATCH_INIT;
}
