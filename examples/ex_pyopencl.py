# SPDX-License-Identifier: MIT
"""ex_pyopencl.py [LIBDMM]: computes prefix sums of a PyOpenCL array with dmm, through ctypes.

dmm uses PyOpenCL's queue. Only events order its kernels and those before and after.
"""
import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_uint32, c_uint64, c_void_p

import numpy
import pyopencl
import pyopencl.array


class ContextDesc(Structure):
    """dmm_context_desc; `rest` covers the other fields, for which zero is the default."""
    _fields_ = [("context", c_void_p), ("device", c_void_p), ("rest", c_void_p * 16)]


class ScanDesc(Structure):
    """dmm_scan_desc; type 0 and op 0 select the sum of u32."""
    _fields_ = [("type", c_int), ("op", c_int), ("exclusive", c_int), ("max_n", c_uint64),
                ("tuning", c_uint32 * 5), ("reserved", c_uint64 * 4)]


class Span(Structure):
    """dmm_span: a place in a buffer."""
    _fields_ = [("buffer", c_void_p), ("offset_bytes", c_uint64)]


class ScanArgs(Structure):
    """dmm_scan_args."""
    _fields_ = [("in_", Span), ("out", Span), ("temp", Span), ("count", Span),
                ("reserved", c_uint64 * 4)]


dmm = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libdmm.so.0")
dmm.dmm_status_string.restype = c_char_p
dmm.dmm_context_create.argtypes = [POINTER(c_void_p), POINTER(ContextDesc)]
dmm.dmm_scan_create.argtypes = [POINTER(c_void_p), c_void_p, POINTER(ScanDesc)]
dmm.dmm_scan_enqueue.argtypes = [c_void_p, c_void_p, POINTER(ScanArgs), c_uint64,
                                 c_uint32, POINTER(c_void_p), POINTER(c_void_p)]
dmm.dmm_scan_free.argtypes = dmm.dmm_context_free.argtypes = [c_void_p]


def require(status):
    if status != 0:
        raise RuntimeError(dmm.dmm_status_string(status).decode())


def span(array):
    return Span(array.base_data.int_ptr, array.offset)


context = pyopencl.Context([pyopencl.get_platforms()[0].get_devices()[0]])
queue = pyopencl.CommandQueue(context)
numbers = pyopencl.array.arange(queue, 10000, dtype=numpy.uint32) + 1
sums = pyopencl.array.empty_like(numbers)

ours, scan = c_void_p(), c_void_p()
require(dmm.dmm_context_create(byref(ours), ContextDesc(context=context.int_ptr)))
require(dmm.dmm_scan_create(byref(scan), ours, ScanDesc()))

wait, done = [event.int_ptr for event in numbers.events], c_void_p()
require(dmm.dmm_scan_enqueue(scan, queue.int_ptr, ScanArgs(span(numbers), span(sums)), numbers.size,
                             len(wait), (c_void_p * len(wait))(*wait), byref(done)))
sums.add_event(pyopencl.Event.from_int_ptr(done.value, retain=False))

doubled = (2 * sums).get()
dmm.dmm_scan_free(scan)
dmm.dmm_context_free(ours)
print("the last sums, doubled:", *doubled[-3:])
sys.exit(not (doubled == 2 * numpy.cumsum(numbers.get())).all())
