/* SPDX-License-Identifier: MIT */
/* dmm group: prints the OpenCL C text of work-group collectives, for kernels compiled anywhere. */
#include <stdio.h>
#include <string.h>

#include <dmm/group.h>

#include "commands.h"
#include "option.h"

/* The command line. */
typedef struct request {
    const char *kind;
    dmm_type type; /* DMM_ITEM: not given */
    bool descending, zero_equal, positions;
    uint64_t item_bytes, bins, u, E, banks, bank_bytes;
    dmm_group_desc desc;
    dmm_operator own;
} request;

static const cli_section kinds[] = {
    {"Kinds",
        "items: load, store, exchange, compaction, partition, permutation by a plan; with\n"
        "--columns a transpose, with --combine reductions and scans.\n"
        "sort: load, store, exchange, compaction, sort, merge, merge path, runs of equal\n"
        "items; with --positions or --less set operations.\n"
        "radix: load, store, exchange, compaction, ranks by a digit, radix sort.\n"
        "count: a histogram.\n"
        "lanes: of a sub-group, without local memory: load, store, exchange, sort, ranks by a\n"
        "digit, places of flagged items; with --combine reductions and scans."},
    {NULL, NULL},
};

static bool choose_kind(request *o, cli_error *error)
{
    static const char *const names[] = {[DMM_GROUP_ITEMS] = "items",
        [DMM_GROUP_SORT] = "sort",
        [DMM_GROUP_COUNT] = "count",
        [DMM_GROUP_RADIX] = "radix",
        [DMM_GROUP_LANES] = "lanes"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(o->kind, names[i]) == 0) {
            o->desc.kind = (dmm_group_kind)i;
            return true;
        }
    return cli_fail(
        error, CLI_MISTAKE, o->kind, "the kinds are items, sort, radix, count and lanes");
}

/* Sets a number of the description. */
static bool narrow(uint32_t *out, uint64_t number, const char *name, cli_error *error)
{
    *out = (uint32_t)number;
    return number <= UINT32_MAX || cli_fail(error, CLI_MISTAKE, name, "is too large");
}

/* Makes the description; the library checks it. */
static bool describe(request *o, cli_error *error)
{
    dmm_group_desc *const desc = &o->desc;
    const bool has_item = desc->order.item != NULL;
    desc->order.type = has_item ? DMM_ITEM : o->type == DMM_ITEM ? DMM_U32 : o->type;
    if (has_item && o->type != DMM_ITEM)
        return cli_fail(error, CLI_MISTAKE, "--item", "and --type exclude each other");
    desc->order.descending = o->descending;
    desc->order.zero_equal = o->zero_equal;
    desc->positions = o->positions;
    desc->own = o->own.combine || o->own.identity ? &o->own : NULL;
    return choose_kind(o, error) &&
           narrow(&desc->order.item_bytes, o->item_bytes, "--item-bytes", error) &&
           narrow(&desc->bins, o->bins, "--bins", error) && narrow(&desc->u, o->u, "-u", error) &&
           narrow(&desc->E, o->E, "-E", error) &&
           narrow(&desc->banks, o->banks, "--banks", error) &&
           narrow(&desc->bank_bytes, o->bank_bytes, "--bank-bytes", error);
}

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {0, "name", CLI_TEXT, &o->desc.name, "NAME",
            "what names begin with, in place of dmm; macros with its capitals\n"
            "(default: dmm)"},
        {'t', "type", CLI_TYPE, &o->type, "TYPE", "type of the items (default: u32)"},
        {0, "item", CLI_TEXT, &o->desc.order.item, "TEXT",
            "OpenCL C that declares the type of items, dmm_item, e.g.\n"
            "'typedef uint2 dmm_item;'"},
        {0, "item-bytes", CLI_COUNT, &o->item_bytes, "N", "its size"},
        {0, "less", CLI_TEXT, &o->desc.order.less, "EXPR",
            "sort, lanes: true where item a comes before item b, e.g.\n"
            "'a.x < b.x'"},
        {0, "descending", CLI_FLAG, &o->descending, NULL, "sort, radix, lanes: largest first"},
        {0, "zero-equal", CLI_FLAG, &o->zero_equal, NULL, "sort, lanes, floats: -0 ties with +0"},
        {0, "positions", CLI_FLAG, &o->positions, NULL,
            "sort, radix, lanes: with the places that items came from"},
        {0, "combine", CLI_TEXT, &o->own.combine, "EXPR",
            "items, lanes: an associative operator over a and b, e.g.\n"
            "'a + b'"},
        {0, "identity", CLI_TEXT, &o->own.identity, "EXPR", "items, lanes: its identity, e.g. 0"},
        {0, "columns", CLI_COUNT, &o->desc.columns, "N",
            "items: columns of the matrix that is transposed"},
        {0, "lanes", CLI_COUNT, &o->desc.lanes, "N",
            "items, radix: lanes of a sub-group that exchange data in\n"
            "reductions, scans and sorts by bits (default: none do)"},
        {0, "bins", CLI_COUNT, &o->bins, "N",
            "count: number of bins, 1 to 256; radix, lanes: values of a\n"
            "digit, a power of two from 2 to 128, or to -u (default: 16)"},
        {'u', "work-items", CLI_COUNT, &o->u, "N",
            "work-items a group (default: 256); lanes a sub-group\n"
            "(default: 32)"},
        {'E', "per-item", CLI_COUNT, &o->E, "N",
            "items a work-item, 1 to 32 (default: 8; lanes: 4)"},
        {0, "banks", CLI_COUNT, &o->banks, "N", "banks of local memory (default: 32)"},
        {0, "bank-bytes", CLI_COUNT, &o->bank_bytes, "N", "bytes of a bank (default: 4)"},
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] items|sort|radix|count|lanes",
        .about = "Prints OpenCL C text of functions for the kernels of other programs, to precede "
                 "them:\n"
                 "what a work-group, or a sub-group, does with the items in its registers,\n"
                 "without bank conflicts.\n"
                 "dmm_group_source of <dmm/group.h> returns the same text.",
        .options = options,
        .num_options = sizeof options / sizeof options[0],
        .epilogue = kinds};
    return cli_parse_one(&syntax, argc, argv, &o->kind, error) && describe(o, error);
}

int dmm_cli_group(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM, .desc.name = "dmm"};
    char *text = NULL;
    if (parse(&o, argc, argv, &error)) {
        const dmm_status status = dmm_group_source(&text, &o.desc);
        if (status == DMM_OK)
            fputs(text, stdout);
        else
            cli_fail(&error, CLI_MISTAKE, NULL, "%s", dmm_error_text(status));
    }
    dmm_group_source_free(text);
    return cli_finish(&error);
}
