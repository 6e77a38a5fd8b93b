/* SPDX-License-Identifier: MIT */
/*
 * What the library uses of the system: files that are replaced whole and read only if nobody else
 * can write them, folders, threads, random numbers. The same on POSIX and on Windows.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/os.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <sddl.h>
#define SLASH "\\"
#else
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#define SLASH "/"
#endif

enum { MOST = 1000, THREADS = 8, ROUNDS = 1000 };

static char folder[64] = "os-test-XXXXXX";
static char path[128];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return 1;
    strcat(folder, SLASH "a" SLASH "b");
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    dmm_file_remove(path);
    for (int i = 0; i < 3; i++) {
        char *const slash = strrchr(folder, SLASH[0]);
        if (rmdir(folder) != 0)
            return 1;
        if (slash != NULL)
            *slash = '\0';
    }
    return 0;
}

static void write_text(dmm_file_trust trust, const char *first, const char *second)
{
    char why[DMM_FILE_WHY_BYTES];
    const dmm_file_part parts[] = {{first, strlen(first)}, {second, strlen(second)}};
    const char *const failed = dmm_file_replace(path, trust, parts, 2, why);
    if (failed != NULL)
        fail_msg("%s: %s", path, failed);
}

/* Lets everyone write the file, or nobody but this user. */
static void open_to_all(int open)
{
#if defined(_WIN32)
    PSECURITY_DESCRIPTOR rights = NULL;
    const char *const text = open ? "D:P(A;;FA;;;WD)" : "D:P(A;;FA;;;BA)(A;;FR;;;WD)";
    REQUIRE(
        ConvertStringSecurityDescriptorToSecurityDescriptorA(text, SDDL_REVISION_1, &rights, NULL));
    REQUIRE(SetFileSecurityA(path, DACL_SECURITY_INFORMATION, rights));
    LocalFree(rights);
#else
    REQUIRE(chmod(path, open ? 0666 : 0644) == 0);
#endif
}

static dmm_file_result read_file(dmm_file_trust trust, const char *expected)
{
    char *data = NULL;
    size_t bytes = 0;
    const dmm_file_result result = dmm_file_read(path, MOST, trust, &data, &bytes);
    if (result == DMM_FILE_READ) {
        REQUIRE(bytes == strlen(expected) && strcmp(data, expected) == 0);
        free(data);
    }
    return result;
}

static void a_file_is_replaced_whole(void **state)
{
    char why[DMM_FILE_WHY_BYTES];
    (void)state;
    const dmm_file_part none = {"", 0};
    REQUIRE(read_file(DMM_FILE_ANY, "") == DMM_FILE_ABSENT);
    REQUIRE(dmm_file_replace(path, DMM_FILE_ANY, &none, 1, why) == why && why[0] != '\0');
    dmm_folder_make(folder);
    dmm_folder_make(folder);
    write_text(DMM_FILE_PRIVATE, "first", "\r\n\x1a part");
    REQUIRE(read_file(DMM_FILE_PRIVATE, "first\r\n\x1a part") == DMM_FILE_READ);
    write_text(DMM_FILE_ANY, "", "second");
    REQUIRE(read_file(DMM_FILE_PRIVATE, "second") == DMM_FILE_READ);
    write_text(DMM_FILE_PRIVATE, "", "");
    REQUIRE(read_file(DMM_FILE_ANY, "") == DMM_FILE_READ);
}

#if !defined(_WIN32)
static void require_names(int count)
{
    char command[256];
    snprintf(command, sizeof command, "test $(ls -A %s | wc -l) = %d", folder, count);
    REQUIRE(system(command) == 0);
}

