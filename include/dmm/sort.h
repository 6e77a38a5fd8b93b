/* SPDX-License-Identifier: MIT */
/*
 * Sorting of keys and of values with them: stable, in place or out of place, on the device.
 *
 *     dmm_sort *sort = NULL;
 *     dmm_sort_desc desc = {.order = {.type = DMM_U32}, .value_bytes = 4};
 *     dmm_status status = dmm_sort_create(&sort, ctx, &desc);
 *     dmm_span keys = {key_buffer, 0}, values = {value_buffer, 0};
 *     dmm_sort_args args = {
 *         .keys_in = keys, .values_in = values, .keys_out = keys, .values_out = values};
 *     if (status == DMM_OK)
 *         status = dmm_sort_enqueue(sort, queue, &args, n, 0, NULL, &event);
 *     dmm_sort_free(sort);
 *
 * For arrays in host memory one call is enough: dmm_sort_host. Cost, temp, methods, the claim about
 * bank conflicts, and sources are at the end of this file.
 */
#ifndef DMM_SORT_H
#define DMM_SORT_H

#include <dmm/context.h>
#include <dmm/map.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_sort_method {
    DMM_SORT_AUTO = 0,
    DMM_SORT_MERGE = 1,
    DMM_SORT_RADIX = 2,
    DMM_SORT_NETWORK = 5 /* 3, 4 and 6: no method */
} dmm_sort_method;

/* Bits begin .. end - 1 of a key, bit 0 the lowest. Keys are ordered by the number that these bits
 * make (the sign bit of a signed type is the number's highest); ties keep their input order. 0, 0:
 * all bits; begin = end > 0: none, every item ties. Integer types only, and method auto or
 * radix. */
typedef struct dmm_bits {
    uint32_t begin, end;
} dmm_bits;

typedef struct dmm_sort_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i; value_bytes 4 or 8 */
    dmm_sort_method method;
    dmm_bits bits;  /* sort by these bits alone */
    int guarantee;  /* conflict-free kernels only: rejects search=plain; radix moves by split */
    uint64_t max_n; /* largest n of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
    const dmm_map *map;   /* <dmm/map.h>: gives the keys, which are written to keys_out first; NULL:
                             they are those of keys_in */
    uint64_t reserved[3]; /* 0 */
} dmm_sort_desc;

/*
 * Spans hold n items each. keys_out (values_out) is either equal to keys_in (values_in) or apart
 * from it; every other overlap is DMM_OVERLAP, sub-buffers of the same bytes too. Outputs are read
 * as well: their buffers are not CL_MEM_WRITE_ONLY.
 * temp    see dmm_sort_temp_bytes; none: allocated for the call
 * count   the number of items, one u64, if only the device knows it; none: n. With count, n is the
 *         upper bound: larger counts are taken as n. Items past the count are neither read nor
 *         written.
 */
typedef struct dmm_sort_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span temp;
    dmm_span count;
    const dmm_span *further; /* with a map: its further inputs, y first; only read by the call */
    uint64_t reserved[3];    /* 0 */
} dmm_sort_args;

/* Built for one context and one description; for one thread at a time. It owns kernels, no device
 * memory: executions in flight may overlap when their temps differ, and it may be freed before they
 * have finished. */
typedef struct dmm_sort dmm_sort;

/*
 * Creates the object and builds its kernels. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field
 * outside its range); DMM_BAD_PARAMETERS (u, E, tile do not fit the device); DMM_UNSUPPORTED
 * (`less` on f64 keys where the device has no double; guarantee with search=plain, but for method
 * radix; method radix with `less`; method network with values of other than 1, 2, 4 or 8 bytes;
 * bits of floats, of `less` or of any method but auto and radix); DMM_BUILD_FAILED (see the
 * context's log); DMM_OUT_OF_MEMORY; OpenCL's. On failure *out is NULL.
 */
DMM_API dmm_status dmm_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc);

/* Returns the method that auto chose, or the description's; DMM_SORT_AUTO for NULL and for a method
 * of another library. */
DMM_API dmm_sort_method dmm_sort_chosen(const dmm_sort *sort);

/* Returns the bytes of temp that a call with n items needs; monotone in n. DMM_TOO_LARGE beyond
 * max_n. */
DMM_API dmm_status dmm_sort_temp_bytes(uint64_t *out, const dmm_sort *sort, uint64_t n);

/*
 * Sorts n items: enqueues on `queue` (of the context's device; in or out of order) behind the
 * events of the wait list and returns at once. *event, if not NULL, is the caller's to release. n =
 * 0 still waits and signals. Errors, all found before anything is enqueued: DMM_NULL_ARGUMENT,
 * DMM_WRONG_QUEUE, DMM_TOO_LARGE, DMM_MISALIGNED, DMM_SPAN_TOO_SMALL, DMM_OVERLAP,
 * DMM_TEMP_TOO_SMALL. If OpenCL refuses a step later, what was enqueued has finished on return,
 * *event is NULL and the output spans are undefined: so the call waits then, for ever if only this
 * thread can complete an event of the wait list. If an event of the wait list ends with an error,
 * nothing runs, and *event ends with an error, too (PoCL 3.1 ends the process).
 */
DMM_API dmm_status dmm_sort_enqueue(dmm_sort *sort, cl_command_queue queue,
    const dmm_sort_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/* NULL is fine. */
DMM_API void dmm_sort_free(dmm_sort *sort);

/* Sorts host arrays in place and blocks. values is NULL for keys alone; for argsort it receives the
 * indices. Errors as above. */
DMM_API dmm_status dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n);

