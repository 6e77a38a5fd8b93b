/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The parts of host/core that need no device: statuses, types, size arithmetic, temp layouts,
 * settings, the choice of parameters.
 */
#include "support/require.h"

#include <string.h>

#include <dmm/types.h>

#include "core/size.h"
#include "core/temp.h"
#include "core/tuning.h"

static void every_status_has_a_text_of_its_own(void **state)
{
    enum { LAST = DMM_BAD_SETTING, FIRST_OPENCL = -69 };
    const char *const unknown = dmm_status_string(LAST + 1);
    (void)state;
    for (int code = FIRST_OPENCL; code <= LAST + 1; code++) {
        test_note("code %d", code);
        REQUIRE(dmm_status_string(code) != NULL && *dmm_status_string(code) != '\0');
    }
    for (int code = DMM_OK; code <= LAST; code++)
        for (int other = DMM_OK; other < code; other++) {
            test_note("codes %d and %d", code, other);
            REQUIRE(strcmp(dmm_status_string(code), dmm_status_string(other)) != 0);
            REQUIRE(strcmp(dmm_status_string(code), unknown) != 0);
        }
    test_note("OpenCL's codes are named, and what to install is said");
    REQUIRE(strstr(dmm_status_string(CL_OUT_OF_RESOURCES), "CL_OUT_OF_RESOURCES") != NULL);
    REQUIRE(strstr(dmm_status_string(DMM_NO_PLATFORM), "pocl-opencl-icd") != NULL);
    REQUIRE(dmm_status_string(INT32_MIN) != NULL && dmm_status_string(INT32_MAX) != NULL);
}

static void status_numbers_are_pinned(void **state)
{
    const int pinned[] = {DMM_OK, DMM_NULL_ARGUMENT, DMM_BAD_VALUE, DMM_NO_PLATFORM, DMM_NO_DEVICE,
        DMM_OUT_OF_MEMORY, DMM_BUILD_FAILED, DMM_TEMP_TOO_SMALL, DMM_TOO_LARGE, DMM_OVERLAP,
        DMM_WRONG_QUEUE, DMM_MISALIGNED, DMM_SPAN_TOO_SMALL, DMM_UNSUPPORTED, DMM_BAD_PARAMETERS,
        DMM_BAD_SETTING, DMM_BAD_DATA, DMM_WRONG_RESULT};
    (void)state;
    for (int i = 0; i < (int)(sizeof pinned / sizeof pinned[0]); i++)
        REQUIRE(pinned[i] == i);
    REQUIRE(DMM_BAD_FILE == 19);
}

static void types_have_names_and_sizes(void **state)
{
    const struct {
        dmm_type type;
        const char *name;
        uint32_t bytes;
    } types[] = {{DMM_U32, "u32", 4}, {DMM_U8, "u8", 1}, {DMM_I8, "i8", 1}, {DMM_U16, "u16", 2},
        {DMM_I16, "i16", 2}, {DMM_I32, "i32", 4}, {DMM_U64, "u64", 8}, {DMM_I64, "i64", 8},
        {DMM_F16, "f16", 2}, {DMM_F32, "f32", 4}, {DMM_F64, "f64", 8}, {DMM_ITEM, "item", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        REQUIRE((size_t)types[i].type == i);
        REQUIRE(strcmp(dmm_type_name(types[i].type), types[i].name) == 0);
        REQUIRE(dmm_type_bytes(types[i].type) == types[i].bytes);
    }
    REQUIRE(dmm_type_name((dmm_type)12) == NULL && dmm_type_bytes((dmm_type)12) == 0);
    REQUIRE(dmm_type_name((dmm_type)-1) == NULL && dmm_type_bytes((dmm_type)-1) == 0);
}

static void size_arithmetic_saturates(void **state)
{
    const uint64_t most = UINT64_MAX, half = (uint64_t)1 << 32;
    (void)state;
    REQUIRE(dmm_size_add(3, 4) == 7 && dmm_size_add(most, 0) == most);
    REQUIRE(dmm_size_add(most, 1) == most && dmm_size_add(most - 3, 4) == most);
    REQUIRE(dmm_size_mul(3, 4) == 12 && dmm_size_mul(0, most) == 0 && dmm_size_mul(most, 0) == 0);
    REQUIRE(dmm_size_mul(half, half) == most && dmm_size_mul(half, half - 1) == half * (half - 1));
    REQUIRE(dmm_size_mul(most, 1) == most && dmm_size_mul(most / 2 + 1, 2) == most);
    REQUIRE(dmm_size_div_up(0, 5) == 0 && dmm_size_div_up(1, 5) == 1);
    REQUIRE(dmm_size_div_up(5, 5) == 1 && dmm_size_div_up(6, 5) == 2);
    REQUIRE(dmm_size_div_up(most, 2) == half / 2 * half);
    REQUIRE(!dmm_is_power_of_two(0) && dmm_is_power_of_two(1) && dmm_is_power_of_two(half));
    REQUIRE(!dmm_is_power_of_two(3) && !dmm_is_power_of_two(most));
}

static void temp_regions_are_aligned_and_apart(void **state)
{
    const uint64_t sizes[][2] = {{10, 3}, {0, 8}, {1, 256}, {257, 1}, {0, 0}, {100, 4}};
    dmm_temp temp = {.bytes = 0};
    uint64_t end = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint64_t offset = dmm_temp_region(&temp, sizes[i][0], sizes[i][1]);
        test_note("region %d", (int)i);
        REQUIRE(offset % DMM_TEMP_ALIGN == 0 && offset >= end);
        end = offset + sizes[i][0] * sizes[i][1];
        REQUIRE(temp.bytes >= end && temp.bytes % DMM_TEMP_ALIGN == 0);
        REQUIRE(temp.bytes < end + DMM_TEMP_ALIGN);
    }
}

