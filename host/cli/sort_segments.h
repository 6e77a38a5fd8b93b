/* SPDX-License-Identifier: MIT */
/* dmm sort --segments, --by and --rows: each part of a list is sorted by itself. */
#ifndef DMM_CLI_SORT_SEGMENTS_H
#define DMM_CLI_SORT_SEGMENTS_H

#include <dmm/types.h>

#include "array.h"
#include "judge.h"
#include "session.h"

typedef struct cli_segments {
    cli_array offsets;       /* u64, one more than segments: from 0 to the number of keys */
    cli_fingerprint *before; /* fingerprint of each segment, for the check; NULL: none */
} cli_segments;

/* Reads the offsets of a file, and checks that they ascend from 0 to n. */
bool cli_read_segments(cli_segments *out, const char *path, size_t n, cli_error *error);
/* Makes a segment of each run of equal keys of a file, which has n. */
bool cli_find_segments(cli_segments *out, const char *path, size_t n, cli_error *error);
/* Makes a segment of each `columns` of n keys. */
bool cli_divide_segments(cli_segments *out, size_t columns, size_t n, cli_error *error);

/* Remembers the items of each segment, before they are sorted. */
bool cli_note_segments(
    cli_segments *s, const cli_array *keys, const cli_array *values, cli_error *error);

typedef struct cli_segments_order {
    dmm_order order;
    bool argsort, guarantee;
} cli_segments_order;

dmm_status cli_sort_segments(cli_session *session, const cli_segments *s,
    const cli_segments_order *order, cli_array *keys, cli_array *values);

/* Judges that each segment has its items, as they were noted, in the library's order. `before`: the
 * keys of --argsort, whose values are indices; NULL: of another sort. */
bool cli_judge_segments(const cli_segments *s, const cli_array *keys, const cli_array *values,
    const cli_array *before, bool descending, cli_error *error);

void cli_free_segments(cli_segments *s);

#endif
