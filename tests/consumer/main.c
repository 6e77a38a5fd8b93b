/* SPDX-License-Identifier: MIT */
/* A program outside the project: it sorts through the installed library and nothing else. */
#include <stdio.h>

#include <dmm/dmm.h>

int main(void)
{
    uint32_t keys[] = {5, 3, 8, 1, 9, 2, 7, 0};
    const size_t n = sizeof keys / sizeof keys[0];
    dmm_sort_desc desc = {0};
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_sort_host(ctx, &desc, keys, NULL, n);
    dmm_context_free(ctx);
    if (status != DMM_OK) {
        fprintf(stderr, "consumer: %s\n", dmm_status_string(status));
        return 1;
    }
    for (size_t i = 1; i < n; i++) {
        if (keys[i - 1] > keys[i])
            return 1;
    }
    printf("dmm %s: sorted\n", DMM_VERSION);
    return 0;
}
