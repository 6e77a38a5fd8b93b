/* SPDX-License-Identifier: MIT */
/*
 * Tuning files: which one is read, which row counts, and that no file whatever is fatal or changes a
 * result.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "core/context.h"
#include "support/random.h"
#include "support/rig.h"

static char folder[] = "tuning-XXXXXX";
static dmm_device device;

/* What a context logs, line by line. */
typedef struct journal {
    char text[1 << 16];
    size_t bytes;
} journal;

static void keep_line(void *user, const char *line)
{
    journal *const j = user;
    const size_t bytes = strlen(line);
    REQUIRE(strchr(line, '\n') == NULL);
    if (j->bytes + bytes + 2 > sizeof j->text)
        return;
    memcpy(j->text + j->bytes, line, bytes);
    j->text[j->bytes + bytes] = '\n';
    j->bytes += bytes + 1;
    j->text[j->bytes] = '\0';
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("dmm", 0700) != 0)
        return 1;
    return dmm_device_find(&device, getenv("DMM_DEVICE")) != DMM_OK;
}

static int remove_folder(void **state)
{
    (void)state;
    remove("a");
    remove("b");
    remove("dmm/tuning");
    return rmdir("dmm") != 0 || chdir("..") != 0 || rmdir(folder) != 0;
}

static void write_bytes(const char *path, const char *text, size_t bytes)
{
    FILE *const file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(text, 1, bytes, file) == bytes && fclose(file) == 0);
}

/* A file with a section of this device, and whatever comes behind it. */
static void write_file(const char *path, const char *rest)
{
    char text[4096];
    const int bytes = snprintf(text, sizeof text, "dmm tuning 1\ndevice %s\ndriver %s\n%s",
        device.name, device.driver, rest);
    write_bytes(path, text, (size_t)bytes);
}

static dmm_context *open_context(const char *tuning, const char *set, journal *j)
{
    dmm_context *ctx = NULL;
    const dmm_context_desc desc = {
        .device = device.id, .tuning = tuning, .set = set, .log = keep_line, .log_user = j};
    *j = (journal){.bytes = 0};
    REQUIRE_OK(dmm_context_create(&ctx, &desc));
    return ctx;
}

static dmm_parameters chosen(
    const dmm_context *ctx, const char *word, uint32_t item_bytes, const dmm_tuning *own)
{
    const dmm_tuning none = {0};
    const dmm_footprint f = {.item_bytes = item_bytes, .local_bytes = item_bytes, .word = word};
    dmm_parameters p;
    REQUIRE_OK(dmm_context_choose(&p, ctx, own != NULL ? own : &none, &f));
    return p;
}

static uint32_t chosen_E(const dmm_context *ctx, const char *word, uint32_t item_bytes)
{
    return chosen(ctx, word, item_bytes, NULL).E;
}

static void the_row_of_the_next_larger_item_counts(void **state)
{
    journal j;
    (void)state;
    test_note("sizes");
    write_file("a", "tune scan 4 E=2\ntune scan 16 E=1 # more\ntune scan * E=4\n"
                    "tune merge 8 E=2\ntune merge 8 E=1\n");
    dmm_context *const ctx = open_context("a", NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 1) == 2 && chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(chosen_E(ctx, "scan", 5) == 1 && chosen_E(ctx, "scan", 16) == 1);
    REQUIRE(chosen_E(ctx, "scan", 17) == 4 && chosen_E(ctx, "scan", 256) == 4);
    test_note("of two that are alike, the later one; none for what is larger");
    REQUIRE(chosen_E(ctx, "merge", 8) == 1);
    REQUIRE(chosen_E(ctx, "merge", 9) == chosen_E(ctx, "topk", 9));
    REQUIRE(strcmp(dmm_context_tuning_file(ctx), "a") == 0);
    dmm_context_free(ctx);
}

