/* SPDX-License-Identifier: MIT */
/*
 * Device facts: from the driver, else from the vendor's row, else a default. Queries that a driver
 * may lack are tried; such a driver returns CL_INVALID_VALUE.
 */
#include "core/device.h"

#include <string.h>

#include "core/opencl.h"
#include "core/refuse.h"
#include "core/size.h"

/* Vendor queries; the numbers are those of the extensions cl_nv_device_attribute_query,
 * cl_amd_device_attribute_query, cl_intel_required_subgroup_size and
 * cl_intel_device_attribute_query. */
enum {
    QUERY_WARP_SIZE_NV = 0x4003,
    QUERY_WAVEFRONT_WIDTH_AMD = 0x4043,
    QUERY_LOCAL_MEM_BANKS_AMD = 0x4048,
    QUERY_SUB_GROUP_SIZES_INTEL = 0x4108,
    QUERY_EUS_PER_SUB_SLICE_INTEL = 0x4254
};

/* Facts of a vendor's GPUs that its driver does not report. 0: unknown. */
typedef struct vendor_row {
    const char *vendor; /* part of the vendor string */
    uint64_t banks, lanes;
    dmm_lanes_by by; /* as the vendor's query says (lanes_queries) */
    uint64_t parts;  /* the driver's compute units for one local memory, 1: each has its own */
} vendor_row;

static const vendor_row vendors[] = {
    {"NVIDIA", 32, 32, DMM_LANES_BY_PTX, 1},
    {"Advanced Micro", 32, 64, DMM_LANES_BY_AMDGCN, 1},
    {"AMD", 32, 64, DMM_LANES_BY_AMDGCN, 1},
    {"Intel", 16, 16, DMM_LANES_BY_KHR, 8}, /* execution units; 16 where its query says so */
    {"Apple", 0, 32, DMM_LANES_BY_KHR, 1},
};

static const vendor_row unknown_vendor = {"", 0, 0, DMM_LANES_BY_KHR, 1};

/* Limits of what kernels and settings can use, whatever a driver answers. */
enum {
    LEAST_BANKS = 4,
    MOST_BANKS = 128,
    MOST_LANES = 1024,
    MOST_LOCAL_BYTES = 1 << 30,
    MOST_GROUP = 1 << 16,
    MOST_UNITS = 1 << 16
};
/* Lanes of a sub-group: what cl/lanes.clh takes; where a kernel chooses, none wider than that, if
 * there are such, since these leave too few registers to each lane (Intel). */
enum { LEAST_SYNC = 2, MOST_SYNC = 64, KHR_SYNC = 16 };
/* Values of facts that a driver does not report. */
enum { BANKS = 32, BANK_BYTES = 4, LANES = 32, LOCAL_BYTES = 32768, GROUP = 256, BUFFER = 1 << 30 };

/* A fact, its default, and the range of one that is recorded. */
typedef struct fact_row {
    const char *name;
    size_t offset;
    uint64_t otherwise, least, most;
    int power_of_two;
} fact_row;

#define FACT(field) #field, offsetof(dmm_device, field)

static const fact_row fact_rows[] = {
    {FACT(banks), BANKS, LEAST_BANKS, MOST_BANKS, 1},
    {FACT(bank_bytes), BANK_BYTES, 4, 8, 1},
    {FACT(lanes), LANES, 1, MOST_LANES, 1},
    {FACT(sync_width), 1, 1, MOST_SYNC, 1},
    {FACT(local_bytes), LOCAL_BYTES, 1, MOST_LOCAL_BYTES, 0},
    {FACT(max_group), GROUP, 1, MOST_GROUP, 0},
    {FACT(units), 1, 1, MOST_UNITS, 0},
    {FACT(max_buffer), BUFFER, 1, UINT64_MAX, 0},
    {FACT(unified), 0, 0, 1, 0},
    {FACT(fp64), 0, 0, 1, 0},
    {FACT(launch_items), 0, 0, UINT64_MAX, 0},
};

enum { NUM_FACTS = sizeof fact_rows / sizeof fact_rows[0] };

dmm_fact *dmm_device_fact_named(dmm_device *device, const char *name)
{
    for (size_t i = 0; i < NUM_FACTS; i++)
        if (strcmp(fact_rows[i].name, name) == 0)
            return (dmm_fact *)(void *)((char *)device + fact_rows[i].offset);
    return NULL;
}

