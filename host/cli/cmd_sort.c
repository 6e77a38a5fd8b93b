/* SPDX-License-Identifier: MIT */
/* dmm sort: reads keys, and values that move with them, sorts them on the device and writes them.
 */
#include <string.h>

#include <dmm/sort.h>

#include "array.h"
#include "commands.h"
#include "option.h"
#include "judge.h"
#include "methods.h"
#include "progress.h"
#include "session.h"
#include "sort_segments.h"
#include "sort_several.h"
#include "sort_table.h"
#include "large/sort_large.h"
#include "large/sort_rows.h"

typedef cli_sort_request request;

typedef struct work {
    const cli_sort_methods *methods;
    cli_session session;
    cli_array keys;
    cli_array values;      /* or the indices of --argsort */
    cli_array before;      /* --argsort --check: the unsorted keys */
    cli_segments segments; /* without offsets: the whole list */
    cli_fingerprint fingerprint;
    cli_pair output;
} work;

/* Options for inputs that memory does not hold, and for several devices: the last of the table. */
enum { OPTIONS_BEYOND_MEMORY = 4 };

static bool parse(
    request *o, const cli_sort_methods *methods, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the sorted keys; may be the input itself;\n"
            "default: standard output, as text"},
        CLI_TYPE_OPTION(&o->type, "keys"),
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "largest first"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that move with the keys: .npy with items of any type,\n"
            "or .bin; equal keys keep the order of their values"),
        {0, "argsort", CLI_FLAG, &o->argsort, NULL,
            "the values are the positions 0, 1, ... of the keys, as u32\n"
            "(u64 from 2^32 keys on); without --values-out they are written\n"
            "to OUTPUT in place of the keys"},
        {0, "less", CLI_TEXT, &o->less, "EXPR",
            "custom order: an OpenCL C expression over keys a and b, true if\n"
            "a comes first, e.g. 'a % 10 < b % 10'; equal keys keep their order"},
        {0, "method", CLI_CHOICE, &o->method, methods->names, methods->help},
        CLI_GUARANTEE_OPTION(&o->guarantee),
        CLI_KEY_OPTIONS(&o->columns, "KEY,...",
            "sort the rows of a CSV, or of a two-dimensional .npy, by columns:\n"
            "by the first KEY, equal ones by the next, and so on; rows move\n"
            "whole. A KEY is a column's number, from 1, or its name in the\n"
            "heading; NAME:r is for largest first, NAME:f32 gives its type"),
        {0, "segments", CLI_INPUT, &o->segments, "FILE",
            "sort each part of the list by itself: from one offset to the next\n"
            "of this file, which ascend from 0 to the number of keys"},
        {0, "by", CLI_INPUT, &o->by, "FILE", "sort each run of equal keys of this file by itself"},
        {0, "rows", CLI_FLAG, &o->rows, NULL, "sort each row of a two-dimensional .npy by itself"},
        {0, "check", CLI_FLAG, &o->check, NULL,
            "check the whole result before writing it: no item is lost or\n"
            "duplicated, and no key is less than the one before it; on an\n"
            "error, write nothing and exit with 3"},
        {0, "memory", CLI_BYTES, &o->memory_bytes, "SIZE",
            "sort within so much memory, e.g. 2G, by way of a scratch file if\n"
            "the input is larger; text needs -t. Rows of --key: those of a text\n"
            "file. The driver takes more, some 100 MiB for PoCL"},
        CLI_SCRATCH_OPTION(&o->scratch),
        {0, "resume", CLI_FLAG, &o->resume, NULL,
            "with --memory: keep what has been sorted if the call fails or is\n"
            "killed; the same call goes on from there, after it has compared\n"
            "the scratch file with its checksums. A resumable call takes over\n"
            "the scratch file of another one with the same OUTPUT"},
        {0, "devices", CLI_TEXT, &o->devices, "DEVICE,...",
            "sort on these devices at once, each as in --device, or on all;\n"
            "the result is that of one device"},
    };
    const size_t num_options = sizeof options / sizeof options[0];
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT [-o OUTPUT]",
        .about =
            "Sorts the numbers of a file on an OpenCL device, or the rows of a table by columns "
            "of\n"
            "numbers, e.g. dmm sort --key price:r,name sales.csv. Rows of Parquet, Arrow and\n"
            "pandas: the Python package dmm_cl sorts their columns, see its argsort and lexsort.",
        .examples = "  dmm sort numbers.txt\n"
                    "  dmm sort big.npy -o sorted.npy\n"
                    "  dmm sort --key price:r,id sales.csv -o by_price.csv\n"
                    "  dmm sort --memory 2G -t f32 big.bin -o sorted.bin\n",
        .options = options,
        .num_options = num_options - (methods->only_in_memory ? OPTIONS_BEYOND_MEMORY : 0),
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error);
}

