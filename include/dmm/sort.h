/* SPDX-License-Identifier: MIT */
/*
 * Sorting, by conflict-free merging or by radix. All methods give the same output bit for bit, in
 * either form.
 *
 * Stable         merge, matrix, shear: always, where it can be observed: with values, with `less`,
 *                with zero_equal; radix: always
 * In place       yes (keys_out equal to keys_in), and out of place with the input untouched
 * Methods        auto     in the CPU form, for max_n 0 or at least 2^12: radix; for `bits`: radix;
 *                         for all else, always under `guarantee` and where radix is not possible:
 *                         merge. Settled in dmm_sort_create; host/primitives/sort.c has the
 *                         measurements.
 *                merge    any order, `less` and DMM_ITEM too
 *                radix    any type but DMM_ITEM, no `less`; may sort by a range of the key's bits
 *                matrix   any order. Tiles are sorted as a matrix, a row a bank, by the phases of
 *                         Afshani and Sitchinava, which do not depend on the keys. Their bounds on
 *                         steps do not hold here: u/w work-items sort a row by Batcher's network,
 *                         not one in O(m log m) (docs/matrix.md). The passes are those of merge.
 *                         Slower than merge wherever measured, so that auto never takes it. It has the GPU form alone, on CPUs too, whatever
 *                         settings say; u*E is a power of two
 *                shear    the same by shearsort (Sitchinava, Weichert), the baseline of matrix
 * Cost           merge    n log2 n comparisons; 1 + ceil(log2(n / T)) passes that read and write
 *                         each item once, T = u*E items a tile (GPU form) or `tile` items (CPU
 *                         form)
 *                radix    a pass for each digit of at most 8 bits (GPU form) or 11 bits (CPU form)
 *                         reads each key twice and each value once, and writes both once: 48 bytes
 *                         moved for a 4-byte key (GPU form), 36 (CPU form). The CPU form first
 *                         divides more than a tile of items by the top bits of the key, and sorts
 *                         the parts in the cache: 20 bytes moved, if no part turns out larger than
 *                         8 tiles; else all digits follow, and that count was in vain. A digit
 *                         that all items share moves nothing: its pass reads the keys once. Where
 *                         the passes that move leave the items in temp (an odd number of them in
 *                         place, or any that a skipped digit turned round), one copy brings them
 *                         home. At most T items are sorted by one launch.
 * Bank claim     methods merge, matrix and shear: every kernel `conflict-free` or without local
 *                memory, by a `less` if it is a strict weak order (with search=cf, the default;
 *                with search=plain the tile kernels that merge are `measured`). Method
 *                radix: `conflict-free` but for the exchange by rank inside a tile, which is
 *                `measured`, so that dmm_radix_scatter and dmm_radix_alone are `measured`; under
 *                `guarantee` a split, one bit at a time, takes its place, and every kernel is
 *                `conflict-free`. The CPU form uses no local memory.
 * Temp           about n keys and n values; radix: and some hundred bytes a digit value and group,
 *                of which there are a fixed number a device (see dmm_sort_temp_bytes)
 * Determinism    the result depends on the input alone, not on device, method, parameters or timing
 * Source         K. Berney, "Parallel Cache-Efficient Algorithms on GPUs", PhD thesis, University
 *                of Hawai'i at Manoa, 2023, chapters 4.1.1 and 5; O. Green, R. McColl, D. Bader,
 *                "GPU Merge Path", ICS 2012, DOI 10.1145/2304576.2304621; D. Knuth, "The Art of
 *                Computer Programming" 3, 1998, section 5.2.5 (radix); P. Afshani, N. Sitchinava,
 *                "Sorting and Permuting without Bank Conflicts on GPUs", ESA 2015, DOI
 *                10.1007/978-3-662-48350-3_2, section 2 (matrix); N. Sitchinava, V. Weichert,
 *                "Provably Efficient GPU Algorithms", 2013, arXiv 1306.5076 (shear)
 */
#ifndef DMM_SORT_H
#define DMM_SORT_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_sort_method {
    DMM_SORT_AUTO = 0,
    DMM_SORT_MERGE = 1,
    DMM_SORT_RADIX = 2,
    DMM_SORT_MATRIX = 3,
    DMM_SORT_SHEAR = 4
} dmm_sort_method;

/* The bits begin .. end - 1 of a key, bit 0 the lowest: keys are ordered by the number that these
 * make (the sign bit of a signed type counts as the number's highest), ties keep their input order.
 * 0, 0: all bits; begin = end > 0: none, every item ties. Integer types only, and by method auto
 * or radix. */
