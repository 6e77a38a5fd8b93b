/* SPDX-License-Identifier: MIT */
/* ctest: wrap=link,rename,fdatasync,ftruncate,cli_sync_names */
/*
 * Outputs whose last steps fail: on a file system without hard links, under names that are taken,
 * when a move or a copy over an old file fails. Afterwards each target is old or new as a whole,
 * and what was to replace an old one is under the name that the message says.
 */
#define _XOPEN_SOURCE 700 /* fdatasync */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/beside.h"
#include "cli/output.h"
#include "support/folder.h"
#include "support/require.h"

/* Calls of a function, from 1, that fail: first .. last. 0, 0: none. */
typedef struct failing {
    int calls, first, last, reason;
} failing;

static failing links, renames, syncs, truncates, folder_syncs;

static int fails(failing *f)
{
    f->calls++;
    if (f->calls < f->first || f->calls > f->last)
        return 0;
    errno = f->reason;
    return 1;
}

#define WRAP(name, f, parameters, ...)                        \
    int __real_##name parameters;                             \
    int __wrap_##name parameters;                             \
    int __wrap_##name parameters                              \
    {                                                         \
        return fails(&(f)) ? -1 : __real_##name(__VA_ARGS__); \
    }

WRAP(link, links, (const char *from, const char *to), from, to)
WRAP(rename, renames, (const char *from, const char *to), from, to)
WRAP(fdatasync, syncs, (int fd), fd)
WRAP(ftruncate, truncates, (int fd, off_t bytes), fd, bytes)

bool __real_cli_sync_names(const char *target);
bool __wrap_cli_sync_names(const char *target);
bool __wrap_cli_sync_names(const char *target)
{
    return !fails(&folder_syncs) && __real_cli_sync_names(target);
}

static void none_fail(void)
{
    links = renames = syncs = truncates = folder_syncs = (failing){0, 0, 0, 0};
}

/* Writes "new a" and, if `two`, "new b" over files a and b, which are old. */
static bool replace_files(bool two, cli_error *error)
{
    cli_output a = CLI_OUTPUT_INIT, b = CLI_OUTPUT_INIT, *const both[] = {&a, &b};
    *error = (cli_error){0};
    const bool ok = cli_open_output(&a, "a", error) && cli_print(&a, error, "new a") &&
                    (!two || (cli_open_output(&b, "b", error) && cli_print(&b, error, "new b"))) &&
                    cli_commit_outputs(both, two ? 2 : 1, error);
    cli_close_output(&a);
    cli_close_output(&b);
    return ok;
}

static void put_old(void)
{
    put_text("a", "old a");
    put_text("b", "old b");
}

/* Requires that the message names a file with this content. */
static void require_whole(const cli_error *error, const char *text)
{
    static const char words[] = "the whole output is in ";
    const char *const at = strstr(error->text, words);
    test_note("message: %s", error->text);
    REQUIRE(at != NULL);
    require_text(at + strlen(words), text);
}

static void files_move_without_hard_links(void **state)
{
    cli_error error;
    (void)state;
    put_old();
    test_note("no hard links");
    links = (failing){0, 1, 9, EPERM};
    REQUIRE(replace_files(true, &error) && links.calls == 1);
    none_fail();
    require_text("a", "new a");
    require_text("b", "new b");
    REQUIRE(empty_folder() == 2);
}

/* The name of the process's number, and the next, are taken. */
static void a_name_that_is_taken_stays(void **state)
{
    char first[64], second[64];
    (void)state;
    snprintf(first, sizeof first, ".t.whole-%ld", (long)getpid());
    snprintf(second, sizeof second, ".t.whole-%ld", (long)getpid() + 1);
    for (int has_links = 0; has_links < 2; has_links++) {
        test_note("a name that is taken, links %d", has_links);
        put_text(first, "another's");
        put_text("part", "mine");
        if (!has_links)
            links = (failing){0, 1, 9, EPERM};
        char *const kept = cli_keep_beside("t", "part");
        none_fail();
        REQUIRE(kept != NULL && strcmp(kept, second) == 0);
        require_text(first, "another's");
        require_text(kept, "mine");
        free(kept);
        REQUIRE(empty_folder() == 2);
    }
    put_text("part", "mine");
    links = renames = (failing){0, 1, 9, EIO};
    REQUIRE(cli_keep_beside("t", "part") == NULL && errno == EIO);
    none_fail();
    require_text("part", "mine");
    REQUIRE(empty_folder() == 1);
}

