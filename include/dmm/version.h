/* SPDX-License-Identifier: MIT */
/* The version of these headers. The build reads it from here, the only place where it is
 * written. */
#ifndef DMM_VERSION_H
#define DMM_VERSION_H

#define DMM_VERSION_MAJOR 0
#define DMM_VERSION_MINOR 1
#define DMM_VERSION_PATCH 0
#define DMM_VERSION       "0.1.0"

#endif
