/* SPDX-License-Identifier: MIT */
/* The operator and the numbers of dmm scan and dmm reduce. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "number.h"
#include "progress.h"

enum { AXIS_COLUMNS, AXIS_ROWS };

static bool choose_axis(cli_fold *f, cli_error *error)
{
    if (f->axis != 0 && !f->shape)
        return cli_fail(error, CLI_MISTAKE, "--axis", "needs --shape ROWS,COLUMNS");
    if (!f->shape)
        return true;
    if (f->by)
        return cli_fail(error, CLI_MISTAKE, "--shape", "is not offered with --by");
    return cli_parse_shape(&f->matrix, f->shape, error);
}

/* Finds the operator among those that are given. */
static bool choose_given(cli_fold *f, bool reduces)
{
    static const struct {
        const char *name;
        dmm_operator_name given;
        bool reduces;
    } words[] = {{"argmin", DMM_OPERATOR_ARGMIN, true}, {"argmax", DMM_OPERATOR_ARGMAX, true},
        {"minmax", DMM_OPERATOR_MINMAX, true}, {"difference", DMM_OPERATOR_DIFFERENCE, false}};
    for (size_t i = 0; f->op && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(f->op, words[i].name) == 0 && words[i].reduces == reduces) {
            f->given = words[i].given;
            f->is_given = true;
        }
    return f->is_given;
}

bool cli_fold_choose(cli_fold *f, bool reduces, cli_error *error)
{
    static const struct {
        const char *name;
        dmm_scan_op op;
    } words[] = {{"sum", DMM_SCAN_SUM}, {"max", DMM_SCAN_MAX}, {"min", DMM_SCAN_MIN}};
    bool is_word = !f->op;
    if (!cli_check_columns(&f->columns, error) || !choose_axis(f, error))
        return false;
    for (size_t i = 0; f->op && i < sizeof words / sizeof words[0]; i++)
        if (strcmp(f->op, words[i].name) == 0) {
            f->which = words[i].op;
            is_word = true;
        }
    if (choose_given(f, reduces) && (f->by || f->shape))
        return cli_fail(
            error, CLI_MISTAKE, f->by ? "--by" : "--shape", "is not offered with --op %s", f->op);
    if (is_word || f->is_given)
        return !f->identity || cli_fail(error, CLI_MISTAKE, "--identity",
                                   "belongs to an own operator, such as --op 'a * b'");
    if (!f->identity)
        return cli_fail(error, CLI_MISTAKE, "--op",
            "'%.40s' is none of sum, max, min%s; an own operator over a and b needs --identity",
            f->op, reduces ? ", argmin, argmax and minmax" : " and difference");
    if (f->by)
        return cli_fail(error, CLI_MISTAKE, "--by", "is not offered with an own operator");
    f->own = (dmm_operator){.combine = f->op, .identity = f->identity};
    return true;
}

/* Returns the type in which items are handled. */
static dmm_type handled_type(const cli_fold *f)
{
    const dmm_type type = f->items.type;
    if (f->is_given && f->given != DMM_OPERATOR_DIFFERENCE)
        return type;
    if (type == DMM_F16)
        return DMM_F32;
    if (cli_is_float(type) || (f->which != DMM_SCAN_SUM && !f->own.combine))
        return type;
    return cli_is_signed(type) ? DMM_I64 : DMM_U64;
}

/* Returns a whole number of a type of up to 64 bits, as one of 64 bits. */
static uint64_t load(const void *item, dmm_type type)
{
    const uint32_t bytes = dmm_type_bytes(type);
    uint64_t value = 0;
    memcpy(&value, item, bytes);
    const bool negative = cli_is_signed(type) && value >> (8 * bytes - 1);
    return negative && bytes < 8 ? value | UINT64_MAX << (8 * bytes) : value;
}

