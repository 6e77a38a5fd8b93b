# SPDX-License-Identifier: MIT
"""What functions.py needs of an array: arrays in host memory (Host) and arrays of pyopencl (Device)."""
import sys
from ctypes import Structure, byref, c_void_p, cast, pointer
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import c, objects
from .context import context_of, default_context

# DLPack's devices whose memory the host can use: CPU, pinned memory of CUDA and of ROCm, managed memory of CUDA.
_HOST_MEMORY = (1, 3, 11, 13)

TYPES = {"b1": c.DMM_U8, "u1": c.DMM_U8, "u2": c.DMM_U16, "u4": c.DMM_U32, "u8": c.DMM_U64, "i1": c.DMM_I8,
         "i2": c.DMM_I16, "i4": c.DMM_I32, "i8": c.DMM_I64, "f2": c.DMM_F16, "f4": c.DMM_F32, "f8": c.DMM_F64}


def type_of(name: str, dtype: Any) -> int:
    """Returns the dmm_type of a dtype, or raises TypeError for the function `name`."""
    found = TYPES.get("%s%d" % (dtype.kind, dtype.itemsize))
    if found is None:
        raise TypeError("%s: items of type %s are not offered: convert them to bool, an integer, float16, float32 or "
                        "float64" % (name, dtype))
    return found


def order(name: str, dtype: Any, descending: bool = False, zero_equal: bool = True) -> "c.dmm_order":
    """Returns the dmm_order of a dtype; floats: -0 ties with +0, as in numpy."""
    return c.dmm_order(type=type_of(name, dtype), descending=bool(descending),
                       zero_equal=zero_equal and dtype.kind == "f")


def halves() -> Dict[str, Any]:
    """Returns the fields of a description that reads float16 as float32."""
    return dict(type=c.DMM_F32, map=dict(item=dict(type=c.DMM_F16), expression="dmm_from_half(item)"))


def is_device(array: Any) -> bool:
    """True if the array is one of pyopencl."""
    pyopencl_array = sys.modules.get("pyopencl.array")
    return pyopencl_array is not None and isinstance(array, pyopencl_array.Array)


