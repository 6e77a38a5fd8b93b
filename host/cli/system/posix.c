/* SPDX-License-Identifier: MIT */
/* POSIX: streams, folders, memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, _SC_PHYS_PAGES */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cl/workarounds.clh"
#include "system.h"

/*
 * Opens each closed standard stream on /dev/null, in the direction in which it is not used: reading
 * or writing it then fails, and no file gets its descriptor.
 */
static void open_streams(void)
{
    static const int directions[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    /* open() returns the least free descriptor: `stream`, because those below are open */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", directions[stream]) != stream)
            _exit(1); /* no /dev/null: a file would get the descriptor */
}

void cli_system_name(char *text, size_t bytes)
{
    struct utsname system = {.sysname = ""};
    uname(&system);
    snprintf(text, bytes, "%s %s %s", system.sysname, system.release, system.machine);
}

uint64_t cli_memory_bytes(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages < 1 || page_bytes < 1 ? 0 : (uint64_t)pages * (uint64_t)page_bytes;
}

/* Describes a machine without /sys to PoCL, unless the user does (cl/workarounds.clh). */
static void describe_machine(void)
{
    const uint64_t memory = cli_memory_bytes();
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char text[96];
    if (access(DMM_HWLOC_LOOKS_IN, F_OK) == 0 || memory == 0 || processors < 1)
        return;
    snprintf(text, sizeof text, DMM_HWLOC_MACHINE, (long long)memory, processors);
    setenv(DMM_HWLOC_VARIABLE, text, 0);
}

void cli_system_start(void)
{
    open_streams();
    describe_machine();
}

const char *cli_last_slash(const char *path)
{
    return strrchr(path, '/');
}

bool cli_sync_names(const char *path)
{
    const char *const slash = cli_last_slash(path);
    char *const folder = slash ? strndup(path, (size_t)(slash + 1 - path)) : strdup(".");
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;
    free(folder);
    if (fd < 0)
        return true; /* a folder that may be written, not read */
    const bool ok = fsync(fd) == 0 || (errno != EIO && errno != ENOSPC && errno != EDQUOT);
    const int reason = errno;
    close(fd);
    errno = reason;
    return ok;
}

const char *cli_temporary_folder(void)
{
    const char *const folder = getenv("TMPDIR");
    return folder && folder[0] ? folder : "/tmp";
}

bool cli_user_cache(char *path, size_t bytes)
{
    const char *const base = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    const bool own = base != NULL && base[0] == '/';
    if (!own && (home == NULL || home[0] != '/'))
        return false;
    snprintf(path, bytes, "%s%s", own ? base : home, own ? "" : "/.cache");
    return true;
}

void cli_own_program(char *path, size_t bytes)
{
    const ssize_t length = readlink("/proc/self/exe", path, bytes - 1);
    path[length < 0 ? 0 : length] = '\0';
}

bool cli_space_left(const char *folder, cli_space *space)
{
    struct statvfs info;
    if (statvfs(folder, &info) != 0)
        return false;
    space->bytes = (uint64_t)info.f_bavail * info.f_frsize;
    space->file_system = info.f_fsid;
    return true;
}

FILE *cli_open_memory(char **text, size_t *bytes)
{
    return open_memstream(text, bytes);
}

bool cli_close_memory(FILE *file, char **text, size_t *bytes)
{
    (void)text;
    (void)bytes;
    return fclose(file) == 0;
}

void *cli_new_shared(size_t bytes)
{
    void *const shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared == MAP_FAILED ? NULL : shared;
}

void cli_free_shared(void *shared, size_t bytes)
{
    munmap(shared, bytes);
}
