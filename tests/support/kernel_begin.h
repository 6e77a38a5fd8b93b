/* SPDX-License-Identifier: MIT */
/*
 * Begins the includes of kernel files as C11, which `#pragma GCC diagnostic pop` ends. No guard:
 * kernels are not written for these warnings, and C compilers ignore how loops are to be unrolled.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wparentheses"
