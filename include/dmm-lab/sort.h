/* SPDX-License-Identifier: MIT */
/*
 * Sorts by methods for study. A sort that is created here is used and freed as any dmm_sort:
 *
 *     dmm_sort *sort = NULL;
 *     dmm_sort_desc desc = {.order = {.type = DMM_U32}};
 *     dmm_status status = dmm_lab_sort_create(&sort, ctx, &desc, DMM_LAB_SORT_MATRIX);
 *     ... dmm_sort_temp_bytes, dmm_sort_enqueue, dmm_sort_free ...
 *
 * The result is that of <dmm/sort.h>, bit for bit. No method was faster than merge wherever
 * measured. Details and sources are at the end of this file.
 */
#ifndef DMM_LAB_SORT_H
#define DMM_LAB_SORT_H

#include <dmm/sort.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dmm_lab_sort_method {
    DMM_LAB_SORT_MATRIX = 1,
    DMM_LAB_SORT_SHEAR = 2,
    DMM_LAB_SORT_QUICK = 3,
    DMM_LAB_SORT_GATHER = 4
} dmm_lab_sort_method;

/*
 * Creates a sort as dmm_sort_create, by this method; the description's method is DMM_SORT_AUTO.
 * dmm_sort_chosen returns DMM_SORT_AUTO for it. Errors: those of dmm_sort_create; DMM_BAD_VALUE
 * (another method in the description, or no method of this list); DMM_UNSUPPORTED (bits; matrix,
 * shear or gather with form=cpu in the description; gather with `less` or guarantee). On failure
 * *out is NULL.
 */
DMM_API dmm_status dmm_lab_sort_create(
    dmm_sort **out, dmm_context *ctx, const dmm_sort_desc *desc, dmm_lab_sort_method method);

/* Sorts host arrays in place and blocks, as dmm_sort_host. Errors as above. */
DMM_API dmm_status dmm_lab_sort_host(dmm_context *ctx, const dmm_sort_desc *desc,
    dmm_lab_sort_method method, void *keys, void *values, size_t n);

/*
 * Details
 * Methods        matrix   any order; GPU form only. Tiles are sorted as a matrix, a row per bank,
 *                         by the phases of Afshani and Sitchinava, which do not depend on the keys.
 *                         Their bounds on steps do not hold here: u/w work-items sort a row by
 *                         Batcher's network, not one in O(m log m), and Lemma 2 is not built
 *                         (docs/matrix.md). u*E is a power of two. The passes are those of merge.
 *                shear    the same by shearsort (Sitchinava, Weichert), the baseline of matrix
 *                quick    any order that splitters of <dmm/partition.h> may have; quicksort with up
 *                         to 255 pivots at once (CPU form: 63), which are items at equal distances
 *                         in a sorted sample: a partition by them, then a dmm_sort_segmented of the
 *                         buckets. Items past a `count` are read, and written back as they were.
 *                         Temp holds that of both. No faster than merge on a CPU (docs/lists.md),
 *                         untimed on a GPU
 *                gather   orders without `less`; GPU form only. CF-Merge as its source has it: a
 *                         work-item searches for its items on the merge path and gathers them in E
 *                         reads, where method merge of dmm_sort searches blocks and reads 3E words.
 *                         Any E. Tiles and passes are those of merge
 * Bank claim     gather: `measured`, since its search conflicts; its reads and stores do not;
 *                matrix, shear, and quick under `guarantee`: `conflict-free`; quick otherwise:
 *                `measured`
 * Source         P. Afshani, N. Sitchinava, "Sorting and Permuting without Bank Conflicts on GPUs",
 *                ESA 2015, DOI 10.1007/978-3-662-48350-3_2, section 2 (matrix); N. Sitchinava, V.
 *                Weichert, "Provably Efficient GPU Algorithms", 2013, arXiv 1306.5076 (shear); T.
 *                Jurkiewicz, "Toward Better Computation Models for Modern Machines", PhD thesis,
 *                Saarland University, 2013, chapter 4, algorithm 8 (quick); K. Berney, "Parallel
 *                Cache-Efficient Algorithms on GPUs", PhD thesis, University of Hawai'i at Manoa,
 *                2023, section 5.2, algorithm 2 (gather)
 */

#ifdef __cplusplus
}
#endif

#endif
