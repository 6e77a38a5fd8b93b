/* SPDX-License-Identifier: MIT */
/*
 * promise_hull TYPE CLOUD SETS N: the hull of N points (f32 f64) of a cloud of
 * support/hull_cloud.h, as one set (SETS 0) or cut into so many, judged as the tests of hulls do
 * it. CLOUD followed by + keeps the points between vertices, too. For the bank meter: sets and
 * keeping have no judge in the command.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "support/hull_case.h"

static hull_setup setup;
static hull_case one;

static void the_hull_is_right(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, NULL);
    dmm_hull *hull = hull_build(&r, &setup);
    hull_check(&r, hull, &setup, &one, NULL);
    dmm_hull_free(hull);
    rig_close(&r);
}

static cloud cloud_of(const char *name, size_t length)
{
    int c = 0;
    while (c < CLOUD_COUNT && (strlen(cloud_name((cloud)c)) != length ||
                                  strncmp(cloud_name((cloud)c), name, length) != 0))
        c++;
    return (cloud)c;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_hull_is_right)};
    const size_t length = argc == 5 ? strlen(argv[2]) : 0;
    const int keeps = length > 0 && argv[2][length - 1] == '+';
    one.points = length > 0 ? cloud_of(argv[2], length - (size_t)keeps) : CLOUD_COUNT;
    if (one.points == CLOUD_COUNT) {
        fprintf(stderr, "usage: promise_hull f32|f64 CLOUD[+] SETS N\n");
        return 1;
    }
    setup.type = strcmp(argv[1], "f32") == 0 ? DMM_F32 : DMM_F64;
    setup.k.collinear = keeps;
    one.seed = 1;
    one.sets = strtoull(argv[3], NULL, 10);
    one.n = strtoull(argv[4], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