static bool convert(cli_array *items, dmm_type type, cli_error *error)
{
    cli_array wide;
    if (items->type == type)
        return true;
    if (!cli_make_array(&wide, type, 0, items->count, error))
        return false;
    const char *from = items->data;
    cli_progress_items("widening", items->count);
    for (size_t i = 0; i < items->count; i++, from += items->item_bytes) {
        cli_progress_step(i);
        if (type == DMM_F32) {
            uint16_t half;
            memcpy(&half, from, sizeof half);
            ((float *)wide.data)[i] = (float)cli_half_to_double(half);
        } else {
            ((uint64_t *)wide.data)[i] = load(from, items->type);
        }
    }
    cli_free_array(items);
    *items = wide;
    return true;
}

/* Takes the numbers of a key of a table. */
static cli_array take(cli_table *t, size_t k)
{
    const cli_array numbers = t->keys[k].numbers;
    t->keys[k].numbers = (cli_array){.count = 0};
    return numbers;
}

/* Reads the columns of --key and --by. */
static bool read_columns(cli_fold *f, const char *input, dmm_type type, cli_error *error)
{
    cli_columns both = f->columns;
    char names[160];
    const int length =
        snprintf(names, sizeof names, "%s%s%s", both.keys, f->by ? "," : "", f->by ? f->by : "");
    cli_table *const t = calloc(1, sizeof *t);
    if (!t)
        return cli_fail_memory(error, input, sizeof *t);
    both.keys = names;
    bool ok = (length < (int)sizeof names ||
                  cli_fail(error, CLI_MISTAKE, "--key", "the names are too long")) &&
              cli_read_table(t, input, type, &both, error) &&
              (t->num_keys == (f->by ? 2u : 1u) ||
                  cli_fail(error, CLI_MISTAKE, "--key", "give one column of numbers%s",
                      f->by ? ", and one for --by" : ""));
    if (ok) {
        f->items = take(t, 0);
        f->keys = f->by ? take(t, 1) : f->keys;
    }
    cli_close_table(t);
    free(t);
    return ok;
}

static bool read_lists(cli_fold *f, const char *input, dmm_type type, cli_error *error)
{
    return cli_read_keys(&f->items, input, type, error) &&
           (!f->by || cli_read_keys(&f->keys, f->by, DMM_ITEM, error));
}

bool cli_fold_read(cli_fold *f, const char *input, dmm_type type, cli_error *error)
{
    if (!(f->columns.keys ? read_columns : read_lists)(f, input, type, error) ||
        !convert(&f->items, handled_type(f), error))
        return false;
    if (f->is_given && dmm_operator_given(&f->own, &f->map, f->given, f->items.type) != DMM_OK)
        return cli_fail(error, CLI_MISTAKE, "--op", "%s", dmm_error_text(DMM_BAD_VALUE));
    if (f->is_given ? f->given != DMM_OPERATOR_MINMAX : f->which == DMM_SCAN_SUM || f->own.combine)
        f->items.descr[0] = '\0'; /* a sum of dates is none */
    if (f->shape && !cli_check_shape(&f->matrix, f->items.count, input, error))
        return false;
    return !f->by || f->keys.count == f->items.count ||
           cli_fail(error, CLI_MISTAKE, f->by, "it holds %zu keys for %zu numbers", f->keys.count,
               f->items.count);
}

dmm_axis_desc cli_fold_axis(const cli_fold *f, dmm_axis_work work)
{
    return (dmm_axis_desc){.work = work,
        .axis = f->axis == AXIS_ROWS,
        .order = {.type = f->items.type},
        .op = f->which,
        .own = f->own.combine ? &f->own : NULL};
}

bool cli_fold_check(
    const cli_fold *f, cli_session *session, dmm_status status, const char *input, cli_error *error)
{
    if (cli_check(session, status, input, error))
        return true;
    if (status == DMM_BUILD_FAILED && f->own.combine)
        return cli_fail(error, CLI_MISTAKE, "--op",
            "or --identity is not OpenCL C over a and b, of type %s: see above",
            dmm_type_name(f->items.type));
    return false;
}

void cli_close_fold(cli_fold *f)
{
    cli_free_array(&f->items);
    cli_free_array(&f->keys);
}
