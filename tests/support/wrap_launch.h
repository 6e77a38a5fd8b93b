/* SPDX-License-Identifier: MIT */
/*
 * For programs that define the clEnqueueNDRangeKernel of the library that they test, linked with
 * --wrap.
 */
#ifndef DMM_TESTS_WRAP_LAUNCH_H
#define DMM_TESTS_WRAP_LAUNCH_H

#include <dmm/types.h>

#define LAUNCH_PARAMETERS                                                                  \
    cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,    \
        const size_t *global, const size_t *local, cl_uint num_wait, const cl_event *wait, \
        cl_event *event

/* OpenCL's. */
cl_int __real_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS);
/* The program's, which the library calls. */
cl_int __wrap_clEnqueueNDRangeKernel(LAUNCH_PARAMETERS);

#endif