static void a_move_that_fails_leaves_the_old_file(void **state)
{
    cli_error error;
    (void)state;
    put_old();
    test_note("the only move fails");
    renames = (failing){0, 1, 1, EACCES};
    REQUIRE(!replace_files(false, &error) && strstr(error.text, "cannot replace") != NULL);
    none_fail();
    require_text("a", "old a");
    REQUIRE(empty_folder() == 2);

    put_old();
    test_note("the second move fails");
    renames = (failing){0, 2, 2, EACCES};
    REQUIRE(!replace_files(true, &error) && strstr(error.text, "cannot replace") != NULL);
    none_fail();
    require_text("a", "new a");
    require_text("b", "old b");
    require_whole(&error, "new b");
    REQUIRE(empty_folder() == 3);

    put_old();
    test_note("neither a link nor a move keeps the second file");
    links = (failing){0, 1, 1, EPERM};
    renames = (failing){0, 1, 1, EIO};
    REQUIRE(!replace_files(true, &error));
    none_fail();
    require_text("a", "old a");
    require_text("b", "old b");
    REQUIRE(empty_folder() == 2);
}

static void data_that_reach_no_disk_replace_nothing(void **state)
{
    cli_error error;
    (void)state;
    for (int k = 1; k <= 2; k++) {
        put_old();
        test_note("fdatasync %d fails", k);
        syncs = (failing){0, k, k, EIO};
        REQUIRE(!replace_files(true, &error) && strstr(error.text, "cannot write") != NULL);
        none_fail();
        require_text("a", "old a");
        require_text("b", "old b");
        REQUIRE(empty_folder() == 2);
    }
}

/* Call 1: when the second file has its name beside its target; 2: when the first one is moved. */
static void names_that_reach_no_disk_are_told(void **state)
{
    cli_error error;
    (void)state;
    for (int k = 1; k <= 2; k++) {
        put_old();
        test_note("sync %d of the folder fails", k);
        folder_syncs = (failing){0, k, k, EIO};
        REQUIRE(!replace_files(true, &error) && strstr(error.text, "cannot write") != NULL);
        none_fail();
        require_text("a", k == 1 ? "old a" : "new a");
        require_text("b", "old b");
        require_whole(&error, "new b");
        REQUIRE(empty_folder() == 3);
    }
}

/* A file with another name is overwritten: what was to be there is kept. */
static void a_copy_that_fails_keeps_the_whole_output(void **state)
{
    cli_error error;
    (void)state;
    put_old();
    REQUIRE(__real_link("a", "other") == 0);
    test_note("the copy fails");
    truncates = (failing){0, 1, 1, EIO};
    REQUIRE(!replace_files(false, &error));
    none_fail();
    require_whole(&error, "new a");
    REQUIRE(empty_folder() == 4);

    put_old();
    REQUIRE(__real_link("a", "other") == 0);
    test_note("the output cannot be kept before the copy");
    links = (failing){0, 1, 1, EPERM};
    renames = (failing){0, 1, 1, EIO};
    REQUIRE(!replace_files(false, &error));
    none_fail();
    require_text("other", "old a");
    REQUIRE(empty_folder() == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_move_without_hard_links),
        cmocka_unit_test(a_name_that_is_taken_stays),
        cmocka_unit_test(a_move_that_fails_leaves_the_old_file),
        cmocka_unit_test(data_that_reach_no_disk_replace_nothing),
        cmocka_unit_test(names_that_reach_no_disk_are_told),
        cmocka_unit_test(a_copy_that_fails_keeps_the_whole_output),
    };
    return cmocka_run_group_tests_name("cli_moves", tests, enter_folder, leave_folder);
}
