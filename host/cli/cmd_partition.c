/* SPDX-License-Identifier: MIT */
/* dmm partition: writes the items of a file bucket by bucket, and where each bucket begins. */
#include <stdio.h>
#include <string.h>

#include <dmm/partition.h>

#include "array.h"
#include "commands.h"
#include "methods.h"
#include "option.h"
#include "progress.h"
#include "session.h"
#include "large/partition_large.h"

enum { ITEMS = CLI_PART_ITEMS, VALUES = CLI_PART_VALUES, OFFSETS = CLI_PART_OFFSETS };

typedef cli_partition_request request;

typedef struct work {
    const cli_partition_methods *methods;
    cli_session session;
    cli_array arrays[CLI_PART_FILES];
    cli_array by; /* labels or splitters */
    cli_output out[CLI_PART_FILES];
    dmm_partition_desc desc;
} work;

/* Options for inputs that memory does not hold: the last of the table. */
enum { OPTIONS_BEYOND_MEMORY = 2 };

static bool parse(
    request *o, const cli_partition_methods *methods, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'K', "ways", CLI_COUNT, &o->ways, "K", "buckets, 1 to 65536"},
        {0, "labels", CLI_INPUT, &o->labels, "FILE",
            "bucket of each item: u8, u16 or u32 (raw and text: u32)"},
        {0, "splitters", CLI_INPUT, &o->splitters, "FILE",
            "K - 1 items in order; bucket b holds splitter b-1 <= item < splitter b"},
        {0, "bits", CLI_TEXT, &o->bits, "B:E", "bucket = bits B to E-1 of an integer item"},
        {0, "expr", CLI_TEXT, &o->expression, "EXPR",
            "bucket by OpenCL C over key, i (position) and value, e.g. 'key % 10'"},
        {'o', "output", CLI_TEXT, &o->out[ITEMS], "OUTPUT",
            "file for the items; may be the input itself;\n"
            "default: standard output, as text"},
        {0, "offsets", CLI_TEXT, &o->out[OFFSETS], "FILE",
            "file for K + 1 offsets, as u64: bucket b holds items\n"
            "offsets[b] to offsets[b+1] - 1 of the output"},
        CLI_TYPE_OPTION(&o->type, "items"),
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "splitters or bits, largest first"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->out[VALUES],
            "values that move with the items, as in sort"),
        {0, "method", CLI_CHOICE, &o->method, methods->names, methods->help},
        CLI_GUARANTEE_OPTION(&o->guarantee),
        {0, "memory", CLI_BYTES, &o->memory_bytes, "SIZE",
            "partition within so much memory, e.g. 2G, by way of a scratch\n"
            "file if the input is larger; text needs -t. The driver takes\n"
            "more, some 100 MiB for PoCL"},
        CLI_SCRATCH_OPTION(&o->scratch),
    };
    const size_t num_options = sizeof options / sizeof options[0];
    const cli_syntax syntax = {.synopsis = "-K K [OPTION...] INPUT [-o OUTPUT]",
        .about = "Partitions the numbers of a file stably into K buckets, by one of --labels,\n"
                 "--splitters, --bits and --expr.",
        .examples = "  dmm partition -K 3 --expr 'key % 3' numbers.txt\n",
        .options = options,
        .num_options = num_options - (methods->only_in_memory ? OPTIONS_BEYOND_MEMORY : 0),
        .epilogue = cli_file_formats};
    return cli_parse_one(&syntax, argc, argv, &o->input, error);
}

static bool parse_bits(dmm_bits *out, const char *text, cli_error *error)
{
    char rest = 0;
    if (sscanf(text, "%2u:%2u%c", &out->begin, &out->end, &rest) == 2 && out->begin < out->end)
        return true;
    return cli_fail(error, CLI_MISTAKE, "--bits", "'%.40s' is not B:E, B < E <= 64", text);
}

/* Sets the source of the buckets: exactly one of four options. */
static bool choose_by(dmm_partition_desc *desc, const request *o, cli_error *error)
{
    if (!!o->labels + !!o->splitters + !!o->bits + !!o->expression != 1)
        return cli_fail(
            error, CLI_MISTAKE, NULL, "give one of --labels, --splitters, --bits and --expr");
    desc->by = o->labels      ? DMM_PARTITION_BY_LABELS
               : o->splitters ? DMM_PARTITION_BY_SPLITTERS
               : o->bits      ? DMM_PARTITION_BY_BITS
                              : DMM_PARTITION_BY_EXPRESSION;
    desc->expression = o->expression;
    return !o->bits || parse_bits(&desc->bits, o->bits, error);
}

/* Checks that the options fit each other, fills the description and chooses the output. */
static bool check_options(work *w, request *o, cli_error *error)
{
    if (!cli_choose_output(&o->out[ITEMS], error))
        return false;
    if (o->ways < 1 || o->ways > 65536)
        return cli_fail(error, CLI_MISTAKE, "-K", "give the number of buckets, 1 to 65536");
    if (!o->values != !o->out[VALUES])
        return cli_fail(error, CLI_MISTAKE, "--values", "and --values-out need each other");
    if (o->scratch && o->scratch[0] == '\0')
        return cli_fail(error, CLI_MISTAKE, "--scratch", "'' is no folder");
    if (o->scratch && o->memory_bytes == 0)
        return cli_fail(error, CLI_MISTAKE, "--scratch", "needs --memory SIZE");
    w->desc = (dmm_partition_desc){.ways = (uint32_t)o->ways, .guarantee = o->guarantee};
    if (!choose_by(&w->desc, o, error))
        return false;
    for (int i = 0; i < CLI_PART_FILES; i++)
        if (o->out[i] && !cli_check_output_name(o->out[i], i == VALUES, error))
            return false;
    return true;
}

