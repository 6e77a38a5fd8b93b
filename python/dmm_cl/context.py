# SPDX-License-Identifier: MIT
"""Contexts and errors: what every call of the library needs."""
import collections
import os
import threading
import weakref
from ctypes import POINTER, byref, pointer
from typing import Any, Callable, Dict, Optional

from . import c

# Statuses of which the context's log says more.
_LOGGED = (c.DMM_BUILD_FAILED, c.DMM_BAD_PARAMETERS, c.DMM_BAD_SETTING)


class Error(RuntimeError):
    """A call of libdmm failed. `status` is the dmm_status: positive as in include/dmm/status.h, or OpenCL's."""

    def __init__(self, function: str, status: int, log: str = "") -> None:
        text = (c.dmm_error_text(status) or b"").decode()
        if not text.startswith("dmm_"):  # it names no argument
            text = "%s: %s" % (function, text)
        super().__init__("%s%s" % (text, "\n" + log if log else ""))
        self.status = status


def _cache_folder() -> Optional[str]:
    """Returns the folder of compiled programs that the command uses, too."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = os.path.expanduser("~")
    if not os.path.isabs(base):
        base = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return os.path.join(base, "dmm") if base else None


def text(value: Any) -> Optional[bytes]:
    """Returns a text as C reads it. One with a NUL is a ValueError: C would drop what follows."""
    if value is None:
        return None
    if not isinstance(value, (str, bytes)):
        raise TypeError("dmm_cl: %r must be a text" % (value,))
    found = value.encode() if isinstance(value, str) else value
    if b"\0" in found:
        raise ValueError("dmm_cl: %r holds a NUL" % (value,))
    return found


def _facts(given: Any) -> "c.dmm_device":
    """Returns the dmm_device of recorded facts: itself, or one made of a dictionary."""
    if isinstance(given, c.dmm_device):
        return given
    device = c.dmm_device()
    kinds: Dict[str, Any] = dict(device._fields_)  # type: ignore[arg-type]
    for name, value in given.items():
        if name not in kinds or name in ("platform", "id"):
            raise TypeError("dmm_cl: facts: %s is none" % name)
        if kinds[name] is c.dmm_fact:
            value = c.dmm_fact(value, c.DMM_SOURCE_OVERRIDE)
        setattr(device, name, value.encode() if isinstance(value, str) else value)
    return device


class _Lines(threading.local):
    """The last lines of a context's log, of this thread since its last call."""

    def __init__(self) -> None:
        self.kept: Any = collections.deque(maxlen=40)


class Context:
    """A dmm_context: the library bound to one OpenCL context and device.

    device    an index or a part of a name, as `dmm devices` prints them; None: $DMM_DEVICE, or the best device
    queue     a pyopencl.CommandQueue whose context and device are used
    facts     in place of a device, those of another one: its `device`, or a dictionary such as {"units": 132, "fp64": 1}.
              Objects of such a context are checked and tell temp_bytes, without OpenCL; nothing runs
    settings  "NAME=VALUE,...", as `set` of dmm_context_desc
    tuning    a tuning file; "": none; None: $DMM_TUNING, or the user's
    cache     the folder of compiled programs; "": none; None: that of the command. Drivers with a cache do not use it
    log       called with each line of the library's log

    Threads may share a context. After os.fork() a child can only free it (DMM_UNSUPPORTED): with multiprocessing, use
    the start method "spawn" or "forkserver".
    """

    def __init__(self, device: Optional[str] = None, *, queue: Any = None, facts: Any = None,
                 settings: Optional[str] = None, tuning: Optional[str] = None, cache: Optional[str] = None,
                 log: Optional[Callable[[str], None]] = None) -> None:
        self._lines: Any = _Lines()
        self._own = threading.local()
        lines = self._lines  # the callback must not refer to the context: it would never be freed

        @c.dmm_log_function
        def write(_user: Any, line: bytes) -> None:
            lines.kept.append(line.decode(errors="replace"))
            if log:
                log(lines.kept[-1])

        self._write = write
        desc = c.dmm_context_desc(log=write)
        device_facts = _facts(facts) if facts is not None else None
        if device_facts is not None:
            desc.facts = pointer(device_facts)
        if queue is not None:
            desc.context, desc.device = queue.context.int_ptr, queue.device.int_ptr
        elif device is not None:
            desc.device_text = text(str(device))
        folder = _cache_folder() if cache is None else cache
        desc.cache = text(folder) or None
        desc.set = text(settings) or None
        desc.tuning = text(tuning)
        self.handle = POINTER(c.dmm_context)()
        self.check("dmm_context_create", c.dmm_context_create(byref(self.handle), byref(desc)))
        weakref.finalize(self, _free_context, self.handle, write).atexit = False

    def check(self, function: str, status: int) -> None:
        """Raises Error unless the status is DMM_OK."""
        log = "\n".join(self._lines.kept) if status in _LOGGED or status < 0 else ""
        self._lines.kept.clear()
        if status == c.DMM_OK:
            return
        raise Error(function, status, log)

    @property
    def device(self) -> "c.dmm_device":
        """The device with its facts: name, platform_name, kind, units, ..."""
        return c.dmm_context_device(self.handle).contents

    def own(self) -> Dict[Any, Any]:
        """Returns a dictionary of this context and this thread, for objects, which belong to one thread."""
        return self._own.__dict__

    def __repr__(self) -> str:
        return "<dmm_cl.Context on %s>" % self.device.name.decode(errors="replace")


def _free_context(handle: Any, _write: Any) -> None:
    """Frees a context; _write, its log, must live as long."""
    c.dmm_context_free(handle)


_lock = threading.Lock()
_default: Optional[Context] = None
_of_queue: Dict[Any, Context] = {}


def default_context() -> Context:
    """Returns the context that arrays in host memory use, and creates it at the first call."""
    global _default
    with _lock:
        if _default is None:
            _default = Context()
        return _default


def use(context: Any) -> Context:
    """Sets the context that arrays in host memory use: a Context, or the name or index of a device. Returns it."""
    global _default
    found = context if isinstance(context, Context) else Context(context)
    with _lock:
        _default = found
    return found


def context_of(queue: Any) -> Context:
    """Returns the context for a pyopencl queue. There is one for each OpenCL context and device; it is kept."""
    key = queue.context.int_ptr, queue.device.int_ptr
    with _lock:
        if key not in _of_queue:
            _of_queue[key] = Context(queue=queue)
        return _of_queue[key]