static void the_device_is_stronger_than_its_vendor_and_that_than_any(void **state)
{
    journal j;
    char rest[512];
    (void)state;
    test_note("sections");
    snprintf(rest, sizeof rest,
        "tune scan 4 E=2\nvendor %.4s\ntune scan 4 E=1\ntune merge 4 E=1\n"
        "any\ntune scan 4 E=4\ntune merge 4 E=4\ntune topk 4 E=4\n"
        "device of somebody else\ntune topk 4 E=1\nvendor nobody at all\ntune topk 4 E=1\n",
        device.vendor);
    write_file("a", rest);
    dmm_context *const ctx = open_context("a", NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(chosen_E(ctx, "merge", 4) == 1);
    REQUIRE(chosen_E(ctx, "topk", 4) == 4);
    dmm_context_free(ctx);
}

static void overrides_are_stronger_than_a_file(void **state)
{
    const dmm_tuning own = {.E = 1};
    journal j;
    (void)state;
    test_note("overrides");
    write_file("a", "fact banks=16 lanes=8\ntune scan 4 E=2\n");
    dmm_context *ctx = open_context("a", NULL, &j);
    REQUIRE(ctx->device.banks.value == 16 && ctx->device.banks.source == DMM_SOURCE_FILE);
    REQUIRE(ctx->device.lanes.value == 8 && chosen_E(ctx, "scan", 4) == 2);
    REQUIRE(chosen(ctx, "scan", 4, &own).E == 1);
    dmm_context_free(ctx);
    ctx = open_context("a", "banks=64,E=4", &j);
    REQUIRE(ctx->device.banks.value == 64 && ctx->device.banks.source == DMM_SOURCE_OVERRIDE);
    REQUIRE(chosen_E(ctx, "scan", 4) == 4 && chosen(ctx, "scan", 4, &own).E == 1);
    dmm_context_free(ctx);
    setenv("DMM_SET", "E=8", 1);
    ctx = open_context("a", NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 4) == 8);
    dmm_context_free(ctx);
    unsetenv("DMM_SET");
}

static void the_callers_file_the_environments_the_users(void **state)
{
    journal j;
    char here[4000];
    (void)state;
    test_note("which file");
    REQUIRE(getcwd(here, sizeof here) != NULL);
    setenv("XDG_CONFIG_HOME", here, 1);
    write_file("dmm/tuning", "tune scan 4 E=1\n");
    write_file("a", "tune scan 4 E=2\n");
    write_file("b", "tune scan 4 E=4\n");
    dmm_context *ctx = open_context(NULL, NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 4) == 1);
    dmm_context_free(ctx);
    setenv("DMM_TUNING", "a", 1);
    ctx = open_context(NULL, NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 4) == 2);
    dmm_context_free(ctx);
    ctx = open_context("b", NULL, &j);
    REQUIRE(chosen_E(ctx, "scan", 4) == 4);
    dmm_context_free(ctx);
    test_note("switched off");
    ctx = open_context("", NULL, &j);
    REQUIRE(dmm_context_tuning_file(ctx) == NULL && chosen_E(ctx, "scan", 4) != 4);
    dmm_context_free(ctx);
    setenv("DMM_TUNING", "", 1);
    ctx = open_context(NULL, NULL, &j);
    REQUIRE(dmm_context_tuning_file(ctx) == NULL);
    dmm_context_free(ctx);
    unsetenv("XDG_CONFIG_HOME");
}

static void files_that_cannot_be_read_are_logged(void **state)
{
    const char *const names[] = {"nothing here", "dmm", "/dev/zero", "b"};
    journal j;
    (void)state;
    write_bytes("b", "dmm tuning 2\n", 13);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        test_note("%s", names[i]);
        dmm_context *const ctx = open_context(names[i], NULL, &j);
        REQUIRE(strstr(j.text, names[i]) != NULL && strstr(j.text, "left out") != NULL);
        dmm_context_free(ctx);
    }
}

static void what_is_wrong_is_logged_by_line_and_left_out(void **state)
{
    const struct {
        const char *line, *reason;
    } cases[] = {
        {"tune scan 4 E=33", "a:4: 'E' must be a whole number from 1 to 32"},
        {"tune scan 4 u=100", "a:4: 'u' must be a power of two"},
        {"tune scan 4 form=tpu", "a:4: 'form' must be one of"},
        {"tune scan 4 E", "a:4: 'E' is not of the form NAME=VALUE"},
        {"tune scan 4 E=1 speed=9", "a:4: 'speed' is no parameter that this version knows"},
        {"tune scan 4 banks=16", "a:4: 'banks' is no parameter that this version knows"},
        {"tune scan 0 E=2", "a:4: '0' is no number of bytes"},
        {"tune scan", "a:4: 'tune' needs a primitive and the bytes of its items"},
        {"tune scam 4 E=2", "a:4: 'scam' is no primitive"},
        {"tune sort 4 from=-1", "a:4: 'from' has no such value"},
        {"tune topk 4 digit=13", "a:4: 'digit' has no such value"},
        {"tuna scan 4 E=2", "a:4: 'tuna' is no key"},
        {"form tpu", "a:4: 'tpu' must be one of"},
        {"fact banks=5", "a:4: 'banks' has no such value"},
        {"fact banks", "a:4: 'banks' is not of the form NAME=VALUE"},
        {"fact fp64=0", "a:4: 'fp64' has no such value"},
        {"fact colour=9", "a:4: 'colour' is no fact"},
        {"fact local_bytes=1073741824", "a:4: 'local_bytes' is more than the driver says"},
        {"fact local_bytes=1024", "a:4: 'local_bytes' is more than the driver says, or too little"},
        {"fact max_group=65536", "a:4: 'max_group' is more than the driver says"},
        {"fact sync_width=1", "a:4: 'sync_width' is not for a file to say"},
        {"driver of yesterday", "a:4: tuned with driver of yesterday, this one is"},
    };
    journal j;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rest[512];
        test_note("%s", cases[i].line);
        snprintf(rest, sizeof rest, "%s\ntune merge 4 E=2\n", cases[i].line);
        write_file("a", rest);
        dmm_context *const ctx = open_context("a", NULL, &j);
        if (strstr(j.text, cases[i].reason) == NULL)
            fail_msg("%s\n  is not in: %s", cases[i].reason, j.text);
        REQUIRE(chosen_E(ctx, "merge", 4) == 2);
        dmm_context_free(ctx);
    }
    test_note("before any section");
    write_bytes("a", "dmm tuning 1\ntune scan 4 E=2", 28);
    dmm_context_free(open_context("a", NULL, &j));
    REQUIRE(strstr(j.text, "a:2: 'tune' stands before any device") != NULL);
}

