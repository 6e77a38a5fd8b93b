/* SPDX-License-Identifier: MIT */
/* Counts of one call. */
#include "support/hull_work.h"

#include <stdlib.h>

#include "support/require.h"

const cloud hull_work_kinds[HULL_WORK_KINDS] = {CLOUD_DISC, CLOUD_SQUARE, CLOUD_CIRCLE, CLOUD_RING,
    CLOUD_PARABOLA, CLOUD_GEOMETRIC, CLOUD_SLOPE, CLOUD_FAR_CLUSTERS, CLOUD_GRID, CLOUD_SPIRAL};

/* Reads the counts out of the call's temp. */
static void read_counts(
    const rig *r, const dmm_hull *hull, const hull_run *run, hull_counts *counts)
{
    const uint64_t pairs = hull->p.most_groups + 1;
    dmm_hull_call call;
    dmm_hull_place_regions(
        hull, dmm_hull_sizes_of(hull, run->c->n, 0), run->temp.offset_bytes, &call);
    uint64_t *const words = calloc((size_t)pairs, 2 * sizeof *words);
    REQUIRE(words != NULL);
    REQUIRE_OK(clEnqueueReadBuffer(r->queue, run->temp.buffer, CL_TRUE, (size_t)call.work_at,
        (size_t)pairs * 2 * sizeof *words, words, 0, NULL, NULL));
    counts->split = words[0];
    for (uint64_t g = 1; g < pairs; g++) {
        counts->solved += words[2 * g];
        counts->levels = words[2 * g + 1] > counts->levels ? words[2 * g + 1] : counts->levels;
    }
    free(words);
}

hull_counts hull_count(
    const rig *r, dmm_hull *hull, const hull_setup *setup, cloud points, uint64_t n)
{
    hull_counts counts = {.vertices = 0};
    const hull_case c = {.n = n, .points = points, .seed = 7, .temp_given = 1};
    hull_run run = hull_prepare(r, hull, setup, &c, NULL);
    REQUIRE_OK(dmm_hull_enqueue(hull, r->queue, &run.args, n, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    zone_read(r, &run.count, &counts.vertices);
    read_counts(r, hull, &run, &counts);
    hull_finish(&run);
    return counts;
}

double hull_visits_per_point(const hull_counts *counts, uint64_t n)
{
    return (double)(counts->split + counts->solved) / (double)n;
}
