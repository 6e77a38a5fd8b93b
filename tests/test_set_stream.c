/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * dmm_set_stream and dmm_unique_stream with tiny windows and blocks: every operation and shape,
 * items that come more often than a window has places, callbacks that give little or fail.
 */
#include "support/require.h"

#include <dmm/set_stream.h>
#include <dmm/unique_stream.h>

#include <stdlib.h>
#include <string.h>

#include "support/forms.h"
#include "support/judge.h"
#include "support/rig.h"

enum { FAILS = 4711, MOST_BYTES = 16, MOST = 3000 };

/* Lists, and what is to come of them; list 1 is empty for dmm_unique_stream. */
typedef struct stream_test {
    kind k;
    uint32_t value_bytes;
    uint64_t n[2], read[2], most_read;
    char *keys[2], *values[2]; /* of each list */
    char *wanted_keys, *wanted_values, *keys_out, *values_out;
    uint64_t wanted, written;
    uint64_t calls, fails_at; /* of callbacks; that one, from 1, fails */
    int drops_b;              /* values of list 1 are not asked for */
} stream_test;

static int counts(stream_test *t)
{
    return __atomic_add_fetch(&t->calls, 1, __ATOMIC_SEQ_CST) != t->fails_at;
}

static dmm_status read_list(
    void *user, uint32_t list, void *keys, void *values, uint64_t most, uint64_t *count)
{
    stream_test *const t = user;
    const uint64_t left = t->n[list] - t->read[list], key = t->k.bytes, value = t->value_bytes;
    if (!counts(t))
        return FAILS;
    if (most == 0 || (values != NULL) != (value != 0 && !(list == 1 && t->drops_b)))
        return FAILS + 1;
    *count = left < most ? left : most;
    if (t->most_read != 0 && *count > t->most_read)
        *count = t->most_read;
    memcpy(keys, t->keys[list] + t->read[list] * key, *count * key);
    if (values != NULL)
        memcpy(values, t->values[list] + t->read[list] * value, *count * value);
    t->read[list] += *count;
    return DMM_OK;
}

static dmm_status read_one(void *user, void *keys, void *values, uint64_t most, uint64_t *count)
{
    return read_list(user, 0, keys, values, most, count);
}

static dmm_status write_items(void *user, const void *keys, const void *values, uint64_t count)
{
    stream_test *const t = user;
    if (!counts(t))
        return FAILS;
    if (count == 0 || count > t->wanted - t->written || (values != NULL) != (t->value_bytes != 0))
        return FAILS + 2;
    memcpy(t->keys_out + t->written * t->k.bytes, keys, count * t->k.bytes);
    if (values != NULL)
        memcpy(t->values_out + t->written * t->value_bytes, values, count * t->value_bytes);
    t->written += count;
    return DMM_OK;
}

