/* SPDX-License-Identifier: MIT */
/*
 * dmm_sort by method radix, over the same sizes, shapes, types and values as the others, and what
 * is its own: digits that all items share, whole lines, positions beyond 2^32, agreement with
 * method merge bit by bit.
 */
#include "support/require.h"

#include <stdlib.h>
#include <string.h>

#include "primitives/sort.h"
#include "support/sort_case.h"

typedef struct row {
    const char *kind;
    int descending, zero_equal;
    uint32_t value_bytes;
    int argsort;
    const char *set; /* facts of the device */
    dmm_tuning tuning;
} row;

#define GPU(u, E)                                 \
    {                                             \
        DMM_FORM_GPU, u, E, 0, DMM_SEARCH_DEFAULT \
    }
#define CPU(tile)                                    \
    {                                                \
        DMM_FORM_CPU, 0, 0, tile, DMM_SEARCH_DEFAULT \
    }

static const row table[] = {
    {"u32", 0, 0, 0, 0, "banks=32", GPU(64, 8)},
    {"u32", 1, 0, 4, 0, "", CPU(64)},
    {"u8", 0, 0, 1, 0, "banks=8", GPU(16, 4)},
    {"u8", 1, 0, 3, 0, "", CPU(128)},
    {"i8", 1, 0, 0, 0, "banks=16", GPU(16, 7)},
    {"u16", 1, 0, 2, 0, "banks=64", GPU(64, 2)},
    {"u16", 0, 0, 8, 0, "", CPU(64)},
    {"i16", 0, 0, 8, 0, "banks=8", GPU(8, 15)},
    {"i32", 1, 0, 5, 0, "banks=32", GPU(32, 17)},
    {"i32", 0, 0, 4, 1, "", CPU(64)},
    {"u64", 0, 0, 12, 0, "banks=16", GPU(32, 16)},
    {"u64", 1, 0, 0, 0, "banks=64", GPU(128, 1)},
    {"i64", 1, 0, 8, 1, "banks=32", GPU(32, 15)},
    {"i64", 0, 0, 16, 0, "", CPU(256)},
    {"f16", 0, 0, 100, 0, "banks=8", GPU(32, 8)},
    {"f16", 1, 1, 0, 0, "", CPU(64)},
    {"f32", 0, 0, 0, 0, "banks=32", GPU(32, 16)},
    {"f32", 1, 1, 0, 0, "banks=16", GPU(64, 4)},
    {"f32", 1, 0, 8, 0, "", CPU(64)},
    {"f64", 0, 1, 4, 0, "banks=64", GPU(64, 8)},
    {"f64", 1, 0, 4, 1, "", CPU(64)},
    {"i16", 1, 0, 0, 0, "banks=32,bank_bytes=8", GPU(32, 16)},
    {"u64", 0, 0, 2, 0, "banks=16,bank_bytes=8", GPU(16, 32)},
};

enum { NUM_ROWS = sizeof table / sizeof table[0] };

static sort_setup setup_of(const row *r)
{
    sort_setup setup = {.k = kind_named(r->kind), .tuning = r->tuning};
    setup.k.order.descending = r->descending;
    setup.k.order.zero_equal = r->zero_equal;
    setup.value_bytes = r->value_bytes;
    setup.argsort = r->argsort;
    return setup;
}

static dmm_sort *build_by(rig *r, const sort_setup *setup, dmm_sort_method method, uint64_t max_n)
{
    dmm_sort *sort = NULL;
    dmm_sort_desc desc = sort_desc_of(setup);
    desc.method = method;
    desc.max_n = max_n;
    test_note("building a sort of %s by method %d, value_bytes=%u", setup->k.name, (int)method,
        setup->value_bytes);
    r->log_bytes = 0;
    const dmm_status status = dmm_sort_create(&sort, r->ctx, &desc);
    if (status != DMM_OK)
        print_error("%s", r->log);
    REQUIRE_OK(status);
    return sort;
}

static uint64_t tile_of(const dmm_tuning *tuning)
{
    return tuning->form == DMM_FORM_CPU ? tuning->tile : (uint64_t)tuning->u * tuning->E;
}

