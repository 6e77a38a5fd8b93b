/* SPDX-License-Identifier: MIT */
/* ctest: default */
/* Text to arrays: one number a line, of every type, and the errors with their lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/number.h"
#include "cli/text.h"
#include "cli/utf8.h"
#include "support/random.h"
#include "support/require.h"

/* Parses a copy of exactly these bytes and the NUL that the parser may count on. */
static bool parse_bytes(
    cli_array *out, const char *text, size_t bytes, dmm_type type, cli_error *error)
{
    char *copy = malloc(bytes + 1);
    assert_non_null(copy);
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    *error = (cli_error){0};
    *out = (cli_array){.count = 0};
    bool ok = cli_parse_text(out, copy, bytes, type, "x.txt", error);
    REQUIRE(ok == (error->exit_code == CLI_OK));
    free(copy);
    return ok;
}

static cli_array parse(const char *text, dmm_type type)
{
    cli_array array;
    cli_error error;
    test_note("'%s'", text);
    if (!parse_bytes(&array, text, strlen(text), type, &error))
        fail_msg("'%s': %s", text, error.text);
    return array;
}

static void refuse(const char *text, dmm_type type, const char *reason)
{
    cli_array array;
    cli_error error;
    test_note("'%s'", text);
    REQUIRE(!parse_bytes(&array, text, strlen(text), type, &error));
    test_note("'%s' is refused with: %s", text, error.text);
    REQUIRE(error.exit_code == CLI_MISTAKE);
    REQUIRE(strstr(error.text, reason) != NULL);
    cli_free_array(&array);
}

static void accept_i64(const char *text, size_t count, const int64_t *expected)
{
    cli_array array = parse(text, DMM_ITEM);
    REQUIRE(array.type == DMM_I64 && array.count == count);
    REQUIRE(memcmp(array.data, expected, count * sizeof *expected) == 0);
    cli_free_array(&array);
}

static void lines_end_in_any_way(void **state)
{
    static const int64_t numbers[] = {1, -2, 3};
    (void)state;
    accept_i64("1\n-2\n3\n", 3, numbers);
    accept_i64("1\n-2\n3", 3, numbers);
    accept_i64("1\r\n-2\r\n3\r\n", 3, numbers);
    accept_i64("\n\n  1\t\n\r\n-2 \n+3\n\n \n", 3, numbers);
    accept_i64("\xEF\xBB\xBF"
               "1\n-2\n3\n",
        3, numbers);
    accept_i64("", 0, numbers);
    accept_i64("\n", 0, numbers);
    accept_i64("  ", 0, numbers);
    accept_i64("1", 1, numbers);
}

static void the_type_follows_the_numbers(void **state)
{
    (void)state;
    cli_array array = parse("9223372036854775807\n-9223372036854775808\n", DMM_ITEM);
    REQUIRE(array.type == DMM_I64 && ((int64_t *)array.data)[1] == INT64_MIN);
    cli_free_array(&array);
    array = parse("0\n18446744073709551615\n", DMM_ITEM);
    REQUIRE(array.type == DMM_U64 && ((uint64_t *)array.data)[1] == UINT64_MAX);
    cli_free_array(&array);
    array = parse("1\n2\n3.5\n-4\n", DMM_ITEM);
    REQUIRE(array.type == DMM_F64 && array.count == 4 && ((double *)array.data)[2] == 3.5);
    REQUIRE(((double *)array.data)[0] == 1.0 && ((double *)array.data)[3] == -4.0);
    cli_free_array(&array);
    array = parse("inf\n-Infinity\nNaN\n1e-3\n.5\n5.\n", DMM_ITEM);
    REQUIRE(array.type == DMM_F64 && array.count == 6);
    const double *d = array.data;
    REQUIRE(d[0] == HUGE_VAL && d[1] == -HUGE_VAL && isnan(d[2]));
    REQUIRE(d[3] == 1e-3 && d[4] == 0.5 && d[5] == 5.0);
    cli_free_array(&array);
    refuse("-1\n18446744073709551615\n", DMM_ITEM, "line 2");
    refuse("18446744073709551615\n-1\n", DMM_ITEM, "line 2");
    refuse("5\n18446744073709551616\n", DMM_ITEM, "do not fit one type");
    refuse("-9223372036854775809\n", DMM_ITEM, "do not fit one type");
}

