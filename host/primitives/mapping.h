/* SPDX-License-Identifier: MIT */
/*
 * A dmm_map as kernels need it (cl/input.clh): its texts as a part of the prelude, its further
 * inputs as ports, and their arguments behind those of a kernel. A class with a map has fields
 * `map` in its description and `further` in its args.
 */
#ifndef DMM_PRIMITIVES_MAPPING_H
#define DMM_PRIMITIVES_MAPPING_H

#include <dmm/map.h>

#include "core/object.h"

enum { DMM_MOST_INPUTS = 4 };

typedef struct dmm_mapping {
    uint32_t inputs;                 /* 0: no map */
    uint32_t bytes[DMM_MOST_INPUTS]; /* bytes of an item of each input */
    uint32_t out_bytes;              /* bytes of an item that `out` gives; 0: there is no `out` */
} dmm_mapping;

/* Checks a map, which may be NULL, and fills *out. type: of what the expression gives; emits: true
 * if the map may have `out`. DMM_BAD_VALUE, DMM_UNSUPPORTED. */
dmm_status dmm_mapping_init(
    dmm_mapping *out, const dmm_map *map, dmm_type type, const dmm_device *device, int emits);

/* Returns the bytes of an item of the first input: `bytes` without a map. */
static inline uint32_t dmm_mapping_in(const dmm_mapping *mapping, uint32_t bytes)
{
    return mapping->inputs != 0 ? mapping->bytes[0] : bytes;
}

/* Returns the bytes of an item that a scan writes: `bytes` without `out`. */
static inline uint32_t dmm_mapping_out(const dmm_mapping *mapping, uint32_t bytes)
{
    return mapping->out_bytes != 0 ? mapping->out_bytes : bytes;
}

/* Defines DMM_MAPPED and DMM_EMITS. */
void dmm_mapping_define(dmm_options *options, const dmm_mapping *mapping);

/* Appends the texts to a prelude (primitives/prelude.h): dmm_map_key, whose result is of `type`,
 * or, by_item, a dmm_item, which the prelude has; and dmm_map_out over such a result. */
char *dmm_mapping_prelude(char *prelude, const dmm_map *map, dmm_type type, int by_item);

/* Returns the parameters of the further inputs in the head of a function: "const dmm_map_y y, ". */
const char *dmm_mapping_parameters(const dmm_map *map);

/* For ports: appends the further inputs; returns the number of ports. at: offset of `further`. */
size_t dmm_mapping_ports(
    const dmm_mapping *mapping, size_t at, uint64_t n, dmm_port ports[DMM_MAX_PORTS], size_t count);

/* The further inputs of a call: its field `further`, and the position of item 0. */
typedef struct dmm_further {
    const dmm_span *spans;
    uint64_t first;
} dmm_further;

/* As dmm_call_launch, of a kernel that reads the input: with the arguments of further inputs if
 * there is a map. */
dmm_status dmm_mapping_launch(const dmm_mapping *mapping, const dmm_call *call, dmm_further further,
    cl_kernel kernel, const cl_mem *buffers, size_t num_buffers, const void *numbers,
    size_t numbers_bytes, dmm_grid grid);

#endif
