/* SPDX-License-Identifier: MIT */
/*
 * Contexts and programs of the tests of faults. These tests create the same objects hundreds of
 * times, and the driver takes 40 ms to build even a program that is in its cache, and more in a new
 * context. Here the driver makes each of them once per process. The library's calls stay the same.
 */
#ifndef DMM_TESTS_BUILT_H
#define DMM_TESTS_BUILT_H

#include <CL/cl.h>

/* Returns the context of this device: the first call creates it, later calls retain it. */
cl_context built_context(
    const cl_context_properties *properties, cl_device_id device, cl_int *status);

/* Builds a program, or lets an earlier one of the same source and options stand for it. */
cl_int built_program(
    cl_program program, cl_uint n, const cl_device_id *devices, const char *options);
/* Returns the program that stands for this one: itself, if it was built. */
cl_program built_of(cl_program program);
/* Call before a program is released. */
void built_forget(cl_program program);

#endif
