/* SPDX-License-Identifier: MIT */
/*
 * Texts of work-group collectives: the numbers of a description, the caller's types and
 * expressions, and a file of cl/group, in which every name that begins with dmm_ or DMM_ begins
 * with the caller's instead.
 */
#include <dmm/group.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/embedded.h"
#include "core/refuse.h"
#include "primitives/items.h"
#include "primitives/order.h"
#include "primitives/permute/permutation_plan.h"
#include "primitives/prelude.h"

enum { MOST_NAME = 32, MOST_BINS = 256, MOST_DIGITS = 128 };
/* Lanes of a sub-group, and banks for which its text, without local memory, is made. */
enum { LEAST_LANES = 4, MOST_LANES = 64, LANES_BANKS = 4 };

/* A kind: its file, and whether it has items. */
typedef struct group_kind {
    const char *file;
    int has_items;
} group_kind;

static const group_kind kinds[] = {
    [DMM_GROUP_ITEMS] = {"cl/group/group_items.clh", 1},
    [DMM_GROUP_SORT] = {"cl/group/group_sort.clh", 1},
    [DMM_GROUP_COUNT] = {"cl/group/group_count.clh", 0},
    [DMM_GROUP_RADIX] = {"cl/group/group_radix.clh", 1},
    [DMM_GROUP_LANES] = {"cl/group/group_lanes.clh", 1},
};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

static int is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static dmm_status check_name(const char *name)
{
    size_t length = 0;
    int has_small = 0;
    if (name == NULL)
        return dmm_refuse(DMM_NULL_ARGUMENT, "name: is NULL");
    for (; is_word(name[length]); length++)
        has_small |= islower((unsigned char)name[length]);
    if (name[length] != '\0' || length < 1 || length > MOST_NAME ||
        isdigit((unsigned char)name[0]) || !has_small)
        return dmm_refuse(DMM_BAD_VALUE,
            "name: must be a C identifier of 1 to %d characters, not all capitals", MOST_NAME);
    return DMM_OK;
}

