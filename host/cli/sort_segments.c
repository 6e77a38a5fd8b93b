/* SPDX-License-Identifier: MIT */
/* Sorts each part of a list by itself. */
#include <stdlib.h>
#include <string.h>

#include <dmm/sort_segmented.h>

#include "number.h"
#include "sort_segments.h"

static size_t number_of(const cli_segments *s)
{
    return s->offsets.count - 1;
}

bool cli_read_segments(cli_segments *out, const char *path, size_t n, cli_error *error)
{
    cli_array given;
    if (!cli_read_keys(&given, path, DMM_ITEM, error))
        return false;
    bool ok = !cli_is_float(given.type) ||
              cli_fail(error, CLI_MISTAKE, path, "offsets are whole numbers, not %s",
                  dmm_type_name(given.type));
    ok = ok && (given.count > 0 || cli_fail(error, CLI_MISTAKE, path, "it holds no offset"));
    ok = ok && cli_make_array(&out->offsets, DMM_U64, 0, given.count, error);
    uint64_t *const offsets = out->offsets.data, last = 0;
    for (size_t i = 0; ok && i < given.count; i++) {
        const uint32_t bytes = given.item_bytes;
        uint64_t offset = 0;
        memcpy(&offset, (const char *)given.data + i * bytes, bytes);
        ok = (offset >= last && offset <= n && (i > 0 || offset == 0)) ||
             cli_fail(error, CLI_MISTAKE, path,
                 "offset %zu, %llu, is wrong: they ascend from 0 to the number of keys, %zu", i + 1,
                 (unsigned long long)offset, n);
        offsets[i] = last = offset;
    }
    ok = ok && (last == n || cli_fail(error, CLI_MISTAKE, path,
                                 "the last offset is %llu, not the number of keys, %zu",
                                 (unsigned long long)last, n));
    cli_free_array(&given);
    return ok;
}

bool cli_find_segments(cli_segments *out, const char *path, size_t n, cli_error *error)
{
    cli_array keys;
    if (!cli_read_keys(&keys, path, DMM_ITEM, error))
        return false;
    bool ok = keys.count == n || cli_fail(error, CLI_MISTAKE, path,
                                     "it holds %zu keys for %zu numbers", keys.count, n);
    ok = ok && cli_make_array(&out->offsets, DMM_U64, 0, n + 1, error);
    if (ok) {
        const char *const key = keys.data;
        const size_t bytes = keys.item_bytes;
        uint64_t *const offsets = out->offsets.data;
        size_t runs = 0;
        for (size_t i = 0; i < n; i++)
            if (i == 0 || memcmp(key + i * bytes, key + (i - 1) * bytes, bytes) != 0)
                offsets[runs++] = i;
        offsets[runs] = n;
        out->offsets.count = runs + 1;
    }
    cli_free_array(&keys);
    return ok;
}

bool cli_divide_segments(cli_segments *out, size_t columns, size_t n, cli_error *error)
{
    const size_t rows = columns > 0 ? n / columns : 0;
    if (!cli_make_array(&out->offsets, DMM_U64, 0, rows + 1, error))
        return false;
    for (size_t i = 0; i <= rows; i++)
        ((uint64_t *)out->offsets.data)[i] = i * columns;
    return true;
}

/* Returns the part of an array that is segment i. */
static cli_array part_of(const cli_segments *s, const cli_array *array, size_t i)
{
    const uint64_t *const offsets = s->offsets.data;
    cli_array part = *array;
    part.data = (char *)array->data + (size_t)offsets[i] * array->item_bytes;
    part.count = (size_t)(offsets[i + 1] - offsets[i]);
    part.block = NULL;
    return part;
}

bool cli_note_segments(
    cli_segments *s, const cli_array *keys, const cli_array *values, cli_error *error)
{
    s->before = calloc(s->offsets.count, sizeof *s->before);
    if (!s->before)
        return cli_fail_memory(error, NULL, s->offsets.count * sizeof *s->before);
    for (size_t i = 0; i < number_of(s); i++) {
        const cli_array part = part_of(s, keys, i);
        const cli_array beside = values ? part_of(s, values, i) : (cli_array){.count = 0};
        cli_add_fingerprint(&s->before[i], &part, values ? &beside : NULL);
    }
    return true;
}

dmm_status cli_sort_segments(cli_session *session, const cli_segments *s,
    const cli_segments_order *order, cli_array *keys, cli_array *values)
{
    const dmm_sort_segmented_desc desc = {.order = order->order,
        .value_bytes = values->item_bytes,
        .argsort = order->argsort,
        .offset_type = DMM_U64,
        .guarantee = order->guarantee};
    return dmm_sort_segmented_host(session->context, &desc, keys->data, values->data, keys->count,
        s->offsets.data, number_of(s));
}

/* True if all indices of segment i are of its own range. */
static bool has_own_indices(const cli_segments *s, const cli_array *indices, size_t i)
{
    const uint64_t *const offsets = s->offsets.data;
    for (uint64_t j = offsets[i]; j < offsets[i + 1]; j++) {
        const uint64_t index = indices->item_bytes == 4 ? ((const uint32_t *)indices->data)[j]
                                                        : ((const uint64_t *)indices->data)[j];
        if (index < offsets[i] || index >= offsets[i + 1])
            return false;
    }
    return true;
}

bool cli_judge_segments(const cli_segments *s, const cli_array *keys, const cli_array *values,
    const cli_array *before, bool descending, cli_error *error)
{
    if (before && !cli_judge_argsort(before, keys, values, error))
        return false;
    for (size_t i = 0; i < number_of(s); i++) {
        const cli_array part = part_of(s, keys, i);
        const cli_array beside =
            values && !before ? part_of(s, values, i) : (cli_array){.count = 0};
        if (!cli_judge_order(&part, descending, error))
            return false;
        if (before ? !has_own_indices(s, values, i)
                   : !cli_judge_items(&part, values ? &beside : NULL, &s->before[i], error))
            return cli_fail(error, CLI_CHECK_FAILED, NULL,
                "the result is wrong: segment %zu has other items than before", i);
    }
    return true;
}

void cli_free_segments(cli_segments *s)
{
    cli_free_array(&s->offsets);
    free(s->before);
    s->before = NULL;
}