/* Checks options for rows and parts against the others. */
static bool check_parts(request *o, cli_error *error)
{
    const char *const part = o->columns.keys ? "--key"
                             : o->segments   ? "--segments"
                             : o->by         ? "--by"
                             : o->rows       ? "--rows"
                                             : NULL;
    const char *const other = o->memory_bytes != 0 && !o->columns.keys ? "--memory"
                              : o->devices                             ? "--devices"
                              : o->method != 0                         ? "--method"
                              : o->less && o->columns.keys             ? "--less"
                              : o->values && o->columns.keys           ? "--values"
                              : o->values_out && o->columns.keys       ? "--values-out"
                              : o->less && o->check                    ? "--less and --check"
                                                                       : NULL;
    if (!!o->columns.keys + !!o->segments + !!o->by + o->rows > 1)
        return cli_fail(error, CLI_MISTAKE, NULL, "give one of --key, --segments, --by and --rows");
    if (part && other)
        return cli_fail(error, CLI_MISTAKE, part, "is not offered with %s", other);
    return cli_check_columns(&o->columns, error);
}

/* Checks that the options fit each other, and chooses the output. */
static bool check_options(request *o, cli_error *error)
{
    if (!cli_choose_output(&o->output, error))
        return false;
    if (o->argsort && o->values)
        return cli_fail(error, CLI_MISTAKE, "--values",
            "--argsort writes indices as values: give one of the two");
    if (o->values && !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "needs --values-out FILE");
    if (o->values_out && !o->values && !o->argsort)
        return cli_fail(error, CLI_MISTAKE, "--values-out", "needs --values FILE or --argsort");
    if (o->scratch && o->scratch[0] == '\0')
        return cli_fail(error, CLI_MISTAKE, "--scratch", "'' is no folder");
    if ((o->scratch || o->resume) && o->memory_bytes == 0)
        return cli_fail(
            error, CLI_MISTAKE, o->resume ? "--resume" : "--scratch", "needs --memory SIZE");
    if (o->devices && o->memory_bytes != 0)
        return cli_fail(error, CLI_MISTAKE, "--devices",
            "is not offered with --memory, where the disk sets the rate: give --device for the "
            "fastest one, or leave out --memory if all keys fit into memory twice");
    if (o->devices && (o->method != 0 || cli_global.device))
        return cli_fail(error, CLI_MISTAKE, "--devices", "is not offered with %s",
            o->method != 0 ? "--method" : "--device");
    return (!o->values_out || cli_check_output_name(o->values_out, !o->argsort, error)) &&
           check_parts(o, error);
}

static bool read_segments(work *w, const request *o, cli_error *error)
{
    const size_t n = w->keys.count;
    const bool ok = o->segments ? cli_read_segments(&w->segments, o->segments, n, error)
                    : o->by     ? cli_find_segments(&w->segments, o->by, n, error)
                    : o->rows   ? cli_divide_segments(&w->segments, w->keys.columns, n, error)
                                : true;
    return ok &&
           (!o->check || o->argsort || !w->segments.offsets.data ||
               cli_note_segments(&w->segments, &w->keys, o->values ? &w->values : NULL, error));
}

static bool read_keys(work *w, const request *o, cli_error *error)
{
    if (!o->rows)
        return cli_read_keys(&w->keys, o->input, o->type, error);
    return cli_read_rows(&w->keys, o->input, error) &&
           (o->type == DMM_ITEM || o->type == w->keys.type ||
               cli_fail(error, CLI_MISTAKE, o->input, "it holds %s, but -t says %s",
                   dmm_type_name(w->keys.type), dmm_type_name(o->type)));
}

static bool read_inputs(work *w, const request *o, cli_error *error)
{
    if (!read_keys(w, o, error) || !cli_check_text("--less", o->less, "a", w->keys.type, error))
        return false;
    size_t n = w->keys.count;
    if (o->values)
        return cli_read_values(&w->values, o->values, o->value_bytes, n, error);
    if (!o->argsort)
        return true;
    if (!cli_make_array(&w->values, n <= UINT32_MAX ? DMM_U32 : DMM_U64, 0, n, error))
        return false;
    return !o->check || cli_copy_array(&w->before, &w->keys, error);
}

/* Describes the sort on several devices, and numbers the values of --argsort. */
static dmm_sort_devices_desc describe_devices(work *w, const request *o)
{
    dmm_sort_devices_desc desc = {.value_bytes = w->values.item_bytes, .guarantee = o->guarantee};
    desc.order.type = w->keys.type;
    desc.order.descending = o->descending;
    desc.order.less = o->less;
    for (size_t i = 0; o->argsort && i < w->keys.count; i++)
        if (w->values.item_bytes == sizeof(uint32_t))
            ((uint32_t *)w->values.data)[i] = (uint32_t)i;
        else
            ((uint64_t *)w->values.data)[i] = i;
    return desc;
}