static void a_row_that_does_not_fit_is_left_out_and_counted(void **state)
{
    const dmm_tuning gpu = {.form = DMM_FORM_GPU};
    journal j;
    dmm_tuned row;
    (void)state;
    test_note("misfit");
    write_file("a", "tune scan * form=gpu u=1024 E=32\ntune scan * form=cpu E=32 tile=64\n");
    dmm_context *const ctx = open_context("a", "local_bytes=32768,max_group=256", &j);
    REQUIRE(chosen(ctx, "scan", 4, &gpu).u == 256);
    REQUIRE(strstr(j.text, "a:4: does not fit scan here: left out") != NULL);
    REQUIRE_OK(dmm_context_tuned(&row, ctx, 0));
    REQUIRE(row.misfits == 1 && row.line == 4 && row.source == DMM_SOURCE_FILE);
    REQUIRE(strcmp(row.settings, "form=gpu u=1024 E=32") == 0 && row.item_bytes == UINT32_MAX);
    REQUIRE_OK(dmm_context_tuned(&row, ctx, 1));
    REQUIRE(row.misfits == 0 && strcmp(row.settings, "form=cpu E=32 tile=64") == 0);
    test_note("listing");
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_context_tuned(&row, ctx, 1000));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_tuned(NULL, ctx, 0));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_context_tuned(&row, NULL, 0));
    dmm_context_free(ctx);
}

static void a_guarantee_takes_no_plain_search_of_a_file(void **state)
{
    const dmm_tuning none = {0};
    dmm_footprint f = {.item_bytes = 4, .word = "topk"};
    dmm_parameters p;
    journal j;
    (void)state;
    test_note("guarantee");
    write_file("a", "tune topk 4 search=plain\n");
    dmm_context *const ctx = open_context("a", NULL, &j);
    REQUIRE_OK(dmm_context_choose(&p, ctx, &none, &f));
    REQUIRE(p.plain_search);
    f.guarantee = 1;
    REQUIRE_OK(dmm_context_choose(&p, ctx, &none, &f));
    REQUIRE(!p.plain_search);
    dmm_context_free(ctx);
}

enum { ITEMS = 3000 };

/* Sorts, selects and adds up with whatever the context has chosen. */
static void results_are_right(dmm_context *ctx)
{
    const dmm_sort_desc by_merge = {.method = DMM_SORT_MERGE},
                        by_radix = {.method = DMM_SORT_RADIX},
                        by_default = {.method = DMM_SORT_AUTO};
    const dmm_sort_desc *const sorts[] = {&by_merge, &by_radix, &by_default};
    const dmm_topk_desc topk = DMM_TOPK_DESC_INIT;
    const dmm_scan_desc scan = DMM_SCAN_DESC_INIT;
    uint32_t keys[ITEMS], best[10], sum = 0;
    for (size_t s = 0; s < 3; s++) {
        for (uint32_t i = 0; i < ITEMS; i++)
            keys[i] = i * 7919 % ITEMS;
        REQUIRE_OK(dmm_sort_host(ctx, sorts[s], keys, NULL, ITEMS));
        for (uint32_t i = 0; i < ITEMS; i++)
            REQUIRE(keys[i] == i);
    }
    REQUIRE_OK(dmm_topk_host(ctx, &topk, keys, NULL, ITEMS, 10, best, NULL));
    for (uint32_t i = 0; i < 10; i++)
        REQUIRE(best[i] == i);
    REQUIRE_OK(dmm_scan_host(ctx, &scan, keys, ITEMS));
    for (uint32_t i = 0; i < ITEMS; i++)
        REQUIRE(keys[i] == (sum += i));
}

