/* SPDX-License-Identifier: MIT */
/* dmm_mpi_shuffle and dmm_mpi_partition: items go where the definitions say. */
#include "mpi/machine.h"
#include "ranks.h"

static void shuffle_once(dmm_mpi *mpi, uint64_t n, spread before, spread after)
{
    enum { BYTES = 6 };
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const uint64_t seed = 7 + n, in_place = before == after;
    const uint64_t begin = spread_begin(before, n, ranks, rank);
    const uint64_t end = spread_begin(before, n, ranks, rank + 1);
    const uint64_t out = spread_begin(after, n, ranks, rank);
    const uint64_t out_end = spread_begin(after, n, ranks, rank + 1);
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: shuffle, n=%llu, spread %d to %d", rank,
        ranks, (unsigned long long)n, before, after);
    char *const items = ranks_allocate((end - begin) * BYTES);
    char *const items_out = in_place ? items : ranks_allocate((out_end - out) * BYTES);
    for (uint64_t i = begin; i < end; i++)
        memcpy(items + (i - begin) * BYTES, &i, BYTES);
    const dmm_mpi_shuffle_args args = {.seed = seed,
        .item_bytes = BYTES,
        .items = items,
        .n = end - begin,
        .items_out = items_out,
        .n_out = out_end - out};
    CHECK_OK(mpi, dmm_mpi_shuffle(mpi, &args));
    for (uint64_t i = out; i < out_end; i++) {
        const uint64_t wanted = dmm_shuffle_index(seed, n, i);
        CHECK(memcmp(items_out + (i - out) * BYTES, &wanted, BYTES) == 0);
    }
    if (!in_place)
        free(items_out);
    free(items);
}

/* Item i has label i * i modulo `ways`. */
static void partition_once(dmm_mpi *mpi, uint64_t n, uint32_t ways, spread before, spread after)
{
    const int rank = dmm_mpi_rank(mpi), ranks = dmm_mpi_ranks(mpi);
    const uint64_t begin = spread_begin(before, n, ranks, rank);
    const uint64_t end = spread_begin(before, n, ranks, rank + 1);
    const uint64_t out = spread_begin(after, n, ranks, rank);
    const uint64_t out_end = spread_begin(after, n, ranks, rank + 1);
    snprintf(ranks_note, sizeof ranks_note, "rank %d of %d: partition, n=%llu, ways=%u", rank,
        ranks, (unsigned long long)n, ways);
    uint16_t *const labels = ranks_allocate((end - begin) * 2);
    uint16_t *const labels_out = ranks_allocate((out_end - out) * 2);
    uint32_t *const items = ranks_allocate((end - begin) * 4);
    uint32_t *const items_out = ranks_allocate((out_end - out) * 4);
    uint64_t *const offsets = ranks_allocate((ways + 1) * 8);
    for (uint64_t i = begin; i < end; i++) {
        labels[i - begin] = (uint16_t)(i * i % ways);
        items[i - begin] = (uint32_t)i;
    }
    const dmm_mpi_partition_args args = {.ways = ways,
        .label_bytes = 2,
        .item_bytes = 4,
        .labels = labels,
        .items = items,
        .n = end - begin,
        .labels_out = labels_out,
        .items_out = items_out,
        .n_out = out_end - out,
        .offsets_out = offsets};
    CHECK_OK(mpi, dmm_mpi_partition(mpi, &args));
    uint64_t at = 0;
    for (uint32_t way = 0; way < ways; way++) {
        CHECK(offsets[way] == at);
        for (uint64_t i = 0; i < n; i++) {
            if (i * i % ways != way)
                continue;
            CHECK(at < out || at >= out_end ||
                  (items_out[at - out] == i && labels_out[at - out] == way));
            at++;
        }
    }
    CHECK(at == n && offsets[ways] == n);
    free(labels);
    free(labels_out);
    free(items);
    free(items_out);
    free(offsets);
}

static void test_failures(dmm_mpi *mpi)
{
    const int last = dmm_mpi_ranks(mpi) - 1, is_last = dmm_mpi_rank(mpi) == last;
    uint8_t label = is_last ? 3 : 2, item = 5;
    uint64_t offsets[4];
    snprintf(ranks_note, sizeof ranks_note, "failures of shuffle and partition");
    const dmm_mpi_partition_args wrong = {.ways = 3,
        .label_bytes = 1,
        .item_bytes = 1,
        .labels = &label,
        .items = &item,
        .n = 1,
        .labels_out = &label,
        .items_out = &item,
        .n_out = 1,
        .offsets_out = offsets};
    CHECK_FAILS(DMM_BAD_DATA, last, mpi, dmm_mpi_partition(mpi, &wrong));
    CHECK(label == (is_last ? 3 : 2) && item == 5);
    CHECK_FAILS(DMM_NULL_ARGUMENT, last, mpi, dmm_mpi_partition(mpi, is_last ? NULL : &wrong));
    dmm_mpi_shuffle_args shuffle = {
        .item_bytes = 1, .items = &item, .n = 1, .items_out = &item, .n_out = 1};
    shuffle.item_bytes = is_last ? 257 : 1;
    CHECK_FAILS(DMM_BAD_VALUE, last, mpi, dmm_mpi_shuffle(mpi, &shuffle));
    shuffle.item_bytes = 1;
    shuffle.seed = is_last && last > 0 ? 1 : 0;
    if (last > 0)
        CHECK_FAILS(DMM_BAD_VALUE, last, mpi, dmm_mpi_shuffle(mpi, &shuffle));
}

void test_moves(dmm_mpi *mpi)
{
    static const uint64_t sizes[] = {0, 1, 2, 5, 100, 5003};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (int how = 0; how < NUM_SPREADS; how++) {
            shuffle_once(mpi, sizes[s], (spread)how, (spread)(((size_t)how + s) % NUM_SPREADS));
            partition_once(mpi, sizes[s], how == 0 ? 1 : 37, (spread)how, EVEN);
        }
    test_failures(mpi);
}
