/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * The reader of .npy headers: what NumPy writes passes, what is damaged or hostile is refused with
 * a reason and without a step out of bounds (each file lies in an allocation of its exact size, so
 * that AddressSanitizer sees one).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "support/random.h"
#include "support/require.h"

typedef struct file {
    char *bytes;
    size_t count;
} file;

/* A file of that version with the dictionary as it is given, and data bytes of 0. */
static file make_file(int version, const char *dictionary, size_t data_bytes)
{
    size_t length = strlen(dictionary);
    size_t begin = version == 1 ? 10 : 12;
    file f = {NULL, begin + length + data_bytes};
    f.bytes = calloc(f.count, 1);
    assert_non_null(f.bytes);
    memcpy(f.bytes, "\x93NUMPY", 6);
    f.bytes[6] = (char)version;
    for (size_t i = 8; i < begin; i++)
        f.bytes[i] = (char)(length >> 8 * (i - 8));
    memcpy(f.bytes + begin, dictionary, length);
    return f;
}

static bool parse(cli_npy *out, file f, cli_error *error)
{
    *error = (cli_error){0};
    bool ok = cli_parse_npy(out, f.bytes, f.count, "x.npy", error);
    REQUIRE(ok == (error->exit_code == CLI_OK));
    if (ok) {
        REQUIRE(out->item_bytes >= 1 && out->item_bytes <= CLI_VALUE_BYTES_MAX);
        REQUIRE(out->data_bytes_at <= f.count);
        REQUIRE(out->count == (f.count - out->data_bytes_at) / out->item_bytes);
        REQUIRE(strlen(out->descr) < CLI_DESCR_BYTES);
    }
    return ok;
}

static void accept(const char *dictionary, size_t data_bytes, dmm_type type, uint32_t item_bytes)
{
    cli_npy npy;
    cli_error error;
    for (int version = 1; version <= 3; version++) {
        file f = make_file(version, dictionary, data_bytes);
        test_note("version %d: %s", version, dictionary);
        REQUIRE(parse(&npy, f, &error));
        REQUIRE(npy.type == type);
        REQUIRE(npy.item_bytes == item_bytes);
        free(f.bytes);
    }
}

static void refuse(const char *dictionary, size_t data_bytes, const char *reason)
{
    cli_npy npy;
    cli_error error;
    file f = make_file(1, dictionary, data_bytes);
    test_note("%s", dictionary);
    REQUIRE(!parse(&npy, f, &error));
    test_note("%s: %s", dictionary, error.text);
    REQUIRE(error.exit_code == CLI_MISTAKE);
    REQUIRE(strstr(error.text, reason) != NULL);
    free(f.bytes);
}

static void headers_in_every_spelling_are_read(void **state)
{
    (void)state;
    accept("{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }      \n", 12, DMM_U32, 4);
    accept("{\"shape\":(3L,),\"fortran_order\":True,\"descr\":\">f8\"}", 24, DMM_F64, 8);
    accept("{'shape': (  2 , ) , 'descr' : '|u1' ,\n'fortran_order': False}", 2, DMM_U8, 1);
    accept("{'descr': '=i2', 'fortran_order': False, 'shape': (0,)}", 0, DMM_I16, 2);
    accept("{'descr': 'i8', 'fortran_order': False, 'shape': (1,)}", 8, DMM_I64, 8);
    accept("{'descr': '<f2', 'fortran_order': False, 'shape': (1,)}", 2, DMM_F16, 2);
}

static void every_key_type_has_its_descr(void **state)
{
    (void)state;
    for (dmm_type type = DMM_U32; type < DMM_ITEM; type++) {
        char descr[CLI_DESCR_BYTES], dictionary[128];
        cli_npy_descr(descr, type);
        snprintf(dictionary, sizeof dictionary,
            "{'descr': '%s', 'fortran_order': False, 'shape': (2,)}", descr);
        accept(dictionary, 2 * dmm_type_bytes(type), type, dmm_type_bytes(type));
    }
}

static void values_of_any_simple_type_are_read(void **state)
{
    (void)state;
    accept("{'descr': '|V12', 'fortran_order': False, 'shape': (1,)}", 12, DMM_ITEM, 12);
    accept("{'descr': '<c16', 'fortran_order': False, 'shape': (1,)}", 16, DMM_ITEM, 16);
    accept("{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}", 12, DMM_ITEM, 12);
    accept("{'descr': '|S256', 'fortran_order': False, 'shape': (1,)}", 256, DMM_ITEM, 256);
    accept("{'descr': '<M8[25us]', 'fortran_order': False, 'shape': (1,)}", 8, DMM_I64, 8);
    accept("{'descr': '|b1', 'fortran_order': False, 'shape': (5,)}", 5, DMM_U8, 1);
    accept("{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}", 16, DMM_ITEM, 16);
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': ()}", 4, "0 dimensions");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1)}", 4, "2 dimensions");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1, 1, 1,)}", 4, "3 dimensions");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (-1,)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (01,)}", 4, "damaged");
    refuse("{'descr': '<u4L', 'fortran_order': False, 'shape': (1,)}", 4, "not supported");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (,)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1 1)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (2,)}", 4, "ends early");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", 5, "1 more bytes");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (0,)}", 4, "4 more bytes");
    /* 2^62 + 1 items of 4 bytes are 4 bytes when the product wraps around. */
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (4611686018427387905,)}", 4,
        "ends early");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (18446744073709551615,)}", 4,
        "ends early");
    refuse(
        "{'descr': '<u4', 'fortran_order': False, 'shape': (18446744073709551616,)}", 4, "damaged");
}