static void a_temp_too_large_for_any_device_stays_so(void **state)
{
    const uint64_t sizes[][2] = {{UINT64_MAX, 1}, {UINT64_MAX / 2, 3}, {UINT64_MAX - 100, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        dmm_temp temp = {.bytes = 0};
        dmm_temp_region(&temp, 10, 10);
        dmm_temp_region(&temp, sizes[i][0], sizes[i][1]);
        test_note("%d", (int)i);
        REQUIRE(temp.bytes == UINT64_MAX);
        dmm_temp_region(&temp, 1, 1);
        REQUIRE(temp.bytes == UINT64_MAX);
    }
}

typedef struct line_kept {
    char text[512];
    int lines;
} line_kept;

static void keep(void *user, const char *line)
{
    line_kept *const kept = user;
    snprintf(kept->text, sizeof kept->text, "%s", line);
    kept->lines++;
}

static void settings_that_are_right_are_applied(void **state)
{
    dmm_device device = {.banks = {32, DMM_SOURCE_DEFAULT}, .lanes = {32, DMM_SOURCE_QUERY}};
    dmm_tuning tuning = {.tile = 512};
    const dmm_log none = {NULL, NULL};
    (void)state;
    test_note("settings");
    REQUIRE_OK(dmm_settings_apply(NULL, &device, &tuning, &none));
    REQUIRE_OK(dmm_settings_apply("", &device, &tuning, &none));
    REQUIRE_OK(dmm_settings_apply(",banks=16,,u=128,E=15,", &device, &tuning, &none));
    REQUIRE_OK(dmm_settings_apply("form=cpu,search=plain,E=7", &device, &tuning, &none));
    REQUIRE(device.banks.value == 16 && device.banks.source == DMM_SOURCE_OVERRIDE);
    REQUIRE(device.lanes.value == 32 && device.lanes.source == DMM_SOURCE_QUERY);
    REQUIRE(tuning.u == 128 && tuning.E == 7 && tuning.tile == 512);
    REQUIRE(tuning.form == DMM_FORM_CPU && tuning.search == DMM_TILE_SEARCH_PLAIN);
}

static void settings_that_are_wrong_are_refused_and_explained(void **state)
{
    static const char *const wrong[][2] = {{"bank=16", "'bank'"}, {"banks", "'banks'"},
        {"banks=", "banks="}, {"banks=0", "banks=0"}, {"banks=3", "banks=3"},
        {"banks=256", "banks=256"}, {"banks=16x", "16x"}, {"banks=-16", "-16"},
        {"banks= 16", " 16"}, {"banks=+16", "+16"}, {"E=0", "E=0"}, {"E=33", "E=33"},
        {"E=18446744073709551617", "E"}, {"u=48", "u=48"}, {"u=2048", "u=2048"},
        {"form=gpux", "gpux"}, {"form=", "form="}, {"search=best", "best"},
        {"tile=100", "tile=100"}, {"=16", "''"}, {"sync_width=2", "sync_width=2"},
        {"form=1", "gpu cpu"}, {"u=128,x=1", "'x'"}, {"Banks=16", "'Banks'"},
        {"form=gpu cpu", "gpu cpu"}, {"banks=4294967312", "banks"}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        dmm_device device = {.banks = {32, DMM_SOURCE_DEFAULT}};
        dmm_tuning tuning = {.E = 0};
        line_kept kept = {.lines = 0};
        const dmm_log log = {keep, &kept};
        test_note("setting '%s'", wrong[i][0]);
        REQUIRE_STATUS(DMM_BAD_SETTING, dmm_settings_apply(wrong[i][0], &device, &tuning, &log));
        REQUIRE(kept.lines == 1 && strstr(kept.text, wrong[i][1]) != NULL);
        REQUIRE(device.banks.value == 32);
    }
}

static void a_stronger_tuning_covers_a_weaker_one_field_by_field(void **state)
{
    const dmm_tuning weak = {DMM_FORM_CPU, 64, 8, 128, DMM_TILE_SEARCH_CF};
    const dmm_tuning none = {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT};
    const dmm_tuning some = {DMM_FORM_GPU, 0, 15, 0, DMM_TILE_SEARCH_PLAIN};
    const dmm_tuning kept = dmm_tuning_over(&none, &weak), mixed = dmm_tuning_over(&some, &weak);
    (void)state;
    REQUIRE(kept.form == DMM_FORM_CPU && kept.u == 64 && kept.E == 8 && kept.tile == 128);
    REQUIRE(kept.search == DMM_TILE_SEARCH_CF);
    REQUIRE(mixed.form == DMM_FORM_GPU && mixed.u == 64 && mixed.E == 15 && mixed.tile == 128);
    REQUIRE(mixed.search == DMM_TILE_SEARCH_PLAIN);
}

static dmm_device device_of(uint64_t banks, uint64_t local_bytes, uint64_t max_group)
{
    return (dmm_device){.kind = DMM_KIND_GPU,
        .banks = {banks, DMM_SOURCE_DEFAULT},
        .bank_bytes = {4, DMM_SOURCE_DEFAULT},
        .local_bytes = {local_bytes, DMM_SOURCE_QUERY},
        .max_group = {max_group, DMM_SOURCE_QUERY}};
}

/* Whatever the device and the item, chosen parameters fit: or the choice is refused. */
static void chosen_parameters_fit_the_device(void **state)
{
    const dmm_tuning none = {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT};
    const dmm_log quiet = {NULL, NULL};
    uint32_t chosen = 0;
    (void)state;
    for (uint64_t banks = 4; banks <= 128; banks *= 2)
        for (uint64_t local = 1024; local <= 1 << 18; local *= 4)
            for (uint64_t group = 32; group <= 4096; group *= 2)
                for (uint32_t item = 1; item <= 264; item += 1 + item / 3) {
                    const dmm_device device = device_of(banks, local, group);
                    const dmm_footprint f = {
                        .item_bytes = item, .local_bytes = item + 4, .group_bytes = 4};
                    dmm_parameters p;
                    test_note("banks=%d local=%d group=%d item=%u", (int)banks, (int)local,
                        (int)group, item);
                    const dmm_status status = dmm_parameters_choose(&p, &device, &none, &f, &quiet);
                    REQUIRE(status == DMM_OK || status == DMM_BAD_PARAMETERS);
                    if (status != DMM_OK)
                        continue;
                    chosen++;
                    REQUIRE(!p.cpu && dmm_is_power_of_two(p.u) && p.u >= banks && p.u <= group);
                    REQUIRE(p.E >= 1 && p.E <= 32 && p.tile == p.u * p.E);
                    REQUIRE(p.tile * f.local_bytes + p.u * f.group_bytes <= local);
                }
    REQUIRE(chosen > 300);
}

static void a_common_gpu_is_never_refused(void **state)
{
    const dmm_tuning none = {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT};
    const dmm_log quiet = {NULL, NULL};
    const dmm_device device = device_of(32, 49152, 256);
    (void)state;
    for (uint32_t item = 1; item <= 264; item++) {
        const dmm_footprint f = {.item_bytes = item, .local_bytes = item + 4, .group_bytes = 4};
        dmm_parameters p;
        test_note("items of %u bytes", item);
        REQUIRE_OK(dmm_parameters_choose(&p, &device, &none, &f, &quiet));
    }
}

/* 4096 keys of 4 bytes with positions take 36,608 bytes of padded planes and 1,024 beside them. */
static void a_tile_of_pairs_keeps_16_items_a_work_item(void **state)
{
    const dmm_tuning none = {DMM_FORM_DEFAULT, 0, 0, 0, DMM_TILE_SEARCH_DEFAULT};
    const dmm_log quiet = {NULL, NULL};
    const dmm_footprint f = {.item_bytes = 8, .planes = 2, .plane_bytes = 4, .group_bytes = 4};
    dmm_parameters p;
    (void)state;
    for (uint64_t local = 32768; local <= 65536; local += 16384) {
        const dmm_device device = device_of(32, local, 1024);
        test_note("local memory of %d bytes", (int)local);
        REQUIRE_OK(dmm_parameters_choose(&p, &device, &none, &f, &quiet));
        REQUIRE(p.u == 256 && p.E == (local > 32768 ? 16 : 8));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(status_numbers_are_pinned),
        cmocka_unit_test(types_have_names_and_sizes),
        cmocka_unit_test(size_arithmetic_saturates),
        cmocka_unit_test(temp_regions_are_aligned_and_apart),
        cmocka_unit_test(a_temp_too_large_for_any_device_stays_so),
        cmocka_unit_test(settings_that_are_right_are_applied),
        cmocka_unit_test(settings_that_are_wrong_are_refused_and_explained),
        cmocka_unit_test(a_stronger_tuning_covers_a_weaker_one_field_by_field),
        cmocka_unit_test(chosen_parameters_fit_the_device),
        cmocka_unit_test(a_common_gpu_is_never_refused),
        cmocka_unit_test(a_tile_of_pairs_keeps_16_items_a_work_item),
    };
    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
