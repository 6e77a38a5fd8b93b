/* SPDX-License-Identifier: MIT */
/* Rows of sorts, and what is run with each. */
#include "support/sort_rows.h"

#include "support/forms.h"

static sort_setup setup_of(const sort_row *row)
{
    sort_setup setup = {.k = kind_named(row->kind), .tuning = row->tuning};
    setup.k.order.descending = row->descending;
    setup.k.order.zero_equal = row->zero_equal;
    setup.value_bytes = row->value_bytes;
    setup.argsort = row->argsort;
    return setup;
}

int sort_row_runs(cover *c, const sort_row *row, dmm_sort_method method)
{
    const sort_setup setup = setup_of(row);
    const uint64_t coprime = setup.tuning.E % 2 == 1 && setup.tuning.E > 1;
    return COVER_TAKES(c, 1, 4u * setup.tuning.form + setup.tuning.search, cover_text(row->set),
        method, cover_bytes(setup.k.bytes), cover_order(&setup.k), cover_bytes(row->value_bytes),
        4u * (row->argsort != 0) + 2u * (row->descending != 0) + (row->zero_equal != 0),
        setup.tuning.form == DMM_FORM_CPU ? 2u : coprime);
}

void sort_try_row(const sort_row *row, dmm_sort_method method, sort_trial *trial, uint64_t x)
{
    sort_try_row_as(row, method, dmm_sort_create, trial, x);
}

void sort_try_row_as(const sort_row *row, dmm_sort_method method, sort_creator *create,
    sort_trial *trial, uint64_t x)
{
    static rig r;
    const sort_setup setup = setup_of(row);
    dmm_sort_desc desc = sort_desc_of(&setup);
    desc.method = method;
    rig_open(&r, row->set);
    dmm_sort *sort = sort_build_as(&r, &desc, create);
    trial(&r, sort, &setup, x);
    dmm_sort_free(sort);
    rig_close(&r);
}

void sort_check_sizes(const rig *r, dmm_sort *sort, const sort_setup *setup, const uint64_t *sizes,
    size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t k = seed + i;
        const sort_case c = {.n = sizes[i],
            .input = (shape)(k % SHAPE_COUNT),
            .seed = k,
            .in_place = (int)(k % NUM_PLACES),
            .offset_items = k % 3 * 5,
            .temp_given = k % 5 < 2};
        sort_check(r, sort, setup, &c);
    }
}

void sort_check_shapes(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t n = 2 * tile_of(&setup->tuning) + 3 + setup->tuning.E;
    for (int s = 0; s < SHAPE_COUNT && sizes_wanted() != SIZES_SMALL; s++) {
        const sort_case c = {.n = n,
            .input = (shape)s,
            .seed = seed,
            .in_place = s % NUM_PLACES,
            .temp_given = s % 3 == 0};
        sort_check(r, sort, setup, &c);
    }
}

void sort_check_around_tiles(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t seed)
{
    const uint64_t T = tile_of(&setup->tuning);
    const uint64_t sizes[] = {T + 1, T - 1, 0, 1, 2 * T, 2, T, 3 * T + 1, 7 * T - 5};
    const size_t count = sizeof sizes / sizeof sizes[0];
    sort_check_sizes(r, sort, setup, sizes, by_size(1, count, count), seed);
}

void sort_check_to_4096(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t most)
{
    const uint64_t dense = 3 * tile_of(&setup->tuning) + 2;
    for (uint64_t n = 0; n <= by_size(most, 4096, 4096); n = size_after(n, dense)) {
        const sort_case c = {.n = n,
            .input = (shape)(n % SHAPE_COUNT),
            .seed = n,
            .in_place = n % 4 < 2,
            .temp_given = n % 2};
        sort_check(r, sort, setup, &c);
    }
}

void sort_check_many(const rig *r, dmm_sort *sort, const sort_setup *setup, uint64_t n)
{
    const sort_case c = {.n = n, .input = SHAPE_BITS, .seed = 7};
    if (sizes_wanted() != SIZES_SMALL)
        sort_check(r, sort, setup, &c);
}