static void what_is_no_number_is_refused_with_its_line(void **state)
{
    static const char *const texts[] = {"x", "1x", "--1", "+-1", "-", "+", ".", "e5", "1e", "1e+",
        "0x10", "0x1p3", "1,2", "1 2", "nano", "in", "infi", "1.2.3", "1_000", "\"1\"", "nan(1)",
        "1;", "\x80", "1\v"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "1\n\n2\n%s\n3\n", texts[i]);
        refuse(text, DMM_ITEM, "x.txt: line 4: ");
        refuse(text, DMM_F64, "x.txt: line 4: ");
        refuse(text, DMM_I32, "x.txt: line 4: ");
    }
    refuse("1\n\x1b[31mred\n", DMM_ITEM, "'?[31mred' is not a number");
}

static void a_nul_in_the_text_is_no_number(void **state)
{
    static const char *const texts[] = {"1\n2\0\n3", "1\n\0002\n3", "1\n2.\0\n3"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        for (dmm_type type = DMM_U32; type <= DMM_ITEM; type++) {
            cli_array array;
            cli_error error;
            test_note("text %zu, type %d", i, (int)type);
            REQUIRE(!parse_bytes(&array, texts[i], i == 2 ? 7 : 6, type, &error));
            REQUIRE(strstr(error.text, "line 2") != NULL);
            cli_free_array(&array);
        }
    }
}

static void every_integer_type_has_its_limits(void **state)
{
    static const struct {
        dmm_type type;
        const char *least, *below, *most, *above;
    } limits[] = {
        {DMM_U8, "0", "-1", "255", "256"},
        {DMM_I8, "-128", "-129", "127", "128"},
        {DMM_U16, "0", "-1", "65535", "65536"},
        {DMM_I16, "-32768", "-32769", "32767", "32768"},
        {DMM_U32, "-0", "-1", "4294967295", "4294967296"},
        {DMM_I32, "-2147483648", "-2147483649", "2147483647", "2147483648"},
        {DMM_U64, "0", "-1", "18446744073709551615", "18446744073709551616"},
        {DMM_I64, "-9223372036854775808", "-9223372036854775809", "9223372036854775807",
            "9223372036854775808"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s\n%s\n", limits[i].least, limits[i].most);
        cli_array array = parse(text, limits[i].type);
        REQUIRE(array.type == limits[i].type && array.count == 2);
        cli_free_array(&array);
        refuse(limits[i].below, limits[i].type, "out of the range of");
        refuse(limits[i].above, limits[i].type, "out of the range of");
        refuse("99999999999999999999999999", limits[i].type, "out of the range of");
        refuse("1.0", limits[i].type, "not a whole number");
        refuse("1e3", limits[i].type, "not a whole number");
        refuse("inf", limits[i].type, "not a whole number");
    }
}

static void every_float_type_has_its_limits(void **state)
{
    (void)state;
    refuse("1e309", DMM_F64, "out of the range of");
    refuse("-1e309", DMM_ITEM, "out of the range of f64");
    refuse("3.5e38", DMM_F32, "out of the range of");
    refuse("-65520", DMM_F16, "out of the range of");
    cli_array array = parse("65519.99\n-inf\n1e-99\n5.9604645e-8\n", DMM_F16);
    const uint16_t *half = array.data;
    REQUIRE(half[0] == 0x7BFF && half[1] == 0xFC00 && half[2] == 0 && half[3] == 1);
    cli_free_array(&array);
    array = parse("1e-400\n-1e-400\n5e-324\n2e-324\n", DMM_F64);
    const double *d = array.data;
    REQUIRE(d[0] == 0 && signbit(d[1]) && d[2] == 5e-324 && d[3] == 0);
    cli_free_array(&array);
}

static void halves_round_to_nearest_even(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x7C00; bits++) {
        double below = cli_half_to_double((uint16_t)bits);
        double above = bits + 1 < 0x7C00 ? cli_half_to_double((uint16_t)(bits + 1)) : 65536.0;
        double middle = (below + above) / 2;
        uint16_t even = (uint16_t)(bits + (bits & 1));
        test_note("half %04x", (unsigned)bits);
        REQUIRE(cli_half_from_double(below) == bits);
        REQUIRE(cli_half_from_double(-below) == (0x8000 | bits));
        REQUIRE(cli_half_from_double(middle) == even);
        REQUIRE(cli_half_from_double(nextafter(middle, 0.0)) == bits);
        REQUIRE(cli_half_from_double(nextafter(middle, 1e9)) == bits + 1);
    }
    REQUIRE(cli_half_from_double(HUGE_VAL) == 0x7C00 && cli_half_from_double(-1e300) == 0xFC00);
    REQUIRE((cli_half_from_double(NAN) & 0x7FFF) > 0x7C00);
    REQUIRE(isnan(cli_half_to_double(0x7E00)) && cli_half_to_double(0xFC00) == -HUGE_VAL);
}

