/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* Numbers to text: what is printed reads back as the same bits, and no shorter text would. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/number.h"
#include "support/random.h"
#include "support/require.h"

static const char *print(char out[CLI_NUMBER_CHARS], const void *item, dmm_type type)
{
    size_t length = cli_print_number(out, item, type);
    REQUIRE(length > 0 && length < CLI_NUMBER_CHARS);
    out[length] = '\0';
    return out;
}

static void expect(double value, const char *expected)
{
    char text[CLI_NUMBER_CHARS];
    test_note("%a", value);
    assert_string_equal(print(text, &value, DMM_F64), expected);
}

/* Significant digits of a text, zeros at the end aside. */
static int count_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (; *text && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && digits == 0))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

/* The C library's printf, with more and more digits until they read back: the other judge. Below a
 * power of two its nearest decimal may miss where another of as many digits reads back. */
static int fewest_digits(double value, dmm_type type)
{
    char text[64];
    for (int digits = 1;; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (type == DMM_F64 ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value)
            return digits;
    }
}

static void judge_f64(double value)
{
    char text[CLI_NUMBER_CHARS];
    print(text, &value, DMM_F64);
    double again = strtod(text, NULL);
    test_note("%a prints as %s", value, text);
    REQUIRE(memcmp(&again, &value, sizeof value) == 0);
    REQUIRE(value == 0 || count_digits(text) <= fewest_digits(value, DMM_F64));
}

static void judge_f32(float value)
{
    char text[CLI_NUMBER_CHARS];
    print(text, &value, DMM_F32);
    float again = strtof(text, NULL);
    test_note("%a prints as %s", (double)value, text);
    REQUIRE(memcmp(&again, &value, sizeof value) == 0);
    REQUIRE(value == 0 || count_digits(text) <= fewest_digits((double)value, DMM_F32));
}

static void known_floats_print_as_people_write_them(void **state)
{
    (void)state;
    expect(0.0, "0");
    expect(-0.0, "-0");
    expect(1.0, "1");
    expect(-100.0, "-100");
    expect(0.1, "0.1");
    expect(0.1 + 0.2, "0.30000000000000004");
    expect(1.0 / 3.0, "0.3333333333333333");
    expect(0.0001, "0.0001");
    expect(0.00001, "1e-5");
    expect(123456.789, "123456.789");
    expect(1e16, "10000000000000000");
    expect(1e17, "1e17");
    expect(1e23, "1e23");
    expect(9007199254740993.0, "9007199254740992");
    expect(5e-324, "5e-324");
    expect(2.2250738585072014e-308, "2.2250738585072014e-308");
    expect(-1.7976931348623157e308, "-1.7976931348623157e308");
    expect(HUGE_VAL, "inf");
    expect(-HUGE_VAL, "-inf");
    expect(NAN, "nan");
}

static void powers_of_two_and_their_neighbours_are_shortest(void **state)
{
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        double power = ldexp(1.0, e);
        judge_f64(power);
        judge_f64(nextafter(power, 0.0));
        judge_f64(nextafter(power, HUGE_VAL));
        if (e < -149 || e >= 128)
            continue;
        judge_f32((float)power);
        judge_f32(nextafterf((float)power, 0.0f));
    }
}

static void powers_of_ten_and_random_bits_are_shortest(void **state)
{
    random_source random = {7};
    (void)state;
    for (int e = -323; e <= 308; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        judge_f64(strtod(text, NULL));
    }
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_next(&random);
        uint32_t low = (uint32_t)bits;
        double wide;
        float narrow;
        memcpy(&wide, &bits, sizeof wide);
        memcpy(&narrow, &low, sizeof narrow);
        if (isfinite(wide))
            judge_f64(wide);
        if (isfinite(narrow))
            judge_f32(narrow);
    }
}

static void all_halves_read_back(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        char text[CLI_NUMBER_CHARS];
        uint16_t half = (uint16_t)bits, again = 0;
        const char *at = print(text, &half, DMM_F16);
        test_note("half %04x prints as %s", (unsigned)bits, text);
        REQUIRE(cli_parse_number(&at, &again, DMM_F16) == CLI_NUMBER_OK && *at == '\0');
        bool is_nan = (bits & 0x7FFF) > 0x7C00;
        REQUIRE(is_nan ? (again & 0x7FFF) > 0x7C00 : again == half);
    }
}

static void integers_read_back_at_their_limits(void **state)
{
    random_source random = {8};
    (void)state;
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++) {
        uint64_t bits[] = {0, 1, UINT64_MAX, 1ULL << 63, (1ULL << 63) - 1, 0x8080808080808080u};
        for (size_t i = 0; i < 1000 && !cli_is_float(type); i++) {
            char text[CLI_NUMBER_CHARS];
            uint64_t again = 0, item = i < 6 ? bits[i] : random_next(&random);
            const char *at = print(text, &item, type);
            test_note("%s of type %s", text, dmm_type_name(type));
            REQUIRE(cli_parse_number(&at, &again, type) == CLI_NUMBER_OK && *at == '\0');
            REQUIRE(memcmp(&again, &item, dmm_type_bytes(type)) == 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_floats_print_as_people_write_them),
        cmocka_unit_test(powers_of_two_and_their_neighbours_are_shortest),
        cmocka_unit_test(powers_of_ten_and_random_bits_are_shortest),
        cmocka_unit_test(all_halves_read_back),
        cmocka_unit_test(integers_read_back_at_their_limits),
    };
    return cmocka_run_group_tests_name("cli number", tests, NULL, NULL);
}
