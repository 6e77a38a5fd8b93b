/* SPDX-License-Identifier: MIT */
/*
 * Included before each file of the command that is built for Windows: POSIX's functions for files,
 * which the C library of mingw-w64 lacks or has with other effects. Here open files can be renamed
 * and removed, files have numbers and times in 100 ns, locks hold nobody from reading, sizes have
 * 64 bits, and nothing is translated.
 */
#ifndef DMM_CLI_WINDOWS_POSIX_H
#define DMM_CLI_WINDOWS_POSIX_H

#define _CRT_RAND_S /* core/os_windows.c uses rand_s */
#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    O_CLOEXEC = 0, /* descriptors are inherited only by those who are to have them */
    O_NONBLOCK = 0,
    O_NOFOLLOW = 1 << 24,
    S_ISUID = 0,
    S_ISGID = 0,
    LOCK_EX = 2,
    LOCK_NB = 4,
    F_DUPFD_CLOEXEC = 1,
    _SC_OPEN_MAX = 1
};
#define O_TMPFILE (1 << 25) /* the path is a folder; the file is removed when it is closed */
#define S_IFLNK   0xA000
#undef S_ISLNK
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)

struct win_stat {
    uint64_t st_dev, st_ino;
    int64_t st_size, st_blocks;
    struct timespec st_mtim;
    unsigned st_mode, st_nlink, st_uid, st_gid;
};

int win_open(const char *path, int flags, ...);
int win_stat(const char *path, struct win_stat *info);
int win_lstat(const char *path, struct win_stat *info);
int win_fstat(int file, struct win_stat *info);
int64_t win_lseek(int file, int64_t offset, int from);
ssize_t win_read(int file, void *to, size_t bytes);
ssize_t win_write(int file, const void *from, size_t bytes);
ssize_t win_pread(int file, void *to, size_t bytes, int64_t at);
ssize_t win_pwrite(int file, const void *from, size_t bytes, int64_t at);
int win_rename(const char *from, const char *to);
int win_link(const char *from, const char *to);
int win_unlink(const char *path);
int win_flock(int file, int operation);
int win_duplicate(int file);
char *win_realpath(const char *path);
char *win_strndup(const char *text, size_t most);
/* As scandir, in the order of names. */
int win_scandir(
    const char *folder, struct dirent ***entries, int (*takes)(const struct dirent *entry));
/* Fails with ENOSYS: only a link to a file that does not exist is read. */
ssize_t win_readlink(const char *path, char *text, size_t bytes);

#undef stat
#undef fstat
#undef lstat
#undef lseek
#undef ftruncate
#undef fileno
#define stat                             win_stat /* the struct and the function */
#define lstat(path, info)                win_lstat(path, info)
#define fstat(file, info)                win_fstat(file, info)
#define open(...)                        win_open(__VA_ARGS__)
#define lseek(file, offset, from)        win_lseek(file, offset, from)
#define read(file, to, bytes)            win_read(file, to, bytes)
#define write(file, from, bytes)         win_write(file, from, bytes)
#define pread(file, to, bytes, at)       win_pread(file, to, bytes, at)
#define pwrite(file, from, bytes, at)    win_pwrite(file, from, bytes, at)
#define ftruncate(file, bytes)           ((int)_chsize_s(file, bytes))
#define fsync(file)                      _commit(file)
#define fdatasync(file)                  _commit(file)
#define rename(from, to)                 win_rename(from, to)
#define link(from, to)                   win_link(from, to)
#define unlink(path)                     win_unlink(path)
#define flock(file, operation)           win_flock(file, operation)
#define fcntl(file, command, number)     win_duplicate(file)
#define realpath(path, buffer)           win_realpath(path)
#define readlink(path, text, bytes)      win_readlink(path, text, bytes)
#define strndup(text, most)              win_strndup(text, most)
#define scandir(folder, all, takes, way) ((void)(way), win_scandir(folder, all, takes))
#define fchmod(file, mode)               ((void)(mode), 0) /* a file has its folder's rights */
#define fchown(file, user, group)        0
#define geteuid()                        0u
#define sysconf(name)                    2000L /* descriptors of the C library */

#endif
