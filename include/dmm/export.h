/* SPDX-License-Identifier: MIT */
/* DMM_API marks what the shared library exports; everything else is hidden. */
#ifndef DMM_EXPORT_H
#define DMM_EXPORT_H

#if defined(__GNUC__)
#define DMM_API __attribute__((visibility("default")))
#else
#define DMM_API
#endif

#endif