const dmm_fact *dmm_device_fact(const dmm_device *device, size_t i, const char **name)
{
    if (device == NULL || i >= NUM_FACTS)
        return NULL;
    if (name != NULL)
        *name = fact_rows[i].name;
    return (const dmm_fact *)(const void *)((const char *)device + fact_rows[i].offset);
}

const char *dmm_source_name(dmm_source source)
{
    static const char *const names[] = {
        "", "override", "file", "query", "probe", "table", "default"};
    return source >= DMM_SOURCE_OVERRIDE && source <= DMM_SOURCE_DEFAULT ? names[source] : "";
}

const char *dmm_device_kind_name(dmm_device_kind kind)
{
    static const char *const names[] = {"", "GPU", "accelerator", "CPU", "simulator"};
    return kind >= DMM_KIND_GPU && kind <= DMM_KIND_SIMULATOR ? names[kind] : "";
}

/* Queries an unsigned number of 4 or 8 bytes, whichever the driver returns. */
static dmm_fact query(cl_device_id id, cl_device_info what, uint64_t otherwise)
{
    union {
        cl_uint narrow;
        cl_ulong wide;
    } value = {.wide = 0};
    size_t bytes = 0;
    if (clGetDeviceInfo(id, what, sizeof value, &value, &bytes) != CL_SUCCESS ||
        (bytes != sizeof value.narrow && bytes != sizeof value.wide))
        return (dmm_fact){otherwise, DMM_SOURCE_DEFAULT};
    return (dmm_fact){bytes == sizeof value.narrow ? value.narrow : value.wide, DMM_SOURCE_QUERY};
}

/* As query; the answer is moved into the range from `least` to `most`. */
static dmm_fact query_within(
    cl_device_id id, cl_device_info what, uint64_t otherwise, uint64_t least, uint64_t most)
{
    dmm_fact fact = query(id, what, otherwise);
    fact.value = fact.value < least ? least : fact.value > most ? most : fact.value;
    return fact;
}

/* As query; 0, unknown, unless the answer is a power of two from `least` to `most`. */
static dmm_fact query_power_of_two(
    cl_device_id id, cl_device_info what, uint64_t least, uint64_t most)
{
    dmm_fact fact = query(id, what, 0);
    if (!dmm_is_power_of_two(fact.value) || fact.value < least || fact.value > most)
        fact.value = 0;
    return fact;
}

static const vendor_row *vendor_of(const dmm_device *device)
{
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (device->kind == DMM_KIND_GPU && strstr(device->vendor, vendors[i].vendor) != NULL)
            return &vendors[i];
    return &unknown_vendor;
}

static dmm_fact or_table(dmm_fact asked, uint64_t known, uint64_t otherwise)
{
    if (asked.source == DMM_SOURCE_QUERY && asked.value != 0)
        return asked;
    if (known != 0)
        return (dmm_fact){known, DMM_SOURCE_TABLE};
    return (dmm_fact){otherwise, DMM_SOURCE_DEFAULT};
}

/* Queries of vendors for the width of a sub-group, and how its lanes exchange data there. */
typedef struct lanes_query {
    cl_device_info what;
    dmm_lanes_by by;
} lanes_query;

static const lanes_query lanes_queries[] = {
    {QUERY_WARP_SIZE_NV, DMM_LANES_BY_PTX}, {QUERY_WAVEFRONT_WIDTH_AMD, DMM_LANES_BY_AMDGCN}};

enum { NUM_LANES_QUERIES = sizeof lanes_queries / sizeof lanes_queries[0] };

/* Returns the widest sub-group of at most `wanted` lanes that kernels may ask for, or else the
 * narrowest one; 0: none. */
static uint64_t sub_group_near(cl_device_id id, uint64_t wanted)
{
    size_t sizes[16] = {0}, bytes = 0;
    uint64_t best = 0;
    if (clGetDeviceInfo(id, QUERY_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes) != CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < bytes / sizeof sizes[0] && i < sizeof sizes / sizeof sizes[0]; i++) {
        const int is_better =
            best == 0 || (sizes[i] <= wanted ? best > wanted || sizes[i] > best : sizes[i] < best);
        if (dmm_is_power_of_two(sizes[i]) && sizes[i] <= MOST_LANES && is_better)
            best = sizes[i];
    }
    return best;
}

