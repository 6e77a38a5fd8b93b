/* SPDX-License-Identifier: MIT */
/*
 * Arrays in real files, in a folder of the test's own: every format there and back, what is
 * refused, and that a target is either replaced as a whole or left alone.
 */
#define _XOPEN_SOURCE 700 /* symlink */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/array.h"
#include "support/folder.h"
#include "support/require.h"

static void write_file(const char *path, const cli_array *array)
{
    cli_pair pair = CLI_PAIR_INIT;
    cli_error error = {0};
    if (!cli_open_pair(&pair, path, NULL, &error) || !cli_write_pair(&pair, array, NULL, &error))
        fail_msg("%s", error.text);
    cli_close_pair(&pair);
}

static void refuse_keys(const char *path, dmm_type type, const char *reason)
{
    cli_array array;
    cli_error error = {0};
    bool ok = cli_read_keys(&array, path, type, &error);
    test_note("%s: '%s'", path, error.text);
    REQUIRE(!ok && error.exit_code == CLI_MISTAKE && strstr(error.text, reason) != NULL);
    cli_free_array(&array);
}

static void every_type_survives_every_format(void **state)
{
    static const char *const paths[] = {"a.npy", "a.bin", "a.txt", "a.csv", "A.NPY"};
    /* As any type these are numbers, not NaNs, whose bits text does not keep. */
    static const unsigned char bytes[48] = {
        0, 1, 2, 3, 0x3C, 0x40, 0x7B, 0x80, 0xFB, 0x12, 0x55, 0x66};
    (void)state;
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++) {
        uint32_t item_bytes = dmm_type_bytes(type);
        cli_array array = {.type = type,
            .item_bytes = item_bytes,
            .count = sizeof bytes / item_bytes,
            .data = (void *)(uintptr_t)bytes};
        for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
            cli_array again;
            cli_error error = {0};
            write_file(paths[i], &array);
            test_note("%s as %s: %s", paths[i], dmm_type_name(type), error.text);
            REQUIRE(cli_read_keys(&again, paths[i], type, &error));
            REQUIRE(again.type == type && again.count == array.count);
            REQUIRE((uintptr_t)again.data % item_bytes == 0);
            REQUIRE(memcmp(again.data, bytes, sizeof bytes) == 0);
            cli_free_array(&again);
        }
    }
    empty_folder();
}

static void keys_of_the_other_byte_order_are_swapped(void **state)
{
    static const char file[] = "\x93NUMPY\x01\0\x37\0{'descr': '>u4', 'fortran_order': False, "
                               "'shape': (2,)}\0\0\0\x05\x01\x02\x03\x04";
    cli_array array;
    cli_error error = {0};
    (void)state;
    put("big.npy", file, sizeof file - 1);
    REQUIRE(cli_read_keys(&array, "big.npy", DMM_ITEM, &error));
    /* The header has 65 bytes, so the items had to be moved to be aligned. */
    REQUIRE((uintptr_t)array.data % 4 == 0);
    REQUIRE(((uint32_t *)array.data)[0] == 5 && ((uint32_t *)array.data)[1] == 0x01020304);
    cli_free_array(&array);
    refuse_keys("big.npy", DMM_F32, "it holds u32, but -t says f32");
    empty_folder();
}

static void values_keep_their_numpy_type(void **state)
{
    static const char file[] = "\x93NUMPY\x01\0\x3B\0{'descr': '>M8[us]', 'fortran_order': False, "
                               "'shape': (1,)}12345678";
    cli_array array;
    cli_error error = {0};
    (void)state;
    put("v.npy", file, sizeof file - 1);
    put("v.bin", "abcdef", 6);
    REQUIRE(cli_read_values(&array, "v.npy", 0, 1, &error));
    REQUIRE(
        array.type == DMM_ITEM && array.item_bytes == 8 && memcmp(array.data, "12345678", 8) == 0);
    write_file("w.npy", &array);
    cli_free_array(&array);
    REQUIRE(cli_read_values(&array, "w.npy", 8, 1, &error));
    REQUIRE(strcmp(array.descr, ">M8[us]") == 0 && memcmp(array.data, "12345678", 8) == 0);
    cli_free_array(&array);

    REQUIRE(cli_read_values(&array, "v.bin", 3, 2, &error));
    write_file("w.npy", &array);
    cli_free_array(&array);
    REQUIRE(cli_read_values(&array, "w.npy", 0, 2, &error));
    REQUIRE(strcmp(array.descr, "|V3") == 0 && memcmp(array.data, "abcdef", 6) == 0);
    cli_free_array(&array);
    empty_folder();
}

static void values_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        const char *path;
        uint64_t value_bytes;
        size_t count;
        const char *reason;
    } cases[] = {
        {"v.bin", 0, 6, "--value-bytes 1 to 256"},
        {"v.bin", 257, 6, "--value-bytes 1 to 256"},
        {"v.bin", 4, 1, "not whole items"},
        {"v.bin", 2, 2, "3 values for 2 keys"},
        {"v.txt", 1, 6, ".npy or .bin"},
        {"no.bin", 1, 6, "No such file"},
    };
    (void)state;
    put("v.bin", "abcdef", 6);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cli_array array;
        cli_error error = {0};
        bool ok =
            cli_read_values(&array, cases[i].path, cases[i].value_bytes, cases[i].count, &error);
        test_note("case %zu: '%s'", i, error.text);
        REQUIRE(
            !ok && error.exit_code == CLI_MISTAKE && strstr(error.text, cases[i].reason) != NULL);
        cli_free_array(&array);
    }
    empty_folder();
}

