/* SPDX-License-Identifier: MIT */
/* ctest: optimised */
/*
 * The folder of compiled programs: what is written is read, by any number of processes at once;
 * what was changed, cut or put there by others is not; the folder stays below its size; and with or
 * without it a context computes the same.
 */
#include "support/require.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dmm/cache.h>
#include <dmm/sort.h>

#include "core/cache.h"
#include "support/random.h"

enum { PROGRAM_BYTES = 5000, PROCESSES = 200, DAMAGES = 1000 };

static char folder[64];
static char last_line[4096];
static const char key[] = "device 1\ndriver 2\nsources";

static void keep_line(void *user, const char *line)
{
    (void)user;
    snprintf(last_line, sizeof last_line, "%s", line);
}

static dmm_cache open_cache(void)
{
    dmm_cache cache;
    const dmm_log log = {keep_line, NULL};
    REQUIRE_OK(dmm_cache_open(&cache, folder, &log));
    return cache;
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "cache-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    strcat(folder, "/a/b"); /* made when it is needed */
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    const int failed = dmm_cache_clear(folder) != DMM_OK;
    for (int i = 0; i < 3; i++) {
        rmdir(folder);
        char *const slash = strrchr(folder, '/');
        if (slash != NULL)
            *slash = '\0';
    }
    return failed;
}

/* The only program in the folder. */
static void path_of_file(char path[512])
{
    DIR *const dir = opendir(folder);
    REQUIRE(dir != NULL);
    path[0] = '\0';
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            snprintf(path, 512, "%s/%s", folder, entry->d_name);
    closedir(dir);
    REQUIRE(path[0] != '\0');
}

static int reads_back(const dmm_cache *cache, const unsigned char *program)
{
    size_t bytes = 0;
    unsigned char *const got = dmm_cache_read(cache, key, &bytes);
    const int same =
        got != NULL && bytes == PROGRAM_BYTES && memcmp(got, program, PROGRAM_BYTES) == 0;
    REQUIRE(got == NULL || same);
    free(got);
    return same;
}

static void what_is_written_is_read(void **state)
{
    unsigned char program[PROGRAM_BYTES];
    uint64_t programs = 9, bytes = 9;
    size_t got_bytes = 0;
    random_source random = {1};
    (void)state;
    random_bytes(&random, program, sizeof program);
    dmm_cache cache = open_cache();
    REQUIRE_OK(dmm_cache_usage(folder, &programs, &bytes));
    REQUIRE(programs == 0 && bytes == 0);
    REQUIRE(!reads_back(&cache, program));
    dmm_cache_write(&cache, key, program, sizeof program);
    REQUIRE(reads_back(&cache, program));
    REQUIRE(dmm_cache_read(&cache, "device 1\ndriver 3\nsources", &got_bytes) == NULL);
    program[7] ^= 1;
    dmm_cache_write(&cache, key, program, sizeof program);
    REQUIRE(reads_back(&cache, program));
    REQUIRE_OK(dmm_cache_usage(folder, &programs, &bytes));
    REQUIRE(programs == 1 && bytes > PROGRAM_BYTES);
    REQUIRE_OK(dmm_cache_clear(folder));
    REQUIRE(!reads_back(&cache, program));
    dmm_cache_close(&cache);
}

/* Flips a bit, cuts the file, lengthens it, or puts something else there. */
static void damage(const char *path, random_source *random)
{
    struct stat about;
    FILE *const file = fopen(path, "r+b");
    REQUIRE(file != NULL && stat(path, &about) == 0);
    const uint64_t how = random_next(random) % 8,
                   at = random_next(random) % (uint64_t)about.st_size;
    if (how == 0) {
        REQUIRE(truncate(path, (off_t)at) == 0);
    } else if (how == 1) {
        REQUIRE(fseek(file, 0, SEEK_END) == 0 && fputc((int)(at & 255), file) != EOF);
    } else if (how == 2) {
        REQUIRE(truncate(path, 0) == 0 && fputs("#!/bin/sh\n", file) != EOF);
    } else {
        REQUIRE(fseek(file, (long)at, SEEK_SET) == 0);
        const int byte = fgetc(file);
        REQUIRE(fseek(file, (long)at, SEEK_SET) == 0);
        REQUIRE(fputc(byte ^ (1 << at % 8), file) != EOF);
    }
    fclose(file);
}

