/* SPDX-License-Identifier: MIT */
/*
 * Included before each file that clang compiles as for Microsoft's compiler. The headers of the C
 * library and of Windows are those of mingw-w64, which need GNU's compiler; dmm's files then see
 * Microsoft's. Names that Microsoft's library lacks are errors.
 */
#define __GNUC__       4
#define __GNUC_MINOR__ 2
#define NO_OLDNAMES    /* tell, eof, ...: names that files of dmm have, too */
#define _CRT_RAND_S
#include <_mingw.h>
#undef __MINGW_IMPORT
#define __MINGW_IMPORT extern __declspec(dllimport)

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#undef WIN32_LEAN_AND_MEAN

#include <aclapi.h>
#include <io.h>
#include <process.h>
#include <sddl.h>
#include <sys/stat.h>
#undef __GNUC__
#undef __GNUC_MINOR__

/* From <windows.h>, which few files include. */
#undef near
#undef far
#undef NEAR
#undef FAR

#undef strcasecmp
#undef strncasecmp
#pragma GCC poison ssize_t strcasecmp strncasecmp strndup strtok_r clock_gettime setenv usleep
#pragma GCC poison typeof __int128 __builtin_clz __builtin_ctz __builtin_popcount
