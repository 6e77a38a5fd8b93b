/* SPDX-License-Identifier: MIT */
/* DMM_MPI_API marks what the shared library libdmm-mpi exports; everything else is hidden. */
#ifndef DMM_MPI_EXPORT_H
#define DMM_MPI_EXPORT_H

#if defined(__GNUC__)
#define DMM_MPI_API __attribute__((visibility("default")))
#else
#define DMM_MPI_API
#endif

#endif
