/* SPDX-License-Identifier: MIT */
/* Sorts seven keys, then prints where each came from. */
#include <stdio.h>
#include <dmm/dmm.h>

int main(void)
{
    float keys[] = {2.5f, -1.0f, 8.0f, 0.0f, -0.0f, 2.5f, -7.0f};
    unsigned from[7];
    const dmm_sort_desc desc = {.order.type = DMM_F32, .value_bytes = 4, .argsort = 1};
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_sort_host(ctx, &desc, keys, from, 7);
    for (int i = 0; i < 7 && status == DMM_OK; i++)
        printf("%4.1f was at %u\n", (double)keys[i], from[i]);
    if (status != DMM_OK)
        printf("dmm: %s\n", dmm_error_text(status));
    dmm_context_free(ctx);
    return status != DMM_OK;
}
