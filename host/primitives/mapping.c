/* SPDX-License-Identifier: MIT */
/*
 * Maps: checks, texts, ports and arguments.
 */
#include "primitives/mapping.h"

#include <assert.h>
#include <stdio.h>

#include "cl/input_call.clh"
#include "core/check.h"
#include "core/options.h"
#include "core/refuse.h"
#include "primitives/prelude.h"
#include "primitives/words.h"

static const char *const names[DMM_MOST_INPUTS] = {"item", "y", "z", "w"};
static const char *const type_names[DMM_MOST_INPUTS] = {
    "dmm_map_item", "dmm_map_y", "dmm_map_z", "dmm_map_w"};

static const dmm_map_type *input_of(const dmm_map *map, size_t k)
{
    const dmm_map_type *const inputs[DMM_MOST_INPUTS] = {&map->item, &map->y, &map->z, &map->w};
    return inputs[k];
}

static uint32_t bytes_of(const dmm_map_type *type)
{
    return type->type == DMM_ITEM ? type->item_bytes : dmm_type_bytes(type->type);
}

/* name: of the field. */
static dmm_status check_type(
    const dmm_map *map, const dmm_map_type *type, const char *name, const dmm_device *device)
{
    const int is_item = type->type == DMM_ITEM;
    if (dmm_type_name(type->type) == NULL)
        return dmm_refuse(DMM_BAD_VALUE, "map.%s.type: %d is no dmm_type", name, (int)type->type);
    if (is_item && (type->item_bytes < 1 || type->item_bytes > DMM_MAX_ITEM_BYTES))
        return dmm_refuse(DMM_BAD_VALUE, "map.%s.item_bytes: DMM_ITEM needs 1 to %d, is %u", name,
            DMM_MAX_ITEM_BYTES, (unsigned)type->item_bytes);
    if (is_item && map->declares == NULL)
        return dmm_refuse(
            DMM_BAD_VALUE, "map.declares: is NULL, and map.%s is a DMM_ITEM: declare it", name);
    if (!is_item && type->item_bytes != 0)
        return dmm_refuse(DMM_BAD_VALUE, "map.%s.item_bytes: is for DMM_ITEM", name);
    if (type->type == DMM_F64 && !device->fp64.value)
        return dmm_refuse(
            DMM_UNSUPPORTED, "map.%s: this device does not compute with doubles", name);
    return DMM_OK;
}

/* Checks all inputs, those that the map does not have, too. */
static dmm_status check_inputs(const dmm_map *map, const dmm_device *device)
{
    dmm_status status = DMM_OK;
    for (size_t k = 0; k < DMM_MOST_INPUTS; k++) {
        const dmm_map_type *const type = input_of(map, k);
        if (k <= map->further)
            TRY(check_type(map, type, names[k], device));
        else
            FAIL_IF(type->type != 0 || type->item_bytes != 0,
                dmm_refuse(DMM_BAD_VALUE,
                    "map.%s: is given, and map.further is %u: count the further inputs", names[k],
                    (unsigned)map->further));
    }
out:
    return status;
}

dmm_status dmm_mapping_init(
    dmm_mapping *out, const dmm_map *map, dmm_type type, const dmm_device *device, int emits)
{
    dmm_status status = DMM_OK;
    *out = (dmm_mapping){.inputs = 0};
    if (map == NULL)
        return DMM_OK;
    TRY(dmm_check_reserved(map, sizeof *map, 0));
    FAIL_IF(map->further >= DMM_MOST_INPUTS,
        dmm_refuse(DMM_BAD_VALUE, "map.further: is %u, at most %d further inputs are possible",
            (unsigned)map->further, DMM_MOST_INPUTS - 1));
    TRY(check_inputs(map, device));
    FAIL_IF(type == DMM_F64 && !device->fp64.value,
        dmm_refuse(DMM_UNSUPPORTED,
            "map.expression: gives f64, and this device does not compute with doubles"));
    FAIL_IF(map->out != NULL && !emits, dmm_refuse(DMM_BAD_VALUE, "map.out: is for scans"));
    TRY(check_type(map, &map->result, "result", device));
    *out = (dmm_mapping){
        .inputs = map->further + 1, .out_bytes = map->out != NULL ? bytes_of(&map->result) : 0};
    for (size_t k = 0; k < out->inputs; k++)
        out->bytes[k] = bytes_of(input_of(map, k));
out:
    return status;
}