static dmm_fact ask_lanes(cl_device_id id, uint64_t known)
{
    for (size_t i = 0; i < NUM_LANES_QUERIES; i++) {
        const dmm_fact asked = query_power_of_two(id, lanes_queries[i].what, 1, MOST_LANES);
        if (asked.value != 0)
            return asked;
    }
    const uint64_t widest = sub_group_near(id, MOST_LANES);
    if (widest != 0)
        return (dmm_fact){widest, DMM_SOURCE_QUERY};
    return or_table((dmm_fact){0, DMM_SOURCE_DEFAULT}, known, LANES);
}

/* True if the device has all extensions that DMM_LANES_BY_KHR needs. */
static int has_sub_groups(cl_device_id id)
{
    static const char *const names[] = {
        "cl_khr_subgroup_ballot", "cl_khr_subgroup_shuffle", "cl_intel_required_subgroup_size"};
    size_t found = 0;
    char text[1 << 14] = "";
    if (clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL) == CL_SUCCESS)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            found += strstr(text, names[i]) != NULL;
    return found == sizeof names / sizeof names[0];
}

/* Returns the width that a vendor's query reports, or 0. */
static uint64_t ask_query(cl_device_id id, const lanes_query *asked)
{
    return query_power_of_two(id, asked->what, LEAST_SYNC, MOST_SYNC).value;
}

static dmm_fact ask_sync_width(cl_device_id id, dmm_lanes_by by)
{
    uint64_t width = by == DMM_LANES_BY_KHR ? sub_group_near(id, KHR_SYNC) : 0;
    for (size_t i = 0; i < NUM_LANES_QUERIES; i++)
        if (lanes_queries[i].by == by)
            width = ask_query(id, &lanes_queries[i]);
    return width >= LEAST_SYNC && width <= MOST_SYNC ? (dmm_fact){width, DMM_SOURCE_QUERY}
                                                     : (dmm_fact){1, DMM_SOURCE_DEFAULT};
}

dmm_lanes_by dmm_device_lanes_by(const dmm_device *device)
{
    if (device->id == NULL) /* facts alone */
        return vendor_of(device)->by;
    /* a CPU's compiler crashes on PTX */
    for (size_t i = 0; i < NUM_LANES_QUERIES; i++)
        if (device->kind == DMM_KIND_GPU && ask_query(device->id, &lanes_queries[i]) != 0)
            return lanes_queries[i].by;
    return has_sub_groups(device->id) ? DMM_LANES_BY_KHR : DMM_LANES_BY_NONE;
}

static dmm_device_kind kind_of(const dmm_device *device, cl_device_type type)
{
    if (strstr(device->name, "Oclgrind") != NULL ||
        strstr(device->platform_name, "Oclgrind") != NULL)
        return DMM_KIND_SIMULATOR;
    if (type & CL_DEVICE_TYPE_GPU)
        return DMM_KIND_GPU;
    return type & CL_DEVICE_TYPE_CPU ? DMM_KIND_CPU : DMM_KIND_ACCELERATOR;
}

static dmm_status ask_texts(dmm_device *out)
{
    struct {
        cl_device_info what;
        char *text;
    } texts[] = {{CL_DEVICE_NAME, out->name}, {CL_DEVICE_VENDOR, out->vendor},
        {CL_DRIVER_VERSION, out->driver}, {CL_DEVICE_VERSION, out->version}};
    const size_t limit = sizeof out->name - 1;
    dmm_status status =
        clGetDeviceInfo(out->id, CL_DEVICE_PLATFORM, sizeof out->platform, &out->platform, NULL);
    if (status == DMM_OK)
        clGetPlatformInfo(out->platform, CL_PLATFORM_NAME, limit, out->platform_name, NULL);
    /* A text longer than its field is left empty rather than refused. */
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        clGetDeviceInfo(out->id, texts[i].what, limit, texts[i].text, NULL);
    return status;
}

/* Drivers that cache programs themselves, as of 2026: ~/.nv/ComputeCache, PoCL's kernel cache,
 * NEO's cl_cache; and Apple's, for which binaries of programs are reported to crash. */
int dmm_device_keeps_programs(const dmm_device *device)
{
    static const char *const platforms[] = {
        "NVIDIA", "Portable Computing Language", "Intel", "Apple"};
    for (size_t i = 0; i < sizeof platforms / sizeof *platforms; i++)
        if (strstr(device->platform_name, platforms[i]) != NULL)
            return 1;
    return device->kind == DMM_KIND_SIMULATOR;
}

