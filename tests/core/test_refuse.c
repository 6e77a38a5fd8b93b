/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The texts of refused arguments, from dmm_error_text and in the log: docs/errors.md quotes them.
 */
#include "support/require.h"

#include <stdio.h>
#include <string.h>

#include <dmm/dmm.h>

enum { N = 1024 };

/* What is wrong with a sort of N u32 keys with u32 values. */
typedef struct mistake {
    dmm_status status;
    const char *text;
} mistake;

static const mistake mistakes[] = {
    {DMM_SPAN_TOO_SMALL, "dmm_sort: values_out: 4092 bytes from offset 4, needs 4 more"},
    {DMM_MISALIGNED, "dmm_sort: keys_out: offset_bytes is 2, no multiple of 4"},
    {DMM_NULL_ARGUMENT, "dmm_sort: values_in: no buffer, needs 4096 bytes"},
    {DMM_OVERLAP, "dmm_sort: values_out: shares bytes with keys_in"},
    {DMM_TEMP_TOO_SMALL, "dmm_sort: temp: a buffer of 4 bytes, needs "},
    {DMM_MISALIGNED, "dmm_sort: temp: offset_bytes is 128, no multiple of 256"},
    {DMM_TOO_LARGE, "dmm_sort: n: is 1025, more than 1024 (max_n of the description, or what can"},
    {CL_INVALID_EVENT_WAIT_LIST, "dmm_sort: wait: is NULL, but num_wait is 1"},
    {DMM_WRONG_QUEUE, "dmm_sort: queue: is of another cl_context than the object's dmm_context: "
                      "set .context in the dmm_context_desc to the queue's context"},
    {DMM_UNSUPPORTED, "dmm_sort: reserved: is not 0: begin with {0}, or use the version of dmm"},
};
/* Descriptions. */
static const mistake wrong_descs[] = {
    {DMM_BAD_VALUE, "dmm_sort: value_bytes: argsort needs 4 or 8, is 0"},
    {DMM_BAD_VALUE, "dmm_sort: order.item: is for DMM_ITEM, and order.type is u32"},
    {DMM_BAD_VALUE, "dmm_sort: bits: from 0 to 33 are not bits of u32"},
    {DMM_BAD_VALUE, "dmm_sort: method: 99 is no dmm_sort_method"},
    {DMM_UNSUPPORTED, "dmm_sort: reserved: is not 0"},
};

enum {
    NUM_MISTAKES = sizeof mistakes / sizeof *mistakes,
    NUM_WRONG_DESCS = sizeof wrong_descs / sizeof *wrong_descs
};

static char logged[1024];

static void keep_line(void *user, const char *line)
{
    (void)user;
    snprintf(logged, sizeof logged, "%s", line);
}

/* Requires the text of `m`, for its status alone and as the last line of the log. */
static void require_text(const mistake *m, dmm_status status)
{
    test_note("%s", m->text);
    REQUIRE_STATUS(m->status, status);
    if (strncmp(dmm_error_text(status), m->text, strlen(m->text)) != 0)
        fail_msg("'%s' instead of '%s'", dmm_error_text(status), m->text);
    REQUIRE(strcmp(dmm_error_text(status), logged) == 0);
    REQUIRE(dmm_error_text(DMM_BAD_FILE) == dmm_status_string(DMM_BAD_FILE));
    logged[0] = '\0';
}

static cl_mem new_buffer(cl_context context, size_t bytes)
{
    cl_int failed = CL_SUCCESS;
    const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &failed);
    REQUIRE_OK(failed);
    return buffer;
}

static dmm_context *new_context(void)
{
    const dmm_context_desc desc = {.log = keep_line};
    dmm_context *ctx = NULL;
    REQUIRE_OK(dmm_context_create(&ctx, &desc));
    return ctx;
}

