/* SPDX-License-Identifier: MIT */
/* save_plan N FILE: saves the plan of a shuffle of N items, for cli/test_crash_commands.sh. */
#include <stdio.h>
#include <stdlib.h>

#include <dmm/context.h>
#include <dmm/permutation_plan.h>

int main(int argc, char **argv)
{
    dmm_context *ctx = NULL;
    dmm_permutation_plan *plan = NULL;
    if (argc != 3)
        return 2;
    const dmm_permutation_plan_desc desc = {
        .item_bytes = 4, .kind = DMM_PLAN_SHUFFLE, .n = strtoull(argv[1], NULL, 10), .argument = 7};
    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_permutation_plan_create(&plan, ctx, &desc);
    if (status == DMM_OK)
        status = dmm_permutation_plan_save(plan, argv[2]);
    if (status != DMM_OK)
        fprintf(stderr, "save_plan: %s: %s\n", argv[2], dmm_status_string(status));
    dmm_permutation_plan_free(plan);
    dmm_context_free(ctx);
    return status != DMM_OK;
}
