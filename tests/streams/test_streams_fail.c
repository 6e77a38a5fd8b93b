/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Streams beyond memory, which have threads of their own, on the driver of liar/driver.h, whose
 * kernels compute nothing: each command ends with an error, or the device is lost at any call. No
 * stream succeeds then, or leaks, or hangs: none uses what a command that failed should have
 * written.
 */
#include "support/require.h"

#include <string.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "liar/driver.h"

enum { LIMIT_S = 60, ITEMS = 700, LISTS = 3, WAYS = 3, RUN = ITEMS / 4, STORE_BYTES = 64 * ITEMS };

/* Lists of zeros, and a store. */
static struct {
    uint64_t left[LISTS];
    unsigned char store[STORE_BYTES];
} files;

static void zero(void *items, uint64_t count)
{
    if (items != NULL)
        memset(items, 0, (size_t)count * sizeof(uint32_t));
}

static dmm_status read_list(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count)
{
    (void)user;
    *count = most < files.left[list] ? most : files.left[list];
    files.left[list] -= *count;
    zero(keys, *count);
    zero(values, *count);
    return DMM_OK;
}

static dmm_status read_items(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    return read_list(user, 0, keys, values, most, count);
}

static dmm_status read_labels(
    void *user, void *items, void *values, void *labels, uint64_t most, uint64_t *count)
{
    const dmm_status status = read_list(user, 0, items, values, most, count);
    memset(labels, 0, (size_t)*count);
    return status;
}

static dmm_status load_key(void *user, uint64_t list, uint64_t at, void *key)
{
    (void)user;
    (void)list;
    (void)at;
    zero(key, 1);
    return DMM_OK;
}

static dmm_status load_list(
    void *user, uint64_t list, uint64_t first, uint64_t count, void *keys, void *values)
{
    (void)user;
    REQUIRE(list < LISTS && first <= ITEMS && count <= ITEMS - first);
    zero(keys, count);
    zero(values, count);
    return DMM_OK;
}

static dmm_status drop(void *user, const void *keys, const void *values, uint64_t count)
{
    (void)user;
    (void)keys;
    (void)values;
    (void)count;
    return DMM_OK;
}

static dmm_status put(void *user, uint64_t at, const void *data, uint64_t bytes)
{
    (void)user;
    REQUIRE(at <= STORE_BYTES && bytes <= STORE_BYTES - at);
    memcpy(files.store + at, data, (size_t)bytes);
    return DMM_OK;
}

static dmm_status get(void *user, uint64_t at, void *data, uint64_t bytes)
{
    (void)user;
    REQUIRE(at <= STORE_BYTES && bytes <= STORE_BYTES - at);
    memcpy(data, files.store + at, (size_t)bytes);
    return DMM_OK;
}

/* Streams, with sizes of several runs, windows and blocks. */

static dmm_status sort(dmm_context *ctx)
{
    const dmm_sort_stream_desc desc = {
        .value_bytes = 4, .run_items = 200, .window_items = 64, .block_items = 4};
    return dmm_sort_stream_host(ctx, &desc,
        &(dmm_sort_stream_args){.read = read_items, .write = drop, .store = put, .load = get});
}

static dmm_status merge(dmm_context *ctx)
{
    static const uint64_t items[LISTS] = {ITEMS, 1, ITEMS / 2};
    const dmm_sort_stream_desc desc = {.value_bytes = 4, .window_items = 64, .block_items = 8};
    return dmm_merge_stream_host(ctx, &desc,
        &(dmm_merge_stream_args){
            .lists = LISTS, .items = items, .key = load_key, .load = load_list, .write = drop});
}

static dmm_status set(dmm_context *ctx)
{
    const dmm_set_stream_desc desc = {.op = DMM_SET_UNION, .value_bytes = 4, .window_items = 100};
    return dmm_set_stream_host(
        ctx, &desc, &(dmm_set_stream_args){.read = read_list, .write = drop});
}

static dmm_status unique(dmm_context *ctx)
{
    const dmm_unique_stream_desc desc = {.value_bytes = 4, .block_items = 100};
    return dmm_unique_stream_host(
        ctx, &desc, &(dmm_unique_stream_args){.read = read_items, .write = drop});
}

