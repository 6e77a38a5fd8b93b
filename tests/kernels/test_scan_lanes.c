/* SPDX-License-Identifier: MIT */
/* ctest: default */
/*
 * Chained scans by lanes (cl/scan_lanes.clh, cl/link_lanes.clh) as C11 on an emulated work-group:
 * a scan of keys of 32 bits, of 64 in test_scan_lanes_u64.c, or of a caller's items in
 * test_scan_lanes_own.c. Earlier tiles may have published their own total alone, a part of it, or
 * nothing yet.
 */
enum { U = 64, E = 3, TILE = U * E };
#include "support/lane_group.h"

#define DMM_U           64
#define DMM_E           3
#define DMM_W           32
#define DMM_TILE        (DMM_U * DMM_E)
#define DMM_BANK_BYTES  4
#define DMM_INDEX_BYTES 4
#if !defined(DMM_KEY_BYTES)
#define DMM_KEY_BYTES 4
#endif
#if !defined(DMM_SCAN_OP)
#define DMM_SCAN_OP     0
#define DMM_KEY_KIND    0
#define DMM_PLANES      1
#define DMM_PLANE_BYTES DMM_KEY_BYTES
#endif
#define DMM_DESCENDING 0
#define DMM_ZERO_EQUAL 0
#define DMM_EXCLUSIVE  0
#define DMM_LANES_BY   1
#define DMM_LANES      LANES
#define DMM_POLLS      3
#define mem_fence(what)

#include "support/kernel_begin.h"
#include "cl/scan_lanes.clh"
#include "cl/scan_source.clh"
#include "cl/link_lanes.clh"
#include "cl/link_before.clh"
#pragma GCC diagnostic pop

enum { MOST_TILES = 3 * LANES, MOST = MOST_TILES * TILE };

static struct {
    dmm_key items[MOST];
    uint links[MOST_TILES * DMM_LINK_WORDS];
    dmm_plane sums[DMM_SCAN_SUM_WORDS];
    dmm_term before[U], inclusive[U], total[U]; /* of work-items */
    dmm_term earlier[LANES];                    /* of the walkers */
    uint tile;
} test;

static void scan_tile(void)
{
    const dmm_scan_local mem = {NULL, test.sums, DMM_SCAN_T};
    const uint x0 = test.tile * TILE + mem.t * E;
    dmm_term own = DMM_IDENTITY;
    for (uint j = 0; j < E; j++)
        own = dmm_combine(own, test.items[x0 + j]);
    test.inclusive[mem.t] = own;
    test.total[mem.t] = dmm_scan_group(mem, own, &test.before[mem.t]);
    if (mem.t < DMM_LINK_WALKERS) {
        const dmm_since total = {test.total[mem.t], 0};
        const dmm_since earlier = dmm_link_before(test.links, test.items, test.tile, total);
        test.earlier[mem.t] = earlier.total;
    }
}

/* Takes back what earlier tiles have published: the total of all, or a part of it; all, but for a
 * part of its own total. */
static void take_back(uint tiles, uint run)
{
    for (uint tile = 0; tile < tiles && run % 4 != 0; tile++) {
        uint *const link = test.links + tile * DMM_LINK_WORDS;
        const uint kind = (uint)random_next(&draw) % (run % 4 == 1 ? 4 : 20);
        if (kind == 0 || run % 4 == 3)
            memset(link + DMM_LINK_PARTS, 0, DMM_LINK_PARTS * sizeof *link);
        if (kind == 1)
            link[DMM_LINK_PARTS + random_next(&draw) % DMM_LINK_PARTS] = 0;
        if (kind == 2)
            memset(link, 0, DMM_LINK_WORDS * sizeof *link);
        if (kind == 2 && run % 8 < 4) { /* one part is there */
            link[0] = dmm_link_part(dmm_link_recount(test.items, tile), 0);
        }
    }
}

static int are_same(dmm_term a, dmm_term b)
{
    return memcmp(&a, &b, DMM_KEY_BYTES) == 0;
}

static void tiles_are_scanned_whatever_earlier_ones_have_published(void **state)
{
    static const uint tiles[] = {1, 2, 5, LANES, LANES + 1, MOST_TILES};
    (void)state;
    draw = (random_source){11};
    for (uint run = 0; run < 24; run++) {
        dmm_term sum = DMM_IDENTITY;
        test_note("run %u", run);
        random_bytes(&draw, test.items, sizeof test.items);
        memset(test.links, 0, sizeof test.links);
        for (test.tile = 0; test.tile < tiles[run / 4]; test.tile++) {
            take_back(test.tile, run);
            run_group(scan_tile);
            for (uint lane = 0; lane < LANES; lane++)
                REQUIRE(are_same(test.earlier[lane], sum));
            dmm_term before = DMM_IDENTITY;
            for (uint t = 0; t < U; t++) {
                REQUIRE(are_same(test.before[t], before));
                before = dmm_combine(before, test.inclusive[t]);
            }
            for (uint t = 0; t < U; t++)
                REQUIRE(are_same(test.total[t], before));
            sum = dmm_combine(sum, before);
            dmm_since all;
            REQUIRE(dmm_link_read_both(test.links + test.tile * DMM_LINK_WORDS, &all) == 2);
            REQUIRE(are_same(all.total, sum));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_scanned_whatever_earlier_ones_have_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
