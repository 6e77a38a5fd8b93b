/* SPDX-License-Identifier: MIT */
/*
 * selftest [SETTINGS [CACHE]]: runs the self-test of the installed library, and prints the checks
 * that failed and the numbers of good and bad ones.
 */
#include <stdio.h>

#include <dmm/dmm.h>
#include <dmm/selftest.h>

static unsigned good, bad, missing;

static int take_line(void *user, const dmm_selftest_line *line)
{
    (void)user;
    if (line->begins)
        return 1;
    good += line->status == DMM_OK;
    missing += line->status == DMM_UNSUPPORTED;
    if (line->status == DMM_OK || line->status == DMM_UNSUPPORTED)
        return 1;
    bad++;
    printf("%s %s %.0f: %s\n", line->primitive, line->type, (double)line->n,
        dmm_status_string(line->status));
    return 1;
}

int main(int argc, char **argv)
{
    const dmm_context_desc desc = {.set = argc > 1 ? argv[1] : NULL,
        .cache = argc > 2 ? argv[2] : NULL,
        .cache_always = argc > 2};
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, &desc);
    if (status == DMM_OK)
        status = dmm_context_selftest(ctx, take_line, NULL);
    dmm_context_free(ctx);
    printf("selftest: %s: good %u, bad %u, missing %u\n", dmm_status_string(status), good, bad,
        missing);
    return status == DMM_OK && good > 0 && bad == 0 ? 0 : 1;
}
