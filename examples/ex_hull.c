/* SPDX-License-Identifier: MIT */
/*
 * Finds the hull of a few points: its vertices, counter-clockwise.
 */
#include <stdio.h>

#include <dmm/dmm.h>

int main(void)
{
    const float points[][2] = {{1, 1}, {0, 0}, {4, 0}, {2, 0}, {4, 3}, {3, 2}, {0, 3}, {0, 0}};
    enum { N = sizeof points / sizeof points[0] };
    unsigned corners[N];
    uint64_t count = 0;
    dmm_context *ctx = NULL;
    const dmm_hull_desc desc = {.coordinates = DMM_HULL_F32};

    dmm_status status = dmm_context_create(&ctx, NULL);
    if (status == DMM_OK)
        status = dmm_hull_host(ctx, &desc, points, NULL, N, corners, &count);
    if (status == DMM_NOT_FINITE)
        printf("dmm: point %u is not finite\n", (unsigned)count);
    else if (status != DMM_OK)
        printf("dmm: %s\n", dmm_status_string(status));
    for (uint64_t i = 0; i < count && status == DMM_OK; i++)
        printf("corner %u: %g, %g\n", corners[i], (double)points[corners[i]][0],
            (double)points[corners[i]][1]);
    dmm_context_free(ctx);
    return status != DMM_OK || count != 4;
}
