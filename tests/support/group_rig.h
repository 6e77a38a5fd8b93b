/* SPDX-License-Identifier: MIT */
/*
 * Runs collectives of <dmm/group.h> in a kernel of a test: two instances in one program, for groups
 * of several shapes.
 */
#ifndef DMM_TESTS_GROUP_RIG_H
#define DMM_TESTS_GROUP_RIG_H

#include "support/require.h"

#include <dmm/group.h>

#include <stdio.h>

#include "support/rig.h"

enum { MOST = 1024 };

/* The groups that are tested: u, E and banks. */
typedef struct shape {
    uint32_t u, E, banks;
} shape;
static const shape shapes[] = {{16, 4, 16}, {32, 7, 8}, {64, 8, 32}, {32, 6, 4}, {64, 15, 64},
    {128, 8, 128}, {32, 1, 32}, {8, 32, 4}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* Returns an instance's text, to be freed. */
static inline char *source_of(const dmm_group_desc *desc, shape s)
{
    char *text = NULL;
    dmm_group_desc with = *desc;
    with.u = s.u;
    with.E = s.E;
    with.banks = s.banks;
    REQUIRE_STATUS(dmm_group_source(&text, &with), DMM_OK);
    return text;
}

/* Builds the kernel f of two instances and a text in which U, E and T are a shape's. */
static inline cl_kernel build(const rig *r, const char *a, const char *b, const char *text, shape s)
{
    /* Oclgrind's tests define DMM_CALLS (cl/workarounds.clh); texts have it by their names. */
    static const char calls[] = "#ifdef DMM_CALLS\n#define A_CALLS\n#define B_CALLS\n#endif\n";
    static char all[1 << 18];
    REQUIRE(
        (size_t)snprintf(all, sizeof all, "%s%s%s#define U %u\n#define E %u\n#define T (U * E)\n%s",
            calls, a, b, (unsigned)s.u, (unsigned)s.E, text) < sizeof all);
    return rig_kernel(r, "", all);
}

/* Runs f(in, out, n) in one group; in and out have `bytes`. */
static inline void run(
    const rig *r, cl_kernel f, const void *in, void *out, size_t bytes, uint32_t n, shape s)
{
    cl_int status = CL_SUCCESS;
    const size_t u = s.u;
    cl_mem from =
        clCreateBuffer(r->cl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, (void *)in, &status);
    cl_mem to =
        clCreateBuffer(r->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, out, &status);
    REQUIRE(from != NULL && to != NULL);
    REQUIRE(clSetKernelArg(f, 0, sizeof from, &from) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(f, 1, sizeof to, &to) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(f, 2, sizeof n, &n) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(r->queue, f, 1, NULL, &u, &u, 0, NULL, NULL) == CL_SUCCESS);
    REQUIRE(clEnqueueReadBuffer(r->queue, to, CL_TRUE, 0, bytes, out, 0, NULL, NULL) == CL_SUCCESS);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

#endif
