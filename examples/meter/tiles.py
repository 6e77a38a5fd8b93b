# SPDX-License-Identifier: MIT
"""tiles.py KERNEL.cl: transposes a matrix on the first OpenCL device."""
import os
import sys

import numpy
import pyopencl as cl

WIDTH, HEIGHT = 128, 96

matrix = numpy.arange(WIDTH * HEIGHT, dtype=numpy.float32).reshape(HEIGHT, WIDTH)
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    program = cl.Program(context, '#line 1 "%s"\n%s' % (os.path.basename(path), file.read())).build()
flags = cl.mem_flags
before = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=matrix)
after = cl.Buffer(context, flags.WRITE_ONLY, matrix.nbytes)
program.transpose(queue, (WIDTH, HEIGHT // 4), (32, 8), before, after, numpy.int32(WIDTH), numpy.int32(HEIGHT))
result = numpy.empty((WIDTH, HEIGHT), numpy.float32)
cl.enqueue_copy(queue, result, after)
print("right" if numpy.array_equal(result, matrix.T) else "WRONG")
