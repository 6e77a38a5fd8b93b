/* SPDX-License-Identifier: MIT */
/*
 * hull_work FILE COMMIT [N...]: writes docs/hull.md, the points that dmm_hull visits on ten kinds
 * of input of N points each (default: 10000 100000 1000000), in both forms.
 */
#include "support/require.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "support/hull_work.h"

enum { MOST_SIZES = 8 };

static FILE *page;
static uint64_t sizes[MOST_SIZES] = {10000, 100000, 1000000};
static size_t size_count = 3;

static void print_row(const rig *r, dmm_hull *hull, const hull_setup *setup, cloud points)
{
    fprintf(page, "| %s |", cloud_name(points));
    for (size_t i = 0; i < size_count; i++) {
        const hull_counts counts = hull_count(r, hull, setup, points, sizes[i]);
        fprintf(page, " %llu | %.1f | %.2f |", (unsigned long long)counts.vertices,
            hull_visits_per_point(&counts, sizes[i]),
            hull_visits_per_point(&counts, sizes[i]) / log2((double)counts.vertices + 2));
        if (setup->tuning.form == DMM_FORM_GPU)
            fprintf(page, " %llu |", (unsigned long long)counts.levels);
    }
    fprintf(page, "\n");
}

static void print_table(dmm_form form, int collinear)
{
    static rig r;
    const hull_setup setup = {
        .type = DMM_F64, .k = {.collinear = collinear}, .tuning = {.form = form}};
    const int gpu = form == DMM_FORM_GPU;
    rig_optimise();
    rig_open(&r, HULL_WORK_DEVICE);
    dmm_hull *hull = hull_build(&r, &setup);
    fprintf(page, "\n## %s form%s\n\n| Points |", gpu ? "GPU" : "CPU",
        collinear ? ", with points between vertices" : "");
    for (size_t i = 0; i < size_count; i++)
        fprintf(page, " h of n = %llu | visits a point | by log2(h + 2) |%s",
            (unsigned long long)sizes[i], gpu ? " levels |" : "");
    fprintf(page, "\n|---|");
    for (size_t i = 0; i < size_count * (gpu ? 4 : 3); i++)
        fprintf(page, "---:|");
    fprintf(page, "\n");
    for (size_t i = 0; i < HULL_WORK_KINDS; i++)
        print_row(&r, hull, &setup, hull_work_kinds[i]);
    dmm_hull_free(hull);
    rig_close(&r);
}

static const char *commit;

static void the_page_is_printed(void **state)
{
    char day[16];
    const time_t now = time(NULL);
    (void)state;
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(page,
        "# The hull's work\n\n"
        "For readers who want to know how much work `dmm_hull` does on their kind of points. The "
        "kernels counted every number, in a run\nof `build/default/tests/hull_work docs/hull.md "
        "COMMIT` at commit `%s` on %s, with doubles and `%s`.\nThe tests' own check "
        "verified each hull.\n\n"
        "A *visit* is one point processed by one level of the GPU form, finished vertices "
        "included (the splitting stage counts whole\ntiles), or by one pass of the sort or of "
        "the chain in the CPU form. The filter's two reads of each point come first and "
        "are\nnot counted. A point that the filter discards has no visits, so the mean can be "
        "below one. *Levels* is the largest number\nof levels of one problem in the "
        "independent stage. The GPU form's expected number of visits is O(log h) a "
        "point, over random pairs of\npoints; the kernels draw them by a fixed hash "
        "([proof](proofs.md#the-hulls-work)). The CPU form sorts by x; its number is O(1) unless "
        "most x are equal.\n",
        commit, day, HULL_WORK_DEVICE);
    print_table(DMM_FORM_GPU, 0);
    print_table(DMM_FORM_GPU, 1);
    print_table(DMM_FORM_CPU, 0);
    print_table(DMM_FORM_CPU, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_is_printed)};
    if (argc < 3 || argc - 3 > MOST_SIZES || (page = fopen(argv[1], "w")) == NULL) {
        fprintf(stderr, "usage: hull_work FILE COMMIT [N...]\n");
        return 1;
    }
    commit = argv[2];
    for (int i = 3; i < argc; i++)
        sizes[i - 3] = strtoull(argv[i], NULL, 10);
    size_count = argc > 3 ? (size_t)argc - 3 : size_count;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return fclose(page) != 0 || failed;
}
