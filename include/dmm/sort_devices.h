/* SPDX-License-Identifier: MIT */
/*
 * Sorting of host arrays on several devices at once: those of one machine, of any vendors' drivers,
 * or sub-devices of one device (clCreateSubDevices); each has a context of its own.
 *
 * Stable         yes; the result is that of dmm_sort on one device, bit for bit, whatever part of
 *                the work each device does
 * Cost           The input is cut into parts. Each device sorts the next part when it has finished
 *                one, so its share follows its rate in this call. Then the result is cut into as
 *                many ranges, each an exact piece of every sorted part; each device merges the next
 *                range. A key goes to a device three times and comes back twice, a value goes
 *                twice. A device that is slower by more than the number of parts delays the call
 * Memory         as much as the arrays again; a device holds one part or range at a time
 * Bank claim     as the calls it makes: dmm_sort, dmm_search, dmm_merge_many; with `guarantee` all
 *                kernels are conflict-free
 *
 * Details
 * Ranges         The parts are sampled at regular distances, and the samples sorted, with their
 *                positions. Splitters are samples; equal items are ordered by position, so equal
 *                keys are cut as exactly as others. A range has at most 1/8 more items than its
 *                share while there are at most 128 parts
 * Any `less`     keeps every item once, with its value, whatever it answers, as dmm_sort does
 * Source         H. Shi, J. Schaeffer, "Parallel Sorting by Regular Sampling", Journal of Parallel
 *                and Distributed Computing 14, 1992, DOI 10.1016/0743-7315(92)90075-X. Differs:
 *                splitters are ordered by position as well; devices take parts and ranges as they
 *                finish
 */
#ifndef DMM_SORT_DEVICES_H
#define DMM_SORT_DEVICES_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dmm_sort_devices_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int guarantee;        /* conflict-free kernels only */
    uint64_t part_items;  /* items that a device sorts at once; 0: a quarter of an equal share, at
                             least 65536, at most what every device can hold */
    dmm_tuning tuning;
    uint64_t reserved[4]; /* 0 */
} dmm_sort_devices_desc;

/* What a device has done in a call. */
typedef struct dmm_sort_devices_share {
    uint64_t sorted_items, merged_items;
} dmm_sort_devices_share;

/*
 * Sorts n keys, with their values (NULL: keys alone), and blocks. contexts: 1 to 1024, one for each
 * device; it uses their queues. shares_out: written for each context by a call that succeeds, or
 * NULL. After an error the arrays are undefined. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field
 * outside its range; no context); DMM_TOO_LARGE (more than 1024 contexts, or 4096 parts); the
 * first error of any device: those of dmm_sort_host, dmm_search_host and dmm_merge_many_host.
 */
DMM_API dmm_status dmm_sort_devices_host(dmm_context *const *contexts, uint32_t num_contexts,
    const dmm_sort_devices_desc *desc, void *keys, void *values, size_t n,
    dmm_sort_devices_share *shares_out);

#ifdef __cplusplus
}
#endif

#endif