def refuse_masks(name: str, value: Any) -> None:
    """Raises TypeError for a masked array, whose mask would be lost."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError("%s: a masked array is not offered: pass .compressed() or .filled()" % name)


def to_numpy(name: str, value: Any) -> np.ndarray:
    """Returns a value as an array of numpy, without a copy if it can: arrays, buffers, DLPack, lists."""
    refuse_masks(name, value)
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        if value.__dlpack_device__()[0] not in _HOST_MEMORY:
            raise TypeError("%s: the array is not in host memory, and no array of pyopencl: copy it to the host, or call "
                            "from_dlpack() if it is in OpenCL memory" % name)
        value = np.from_dlpack(value)
    return np.asarray(value)


def _pointer(kind: Any, value: Any) -> Any:
    """Returns an argument of a C function: the address of an array, those of a list of arrays, or the value."""
    if isinstance(value, list):
        return kind(*[_pointer(kind._type_, one) for one in value])
    if not isinstance(value, np.ndarray):
        return value
    return value.ctypes.data if kind is c_void_p else cast(value.ctypes.data, kind)


class Host:
    """Arrays in host memory, through the _host functions."""

    def __init__(self, name: str) -> None:
        self.name, self.context = name, default_context()

    def array(self, value: Any) -> np.ndarray:
        """Returns a value as a contiguous array of a native type."""
        array = to_numpy(self.name, value)
        return np.asarray(array, dtype=array.dtype.newbyteorder("="), order="C")

    def in_place(self, array: Any, axis: int = -1) -> Tuple[Any, Any]:
        """Returns the input and the output of a call that works in place, with the axis moved to the end."""
        copy = np.array(np.moveaxis(array, axis, -1), dtype=array.dtype.newbyteorder("="), order="C")
        return copy, copy

    def back(self, array: Any, axis: int) -> Any:
        """Returns an array with its last axis moved back."""
        return np.moveaxis(array, -1, axis)

    def empty(self, n: Any, dtype: Any) -> Any:
        return np.empty(n, dtype)

    def upload(self, array: np.ndarray) -> Any:
        return array

    def fill(self, out: Any, values: Any) -> Any:
        """Returns the values where a call reads them that writes to `out`: in `out`, if it works in place."""
        out[...] = np.reshape(values, out.shape)
        return out

    def cast(self, array: Any, dtype: Any) -> Any:
        """Returns an array with items of another type, or the array."""
        return array.astype(dtype, copy=False)

    def take(self, array: Any, index: Any) -> Any:
        """Returns the items at the positions of `index`, a permutation."""
        return array[index]

    def item(self, array: Any, i: int) -> Any:
        """Returns one item as a scalar."""
        return array[i]

    def clean(self, array: Any, nan: Any = np.nan) -> Any:
        """Returns floats with one kind of zero and one kind of NaN; `nan` is an unsigned number: its bits."""
        if array.dtype.kind != "f":
            return array
        bits = array.view("u%d" % array.dtype.itemsize)
        top, infinity, quiet = float_bits(array.dtype)
        chosen = quiet if nan is np.nan else nan
        found = np.where(bits & (top - 1) > infinity, chosen, np.where(bits == top, 0, bits))
        return found.astype(bits.dtype).view(array.dtype)

    def call(self, word: str, fields: Dict[str, Any], sizes: Sequence[Any], ins: Dict[str, Any],
             outs: Dict[str, Any], **numbers: Any) -> None:
        """Calls the primitive `word` with the spans of its args; where it works in place, both are equal."""
        name = word + "_edges" if "edges" in ins else word
        function = getattr(c, "dmm_%s_host" % name)
        desc = objects.fill(getattr(c, "dmm_%s_desc" % word)(), fields)
        spans = {**ins, **outs, **numbers}
        arguments = _HOST[name](spans, sizes)
        if isinstance(arguments[0], dict):
            kind = getattr(c, "dmm_%s_host_args" % word)
            kinds = dict(kind._fields_)
            args = kind(**{field: _pointer(kinds[field], value) for field, value in arguments[0].items()})
            arguments = [byref(args)] + arguments[1:]
        values = [_pointer(kind, value) for kind, value in zip(function.argtypes[2:], arguments)]
        self.context.check(function.__name__, function(self.context.handle, byref(desc), *values))


# The arguments of each _host function after the description; a dictionary has the fields of its dmm_<word>_host_args.
_HOST: Dict[str, Any] = {
    "sort": lambda s, n: [s["keys_out"], s.get("values_out"), n[0]],
    "sort_segmented": lambda s, n: [s["keys_out"], s.get("values_out"), n[0], s["offsets"], n[1]],
    "lexsort": lambda s, n: [dict(keys=s["keys_in"], rows_out=s["rows_out"]), n[0]],
    "topk_segmented": lambda s, n: [s["keys_in"], None, n[0], None, n[1], s["keys_out"], s["values_out"]],
    "topk": lambda s, n: [s["keys_in"], None, n[0], n[1], s["keys_out"], s.get("values_out")],
    "nth": lambda s, n: [s["keys_in"], None, n[0], n[1], s["key_out"], None],
    "scan": lambda s, n: [s["out"], n[0]],
    "scan_segmented": lambda s, n: [s["out"], n[0], None, n[1]],
    "axis": lambda s, n: [s["in_"], s.get("values_out"), *n, s["out"]],
    "reduce": lambda s, n: [s["in_"], n[0], s["out"]],
    "unique": lambda s, n: [s["keys_out"], s.get("values_out"), n[0], s["runs_out"]],
    "run_length": lambda s, n: [s["keys_out"], n[0], s["counts_out"], s["runs_out"]],
    "search": lambda s, n: [s["keys"], n[0], s["queries"], n[1], s["out"], None],
    "histogram": lambda s, n: [s["labels"], n[0], s["counts_out"]],
    "histogram_edges": lambda s, n: [s["labels"], n[0], s["edges"], s["counts_out"]],
    "shuffle": lambda s, n: [s["seed"], s["out"], None, n[0]],
    "hull": lambda s, n: [s["points"], None, n[0], s["hull_out"], s["count_out"]],
    "merge": lambda s, n: [dict(a_keys=s["a_keys"], na=n[0], b_keys=s["b_keys"], nb=n[1], keys_out=s["keys_out"])],
    "set": lambda s, n: [dict(a_keys=s["a_keys"], na=n[0], b_keys=s["b_keys"], nb=n[1], keys_out=s["keys_out"],
                              count_out=s["count_out"])],
    "partition": lambda s, n: [dict(items=s["items_out"], values=s.get("values_out"), by=s["by"],
                                    offsets_out=s["offsets_out"]), *n],
    "paths": lambda s, n: [{**s, "report_out": pointer(s["report_out"])}, *n],
    "select": lambda s, n: [dict(items=s["items_in"], flags=s.get("flags"), items_out=s.get("items_out"),
                                 positions_out=s.get("positions_out")), n[0], s["selected_out"]],
}


class Device:
    """Arrays of pyopencl: calls are enqueued on the queue of the first one, behind the events of all."""

    def __init__(self, name: str, first: Any) -> None:
        if first.queue is None:
            raise TypeError("%s: the array has no queue: pass array.with_queue(queue)" % name)
        self.name, self.queue, self.allocator = name, first.queue, first.allocator
        self.context = context_of(self.queue)
        self._cl = sys.modules["pyopencl"]
        order_bit = self._cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        self._any_order = bool(self.queue.properties & order_bit)

    def array(self, value: Any) -> Any:
        if not is_device(value):
            value = self.upload(Host(self.name).array(value))
        if value.queue is None or value.queue.context != self.queue.context:
            raise TypeError("%s: the arrays are of different OpenCL contexts, or one has no queue" % self.name)
        if not value.flags.c_contiguous:
            raise TypeError("%s: an array of pyopencl must be C-contiguous: pass a copy" % self.name)
        return value

    def in_place(self, array: Any, axis: int = -1) -> Tuple[Any, Any]:
        if array.ndim == 0 or axis not in (-1, array.ndim - 1):
            raise TypeError("%s: an array of pyopencl is handled along its last axis" % self.name)
        return array, self.empty(array.shape, array.dtype)

    def back(self, array: Any, axis: int) -> Any:
        return array

    def empty(self, n: Any, dtype: Any) -> Any:
        return self._cl.array.empty(self.queue, n, dtype, allocator=self.allocator)

    def upload(self, array: np.ndarray) -> Any:
        return self._cl.array.to_device(self.queue, np.ascontiguousarray(array), allocator=self.allocator)

    def fill(self, out: Any, values: Any) -> Any:
        return values if is_device(values) else self.upload(values)

    def cast(self, array: Any, dtype: Any) -> Any:
        return array if array.dtype == dtype else array.astype(dtype, queue=self.queue)

    def take(self, array: Any, index: Any) -> Any:
        out = self.empty(index.shape, array.dtype)
        self.call("permute", dict(item_bytes=array.dtype.itemsize, index_bytes=8, direction=c.DMM_DIRECTION_GATHER),
                  [index.size], {"index": index, "in_": array}, {"out": out})
        return out

    def item(self, array: Any, i: int) -> Any:
        return array[i:i + 1].get(queue=self.queue)[0]

    def clean(self, array: Any, nan: Any = np.nan) -> Any:
        if array.dtype.kind != "f" or array.size == 0:
            return array
        top, infinity, quiet = float_bits(array.dtype)
        name = {2: "ushort", 4: "uint", 8: "ulong"}[array.dtype.itemsize]
        own = self.context.own()
        if name not in own:
            from pyopencl.elementwise import ElementwiseKernel
            own[name] = ElementwiseKernel(
                self.queue.context, "{0} *out, {0} *in, {0} top, {0} infinity, {0} nan".format(name),
                "out[i] = (in[i] & (top - 1)) > infinity ? nan : in[i] == top ? 0 : in[i]", "dmm_cl_clean")
        bits = array.view("u%d" % array.dtype.itemsize)
        out = self.empty(array.shape, bits.dtype)
        kind = bits.dtype.type
        out.add_event(own[name](out, bits, kind(top), kind(infinity), kind(quiet if nan is np.nan else nan),
                                queue=self.queue, wait_for=array.events))
        return out.view(array.dtype)

    def call(self, word: str, fields: Dict[str, Any], sizes: Sequence[Any], ins: Dict[str, Any],
             outs: Dict[str, Any], **numbers: Any) -> None:
        own, key = self.context.own(), (word, _frozen(fields))
        if key not in own:
            name = "".join(part.capitalize() for part in word.split("_"))
            own[key] = getattr(objects, name)(self.context, **fields)
        event = own[key].enqueue(self.queue, *sizes, **ins, **outs, **numbers)
        for array in objects.flat([*outs.values(), *(ins.values() if self._any_order else ())]):
            if array is not None:
                array.add_event(event)


def _frozen(value: Any) -> Any:
    """Returns the fields of a description as a key."""
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return tuple((name, _frozen(item)) for name, item in sorted(value.items()))
    return bytes(value) if isinstance(value, Structure) else value


def float_bits(dtype: Any) -> Tuple[int, int, int]:
    """Returns, as unsigned numbers, the bits of -0, of infinity, and of numpy's NaN."""
    found = np.array([-0.0, np.inf, np.nan], dtype).view("u%d" % dtype.itemsize).tolist()
    return found[0], found[1], found[2]


def matrix_of(name: str, array: Any, axis: int) -> Optional[Tuple[int, int, int]]:
    """Returns an array as a matrix: its axis, 0 or 1, rows and columns; None: the axis is neither first nor last."""
    if not -array.ndim <= axis < array.ndim:
        raise ValueError("%s: there is no axis %d in shape %s" % (name, axis, array.shape))
    length = array.shape[axis]
    others = int(np.prod(array.shape, dtype=np.int64)) // length if length else int(
        np.prod(array.shape[:axis % array.ndim] + array.shape[axis % array.ndim + 1:], dtype=np.int64))
    if axis in (-1, array.ndim - 1):
        return 1, others, length
    return (0, length, others) if axis in (0, -array.ndim) else None


Engine = Union[Host, Device]


def begin(name: str, *values: Any) -> Tuple[Any, List[Any]]:
    """Returns what handles these arrays, and the arrays: on the device if one of them is there."""
    name = "dmm_cl." + name
    first = next((value for value in values if is_device(value)), None)
    engine: Engine = Host(name) if first is None else Device(name, first)
    return engine, [engine.array(value) for value in values]
