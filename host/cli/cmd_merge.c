/* SPDX-License-Identifier: MIT */
/* dmm merge: any number of sorted files into one; a single one is checked and copied. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <dmm/merge.h>
#include <dmm/merge_many.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "judge.h"
#include "large/merge_large.h"
#include "progress.h"
#include "session.h"
#include "sorted.h"

enum { A, B, OUT };

typedef cli_merge_request request;

typedef struct work {
    cli_session session;
    cli_array keys[3];
    cli_array values[3];
    cli_pair output;
    cli_array *lists;        /* unless there are two inputs */
    cli_table *tables;       /* --key; their numbers are `lists` then */
    uint64_t *offsets;       /* where each begins in the output, and the end */
    cli_array before, order; /* --key: all numbers as they were, and the rows merged */
} work;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->keys[OUT], "OUTPUT",
            "file for the merged keys; may be one of the inputs;\n"
            "default: standard output, as text"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE",
            "type of the keys, if the files do not contain it"},
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "the files are sorted largest first"},
        {0, "a-values", CLI_INPUT, &o->values[A], "FILE",
            "values that move with the keys of A, as in dmm sort;\n"
            "for two files; equal keys: those of A first, each\n"
            "file's in their order"},
        {0, "b-values", CLI_INPUT, &o->values[B], "FILE", "values that move with the keys of B"},
        {0, "value-bytes", CLI_COUNT, &o->value_bytes, "N",
            "bytes of a value in a .bin (1 to 256)"},
        {0, "values-out", CLI_TEXT, &o->values[OUT], "FILE", "file for the values"},
        {0, "memory", CLI_BYTES, &o->memory_bytes, "SIZE",
            "merge .npy or .bin files within so much memory, e.g. 2G; the\n"
            "driver takes more, some 100 MiB for PoCL"},
        CLI_KEY_OPTIONS(&o->columns, "KEY",
            "merge the rows of CSVs, or of two-dimensional .npy, by a column by\n"
            "which they are sorted: its number, from 1, or its name in the\n"
            "headings; NAME:r if it descends, NAME:f32 gives its type. Of\n"
            "equal rows those of A come first"),
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check the whole result on the host before writing it;\n"
            "on an error, write nothing and exit with 3"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] A [B...] [-o OUTPUT]",
        .about = "Merges sorted files on an OpenCL device; copies a single one.",
        .examples = "  dmm merge a.txt b.txt\n"
                    "  dmm merge --key id a.csv b.csv -o all.csv\n",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .min_operands = 1,
        .max_operands = INT_MAX,
        .epilogue = cli_file_formats};
    char **operands = NULL;
    int num_operands = 0;
    if (!cli_parse(&syntax, argc, argv, &operands, &num_operands, error))
        return false;
    o->keys[A] = operands[0];
    o->keys[B] = num_operands > 1 ? operands[1] : NULL;
    o->names = operands;
    o->num_names = (size_t)num_operands;
    return true;
}

static bool check_options(request *o, cli_error *error)
{
    int num_values = !!o->values[A] + !!o->values[B] + !!o->values[OUT];
    if (num_values != 0 && num_values != 3)
        return cli_fail(
            error, CLI_MISTAKE, NULL, "--a-values, --b-values and --values-out come together");
    if (num_values != 0 && o->num_names != 2)
        return cli_fail(error, CLI_MISTAKE, NULL, "values are merged from two files only");
    return cli_check_columns(&o->columns, error) &&
           cli_check_rows(&o->columns, (const bool[]){num_values != 0, o->memory_bytes != 0},
               (const char *const[]){"--a-values", "--memory", NULL}, error) &&
           cli_choose_output(&o->keys[OUT], error) &&
           (!o->values[OUT] || cli_check_output_name(o->values[OUT], true, error));
}

static bool read_input(work *w, const request *o, int side, cli_error *error)
{
    return cli_read_sorted(&w->keys[side], o->keys[side], o->type, o->descending, error) &&
           (!o->values[side] || cli_read_values(&w->values[side], o->values[side], o->value_bytes,
                                    w->keys[side].count, error));
}

/* Checks that A and B have items of one kind, and allocates the output for both. */
static bool join(cli_array arrays[3], const char *const names[3], cli_error *error)
{
    const cli_array *a = &arrays[A], *b = &arrays[B];
    if (!cli_check_type(a, b, names[B], "other", error))
        return false;
    if (a->item_bytes != b->item_bytes)
        return cli_fail(error, CLI_MISTAKE, names[B], "its values have %u bytes, those of A %u",
            b->item_bytes, a->item_bytes);
    if (a->count > SIZE_MAX - b->count)
        return cli_fail_memory(error, names[B], SIZE_MAX);
    return cli_make_alike(&arrays[OUT], a, a->count + b->count, error);
}

static bool merge(work *w, const request *o, cli_error *error)
{
    dmm_merge_desc desc = {0};
    const dmm_merge_host_args args = {.a_keys = w->keys[A].data,
        .a_values = w->values[A].data,
        .na = w->keys[A].count,
        .b_keys = w->keys[B].data,
        .b_values = w->values[B].data,
        .nb = w->keys[B].count,
        .keys_out = w->keys[OUT].data,
        .values_out = w->values[OUT].data};
    desc.order.type = w->keys[A].type;
    desc.order.descending = o->descending;
    desc.value_bytes = w->values[A].item_bytes;
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("merging", w->keys[OUT].count);
    return cli_check(&w->session, dmm_merge_host(w->session.context, &desc, &args), NULL, error);
}

