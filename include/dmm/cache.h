/* SPDX-License-Identifier: MIT */
/*
 * A folder of compiled programs, which a context uses if its description names one: later processes
 * then load what the first one built. Any number of processes of one user may share a folder.
 *
 * What is kept   one file a program, NAME.dmm: the compiled program after its full description
 *                (this library's version, the platform, device and driver, the build options and
 *                the sources). A file that is truncated, modified or for something else is never
 *                passed to the driver: the program is rebuilt, and the file replaced.
 * Trust          a program is read only from a regular file that belongs to this user or to root
 *                and that neither group nor others may write; symbolic links are not followed. Any
 *                other file is skipped with a line in the log. The checksum detects accidents, not
 *                forgeries. A keyed hash would add nothing: who can write such a file can read the
 *                key, too. Who may write the folder can delete programs, but not supply one. On
 *                Windows a file's owner, and all whom its access list lets write, must be this
 *                user, administrators or the system; what the cache makes lets no others in
 * Size           at most 256 MiB: the least recently used programs are removed first
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

/* Returns the number of programs in a folder, and their bytes; 0 for a folder that does not exist.
 * DMM_NULL_ARGUMENT, DMM_BAD_VALUE (it cannot be read). */
DMM_API dmm_status dmm_cache_usage(const char *folder, uint64_t *programs, uint64_t *bytes);
/* Removes the programs, those that a writer has not finished, and nothing else. Errors as above;
 * DMM_BAD_FILE: some could not be removed. */
DMM_API dmm_status dmm_cache_clear(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
