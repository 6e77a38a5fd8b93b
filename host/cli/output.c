/* SPDX-License-Identifier: MIT */
/* Output files: written beside the target, then renamed. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "beside.h"
#include "leftover.h"
#include "output.h"
#include "system/system.h"

enum {
    BUFFER_BYTES = 1 << 16,
    LINE_CHARS = 512,
    MOST_A_WRITE = 1 << 24,
    COPY_BYTES = 1 << 20,
    MOST_LINKS = 40
};

/* Returns the length of the folder in a path, with its slash; 0: the working folder. */
static size_t folder_length(const char *path)
{
    const char *slash = cli_last_slash(path);
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Returns the target of a symbolic link, from the working folder; NULL, with errno. */
static char *target_of_link(const char *link)
{
    char text[PATH_MAX];
    const ssize_t bytes = readlink(link, text, sizeof text);
    if (bytes <= 0 || (size_t)bytes == sizeof text) {
        errno = bytes < 0 ? errno : ENAMETOOLONG;
        return NULL;
    }
    const size_t folder = text[0] == '/' ? 0 : folder_length(link);
    char *target = malloc(folder + (size_t)bytes + 1);
    if (!target)
        return NULL;
    memcpy(target, link, folder);
    memcpy(target + folder, text, (size_t)bytes);
    target[folder + (size_t)bytes] = '\0';
    return target;
}

/*
 * Returns the path with symbolic links followed, so that the target is replaced and the links stay.
 * Links to a file that does not exist yet count, too. NULL, with errno: out of memory, or a loop of
 * links.
 */
static char *follow(const char *path)
{
    struct stat info;
    char *at = realpath(path, NULL);
    if (at || errno != ENOENT)
        return at;
    at = strdup(path);
    for (int links = 0; at && lstat(at, &info) == 0 && S_ISLNK(info.st_mode); links++) {
        char *next = links < MOST_LINKS ? target_of_link(at) : NULL;
        errno = links < MOST_LINKS ? errno : ELOOP;
        free(at);
        at = next;
    }
    return at;
}

/* Gives the new file the owner and the permissions of the old one, as far as permitted. */
static bool adopt(const cli_output *out, const struct stat *old, cli_error *error)
{
    struct stat new;
    if (fstat(out->fd, &new) != 0)
        return cli_fail_errno(error, out->shown, "cannot write");
    mode_t mode = old->st_mode & 07777;
    bool same_owner = new.st_uid == old->st_uid &&new.st_gid == old->st_gid;
    if (!same_owner && fchown(out->fd, old->st_uid, old->st_gid) != 0)
        mode &= ~(mode_t)(S_ISUID | S_ISGID);
    if (fchmod(out->fd, mode) != 0)
        return cli_fail_errno(error, out->shown, "cannot keep its permissions");
    return true;
}

static bool open_file(cli_output *out, cli_error *error)
{
    struct stat old;
    bool exists = stat(out->name, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        out->fd = open(out->name, O_WRONLY | O_CLOEXEC);
        return out->fd >= 0 || cli_fail_errno(error, out->shown, "cannot write");
    }
    if (exists && access(out->name, W_OK) != 0)
        return cli_fail_errno(error, out->shown, "cannot write");
    out->target = follow(out->name);
    if (!out->target)
        return cli_fail_errno(error, out->shown, "cannot write");
    out->is_shared = exists && old.st_nlink > 1;
    out->syncs = exists;
    out->beside = cli_create_beside(out->target, &out->fd, &out->lock, &out->slot);
    if (!out->beside)
        return cli_fail_errno(error, out->shown, "cannot create a file in its folder");
    return !exists || adopt(out, &old, error);
}

/* True for the names of standard output; a file that it goes to is not replaced. */
static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/fd/1") == 0;
}

bool cli_open_output(cli_output *out, const char *path, cli_error *error)
{
    *out = (cli_output)CLI_OUTPUT_INIT;
    out->name = path;
    out->shown = is_standard_output(path) ? "standard output" : path;
    out->buffer = malloc(BUFFER_BYTES);
    if (!out->buffer)
        return cli_fail_memory(error, path, BUFFER_BYTES);
    if (!is_standard_output(path))
        return open_file(out, error);
    out->fd = STDOUT_FILENO;
    return true;
}

static bool write_all(cli_output *out, const char *data, size_t bytes, cli_error *error)
{
    while (bytes > 0) {
        ssize_t put = write(out->fd, data, bytes < MOST_A_WRITE ? bytes : MOST_A_WRITE);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return cli_fail_errno(error, out->shown, "cannot write");
        data += put;
        bytes -= (size_t)put;
    }
    return true;
}

static bool flush(cli_output *out, cli_error *error)
{
    size_t bytes = out->buffered_bytes;
    out->buffered_bytes = 0;
    return write_all(out, out->buffer, bytes, error);
}