static int is_power(uint32_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* Checks the sizes of a sub-group. */
static dmm_status check_lanes(const dmm_group_desc *desc)
{
    if (desc->u < LEAST_LANES || desc->u > MOST_LANES)
        return dmm_refuse(DMM_BAD_VALUE,
            "u: DMM_GROUP_LANES needs the lanes of a sub-group, a power of two from %d to %d, is "
            "%u",
            LEAST_LANES, MOST_LANES, (unsigned)desc->u);
    if (!is_power(desc->E) || desc->E > desc->u)
        return dmm_refuse(DMM_BAD_VALUE,
            "E: DMM_GROUP_LANES needs a power of two, at most 32 and u, is %u", (unsigned)desc->E);
    return DMM_OK;
}

static dmm_status check_sizes(const dmm_group_desc *desc)
{
    if (!is_power(desc->banks) || desc->banks < 4 || desc->banks > 128)
        return dmm_refuse(DMM_BAD_VALUE, "banks: must be a power of two from 4 to 128, is %u",
            (unsigned)desc->banks);
    if (desc->bank_bytes != 4 && desc->bank_bytes != 8)
        return dmm_refuse(
            DMM_BAD_VALUE, "bank_bytes: must be 4 or 8, is %u", (unsigned)desc->bank_bytes);
    if (!is_power(desc->u) || desc->u < desc->banks || desc->u > 1024)
        return dmm_refuse(DMM_BAD_VALUE, "u: must be a power of two from %u (banks) to 1024, is %u",
            (unsigned)desc->banks, (unsigned)desc->u);
    if (desc->E > 32)
        return dmm_refuse(DMM_BAD_VALUE, "E: must be from 1 to 32, is %u", (unsigned)desc->E);
    return desc->kind == DMM_GROUP_LANES ? check_lanes(desc) : DMM_OK;
}

/* True if its items have ranks by a digit. */
static int has_digits(const dmm_group_desc *desc)
{
    return desc->kind == DMM_GROUP_RADIX || desc->kind == DMM_GROUP_LANES;
}

/* True if a sub-group sorts: by `less`, or numbers. */
static int lanes_sort(const dmm_group_desc *desc)
{
    return desc->kind == DMM_GROUP_LANES &&
           (desc->order.less != NULL || desc->order.type != DMM_ITEM);
}

static dmm_status check_bins(const dmm_group_desc *desc)
{
    const uint32_t bins = desc->bins;
    const uint32_t most = desc->kind == DMM_GROUP_LANES ? desc->u : MOST_DIGITS;
    if (has_digits(desc) && (!is_power(bins) || bins < 2 || bins > most))
        return dmm_refuse(DMM_BAD_VALUE,
            "bins: values of a digit, a power of two from 2 to %u, is %u", (unsigned)most,
            (unsigned)bins);
    if (desc->kind == DMM_GROUP_COUNT && (bins < 1 || bins > MOST_BINS))
        return dmm_refuse(
            DMM_BAD_VALUE, "bins: DMM_GROUP_COUNT needs 1 to %d, is %u", MOST_BINS, (unsigned)bins);
    if (desc->kind < DMM_GROUP_COUNT && bins != 0)
        return dmm_refuse(DMM_BAD_VALUE,
            "bins: is for DMM_GROUP_COUNT, DMM_GROUP_RADIX and DMM_GROUP_LANES, is %u",
            (unsigned)bins);
    return DMM_OK;
}

/* Checks the sub-groups of a group. */
static dmm_status check_sub_groups(const dmm_group_desc *desc)
{
    const uint64_t lanes = desc->lanes;
    if (lanes == 0)
        return DMM_OK;
    if (desc->kind != DMM_GROUP_ITEMS && desc->kind != DMM_GROUP_RADIX)
        return dmm_refuse(DMM_BAD_VALUE, "lanes: is for DMM_GROUP_ITEMS and DMM_GROUP_RADIX");
    if (lanes < LEAST_LANES || lanes > MOST_LANES || lanes > desc->u || !is_power((uint32_t)lanes))
        return dmm_refuse(DMM_BAD_VALUE,
            "lanes: must be a power of two from %d to %d, at most u, %u, is %llu", LEAST_LANES,
            MOST_LANES, (unsigned)desc->u, (unsigned long long)lanes);
    return DMM_OK;
}

/* Checks the matrix of the group's items. */
static dmm_status check_columns(const dmm_group_desc *desc)
{
    const uint64_t columns = desc->columns, tile = (uint64_t)desc->u * desc->E;
    if (columns == 0)
        return DMM_OK;
    if (desc->kind != DMM_GROUP_ITEMS)
        return dmm_refuse(DMM_BAD_VALUE, "columns: is for DMM_GROUP_ITEMS");
    if (columns > tile || tile % columns != 0 ||
        (columns % desc->banks != 0 && tile / columns % desc->banks != 0))
        return dmm_refuse(DMM_BAD_VALUE,
            "columns: must divide u * E, %u, and they or the rows be a multiple of %u (banks)",
            (unsigned)tile, (unsigned)desc->banks);
    return DMM_OK;
}

static dmm_status check_operator(const dmm_group_desc *desc)
{
    const dmm_operator *const own = desc->own;
    if (own == NULL)
        return DMM_OK;
    if (desc->kind != DMM_GROUP_ITEMS && desc->kind != DMM_GROUP_LANES)
        return dmm_refuse(DMM_BAD_VALUE, "own: is for DMM_GROUP_ITEMS and DMM_GROUP_LANES");
    if (own->combine == NULL || own->identity == NULL)
        return dmm_refuse(
            DMM_NULL_ARGUMENT, "own.%s: is NULL", own->combine == NULL ? "combine" : "identity");
    if (own->item != NULL || own->item_bytes != 0)
        return dmm_refuse(DMM_BAD_VALUE, "own.item: must be none, order.item declares items");
    return DMM_OK;
}

/* Checks a description whose zeros are filled in. order: as the kernels see it. */
static dmm_status check(const dmm_group_desc *desc, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_device device = {.fp64.value = 1};
    TRY(check_name(desc->name));
    TRY(check_sizes(desc));
    TRY(check_bins(desc));
    TRY(check_sub_groups(desc));
    TRY(check_columns(desc));
    FAIL_IF(desc->positions && (desc->kind == DMM_GROUP_ITEMS || desc->kind == DMM_GROUP_COUNT),
        dmm_refuse(DMM_BAD_VALUE, "positions: is for kinds that sort"));
    FAIL_IF(desc->kind == DMM_GROUP_RADIX && (order->less != NULL || order->zero_equal),
        dmm_refuse(DMM_BAD_VALUE, "order.%s: DMM_GROUP_RADIX sorts numbers by their bits",
            order->less != NULL ? "less" : "zero_equal"));
    FAIL_IF(desc->kind == DMM_GROUP_ITEMS &&
                (desc->order.less != NULL || desc->order.descending || desc->order.zero_equal),
        dmm_refuse(DMM_BAD_VALUE, "order: DMM_GROUP_ITEMS takes the type alone"));
    TRY(check_operator(desc));
    TRY(dmm_order_check(order, &device));
out:
    return status;
}

/* Returns the order as kernels see it: items that are not compared are opaque. */
static dmm_order order_of(const dmm_group_desc *desc)
{
    dmm_order order = desc->order;
    if (desc->kind == DMM_GROUP_ITEMS ||
        (desc->kind == DMM_GROUP_LANES && order.type == DMM_ITEM && order.less == NULL))
        order.less = "0";
    if (desc->kind == DMM_GROUP_COUNT)
        order = (dmm_order){.type = DMM_U32};
    return order;
}

static uint32_t log_of(uint32_t power)
{
    uint32_t log = 0;
    while (power >> log != 1)
        log++;
    return log;
}

/* Defines the numbers of a text. */
static dmm_status define(dmm_options *options, const dmm_group_desc *desc, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    const dmm_device device = {.banks.value = desc->banks,
        .bank_bytes.value = desc->bank_bytes,
        .fp64.value = 1,
        .max_buffer.value = 1};
    const dmm_parameters p = {.u = desc->u, .E = desc->E, .tile = desc->u * desc->E};
    dmm_item_layout layout;
    TRY(dmm_item_layout_init(&layout, &device, order, 0, 0, 0));
    if (desc->positions)
        layout.ties = 1;
    if (desc->kind == DMM_GROUP_SORT || desc->kind == DMM_GROUP_LANES)
        dmm_item_pack(&layout, order);
    dmm_options_parameters(options, &p, &device);
    dmm_item_define(options, &layout, order);
    dmm_values_define(options, &layout, 0, 0);
    if (desc->kind == DMM_GROUP_COUNT)
        dmm_options_define(options, "DMM_COLUMN_BINS", desc->bins);
    if (desc->kind == DMM_GROUP_RADIX) {
        dmm_options_define(options, "DMM_SPLIT", 1);
        dmm_options_define(options, "DMM_STEP_BITS", log_of(desc->bins));
    }
    if (desc->kind == DMM_GROUP_LANES) {
        dmm_options_define(options, "DMM_GROUP_SORTS", lanes_sort(desc) != 0);
        dmm_options_define(options, "DMM_LANE_BINS", desc->bins);
    }
    dmm_options_define(options, "DMM_GROUP_COLUMNS", desc->columns);
    if (desc->kind != DMM_GROUP_LANES)
        dmm_options_define(options, "DMM_GROUP_LANES", desc->lanes);
    dmm_options_define(options, "DMM_GROUP_OPERATES", desc->own != NULL);
out:
    return status;
}

/* Appends a text to one that grows; NULL: out of memory, now or before. */
static char *append(char *text, const char *more)
{
    const size_t length = text != NULL ? strlen(text) : 0;
    char *const longer = text != NULL ? realloc(text, length + strlen(more) + 1) : NULL;
    if (longer == NULL)
        free(text);
    else
        strcpy(longer + length, more);
    return longer;
}

/* Appends "-D NAME=VALUE ..." as lines "#define NAME VALUE". */
static char *append_defines(char *text, const char *options)
{
    for (const char *at = strstr(options, "-D "); at != NULL; at = strstr(at + 1, "-D ")) {
        char line[128], name[64];
        unsigned long long value = 0;
        if (sscanf(at, "-D %63[A-Z0-9_]=%llu", name, &value) == 2) {
            snprintf(line, sizeof line, "#define %s %llu\n", name, value);
            text = append(text, line);
        }
    }
    return text;
}

/* Appends the type of items, and what turns one into its bits and back. */
static char *append_item(char *text, const dmm_order *order)
{
    static const char *const bits[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    char lines[160];
    text = dmm_prelude_item(text, "item", order->type, order->item);
    if (order->less != NULL)
        return append(
            dmm_prelude_function(
                text, &(dmm_prelude_text){"int dmm_item_less(const dmm_item a, const dmm_item b)",
                          "less", order->less, "(", ") ? 1 : 0"}),
            "#define DMM_ITEM_OF_KEY(key) (key)\n");
    snprintf(lines, sizeof lines,
        "#define DMM_KEY_OF_ITEM(item) as_%s(item)\n#define DMM_ITEM_OF_KEY(key) as_%s(key)\n",
        bits[dmm_order_key_bytes(order)], dmm_prelude_type(order->type));
    return append(text, lines);
}

/* Appends the operator. */
static char *append_operator(char *text, const dmm_operator *own)
{
    if (own == NULL)
        return text;
    text = dmm_prelude_function(text, &(dmm_prelude_text){"dmm_item dmm_operator_identity(void)",
                                          "own.identity", own->identity, "(", ")"});
    return dmm_prelude_function(text,
        &(dmm_prelude_text){"dmm_item dmm_operator_combine(const dmm_item a, const dmm_item b)",
            "own.combine", own->combine, "(", ")"});
}

/* Appends a file of cl/group with what it includes, and the line from which the kernels follow. */
static char *append_file(char *text, const char *file)
{
    const dmm_embedded *source = dmm_embedded_sources;
    while (strcmp(source->name, file) != 0)
        source++;
    text = append(append(append(text, "#line 1 \""), file), "\"\n");
    return append(append(text, source->text), "#line 1 \"kernel\"\n");
}

/* Returns a copy in which names begin with `name` in place of dmm, and its capitals in place of
 * DMM; NULL: out of memory. */
static char *renamed(const char *text, const char *name)
{
    const size_t length = strlen(name);
    size_t names = 0, bytes = 0;
    for (const char *at = text; *at != '\0'; at++)
        names += *at == '_';
    char *const out = malloc(strlen(text) + names * length + 1);
    for (size_t i = 0; out != NULL && text[i] != '\0';) {
        const int begins = i == 0 || !is_word(text[i - 1]);
        const int capital = strncmp(text + i, "DMM_", 4) == 0;
        if (begins && (capital || strncmp(text + i, "dmm_", 4) == 0)) {
            for (size_t k = 0; k < length; k++)
                out[bytes++] = capital ? (char)toupper((unsigned char)name[k]) : name[k];
            i += 3;
        } else {
            out[bytes++] = text[i++];
        }
    }
    if (out != NULL)
        out[bytes] = '\0';
    return out;
}

/* Fills in the zeros of a description, and checks it. order: as the kernels see it. */
static dmm_status fill_in(dmm_group_desc *out, dmm_order *order, const dmm_group_desc *desc)
{
    dmm_status status = DMM_OK;
    FAIL_IF(desc == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "desc: is NULL"));
    FAIL_IF((unsigned)desc->kind >= NUM_KINDS,
        dmm_refuse(DMM_BAD_VALUE, "kind: %d is no dmm_group_kind", (int)desc->kind));
    TRY(dmm_check_reserved(desc, sizeof *desc, 2));
    *out = *desc;
    const int lanes = desc->kind == DMM_GROUP_LANES;
    out->u = desc->u != 0 ? desc->u : lanes ? 32 : 256;
    out->E = desc->E != 0 ? desc->E : lanes ? 4 : 8;
    out->banks = lanes ? LANES_BANKS : desc->banks != 0 ? desc->banks : 32;
    out->bank_bytes = desc->bank_bytes != 0 ? desc->bank_bytes : 4;
    if (has_digits(desc) && desc->bins == 0)
        out->bins = lanes && out->u < 16 ? out->u : 16;
    *order = order_of(out);
    TRY(check(out, order));
out:
    return status;
}

static dmm_status write_text(char **out, const dmm_group_desc *desc, const dmm_order *order)
{
    dmm_status status = DMM_OK;
    dmm_options options = {.bytes = 0};
    char *text = NULL;
    TRY(define(&options, desc, order));
    text = append_defines(dmm_prelude_new(), options.text);
    if (kinds[desc->kind].has_items)
        text = append_operator(append_item(text, order), desc->own);
    text = append_file(text, kinds[desc->kind].file);
    *out = text != NULL ? renamed(text, desc->name) : NULL;
    FAIL_IF(*out == NULL, DMM_OUT_OF_MEMORY);
out:
    free(text);
    return status;
}

dmm_status dmm_group_source(char **out, const dmm_group_desc *desc)
{
    dmm_status status = DMM_OK;
    dmm_group_desc filled;
    dmm_order order;
    dmm_refuse_begin();
    FAIL_IF(out == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "out: is NULL"));
    *out = NULL;
    TRY(fill_in(&filled, &order, desc));
    TRY(write_text(out, &filled, &order));
out:
    return dmm_refuse_end(status, &(dmm_log){.function = NULL}, "dmm_group_source");
}

