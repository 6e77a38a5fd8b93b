/* SPDX-License-Identifier: MIT */
/* ctest: wrap=dmm_sort_host */
/*
 * dmm sort --check when the library is wrong: the __wrap_dmm_sort_host below stands in for the
 * library's dmm_sort_host and lies as it is told. The command must notice, exit with 3 and leave
 * the old output as it was.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm/sort.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "support/folder.h"
#include "support/require.h"

typedef enum lie { HONEST, UNSORTED, LAST_KEY_LOST, VALUES_UNMOVED, TIES_EXCHANGED, FAILS } lie;

static lie told;

static void exchange(char *a, char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

dmm_status __wrap_dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n);

/* Insertion sort of u8 keys, with the values; argsort writes u32 indices. */
dmm_status __wrap_dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n)
{
    uint8_t *key = keys;
    char *value = values;
    size_t bytes = desc->value_bytes;
    (void)ctx;
    for (uint32_t i = 0; desc->argsort && i < n; i++)
        memcpy(value + i * bytes, &i, bytes);
    if (told == FAILS)
        return DMM_OUT_OF_MEMORY;
    if (told == UNSORTED)
        return DMM_OK;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && key[j - 1] > key[j]; j--) {
            exchange((char *)&key[j - 1], (char *)&key[j], 1);
            if (bytes > 0 && told != VALUES_UNMOVED)
                exchange(value + (j - 1) * bytes, value + j * bytes, bytes);
        }
    if (told == LAST_KEY_LOST)
        key[n - 1] = key[n - 2];
    if (told == TIES_EXCHANGED)
        exchange(value + bytes, value + 2 * bytes, bytes);
    return DMM_OK;
}

/* dmm sort --check -t u8 k.bin -o o.bin MORE... */
static int sort_with(lie this_one, char *const *more)
{
    char *argv[16] = {"sort", "--check", "-t", "u8", "k.bin", "-o", "o.bin"};
    int argc = 7;
    for (; *more; more++)
        argv[argc++] = *more;
    told = this_one;
    put_text("k.bin", "baac");
    put_text("v.bin", "0123");
    put_text("o.bin", "old");
    return dmm_cli_sort(argc, argv);
}

static char *const keys_alone[] = {NULL};
static char *const with_values[] = {
    "--values", "v.bin", "--value-bytes", "1", "--values-out", "w.bin", NULL};
static char *const with_indices[] = {"--argsort", "--values-out", "w.bin", NULL};

static void right_results_are_written(void **state)
{
    (void)state;
    REQUIRE(sort_with(HONEST, keys_alone) == CLI_OK);
    require_text("o.bin", "aabc");
    REQUIRE(sort_with(HONEST, with_values) == CLI_OK);
    require_text("w.bin", "1203");
    REQUIRE(sort_with(HONEST, with_indices) == CLI_OK);
    require_text("o.bin", "aabc");
    unlink("w.bin");
}

static void wrong_results_exit_with_3_and_are_not_written(void **state)
{
    static const struct {
        lie told;
        char *const *more;
    } cases[] = {{UNSORTED, keys_alone}, {LAST_KEY_LOST, keys_alone}, {UNSORTED, with_values},
        {LAST_KEY_LOST, with_values}, {VALUES_UNMOVED, with_values}, {UNSORTED, with_indices},
        {VALUES_UNMOVED, with_indices}, {TIES_EXCHANGED, with_indices}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_note("case %zu", i);
        REQUIRE(sort_with(cases[i].told, cases[i].more) == CLI_CHECK_FAILED);
        require_text("o.bin", "old");
        REQUIRE(access("w.bin", F_OK) != 0);
    }
}

static void failures_of_the_library_exit_with_2(void **state)
{
    (void)state;
    REQUIRE(sort_with(FAILS, keys_alone) == CLI_DEVICE);
    require_text("o.bin", "old");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_results_are_written),
        cmocka_unit_test(wrong_results_exit_with_3_and_are_not_written),
        cmocka_unit_test(failures_of_the_library_exit_with_2),
    };
    return cmocka_run_group_tests_name("cli check", tests, enter_folder, leave_folder);
}