static void every_digit_and_form_of_a_file_is_right(void **state)
{
    journal j;
    (void)state;
    for (unsigned digit = 8; digit <= 12; digit++)
        for (int form = 0; form < (digit == 8 ? 2 : 1); form++) {
            char rest[256];
            snprintf(rest, sizeof rest,
                "form %s\ntune sort.radix * form=cpu digit=%u tile=512\ntune topk * form=cpu "
                "digit=%u\ntune sort * form=gpu from=100\ntune sort * form=cpu from=never\n",
                form ? "gpu" : "cpu", digit, digit);
            test_note("%s", rest);
            write_file("a", rest);
            dmm_context *const ctx = open_context("a", NULL, &j);
            results_are_right(ctx);
            dmm_context_free(ctx);
        }
}

/* A file as somebody may have it. */
static const char sound[] =
    "rate global_copy=7.1\ndate 2026-11-21\nfact banks=32 lanes=32\n"
    "tune sort.merge 4 E=16 tile=1024 form=cpu # fast\n"
    "tune sort.radix 8 digit=9 tile=4096\ntune sort 8 from=100\n"
    "tune scan * u=128 E=4 form=gpu\ntune topk 4 E=4\nany\ntune scan 4 E=2\n";

/* Changes, removes, doubles or cuts at a random place. */
static size_t corrupt(char *text, size_t bytes, random_source *random)
{
    const char likely[] = "=# \n0123456789\0\xff%-tune";
    for (uint64_t changes = 1 + random_next(random) % 4; changes > 0 && bytes > 1; changes--) {
        const size_t at = (size_t)(random_next(random) % bytes);
        const uint64_t bits = random_next(random);
        switch (bits % 5) {
        case 0:
            text[at] = (char)(text[at] ^ (1 << (bits >> 8) % 8));
            break;
        case 1:
            text[at] = likely[(bits >> 8) % (sizeof likely - 1)];
            break;
        case 2:
            memmove(text + at, text + at + 1, --bytes - at);
            break;
        case 3:
            memmove(text + at + 1, text + at, bytes++ - at);
            break;
        default:
            bytes = (bits >> 8) % 8 == 0 ? at : bytes;
        }
    }
    return bytes;
}

static void no_file_is_fatal_or_changes_a_result(void **state)
{
    const unsigned runs = (unsigned)by_size(10, 1000, 1000);
    char text[2048], broken[4096];
    unsigned reported = 0;
    journal j;
    (void)state;
    write_file("a", sound);
    FILE *const file = fopen("a", "rb");
    REQUIRE(file != NULL);
    const size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    for (unsigned run = 0; run < runs; run++) {
        random_source random = {run};
        memcpy(broken, text, bytes);
        write_bytes("a", broken, corrupt(broken, bytes, &random));
        test_note("corruption %u", run);
        dmm_context *const ctx = open_context("a", NULL, &j);
        reported += strstr(j.text, "a:") != NULL;
        /* Each costs seconds of building where it is new; most are not. */
        if (run % 50 == 0)
            results_are_right(ctx);
        for (uint32_t size = 1; size <= 256; size *= 2)
            for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
                const dmm_tuning own = {.form = (dmm_form)form};
                chosen(ctx, "scan", size, &own);
                chosen(ctx, "sort.merge", size, &own);
                chosen(ctx, "topk", size, &own);
            }
        dmm_context_free(ctx);
    }
    print_message("%u of %u files were found wrong\n", reported, runs);
    REQUIRE(reported > runs / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_row_of_the_next_larger_item_counts),
        cmocka_unit_test(the_device_is_stronger_than_its_vendor_and_that_than_any),
        cmocka_unit_test(overrides_are_stronger_than_a_file),
        cmocka_unit_test(the_callers_file_the_environments_the_users),
        cmocka_unit_test(files_that_cannot_be_read_are_logged),
        cmocka_unit_test(what_is_wrong_is_logged_by_line_and_left_out),
        cmocka_unit_test(a_row_that_does_not_fit_is_left_out_and_counted),
        cmocka_unit_test(a_guarantee_takes_no_plain_search_of_a_file),
        cmocka_unit_test(every_digit_and_form_of_a_file_is_right),
        cmocka_unit_test(no_file_is_fatal_or_changes_a_result),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
