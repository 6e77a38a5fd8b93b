/* SPDX-License-Identifier: MIT */
/*
 * A folder of compiled programs, which a context uses if its description names one: later processes
 * then load what the first one built. Any number of processes may share a folder.
 *
 * What is kept   one file a program, NAME.dmm: the compiled program behind its full description (this
 *                library's version, the platform, device and driver, the build options and the
 *                sources). A file that is cut, changed or of something else is never given to the
 *                driver: the program is built anew, and the file replaced.
 * Size           at most 256 MiB: what was not used for longest goes first
 * Failures       a folder that cannot be read or written costs time, never a result; the context's
 *                log says what happened
 */
#ifndef DMM_CACHE_H
#define DMM_CACHE_H

#include <stdint.h>

#include <dmm/export.h>
#include <dmm/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many programs a folder keeps, and in how many bytes. A folder that does not exist keeps none.
 * DMM_NULL_ARGUMENT, DMM_BAD_VALUE (it cannot be read). */
DMM_API dmm_status dmm_cache_usage(const char *folder, uint64_t *programs, uint64_t *bytes);
/* Removes them, and nothing else. Errors as above. */
DMM_API dmm_status dmm_cache_clear(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