/* Links and rights stay, what is no file is refused, and what a kill left is taken. */
static void a_user_s_file_is_replaced_as_it_was(void **state)
{
    char link[160], left[160], why[DMM_FILE_WHY_BYTES];
    struct stat found;
    const dmm_file_part part = {"new", 3};
    (void)state;
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(left, sizeof left, "%s.dmm-0", path);
    write_text(DMM_FILE_ANY, "old", "");
    REQUIRE(chmod(path, 0640) == 0 && symlink("file", link) == 0);
    const int other = open(left, O_WRONLY | O_CREAT, 0600);
    REQUIRE(other >= 0 && write(other, "longer than new", 15) == 15 && flock(other, LOCK_EX) == 0);
    REQUIRE(dmm_file_replace(link, DMM_FILE_ANY, &part, 1, why) == NULL);
    REQUIRE(read_file(DMM_FILE_ANY, "new") == DMM_FILE_READ);
    REQUIRE(stat(path, &found) == 0 && (found.st_mode & 0777) == 0640);
    REQUIRE(lstat(link, &found) == 0 && S_ISLNK(found.st_mode));
    REQUIRE(stat(left, &found) == 0 && found.st_size == 15); /* its process lives */
    close(other);
    REQUIRE(dmm_file_replace(path, DMM_FILE_PRIVATE, &part, 1, why) == NULL);
    REQUIRE(read_file(DMM_FILE_PRIVATE, "new") == DMM_FILE_READ);
    require_names(2);
    REQUIRE(unlink(link) == 0 && unlink(path) == 0 && mkfifo(path, 0600) == 0);
    REQUIRE(symlink("file", left) == 0); /* somebody else's */
    REQUIRE(dmm_file_replace(path, DMM_FILE_ANY, &part, 1, why) == why);
    REQUIRE(strcmp(why, "not a regular file") == 0);
    REQUIRE(dmm_file_replace(path, DMM_FILE_PRIVATE, &part, 1, why) == NULL);
    REQUIRE(read_file(DMM_FILE_PRIVATE, "new") == DMM_FILE_READ);
    REQUIRE(unlink(left) == 0);
    require_names(1);
}
#endif

static void a_file_that_others_can_write_is_refused(void **state)
{
    (void)state;
    write_text(DMM_FILE_PRIVATE, "kept", "");
    open_to_all(1);
    REQUIRE(read_file(DMM_FILE_ANY, "kept") == DMM_FILE_READ);
    REQUIRE(read_file(DMM_FILE_PRIVATE, "kept") == DMM_FILE_REFUSED);
    open_to_all(0);
    REQUIRE(read_file(DMM_FILE_PRIVATE, "kept") == DMM_FILE_READ);
}

static void what_is_no_small_file_is_refused(void **state)
{
    char text[MOST + 2], *data = NULL;
    size_t bytes = 0;
    (void)state;
    memset(text, 'x', MOST + 1);
    text[MOST + 1] = '\0';
    write_text(DMM_FILE_ANY, text, "");
    REQUIRE(read_file(DMM_FILE_ANY, text) == DMM_FILE_REFUSED);
    write_text(DMM_FILE_ANY, text + 1, "");
    REQUIRE(read_file(DMM_FILE_ANY, text + 1) == DMM_FILE_READ);
    REQUIRE(dmm_file_read(folder, MOST, DMM_FILE_ANY, &data, &bytes) == DMM_FILE_REFUSED);
    FILE *const file = fopen(path, "rb");
    REQUIRE(file != NULL && dmm_file_bytes(file) == MOST);
    fclose(file);
}

static int count_file(void *user, const dmm_folder_entry *entry)
{
    const int64_t age = (int64_t)time(NULL) - entry->changed;
    if (strcmp(entry->name, "file") == 0)
        *(int *)user += entry->bytes == 4 && age > -5 && age < 60 ? 1 : 100;
    return 0;
}

static int stop(void *user, const dmm_folder_entry *entry)
{
    (void)user;
    (void)entry;
    return 7;
}