static void no_damaged_file_is_believed(void **state)
{
    unsigned char program[PROGRAM_BYTES];
    char path[512];
    random_source random = {2};
    (void)state;
    random_bytes(&random, program, sizeof program);
    dmm_cache cache = open_cache();
    for (int i = 0; i < DAMAGES; i++) {
        test_note("damage %d", i);
        dmm_cache_write(&cache, key, program, sizeof program);
        path_of_file(path);
        damage(path, &random);
        last_line[0] = '\0';
        REQUIRE(!reads_back(&cache, program));
        REQUIRE(last_line[0] == '\0' || strstr(last_line, "not a sound program") != NULL);
    }
    dmm_cache_write(&cache, key, program, sizeof program);
    REQUIRE(reads_back(&cache, program));
    dmm_cache_close(&cache);
}

/* Files that others could have written, and what is no file. */
static void only_files_that_this_user_alone_writes_are_read(void **state)
{
    static const mode_t modes[] = {0620, 0602, 0666};
    unsigned char program[PROGRAM_BYTES];
    char path[512], other[520];
    random_source random = {3};
    (void)state;
    random_bytes(&random, program, sizeof program);
    dmm_cache cache = open_cache();
    REQUIRE_OK(dmm_cache_clear(folder));
    dmm_cache_write(&cache, key, program, sizeof program);
    path_of_file(path);
    snprintf(other, sizeof other, "%s.x", path);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        test_note("mode %o", (unsigned)modes[i]);
        REQUIRE(chmod(path, modes[i]) == 0);
        last_line[0] = '\0';
        REQUIRE(!reads_back(&cache, program));
        REQUIRE(strstr(last_line, "skipped") != NULL);
    }
    REQUIRE(chmod(path, 0644) == 0);
    REQUIRE(reads_back(&cache, program));
    test_note("a folder that others can write"); /* its files still belong to someone */
    REQUIRE(chmod(folder, 0777) == 0);
    last_line[0] = '\0';
    REQUIRE(reads_back(&cache, program) && last_line[0] == '\0');
    test_note("another user's");
    if (geteuid() == 0) {
        REQUIRE(chown(path, 12345, 12345) == 0);
        REQUIRE(!reads_back(&cache, program));
        REQUIRE(strstr(last_line, "skipped") != NULL);
        REQUIRE(chown(path, 0, 0) == 0);
    }
    REQUIRE(chmod(folder, 0700) == 0);
    test_note("a symbolic link");
    REQUIRE(rename(path, other) == 0 && symlink(strrchr(other, '/') + 1, path) == 0);
    REQUIRE(!reads_back(&cache, program));
    REQUIRE(unlink(path) == 0 && unlink(other) == 0);
    test_note("a FIFO"); /* which nobody writes: the alarm ends a process that waits */
    REQUIRE(mkfifo(path, 0600) == 0);
    alarm(20);
    REQUIRE(!reads_back(&cache, program));
    alarm(0);
    dmm_cache_write(&cache, key, program, sizeof program);
    REQUIRE(reads_back(&cache, program));
    test_note("a folder");
    REQUIRE(unlink(path) == 0 && mkdir(path, 0700) == 0);
    REQUIRE(!reads_back(&cache, program));
    REQUIRE_STATUS(DMM_BAD_FILE, dmm_cache_clear(folder));
    REQUIRE(rmdir(path) == 0);
    REQUIRE_OK(dmm_cache_clear(folder));
    dmm_cache_close(&cache);
}

static void many_processes_share_a_folder(void **state)
{
    unsigned char program[PROGRAM_BYTES];
    random_source random = {3};
    (void)state;
    random_bytes(&random, program, sizeof program);
    dmm_cache cache = open_cache();
    REQUIRE_OK(dmm_cache_clear(folder));
    last_line[0] = '\0';
    for (int i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) { /* reads nothing or all of it, whoever writes meanwhile */
            size_t bytes = 0;
            for (int k = 0; k < 5; k++) {
                unsigned char *const got = dmm_cache_read(&cache, key, &bytes);
                if (got != NULL &&
                    (bytes != sizeof program || memcmp(got, program, sizeof program) != 0))
                    _exit(1);
                free(got);
                dmm_cache_write(&cache, key, program, sizeof program);
            }
            _exit(last_line[0] != '\0');
        }
    }
    for (int i = 0; i < PROCESSES; i++) {
        int how = 0;
        REQUIRE(wait(&how) > 0 && WIFEXITED(how) && WEXITSTATUS(how) == 0);
    }
    REQUIRE(reads_back(&cache, program));
    dmm_cache_close(&cache);
}

