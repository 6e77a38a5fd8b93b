/* SPDX-License-Identifier: MIT */
/* Scratch files. */
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
#include <sys/statvfs.h>
#include <unistd.h>

#include "scratch.h"

enum { MOST_NAMES = 100, MOST_AT_ONCE = 1 << 24, SPACE_BLOCK = 512 };

static const char items_line[] = "items ";

/* Returns FOLDER/.dmm-sort-NAME, or NULL. */
static char *name_in(const char *folder, const char *name)
{
    const size_t bytes = strlen(folder) + strlen(name) + 16;
    char *const path = malloc(bytes);
    if (path)
        snprintf(path, bytes, "%s/.dmm-sort-%s", folder, name);
    return path;
}

static bool open_nameless(cli_scratch *s, cli_error *error)
{
    for (int try = 0; try < MOST_NAMES; try++) {
        char name[48];
        snprintf(name, sizeof name, "%ld-%d", (long)getpid(), try);
        char *const path = name_in(s->folder, name);
        if (!path)
            return cli_fail_memory(error, s->folder, sizeof name);
        s->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        const int reason = errno;
        if (s->fd >= 0)
            unlink(path);
        free(path);
        errno = reason;
        if (s->fd >= 0)
            return true;
        if (reason != EEXIST)
            break;
    }
    return cli_fail_errno(error, s->folder, "cannot create a scratch file");
}

/* The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo). */
static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

/* Opens and locks the file of the job. One that a process has just finished has lost its name. */
static bool open_locked(cli_scratch *s, cli_error *error)
{
    struct stat info;
    for (int try = 0; try < MOST_NAMES; try++) {
        s->fd = open(s->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (s->fd < 0)
            break;
        if (flock(s->fd, LOCK_EX | LOCK_NB) != 0)
            return cli_fail(error, CLI_MISTAKE, s->path, "another process works on this job");
        if (fstat(s->fd, &info) == 0 && info.st_nlink != 0)
            return info.st_uid == geteuid() ||
                   cli_fail(error, CLI_MISTAKE, s->path, "belongs to another user");
        close(s->fd);
        s->fd = -1;
    }
    return cli_fail_errno(error, s->folder, "cannot open its scratch file");
}

/* Reads the state: the job's text, and a line with the items. */
static void read_state(cli_scratch *s)
{
    const size_t job = strlen(s->job);
    char *const text = calloc(1, job + 64);
    const int fd = open(s->state, O_RDONLY | O_CLOEXEC);
    const ssize_t got = text && fd >= 0 ? read(fd, text, job + 63) : -1;
    s->items = 0;
    if (got > (ssize_t)job && memcmp(text, s->job, job) == 0 &&
        strncmp(text + job, items_line, sizeof items_line - 1) == 0 && text[got - 1] == '\n')
        s->items = strtoull(text + job + sizeof items_line - 1, NULL, 10);
    if (fd >= 0)
        close(fd);
    free(text);
}

static bool open_job(cli_scratch *s, cli_error *error)
{
    char name[32];
    snprintf(name, sizeof name, "%016" PRIx64, hash(s->job));
    s->path = name_in(s->folder, name);
    snprintf(name, sizeof name, "%016" PRIx64 ".state", hash(s->job));
    s->state = name_in(s->folder, name);
    if (!s->path || !s->state)
        return cli_fail_memory(error, s->folder, sizeof name);
    if (!open_locked(s, error))
        return false;
    read_state(s);
    return s->items != 0 || ftruncate(s->fd, 0) == 0 ||
           cli_fail_errno(error, s->path, "cannot write");
}

/* Returns the folder of a path, or of temporary files for standard output. */
static void find_folder(char out[CLI_PATH_BYTES], const char *path)
{
    const char *const slash = strrchr(path, '/'), *const temporary = getenv("TMPDIR");
    if (strcmp(path, "-") == 0)
        snprintf(out, CLI_PATH_BYTES, "%s", temporary && temporary[0] ? temporary : "/tmp");
    else if (slash)
        snprintf(out, CLI_PATH_BYTES, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    else
        snprintf(out, CLI_PATH_BYTES, ".");
}

bool cli_open_scratch(
    cli_scratch *s, const char *folder, const char *output, const char *job, cli_error *error)
{
    *s = (cli_scratch)CLI_SCRATCH_INIT;
    if (folder)
        snprintf(s->folder, sizeof s->folder, "%s", folder);
    else
        find_folder(s->folder, output);
    s->job = job;
    return job ? open_job(s, error) : open_nameless(s, error);
}

bool cli_check_room(const char *output, uint64_t bytes, cli_error *error)
{
    struct statvfs space;
    char folder[CLI_PATH_BYTES];
    find_folder(folder, output);
    if (strcmp(output, "-") == 0 || statvfs(folder, &space) != 0)
        return true; /* unknown: a write will tell */
    const uint64_t free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
    return bytes <= free_bytes ||
           cli_fail(error, CLI_MISTAKE, folder, "%.3f GiB are free, but the output takes %.3f GiB",
               (double)free_bytes / (1 << 30), (double)bytes / (1 << 30));
}

bool cli_check_space(const cli_scratch *s, uint64_t bytes, const char *output,
    uint64_t output_bytes, cli_error *error)
{
    struct statvfs space, other;
    struct stat info;
    char folder[CLI_PATH_BYTES];
    if (fstatvfs(s->fd, &space) != 0 || fstat(s->fd, &info) != 0)
        return true; /* unknown: a write will tell */
    find_folder(folder, output);
    const uint64_t free_bytes = (uint64_t)space.f_bavail * space.f_frsize;
    const uint64_t there = (uint64_t)info.st_blocks * SPACE_BLOCK;
    const bool is_file = strcmp(output, "-") != 0 && statvfs(folder, &other) == 0;
    const bool is_one = is_file && other.f_fsid == space.f_fsid;
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
            return cli_fail(error, CLI_MISTAKE, s->folder, "the scratch file has been cut off");
        done += (uint64_t)got;
    }
    return true;
}

/* Returns the name of a state that is being written, or NULL. */
static char *name_new(const cli_scratch *s)
{
    const size_t bytes = strlen(s->state) + 8;
    char *const new = malloc(bytes);
    if (new)
        snprintf(new, bytes, "%s.new", s->state);
    return new;
}

static bool write_state(const cli_scratch *s, const char *path)
{
    bool ok = false;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *const file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file && fd >= 0)
        close(fd);
    if (!file)
        return false;
    ok = fprintf(file, "%s%s%" PRIu64 "\n", s->job, items_line, s->items) > 0 &&
         fflush(file) == 0 && fdatasync(fileno(file)) == 0;
    return fclose(file) == 0 && ok;
}

bool cli_scratch_record(cli_scratch *s, uint64_t items, cli_error *error)
{
    if (!s->job)
        return true;
    char *const new = name_new(s);
    if (!new)
        return cli_fail_memory(error, s->folder, strlen(s->state));
    s->items = items;
    const bool ok = fdatasync(s->fd) == 0 && write_state(s, new) && rename(new, s->state) == 0;
    if (!ok)
        cli_fail_errno(error, s->folder, "cannot record the state of the scratch file");
    free(new);
    return ok;
}

void cli_close_scratch(cli_scratch *s, bool is_done)
{
    if (s->fd >= 0 && s->job && is_done) {
        char *const new = name_new(s);
        if (new)
            unlink(new);
        free(new);
        unlink(s->state);
        unlink(s->path);
    }
    if (s->fd >= 0)
        close(s->fd);
    free(s->path);
    free(s->state);
    *s = (cli_scratch)CLI_SCRATCH_INIT;
}
