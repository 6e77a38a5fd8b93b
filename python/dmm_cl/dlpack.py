# SPDX-License-Identifier: MIT
"""Arrays of other libraries in OpenCL memory, which they offer by DLPack (device 4, kDLOpenCL)."""
import ctypes
import weakref
from ctypes import POINTER, Structure, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p
from typing import Any, List

import numpy as np

_OPENCL = 4
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}  # DLDataTypeCode of signed, unsigned, float, bool


class _Tensor(Structure):
    """DLTensor of dlpack.h, which opens DLManagedTensor."""
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
                ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)),
                ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


_address = ctypes.pythonapi.PyCapsule_GetPointer
_address.restype, _address.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _dtype(tensor: _Tensor) -> Any:
    """Returns the dtype of the items."""
    if tensor.code not in _KINDS or tensor.lanes != 1 or tensor.bits not in (8, 16, 32, 64):
        raise TypeError("dmm_cl.from_dlpack: items of DLPack's type %d, %d bits, %d lanes, are not offered: convert them "
                        "to bool, an integer or a float" % (tensor.code, tensor.bits, tensor.lanes))
    return np.dtype("%s%d" % (_KINDS[tensor.code], tensor.bits // 8))


def _is_contiguous(shape: List[int], strides: Any) -> bool:
    """True if strides, counted in items, are those of C's order; NULL: they are."""
    step = 1
    for place in reversed(range(len(shape) if strides else 0)):
        if shape[place] > 1 and strides[place] != step:
            return False
        step *= shape[place]
    return True


def from_dlpack(x: Any, /, queue: Any) -> Any:
    """Returns an array of pyopencl on the memory of an array that another library has in OpenCL memory; no copy.

    x       offers DLPack of device 4 (OpenCL), C-contiguous, its pointer a cl_mem, as dlpack.h says; else a TypeError
    queue   a pyopencl.CommandQueue of the memory's OpenCL context, as DLPack names none. Whatever writes the array has
            finished, or is before it on this queue
    The array keeps `x`; a part of it ([10:]) does not.
    """
    import pyopencl as cl
    import pyopencl.array
    if not hasattr(x, "__dlpack__") or x.__dlpack_device__()[0] != _OPENCL:
        raise TypeError("dmm_cl.from_dlpack: %s offers no array in OpenCL memory" % type(x).__name__)
    capsule = x.__dlpack__()
    tensor = _Tensor.from_address(_address(capsule, b"dltensor"))
    dtype, shape = _dtype(tensor), tensor.shape[:tensor.ndim] if tensor.ndim else []
    if not _is_contiguous(shape, tensor.strides):
        raise TypeError("dmm_cl.from_dlpack: the array must be C-contiguous: pass a copy")
    if 0 in shape:
        return cl.array.empty(queue, tuple(shape), dtype)
    memory = cl.MemoryObject.from_int_ptr(tensor.data, retain=True)
    if memory.get_info(cl.mem_info.CONTEXT) != queue.context:
        raise TypeError("dmm_cl.from_dlpack: the array is of another OpenCL context than the queue")
    end = tensor.byte_offset + dtype.itemsize * int(np.prod(shape, dtype=np.int64))
    if end > memory.size:
        raise ValueError("dmm_cl.from_dlpack: the array ends at byte %d of a buffer of %d" % (end, memory.size))
    array = cl.array.Array(queue, tuple(shape), dtype, data=memory, offset=tensor.byte_offset)
    weakref.finalize(array, _release, capsule).atexit = False
    return array


def _release(_capsule: Any) -> None:
    """Forgets a capsule, whose own destructor then releases the array in it."""