/* Sizes around every boundary: each with another shape, place and offset. */
static void check_sizes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning), w = dmm_context_device(r->ctx)->banks.value;
    const uint64_t sizes[] = {0, 1, T + 1, 2 * T, T - 1, 2, 3 * T + 1, T, 3, w + 1, w, 2 * T + 3,
        7 * T - 5, 64 * T + 17, 40 * T};
    const size_t count = by_size(4, 1, 1) == 4 ? 4 : sizeof sizes / sizeof sizes[0];
    for (size_t i = 0; i < count; i++) {
        const uint64_t k = seed + i;
        const sort_case c = {.n = sizes[i],
            .input = (shape)(k % SHAPE_COUNT),
            .seed = k,
            .in_place = k % 2 == 0,
            .offset_items = k % 3 * 5,
            .temp_given = k % 5 < 2};
        sort_check(r, sort, setup, &c);
    }
}

static void check_shapes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t n = 2 * tile_of(&setup->tuning) + 3 + setup->tuning.E;
    for (int s = 0; s < SHAPE_COUNT; s++) {
        const sort_case c = {
            .n = n, .input = (shape)s, .seed = seed, .in_place = s % 2, .temp_given = s % 3 == 0};
        sort_check(r, sort, setup, &c);
    }
}

static void check_row(const row *one, uint64_t seed)
{
    static rig r;
    const sort_setup setup = setup_of(one);
    rig_open(&r, one->set);
    dmm_sort *sort = build_by(&r, &setup, DMM_SORT_RADIX, 0);
    check_sizes(&r, sort, &setup, seed);
    if (sizes_wanted() != SIZES_SMALL)
        check_shapes(&r, sort, &setup, seed);
    dmm_sort_free(sort);
    rig_close(&r);
}

static void every_row_of_the_covering_table_sorts(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_ROWS; i += by_size(4, 1, 1))
        check_row(&table[i], 100 * i);
}

static void every_size_up_to_4096_sorts(void **state)
{
    static const row forms[] = {
        {"u32", 0, 0, 4, 0, "banks=32", GPU(32, 4)}, {"u16", 0, 0, 0, 0, "", CPU(64)}};
    static rig r;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const sort_setup setup = setup_of(&forms[i]);
        rig_open(&r, forms[i].set);
        dmm_sort *sort = build_by(&r, &setup, DMM_SORT_RADIX, 0);
        for (uint64_t n = 0; n <= 4096; n += by_size(2 + n * 5, 1, 1)) {
            const sort_case c = {.n = n,
                .input = (shape)(n % SHAPE_COUNT),
                .seed = n,
                .in_place = n % 4 < 2,
                .temp_given = n % 2};
            sort_check(&r, sort, &setup, &c);
        }
        dmm_sort_free(sort);
        rig_close(&r);
    }
}

/* So many items that the CPU form writes whole lines, to targets that are aligned and that are not.
 */
static void a_million_items_sort_with_default_parameters(void **state)
{
    static const struct {
        const char *kind;
        uint32_t value_bytes;
        uint64_t n, offset_items;
    } rows[] = {{"u64", 8, 1 << 20, 0}, {"u64", 8, (1 << 20) + 77, 0}, {"u32", 4, (1 << 21) + 1, 3},
        {"u16", 8, 1700001, 1}};
    static rig r;
    (void)state;
    if (sizes_wanted() == SIZES_SMALL)
        skip();
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const int gpu = i % 2 == 1;
        sort_setup setup = {
            .k = kind_named(rows[i / 2].kind), .value_bytes = rows[i / 2].value_bytes};
        setup.tuning.form = gpu ? DMM_FORM_GPU : DMM_FORM_CPU;
        rig_open(&r, NULL);
        dmm_sort *sort = build_by(&r, &setup, DMM_SORT_RADIX, 0);
        const sort_case c = {.n = gpu ? 300001 : rows[i / 2].n,
            .input = SHAPE_BITS,
            .seed = i,
            .offset_items = rows[i / 2].offset_items,
            .in_place = i % 4 < 2};
        sort_check(&r, sort, &setup, &c);
        dmm_sort_free(sort);
        rig_close(&r);
    }
}

