/* SPDX-License-Identifier: MIT */
/* ctest: oclgrind rows */
/*
 * Cases specific to method radix of dmm_sort: ranges of bits, digits that all items share, keys or
 * values alone in place, positions beyond 2^32, and rejected descriptions.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/sort/radix.h"
#include "primitives/sort/sort.h"
#include "support/cover.h"
#include "support/forms.h"
#include "support/sort_case.h"

/* One call whose keys are given, judged as bits begin .. end - 1 say (all keys are unsigned). */
static uint64_t bits_of(uint64_t key, uint32_t begin, uint32_t end, int descending)
{
    const uint64_t mask = end - begin == 64 ? UINT64_MAX : ((uint64_t)1 << (end - begin)) - 1;
    return begin == end ? 0 : (descending ? ~key : key) >> begin & mask;
}

/* Values are indices: order by (bits, index) is the stable one. */
static void require_order(const uint64_t *in, const uint64_t *keys, const uint32_t *values,
    uint64_t n, const dmm_sort_desc *desc)
{
    for (uint64_t i = 0; i < n; i++) {
        REQUIRE(values[i] < n && keys[i] == in[values[i]]);
        if (i == 0)
            continue;
        const uint64_t a =
            bits_of(keys[i - 1], desc->bits.begin, desc->bits.end, desc->order.descending);
        const uint64_t b =
            bits_of(keys[i], desc->bits.begin, desc->bits.end, desc->order.descending);
        REQUIRE(a < b || (a == b && values[i - 1] < values[i]));
    }
}

enum { BITS_N = 3000 };

static void check_bits(rig *r, const dmm_sort_desc *desc, uint64_t n, const uint64_t *in)
{
    uint64_t keys[BITS_N];
    uint32_t values[BITS_N];
    memcpy(keys, in, n * sizeof *keys);
    test_note("bits %u .. %u, form %d, n=%llu%s", desc->bits.begin, desc->bits.end,
        (int)desc->tuning.form, (unsigned long long)n,
        desc->order.descending ? ", descending" : "");
    REQUIRE_OK(dmm_sort_host(r->ctx, desc, keys, values, n));
    require_order(in, keys, values, n, desc);
}

static void a_range_of_bits_sorts_by_it_alone(void **state)
{
    static const dmm_bits ranges[] = {
        {0, 1}, {0, 8}, {3, 16}, {5, 5}, {63, 64}, {7, 40}, {64, 64}, {11, 33}};
    static uint64_t in[BITS_N];
    static rig r;
    random_source random = {11};
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t i = 0; i < BITS_N; i++)
        in[i] = random_next(&random);
    for (size_t i = 0; i < by_size(4, 8, 8); i++)
        for (int form = DMM_FORM_GPU; form <= DMM_FORM_CPU; form++) {
            dmm_sort_desc desc = {.order = {.type = DMM_U64, .descending = i % 3 == 1},
                .value_bytes = 4,
                .argsort = 1,
                .method = i % 2 ? DMM_SORT_RADIX : DMM_SORT_AUTO,
                .bits = ranges[i],
                .tuning = GPU(16, 8)};
            if (form == DMM_FORM_CPU)
                desc.tuning = (dmm_tuning)CPU(64);
            check_bits(&r, &desc, 50, in);
            check_bits(&r, &desc, by_size(300, BITS_N, BITS_N), in);
        }
    rig_close(&r);
}