/* Lists of the same `different` values, 0: of those of the shape; sorted, or in its order. */
static void open_test(stream_test *t, shape input, uint64_t different, int sorts)
{
    random_source random = {t->n[0] + 7 * t->n[1] + different};
    char **const arrays[] = {&t->keys[0], &t->keys[1], &t->values[0], &t->values[1],
        &t->wanted_keys, &t->wanted_values, &t->keys_out, &t->values_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        REQUIRE((*arrays[i] = calloc(2 * MOST, MOST_BYTES)) != NULL);
    kind_fill(&t->k, input, t->wanted_keys, different, &random); /* both lists draw from these */
    for (uint32_t i = 0; i < 2; i++) {
        const rows list = {t->keys_out, t->values_out, t->n[i], t->value_bytes};
        kind_fill(&t->k, input, t->keys_out, t->n[i], &random);
        for (uint64_t j = 0; j < t->n[i] && different != 0; j++)
            memcpy(t->keys_out + j * t->k.bytes,
                t->wanted_keys + random_below(&random, different) * t->k.bytes, t->k.bytes);
        random_bytes(&random, t->values_out, t->n[i] * t->value_bytes);
        if (sorts) {
            oracle_sort(&t->k, &list, t->keys[i], t->values[i]);
            continue;
        }
        memcpy(t->keys[i], t->keys_out, t->n[i] * t->k.bytes);
        memcpy(t->values[i], t->values_out, t->n[i] * t->value_bytes);
    }
}

static void close_test(stream_test *t)
{
    char *const arrays[] = {t->keys[0], t->keys[1], t->values[0], t->values[1], t->wanted_keys,
        t->wanted_values, t->keys_out, t->values_out};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static void want(stream_test *t, uint32_t list, uint64_t at)
{
    const uint64_t key = t->k.bytes, value = t->value_bytes;
    memcpy(t->wanted_keys + t->wanted * key, t->keys[list] + at * key, key);
    memcpy(t->wanted_values + t->wanted * value, t->values[list] + at * value, value);
    t->wanted++;
}

/* As the standard library walks through both lists. */
static void want_set(stream_test *t, dmm_set_op op)
{
    uint64_t a = 0, b = 0;
    const int left = op != DMM_SET_INTERSECTION;
    const int right = op == DMM_SET_UNION || op == DMM_SET_SYMMETRIC;
    const int both = op == DMM_SET_UNION || op == DMM_SET_INTERSECTION;
    t->drops_b = !right;
    while (a < t->n[0] || b < t->n[1]) {
        const int order = a == t->n[0]   ? 1
                          : b == t->n[1] ? -1
                                         : kind_compare(&t->k, t->keys[0] + a * t->k.bytes,
                                               t->keys[1] + b * t->k.bytes);
        if (order < 0 ? left : order > 0 ? right : both)
            want(t, order > 0, order > 0 ? b : a);
        a += order <= 0;
        b += order >= 0;
    }
}

static void want_unique(stream_test *t)
{
    const size_t key = t->k.bytes;
    for (uint64_t i = 0; i < t->n[0]; i++)
        if (i == 0 || memcmp(t->keys[0] + i * key, t->keys[0] + (i - 1) * key, key) != 0)
            want(t, 0, i);
}

static void judge_test(const stream_test *t, uint64_t items)
{
    REQUIRE(items == t->wanted && t->written == t->wanted);
    REQUIRE(memcmp(t->keys_out, t->wanted_keys, t->wanted * t->k.bytes) == 0);
    REQUIRE(memcmp(t->values_out, t->wanted_values, t->wanted * t->value_bytes) == 0);
}

static dmm_status run_set(
    stream_test *t, const rig *r, dmm_set_op op, uint64_t window, uint64_t *items)
{
    const dmm_set_stream_desc desc = {.order = t->k.order,
        .op = op,
        .value_bytes = t->value_bytes,
        .window_items = window,
        .tuning = usual_tuning()};
    const dmm_set_stream_args args = {
        .user = t, .read = read_list, .write = write_items, .items_out = items};
    t->read[0] = t->read[1] = t->written = t->calls = 0;
    return dmm_set_stream_host(r->ctx, &desc, &args);
}

static dmm_status run_unique(stream_test *t, const rig *r, uint64_t block, uint64_t *items)
{
    const dmm_unique_stream_desc desc = {.key_bytes = t->k.bytes,
        .value_bytes = t->value_bytes,
        .block_items = block,
        .tuning = usual_tuning()};
    const dmm_unique_stream_args args = {
        .user = t, .read = read_one, .write = write_items, .items_out = items};
    t->read[0] = t->written = t->calls = 0;
    return dmm_unique_stream_host(r->ctx, &desc, &args);
}

/* Every operation on lists of one length, and, unless sizes are full, one on other lists: `turn`
 * chooses it. */
static void check_set(const rig *r, const kind *k, uint32_t value_bytes, uint64_t na, uint64_t nb,
    uint64_t different, uint64_t turn)
{
    static const uint64_t windows[] = {1, 2, 7, 64, 300};
    for (dmm_set_op op = DMM_SET_UNION; op <= DMM_SET_SYMMETRIC; op++) {
        if (turn % 4 != (uint64_t)op && na != nb && sizes_wanted() != SIZES_FULL)
            continue;
        const uint64_t window = windows[(na + nb + different + op) % 5];
        stream_test t = {.k = *k, .value_bytes = value_bytes, .n = {na, nb}, .most_read = na % 4};
        uint64_t items = 0;
        test_note(
            "%s, operation %d, values of %u, %llu and %llu items, windows of %llu, different %llu",
            k->name, (int)op, value_bytes, (unsigned long long)na, (unsigned long long)nb,
            (unsigned long long)window, (unsigned long long)different);
        open_test(&t, SHAPE_RANDOM, different, 1);
        want_set(&t, op);
        REQUIRE_OK(run_set(&t, r, op, window, &items));
        judge_test(&t, items);
        close_test(&t);
    }
}

static void sets_are_those_of_the_whole_lists(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 63, 64, 65, 130, 301};
    const kind pairs = kind_named("u32"), floats = kind_descending(kind_named("f32"));
    static rig r;
    rig_open(&r, *state);
    /* In simulators 63 items, and 64 of another shape, suffice. */
    const size_t first = by_size(3, 0, 0), end = by_size(5, 8, 8);
    for (size_t a = first; a < end; a += by_size(2, 1, 1))
        for (size_t b = first; b < end; b++) {
            const uint64_t different = (a + b) % 3 == 0 ? 1 : (a + b) % 3 == 1 ? 5 : 60;
            check_set(&r, &pairs, 4, counts[a], counts[b], different, a + b);
            if (sizes_wanted() == SIZES_FULL || (a == 7 && b == 7))
                check_set(&r, &floats, 0, counts[a], counts[b], different, a + b);
        }
    rig_close(&r);
}

static void check_unique(
    const rig *r, const kind *k, uint32_t value_bytes, uint64_t n, uint64_t block, shape input)
{
    stream_test t = {.k = *k, .value_bytes = value_bytes, .n = {n, 0}, .most_read = n % 5};
    uint64_t items = 0;
    test_note("unique, values of %u, %llu items, blocks of %llu, %s", value_bytes,
        (unsigned long long)n, (unsigned long long)block, shape_name(input));
    open_test(&t, input, 0, n % 2 == 0);
    want_unique(&t);
    REQUIRE_OK(run_unique(&t, r, block, &items));
    judge_test(&t, items);
    close_test(&t);
}

static void runs_go_on_from_block_to_block(void **state)
{
    static const uint64_t counts[] = {0, 1, 2, 63, 64, 65, 130, 301, 1000};
    const kind k = kind_named("u32");
    static rig r;
    rig_open(&r, *state);
    for (size_t i = by_size(6, 0, 0); i < by_size(7, 9, 9); i++)
        for (shape input = SHAPE_RANDOM; input < SHAPE_COUNT; input += (shape)by_size(4, 1, 1)) {
            /* Full sizes: each block with each count and shape. */
            const uint64_t least = by_size(5, 65, 65), n = counts[i] < least ? counts[i] : least;
            const uint64_t turn = (i + (uint64_t)input) % 3, all = by_size(1, 0, 1);
            if (all || turn == 0)
                check_unique(&r, &k, 4, counts[i], 64, input);
            if (all || turn == 1)
                check_unique(&r, &k, 4, n, 1, input);
            if (all || turn == 2)
                check_unique(&r, &k, 4, counts[i], 37, input);
        }
    rig_close(&r);
}

/* Sizes by memory, and too little of it. */
static void sizes_follow_the_memory(void **state)
{
    stream_test t = {.k = kind_named("u32"),
        .value_bytes = 4,
        .n = {by_size(200, MOST, MOST), by_size(200, MOST, MOST)}};
    dmm_set_stream_desc set = {.order = t.k.order,
        .op = DMM_SET_UNION,
        .value_bytes = 4,
        .memory_bytes = 100000,
        .tuning = usual_tuning()};
    dmm_unique_stream_desc unique = {
        .value_bytes = 4, .memory_bytes = 100000, .tuning = usual_tuning()};
    const dmm_set_stream_args set_args = {.user = &t, .read = read_list, .write = write_items};
    const dmm_unique_stream_args unique_args = {.user = &t, .read = read_one, .write = write_items};
    static rig r;
    rig_open(&r, *state);
    test_note("memory of 100000 bytes");
    open_test(&t, SHAPE_RANDOM, 900, 1);
    want_set(&t, DMM_SET_UNION);
    REQUIRE_OK(dmm_set_stream_host(r.ctx, &set, &set_args));
    judge_test(&t, t.wanted);
    t.wanted = t.written = t.read[0] = 0;
    want_unique(&t);
    REQUIRE_OK(dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    judge_test(&t, t.wanted);
    set.memory_bytes = unique.memory_bytes = 1000;
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_set_stream_host(r.ctx, &set, &set_args));
    REQUIRE_STATUS(DMM_BAD_VALUE, dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    set.reserved[0] = unique.reserved[0] = 1;
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_set_stream_host(r.ctx, &set, &set_args));
    REQUIRE_STATUS(DMM_UNSUPPORTED, dmm_unique_stream_host(r.ctx, &unique, &unique_args));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_set_stream_host(r.ctx, &set, NULL));
    REQUIRE_STATUS(DMM_NULL_ARGUMENT, dmm_unique_stream_host(r.ctx, NULL, &unique_args));
    close_test(&t);
    rig_close(&r);
}

