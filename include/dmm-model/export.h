/* SPDX-License-Identifier: MIT */
/* DMM_MODEL_API marks what the shared library libdmm-model exports; everything else is hidden. */
#ifndef DMM_MODEL_EXPORT_H
#define DMM_MODEL_EXPORT_H

#if defined(__GNUC__)
#define DMM_MODEL_API __attribute__((visibility("default")))
#else
#define DMM_MODEL_API
#endif

#endif
