/* SPDX-License-Identifier: MIT */
/* Sorts on the best device; without one, says so. */
#include <stdint.h>
#include <stdio.h>

#include <dmm/dmm.h>

int main(void)
{
    uint32_t keys[] = {3, 1, 2};
    const dmm_sort_desc desc = {.order.type = DMM_U32};
    dmm_context *ctx = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    const int none = status == DMM_NO_PLATFORM || status == DMM_NO_DEVICE;
    if (status == DMM_OK)
        status = dmm_sort_host(ctx, &desc, keys, NULL, 3);
    printf("dmm %s: %s\n", DMM_VERSION, dmm_error_text(status));
    dmm_context_free(ctx);
    return !none && (status != DMM_OK || keys[0] != 1 || keys[2] != 3);
}