static void wrong_types_are_refused(void **state)
{
    static const char *const descrs[] = {"|O", "|O8", "<u0", "|V257", "<U65", "<", "", "<u", "<x4",
        "u4u4", "<M8\\", "<V99999999999999999999", "<U4611686018427387905"};
    (void)state;
    for (size_t i = 0; i < sizeof descrs / sizeof descrs[0]; i++) {
        char dictionary[128];
        snprintf(dictionary, sizeof dictionary,
            "{'descr': '%s', 'fortran_order': False, 'shape': (1,)}", descrs[i]);
        refuse(dictionary, 4, descrs[i][0] == '<' && strchr(descrs[i], '\\') ? "damaged" : "type");
    }
    refuse("{'descr': [('a', '<u4')], 'fortran_order': False, 'shape': (1,)}", 4, "several fields");
    /* A quote in the descr would break the header that is written. */
    refuse("{'descr': \"<M8[']\", 'fortran_order': False, 'shape': (1,)}", 8, "not supported");
}

static void damaged_dictionaries_are_refused(void **state)
{
    (void)state;
    refuse("", 4, "damaged");
    refuse("{}", 4, "damaged");
    refuse("{'descr': '<u4', 'shape': (1,)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': Maybe, 'shape': (1,)}", 4, "damaged");
    refuse("{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", 4, "damaged");
    refuse("{'descr': '<u4' 'fortran_order': False, 'shape': (1,)}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1,), 'more': 1}", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1,)} x", 4, "damaged");
    refuse("{'descr': '<u4', 'fortran_order': False, 'shape': (1,)", 4, "damaged");
}

static void files_cut_off_anywhere_are_refused(void **state)
{
    cli_npy npy;
    cli_error error;
    file whole = make_file(2, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", 12);
    (void)state;
    for (size_t count = 0; count < whole.count; count++) {
        file part = {malloc(count ? count : 1), count};
        memcpy(part.bytes, whole.bytes, count);
        test_note("the first %zu bytes", count);
        REQUIRE(!parse(&npy, part, &error));
        free(part.bytes);
    }
    free(whole.bytes);
}

static void unknown_versions_are_refused(void **state)
{
    cli_npy npy;
    cli_error error;
    (void)state;
    for (int version = 0; version < 256; version++) {
        file f = make_file(2, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", 4);
        f.bytes[6] = (char)version;
        test_note("version %d", version);
        /* As version 1 the length is in two bytes, so that the dictionary begins with two zeros. */
        REQUIRE(parse(&npy, f, &error) == (version == 2 || version == 3));
        free(f.bytes);
    }
}

static void random_damage_is_survived(void **state)
{
    static const char letters[] = "{}(),:'\"<>|=[]0123456789LuifVUMTrueFals \n\\";
    random_source random = {2026};
    cli_npy npy;
    cli_error error;
    (void)state;
    for (int round = 0; round < 100000; round++) {
        file f = make_file(
            1 + round % 3, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }", 12);
        test_note("seed 2026, round %d", round);
        for (uint64_t hits = random_below(&random, 4) + 1; hits > 0; hits--) {
            size_t at = random_below(&random, f.count);
            f.bytes[at] = random_below(&random, 2)
                              ? letters[random_below(&random, sizeof letters - 1)]
                              : (char)random_below(&random, 256);
        }
        parse(&npy, f, &error);
        free(f.bytes);
    }
}

static void written_headers_are_read_back(void **state)
{
    static const size_t counts[] = {0, 1, 12345678901234567, SIZE_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char header[CLI_NPY_HEADER_BYTES];
        cli_npy npy;
        cli_error error = {0};
        cli_print_npy_rows(header, "|u1", counts[i], 0);
        bool ok = cli_parse_npy(&npy, header, sizeof header, "x.npy", &error);
        REQUIRE(ok == (counts[i] == 0));
        REQUIRE(npy.count == counts[i] && npy.data_bytes_at == sizeof header);
        REQUIRE(header[sizeof header - 1] == '\n');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_in_every_spelling_are_read),
        cmocka_unit_test(every_key_type_has_its_descr),
        cmocka_unit_test(values_of_any_simple_type_are_read),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(damaged_dictionaries_are_refused),
        cmocka_unit_test(files_cut_off_anywhere_are_refused),
        cmocka_unit_test(unknown_versions_are_refused),
        cmocka_unit_test(random_damage_is_survived),
        cmocka_unit_test(written_headers_are_read_back),
    };
    return cmocka_run_group_tests_name("cli npy", tests, NULL, NULL);
}