typedef struct dmm_bits {
    uint32_t begin, end;
} dmm_bits;

typedef struct dmm_sort_desc {
    dmm_order order;      /* key type and order */
    uint32_t value_bytes; /* a value that moves with each key: 1 to 256 bytes; 0: keys alone */
    int argsort;          /* the values are not read: value i is the index i; value_bytes 4 or 8 */
    dmm_choice stable;    /* default: yes. DMM_NO permits, but does not force, another tie order */
    dmm_sort_method method;
    dmm_bits bits;  /* sort by these bits alone */
    int guarantee;  /* conflict-free kernels only: refuses search=plain; radix moves by split */
    uint64_t max_n; /* the most items of a call; 0: as many as the device can hold */
    dmm_tuning tuning;
} dmm_sort_desc;

#define DMM_SORT_DESC_INIT                                                        \
    {                                                                             \
        {DMM_U32, 0, 0, 0, 0, 0}, 0, 0, DMM_DEFAULT, DMM_SORT_AUTO, {0, 0}, 0, 0, \
        {                                                                         \
            DMM_FORM_DEFAULT, 0, 0, 0, DMM_SEARCH_DEFAULT                         \
        }                                                                         \
    }

/*
 * Spans hold n items each. keys_out (values_out) is either equal to keys_in (values_in) or apart
 * from it; every other overlap is DMM_OVERLAP, sub-buffers of the same bytes too. Outputs are read
 * as well: their buffers are not CL_MEM_WRITE_ONLY.
 * temp    see dmm_sort_temp_bytes; none: allocated for the call
 * count   where the number of items stands, one u64, if only the device knows it: n is then the
 *         most that it may be, and counts where it is more. The items behind them are neither read
 *         nor written. None: n items
 */
typedef struct dmm_sort_args {
    dmm_span keys_in;
    dmm_span values_in; /* none for keys alone and for argsort */
    dmm_span keys_out;
    dmm_span values_out;
    dmm_span temp;
    dmm_span count;
} dmm_sort_args;

/* Built for one context and one description; for one thread at a time. It owns kernels, no device
 * memory: executions in flight may overlap when their temps differ, and it may be freed before they
 * have finished. */
typedef struct dmm_sort dmm_sort;

/*
 * Builds every kernel. Errors: DMM_NULL_ARGUMENT; DMM_BAD_VALUE (a field outside its range);
 * DMM_BAD_PARAMETERS (u, E, tile do not fit the device); DMM_UNSUPPORTED (`less` on f64 keys where
 * the device has no double; guarantee with search=plain, but for method radix; method radix with
 * `less`; method matrix or shear with form=cpu in the description; bits of floats, of `less` or of
 * any method but auto and radix); DMM_BUILD_FAILED (see the context's log); DMM_OUT_OF_MEMORY;
 * OpenCL's. On failure *out is NULL.
 */
DMM_API dmm_status dmm_sort_create(dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc);

/* Bytes of temp that a call with n items needs; monotone in n. DMM_TOO_LARGE beyond max_n. */
DMM_API dmm_status dmm_sort_temp_bytes(uint64_t *out, const dmm_sort *sort, uint64_t n);

/*
 * Sorts n items: enqueues on `queue` (of the context's device; in or out of order) behind the
 * events of the wait list and returns at once. *event, if wanted, is the caller's to release. n = 0
 * still waits and signals. Errors, all found before anything is enqueued: DMM_NULL_ARGUMENT,
 * DMM_WRONG_QUEUE, DMM_TOO_LARGE, DMM_MISALIGNED, DMM_SPAN_TOO_SMALL, DMM_OVERLAP,
 * DMM_TEMP_TOO_SMALL. If OpenCL refuses a step later, what was enqueued has finished on return,
 * *event is NULL and the output spans are undefined.
 */
DMM_API dmm_status dmm_sort_enqueue(dmm_sort *sort, cl_command_queue queue,
    const dmm_sort_args *args, uint64_t n, cl_uint num_wait, const cl_event *wait, cl_event *event);

/* NULL is fine. */
DMM_API void dmm_sort_free(dmm_sort *sort);

/* Sorts host arrays in place and blocks. values is NULL for keys alone; for argsort it receives the
 * indices. Errors as above. */
DMM_API dmm_status dmm_sort_host(
    dmm_context *ctx, const dmm_sort_desc *desc, void *keys, void *values, size_t n);

#ifdef __cplusplus
}
#endif

#endif