void dmm_group_source_free(char *text)
{
    free(text);
}

/* Plans the moves of a tile, of which item x goes to goals[x]; overwrites the goals. Opaque items
 * have planes of words as wide as a bank. */
static dmm_status plan(uint32_t *moves, const dmm_group_desc *desc, uint32_t *goals)
{
    dmm_status status = DMM_OK;
    const uint32_t tile = desc->u * desc->E;
    dmm_plan_moves made = {
        .n = tile, .tile = tile, .banks = desc->banks, .u = desc->u, .E = desc->E};
    TRY(dmm_plan_moves_lay_out(&made));
    TRY(dmm_plan_moves_fill(&made, goals));
    memcpy(moves, made.moves, tile * sizeof *moves);
out:
    dmm_plan_moves_free(&made);
    return status;
}

dmm_status dmm_group_moves(uint32_t *moves_out, const dmm_group_desc *desc, const uint64_t *index)
{
    dmm_status status = DMM_OK;
    dmm_group_desc filled;
    dmm_order order;
    uint32_t *goals = NULL;
    dmm_refuse_begin();
    FAIL_IF(moves_out == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "moves_out: is NULL"));
    FAIL_IF(index == NULL, dmm_refuse(DMM_NULL_ARGUMENT, "index: is NULL"));
    TRY(fill_in(&filled, &order, desc));
    FAIL_IF(filled.kind != DMM_GROUP_ITEMS,
        dmm_refuse(DMM_BAD_VALUE, "kind: plans are for DMM_GROUP_ITEMS"));
    FAIL_IF(!is_power(filled.E),
        dmm_refuse(DMM_BAD_VALUE, "E: plans need a power of two, is %u", (unsigned)filled.E));
    const dmm_permutation_plan_desc by_index = {.n = (uint64_t)filled.u * filled.E, .index = index};
    TRY(dmm_plan_new_goals(&goals, &by_index, by_index.n));
    TRY(plan(moves_out, &filled, goals));
out:
    free(goals);
    return dmm_refuse_end(status, &(dmm_log){.function = NULL}, "dmm_group_moves");
}