void dmm_mapping_define(dmm_options *options, const dmm_mapping *mapping)
{
    if (mapping->inputs != 0)
        dmm_options_define(options, "DMM_MAPPED", mapping->inputs);
    if (mapping->out_bytes != 0)
        dmm_options_define(options, "DMM_EMITS", 1);
}

const char *dmm_mapping_parameters(const dmm_map *map)
{
    static const char *const parameters[DMM_MOST_INPUTS] = {"", "const dmm_map_y y, ",
        "const dmm_map_y y, const dmm_map_z z, ",
        "const dmm_map_y y, const dmm_map_z z, const dmm_map_w w, "};
    return parameters[map != NULL ? map->further : 0];
}

/* Returns the type of unsigned integers of so many bytes. */
static const char *bits_type(uint32_t bytes)
{
    return bytes == 1 ? "uchar" : bytes == 2 ? "ushort" : bytes == 4 ? "uint" : "ulong";
}

/* Appends a type that the kernels need, unless the caller's text declares it, and its check. */
static char *append_type(char *prelude, const dmm_map_type *type, const char *name)
{
    if (type->type != DMM_ITEM)
        prelude = dmm_prelude_typedef(prelude, type->type, name);
    return dmm_prelude_size(prelude, name, bytes_of(type));
}

/* The caller's expression gives a number of `type`; kernels move its bits. */
static char *append_key(char *prelude, const dmm_map *map, dmm_type type, int by_item)
{
    char head[160], before[48];
    const char *const bits = by_item ? "dmm_item" : bits_type(dmm_type_bytes(type));
    snprintf(head, sizeof head, "typedef %s dmm_map_result;", bits);
    prelude = dmm_prelude_declare(prelude, "map", head);
    snprintf(head, sizeof head,
        "dmm_map_result dmm_map_key(const dmm_map_item item, %sconst ulong i)",
        dmm_mapping_parameters(map));
    snprintf(before, sizeof before, "as_%s((dmm_map_number)(", bits);
    return dmm_prelude_function(prelude, &(dmm_prelude_text){head, "map.expression",
                                             map->expression != NULL ? map->expression : "item",
                                             by_item ? "(" : before, by_item ? ")" : "))"});
}

/* dmm_map_out gets the bits, and gives the caller's expression the number. */
static char *append_out(char *prelude, const dmm_map *map, int by_item)
{
    char head[192], call[192];
    snprintf(head, sizeof head,
        "dmm_emitted dmm_map_emit(const %s total, const dmm_map_item item, %sconst ulong i)",
        by_item ? "dmm_item" : "dmm_map_number", dmm_mapping_parameters(map));
    prelude = append_type(prelude, &map->result, "dmm_emitted");
    prelude =
        dmm_prelude_function(prelude, &(dmm_prelude_text){head, "map.out", map->out, "(", ")"});
    static const char *const passed[DMM_MOST_INPUTS] = {"", "y, ", "y, z, ", "y, z, w, "};
    snprintf(head, sizeof head,
        "dmm_emitted dmm_map_out(const dmm_map_result total, const dmm_map_item item, %sconst "
        "ulong i)",
        dmm_mapping_parameters(map));
    snprintf(call, sizeof call, "dmm_map_emit(%s(total), item, %si)",
        by_item ? "" : "DMM_MAP_NUMBER", passed[map->further]);
    return dmm_prelude_function(prelude, &(dmm_prelude_text){head, "map", call, "", ""});
}

