/* SPDX-License-Identifier: MIT */
/* Included before each test that is built for Windows: the functions of POSIX that tests call. */
#ifndef DMM_TESTS_WINDOWS_POSIX_H
#define DMM_TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <io.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return overwrite || getenv(name) == NULL ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

static inline char *mkdtemp(char *template)
{
    return _mktemp(template) != NULL && _mkdir(template) == 0 ? template : NULL;
}

#define mkdir(path, mode) _mkdir(path)

#endif