static void unreadable_keys_are_refused(void **state)
{
    (void)state;
    put("a.bin", "abcdef", 6);
    put("a.npy", "abcdef", 6);
    put("empty.npy", "", 0);
    put("a.dat", "1\n", 2);
    refuse_keys("a.bin", DMM_ITEM, "give -t TYPE");
    refuse_keys("a.bin", DMM_U32, "not whole items");
    refuse_keys("a.npy", DMM_ITEM, "not a NumPy file");
    refuse_keys("empty.npy", DMM_ITEM, "not a NumPy file");
    refuse_keys("a.dat", DMM_ITEM, "must end in");
    refuse_keys(".npy", DMM_ITEM, "must end in");
    refuse_keys("", DMM_ITEM, "must end in");
    refuse_keys("no.txt", DMM_ITEM, "No such file");
    assert_int_equal(mkdir("folder.txt", 0777), 0);
    refuse_keys("folder.txt", DMM_ITEM, "cannot read");
    assert_int_equal(rmdir("folder.txt"), 0);
    empty_folder();
}

static void nothing_changes_before_the_commit(void **state)
{
    static const uint8_t items[] = {7, 8};
    cli_array array = {
        .type = DMM_U8, .item_bytes = 1, .count = 2, .data = (void *)(uintptr_t)items};
    cli_pair pair = CLI_PAIR_INIT;
    cli_error error = {0};
    (void)state;
    put("k.bin", "old", 3);
    REQUIRE(cli_open_pair(&pair, "k.bin", "v.bin", &error));
    REQUIRE(cli_write_array(&pair.keys, &array, &error));
    require_content("k.bin", "old", 3);
    cli_close_pair(&pair);
    require_content("k.bin", "old", 3);
    REQUIRE(empty_folder() == 1);

    REQUIRE(cli_open_pair(&pair, "k.bin", "v.bin", &error));
    REQUIRE(cli_write_pair(&pair, &array, &array, &error));
    cli_close_pair(&pair);
    require_content("k.bin", items, 2);
    require_content("v.bin", items, 2);
    REQUIRE(empty_folder() == 2);
}

static void a_target_keeps_its_permissions_and_links(void **state)
{
    static const uint8_t items[] = {7, 8};
    cli_array array = {
        .type = DMM_U8, .item_bytes = 1, .count = 2, .data = (void *)(uintptr_t)items};
    struct stat info;
    mode_t mask = umask(027);
    (void)state;
    put("old.bin", "old", 3);
    assert_int_equal(chmod("old.bin", 0604), 0);
    assert_int_equal(symlink("old.bin", "link.bin"), 0);
    write_file("link.bin", &array);
    require_content("old.bin", items, 2);
    assert_int_equal(stat("old.bin", &info), 0);
    REQUIRE((info.st_mode & 07777) == 0604);
    assert_int_equal(lstat("link.bin", &info), 0);
    REQUIRE(S_ISLNK(info.st_mode));
    write_file("new.bin", &array);
    assert_int_equal(stat("new.bin", &info), 0);
    REQUIRE((info.st_mode & 07777) == 0640);
    umask(mask);
    REQUIRE(empty_folder() == 3);
}

static void one_file_for_keys_and_values_is_refused(void **state)
{
    cli_pair pair = CLI_PAIR_INIT;
    cli_error error = {0};
    (void)state;
    REQUIRE(!cli_open_pair(&pair, "k.bin", "k.bin", &error));
    REQUIRE(strstr(error.text, "a file of its own") != NULL);
    cli_close_pair(&pair);
    put("k.bin", "old", 3);
    assert_int_equal(symlink("./k.bin", "l.bin"), 0);
    REQUIRE(!cli_open_pair(&pair, "k.bin", "l.bin", &error));
    cli_close_pair(&pair);
    require_content("k.bin", "old", 3);
    REQUIRE(empty_folder() == 2);
}

static void outputs_that_cannot_be_made_are_refused(void **state)
{
    static const char *const paths[] = {"no/k.bin", "/", ".", "k.bin/k.bin"};
    (void)state;
    put("k.bin", "old", 3);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        cli_pair pair = CLI_PAIR_INIT;
        cli_error error = {0};
        test_note("%s", paths[i]);
        REQUIRE(!cli_open_pair(&pair, paths[i], NULL, &error));
        REQUIRE(
            error.exit_code == CLI_MISTAKE && strncmp(error.text, paths[i], strlen(paths[i])) == 0);
        cli_close_pair(&pair);
    }
    REQUIRE(empty_folder() == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_survives_every_format),
        cmocka_unit_test(keys_of_the_other_byte_order_are_swapped),
        cmocka_unit_test(values_keep_their_numpy_type),
        cmocka_unit_test(values_that_do_not_fit_are_refused),
        cmocka_unit_test(unreadable_keys_are_refused),
        cmocka_unit_test(nothing_changes_before_the_commit),
        cmocka_unit_test(a_target_keeps_its_permissions_and_links),
        cmocka_unit_test(one_file_for_keys_and_values_is_refused),
        cmocka_unit_test(outputs_that_cannot_be_made_are_refused),
    };
    return cmocka_run_group_tests_name("cli files", tests, enter_folder, leave_folder);
}