static bool read_labels(work *w, const request *o, cli_error *error)
{
    const bool says = cli_format_of(o->labels) == CLI_NPY;
    if (!cli_read_keys(&w->by, o->labels, says ? DMM_ITEM : DMM_U32, error) ||
        !cli_choose_labels(&w->desc, &w->by, o->labels, error))
        return false;
    return w->by.count == w->arrays[ITEMS].count ||
           cli_fail(error, CLI_MISTAKE, o->labels, "there are %zu labels for %zu items",
               w->by.count, w->arrays[ITEMS].count);
}

static bool read_inputs(work *w, const request *o, cli_error *error)
{
    cli_array *items = &w->arrays[ITEMS], *values = &w->arrays[VALUES];
    if (!cli_read_keys(items, o->input, o->type, error) ||
        (o->values && !cli_read_values(values, o->values, o->value_bytes, items->count, error)))
        return false;
    w->desc.order.type = items->type;
    w->desc.order.descending = o->descending;
    w->desc.value_bytes = values->item_bytes;
    return (!o->labels || read_labels(w, o, error)) &&
           (!o->splitters || cli_read_splitters(&w->by, o, items->type, error)) &&
           cli_make_array(&w->arrays[OFFSETS], DMM_U64, 0, (size_t)o->ways + 1, error);
}

static bool open_outputs(work *w, const request *o, cli_error *error)
{
    for (int i = 0; i < CLI_PART_FILES; i++) {
        if (o->out[i] && !cli_open_output(&w->out[i], o->out[i], error))
            return false;
        for (int j = 0; j < i && o->out[i]; j++)
            if (o->out[j] && cli_same_output(&w->out[i], &w->out[j]))
                return cli_fail(
                    error, CLI_MISTAKE, o->out[i], "each output needs a file of its own");
    }
    return true;
}

static bool partition(work *w, const request *o, cli_error *error)
{
    dmm_report report = {.code = DMM_OK};
    const dmm_partition_host_args args = {.items = w->arrays[ITEMS].data,
        .values = w->arrays[VALUES].data,
        .by = w->by.data,
        .offsets_out = w->arrays[OFFSETS].data,
        .report_out = &report};
    if (!cli_check_text("--expr", o->expression, "key", w->desc.order.type, error) ||
        !cli_open_session(&w->session, error))
        return false;
    cli_progress_call("partitioning", w->arrays[ITEMS].count);
    const dmm_status status = w->methods->partition(
        w->session.context, &w->desc, o->method, &args, w->arrays[ITEMS].count);
    if (status == DMM_BAD_DATA)
        return cli_fail(error, CLI_MISTAKE, o->labels ? o->labels : o->input,
            "item %llu (from 0) has no bucket: K is %u", (unsigned long long)report.position,
            w->desc.ways);
    if (cli_check(&w->session, status, o->input, error))
        return true;
    if (status == DMM_BUILD_FAILED && o->expression)
        return cli_fail(
            error, CLI_MISTAKE, "--expr", "is not OpenCL C over key, i and value: see above");
    return false;
}

static bool write_outputs(work *w, const request *o, cli_error *error)
{
    cli_output *outputs[CLI_PART_FILES];
    int count = 0;
    for (int i = 0; i < CLI_PART_FILES; i++) {
        if (!o->out[i])
            continue;
        if (!cli_write_array(&w->out[i], &w->arrays[i], error))
            return false;
        outputs[count++] = &w->out[i];
    }
    return cli_commit_outputs(outputs, count, error);
}

static void run(work *w, const request *o, cli_error *error)
{
    (void)(read_inputs(w, o, error) && open_outputs(w, o, error) && partition(w, o, error) &&
           write_outputs(w, o, error));
}

int cli_partition_by(const cli_partition_methods *methods, int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    work w = {.methods = methods,
        .session = CLI_SESSION_INIT,
        .out = {CLI_OUTPUT_INIT, CLI_OUTPUT_INIT, CLI_OUTPUT_INIT}};
    if (parse(&o, methods, argc, argv, &error) && check_options(&w, &o, &error)) {
        if (o.memory_bytes != 0)
            cli_partition_large(&o, &w.desc, &error);
        else
            run(&w, &o, &error);
    }
    for (int i = 0; i < CLI_PART_FILES; i++) {
        cli_close_output(&w.out[i]);
        cli_free_array(&w.arrays[i]);
    }
    cli_close_session(&w.session);
    cli_free_array(&w.by);
    return cli_finish(&error);
}

/* Partitions by a method of libdmm. */
static dmm_status partition_by(dmm_context *ctx, const dmm_partition_desc *desc, unsigned method,
    const dmm_partition_host_args *args, size_t n)
{
    static const dmm_partition_method methods[] = {DMM_PARTITION_AUTO, DMM_PARTITION_RADIX};
    dmm_partition_desc by = *desc;
    by.method = methods[method];
    return dmm_partition_host(ctx, &by, args, n);
}

int dmm_cli_partition(int argc, char **argv)
{
    static const cli_partition_methods methods = {
        .names = "auto|radix", .help = "(default: auto)", .partition = partition_by};
    return cli_partition_by(&methods, argc, argv);
}
