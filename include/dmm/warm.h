/* SPDX-License-Identifier: MIT */
/*
 * Building ahead of time. The programs of a primitive are built when it is created, once for each
 * context, and kept in the context and, if it has one, in its cache folder (<dmm/cache.h>). An
 * installer can call this to fill a cache folder, a program while it starts. Drivers may still
 * defer work until a kernel first runs.
 */
#ifndef DMM_WARM_H
#define DMM_WARM_H

#include <stddef.h>

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_primitive {
    DMM_PRIMITIVE_SORT = 0,
    DMM_PRIMITIVE_SORT_SEGMENTED = 1,
    DMM_PRIMITIVE_MERGE = 2,
    DMM_PRIMITIVE_TOPK = 3,
    DMM_PRIMITIVE_NTH = 4,
    DMM_PRIMITIVE_PARTITION = 5,
    DMM_PRIMITIVE_SCAN = 6,
    DMM_PRIMITIVE_REDUCE = 7,
    DMM_PRIMITIVE_UNIQUE = 8,
    DMM_PRIMITIVE_HISTOGRAM = 9,
    DMM_PRIMITIVE_PERMUTE = 10,
    DMM_PRIMITIVE_SHUFFLE = 11,
    DMM_PRIMITIVE_TRANSPOSE = 12,
    DMM_PRIMITIVE_HULL = 13,
    DMM_PRIMITIVE_SEARCH = 14,
    DMM_PRIMITIVE_LAYOUT = 15,
    DMM_PRIMITIVE_MERGE_MANY = 16,
    DMM_PRIMITIVE_RUN_LENGTH = 17,
    DMM_PRIMITIVE_NETWORK = 18,
    DMM_PRIMITIVE_HEAP = 19,
    DMM_PRIMITIVE_PATHS = 20,
    DMM_PRIMITIVE_SET = 21,
    DMM_PRIMITIVE_SCAN_BY_KEY = 22,
    DMM_PRIMITIVE_REDUCE_BY_KEY = 23,
    DMM_PRIMITIVE_SELECT = 24,
    DMM_PRIMITIVE_TAKE = 25,
    DMM_PRIMITIVE_LEXSORT = 26,
    DMM_PRIMITIVE_SCAN_SEGMENTED = 27,
    DMM_PRIMITIVE_REDUCE_SEGMENTED = 28,
    DMM_PRIMITIVE_TOPK_SEGMENTED = 29,
    DMM_PRIMITIVE_AXIS = 30
} dmm_primitive;

/* One object that will be created, such as {DMM_PRIMITIVE_SORT, &desc}. */
typedef struct dmm_warm_item {
    dmm_primitive primitive;
    const void *desc; /* the primitive's own, such as a dmm_sort_desc */
} dmm_warm_item;

/*
 * Builds the programs for `count` descriptions, and blocks until that is done. Builds up to
 * `threads` of them at once (0: one thread per CPU; simulators: one thread), as far as the driver
 * allows. All are tried; returns the first status, in the order of the items, that is not DMM_OK:
 * DMM_NULL_ARGUMENT, DMM_BAD_VALUE (an unknown primitive), those of the primitive's create.
 */
DMM_API dmm_status dmm_context_warm(
    dmm_context *ctx, const dmm_warm_item *items, size_t count, unsigned threads);

#ifdef __cplusplus
}
#endif

#endif