/* The keys that a sort makes of a run's input; to be freed. */
static void *output_of(const rig *r, dmm_sort *sort, const sort_setup *setup, const sort_case *c)
{
    void *const keys = malloc((size_t)c->n * setup->k.bytes);
    sort_run run = sort_prepare(r, sort, setup, c);
    REQUIRE(keys != NULL);
    REQUIRE_OK(dmm_sort_enqueue(sort, r->queue, &run.args, c->n, 0, NULL, NULL));
    zone_read(r, &run.keys_out, keys);
    sort_finish(&run);
    return keys;
}

static void require_agreement(rig *r, const sort_setup *setup)
{
    dmm_sort *const by_radix = build_by(r, setup, DMM_SORT_RADIX, 0);
    dmm_sort *const by_merge = build_by(r, setup, DMM_SORT_MERGE, 0);
    for (int s = SHAPE_RANDOM; s <= SHAPE_SPECIAL; s++) {
        const sort_case c = {.n = by_size(150, 5000, 5000), .input = (shape)s, .seed = 5};
        void *const x = output_of(r, by_radix, setup, &c), *const y =
                                                               output_of(r, by_merge, setup, &c);
        REQUIRE(memcmp(x, y, (size_t)c.n * setup->k.bytes) == 0);
        free(x);
        free(y);
    }
    dmm_sort_free(by_radix);
    dmm_sort_free(by_merge);
}

/* Each type with one of: up, down, up and down with equal zeros; in one form. */
static void radix_and_merge_agree_bit_by_bit(void **state)
{
    static rig r;
    (void)state;
    rig_open(&r, "banks=16");
    for (size_t k = 0; kind_at(k)->order.type != DMM_ITEM; k += by_size(5, 1, 1)) {
        const dmm_tuning tunings[] = {GPU(16, 8), CPU(64)};
        sort_setup setup = {.k = *kind_at(k), .tuning = tunings[k % 2]};
        setup.k.order.descending = k % 3 == 1;
        setup.k.order.zero_equal = setup.k.order.type == DMM_F32 || setup.k.order.type == DMM_F16;
        require_agreement(&r, &setup);
    }
    rig_close(&r);
}

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
        dmm_sort *sort = build_by(&r, &setup, DMM_SORT_RADIX, 0);
        for (unsigned varies = 0; varies < 256; varies += (unsigned)by_size(85, 5, 1)) {
            const sort_case c = {.n = by_size(400, 1000, 1000),
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
    dmm_sort *sort = build_by(&r, &setup, DMM_SORT_RADIX, 0);
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
        dmm_sort *sort = build_by(&r, &setups[s], DMM_SORT_RADIX, UINT64_MAX / 2);
        REQUIRE(sort->layout.index_bytes == 8);
        for (size_t i = 0; i < by_size(3, 20, 20); i++) {
            const uint64_t first = firsts[i / 4], n = sizes[i % 4];
            const sort_case c = {
                .n = n, .input = (shape)(i % SHAPE_COUNT), .seed = i, .in_place = i % 2};
            sort_run run = sort_prepare(&r, sort, &setups[s], &c);
            for (uint64_t x = 0; setups[s].argsort && x < n; x++)
                ((uint64_t *)run.values)[x] += first;
            REQUIRE_OK(dmm_sort_enqueue_from(sort, r.queue, &run.args, first, n, 0, NULL, NULL));
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
        dmm_sort *sort = build_by(&r, &setups[s], DMM_SORT_RADIX, UINT64_MAX / 2);
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
        cmocka_unit_test(every_row_of_the_covering_table_sorts),
        cmocka_unit_test(every_size_up_to_4096_sorts),
        cmocka_unit_test(a_million_items_sort_with_default_parameters),
        cmocka_unit_test(radix_and_merge_agree_bit_by_bit),
        cmocka_unit_test(a_range_of_bits_sorts_by_it_alone),
        cmocka_unit_test(digits_that_all_items_share_are_skipped),
        cmocka_unit_test(keys_or_values_alone_may_be_in_place),
        cmocka_unit_test(positions_beyond_2_to_the_32_sort),
        cmocka_unit_test(temp_bytes_never_fall_as_n_grows),
        cmocka_unit_test(what_radix_cannot_do_is_refused),
    };
    return cmocka_run_group_tests_name("sort_radix", tests, NULL, NULL);
}