/*
 * Cost           merge: 1 + ceil(log2(n / T)) passes, T items a tile, each reads and writes every
 *                item once; radix: a pass per digit of 8 or 11 bits
 * Temp           about n keys and n values (dmm_sort_temp_bytes)
 * Bank claim     merge, network, and every method under `guarantee`: `conflict-free`; radix
 *                otherwise: `measured`
 * Same result    all methods and both forms give the same output bit for bit. It depends on the
 *                input alone, not on device, parameters or timing; by `less`, if that is a strict
 *                weak order
 *
 * Details
 * Methods        auto     for `bits`: radix; in the CPU form, for max_n 0 or at least 2^12: radix;
 *                         in the GPU form where lanes exchange data (below), not under
 *                         `guarantee`, for max_n 0 or at least 2^(13 + bytes of a key),
 *                         2^(11 + bytes) with 32 units or more: radix, a rule from a simulated
 *                         GPU (docs/records/speed.md); for all else, and where radix is not
 *                         possible: merge. A tuning row (`from`) takes precedence.
 *                         dmm_sort_chosen returns it.
 *                merge    any order, `less` and DMM_ITEM too
 *                radix    any type but DMM_ITEM, no `less`; may sort by a range of the key's bits
 *                network  any order; a bitonic network: which places of memory are read and
 *                         written, and when, depends on n alone, not on keys or values. For data
 *                         that must not show in the trace of accesses; a `count` shows in it.
 *                         Values of 1, 2, 4 or 8 bytes. One pass to T items (T rounded down to a
 *                         power of two), two or more for each doubling beyond: slower than merge
 *                         (docs/networks.md)
 * Merge          n log2 n comparisons. T = u*E items (GPU form) or `tile` items (CPU form, which
 *                sorts those of a tile by digits if they are numbers with values)
 * Radix          GPU form: one read of the keys counts the digits of all passes; then a pass reads
 *                and writes each item once, 36 bytes in all for a 4-byte key. Groups of a pass
 *                find the counts of earlier tiles in a chain; a group that finds none after some
 *                reads counts an earlier tile itself, so no group waits for another one. Under
 *                `guarantee` a pass reads keys twice, 48 bytes. CPU form: a pass reads each key
 *                twice and each value once, and writes both once, 36 bytes. Of more than a tile
 *                and at most 16, each unit sorts a part, and parts are merged, in a launch for
 *                each doubling. It splits longer inputs by the top bits of the key first, and
 *                sorts the buckets in the cache: 20 bytes moved, if no bucket is larger than 8
 *                tiles; otherwise it sorts by all digits, and the split was wasted. A digit that
 *                all items share moves nothing. Tiles, parts and buckets of 32-bit keys alone are
 *                sorted by a quicksort in vectors, if the processor has AVX2.
 *                If the items end up in temp (odd number of passes in place; in the CPU form and
 *                under `guarantee` also a skipped digit), one extra copy moves them to the output.
 *                At most T items are sorted by one launch; more in the GPU form by two launches
 *                and one a pass (of at most 2^26 items). Temp also holds, for each digit value,
 *                some words per group, of which a device has a fixed number, and 8 bytes per tile
 *                of a launch (GPU form).
 * Bank claim     with search=plain the tile kernels that merge are `measured`. A `less` that is no
 *                strict weak order voids the claim. Radix: dmm_radix_digits, dmm_radix_starts,
 *                dmm_radix_pass and dmm_radix_alone are `measured`: they access words by digit.
 *                Under `guarantee` items move by a split, one bit at a time, and every kernel is
 *                `conflict-free`. Where lanes of a sub-group exchange data (sync_width of
 *                <dmm/device.h>), tiles are ranked by ballots, elsewhere in columns. The CPU form
 *                uses no local memory.
 * Any `less`     keeps every item once, with its value, whatever it answers (docs/proofs.md); two
 *                launches a pass find the splits, where other orders need one
 * Source         K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", PhD thesis, University
 *                of Hawai'i at Manoa, 2023, chapters 4.1.1 and 5; O. Green, R. McColl, D. Bader,
 *                "GPU Merge Path", ICS 2012, DOI 10.1145/2304576.2304621; D. Knuth, "The Art of
 *                Computer Programming" 3, 1998, section 5.2.5 (radix); S. Ashkiani, A. Davidson,
 *                U. Meyer, J. Owens, "GPU Multisplit", PPoPP 2016, DOI 10.1145/2851141.2851169
 *                (ballots); A. Adinets, D. Merrill, "Onesweep: A Faster Least Significant Digit
 *                Radix Sort for GPUs", 2022, arXiv 2206.01784, and T. Smith, R. Levien, J. Owens,
 *                "Decoupled Fallback: A Portable Single-Pass GPU Scan", SPAA 2025 (chained
 *                passes); M. Blacher, J. Giesen, P. Sanders, J. Wassenberg, "Vectorized and
 *                Performance-Portable Quicksort", 2022, DOI 10.1002/spe.3142 (parts of 32-bit keys
 *                alone, CPU form); K. Batcher, "Sorting Networks and their Applications", AFIPS
 *                1968, DOI 10.1145/1468075.1468121 (network)
 */

#ifdef __cplusplus
}
#endif

#endif
