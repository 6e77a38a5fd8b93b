# SPDX-License-Identifier: MIT
"""grey.py KERNEL.cl: counts the grey values of a picture, 64 of them, on the first OpenCL device."""
import os
import sys

import numpy
import pyopencl as cl

BINS, ITEMS, GROUPS = 64, 256, 4
SIDE = 128

x, y = numpy.meshgrid(numpy.arange(SIDE), numpy.arange(SIDE))
picture = ((x * x + y * y) // 160 % 256).astype(numpy.uint8)  # rings

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    program = cl.Program(context, '#line 1 "%s"\n%s' % (os.path.basename(path), file.read())).build()
flags = cl.mem_flags
pixels = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=picture)
counts = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=numpy.zeros(BINS, numpy.uint32))
program.histogram(queue, (GROUPS * ITEMS,), (ITEMS,), pixels, numpy.uint32(picture.size), counts)
result = numpy.empty(BINS, numpy.uint32)
cl.enqueue_copy(queue, result, counts)
print("right" if numpy.array_equal(result, numpy.bincount(picture.ravel() >> 2, minlength=BINS)) else "WRONG")