static bool sort_on_devices(work *w, const request *o, cli_error *error)
{
    const dmm_sort_devices_desc desc = describe_devices(w, o);
    if (o->less)
        cli_warn_of_nans(&w->keys);
    return cli_sort_on_devices(o->devices, &desc, &w->session, &w->keys, &w->values, error);
}

static bool sort_segments(work *w, const request *o, const dmm_sort_desc *desc, cli_error *error)
{
    const cli_segments_order order = {desc->order, o->argsort, o->guarantee};
    const dmm_status status =
        cli_sort_segments(&w->session, &w->segments, &order, &w->keys, &w->values);
    return cli_check(&w->session, status, o->input, error);
}

static bool sort(work *w, const request *o, cli_error *error)
{
    dmm_sort_desc desc = {0};
    desc.order.type = w->keys.type;
    desc.order.descending = o->descending;
    desc.order.less = o->less;
    desc.value_bytes = w->values.item_bytes;
    desc.argsort = o->argsort;
    desc.guarantee = o->guarantee;
    if (!cli_open_session(&w->session, error))
        return false;
    if (o->less)
        cli_warn_of_nans(&w->keys);
    cli_progress_call("sorting", w->keys.count);
    if (w->segments.offsets.data)
        return sort_segments(w, o, &desc, error);
    dmm_status status = w->methods->sort(
        w->session.context, &desc, o->method, w->keys.data, w->values.data, w->keys.count);
    if (cli_check(&w->session, status, o->input, error))
        return true;
    if (status == DMM_BUILD_FAILED && o->less)
        return cli_fail(error, CLI_MISTAKE, "--less", "is not OpenCL C over a and b: see above");
    return false;
}

/* With the user's own order lost items are the worse error, so they are checked first. */
static bool check(work *w, const request *o, cli_error *error)
{
    if (w->segments.offsets.data)
        return cli_judge_segments(&w->segments, &w->keys,
            o->values || o->argsort ? &w->values : NULL, o->argsort ? &w->before : NULL,
            o->descending, error);
    if (!o->less && !cli_judge_order(&w->keys, o->descending, error))
        return false;
    const bool same = o->argsort ? cli_judge_argsort(&w->before, &w->keys, &w->values, error)
                                 : cli_judge_items(&w->keys, o->values ? &w->values : NULL,
                                       &w->fingerprint, error);
    return same &&
           (!o->less || cli_judge_less(&w->session, &w->keys, o->less, o->descending, error));
}

static bool run(work *w, const request *o, cli_error *error)
{
    const cli_array *first = o->argsort && !o->values_out ? &w->values : &w->keys;
    if (!read_inputs(w, o, error) || !read_segments(w, o, error) ||
        !cli_open_pair(&w->output, o->output, o->values_out, error))
        return false;
    if (o->check && !o->argsort)
        cli_sum_items(&w->fingerprint, &w->keys, o->values ? &w->values : NULL);
    return (o->devices ? sort_on_devices(w, o, error) : sort(w, o, error)) &&
           (!o->check || check(w, o, error)) &&
           cli_write_pair(&w->output, first, &w->values, error);
}

int cli_sort_by(const cli_sort_methods *methods, int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.methods = methods, .session = CLI_SESSION_INIT, .output = CLI_PAIR_INIT};
    if (parse(&o, methods, argc, argv, &error) && check_options(&o, &error)) {
        if (o.columns.keys && o.memory_bytes != 0)
            cli_sort_rows(&o, &error);
        else if (o.columns.keys)
            cli_sort_table(&o, &error);
        else if (o.memory_bytes != 0)
            cli_sort_large(&o, &error);
        else
            run(&w, &o, &error);
    }
    cli_close_pair(&w.output);
    cli_close_session(&w.session);
    cli_free_array(&w.keys);
    cli_free_array(&w.values);
    cli_free_array(&w.before);
    cli_free_segments(&w.segments);
    return cli_finish(&error);
}

/* Sorts by a method of libdmm. */
static dmm_status sort_by(dmm_context *ctx, const dmm_sort_desc *desc, unsigned method, void *keys,
    void *values, size_t n)
{
    static const dmm_sort_method methods[] = {
        DMM_SORT_AUTO, DMM_SORT_MERGE, DMM_SORT_RADIX, DMM_SORT_NETWORK};
    dmm_sort_desc by = *desc;
    by.method = methods[method];
    return dmm_sort_host(ctx, &by, keys, values, n);
}

int dmm_cli_sort(int argc, char **argv)
{
    static const cli_sort_methods methods = {
        .names = "auto|merge|radix|network", .help = "(default: auto)", .sort = sort_by};
    return cli_sort_by(&methods, argc, argv);
}