static void a_folder_lists_its_files(void **state)
{
    int count = 0;
    (void)state;
    write_text(DMM_FILE_ANY, "1234", "");
    dmm_file_touch(path);
    REQUIRE(dmm_folder_list(folder, count_file, &count) == 0 && count == 1);
    REQUIRE(dmm_folder_list(folder, stop, NULL) == 7);
    REQUIRE(dmm_folder_list("os-test-none", stop, NULL) == 0);
    REQUIRE(dmm_file_remove(path) && dmm_file_remove(path));
    REQUIRE(dmm_folder_list(folder, count_file, &count) == 0 && count == 1);
}

typedef struct relay {
    dmm_mutex mutex;
    dmm_condition turned;
    unsigned turn;
} relay;

typedef struct runner {
    dmm_thread thread;
    relay *relay;
    unsigned number;
} runner;

static dmm_once once = DMM_ONCE_INIT;
static unsigned once_runs;

static void count_run(void)
{
    once_runs++;
}

/* Waits for its turn, ROUNDS times. */
static void run_relay(void *user)
{
    runner *const r = user;
    dmm_once_run(&once, count_run);
    for (unsigned i = 0; i < ROUNDS; i++) {
        dmm_mutex_lock(&r->relay->mutex);
        while (r->relay->turn % THREADS != r->number)
            dmm_condition_wait(&r->relay->turned, &r->relay->mutex);
        r->relay->turn++;
        dmm_condition_broadcast(&r->relay->turned);
        dmm_mutex_unlock(&r->relay->mutex);
    }
}

static void threads_take_turns(void **state)
{
    relay all = {.turn = 0};
    runner runners[THREADS];
    (void)state;
    REQUIRE(dmm_mutex_init(&all.mutex) && dmm_condition_init(&all.turned));
    for (unsigned i = 0; i < THREADS; i++) {
        runners[i] = (runner){.relay = &all, .number = i};
        REQUIRE(dmm_thread_start(&runners[i].thread, run_relay, &runners[i]));
    }
    for (unsigned i = 0; i < THREADS; i++)
        dmm_thread_join(&runners[i].thread);
    REQUIRE(all.turn == THREADS * ROUNDS && once_runs == 1);
    dmm_condition_destroy(&all.turned);
    dmm_mutex_destroy(&all.mutex);
    REQUIRE(dmm_os_processors() >= 1 && dmm_os_process() == dmm_os_process());
}

static void random_bytes_differ(void **state)
{
    unsigned char a[37] = {0}, b[37] = {0};
    unsigned ones = 0;
    (void)state;
    REQUIRE(dmm_os_random(a, sizeof a) && dmm_os_random(b, sizeof b));
    REQUIRE(memcmp(a, b, sizeof a) != 0);
    for (size_t i = 0; i < sizeof a; i++)
        for (int bit = 0; bit < 8; bit++)
            ones += (unsigned)(a[i] ^ b[i]) >> bit & 1;
    REQUIRE(ones > 74 && ones < 222); /* 296 bits; 8.6 standard deviations */
}

static void settings_are_in_the_users_folder(void **state)
{
    char found[DMM_PATH_BYTES];
    (void)state;
#if defined(_WIN32)
    const char *const variable = "APPDATA", *const base = "C:\\users\\somebody";
#else
    const char *const variable = "XDG_CONFIG_HOME", *const base = "/home/somebody/settings";
#endif
    setenv(variable, base, 1);
    REQUIRE(dmm_os_settings_file(found, "tuning") == found);
    REQUIRE(strncmp(found, base, strlen(base)) == 0);
    REQUIRE(strcmp(found + strlen(base), SLASH "dmm" SLASH "tuning") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_whole),
#if !defined(_WIN32)
        cmocka_unit_test(a_user_s_file_is_replaced_as_it_was),
#endif
        cmocka_unit_test(a_file_that_others_can_write_is_refused),
        cmocka_unit_test(what_is_no_small_file_is_refused),
        cmocka_unit_test(a_folder_lists_its_files),
        cmocka_unit_test(threads_take_turns),
        cmocka_unit_test(random_bytes_differ),
        cmocka_unit_test(settings_are_in_the_users_folder),
    };
    return cmocka_run_group_tests_name("os", tests, make_folder, remove_folder);
}
