/* SPDX-License-Identifier: MIT */
/*
 * A folder of compiled programs, which a context uses if its description names one: later processes
 * then load what the first one built. Any number of processes of one user may share a folder.
 *
 * What is kept   one file a program, NAME.dmm: the compiled program behind its full description
 *                (this library's version, the platform, device and driver, the build options and
 *                the sources). A file that is cut, changed or of something else is never given to
 *                the driver: the program is built anew, and the file replaced.
 * Trust          a program is read only from a regular file that belongs to this user or to root
 *                and that neither group nor others may write; symbolic links are not followed. Any
 *                other file is left out with a line in the log. The checksum finds accidents, not
 *                forgeries. A keyed hash would add nothing: who can write such a file can read the
 *                key, too. Who may write the folder can delete programs, but not supply one.
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
/* Removes them, and nothing else. Errors as above; DMM_BAD_FILE: some could not be removed. */
DMM_API dmm_status dmm_cache_clear(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