static void arguments_are_named(void **state)
{
    const dmm_sort_desc desc = {.value_bytes = 4, .max_n = N};
    dmm_context *const ctx = new_context(), *const other = new_context();
    const cl_mem keys = new_buffer(dmm_context_cl(ctx), 4 * N);
    const cl_mem values = new_buffer(dmm_context_cl(ctx), 4 * N);
    const cl_mem little = new_buffer(dmm_context_cl(ctx), 4);
    dmm_sort *sort = NULL;
    (void)state;
    REQUIRE_OK(dmm_sort_create(&sort, ctx, &desc));
    for (int i = 0; i < NUM_MISTAKES; i++) {
        dmm_sort_args args = {.keys_in = {keys, 0},
            .values_in = {i == 2 ? NULL : values, 0},
            .keys_out = {keys, i == 1 ? 2 : 0},
            .values_out = {i == 3 ? keys : values, i == 0 ? 4 : 0},
            .temp = {i == 4 || i == 5 ? little : NULL, i == 5 ? 128 : 0}};
        args.reserved[0] = i == 9;
        require_text(&mistakes[i], dmm_sort_enqueue(sort, dmm_context_queue(i == 8 ? other : ctx),
                                       &args, i == 6 ? N + 1 : N, i == 7, NULL, NULL));
    }
    dmm_sort_free(sort);
    REQUIRE_OK(clReleaseMemObject(keys));
    REQUIRE_OK(clReleaseMemObject(values));
    REQUIRE_OK(clReleaseMemObject(little));
    dmm_context_free(other);
    dmm_context_free(ctx);
}

static void fields_of_a_description_are_named(void **state)
{
    dmm_context *const ctx = new_context();
    (void)state;
    for (int i = 0; i < NUM_WRONG_DESCS; i++) {
        dmm_sort_desc desc = {.argsort = i == 0,
            .order = {.item = i == 1 ? "int" : NULL},
            .bits = {0, i == 2 ? 33 : 0},
            .method = i == 3 ? (dmm_sort_method)99 : DMM_SORT_AUTO};
        dmm_sort *sort = NULL;
        desc.reserved[2] = i == 4;
        require_text(&wrong_descs[i], dmm_sort_create(&sort, ctx, &desc));
        REQUIRE(sort == NULL);
    }
    dmm_context_free(ctx);
}

/* The second primitive has the first's word in tuning files; its own name is in the text. */
static void host_forms_and_other_primitives_are_named(void **state)
{
    const mistake no_array = {DMM_NULL_ARGUMENT, "dmm_sort: values_in: is NULL"};
    const mistake no_context = {DMM_NULL_ARGUMENT, "dmm_reduce: ctx: is NULL"};
    const mistake no_type = {DMM_BAD_VALUE,
        "dmm_reduce: type: sums take no f16: give f32, and a map of f16 items by "
        "dmm_from_half(item)"};
    const dmm_sort_desc desc = {.value_bytes = 4};
    const dmm_reduce_desc halves = {.type = DMM_F16};
    dmm_context *const ctx = new_context();
    uint32_t keys[2] = {2, 1};
    dmm_reduce *reduce = NULL;
    (void)state;
    require_text(&no_array, dmm_sort_host(ctx, &desc, keys, NULL, 2));
    require_text(&no_type, dmm_reduce_create(&reduce, ctx, &halves));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_reduce_create(&reduce, NULL, &halves));
    REQUIRE(strcmp(dmm_error_text(DMM_NULL_ARGUMENT), no_context.text) == 0);
    REQUIRE_OK(dmm_sort_host(ctx, &(dmm_sort_desc){0}, keys, NULL, 2));
    REQUIRE(dmm_error_text(DMM_NULL_ARGUMENT) == dmm_status_string(DMM_NULL_ARGUMENT));
    dmm_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_named),
        cmocka_unit_test(fields_of_a_description_are_named),
        cmocka_unit_test(host_forms_and_other_primitives_are_named),
    };
    return cmocka_run_group_tests_name("refuse", tests, NULL, NULL);
}
