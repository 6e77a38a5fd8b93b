/* SPDX-License-Identifier: MIT */
/*
 * The types that all primitives share: spans of device memory, key types and their order, and
 * the tuning parameters. Zero always means "default" or "none".
 */
#ifndef DMM_TYPES_H
#define DMM_TYPES_H

#include <stdint.h>

/* The version that the headers would choose with a note. Define it first to choose another: at
 * least 120. */
#if !defined(CL_TARGET_OPENCL_VERSION)
#define CL_TARGET_OPENCL_VERSION 300
#endif
#if defined(__APPLE__)
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include <dmm/export.h>
#include <dmm/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A region of device memory: a buffer from offset_bytes on, as long as the call's items. The offset
 * is a multiple of the item's size (of 256 for temp). A NULL buffer means "none". A temp of which a
 * call needs no bytes is not looked at. Not checked here; the driver may or may not return an
 * error: whether a buffer is of the queue's context, whether its access flags permit the call (a
 * read-only output, a write-only input), and whether the events of a wait list are valid and of
 * that context. */
typedef struct dmm_span {
    cl_mem buffer;
    uint64_t offset_bytes;
} dmm_span;

#ifdef __cplusplus
#define DMM_NONE (dmm_span())
#else
#define DMM_NONE ((dmm_span){NULL, 0})
#endif

/* Written by the device: whether the data were valid, and if not, where the first bad item is. 16
 * bytes, at a multiple of 8. */
typedef struct dmm_report {
    uint32_t code;     /* DMM_OK, or a status that the header names, such as DMM_BAD_DATA */
    uint32_t detail;   /* as the primitive's header says; otherwise 0 */
    uint64_t position; /* index of the first bad item; 0 where code is DMM_OK */
} dmm_report;

/*
 * Types of keys and scanned items. All are handled as integers of their width: f16 and f64 keys
 * need no floating-point support of the device, nor do maxima and minima of f16. OpenCL C of the
 * caller's gets an f16 as its bits, ushort, and computes with it as
 *
 *     float dmm_from_half(ushort bits);   exact
 *     ushort dmm_to_half(float number);   rounded to the nearest, ties to even
 *
 * which each device has, if a type of the description or of its map is DMM_F16. Sums of f16 are
 * those of an f32 map: {.item = {DMM_F16}, .expression = "dmm_from_half(item)"}.
 */
typedef enum dmm_type {
    DMM_U32 = 0,
    DMM_U8 = 1,
    DMM_I8 = 2,
    DMM_U16 = 3,
    DMM_I16 = 4,
    DMM_I32 = 5,
    DMM_U64 = 6,
    DMM_I64 = 7,
    DMM_F16 = 8,
    DMM_F32 = 9,
    DMM_F64 = 10,
    DMM_ITEM = 11 /* declared by the caller: see dmm_order.item */
} dmm_type;

/* Returns the size of a type in bytes; 0 for DMM_ITEM and for values outside the enumeration. */
DMM_API uint32_t dmm_type_bytes(dmm_type type);
/* "u32", "f64", ...; "item" for DMM_ITEM; NULL outside the enumeration. */
DMM_API const char *dmm_type_name(dmm_type type);

/*
 * The order of keys. Integers: by value. Floats: one total order on bit patterns, the same for
 * every method and device: -inf < ... < -0 < +0 < ... < +inf, then all NaNs, which are last in
 * either direction: first those of positive sign by rising bits, then the others by falling bits,
 * and all in reverse if descending. With zero_equal, -0 and +0 are ties and keep their input order.
 *
 * `less` replaces that order by the caller's: an OpenCL C expression over `a` and `b`, true where a
 * comes before b, a strict weak order, e.g. "a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo)". a and b
 * have the OpenCL C type of `type` (half keys: ushort). For DMM_ITEM, `item` is OpenCL C text that
 * declares the type `dmm_item`, e.g. "typedef struct { ulong hi; uint lo; } dmm_item;", of
 * item_bytes bytes (1 to 256, as sizeof says on the device), and `less` must be given. An
 * expression that is no strict weak order leaves the order of the output unspecified, nothing
 * worse: whatever it answers, each item of the input is in the output once, with its value. `a < b`
 * is no strict weak order where keys may be NaN. Behaviour that is undefined in OpenCL C, such as
 * division by zero, is undefined here.
 */
typedef struct dmm_order {
    dmm_type type;       /* default DMM_U32 */
    int descending;      /* largest first (`less` is applied with a and b exchanged) */
    int zero_equal;      /* floats only: -0 ties with +0 */
    uint32_t item_bytes; /* DMM_ITEM only */
    const char *item;    /* DMM_ITEM only */
    const char *less;
} dmm_order;

/* GPU: groups of u work-items over tiles in local memory. CPU: one work-item a tile, no local
 * memory. Default: CPU on CPU devices. */
typedef enum dmm_form { DMM_FORM_DEFAULT = 0, DMM_FORM_GPU = 1, DMM_FORM_CPU = 2 } dmm_form;

/* The search for split points in a tile: cf is free of bank conflicts on any input, plain is the
 * usual binary search, which is not. */
typedef enum dmm_tile_search {
    DMM_TILE_SEARCH_DEFAULT = 0,
    DMM_TILE_SEARCH_CF = 1,
    DMM_TILE_SEARCH_PLAIN = 2
} dmm_tile_search;

/* Parameters that affect speed, never results. Zero: chosen from the device's facts. */
typedef struct dmm_tuning {
    dmm_form form;
    uint32_t u;    /* work-items per group (GPU form); a power of two, at least the banks */
    uint32_t E;    /* items per work-item, in registers; 1 to 32 */
    uint32_t tile; /* items that one work-item sorts or merges (CPU form); a power of two */
    dmm_tile_search search; /* default cf */
} dmm_tuning;

#ifdef __cplusplus
}
#endif

#endif