static void the_folder_keeps_its_size(void **state)
{
    unsigned char program[PROGRAM_BYTES] = {0};
    uint64_t programs = 0, bytes = 0;
    char name[32];
    (void)state;
    dmm_cache cache = open_cache();
    REQUIRE_OK(dmm_cache_clear(folder));
    cache.max_bytes = 10 * PROGRAM_BYTES;
    for (int i = 0; i < 30; i++) {
        snprintf(name, sizeof name, "key %d", i);
        dmm_cache_write(&cache, name, program, sizeof program);
        REQUIRE_OK(dmm_cache_usage(folder, &programs, &bytes));
        REQUIRE(bytes <= cache.max_bytes);
    }
    REQUIRE(programs == 9);
    dmm_cache_close(&cache);
}

static void other_files_stay(void **state)
{
    char path[128];
    (void)state;
    snprintf(path, sizeof path, "%s/0123456789abcdef.dmm.txt.bak.longer", folder);
    FILE *const file = fopen(path, "w");
    REQUIRE(file != NULL);
    fclose(file);
    REQUIRE_OK(dmm_cache_clear(folder));
    REQUIRE(access(path, F_OK) == 0);
    REQUIRE(unlink(path) == 0);
}

/* Once with an empty folder, once with a full one, once with damaged files. */
static void a_context_computes_the_same_from_the_folder(void **state)
{
    char path[512];
    uint64_t programs = 0, bytes = 0;
    random_source random = {4};
    (void)state;
    REQUIRE_OK(dmm_cache_clear(folder));
    for (int run = 0; run < 3; run++) {
        uint32_t keys[] = {7, 1, 8, 2, 8, 0};
        const uint32_t sorted[] = {0, 1, 2, 7, 8, 8};
        const dmm_context_desc desc = {.cache = folder, .cache_always = 1, .log = keep_line};
        const dmm_sort_desc sort = {0};
        dmm_context *ctx = NULL;
        REQUIRE_OK(dmm_context_create(&ctx, &desc));
        REQUIRE_OK(dmm_sort_host(ctx, &sort, keys, NULL, sizeof keys / sizeof *keys));
        REQUIRE(memcmp(keys, sorted, sizeof sorted) == 0);
        dmm_context_free(ctx);
        REQUIRE_OK(dmm_cache_usage(folder, &programs, &bytes));
        REQUIRE(programs > 0 && bytes > 1000);
        path_of_file(path);
        if (run == 1)
            damage(path, &random);
    }
}

static void a_folder_that_cannot_be_used_is_no_error(void **state)
{
    unsigned char program[PROGRAM_BYTES] = {0};
    uint64_t programs = 0, bytes = 0;
    dmm_cache cache;
    const dmm_log log = {keep_line, NULL};
    (void)state;
    last_line[0] = '\0';
    REQUIRE_OK(dmm_cache_open(&cache, "/dev/null/x", &log));
    dmm_cache_write(&cache, key, program, sizeof program);
    REQUIRE(strstr(last_line, "cannot be written") != NULL);
    REQUIRE(!reads_back(&cache, program));
    dmm_cache_close(&cache);
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_cache_usage("/dev/null/x", &programs, &bytes));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_cache_usage(NULL, &programs, &bytes));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_cache_clear(NULL));
    REQUIRE_OK(dmm_cache_usage("no/such/folder", &programs, &bytes));
    REQUIRE(programs == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(no_damaged_file_is_believed),
        cmocka_unit_test(only_files_that_this_user_alone_writes_are_read),
        cmocka_unit_test(many_processes_share_a_folder),
        cmocka_unit_test(the_folder_keeps_its_size),
        cmocka_unit_test(other_files_stay),
        cmocka_unit_test(a_context_computes_the_same_from_the_folder),
        cmocka_unit_test(a_folder_that_cannot_be_used_is_no_error),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