/* Returns the parts of the device that have a local memory each. */
static dmm_fact ask_units(cl_device_id id, uint64_t parts)
{
    dmm_fact units = query_within(id, CL_DEVICE_MAX_COMPUTE_UNITS, 1, 1, MOST_UNITS);
    if (parts > 1)
        parts = query_within(id, QUERY_EUS_PER_SUB_SLICE_INTEL, parts, 1, MOST_UNITS).value;
    units.value = units.value > parts ? units.value / parts : 1;
    return units;
}

dmm_status dmm_device_describe(dmm_device *out, cl_device_id id)
{
    *out = (dmm_device){.id = id};
    const dmm_status status = ask_texts(out);
    if (status != DMM_OK)
        return status;
    out->kind = kind_of(out, query(id, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU).value);
    const vendor_row *row = vendor_of(out);
    out->banks =
        or_table(query_power_of_two(id, QUERY_LOCAL_MEM_BANKS_AMD, LEAST_BANKS, MOST_BANKS),
            row->banks, BANKS);
    out->bank_bytes =
        (dmm_fact){BANK_BYTES, row->banks != 0 ? DMM_SOURCE_TABLE : DMM_SOURCE_DEFAULT};
    out->lanes = ask_lanes(id, row->lanes);
    out->sync_width = ask_sync_width(id, dmm_device_lanes_by(out));
    out->local_bytes = query_within(id, CL_DEVICE_LOCAL_MEM_SIZE, LOCAL_BYTES, 0, MOST_LOCAL_BYTES);
    out->max_group = query_within(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, GROUP, 1, MOST_GROUP);
    out->units = ask_units(id, row->parts);
    out->max_buffer = query(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, BUFFER);
    out->unified = query(id, CL_DEVICE_HOST_UNIFIED_MEMORY, 0);
    out->fp64 = query(id, CL_DEVICE_DOUBLE_FP_CONFIG, 0);
    out->fp64.value = out->fp64.value != 0;
    out->launch_items = (dmm_fact){0, DMM_SOURCE_DEFAULT};
    out->unified.value = out->unified.value != 0;
    return DMM_OK;
}

static dmm_status complete_fact(dmm_device *out, const fact_row *row, uint64_t known)
{
    dmm_fact *const fact = dmm_device_fact_named(out, row->name);
    if (fact->value == 0) {
        *fact = or_table((dmm_fact){0, DMM_SOURCE_DEFAULT}, known, row->otherwise);
        return DMM_OK;
    }
    fact->source = DMM_SOURCE_OVERRIDE;
    if (fact->value >= row->least && fact->value <= row->most &&
        (!row->power_of_two || dmm_is_power_of_two(fact->value)))
        return DMM_OK;
    return dmm_refuse(DMM_BAD_VALUE, "facts: %s is %llu, must be a %s from %llu to %llu", row->name,
        (unsigned long long)fact->value, row->power_of_two ? "power of two" : "whole number",
        (unsigned long long)row->least, (unsigned long long)row->most);
}

dmm_status dmm_device_complete(dmm_device *out, const dmm_device *facts)
{
    *out = *facts;
    out->platform = NULL;
    out->id = NULL;
    out->kind = facts->kind != 0 ? facts->kind : DMM_KIND_GPU;
    char *const texts[] = {out->platform_name, out->name, out->vendor, out->driver, out->version};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        texts[i][sizeof out->name - 1] = '\0';
    if (out->kind < DMM_KIND_GPU || out->kind > DMM_KIND_SIMULATOR)
        return dmm_refuse(DMM_BAD_VALUE, "facts: kind is %d, no dmm_device_kind", (int)out->kind);
    const vendor_row *const row = vendor_of(out);
    for (size_t i = 0; i < NUM_FACTS; i++) {
        const int is_banks = fact_rows[i].offset == offsetof(dmm_device, banks);
        const int is_lanes = fact_rows[i].offset == offsetof(dmm_device, lanes);
        const dmm_status status = complete_fact(out, &fact_rows[i],
            is_banks   ? row->banks
            : is_lanes ? row->lanes
                       : 0);
        if (status != DMM_OK)
            return status;
    }
    return DMM_OK;
}