/* The macro that turns bits into a number of `type`. */
static char *append_number(char *prelude, dmm_type type)
{
    static const char *const as_number[] = {[DMM_U32] = "as_uint",
        [DMM_U8] = "as_uchar",
        [DMM_I8] = "as_char",
        [DMM_U16] = "as_ushort",
        [DMM_I16] = "as_short",
        [DMM_I32] = "as_int",
        [DMM_U64] = "as_ulong",
        [DMM_I64] = "as_long",
        [DMM_F16] = "as_ushort",
        [DMM_F32] = "as_float",
        [DMM_F64] = "as_double"};
    char text[48];
    snprintf(text, sizeof text, "#define DMM_MAP_NUMBER %s", as_number[type]);
    prelude = dmm_prelude_typedef(prelude, type, "dmm_map_number");
    return dmm_prelude_declare(prelude, "map", text);
}

char *dmm_mapping_prelude(char *prelude, const dmm_map *map, dmm_type type, int by_item)
{
    static const dmm_map_type none = {DMM_U8, 0};
    if (map == NULL)
        return prelude;
    if (map->declares != NULL)
        prelude = dmm_prelude_declare(prelude, "map.declares", map->declares);
    for (size_t k = 0; k < DMM_MOST_INPUTS; k++)
        prelude = append_type(prelude, k <= map->further ? input_of(map, k) : &none, type_names[k]);
    if (!by_item)
        prelude = append_number(prelude, type);
    prelude = append_key(prelude, map, type, by_item);
    return map->out != NULL ? append_out(prelude, map, by_item) : prelude;
}

size_t dmm_mapping_ports(
    const dmm_mapping *mapping, size_t at, uint64_t n, dmm_port ports[DMM_MAX_PORTS], size_t count)
{
    static const char *const spans[DMM_MOST_INPUTS] = {
        "", "further[0]", "further[1]", "further[2]"};
    for (uint32_t k = 1; k < mapping->inputs; k++) {
        assert(count < DMM_MAX_PORTS);
        ports[count++] = (dmm_port){.name = spans[k],
            .at = at,
            .access = DMM_READ,
            .n = n,
            .item_bytes = mapping->bytes[k],
            .further = (uint8_t)k};
    }
    return count;
}

dmm_status dmm_mapping_launch(const dmm_mapping *mapping, const dmm_call *call, dmm_further further,
    cl_kernel kernel, const cl_mem *buffers, size_t num_buffers, const void *numbers,
    size_t numbers_bytes, dmm_grid grid)
{
    enum { FURTHER = DMM_MOST_INPUTS - 1 };
    dmm_arg args[DMM_MAX_PORTS + DMM_MAX_REGIONS + FURTHER + 2];
    dmm_span spans[FURTHER] = {{NULL, 0}};
    if (mapping->inputs == 0)
        return dmm_call_launch(call, kernel, buffers, num_buffers, numbers, numbers_bytes, grid);
    assert(num_buffers + FURTHER + 2 <= sizeof args / sizeof *args);
    for (uint32_t k = 1; k < mapping->inputs && further.spans != NULL; k++)
        spans[k - 1] = further.spans[k - 1];
    const dmm_input_call c = {.y_at = dmm_span_items(spans[0], mapping->bytes[1]) - further.first,
        .z_at = dmm_span_items(spans[1], mapping->bytes[2]) - further.first,
        .w_at = dmm_span_items(spans[2], mapping->bytes[3]) - further.first};
    size_t count = 0;
    for (size_t i = 0; i < num_buffers; i++)
        args[count++] = (dmm_arg){sizeof *buffers, &buffers[i]};
    args[count++] = (dmm_arg){numbers_bytes, numbers};
    for (size_t k = 0; k < FURTHER; k++)
        args[count++] = (dmm_arg){sizeof spans[k].buffer, &spans[k].buffer};
    args[count++] = (dmm_arg)DMM_ARG(c);
    return dmm_call_launch_args(call, kernel, args, count, grid);
}
