/* SPDX-License-Identifier: MIT */
/* A program outside the project that sorts by a method of the installed lab. */
#include <stdio.h>

#include <dmm-lab/dmm-lab.h>

int main(void)
{
    const dmm_sort_desc desc = {0};
    uint32_t keys[] = {3, 1, 2};
    dmm_context *ctx = NULL;
    dmm_sort *sort = NULL;
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_lab_sort_create(&sort, ctx, &desc, DMM_LAB_SORT_QUICK);
    if (status == DMM_OK)
        status = dmm_lab_sort_host(ctx, &desc, DMM_LAB_SORT_QUICK, keys, NULL, 3);
    if (status != DMM_OK)
        fprintf(stderr, "lab: %s\n", dmm_status_string(status));
    dmm_sort_free(sort);
    dmm_context_free(ctx);
    printf("by the lab: %u %u %u\n", keys[0], keys[1], keys[2]);
    return status == DMM_OK && keys[0] == 1 && keys[1] == 2 && keys[2] == 3 ? 0 : 1;
}