char *cli_write_room(cli_output *out, size_t bytes, cli_error *error)
{
    if (out->buffered_bytes + bytes > BUFFER_BYTES && !flush(out, error))
        return NULL;
    return out->buffer + out->buffered_bytes;
}

void cli_written(cli_output *out, size_t bytes)
{
    out->buffered_bytes += bytes;
}

bool cli_print(cli_output *out, cli_error *error, const char *format, ...)
{
    va_list list;
    char *const line = cli_write_room(out, LINE_CHARS, error);
    if (!line)
        return false;
    va_start(list, format);
    const int length = vsnprintf(line, LINE_CHARS, format, list);
    va_end(list);
    cli_written(out, (size_t)length);
    return true;
}

bool cli_write(cli_output *out, const void *data, size_t bytes, cli_error *error)
{
    return flush(out, error) && write_all(out, data, bytes, error);
}

void cli_spool(cli_output *out, int scratch)
{
    out->through = out->fd;
    out->fd = scratch;
}

bool cli_rewinds(const cli_output *out)
{
    return lseek(out->fd, 0, SEEK_CUR) >= 0;
}

bool cli_rewind(cli_output *out, cli_error *error)
{
    return flush(out, error) &&
           (lseek(out->fd, 0, SEEK_SET) == 0 || cli_fail_errno(error, out->shown, "cannot rewind"));
}

/* Copies a spooled file to where it belongs. */
static bool unspool(cli_output *out, cli_error *error)
{
    char *const part = malloc(COPY_BYTES);
    const int spooled = out->fd;
    ssize_t got = 0;
    bool ok = part || cli_fail_memory(error, out->shown, COPY_BYTES);
    ok = ok && (lseek(spooled, 0, SEEK_SET) == 0 ||
                   cli_fail_errno(error, out->shown, "cannot read its scratch file"));
    out->fd = out->through;
    out->through = -1;
    while (ok && (got = read(spooled, part, COPY_BYTES)) > 0)
        ok = write_all(out, part, (size_t)got, error);
    if (ok && got < 0)
        ok = cli_fail_errno(error, out->shown, "cannot read its scratch file");
    close(spooled);
    free(part);
    return ok;
}

static bool complete(cli_output *out, cli_error *error)
{
    if (!flush(out, error) || (out->through >= 0 && !unspool(out, error)))
        return false;
    if (out->fd == STDOUT_FILENO)
        return true;
    int fd = out->fd;
    out->fd = -1;
    if (out->syncs && out->beside && fdatasync(fd) != 0) {
        close(fd);
        return cli_fail_errno(error, out->shown, "cannot write");
    }
    return close(fd) == 0 || cli_fail_errno(error, out->shown, "cannot write");
}

/* Forgets the temporary file, which stays or has another name. */
static void let_go(cli_output *out)
{
    cli_leftover_drop(out->slot);
    out->slot = -1;
    if (out->lock >= 0)
        close(out->lock);
    out->lock = -1;
    free(out->beside);
    out->beside = NULL;
}

/* Copies a file over another one. errno says why that failed. */
static bool copy_over(int from, int to)
{
    char *const part = malloc(COPY_BYTES);
    ssize_t got = part ? 1 : -1;
    bool ok = part != NULL;
    off_t all = 0;
    while (ok && (got = read(from, part, COPY_BYTES)) > 0) {
        ssize_t put = 0;
        for (ssize_t done = 0; ok && done < got; done += put)
            ok = (put = write(to, part + done, (size_t)(got - done))) >= 0;
        all += got;
    }
    ok = ok && got == 0 && ftruncate(to, all) == 0;
    const int reason = errno;
    free(part);
    errno = reason;
    return ok;
}

/* Leaves what alone may be whole, and says where it is. */
static bool fail_whole(cli_output *out, const char *what, cli_error *error)
{
    cli_fail(error, CLI_MISTAKE, out->shown, "%s: %s; the whole output is in %s", what,
        strerror(errno), out->beside);
    let_go(out);
    return false;
}

/* Gives the temporary file, which is complete, a name that no later process removes. */
static bool keep_whole(cli_output *out, cli_error *error)
{
    char *const kept = cli_keep_beside(out->target, out->beside);
    if (!kept)
        return cli_fail_errno(error, out->shown, "cannot rename the whole output");
    let_go(out);
    out->beside = kept;
    return cli_sync_names(out->target) || fail_whole(out, "cannot write", error);
}

