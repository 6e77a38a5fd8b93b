/* SPDX-License-Identifier: MIT */
/* Random networks of comparators, and streams beyond memory other than that of a sort. */
#include "support/fuzz.h"

#include "support/merge_stream_case.h"
#include "support/network_list.h"
#include "support/partition_stream_case.h"
#include "support/require.h"
#include "support/set_stream_case.h"

static shape a_shape(void)
{
    return (shape)fuzz_below(SHAPE_COUNT);
}

static network_list a_network(void)
{
    const uint32_t wires = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 32 : 600);
    const dmm_model_network_kind sorting =
        (dmm_model_network_kind)fuzz_below(wires <= 32 ? DMM_MODEL_BEST + 1 : DMM_MODEL_BEST);
    if (fuzz_coin())
        return network_list_random(
            wires, fuzz_below(20), 1 + (uint32_t)fuzz_below(wires), random_next(&fuzz.random));
    return network_list_of((dmm_model_network_desc){.kind = sorting, .wires = wires}, 1);
}

void fuzz_network(dmm_tuning t)
{
    sort_setup s = fuzz_items(t);
    while (s.tuning.E & (s.tuning.E - 1))
        s.tuning.E &= s.tuning.E - 1;
    for (int i = 0; i < FUZZ_CALLS / 2; i++, fuzz.calls++) {
        network_list l = a_network();
        test_note("network of %u wires, %llu steps, %llu comparators, on %s", l.wires,
            (unsigned long long)l.steps, (unsigned long long)l.num_pairs, s.k.name);
        network_run(fuzz_queue(), &l, &s.k, s.value_bytes, s.tuning, fuzz_below(6), fuzz_coin(),
            random_next(&fuzz.random));
        network_list_free(&l);
    }
}

void fuzz_set_stream(dmm_tuning t)
{
    const sort_setup s = fuzz_items(t);
    const dmm_tuning form = {.form = t.form};
    for (int i = 0; i < FUZZ_CALLS / 2; i++, fuzz.calls++) {
        const int is_unique = fuzz_coin();
        set_stream_case c = {.k = s.k,
            .op = (dmm_set_op)fuzz_below(4),
            .value_bytes = s.value_bytes,
            .n = {fuzz_below(1500), is_unique ? 0 : fuzz_below(1500)},
            .most_read = fuzz_coin() ? fuzz_below(100) : 0};
        const uint64_t at_once = 1 + fuzz_below(fuzz_coin() ? 20 : 400);
        const uint64_t different = fuzz_coin() ? 0 : 1 + fuzz_below(200);
        uint64_t items = 0;
        test_note("%s, operation %d, of %s, values of %u, %llu and %llu items, %llu at once, "
                  "different %llu",
            is_unique ? "unique stream" : "set stream", (int)c.op, s.k.name, c.value_bytes,
            (unsigned long long)c.n[0], (unsigned long long)c.n[1], (unsigned long long)at_once,
            (unsigned long long)different);
        set_stream_open(&c, a_shape(), different, !is_unique || fuzz_coin());
        if (is_unique)
            unique_stream_want(&c);
        else
            set_stream_want(&c);
        REQUIRE_OK(is_unique ? unique_stream_run(&c, &fuzz.r, form, at_once, &items)
                             : set_stream_run(&c, &fuzz.r, form, at_once, &items));
        set_stream_judge(&c, items);
        set_stream_close(&c);
    }
}

void fuzz_merge_stream(dmm_tuning t)
{
    const sort_setup s = fuzz_items(t);
    for (int i = 0; i < FUZZ_CALLS / 2; i++, fuzz.calls++) {
        merge_stream_case c = {.k = s.k, .value_bytes = s.value_bytes};
        c.desc.tuning.form = t.form;
        c.desc.block_items = fuzz_below(9);
        c.desc.window_items = 8 * (c.desc.block_items + 1) + fuzz_below(400);
        merge_stream_open(&c, fuzz_below(fuzz_coin() ? 8 : MERGE_STREAM_LISTS), a_shape(),
            random_next(&fuzz.random), 1);
        test_note("merge stream of %s, values of %u, %llu lists, windows of %llu, blocks of %llu",
            s.k.name, c.value_bytes, (unsigned long long)c.lists,
            (unsigned long long)c.desc.window_items, (unsigned long long)c.desc.block_items);
        const int fits = merge_stream_fits(&c);
        REQUIRE_STATUS(fits ? DMM_OK : DMM_TOO_LARGE, merge_stream_run(&c, &fuzz.r));
        if (fits)
            merge_stream_check(&c);
        merge_stream_close(&c);
    }
}

void fuzz_partition_stream(dmm_tuning t)
{
    static const uint32_t labels[] = {1, 2, 4};
    const sort_setup s = fuzz_items(t);
    for (int i = 0; i < FUZZ_CALLS / 4; i++, fuzz.calls++) {
        partition_stream_case c = {.k = s.k,
            .value_bytes = s.value_bytes,
            .n = fuzz_below(2000),
            .most_read = fuzz_coin() ? fuzz_below(300) : 0};
        c.desc.partition.ways = 1 + (uint32_t)fuzz_below(fuzz_coin() ? 8 : 200);
        c.desc.partition.by = fuzz_coin() ? DMM_PARTITION_BY_LABELS : DMM_PARTITION_BY_SPLITTERS;
        if (c.desc.partition.by == DMM_PARTITION_BY_LABELS)
            c.desc.partition.label_bytes = FUZZ_ONE_OF(labels);
        c.desc.partition.tuning.form = t.form;
        c.desc.run_items = 1 + fuzz_below(fuzz_coin() ? 50 : 1000);
        c.desc.window_items = 1 + fuzz_below(500);
        test_note("partition stream of %s, values of %u, by %d into %u, n=%llu, runs of %llu, "
                  "windows of %llu",
            s.k.name, c.value_bytes, (int)c.desc.partition.by, c.desc.partition.ways,
            (unsigned long long)c.n, (unsigned long long)c.desc.run_items,
            (unsigned long long)c.desc.window_items);
        partition_stream_open(&c, &fuzz.r, a_shape(), random_next(&fuzz.random));
        REQUIRE_OK(partition_stream_run(&c, &fuzz.r));
        partition_stream_check(&c);
        partition_stream_close(&c);
    }
}
