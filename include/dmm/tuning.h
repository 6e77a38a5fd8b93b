/* SPDX-License-Identifier: MIT */
/*
 * Tuning files: parameters that were measured to be fast on a device. `dmm tune` writes them; they
 * may be edited. They change speed, never results.
 *
 * Where     the caller's (dmm_context_desc.tuning); else $DMM_TUNING; else dmm/tuning in
 *           $XDG_CONFIG_HOME, by default ~/.config (Windows: in %APPDATA%). An empty name: no
 *           file. The first of these that is set is read, once, in dmm_context_create
 * Installed *.tuning of share/dmm/tuning.d, where dmm was installed, or of $DMM_TUNING_FOLDER
 *           ("": none): such as `dmm tune --share` prints. Their facts and forms are left out
 * Strength  from strong to weak: a description's own tuning, dmm_context_desc.set, the
 *           file, the installed and the built-in rows, and a choice from the device's facts.
 *           Within a file: sections of the device, of its vendor, of any device; these of
 *           installed and built-in rows count together, and then installed rows win
 * Never     fatal: an invalid line is logged, as FILE:LINE, and skipped; so is a row that does not
 *           fit a description, and from then on a row with which a kernel does not build. Unknown
 *           keys are skipped, too
 *
 * Details
 *     dmm tuning 1                              the first line: format 1
 *     # a comment, also behind a line
 *     device  NAME                              begins a section for devices of this very name
 *     vendor  TEXT                              ... for devices whose vendor has this in its name
 *     any                                       ... for all
 *     driver  TEXT                              the driver then; if it differs, the log says so
 *     date    2026-11-21                        for readers, as are `rate`, `probe` and `note`
 *     form    cpu                               default form: gpu or cpu
 *     fact    banks=32 lanes=32                 banks, bank_bytes, lanes, local_bytes, max_group
 *     tune    sort.merge 8 u=128 E=16           a primitive, the bytes of its items, parameters
 *
 * A row applies to items of up to that many bytes (key and value together), unless a row of fewer
 * bytes applies; `*` is any number. A row with form=gpu or form=cpu applies to that form, others to
 * the device's default form. A row with lanes=N applies to devices with that many lanes. Rows apply
 * to the orders of <dmm/types.h>, not to a caller's `less`. Parameters:
 *     u, E, tile, search    as in dmm_tuning; search=plain is ignored under `guarantee`
 *     digit                 bits of a digit of radix and topk, 8 to 12 (CPU form)
 *     from                  sort: least n for which auto chooses radix; permute, shuffle: least n
 *                           whose items are scattered through tiles (CPU form). Or `never`
 * Primitives: sort, sort.merge, sort.radix, sort_segmented, merge, merge_many, topk (nth too),
 * scan (reduce too), search, unique, histogram, partition, permute, permutation_plan, transpose,
 * shuffle, hull.
 */
#ifndef DMM_TUNING_H
#define DMM_TUNING_H

#include <dmm/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row that applies to a context's device. */
typedef struct dmm_tuned {
    char word[20];
    uint32_t item_bytes; /* UINT32_MAX: any */
    char settings[128];  /* "u=128 E=16" */
    dmm_source source;   /* DMM_SOURCE_FILE, or DMM_SOURCE_TABLE: built in or installed */
    uint32_t line;       /* line of the file, or of the built-in text */
    uint32_t misfits;    /* number of descriptions so far that the row did not fit */
} dmm_tuned;

/* Returns the i-th row of a context, from 0: the file's in order, then built-in and installed ones.
 * DMM_NULL_ARGUMENT; DMM_BAD_VALUE past the last one. */
DMM_API dmm_status dmm_context_tuned(dmm_tuned *out, const dmm_context *ctx, size_t i);

/* Returns the file that was read; NULL: none. Valid as long as the context. */
DMM_API const char *dmm_context_tuning_file(const dmm_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