static void a_callback_that_fails_ends_the_call(void **state)
{
    stream_test t = {.k = kind_named("u32"), .value_bytes = 4, .n = {100, 120}};
    uint64_t items = 0;
    static rig r;
    rig_open(&r, *state);
    open_test(&t, SHAPE_RANDOM, 30, 1);
    want_set(&t, DMM_SET_UNION);
    REQUIRE_OK(run_set(&t, &r, DMM_SET_UNION, 20, &items));
    const uint64_t step = by_size(9, 3, 1);
    for (uint64_t k = 1, calls = t.calls; k <= calls; k += step) {
        test_note("callback %llu of %llu fails", (unsigned long long)k, (unsigned long long)calls);
        t.fails_at = k;
        REQUIRE_STATUS(FAILS, run_set(&t, &r, DMM_SET_UNION, 20, &items));
    }
    t.fails_at = t.wanted = 0;
    want_unique(&t);
    REQUIRE_OK(run_unique(&t, &r, 16, &items));
    for (uint64_t k = 1, calls = t.calls; k <= calls; k += step) {
        test_note("unique: callback %llu fails", (unsigned long long)k);
        t.fails_at = k;
        REQUIRE_STATUS(FAILS, run_unique(&t, &r, 16, &items));
    }
    close_test(&t);
    rig_close(&r);
}

int main(void)
{
    /* Two queues, and two sets of buffers. */
    char gpu[] = "form=gpu,u=32,E=4";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_those_of_the_whole_lists),
        cmocka_unit_test(runs_go_on_from_block_to_block),
        cmocka_unit_test(sizes_follow_the_memory),
        cmocka_unit_test(a_callback_that_fails_ends_the_call),
        cmocka_unit_test_prestate(sets_are_those_of_the_whole_lists, gpu),
        cmocka_unit_test_prestate(runs_go_on_from_block_to_block, gpu),
        cmocka_unit_test_prestate(sizes_follow_the_memory, gpu),
        cmocka_unit_test_prestate(a_callback_that_fails_ends_the_call, gpu),
    };
    return cmocka_run_group_tests_name("set_stream", tests, NULL, NULL);
}