static dmm_status partition(dmm_context *ctx)
{
    const dmm_partition_stream_desc desc = {.partition = {.ways = WAYS,
                                                .by = DMM_PARTITION_BY_LABELS,
                                                .label_bytes = 1,
                                                .value_bytes = 4},
        .run_items = RUN,
        .window_items = 64};
    return dmm_partition_stream_host(ctx, &desc,
        &(dmm_partition_stream_args){
            .read = read_labels, .write = drop, .store = put, .load = get});
}

static dmm_status devices(dmm_context *ctx)
{
    static uint32_t keys[ITEMS], values[ITEMS];
    const dmm_sort_devices_desc desc = {.value_bytes = 4, .part_items = 100};
    return dmm_sort_devices_host(
        (dmm_context *const[]){ctx, ctx}, 1, &desc, keys, values, ITEMS, NULL);
}

/* What the device says of a block or a run, where no kernel counts: a run of equal keys, and where
 * buckets begin. */
static const uint64_t one_run = 1, offsets[WAYS + 1] = {0, RUN / 3, RUN / 2, RUN};

static const struct {
    const char *word;
    dmm_status (*run)(dmm_context *ctx);
    const void *read_data;
    size_t read_bytes;
} streams[] = {{"sort", sort, NULL, 0}, {"merge", merge, NULL, 0}, {"set", set, NULL, 0},
    {"unique", unique, &one_run, sizeof one_run}, {"partition", partition, offsets, sizeof offsets},
    {"devices", devices, NULL, 0}};

/* Calls a stream on an honest context. */
static dmm_status call(size_t stream, const char *form, const driver_lies *lies)
{
    dmm_context *ctx = NULL;
    for (size_t i = 0; i < LISTS; i++)
        files.left[i] = ITEMS;
    driver = (driver_state){.lies = {0}};
    REQUIRE_OK(dmm_context_create(&ctx, &(dmm_context_desc){.set = form, .ignore_environment = 1}));
    driver = (driver_state){.lies = *lies, .is_armed = 1, .live = driver.live};
    driver.lies.read_data = streams[stream].read_data;
    driver.lies.read_bytes = streams[stream].read_bytes;
    alarm(LIMIT_S);
    const dmm_status status = streams[stream].run(ctx);
    alarm(0);
    driver.is_armed = 0;
    dmm_context_free(ctx);
    const char *const misuse = driver.misuse;
    if (misuse != NULL)
        fail_msg("misuse: %s\n  in: %s", misuse, test_note_text());
    REQUIRE(driver.live == 0);
    return status;
}

/* Ignores what a last wait before a release returns, when all is on the host. */
static void require_failure(dmm_status status, dmm_status honest)
{
    const char *const failed = driver.failed;
    if (status == DMM_OK && driver.lies.lost_at == driver.calls &&
        strcmp(failed, "clWaitForEvents") == 0)
        return;
    if (status == DMM_OK)
        fail_msg("no error of %s\n  in: %s", failed, test_note_text());
    REQUIRE(status == driver.lies.error || status == honest ||
            status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

static size_t fail_each(size_t stream, const char *form, dmm_status honest)
{
    size_t cases = 0;
    for (size_t k = 1;; k++, cases++) {
        test_note("%s, %s: command %zu ends with an error", streams[stream].word, form, k);
        const dmm_status status =
            call(stream, form, &(driver_lies){.ends_at = k, .error = CL_OUT_OF_RESOURCES});
        if (driver.failed == NULL)
            break;
        require_failure(status, honest);
    }
    for (size_t k = 1;; k++, cases++) {
        test_note("%s, %s: lost at call %zu", streams[stream].word, form, k);
        const dmm_status status =
            call(stream, form, &(driver_lies){.lost_at = k, .error = CL_DEVICE_NOT_AVAILABLE});
        if (driver.failed == NULL)
            break;
        require_failure(status, honest);
    }
    return cases;
}

static void no_stream_passes_over_an_error(void **state)
{
    static const char *const forms[] = {"form=cpu", "form=gpu"};
    (void)state;
    for (size_t stream = 0; stream < sizeof streams / sizeof *streams; stream++)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            test_note("%s, %s, honest", streams[stream].word, forms[i]);
            const dmm_status honest = call(stream, forms[i], &(driver_lies){.fact = 0});
            REQUIRE_OK(honest); /* to its end */
            print_message("%s, %s: status %d, %zu cases\n", streams[stream].word, forms[i], honest,
                fail_each(stream, forms[i], honest));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_stream_passes_over_an_error)};
    return cmocka_run_group_tests_name("streams_fail", tests, NULL, NULL);
}
