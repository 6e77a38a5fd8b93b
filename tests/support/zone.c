/* SPDX-License-Identifier: MIT */
/* Filling, reading and checking guarded buffers. */
#include "support/zone.h"

#include <stdlib.h>
#include <string.h>

#include "support/items.h"
#include "support/require.h"

enum { GUARD_AFTER_BYTES = 1024 };

/* Differs between neighbours, so that a copy of guard bytes by one item shows. */
static unsigned char guard_byte(uint64_t i)
{
    return (unsigned char)(0xa5 ^ (i * 29));
}

zone zone_create(const rig *r, const void *from, uint64_t bytes, uint64_t offset_bytes)
{
    cl_int failed = CL_SUCCESS;
    const uint64_t after = sizes_wanted() == SIZES_SMALL ? 0 : GUARD_AFTER_BYTES;
    zone z = {NULL, offset_bytes, bytes, offset_bytes + bytes + after};
    z.total_bytes = z.total_bytes != 0 ? z.total_bytes : 1;
    unsigned char *const image = allocate(z.total_bytes);
    for (uint64_t i = 0; i < z.total_bytes; i++)
        image[i] = guard_byte(i);
    if (from != NULL && bytes != 0)
        memcpy(image + offset_bytes, from, (size_t)bytes);
    z.buffer = clCreateBuffer(
        r->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, (size_t)z.total_bytes, image, &failed);
    free(image);
    REQUIRE_OK(failed);
    return z;
}

void zone_free(zone *z)
{
    if (z->buffer != NULL)
        clReleaseMemObject(z->buffer);
    *z = (zone){0};
}

dmm_span zone_span(const zone *z)
{
    return (dmm_span){z->buffer, z->offset_bytes};
}

/* Oclgrind 21.10 takes some bytes for uninitialised that a host write into a part of a buffer has
 * set, so a simulator copies from a buffer of its own. */
static void write_by_copy(const rig *r, const zone *z, const void *from)
{
    cl_int failed = CL_SUCCESS;
    const size_t bytes = (size_t)z->bytes;
    unsigned char *const image = allocate(bytes);
    memcpy(image, from, bytes);
    const cl_mem copied =
        clCreateBuffer(r->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, image, &failed);
    free(image);
    REQUIRE_OK(failed);
    REQUIRE_OK(clEnqueueCopyBuffer(
        r->queue, copied, z->buffer, 0, (size_t)z->offset_bytes, bytes, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue));
    REQUIRE_OK(clReleaseMemObject(copied));
}

void zone_write(const rig *r, const zone *z, const void *from)
{
    if (z->bytes == 0)
        return;
    if (sizes_wanted() == SIZES_SMALL) {
        write_by_copy(r, z, from);
        return;
    }
    REQUIRE_OK(clEnqueueWriteBuffer(r->queue, z->buffer, CL_TRUE, (size_t)z->offset_bytes,
        (size_t)z->bytes, from, 0, NULL, NULL));
    REQUIRE_OK(clFinish(r->queue)); /* other queues see it */
}

void zone_read(const rig *r, const zone *z, void *to)
{
    if (z->bytes != 0)
        REQUIRE_OK(clEnqueueReadBuffer(r->queue, z->buffer, CL_TRUE, (size_t)z->offset_bytes,
            (size_t)z->bytes, to, 0, NULL, NULL));
}

static unsigned char *read_all(const rig *r, const zone *z)
{
    unsigned char *const image = allocate(z->total_bytes);
    REQUIRE_OK(clEnqueueReadBuffer(
        r->queue, z->buffer, CL_TRUE, 0, (size_t)z->total_bytes, image, 0, NULL, NULL));
    return image;
}

static int guards_hold(const unsigned char *image, uint64_t first, uint64_t end)
{
    for (uint64_t i = first; i < end; i++)
        if (image[i] != guard_byte(i))
            return 0;
    return 1;
}

int zone_intact(const rig *r, const zone *z)
{
    unsigned char *const image = read_all(r, z);
    const int intact = guards_hold(image, 0, z->offset_bytes) &&
                       guards_hold(image, z->offset_bytes + z->bytes, z->total_bytes);
    free(image);
    return intact;
}

int zone_holds(const rig *r, const zone *z, const void *expected)
{
    unsigned char *const image = read_all(r, z);
    const int holds = guards_hold(image, 0, z->offset_bytes) &&
                      guards_hold(image, z->offset_bytes + z->bytes, z->total_bytes) &&
                      memcmp(image + z->offset_bytes, expected, (size_t)z->bytes) == 0;
    free(image);
    return holds;
}

int zone_untouched(const rig *r, const zone *z)
{
    unsigned char *const image = read_all(r, z);
    const int untouched = guards_hold(image, 0, z->total_bytes);
    free(image);
    return untouched;
}

int zone_kept(const rig *r, const zone *z, uint64_t first)
{
    unsigned char *const image = read_all(r, z);
    const int kept = guards_hold(image, 0, z->offset_bytes) &&
                     guards_hold(image, z->offset_bytes + first, z->total_bytes);
    free(image);
    return kept;
}