/* Reads list i, or the numbers of table i, which are sorted. */
static bool read_list(work *w, request *o, size_t i, cli_error *error)
{
    if (!o->columns.keys)
        return cli_read_sorted(&w->lists[i], o->names[i], o->type, o->descending, error);
    return cli_read_sorted_rows(&w->lists[i], &w->tables[i], o->names[i], o->type, &o->columns,
               &o->descending, error) &&
           cli_check_alike(&w->tables[0], &w->tables[i], error);
}

/* Reads all inputs, one behind the other, into the array of the output. */
static bool read_lists(work *w, request *o, cli_error *error)
{
    cli_array *const out = &w->keys[OUT];
    const size_t lists = o->num_names;
    w->lists = calloc(lists, sizeof *w->lists);
    w->offsets = calloc(lists + 1, sizeof *w->offsets);
    w->tables = calloc(lists, sizeof *w->tables);
    if (!w->lists || !w->offsets || !w->tables)
        return cli_fail_memory(error, o->names[0], lists);
    for (size_t i = 0; i < lists; i++) {
        if (!read_list(w, o, i, error) ||
            !cli_check_type(&w->lists[0], &w->lists[i], o->names[i], "first", error))
            return false;
        if (w->lists[i].count > SIZE_MAX - w->offsets[i])
            return cli_fail_memory(error, o->names[i], SIZE_MAX);
        w->offsets[i + 1] = w->offsets[i] + w->lists[i].count;
    }
    if (!cli_make_alike(out, &w->lists[0], (size_t)w->offsets[lists], error))
        return false;
    for (size_t i = 0; i < lists; i++)
        if (w->lists[i].count != 0)
            memcpy((char *)out->data + w->offsets[i] * out->item_bytes, w->lists[i].data,
                w->lists[i].count * out->item_bytes);
    return true;
}

static bool merge_lists(work *w, const request *o, cli_error *error)
{
    dmm_merge_many_desc desc = {.offset_type = DMM_U64};
    cli_array *const out = &w->keys[OUT];
    if (o->columns.keys) {
        desc.value_bytes = sizeof(uint64_t);
        desc.argsort = 1;
        if (!cli_make_array(&w->order, DMM_U64, 0, out->count, error) ||
            (o->check && !cli_copy_array(&w->before, out, error)))
            return false;
    }
    desc.order.type = out->type;
    desc.order.descending = o->descending;
    if (!cli_open_session(&w->session, error))
        return false;
    cli_progress_call("merging", w->keys[OUT].count);
    const dmm_status status = dmm_merge_many_host(
        w->session.context, &desc, out->data, w->order.data, out->count, w->offsets, o->num_names);
    return cli_check(&w->session, status, NULL, error);
}

static bool check_lists(const work *w, const request *o, cli_error *error)
{
    cli_fingerprint sum = {0, 0};
    for (size_t i = 0; i < o->num_names; i++)
        cli_sum_items(&sum, &w->lists[i], NULL);
    return cli_judge(&w->keys[OUT], NULL, o->descending, &sum, error);
}

static bool run_rows(work *w, request *o, cli_error *error)
{
    return read_lists(w, o, error) && cli_check_row_output(w->tables, o->keys[OUT], error) &&
           cli_open_pair(&w->output, o->keys[OUT], NULL, error) && merge_lists(w, o, error) &&
           (!o->check || (cli_judge_order(&w->keys[OUT], o->descending, error) &&
                             cli_judge_argsort(&w->before, &w->keys[OUT], &w->order, error))) &&
           cli_write_rows(&w->output.keys, w->tables, o->num_names, &w->order, error) &&
           cli_commit_pair(&w->output, error);
}

static bool run_lists(work *w, request *o, cli_error *error)
{
    return read_lists(w, o, error) && cli_open_pair(&w->output, o->keys[OUT], NULL, error) &&
           (o->num_names == 1 || merge_lists(w, o, error)) &&
           (!o->check || check_lists(w, o, error)) &&
           cli_write_pair(&w->output, &w->keys[OUT], &w->values[OUT], error);
}

static bool check(const work *w, const request *o, cli_error *error)
{
    cli_fingerprint sum = {0, 0};
    bool pairs = o->values[OUT];
    cli_sum_items(&sum, &w->keys[A], pairs ? &w->values[A] : NULL);
    cli_sum_items(&sum, &w->keys[B], pairs ? &w->values[B] : NULL);
    return cli_judge(&w->keys[OUT], pairs ? &w->values[OUT] : NULL, o->descending, &sum, error);
}

static bool run(work *w, request *o, cli_error *error)
{
    return read_input(w, o, A, error) && read_input(w, o, B, error) &&
           join(w->keys, o->keys, error) &&
           (!o->values[OUT] || join(w->values, o->values, error)) &&
           cli_open_pair(&w->output, o->keys[OUT], o->values[OUT], error) && merge(w, o, error) &&
           (!o->check || check(w, o, error)) &&
           cli_write_pair(&w->output, &w->keys[OUT], &w->values[OUT], error);
}

int dmm_cli_merge(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && check_options(&o, &error)) {
        if (o.memory_bytes != 0)
            cli_merge_large(&o, &error);
        else
            (o.columns.keys ? run_rows : o.num_names == 2 ? run : run_lists)(&w, &o, &error);
    }
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    for (int side = A; side <= OUT; side++) {
        cli_free_array(&w.keys[side]);
        cli_free_array(&w.values[side]);
    }
    for (size_t i = 0; w.lists && i < o.num_names; i++)
        cli_free_array(&w.lists[i]);
    for (size_t i = 0; w.tables && i < o.num_names; i++)
        cli_close_table(&w.tables[i]);
    cli_free_array(&w.before);
    cli_free_array(&w.order);
    free(w.tables);
    free(w.lists);
    free(w.offsets);
    return cli_finish(&error);
}