/* Every subset of eight bytes that vary: skipped digits first, last, between, none, all. */
static void digits_that_all_items_share_are_skipped(void **state)
{
    const dmm_tuning tunings[] = {GPU(32, 4), CPU(64)};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (int f = 0; f < 2; f++) {
        const sort_setup setup = {.k = kind_named("u64"), .value_bytes = 4, .tuning = tunings[f]};
        dmm_sort *sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
        const unsigned first = (unsigned)by_rows(85, 0), end = (unsigned)by_rows(255, 256);
        for (unsigned varies = first; varies < end; varies += (unsigned)by_size(85, 5, 1)) {
            const sort_case c = {.n = by_size(by_rows(150, 400), 1000, 1000),
                .input = SHAPE_BITS,
                .seed = varies,
                .in_place = varies % 3 == 0};
            sort_run run = sort_prepare(&r, sort, &setup, &c);
            uint64_t *const keys = run.keys, mask = 0;
            for (int b = 0; b < 8; b++)
                mask |= varies >> b & 1 ? (uint64_t)255 << (8 * b) : 0;
            for (uint64_t i = 0; i < c.n; i++)
                keys[i] = (keys[i] & mask) | (0x0123456789abcdefu & ~mask);
            zone_write(&r, &run.keys_in, keys);
            REQUIRE_OK(dmm_sort_enqueue(sort, r.queue, &run.args, c.n, 0, NULL, NULL));
            sort_finish(&run);
        }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

/* Keys in place and values apart, and the other way round. */
static void keys_or_values_alone_may_be_in_place(void **state)
{
    static rig r;
    const sort_setup setup = {.k = kind_named("u16"), .value_bytes = 4, .tuning = CPU(64)};
    const sort_case apart = {.n = by_size(500, 5000, 5000), .input = SHAPE_RANDOM, .seed = 1};
    (void)state;
    rig_open(&r, NULL);
    dmm_sort *sort = sort_build_by(&r, &setup, DMM_SORT_RADIX, 0);
    for (int values = 0; values < 2; values++) {
        sort_run run = sort_prepare(&r, sort, &setup, &apart);
        zone *const in = values ? &run.values_in : &run.keys_in;
        zone *const out = values ? &run.values_out : &run.keys_out;
        dmm_span *const span = values ? &run.args.values_out : &run.args.keys_out;
        *span = zone_span(in);
        REQUIRE_OK(dmm_sort_enqueue(sort, r.queue, &run.args, apart.n, 0, NULL, NULL));
        void *const moved = malloc((size_t)in->bytes);
        REQUIRE(moved != NULL);
        zone_read(&r, in, moved); /* so that sort_finish finds what it expects */
        zone_write(&r, out, moved);
        zone_write(&r, in, values ? run.values : run.keys);
        free(moved);
        sort_finish(&run);
    }
    dmm_sort_free(sort);
    rig_close(&r);
}

static void positions_beyond_2_to_the_32_sort(void **state)
{
    static const uint64_t firsts[] = {0, (uint64_t)1 << 31, ((uint64_t)1 << 32) - 2048,
        (uint64_t)1 << 32, ((uint64_t)5 << 40) + 2048};
    static const uint64_t sizes[] = {1, 200, 769, 2047};
    const sort_setup setups[] = {
        {kind_named("u32"), 8, 1, GPU(32, 8)},
        {kind_named("u64"), 4, 0, CPU(64)},
        {kind_named("u8"), 12, 0, GPU(64, 4)},
        {kind_named("f32"), 8, 1, CPU(128)},
    };
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_sort *sort = sort_build_by(&r, &setups[s], DMM_SORT_RADIX, UINT64_MAX / 2);
        REQUIRE(((const dmm_radix *)sort->by)->layout.index_bytes == 8);
        for (size_t i = 0; i < by_size(by_rows(2, 3), 20, 20); i++) {
            const uint64_t first = firsts[i / 4], n = sizes[i % 4];
            const sort_case c = {
                .n = n, .input = (shape)(i % SHAPE_COUNT), .seed = i, .in_place = i % 2};
            sort_run run = sort_prepare(&r, sort, &setups[s], &c);
            for (uint64_t x = 0; setups[s].argsort && x < n; x++)
                ((uint64_t *)run.values)[x] += first;
            const dmm_sizes at = {.n = n, .first = first};
            REQUIRE_OK(dmm_object_enqueue(sort, r.queue, &run.args, at, 0, NULL, NULL));
            sort_finish(&run);
        }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

static void temp_bytes_never_fall_as_n_grows(void **state)
{
    const sort_setup setups[] = {{kind_named("u32"), 0, 0, GPU(32, 8)},
        {kind_named("u16"), 12, 0, GPU(64, 4)}, {kind_named("u64"), 4, 0, CPU(64)}};
    static rig r;
    (void)state;
    rig_open(&r, "banks=32");
    for (size_t s = 0; s < sizeof setups / sizeof setups[0]; s++) {
        dmm_sort *sort = sort_build_by(&r, &setups[s], DMM_SORT_RADIX, UINT64_MAX / 2);
        uint64_t before = 0, bytes = 0;
        for (uint64_t n = 0; n < (uint64_t)1 << 50; n += 1 + n / 17, before = bytes) {
            test_note("%s n=%llu", setups[s].k.name, (unsigned long long)n);
            REQUIRE_OK(dmm_sort_temp_bytes(&bytes, sort, n));
            REQUIRE(bytes >= before);
        }
        dmm_sort_free(sort);
    }
    rig_close(&r);
}

static rig refusing;

static void require_refused(dmm_status expected, const dmm_sort_desc *desc, const char *why)
{
    dmm_sort *sort = (dmm_sort *)(void *)&refusing;
    test_note("%s", why);
    REQUIRE_STATUS(expected, dmm_sort_create(&sort, refusing.ctx, desc));
    REQUIRE(sort == NULL);
}

#define REFUSED(expected, ...) \
    require_refused(expected, &(dmm_sort_desc){__VA_ARGS__}, #__VA_ARGS__)

static void what_radix_cannot_do_is_refused(void **state)
{
    static const char item[] = "typedef uint dmm_item;";
    (void)state;
    rig_open(&refusing, "banks=16");
    REFUSED(DMM_BAD_VALUE, .bits = {2, 1});
    REFUSED(DMM_BAD_VALUE, .bits = {0, 33});
    REFUSED(DMM_BAD_VALUE, .bits = {0, 9}, .order = {.type = DMM_U8});
    REFUSED(DMM_BAD_VALUE, .bits = {0, UINT32_MAX});
    REFUSED(DMM_UNSUPPORTED, .bits = {0, 8}, .method = DMM_SORT_MERGE);
    REFUSED(DMM_UNSUPPORTED, .bits = {0, 8}, .order = {.type = DMM_F32});
    REFUSED(DMM_UNSUPPORTED, .bits = {0, 8}, .order = {.less = "a < b"});
    REFUSED(DMM_UNSUPPORTED, .method = DMM_SORT_RADIX, .order = {.less = "a < b"});
    REFUSED(DMM_UNSUPPORTED, .method = DMM_SORT_RADIX,
        .order = {.type = DMM_ITEM, .item_bytes = 4, .item = item, .less = "a < b"});
    REFUSED(DMM_BAD_PARAMETERS, .method = DMM_SORT_RADIX, .tuning = {DMM_FORM_GPU, .u = 24});
    REFUSED(DMM_BAD_PARAMETERS, .method = DMM_SORT_RADIX, .tuning = {DMM_FORM_GPU, .E = 33});
    REFUSED(DMM_BAD_PARAMETERS, .method = DMM_SORT_RADIX, .tuning = {DMM_FORM_CPU, .tile = 100});
    rig_close(&refusing);
    rig_open(&refusing, "banks=16,local_bytes=16384");
    REFUSED(
        DMM_BAD_PARAMETERS, .method = DMM_SORT_RADIX, .tuning = {DMM_FORM_GPU, .u = 128, .E = 1});
    rig_close(&refusing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_of_bits_sorts_by_it_alone),
        cmocka_unit_test(digits_that_all_items_share_are_skipped),
        cmocka_unit_test(keys_or_values_alone_may_be_in_place),
        cmocka_unit_test(positions_beyond_2_to_the_32_sort),
        cmocka_unit_test(temp_bytes_never_fall_as_n_grows),
        cmocka_unit_test(what_radix_cannot_do_is_refused),
    };
    return cmocka_run_group_tests_name("sort_radix_data", tests, NULL, NULL);
}