static void random_damage_is_survived(void **state)
{
    static const char letters[] = "0123456789+-.eEnaif \t\r\n\n\n\nx";
    random_source random = {2026};
    (void)state;
    for (int round = 0; round < 100000; round++) {
        char text[64];
        size_t bytes = random_below(&random, sizeof text);
        dmm_type type = (dmm_type)random_below(&random, DMM_ITEM + 1);
        cli_array array;
        cli_error error;
        test_note("seed 2026, round %d", round);
        for (size_t i = 0; i < bytes; i++)
            text[i] = random_below(&random, 50) ? letters[random_below(&random, sizeof letters - 1)]
                                                : (char)random_below(&random, 256);
        if (parse_bytes(&array, text, bytes, type, &error))
            REQUIRE(array.count <= bytes && (type == DMM_ITEM || array.type == type));
        cli_free_array(&array);
    }
}

/* Every text of up to two bytes, and the bounds of longer characters. */
static void utf8_is_told_from_other_bytes(void **state)
{
    static const struct {
        const char *text;
        size_t bytes;
    } rows[] = {{"a", 1}, {"", 1}, {"\xC3\xA9", 2}, {"\xE2\x82\xAC", 3}, {"\xF0\x9F\x98\x80", 4},
        {"\xF4\x8F\xBF\xBF", 4}, {"\xF4\x90\x80\x80", 0}, {"\xED\x9F\xBF", 3}, {"\xED\xA0\x80", 0},
        {"\xE0\x9F\xBF", 0}, {"\xF0\x8F\xBF\xBF", 0}, {"\xE2\x82", 0}, {"\xF0\x9F\x98", 0},
        {"\xE2\x28\xA1", 0}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_note("text %zu", i);
        REQUIRE(cli_utf8_bytes(rows[i].text) == rows[i].bytes);
    }
    for (unsigned first = 1; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            const char text[] = {(char)first, (char)second, '\0'};
            const int is_pair = first >= 0xC2 && first < 0xE0 && second >= 0x80 && second < 0xC0;
            test_note("bytes %02x %02x", first, second);
            REQUIRE(cli_utf8_bytes(text) == (first < 0x80 ? 1u : is_pair ? 2u : 0u));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_told_from_other_bytes),
        cmocka_unit_test(lines_end_in_any_way),
        cmocka_unit_test(the_type_follows_the_numbers),
        cmocka_unit_test(what_is_no_number_is_refused_with_its_line),
        cmocka_unit_test(a_nul_in_the_text_is_no_number),
        cmocka_unit_test(every_integer_type_has_its_limits),
        cmocka_unit_test(every_float_type_has_its_limits),
        cmocka_unit_test(halves_round_to_nearest_even),
        cmocka_unit_test(random_damage_is_survived),
    };
    return cmocka_run_group_tests_name("cli text", tests, NULL, NULL);
}
