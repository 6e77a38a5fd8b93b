# SPDX-License-Identifier: MIT
"""Every primitive as in C: an object made once and enqueued often, on the caller's queue, buffers and events.

    scan = objects.Scan(dmm_cl.Context(queue=queue), type=c.DMM_F32)
    event = scan.enqueue(queue, n, in_=array, out=array, wait_for=[filled])

The keywords of a class are the fields of dmm_<word>_desc, those of enqueue() the fields of dmm_<word>_args: `in` is
`in_`, a struct or a pointer to one is a dictionary, an array a list, and zero is the default. A span is a pyopencl
Array or Buffer, a pair of a buffer and an offset in bytes, or None. The numbers between the queue and the events of the
C function come after the queue. The classes are made from the functions of c.py, so a new primitive has one, too.
"""
import re
import sys
import weakref
from ctypes import POINTER, Structure, byref, c_char_p, c_uint64, c_void_p, pointer
from typing import Any, Iterable, List

from . import c
from .context import Context, text


def _handle(value: Any) -> Any:
    """Returns the address of an OpenCL object: an int stays one."""
    return value if value is None or isinstance(value, int) else value.int_ptr


def span(value: Any) -> "c.dmm_span":
    """Returns the dmm_span of a pyopencl Array or Buffer, of a pair (buffer, offset in bytes), or of None."""
    if value is None:
        return c.dmm_span()
    if isinstance(value, c.dmm_span):
        return value
    if isinstance(value, tuple):
        return c.dmm_span(_handle(value[0]), value[1])
    if hasattr(value, "base_data"):  # an Array
        if not value.flags.c_contiguous:
            raise TypeError("dmm_cl: an array of pyopencl must be C-contiguous: pass a copy")
        if value.base_data is not None and not hasattr(value.base_data, "int_ptr"):
            raise TypeError("dmm_cl: an array in shared virtual memory has no buffer: use another allocator")
        return c.dmm_span(_handle(value.base_data), value.offset)
    return c.dmm_span(_handle(value), 0)


def fill(struct: Structure, fields: Any) -> Any:
    """Sets fields of a struct, by name, and returns it. A dict sets a struct, or one that a pointer finds; a list, spans."""
    kinds = dict(struct._fields_)  # type: ignore[misc, call-overload]
    for name, value in fields.items():
        if name not in kinds:
            raise TypeError("%s has no field %s, but %s" % (type(struct).__name__, name, ", ".join(kinds)))
        setattr(struct, name, _value(kinds[name], value))
    return struct


def _value(kind: Any, value: Any) -> Any:
    """Returns a value for a field of a type: a struct or a pointer to one of a dictionary, an array of a list."""
    if kind is c.dmm_span:
        return span(value)
    if kind is c_char_p or isinstance(value, str):
        return text(value)
    inner = getattr(kind, "_type_", None)
    if isinstance(value, dict):
        return fill(kind(), value) if hasattr(kind, "_fields_") else pointer(fill(inner(), value))
    if isinstance(value, (list, tuple)) and inner is not None:
        return (inner * getattr(kind, "_length_", len(value)))(*[_value(inner, item) for item in value])
    return value


def flat(values: Iterable[Any]) -> List[Any]:
    """Returns the values, and the elements of those that are lists."""
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def _events(wait_for: Any, spans: Iterable[Any]) -> List[int]:
    """Returns the addresses of the events to wait for: those given, and those of the arrays."""
    events = [] if wait_for is None else list(wait_for)
    for value in spans:
        for one in value if isinstance(value, list) else [value]:
            events += getattr(one, "events", [])
    return list(dict.fromkeys(_handle(event) for event in events))


class Primitive:
    """An object of the library. It belongs to one thread at a time, and keeps its context."""
    _word = ""

    def __init__(self, context: Context, desc: Any = None, **fields: Any) -> None:
        name = "dmm_%s" % self._word
        create, self._free = getattr(c, name + "_create"), getattr(c, name + "_free")
        self._enqueue, self._temp_bytes = getattr(c, name + "_enqueue"), getattr(c, name + "_temp_bytes")
        self._args = getattr(c, name + "_args")
        self.context = context
        self.desc = fill(desc or getattr(c, name + "_desc")(), fields)
        self.handle = POINTER(getattr(c, name))()
        context.check(name + "_create", create(byref(self.handle), context.handle, byref(self.desc)))
        self._finalizer = weakref.finalize(self, _free, self._free, self.handle, context)
        self._finalizer.atexit = False

    def temp_bytes(self, *sizes: Any) -> int:
        """Returns the bytes of temp that a call with these sizes needs."""
        found = c_uint64()
        numbers = [_size(kind, size) for kind, size in zip(self._temp_bytes.argtypes[2:], sizes)]
        self.context.check(self._temp_bytes.__name__, self._temp_bytes(byref(found), self.handle, *numbers))
        return found.value

    def enqueue(self, queue: Any, *sizes: Any, wait_for: Any = None, **fields: Any) -> Any:
        """Enqueues a call and returns its event: a pyopencl.Event, or an int if the queue is one.

        Waits for the events of `wait_for` and for those that arrays of pyopencl carry; it adds its own to none.
        """
        kinds = self._enqueue.argtypes[3:-3]
        if len(sizes) != len(kinds):
            raise TypeError("%s takes %d numbers after the queue, not %d"
                            % (self._enqueue.__name__, len(kinds), len(sizes)))
        args = fill(self._args(), fields)
        events = _events(wait_for, flat(fields.values()))
        done = c_void_p()
        numbers = [_size(kind, size) for kind, size in zip(kinds, sizes)]
        wait = (c_void_p * len(events))(*events) if events else None
        self.context.check(self._enqueue.__name__, self._enqueue(
            self.handle, _handle(queue), byref(args), *numbers, len(events), wait, byref(done)))
        if isinstance(queue, int):
            return done.value
        return sys.modules["pyopencl"].Event.from_int_ptr(done.value, retain=False)

    def free(self) -> None:
        """Frees the object; calls in flight go on."""
        self._finalizer()
        self.handle = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        self.free()


def _free(free: Any, handle: Any, _context: Any) -> None:
    """Frees an object; its context must live as long."""
    free(handle)


def _size(kind: Any, size: Any) -> Any:
    """Returns a size of a call: a number, or the fields of a struct of numbers."""
    return kind(*size) if isinstance(size, tuple) else size


for _name in list(c.FUNCTIONS):
    _match = re.match(r"dmm_(\w+)_enqueue$", _name)
    if _match:
        _class = "".join(part.capitalize() for part in _match[1].split("_"))
        globals()[_class] = type(_class, (Primitive,), {
            "_word": _match[1], "__doc__": c.TOPS.get(_match[1]), "__module__": __name__})
