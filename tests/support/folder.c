/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/require.h"

static char folder[] = "dmm-test-XXXXXX";

int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

int empty_folder(void)
{
    DIR *const entries = opendir(".");
    int count = 0;
    REQUIRE(entries != NULL);
    for (struct dirent *entry; (entry = readdir(entries));)
        count += unlink(entry->d_name) == 0; /* fails for . and .. */
    closedir(entries);
    return count;
}

int leave_folder(void **state)
{
    (void)state;
    empty_folder();
    return chdir("..") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

void put(const char *path, const void *bytes, size_t count)
{
    FILE *const file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

void put_text(const char *path, const char *text)
{
    put(path, text, strlen(text));
}

void require_content(const char *path, const void *bytes, size_t count)
{
    char got[4096];
    FILE *const file = fopen(path, "rb");
    test_note("content of %s", path);
    REQUIRE(file != NULL);
    const size_t n = fread(got, 1, sizeof got, file);
    fclose(file);
    REQUIRE(n == count && memcmp(got, bytes, count) == 0);
}

void require_text(const char *path, const char *text)
{
    require_content(path, text, strlen(text));
}
