# SPDX-License-Identifier: MIT
"""total.py KERNEL.cl: adds up numbers by work-groups, on the first OpenCL device."""
import os
import sys

import numpy
import pyopencl as cl

ITEMS, GROUPS = 256, 4
numbers = numpy.arange(ITEMS * GROUPS, dtype=numpy.uint32) * 7

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    program = cl.Program(context, '#line 1 "%s"\n%s' % (os.path.basename(path), file.read())).build()
flags = cl.mem_flags
terms = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=numbers)
sums = cl.Buffer(context, flags.WRITE_ONLY, GROUPS * 4)
program.total(queue, numbers.shape, (ITEMS,), terms, sums)
result = numpy.empty(GROUPS, numpy.uint32)
cl.enqueue_copy(queue, result, sums)
print("right" if result.sum() == numbers.sum() else "WRONG")