/* Writes to the old file itself, which has other names. */
static bool write_through(cli_output *out, cli_error *error)
{
    const int to = open(out->target, O_WRONLY | O_CLOEXEC);
    const int from = to >= 0 ? open(out->beside, O_RDONLY | O_CLOEXEC) : -1;
    bool ok = from >= 0 || cli_fail_errno(error, out->shown, "cannot write");
    if (ok && (ok = out->is_kept || keep_whole(out, error))) {
        ok = copy_over(from, to) && fsync(to) == 0;
        if (ok)
            unlink(out->beside);
        else
            fail_whole(out, "cannot write", error);
        let_go(out);
    }
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    return ok;
}

static bool replace(cli_output *out, cli_error *error)
{
    if (!out->beside)
        return true;
    if (out->is_shared)
        return write_through(out, error);
    if (rename(out->beside, out->target) != 0)
        return out->is_kept ? fail_whole(out, "cannot replace", error)
                            : cli_fail_errno(error, out->shown, "cannot replace");
    let_go(out);
    return true;
}

/* Between two moves, outputs that belong together are new and old: if the process ends there, the
 * later ones stay under names that no process removes. After a power failure, too: each move is on
 * the disk before the next one. */
bool cli_commit_outputs(cli_output *const *outputs, int count, cli_error *error)
{
    bool ok = true, syncs = false;
    for (int i = 0; i < count; i++)
        syncs = syncs || outputs[i]->syncs;
    for (int i = 0; i < count && ok; i++) {
        outputs[i]->syncs = syncs;
        ok = complete(outputs[i], error);
    }
    for (int i = 1; i < count && ok; i++)
        if (outputs[i]->beside && syncs) {
            ok = keep_whole(outputs[i], error);
            outputs[i]->is_kept = ok;
        }
    for (int i = 0, moved = 0; i < count; i++) {
        if (ok && moved > 0 && syncs && outputs[i - 1]->target)
            ok = cli_sync_names(outputs[i - 1]->target) ||
                 (outputs[i]->is_kept
                         ? fail_whole(outputs[i], "cannot write", error)
                         : cli_fail_errno(error, outputs[i - 1]->shown, "cannot write"));
        if (ok)
            ok = replace(outputs[i], error);
        else if (moved > 0 && outputs[i]->is_kept)
            let_go(outputs[i]);
        moved += ok;
    }
    return ok;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* True if both targets have one name in one folder. */
static bool is_same_name(const char *a, const char *b)
{
    struct stat of_a, of_b;
    char *folder_a = strndup(a, folder_length(a)), *folder_b = strndup(b, folder_length(b));
    const bool same = folder_a && folder_b &&
                      strcmp(a + folder_length(a), b + folder_length(b)) == 0 &&
                      stat(folder_a[0] ? folder_a : ".", &of_a) == 0 &&
                      stat(folder_b[0] ? folder_b : ".", &of_b) == 0 && is_same_file(&of_a, &of_b);
    free(folder_a);
    free(folder_b);
    return same;
}

bool cli_same_output(const cli_output *a, const cli_output *b)
{
    struct stat of_a, of_b;
    if (a->fd == b->fd || (a->target && b->target && is_same_name(a->target, b->target)))
        return true;
    const bool a_exists = (a->target ? stat(a->target, &of_a) : fstat(a->fd, &of_a)) == 0;
    const bool b_exists = (b->target ? stat(b->target, &of_b) : fstat(b->fd, &of_b)) == 0;
    /* Two outputs may go to one device, such as /dev/null. */
    return a_exists && b_exists && is_same_file(&of_a, &of_b) && !S_ISCHR(of_a.st_mode);
}

static bool check_pair(
    const char *const options[], const char *const paths[], int i, int j, cli_error *error)
{
    cli_output first = CLI_OUTPUT_INIT, second = CLI_OUTPUT_INIT;
    const bool are_open =
        cli_open_output(&first, paths[i], error) && cli_open_output(&second, paths[j], error);
    const bool is_one = are_open && cli_same_output(&first, &second);
    cli_close_output(&first);
    cli_close_output(&second);
    return are_open &&
           (!is_one || cli_fail(error, CLI_MISTAKE, options[j], "is the file of %s", options[i]));
}

bool cli_check_outputs(
    const char *const options[], const char *const paths[], int count, cli_error *error)
{
    for (int j = 0; j < count; j++)
        for (int i = 0; i < j; i++)
            if (paths[i] && paths[j] && !check_pair(options, paths, i, j, error))
                return false;
    return true;
}

void cli_close_output(cli_output *out)
{
    if (out->through >= 0) {
        close(out->fd);
        out->fd = out->through;
    }
    if (out->fd >= 0 && out->fd != STDOUT_FILENO)
        close(out->fd);
    if (out->beside)
        unlink(out->beside);
    cli_leftover_drop(out->slot);
    if (out->lock >= 0)
        close(out->lock);
    free(out->target);
    free(out->beside);
    free(out->buffer);
    *out = (cli_output)CLI_OUTPUT_INIT;
}
