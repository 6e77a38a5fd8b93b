/* SPDX-License-Identifier: MIT */
/* Reads whole files: in one allocation if the size is known, else by doubling. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "progress.h"

enum { FIRST_BYTES = 1 << 16, MOST_A_READ = 1 << 24 };

/* Returns the bytes to allocate first, at least 1: one more than the size, so that the end is found
 * within it. */
static size_t first_capacity(const struct stat *info, uint64_t *size_bytes)
{
    *size_bytes = 0;
    if (!S_ISREG(info->st_mode) || info->st_size <= 0)
        return FIRST_BYTES;
    *size_bytes = (uint64_t)info->st_size;
    return (uintmax_t)info->st_size < SIZE_MAX ? (size_t)info->st_size + 1 : SIZE_MAX;
}

/* True for what is no regular file. */
static bool is_unchanged(int fd, const struct stat *before, const char *path, cli_error *error)
{
    struct stat now;
    return !S_ISREG(before->st_mode) || fstat(fd, &now) != 0 ||
           (now.st_size == before->st_size && now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
               now.st_mtim.tv_nsec == before->st_mtim.tv_nsec) ||
           cli_fail(error, CLI_MISTAKE, path, "has changed while it was read: call again");
}

static bool grow(char **block, size_t *capacity, const char *path, cli_error *error)
{
    if (*capacity > SIZE_MAX / 2)
        return cli_fail_memory(error, path, SIZE_MAX);
    char *larger = realloc(*block, 2 * *capacity);
    if (!larger)
        return cli_fail_memory(error, path, 2ULL * *capacity);
    *block = larger;
    *capacity *= 2;
    return true;
}

/* Fills *block to the end of the file; invariant: *bytes < *capacity between reads. */
static bool fill(
    int fd, char **block, size_t *bytes, size_t *capacity, const char *path, cli_error *error)
{
    for (;;) {
        size_t space = *capacity - *bytes;
        ssize_t got = read(fd, *block + *bytes, space < MOST_A_READ ? space : MOST_A_READ);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_fail_errno(error, path, "cannot read");
        if (got == 0)
            return true;
        *bytes += (size_t)got;
        cli_progress_step(*bytes);
        if (*bytes == *capacity && !grow(block, capacity, path, error))
            return false;
    }
}

bool cli_read_file(char **out, size_t *bytes, const char *path, cli_error *error)
{
    bool ok = false;
    char *block = NULL;
    size_t capacity = 0;
    uint64_t size_bytes = 0;
    struct stat before;
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    *bytes = 0;
    if (fd < 0)
        return cli_fail_errno(error, path, "cannot open");
    if (fstat(fd, &before) != 0) {
        cli_fail_errno(error, path, "cannot open");
        goto out;
    }
    capacity = first_capacity(&before, &size_bytes);
    block = malloc(capacity);
    if (!block) {
        cli_fail_memory(error, path, capacity);
        goto out;
    }
    cli_progress_bytes("reading", size_bytes);
    if (!fill(fd, &block, bytes, &capacity, path, error) || !is_unchanged(fd, &before, path, error))
        goto out;
    block[*bytes] = '\0';
    *out = block;
    block = NULL;
    ok = true;
out:
    free(block);
    if (fd != STDIN_FILENO)
        close(fd);
    return ok;
}
