/* SPDX-License-Identifier: MIT */
/* What dmm scan and dmm reduce share: the operator, the numbers, and the keys of --by. */
#ifndef DMM_CLI_FOLD_H
#define DMM_CLI_FOLD_H

#include <dmm/axis.h>
#include <dmm/scan.h>

#include "option.h"
#include "session.h"
#include "shape.h"
#include "table.h"

typedef struct cli_fold {
    const char *op, *identity, *by, *shape; /* options; NULL: not given */
    unsigned axis;                          /* 0: columns, 1: rows */
    dmm_matrices matrix;                    /* with --shape */
    cli_columns columns;                    /* with --key, `by` is a column, too */
    dmm_scan_op which;
    dmm_operator own; /* an own operator, or one that is given, if combine is not NULL */
    dmm_map map;      /* of one that is given */
    bool is_given;
    dmm_operator_name given;
    cli_array items, keys;
} cli_fold;

/* more: of --op, operators that the command alone has. */
#define CLI_FOLD_OPTIONS(fold, more)                                               \
    {0, "op", CLI_TEXT, &(fold)->op, "OP",                                         \
        "sum, max or min (default: sum); " more "; or an\n"                        \
        "associative operator: OpenCL C over a and b, e.g. 'a * b', with\n"        \
        "--identity"},                                                             \
        {0, "identity", CLI_TEXT, &(fold)->identity, "EXPR",                       \
            "what an own operator combines with x to x, e.g. 1 for 'a * b'"},      \
        CLI_KEY_OPTIONS(&(fold)->columns, "KEY",                                   \
            "read the numbers of a column of a CSV, or of a two-dimensional\n"     \
            ".npy: its number, from 1, or its name in the heading; NAME:f32\n"     \
            "gives its type; --by is another column then"),                        \
        {0, "by", CLI_INPUT, &(fold)->by, "FILE",                                  \
            "a key for each number, of any type; each run of equal keys is\n"      \
            "handled by itself. Sort by the keys first, and each key is one run"}, \
        {0, "shape", CLI_TEXT, &(fold)->shape, "ROWS,COLUMNS",                     \
            "the numbers are a matrix, row after row: handle each of its\n"        \
            "columns by itself, or, with --axis rows, each row"},                  \
    {                                                                              \
        0, "axis", CLI_CHOICE, &(fold)->axis, "columns|rows",                      \
            "what is handled by itself of a --shape (default: columns)"            \
    }

/* Understands the operator. reduces: it may be one of a reduction, otherwise of a scan. */
bool cli_fold_choose(cli_fold *f, bool reduces, cli_error *error);

/* Reads numbers and keys, and fills `own` and `map` of an operator that is given. Sums, differences
 * and own operators take integers as i64 or u64, and all but argmin, argmax and minmax take f16 as
 * f32. */
bool cli_fold_read(cli_fold *f, const char *input, dmm_type type, cli_error *error);

/* Returns the work on a matrix: a reduction, or a scan. */
dmm_axis_desc cli_fold_axis(const cli_fold *f, dmm_axis_work work);

/* As cli_check, for a status of a fold: names the option at fault. */
bool cli_fold_check(const cli_fold *f, cli_session *session, dmm_status status, const char *input,
    cli_error *error);

void cli_close_fold(cli_fold *f);

#endif
