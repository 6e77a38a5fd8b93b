/* SPDX-License-Identifier: MIT */
/* A folder of tuning files, and contexts that read them. */
#include "support/tuning_case.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dmm/dmm.h>

#include "support/require.h"

dmm_device tuning_device;

static char folder[] = "tuning-XXXXXX";

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

int tuning_make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("dmm", 0700) != 0)
        return 1;
    return dmm_device_find(&tuning_device, getenv("DMM_DEVICE")) != DMM_OK;
}

int tuning_remove_folder(void **state)
{
    (void)state;
    remove("a");
    remove("b");
    remove("dmm/tuning");
    return rmdir("dmm") != 0 || chdir("..") != 0 || rmdir(folder) != 0;
}

void tuning_write_bytes(const char *path, const char *text, size_t bytes)
{
    FILE *const file = fopen(path, "wb");
    REQUIRE(file != NULL && fwrite(text, 1, bytes, file) == bytes && fclose(file) == 0);
}

void tuning_write(const char *path, const char *rest)
{
    char text[4096];
    const int bytes = snprintf(text, sizeof text, "dmm tuning 1\ndevice %s\ndriver %s\n%s",
        tuning_device.name, tuning_device.driver, rest);
    tuning_write_bytes(path, text, (size_t)bytes);
}

dmm_context *tuning_open(const char *tuning, const char *set, journal *j)
{
    dmm_context *ctx = NULL;
    const dmm_context_desc desc = {
        .device = tuning_device.id, .tuning = tuning, .set = set, .log = keep_line, .log_user = j};
    *j = (journal){.bytes = 0};
    REQUIRE_OK(dmm_context_create(&ctx, &desc));
    return ctx;
}

dmm_parameters tuning_chosen(
    const dmm_context *ctx, const char *word, uint32_t item_bytes, const dmm_tuning *own)
{
    const dmm_tuning none = {0};
    const dmm_footprint f = {.item_bytes = item_bytes, .local_bytes = item_bytes, .word = word};
    dmm_parameters p;
    REQUIRE_OK(dmm_context_choose(&p, ctx, own != NULL ? own : &none, &f));
    return p;
}

uint32_t tuning_chosen_E(const dmm_context *ctx, const char *word, uint32_t item_bytes)
{
    return tuning_chosen(ctx, word, item_bytes, NULL).E;
}

enum { ITEMS = 3000 };

void tuning_results_are_right(dmm_context *ctx)
{
    const dmm_sort_desc by_merge = {.method = DMM_SORT_MERGE},
                        by_radix = {.method = DMM_SORT_RADIX},
                        by_default = {.method = DMM_SORT_AUTO};
    const dmm_sort_desc *const sorts[] = {&by_merge, &by_radix, &by_default};
    const dmm_topk_desc topk = {0};
    const dmm_scan_desc scan = {0};
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
